// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_regs.c - the register bus of the link: limits, status, counters, first error.
 *
 * Events come as one bit per counter and wait there: one is chosen per clock, and its counter counts in the clock
 * after. Corrected bits have priority, as they alone may come in every clock for long; all others are a micropacket
 * apart. The first event that is an error is kept with its time until software clears it.
 */
#include "link/lcb_regs.h"

/* Four lanes leave no counter for skew, which makes a re-initialisation. */
#if LANES == 4
#define ERRORS_OF_LANES 0
#else
#define ERRORS_OF_LANES (1 << COUNT_OVERFLOWS)
#endif

/* Events that are worth remembering the first of. */
#define ERRORS                                                                                     \
    ((1 << COUNT_CRC) | (1 << COUNT_TIMEOUTS) | (1 << COUNT_ACK_BAD) | (1 << COUNT_CORRECTED) |    \
     (1 << COUNT_FATAL) | (1 << COUNT_REINITS) | (1 << COUNT_DEATHS) | ERRORS_OF_LANES)

#if !LCB_PACKET &&                                                                                 \
    (LCB_SHARED > LCB_SHARED_MOST || LCB_GUARANTEED + 8 * LCB_SHARED_MOST >= 1 << LCB_CREDIT_BITS)
#error "config: LCB_SHARED_MOST is below LCB_SHARED, or does not fit into a credit count"
#endif

static inline u9 least(u9 a, u9 b)
{
    return a < b ? a : b;
}

#if LCB_PACKET

/* What is written is taken as the nearest legal value. */
static inline lcb_phits nearest_clip(u6 clip)
{
    return clip < 2 ? (lcb_phits)2 : clip > RTR_PACKET ? (lcb_phits)RTR_PACKET : (lcb_phits)clip;
}

static inline u8 nearest_every(u8 every)
{
    return every < 16 ? (u8)16 : every;
}

static inline u5 nearest_owed(u8 phits)
{
    return phits < 8 ? (u5)1 : (u5)(phits >> 3);
}

#endif

HLS_RESET void lcb_regs_reset(struct lcb_regs *self)
{
    self->out = (struct lcb_regs_out){
        .lanes = LCB_REG_CONTROL_LANES_RESET,
        .bad_limit = LCB_BAD_LIMIT,
        .retry_limit = LCB_RETRY_LIMIT,
        .train_limit = LCB_TRAIN_LIMIT,
        .timeout = LCB_TIMEOUT,
        .shared_space = LCB_SHARED,
#if LCB_PACKET
        .clip = LCB_CLIP,
        .every = LCB_EVERY,
        .owed = LCB_OWED >> 3,
#endif
    };
    self->wipes = 1;
    self->wiped = 0;
    self->pending = 0;
    self->counts = 0;
    self->next = 0;
    self->captured = 0;
    self->first_events = 0;
    self->first_side = 0;
    self->first_time = 0;
    self->first_stuck = 0;
    self->times_stuck = 0;
#if LCB_PACKET
    for (int i = 0; i < 4; i++) {
        self->packets[i] = 0;
    }
#else
    self->peer_came = 0;
#endif
}

/* A field of a register at its place. */
#define FIELD(register, field, value) ((u64)(value) << LCB_REG_##register##_##field##_AT)

static inline u64 identity_bits(struct link_identity identity)
{
    return FIELD(IDENTITY, CHIP, identity.chip) | FIELD(IDENTITY, PORT, identity.port);
}

static inline u64 read_reg(const struct lcb_regs *self, const struct lcb_regs_in *in, u32 counter)
{
    switch (in->bus.addr) {
    case LCB_REG_STATUS:
        return FIELD(STATUS, STATE, in->state) | FIELD(STATUS, TX_MAP, in->tx_map) |
               FIELD(STATUS, RX_MAP, in->rx_map) | FIELD(STATUS, LANE_UP, in->lane_up) |
               FIELD(STATUS, EPOCH, in->epoch) | FIELD(STATUS, ROUND_TRIP, in->round_trip);
    case LCB_REG_CONTROL:
        return FIELD(CONTROL, LANES, self->out.lanes) |
               FIELD(CONTROL, LOOPBACK, self->out.loopback);
    case LCB_REG_LIMITS:
        return FIELD(LIMITS, BAD, self->out.bad_limit) |
               FIELD(LIMITS, RETRY, self->out.retry_limit) |
               FIELD(LIMITS, TRAIN, self->out.train_limit);
    case LCB_REG_TIMEOUT:
        return FIELD(TIMEOUT, SLOTS, self->out.timeout) |
               FIELD(TIMEOUT, SHARED, self->out.shared_space);
    case LCB_REG_FIRST_ERROR:
        return FIELD(FIRST_ERROR, EVENTS, self->first_events) |
               FIELD(FIRST_ERROR, SIDEBAND, self->first_side) |
               FIELD(FIRST_ERROR, STUCK, self->first_stuck) |
               FIELD(FIRST_ERROR, CAPTURED, self->captured);
    case LCB_REG_FIRST_TIME:
        return (u64)self->first_time;
    case LCB_REG_IDENTITY:
        return identity_bits(in->identity);
    case LCB_REG_PEER:
        return identity_bits(in->peer);
    case LCB_REG_STUCK:
        return (u64)self->times_stuck;
#if LCB_PACKET
    case LCB_REG_PACKETS:
        return FIELD(PACKETS, SOFT, self->packets[0]) | FIELD(PACKETS, CUT, self->packets[1]) |
               FIELD(PACKETS, CLIPPED, self->packets[2]) |
               FIELD(PACKETS, REFUSED, self->packets[3]);
    case LCB_REG_PACKET:
        return FIELD(PACKET, CLIP, self->out.clip) | FIELD(PACKET, EVERY, self->out.every) |
               FIELD(PACKET, OWED, (u8)((u8)self->out.owed << 3));
#else
    case LCB_REG_PEER_SENT:
        return (u64)in->peer_now;
    case LCB_REG_PEER_CAME:
        return (u64)self->peer_came;
#endif
    default:
        return in->bus.addr >> 4 == LCB_REG_COUNTERS >> 4 ? (u64)counter : 0;
    }
}

