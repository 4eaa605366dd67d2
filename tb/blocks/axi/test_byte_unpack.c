// SPDX-License-Identifier: Apache-2.0
/*
 * test_byte_unpack.c - byte_unpack: flits of packets in, their bytes out; where head and flits do not agree all flits count
 * and the packet is marked.
 *
 * Built for aries: san. Recorded for byte_unpack.
 */
#include "tb/blocks/axi/byte_model.h"
#include "axi/byte_unpack.h"

enum { CLOCKS = 300000, WAITING = 64 };

static struct byte_unpack dut;
static struct rng r;
static uint64_t now, packets, misfits;
static struct misses wrong;

/* The packet on the way in. */
static struct byte_packet sent;
static uint64_t flit[BYTE_MODEL_FLITS];
static unsigned at, flits;
static struct axis_beat_marked offered;

/* Packets that must come out, in a ring, and how far the first of them has come. */
static struct byte_packet want[WAITING];
static unsigned wanted, got, beat;

static void check(bool pass, const char *what)
{
    must(&wrong, pass, "%s", what);
}

static bool often(unsigned in_16)
{
    return rng_below(&r, 16) < in_16;
}

/* Head and flits of different lengths: the bytes are those of all flits. */
static void make_misfit(void)
{
    const unsigned n = 1 + rng_below(&r, 16), says = rng_below(&r, 128);
    if (says <= 6 * (n - 1) && says + 6 > 6 * (n - 1))
        return; /* it fits after all */
    sent.bytes = 6 * (n - 1);
    flits = byte_packet_flits(&sent, flit);
    flit[0] = (flit[0] & ~UINT64_C(127)) | says;
    sent.bad = true;
    misfits++;
}

static void new_packet(void)
{
    sent = byte_packet_random(&r, BYTE_MODEL_MOST);
    flits = byte_packet_flits(&sent, flit);
    if (often(2))
        make_misfit();
    at = 0;
    packets++;
}

static void next_flit(void)
{
    if (at == flits) {
        new_packet();
        want[wanted % WAITING] = sent;
    }
    const bool bad = often(1) && often(3);
    want[wanted % WAITING].bad |= bad;
    offered = (struct axis_beat_marked){.tvalid = 1,
                                        .tdata = (u48)flit[at],
                                        .tid = (u3)sent.vc,
                                        .tlast = at + 1 == flits,
                                        .tuser = bad};
    at++;
}

static bool same(const struct byte_beat *a, const struct byte_beat *b)
{
    return a->tvalid == b->tvalid && a->tdata == b->tdata && a->tkeep == b->tkeep &&
           a->tlast == b->tlast && a->tuser == b->tuser;
}

static void arrived(const struct byte_beat *b)
{
    const struct byte_packet *p = &want[got % WAITING];
    unsigned bytes;
    const uint64_t data = byte_packet_beat(p, beat, &bytes);
    const u8 keep = (u8)((1u << bytes) - 1);
    const uint64_t mask = bytes < 8 ? (UINT64_C(1) << 8 * bytes) - 1 : UINT64_MAX;
    check(got != wanted || at != 0, "a beat of no packet");
    check(b->tkeep == keep, "tkeep");
    check((b->tdata & mask) == data, "tdata");
    check(b->tlast == (beat + 1 == byte_packet_beats(p)), "tlast");
    check((uint64_t)(b->tuser >> 4) == p->user && (u3)(b->tuser >> 1) == p->vc, "tuser");
    check(!b->tlast || (u1)b->tuser == p->bad, "mark");
    beat = b->tlast ? 0 : beat + 1;
    got += b->tlast;
}

static void step(unsigned offer, unsigned take)
{
    const struct byte_unpack_out before = dut.out;
    if (!offered.tvalid && often(offer))
        next_flit();
    const struct byte_unpack_in in = {.flits = offered, .m_axis = {.tready = often(take)}};
    const bool taken = offered.tvalid && unpack_takes(&before, in.m_axis);
    if (before.m_axis.tvalid && in.m_axis.tready)
        arrived(&before.m_axis);
    byte_unpack(&dut, &in);
    now++;
    if (before.m_axis.tvalid && !in.m_axis.tready)
        check(same(&before.m_axis, &dut.out.m_axis), "a beat changes");
    wanted += taken && offered.tlast;
    offered.tvalid = offered.tvalid && !taken;
}

int main(int argc, char **argv)
{
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    for (unsigned life = 0; life < 15; life++) {
        byte_unpack_reset(&dut);
        offered = (struct axis_beat_marked){0};
        at = flits = wanted = got = beat = 0;
        for (unsigned i = 0; i < CLOCKS / 15; i++)
            step(16 >> life % 3, 16 >> life % 5);
        for (unsigned i = 0; i < 50; i++)
            step(0, 16);
        check(got == wanted, "packets are missing");
    }
    /* holds lcb_bytes.tuser */
    tap_misses(&wrong, "flits become the bytes of their packets, marks and all");
    tap_ok(packets > 5000 && misfits > 500, "%llu packets, %llu whose head and flits do not agree",
           (unsigned long long)packets, (unsigned long long)misfits);
    tap_ok(harness_covers("hls/axi/byte_unpack.c") == 1, "all covers are hit");
    return tap_done();
}
