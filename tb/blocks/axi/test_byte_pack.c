// SPDX-License-Identifier: Apache-2.0
/*
 * test_byte_pack.c - byte_pack: packets in, the flits of the picture in hls/axi/bytes.h out; what is no packet is refused
 * and changes nothing of its neighbours.
 *
 * Built for aries: san. Recorded for byte_pack.
 */
#include "tb/blocks/axi/byte_model.h"
#include "axi/byte_pack.h"

enum { CLOCKS = 300000, WAITING = 4096 };

static struct byte_pack dut;
static struct rng r;
static uint64_t now, packets, refusals;
static struct misses wrong;
static unsigned offer, take; /* of 16 clocks */

/* The packet that is offered, and what is wrong with it. */
static struct byte_packet sent;
static unsigned beat, beats;
static enum { GOOD, TOO_LONG, HOLE, SHORT_BEAT } kind;
static bool empty_end, marked;
static struct byte_beat offered;

/* Flits that must come, in a ring. */
static struct {
    uint64_t flit;
    bool last, bad;
} want[WAITING];
static unsigned wanted, got;

static void check(bool pass, const char *what)
{
    must(&wrong, pass, "%s", what);
}

static bool often(unsigned in_16)
{
    return rng_below(&r, 16) < in_16;
}

static void new_packet(void)
{
    const unsigned draw = rng_below(&r, 32);
    kind = draw == 0 ? TOO_LONG : draw == 1 ? HOLE : draw == 2 ? SHORT_BEAT : GOOD;
    sent = byte_packet_random(&r, kind == SHORT_BEAT ? 40 : BYTE_MODEL_MOST);
    if (kind == TOO_LONG || (kind == SHORT_BEAT && sent.bytes < 9))
        sent.bytes = kind == TOO_LONG ? 91 + rng_below(&r, 30) : 17;
    beats = byte_packet_beats(&sent);
    empty_end = kind == GOOD && sent.bytes % 8 == 0 && sent.bytes && often(4);
    beats += empty_end;
    beat = 0;
    marked = false;
}

/* Bytes from 0 on, but for what is wrong with the packet. */
static u8 keep_for(unsigned bytes)
{
    const unsigned keep = (1u << bytes) - 1;
    if (kind == HOLE && beat + 1 == beats)
        return (u8)(keep == 0 || often(8) ? 0x82 : (keep << 1) & 0xFF);
    if (kind == SHORT_BEAT && beat == 0)
        return 0x7F;
    return (u8)keep;
}

static void next_beat(void)
{
    unsigned bytes = 0;
    uint64_t data = 0;
    if (beat == beats)
        new_packet();
    if (!(empty_end && beat + 1 == beats))
        data = byte_packet_beat(&sent, beat, &bytes);
    const bool bad = often(1) && often(4);
    marked |= bad;
    offered = (struct byte_beat){
        .tvalid = 1,
        .tkeep = keep_for(bytes),
        .tlast = beat + 1 == beats,
        .tdata = bytes < 8 ? data | rng_next(&r) << 8 * bytes : data,
    };
    offered.tuser = beat == 0 ? (byte_tuser)((byte_tuser)sent.user << 4 | sent.vc << 1)
                              : (byte_tuser)(rng_next(&r) & ~UINT64_C(1));
    offered.tuser |= bad;
    beat++;
}

/* The last beat was taken: what must come of it. */
static void expect(void)
{
    uint64_t flit[BYTE_MODEL_FLITS];
    if (kind != GOOD)
        return;
    const unsigned n = byte_packet_flits(&sent, flit);
    for (unsigned i = 0; i < n; i++) {
        want[wanted % WAITING].flit = flit[i];
        want[wanted % WAITING].last = i + 1 == n;
        want[wanted++ % WAITING].bad = marked;
    }
    packets++;
}

static bool same(const struct axis_beat *a, const struct axis_beat *b)
{
    return a->tvalid == b->tvalid && a->tdata == b->tdata && a->tlast == b->tlast &&
           a->tuser == b->tuser;
}

static void arrived(const struct axis_beat *f)
{
    check(got != wanted, "a flit of no packet");
    check((uint64_t)f->tdata == want[got % WAITING].flit, "flit");
    check(f->tlast == want[got % WAITING].last, "tlast");
    check(f->tuser == want[got % WAITING].bad, "mark");
    got++;
}

static void step(void)
{
    const struct byte_pack_out before = dut.out;
    if (!offered.tvalid && often(offer))
        next_beat();
    const struct byte_pack_in in = {.s_axis = offered, .flits = {.tready = often(take)}};
    const bool taken = offered.tvalid && before.s_axis.tready;
    const bool ended = taken && offered.tlast;
    if (before.flits.tvalid && in.flits.tready)
        arrived(&before.flits);
    byte_pack(&dut, &in);
    now++;
    if (before.flits.tvalid && !in.flits.tready)
        check(same(&before.flits, &dut.out.flits), "a flit changes");
    check(dut.out.refused == (ended && kind != GOOD), "refused");
    refusals += dut.out.refused;
    if (ended)
        expect();
    offered.tvalid = offered.tvalid && !taken;
}

static void run(unsigned clocks, unsigned offers, unsigned takes)
{
    offer = offers;
    take = takes;
    for (unsigned i = 0; i < clocks; i++)
        step();
}

static void reset(void)
{
    byte_pack_reset(&dut);
    offered = (struct byte_beat){0};
    beat = beats = wanted = got = 0;
}

int main(int argc, char **argv)
{
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    for (unsigned life = 0; life < 15; life++) {
        reset();
        run(CLOCKS / 15, 16 >> life % 3, 16 >> life % 5);
        run(1000, 0, 16);
        run(1, 16, 16);
        check(wanted - got < 20, "flits are missing");
    }
    /* holds lcb_bytes.packets */
    tap_misses(&wrong, "packets of 0 to 90 bytes become their flits, marks and all");
    /* holds lcb_bytes.refused */
    tap_ok(packets > 5000 && refusals > 500, "%llu packets, %llu refused",
           (unsigned long long)packets, (unsigned long long)refusals);
    reset();
    run(2000, 16, 16);
    const unsigned from = got;
    run(10000, 16, 16);
    tap_note("%.3f flits per clock", (got - from) / 10000.0);
    /* holds lcb_bytes.rate */
    tap_ok(got - from > 9300, "a flit a clock, whatever the lengths");
    tap_ok(harness_covers("hls/axi/byte_pack.c") == 2, "all covers are hit");
    return tap_done();
}
