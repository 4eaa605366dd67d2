// SPDX-License-Identifier: Apache-2.0
/*
 * test_spi.c - spi in front of a peripheral, which sees its wires alone.
 *
 * The peripheral shifts a byte of its own out while one comes in, at the edges of sclk. What it got and gave is compared with what the
 * streams carried; how long each half lasted with the numbers that were asked for when it began.
 *
 * Built for aries: san. Recorded for spi.
 */
#include "hls/example/spi.h"
#include "tb/base/harness.h"

enum { CLOCKS = 400000, MOST_HALF = 6 };

static struct spi dut;
static struct spi_in in;
static uint64_t now;

/* ---- the peripheral ----------------------------------------------------------------------------------- */

struct peripheral {
    bool cs, sclk, mosi;
    unsigned bits, got, gives; /* of this byte: edges, what came, what goes */
    bool whole;                /* a byte is complete */
    uint64_t edge;             /* the clock in which a half began */
    unsigned half;             /* that was asked for then */
    bool last, ended, fell;    /* of the byte; the byte said so and is taken; cs has fallen since */
};

static struct peripheral its;
static struct misses wrong;
static unsigned frames, states; /* in which it was reset, as bits */

/* Behind a clock that asked for `half`: what the wires do now; `sends`: a byte has begun. */
static void watch(struct rng *r, unsigned half, bool sends)
{
    const bool rises = dut.out.sclk && !its.sclk, falls = !dut.out.sclk && its.sclk;
    const bool begins = dut.out.cs && !its.cs, ends = !dut.out.cs && its.cs;
    its.whole = false;
    must(&wrong, !dut.out.sclk || dut.out.mosi == its.mosi || rises,
         "mosi changes while sclk is 1");
    if (begins)
        must(&wrong, now - its.edge > its.half, "a byte within a half of the fall of cs");
    if (rises) {
        must(&wrong, dut.out.cs, "sclk rises, and nothing is selected");
        must_equal(&wrong, now - its.edge, its.half + 1, "clocks of a low half");
        its.got = (its.got << 1 | dut.out.mosi) & 255;
        its.bits++;
    }
    if (falls) {
        must_equal(&wrong, now - its.edge, its.half + 1, "clocks of a high half");
        its.whole = its.bits == 8;
        its.bits %= 8;
    }
    if (ends)
        must(&wrong, its.ended && its.bits == 0, "cs falls in the middle of a frame");
    if (rises || falls || sends || ends) {
        its.edge = now;
        its.half = half;
    }
    if (falls || begins)
        its.gives = falls && !its.whole ? its.gives << 1 & 255 : (unsigned)rng_below(r, 256);
    frames += ends;
    its.cs = dut.out.cs, its.sclk = dut.out.sclk, its.mosi = dut.out.mosi;
}

/* ---- the streams ---------------------------------------------------------------------------------------- */

struct habits {
    unsigned send, take, last; /* one of so many clocks; one of so many bytes */
};

static uint64_t bytes;

/* One clock. */
static void clock(struct rng *r, const struct habits *h)
{
    static unsigned sent, came; /* the byte under way; what the peripheral gave for it */
    if (!in.send.tvalid && rng_below(r, h->send) == 0)
        in.send = (struct spi_send_forward){
            .tvalid = 1, .tdata = (u8)rng_below(r, 256), .tlast = rng_below(r, h->last) == 0};
    in.back.tready = rng_below(r, h->take) == 0;
    in.half = (u8)rng_below(r, MOST_HALF);
    in.miso = its.gives >> 7 & 1;
    const bool sends = in.send.tvalid && dut.out.send.tready;
    const bool takes = dut.out.back.tvalid && in.back.tready;
    if (takes) {
        must_equal(&wrong, dut.out.back.tdata, came, "the byte that came back");
        its.ended = its.last;
        bytes++;
    }
    if (sends) {
        must(&wrong, !dut.out.back.tvalid, "a byte is taken before the last one came back");
        sent = in.send.tdata;
        its.last = in.send.tlast;
        its.ended = false;
        came = 0;
    }
    const bool samples = !its.sclk;
    spi(&dut, &in);
    now++;
    if (dut.out.sclk && samples)
        came = (came << 1 | in.miso) & 255;
    watch(r, in.half, sends);
    if (its.whole)
        must_equal(&wrong, its.got, sent, "the byte that the peripheral got");
    if (sends)
        in.send.tvalid = 0;
}

static void reset(void)
{
    states |= 1u << dut.at;
    spi_reset(&dut);
    in.send.tvalid = 0;
    its = (struct peripheral){.edge = now - MOST_HALF - 1};
}

static uint64_t run(struct rng *r, struct habits h, unsigned clocks)
{
    const uint64_t before = bytes;
    reset();
    for (unsigned i = 0; i < clocks; i++)
        clock(r, &h);
    return bytes - before;
}

/* As fast as it goes: 16 halves, a clock to take the byte that came back and one to begin. */
static void at_full_rate(void)
{
    static const u8 halves[] = {0, 1, 7, 255};
    for (unsigned i = 0; i < sizeof halves; i++) {
        const unsigned each = 16 * (halves[i] + 1u) + 2;
        unsigned came = 0;
        spi_reset(&dut);
        in = (struct spi_in){
            .half = halves[i], .send = {.tvalid = 1, .tdata = 0xa5}, .back.tready = 1};
        for (unsigned k = 0; k < 10 * each; k++) {
            came += dut.out.back.tvalid;
            spi(&dut, &in);
            now++;
        }
        came += dut.out.back.tvalid;
        tap_why("%u bytes", came);
        tap_ok(came == 10, "halves of %u clocks: a byte in %u", halves[i] + 1u, each);
    }
    in = (struct spi_in){0};
}

int main(int argc, char **argv)
{
    struct rng r;
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    at_full_rate();
    const uint64_t fast = run(&r, (struct habits){1, 1, 3}, CLOCKS);
    const uint64_t slow = run(&r, (struct habits){80, 40, 2}, CLOCKS);
    for (unsigned i = 0; i < 200; i++) /* reset at any moment */
        run(&r, (struct habits){2, 2, 2}, 1 + (unsigned)rng_below(&r, 300));
    tap_ok(states == 31, "reset in each of the five states");
    tap_note("%llu bytes one behind the other, %llu with pauses, %u frames",
             (unsigned long long)fast, (unsigned long long)slow, frames);
    tap_ok(fast > CLOCKS / 100 && slow > CLOCKS / 300 && frames > 1000, "bytes go and come");
    tap_misses(&wrong, "a peripheral gets each byte and gives one, halves last as long as asked");
    return tap_done();
}
