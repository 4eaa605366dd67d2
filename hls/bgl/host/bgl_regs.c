// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_regs.c - the node's registers.
 */
#include "bgl/host/bgl_regs.h"

/* Words of a port's block, in the order of bgl.rdl. */
enum port_word {
    PORT_CONTROL,
    PORT_TIMEOUT,
    PORT_STATUS,
    PORT_SEND_CRC,
    PORT_RECEIVE_CRC,
    PORT_TOKENS,
    PORT_FULL,
    PORT_RESEND,
};

static_assert(BGL_REG_PORT_STEP == PORT_RESEND + 1 && BGL_REG_COUNTERS_STEP == 32 &&
              BGL_REG_COUNTERS == 0x80 && COUNT_LAST < BGL_COUNTERS &&
              BGL_REG_NODE_COUNTERS == BGL_REG_COUNTERS + BGL_PORTS * BGL_REG_COUNTERS_STEP &&
              NODE_LAST < BGL_COUNTERS);

/* A field of a register at its place, and what stands there in what is written. */
#define FIELD(register, field, value) ((u64)(value) << BGL_REG_##register##_##field##_AT)
#define AT(register, field)           (data >> BGL_REG_##register##_##field##_AT)

HLS_RESET void bgl_regs_reset(struct bgl_regs *self)
{
    *self = (struct bgl_regs){
        .out.where =
            {
                .hint_plus = {BGL_REG_HINT_PLUS_X_RESET, BGL_REG_HINT_PLUS_Y_RESET,
                              BGL_REG_HINT_PLUS_Z_RESET},
            },
        .out.arbitration =
            {
                .tokens = {BGL_REG_RANGES_TOKENS0_RESET, BGL_REG_RANGES_TOKENS1_RESET,
                           BGL_REG_RANGES_TOKENS2_RESET},
                .fullness = {BGL_REG_RANGES_FULL0_RESET, BGL_REG_RANGES_FULL1_RESET,
                             BGL_REG_RANGES_FULL2_RESET},
                .slq = BGL_REG_ARBITER_SLQ_RESET,
                .random = BGL_REG_ARBITER_RANDOM_RESET,
                .bypass = {BGL_REG_BYPASS_VC0_RESET, BGL_REG_BYPASS_VC1_RESET,
                           BGL_REG_BYPASS_VC2_RESET, BGL_REG_BYPASS_VC3_RESET},
            },
    };
    for (int p = 0; p < BGL_PORTS; p++) {
        self->out.control[p] = (struct bgl_link_control){
            .drop = BGL_REG_PORT_DROP_RESET,
            .timeout = BGL_REG_PORT1_CLOCKS_RESET,
            .retry = BGL_REG_PORT1_RETRY_RESET,
        };
    }
}

static inline u64 place_bits(struct bgl_place at)
{
    return (u64)at.x | ((u64)at.y << 8) | ((u64)at.z << 16);
}

static inline struct bgl_place place_of(u64 data)
{
    return (struct bgl_place){(u8)data, (u8)(data >> 8), (u8)(data >> 16)};
}