/* Registers of one framing. */
#if LCB_PACKET
static inline u1 writable_here(u16 addr)
{
    return addr == LCB_REG_PACKET;
}

static inline u1 readable_here(u16 addr)
{
    return addr == LCB_REG_PACKET || addr == LCB_REG_PACKETS;
}
#else
static inline u1 writable_here(u16 addr)
{
    (void)addr;
    return 0;
}

static inline u1 readable_here(u16 addr)
{
    return addr == LCB_REG_PEER_SENT || addr == LCB_REG_PEER_CAME;
}
#endif

/*
 * Whether the register is there, for what the bus wants of it. Registers that can be read stand in a row; a
 * write of IDENTITY is a matter of the parent that drives it.
 */
static inline u1 known(const struct lcb_regs_in *in)
{
    u16 addr = in->bus.addr;
    u1 counter = addr >> 4 == LCB_REG_COUNTERS >> 4;
    u1 writable = addr == LCB_REG_CONTROL || addr == LCB_REG_LIMITS || addr == LCB_REG_TIMEOUT ||
                  addr == LCB_REG_IDENTITY || writable_here(addr);

    return in->bus.write ? writable : counter || addr <= LCB_REG_STUCK || readable_here(addr);
}

/* What stands at a field's place, to be cut to its type. */
#define AT(register, field) (data >> LCB_REG_##register##_##field##_AT)

static inline void write_reg(struct lcb_regs *self, u16 addr, u64 data)
{
    switch (addr) {
    case LCB_REG_CONTROL:
        self->out.restart = (u1)AT(CONTROL, RESTART);
        self->out.kill = (u1)AT(CONTROL, KILL);
        self->wipes |= (u1)AT(CONTROL, CLEAR);
        self->out.lanes = (lcb_lanes)AT(CONTROL, LANES);
        self->out.loopback = (u1)AT(CONTROL, LOOPBACK);
        break;
    case LCB_REG_LIMITS:
        self->out.bad_limit = (u8)AT(LIMITS, BAD);
        self->out.retry_limit = (u8)AT(LIMITS, RETRY);
        self->out.train_limit = (u16)AT(LIMITS, TRAIN);
        break;
    case LCB_REG_TIMEOUT:
        self->out.timeout = (u12)AT(TIMEOUT, SLOTS);
        self->out.shared_space = least((u9)AT(TIMEOUT, SHARED), LCB_SHARED_MOST);
        break;
#if LCB_PACKET
    case LCB_REG_PACKET:
        self->out.clip = nearest_clip((u6)AT(PACKET, CLIP));
        self->out.every = nearest_every((u8)AT(PACKET, EVERY));
        self->out.owed = nearest_owed((u8)AT(PACKET, OWED));
        break;
#endif
    default:
        break;
    }
}

/* The counter of one event that waits. */
static inline u4 pick(u16 pending)
{
    u4 lowest = 0;

    for (int i = LCB_COUNTERS - 1; i >= 0; i--) {
        lowest = (u1)(pending >> i) ? (u4)i : lowest;
    }
    return (u1)(pending >> COUNT_CORRECTED) ? (u4)COUNT_CORRECTED : lowest;
}

static inline void count(struct lcb_regs *self, u16 events)
{
    if (self->wipes) {
        self->counter[self->wiped] = 0;
        self->times_stuck = 0;
        self->wiped++;
        self->wipes = self->wiped != 0;
    } else if (self->counts) {
        self->counter[self->next]++;
    }
    self->counts = !self->wipes && self->pending != 0;
    self->next = pick(self->pending);
    if (self->counts) {
        self->pending &= ~(u16)((u16)1 << self->next);
    }
    self->pending |= events;
}

static inline void capture(struct lcb_regs *self, const struct lcb_regs_in *in)
{
    if (self->wipes) {
        self->captured = 0;
    } else if (((in->events & ERRORS) != 0 || in->stuck) && !self->captured) {
        self->captured = 1;
        self->first_events = in->events;
        self->first_side = in->side;
        self->first_time = in->now;
        self->first_stuck = in->stuck;
    }
}

HLS_MODULE void lcb_regs(struct lcb_regs *self, const struct lcb_regs_in *in)
{
    u32 counter = self->counter[(u4)in->bus.addr];

    self->out.restart = 0;
    self->out.kill = 0;
    self->out.bus.ready = in->bus.valid && !self->out.bus.ready;
    if (self->out.bus.ready) {
        self->out.bus.error = !known(in);
        self->out.bus.rdata = read_reg(self, in, counter);
    }
    capture(self, in);
    count(self, in->events);
    self->times_stuck += in->stuck;
#if LCB_PACKET
    for (int i = 0; i < 4; i++) {
        self->packets[i] =
            self->wipes ? (u16)0 : (u16)(self->packets[i] + (u1)(in->packet_events >> i));
    }
#else
    if (in->peer_now_valid) {
        self->peer_came = (lcb_time)(in->now - in->peer_age);
    }
#endif
    if (self->out.bus.ready && in->bus.write) {
        write_reg(self, in->bus.addr, in->bus.wdata);
    }
}
