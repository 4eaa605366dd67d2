// SPDX-License-Identifier: Apache-2.0
/*
 * test_mean.c - mean against sums and quotients of its own: what goes in as frames comes out as their means, in order.
 *
 * What must hold, from mean.h: a word for each frame, with tlast, its value the mean rounded down; a sample a clock goes in while a frame
 * is added; a pause at either end, or a reset in any clock, changes no word of other frames.
 *
 * Built for aries: san.
 */
#include "tb/base/harness.h"
#include "hls/example/mean.h"

enum {
    WORDS = 64,
    DIVIDES = 34
}; /* answers under way at most; clocks that a frame of one sample may take at least */

struct bench {
    struct mean dut;
    uint64_t sum;
    unsigned samples; /* of the frame that goes in */
    unsigned words[WORDS], in, out;
    bool offers;
    struct sample next;
    struct misses m;
};

static struct bench b;
static uint64_t now;

static void reset(void)
{
    const struct misses kept = b.m;
    mean_reset(&b.dut);
    b = (struct bench){.dut = b.dut, .m = kept};
}

/* One clock: a source that offers `next` or nothing, a sink that takes. Returns whether the sample went in. */
static bool clock(bool takes)
{
    const bool goes = b.offers && b.dut.out.s_axis.tready;
    const struct sample_forward came = b.dut.out.m_axis;
    struct mean_in in = {.s_axis = sample_offer(b.next), .m_axis.tready = takes};
    in.s_axis.tvalid = b.offers;
    if (came.tvalid && takes) {
        must(&b.m, b.out != b.in && came.tlast, "a word for no frame");
        must_equal(&b.m, (unsigned)came.tdata, b.words[b.out % WORDS], "mean of frame %u", b.out);
        b.out++;
    }
    if (goes) {
        b.sum += (unsigned)b.next.tdata;
        b.samples++;
        if (b.next.tlast) {
            b.words[b.in++ % WORDS] = (unsigned)(b.sum / b.samples);
            b.sum = b.samples = 0;
        }
        b.offers = false;
    }
    mean(&b.dut, &in);
    now++;
    return goes;
}

/* A frame without pauses goes in at a sample a clock; its mean comes within the clocks of a division. */
static void frame(unsigned samples, unsigned value)
{
    const uint64_t begun = now;
    reset();
    for (unsigned i = 0; i < samples;) {
        b.offers = true;
        b.next = (struct sample){.tdata = (u16)value, .tlast = i == samples - 1};
        i += clock(true);
    }
    must_at_most(&b.m, now - begun, samples, "clocks for %u samples", samples);
    for (unsigned i = 0; i < DIVIDES + 4; i++)
        clock(true);
    must_equal(&b.m, b.out, 1, "words of a frame of %u", samples);
}

static void frames_that_are_long(void)
{
    frame(1, 0xffff);
    frame(600, 1000);
    frame(65536, 0xffff);
    tap_misses(&b.m, "frames of 1, 600 and 65,536 samples, a sample a clock");
    b.m = (struct misses){0};
}

/* Frames of random lengths, ends that pause by habits that change, a reset in any clock. */
static void random_frames(struct rng *r)
{
    enum { CLOCKS = 600000 };
    unsigned gives = 1, takes = 1, longest = 1, words = 0;
    reset();
    for (unsigned i = 0; i < CLOCKS; i++) {
        const unsigned out = b.out;
        if (rng_below(r, 2000) == 0) {
            gives = 1 + rng_below(r, 4);
            takes = 1 + rng_below(r, rng_below(r, 2) ? 4 : 60);
            longest = 1 + rng_below(r, 30);
        }
        if (!b.offers && rng_below(r, gives) == 0) {
            b.offers = true;
            b.next =
                (struct sample){.tdata = (u16)rng_next(r), .tlast = rng_below(r, longest) == 0};
        }
        clock(rng_below(r, takes) == 0);
        words += b.out - out;
        if (rng_below(r, 3000) == 0)
            reset();
    }
    if (words < 5000)
        miss(&b.m, "%u words are too few", words);
    tap_misses(&b.m, "random frames, pauses and resets, %d clocks", CLOCKS);
}

int main(int argc, char **argv)
{
    struct rng r;
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    frames_that_are_long();
    random_frames(&r);
    return tap_done();
}