static inline u64 read_port(const struct bgl_regs *self, const struct bgl_regs_in *in, int p,
                            u3 word)
{
    const struct bgl_link_state *s = &in->port[p];
    const struct bgl_link_control *c = &self->out.control[p];

    switch (word) {
    case PORT_CONTROL:
        return FIELD(PORT, LOOPBACK, c->loopback) | FIELD(PORT, DROP, c->drop) |
               FIELD(PORT, STOP, c->stop);
    case PORT_TIMEOUT:
        return FIELD(PORT1, CLOCKS, c->timeout) | FIELD(PORT1, RETRY, c->retry);
    case PORT_STATUS:
        return FIELD(PORT2, STATE, s->state) | FIELD(PORT2, EPOCH, s->epoch) |
               FIELD(PORT2, ROUND_TRIP, s->round_trip) | FIELD(PORT2, PEER_CHIP, s->peer.chip) |
               FIELD(PORT2, PEER_PORT, s->peer.port);
    case PORT_SEND_CRC:
        return (u64)s->send_crc;
    case PORT_RECEIVE_CRC:
        return (u64)s->receive_crc;
    case PORT_TOKENS:
        return FIELD(PORT5, VC0, s->tokens[0]) | FIELD(PORT5, VC1, s->tokens[1]) |
               FIELD(PORT5, VC2, s->tokens[2]) | FIELD(PORT5, VC3, s->tokens[3]);
    case PORT_FULL:
        return FIELD(PORT6, VC0, in->held[p][0]) | FIELD(PORT6, VC1, in->held[p][1]) |
               FIELD(PORT6, VC2, in->held[p][2]) | FIELD(PORT6, VC3, in->held[p][3]);
    default:
        return FIELD(PORT7, BASE, s->base) | FIELD(PORT7, FOLLOWING, s->following);
    }
}

static inline u64 watermark_bits(const struct bgl_watermarks *w)
{
    return FIELD(WATERMARK0, RX, w->rx) | FIELD(WATERMARK0, RX_HIGH, w->rx_high) |
           FIELD(WATERMARK0, TX0, w->tx[0]) | FIELD(WATERMARK0, TX1, w->tx[1]) |
           FIELD(WATERMARK0, TX2, w->tx[2]) | FIELD(WATERMARK0, TX3, w->tx[3]);
}

static inline struct bgl_watermarks watermarks_of(u64 data)
{
    return (struct bgl_watermarks){
        .rx = (u5)AT(WATERMARK0, RX),
        .rx_high = (u5)AT(WATERMARK0, RX_HIGH),
        .tx = {(u5)AT(WATERMARK0, TX0), (u5)AT(WATERMARK0, TX1), (u5)AT(WATERMARK0, TX2),
               (u5)AT(WATERMARK0, TX3)},
    };
}

static inline u64 read_node(const struct bgl_regs *self, const struct bgl_regs_in *in, u5 word)
{
    const struct bgl_where *where = &self->out.where;
    const struct bgl_arbitration *a = &self->out.arbitration;

    switch (word) {
    case BGL_REG_NODES:
        return place_bits(where->nodes);
    case BGL_REG_NODE:
        return place_bits(where->node);
    case BGL_REG_PLUS:
        return place_bits(where->plus);
    case BGL_REG_MINUS:
        return place_bits(where->minus);
    case BGL_REG_HINT_PLUS:
        return place_bits(where->hint_plus);
    case BGL_REG_HINT_MINUS:
        return place_bits(where->hint_minus);
    case BGL_REG_RANGES:
        return FIELD(RANGES, TOKENS0, a->tokens[0]) | FIELD(RANGES, TOKENS1, a->tokens[1]) |
               FIELD(RANGES, TOKENS2, a->tokens[2]) | FIELD(RANGES, FULL0, a->fullness[0]) |
               FIELD(RANGES, FULL1, a->fullness[1]) | FIELD(RANGES, FULL2, a->fullness[2]);
    case BGL_REG_ARBITER:
        return FIELD(ARBITER, SLQ, a->slq) | FIELD(ARBITER, RANDOM, a->random) |
               FIELD(ARBITER, INJECT, a->inject) | FIELD(ARBITER, HPINJECT, a->high_inject) |
               FIELD(ARBITER, SEED, a->seed);
    case BGL_REG_IDENTITY:
        return FIELD(IDENTITY, CHIP, self->out.chip) | FIELD(IDENTITY, UPPER, self->out.upper);
    case BGL_REG_INJECTION:
        return FIELD(INJECTION, STOPPED, in->stopped);
    case BGL_REG_BYPASS:
        return FIELD(BYPASS, VC0, a->bypass[0]) | FIELD(BYPASS, VC1, a->bypass[1]) |
               FIELD(BYPASS, VC2, a->bypass[2]) | FIELD(BYPASS, VC3, a->bypass[3]);
    case BGL_REG_WATERMARK0:
        return watermark_bits(&self->out.watermark[0]);
    case BGL_REG_WATERMARK1:
        return watermark_bits(&self->out.watermark[1]);
    case BGL_REG_FIRST_ERROR:
        return FIELD(FIRST_ERROR, CLASS, in->error) | FIELD(FIRST_ERROR, PLACE, in->place) |
               FIELD(FIRST_ERROR, VC, in->vc) | FIELD(FIRST_ERROR, CLOCK, in->clock);
    case BGL_REG_IRQ_STATUS:
        return (u64)in->status;
    case BGL_REG_IRQ_MASK0:
        return (u64)self->out.mask[0];
    case BGL_REG_IRQ_MASK1:
        return (u64)self->out.mask[1];
    default:
        return word >= BGL_REG_CHECKSUM ? (u64)in->sum : (u64)0;
    }
}

