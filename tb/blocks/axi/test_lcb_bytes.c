// SPDX-License-Identifier: Apache-2.0
/*
 * test_lcb_bytes.c - two lcb_bytes over a cable: packets of bytes in both directions, registers by AXI4-Lite, a kill and
 * restarts in the middle.
 *
 * While the link lives every packet comes out once, in order, with its bytes, VC and the sender's bits. Around a death some are
 * lost, those behind are in order still, and none comes out wrong without a mark.
 *
 * Built for aries: san. Recorded for lcb_bytes.
 */
#include "tb/blocks/axi/byte_model.h"
#include "axi/lcb_bytes.h"

enum { UP = 4000, SENT = 1 << 16, CONTROL = 8 * LCB_REG_CONTROL };

struct end {
    struct lcb_bytes dut;
    struct lcb_bytes_in in;
    struct byte_packet packet; /* on the way in */
    unsigned beat, beats;
    uint64_t sent; /* packets whole */
    struct byte_packet came;
    uint64_t next; /* of the other end's packets, the first that may come now */
    uint64_t clean, marked, skipped;
};

static struct end end[2];
static struct rng r;
static uint64_t now, longest;
static struct misses wrong;
static struct byte_packet log_of[2][SENT];
static bool dies; /* packets may be lost */
static unsigned offer, take;

static void check(bool pass, const char *what)
{
    must(&wrong, pass, "%s", what);
}

static bool often(unsigned in_16)
{
    return rng_below(&r, 16) < in_16;
}

static void offer_beat(struct end *e)
{
    unsigned bytes;
    if (e->in.s_axis.tvalid || !often(offer))
        return;
    if (e->beat == e->beats) {
        e->packet = byte_packet_random(&r, (unsigned)longest);
        e->beats = byte_packet_beats(&e->packet);
        e->beat = 0;
    }
    const uint64_t data = byte_packet_beat(&e->packet, e->beat, &bytes);
    e->in.s_axis = (struct byte_beat){
        .tvalid = 1,
        .tdata = data,
        .tkeep = (u8)((1u << bytes) - 1),
        .tlast = ++e->beat == e->beats,
        .tuser = (byte_tuser)((byte_tuser)e->packet.user << 4 | e->packet.vc << 1),
    };
}

static bool same(const struct byte_packet *a, const struct byte_packet *b)
{
    bool same = a->bytes == b->bytes && a->vc == b->vc && a->user == b->user;
    for (unsigned i = 0; same && i < a->bytes; i++)
        same = a->data[i] == b->data[i];
    return same;
}

/* A whole packet at end i: the next one of the other end, or a later one around a death. */
static void arrived(unsigned i)
{
    struct end *e = &end[i];
    const uint64_t from = e->next;
    if (e->came.bad) {
        e->marked++;
        check(dies, "a mark that nobody made");
        return;
    }
    while (e->next < end[!i].sent && !same(&e->came, &log_of[!i][e->next % SENT]))
        e->next++;
    check(e->next < end[!i].sent, "a packet that was never sent, or comes again");
    must(&wrong, dies || e->next == from, "packets %llu to %llu of end %u are missing",
         (unsigned long long)from, (unsigned long long)e->next - 1, !i);
    e->skipped += e->next++ - from;
    e->clean++;
}

static void take_beat(unsigned i)
{
    struct end *e = &end[i];
    const struct byte_beat b = e->dut.out.m_axis;
    e->in.m_axis.tready = often(take);
    if (!b.tvalid || !e->in.m_axis.tready)
        return;
    for (unsigned k = 0; k < 8 && (b.tkeep >> k & 1); k++)
        e->came.data[e->came.bytes++ % 128] = (uint8_t)(b.tdata >> 8 * k);
    e->came.vc = (unsigned)(b.tuser >> 1 & 7);
    e->came.user = (uint64_t)(b.tuser >> 4);
    e->came.bad |= b.tuser & 1;
    if (b.tlast) {
        arrived(i);
        e->came = (struct byte_packet){0};
    }
}

static void step(void)
{
    bool taken[2];
    for (unsigned i = 0; i < 2; i++) {
        offer_beat(&end[i]);
        take_beat(i);
        taken[i] = end[i].in.s_axis.tvalid && end[i].dut.out.s_axis.tready;
        end[i].in.now++;
        for (unsigned lane = 0; lane < LANES; lane++)
            end[i].in.rx_lane[lane] = end[!i].dut.out.tx_lane[lane];
    }
    for (unsigned i = 0; i < 2; i++) {
        lcb_bytes(&end[i].dut, &end[i].in);
        check(!end[i].dut.out.refused, "a packet is refused");
        if (taken[i] && end[i].in.s_axis.tlast)
            log_of[i][end[i].sent++ % SENT] = end[i].packet;
        end[i].in.s_axis.tvalid = end[i].in.s_axis.tvalid && !taken[i];
    }
    now++;
}

static void run(unsigned clocks)
{
    while (clocks-- > 0)
        step();
}

static bool runs(void)
{
    for (unsigned i = 0; i < UP; i++) {
        if (end[0].dut.out.state == LINK_RUN && end[1].dut.out.state == LINK_RUN)
            return true;
        step();
    }
    return false;
}