static inline void write_port(struct bgl_regs *self, int p, u3 word, u64 data)
{
    struct bgl_link_control *c = &self->out.control[p];

    if (word == PORT_CONTROL) {
        c->restart = (u1)AT(PORT, RESTART);
        c->kill = (u1)AT(PORT, KILL);
        c->clear_crc = (u1)AT(PORT, CLEAR_CRC);
        c->clear = (u1)AT(PORT, CLEAR);
        c->loopback = (u1)AT(PORT, LOOPBACK);
        c->drop = (u1)AT(PORT, DROP);
        c->stop = (u1)AT(PORT, STOP);
    } else {
        c->timeout = (u16)AT(PORT1, CLOCKS);
        c->retry = (u8)AT(PORT1, RETRY);
    }
}

static inline void write_node(struct bgl_regs *self, u5 word, u64 data)
{
    struct bgl_arbitration *a = &self->out.arbitration;

    switch (word) {
    case BGL_REG_NODES:
        self->out.where.nodes = place_of(data);
        break;
    case BGL_REG_NODE:
        self->out.where.node = place_of(data);
        break;
    case BGL_REG_PLUS:
        self->out.where.plus = place_of(data);
        break;
    case BGL_REG_MINUS:
        self->out.where.minus = place_of(data);
        break;
    case BGL_REG_HINT_PLUS:
        self->out.where.hint_plus = place_of(data);
        break;
    case BGL_REG_HINT_MINUS:
        self->out.where.hint_minus = place_of(data);
        break;
    case BGL_REG_RANGES:
        for (int i = 0; i < 3; i++) {
            a->tokens[i] = (u6)(data >> (BGL_REG_RANGES_TOKENS0_AT + 6 * i));
            a->fullness[i] = (u6)(data >> (BGL_REG_RANGES_FULL0_AT + 6 * i));
        }
        break;
    case BGL_REG_ARBITER:
        a->slq = (u8)AT(ARBITER, SLQ);
        a->random = (u8)AT(ARBITER, RANDOM);
        a->inject = (u5)AT(ARBITER, INJECT);
        a->high_inject = (u5)AT(ARBITER, HPINJECT);
        a->seed = (u16)AT(ARBITER, SEED);
        a->load = 1;
        break;
    case BGL_REG_IDENTITY:
        self->out.chip = (u16)AT(IDENTITY, CHIP);
        self->out.upper = (u3)AT(IDENTITY, UPPER);
        break;
    case BGL_REG_INJECTION:
        self->out.clear_injection = (u8)AT(INJECTION, CLEAR);
        break;
    case BGL_REG_RECEPTION:
        self->out.clear_reception = (u16)AT(RECEPTION, CLEAR);
        break;
    case BGL_REG_BYPASS:
        for (int v = 0; v < BGL_VCS; v++) {
            a->bypass[v] = (u7)(data >> (BGL_REG_BYPASS_VC0_AT + 7 * v));
        }
        break;
    case BGL_REG_WATERMARK0:
        self->out.watermark[0] = watermarks_of(data);
        break;
    case BGL_REG_WATERMARK1:
        self->out.watermark[1] = watermarks_of(data);
        break;
    case BGL_REG_CLEAR:
        self->out.clear_sums = (u8)AT(CLEAR, CHECKSUMS);
        self->out.clear_counts = (u1)AT(CLEAR, COUNTERS);
        break;
    case BGL_REG_FIRST_ERROR:
        self->out.clear_first = 1;
        break;
    case BGL_REG_IRQ_STATUS:
        self->out.clear_link = (u6)AT(IRQ_STATUS, LINK);
        self->out.clear_error = (u1)AT(IRQ_STATUS, ERROR);
        break;
    case BGL_REG_IRQ_MASK0:
        self->out.mask[0] = (u19)AT(IRQ_MASK0, BITS);
        break;
    default:
        self->out.mask[1] = (u19)AT(IRQ_MASK1, BITS);
        break;
    }
}

/* What lasts a clock. */
static inline void end_pulses(struct bgl_regs *self)
{
    self->out.arbitration.load = 0;
    self->out.clear_injection = 0;
    self->out.clear_reception = 0;
    self->out.clear_sums = 0;
    self->out.clear_counts = 0;
    self->out.clear_first = 0;
    self->out.clear_link = 0;
    self->out.clear_error = 0;
    for (int p = 0; p < BGL_PORTS; p++) {
        self->out.control[p].restart = 0;
        self->out.control[p].kill = 0;
        self->out.control[p].clear_crc = 0;
        self->out.control[p].clear = 0;
    }
}

HLS_MODULE void bgl_regs(struct bgl_regs *self, const struct bgl_regs_in *in)
{
    u16 addr = in->bus.addr;
    u1 of_port = addr >= BGL_REG_PORT && addr < BGL_REG_PORT + BGL_PORTS * BGL_REG_PORT_STEP;
    u1 sum = addr >= BGL_REG_CHECKSUM && addr < BGL_REG_CHECKSUM + BGL_INJECTION;
    u1 of_node = addr <= BGL_REG_IRQ_MASK1 || sum;
    u1 writable = (of_node && !sum) || (of_port && (u3)addr <= PORT_TIMEOUT);
    u1 of_all = (u16)(addr >> 5) == BGL_REG_NODE_COUNTERS / BGL_REG_COUNTERS_STEP;
    u1 counter = addr >= BGL_REG_COUNTERS && addr < BGL_REG_NODE_COUNTERS + BGL_COUNTERS &&
                 (u5)addr <= (of_all ? (u5)NODE_LAST : (u5)COUNT_LAST);
    u1 turn = in->bus.write ||
              ((!counter || in->index == (u5)addr) && (!sum || in->sum_fifo == (u3)addr));
    u1 acts = in->bus.valid && !self->out.reply.ready && turn;
    u1 known = in->bus.write ? writable : of_node || of_port || counter;
    u64 data = of_node ? read_node(self, in, (u5)addr) : of_all ? (u64)in->node_count : (u64)0;

    end_pulses(self);
    for (int p = 0; p < BGL_PORTS; p++) {
        if (counter && (u4)(addr >> 5) == BGL_REG_COUNTERS / BGL_REG_COUNTERS_STEP + p) {
            data = (u64)in->count[p];
        }
        if (of_port && (u3)(addr >> 3) == p) {
            data = read_port(self, in, p, (u3)addr);
            if (acts && in->bus.write && writable) {
                write_port(self, p, (u3)addr, in->bus.wdata);
            }
        }
    }
    if (acts && in->bus.write && of_node) {
        write_node(self, (u5)addr, in->bus.wdata);
    }
    self->out.reply = (struct reg_reply){
        .ready = acts,
        .error = acts && !known,
        .rdata = acts && known && !in->bus.write ? data : (u64)0,
    };
}