static void write_register(struct end *e, unsigned address, uint64_t data)
{
    e->in.s_axil = (struct axil_to_sub){.awaddr = (uint(19))address,
                                        .awvalid = 1,
                                        .wdata = data,
                                        .wstrb = 0xFF,
                                        .wvalid = 1,
                                        .bready = 1};
    for (unsigned i = 0;
         i < 50 && (e->in.s_axil.awvalid || e->in.s_axil.wvalid || !e->dut.out.s_axil.bvalid);
         i++) {
        const struct axil_from_sub before = e->dut.out.s_axil;
        step();
        e->in.s_axil.awvalid = e->in.s_axil.awvalid && !before.awready;
        e->in.s_axil.wvalid = e->in.s_axil.wvalid && !before.wready;
    }
    check(e->dut.out.s_axil.bvalid && e->dut.out.s_axil.bresp == 0, "a write is not answered OKAY");
    step();
}

static uint64_t read_register(struct end *e, unsigned address)
{
    e->in.s_axil = (struct axil_to_sub){.araddr = (uint(19))address, .arvalid = 1, .rready = 1};
    for (unsigned i = 0; i < 50 && !e->dut.out.s_axil.rvalid; i++) {
        const bool ready = e->dut.out.s_axil.arready;
        step();
        e->in.s_axil.arvalid = e->in.s_axil.arvalid && !ready;
    }
    check(e->dut.out.s_axil.rvalid && e->dut.out.s_axil.rresp == 0, "a read is not answered OKAY");
    const uint64_t data = e->dut.out.s_axil.rdata;
    step();
    return data;
}

static void reset(void)
{
    for (unsigned i = 0; i < 2; i++) {
        end[i] = (struct end){.in = {.rx_lane_valid = 7, .rx_lane_up = 7}};
        lcb_bytes_reset(&end[i].dut);
    }
    dies = false;
    longest = BYTE_MODEL_MOST;
    offer = take = 16;
}

/* Nothing more is offered: all that was sent comes out. */
static bool drained(void)
{
    while (end[0].beat != end[0].beats || end[1].beat != end[1].beats)
        step();
    offer = 0;
    take = 16;
    run(5000);
    return dies || (end[0].clean == end[1].sent && end[1].clean == end[0].sent);
}

static void streams(void)
{
    bool pass = true;
    uint64_t packets = 0;
    for (unsigned i = 0; i < 8; i++) {
        reset();
        longest = i % 2 ? 90 : 8 * i;
        offer = 16 >> i % 3;
        take = 16 >> i % 4;
        pass = runs() && pass;
        run(8000);
        pass = drained() && pass;
        packets += end[0].clean + end[1].clean;
    }
    tap_ok(misses_why(&wrong) && pass && packets > 5000,
           "%llu packets of 0 to 90 bytes, whole and in order", (unsigned long long)packets);
}

static void registers(void)
{
    reset();
    runs();
    offer = 4;
    const uint64_t status = read_register(&end[0], 8 * LCB_REG_STATUS);
    write_register(&end[0], 8 * LCB_REG_LIMITS, 0x12345678);
    tap_ok((status & 7) == LINK_RUN && read_register(&end[0], 8 * LCB_REG_LIMITS) == 0x12345678 &&
               read_register(&end[0], 8 * (LCB_REG_COUNTERS + COUNT_GOOD)) > 0 &&
               misses_why(&wrong),
           "registers beside traffic");
}

/* A kill in the middle of everything, then a restart: again and again. */
static void deaths(void)
{
    uint64_t lost = 0, cut = 0;
    bool pass = true;
    reset();
    dies = true;
    for (unsigned i = 0; i < 12; i++) {
        pass = runs() && pass;
        const uint64_t before = end[0].clean + end[1].clean;
        run(600 + rng_below(&r, 400));
        pass = pass && end[0].clean + end[1].clean > before + 20;
        write_register(&end[i % 2], CONTROL, 0x72);
        for (unsigned k = 0;
             k < 40000 && (end[0].dut.out.state != LINK_DEAD || end[1].dut.out.state != LINK_DEAD);
             k++)
            step();
        for (unsigned k = 0; k < 2; k++)
            write_register(&end[k], CONTROL, 0x71);
    }
    for (unsigned i = 0; i < 2; i++) {
        lost += end[i].skipped;
        cut += end[i].marked;
    }
    tap_ok(misses_why(&wrong) && pass && lost > 0 && cut > 0,
           "a link killed and restarted 12 times: %llu packets lost, %llu marked, none wrong",
           (unsigned long long)lost, (unsigned long long)cut);
}

static void rate(void)
{
    reset();
    runs();
    run(2000);
    const uint64_t before = end[0].clean;
    uint64_t bytes = 0;
    for (unsigned i = 0; i < 20000; i++) {
        step();
        const struct byte_beat *b = &end[0].dut.out.m_axis;
        bytes += b->tvalid && end[0].in.m_axis.tready ? (unsigned)__builtin_popcount(b->tkeep) : 0;
    }
    tap_note("%.2f bytes a clock of payload in packets of 0 to 90 bytes", (double)bytes / 20000);
    tap_ok(end[0].clean > before && bytes > 20000 * 4, "at least 4 bytes a clock");
}

int main(int argc, char **argv)
{
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    streams();
    registers();
    rate();
    deaths();
    return tap_done();
}
