// SPDX-License-Identifier: Apache-2.0
/*
 * test_block_crc.c - block_crc against the remainder of a long division, bit after bit, of a memory of the test's own.
 *
 * What must hold, from block_crc.h: an answer for each job, in order, with its tag; the CRC of the words as they were or as they are if one is
 * written meanwhile, and exactly so if none is; n + 1 clocks from a job to its answer; nothing of it changes when either end pauses or
 * the module is reset.
 *
 * Built for aries: san.
 */
#include "tb/base/harness.h"
#include "hls/example/block_crc.h"

#include <string.h>

enum { WORDS = 512, JOBS = 4 }; /* JOBS: under way at most, and one more that is offered */

struct bench {
    struct block_crc dut;
    uint32_t memory[WORDS];
    struct crc_job
        job[JOBS]; /* answered so far, taken so far; at `in` stands the one that is offered */
    unsigned out, in;
    bool offers;
    uint64_t begun; /* clock in which the last one was taken */
    unsigned answers;
    struct misses m;
};

static struct bench b;
static uint64_t now;

/* Division by x^32 + x^26 + ... + 1 with the highest power first: bits of a byte come lowest first, the remainder is turned round. */
static uint32_t remainder_of(unsigned first, unsigned words)
{
    uint32_t r = 0xffffffff, turned = 0;
    for (unsigned bit = 0; bit < 32 * words; bit++) {
        const uint32_t word = b.memory[(first + bit / 32) % WORDS];
        const bool out = r >> 31, in = word >> bit % 32 & 1;
        r = r << 1 ^ (out != in ? 0x04c11db7 : 0);
    }
    for (unsigned i = 0; i < 32; i++)
        turned |= (r >> i & 1) << (31 - i);
    return ~turned;
}

static void reset(void)
{
    block_crc_reset(&b.dut);
    b.offers = false;
    b.in = b.out = 0;
}

/* One clock: the job if one is offered, a sink that takes or not, a write or none. */
static void clock(bool takes, bool we, unsigned at, uint32_t data)
{
    const struct crc_answer_forward answer = b.dut.out.answer;
    struct block_crc_in in = {.job = crc_job_offer(b.job[b.in % JOBS]),
                              .answer.tready = takes,
                              .we = we,
                              .at = (u9)at,
                              .data = data};
    in.job.tvalid = b.offers;
    if (answer.tvalid && takes) {
        const struct crc_job job = b.job[b.out % JOBS];
        const unsigned words = 1 + (unsigned)job.rest;
        must(&b.m, b.in != b.out, "an answer to no job");
        must_equal(&b.m, (unsigned)answer.tag, (unsigned)job.tag, "tag");
        must_equal(&b.m, (uint32_t)answer.crc, remainder_of((unsigned)job.first, words),
                   "CRC of %u words", words);
        b.out++;
        b.answers++;
    }
    if (b.offers && b.dut.out.job.tready) {
        b.offers = false;
        b.in++;
        b.begun = now;
    }
    block_crc(&b.dut, &in);
    if (we)
        b.memory[at] = data;
    now++;
}

static void offer(unsigned first, unsigned words, unsigned tag)
{
    b.job[b.in % JOBS] =
        (struct crc_job){.first = (u9)first, .rest = (u9)(words - 1), .tag = (u4)tag};
    b.offers = true;
}

/* Whether a word is of a block that is offered or read. */
static bool in_use(unsigned at)
{
    for (unsigned i = b.out; i < b.in + b.offers; i++)
        if ((at - (unsigned)b.job[i % JOBS].first) % WORDS <= b.job[i % JOBS].rest)
            return true;
    return false;
}

/* The CRC-32 of "12345678" is known from elsewhere; so are the clocks. */
static void known(void)
{
    reset();
    clock(false, true, 510, 0x34333231);
    clock(false, true, 511, 0x38373635);
    offer(510, 2, 9);
    for (unsigned i = 0; i < 10 && !b.dut.out.answer.tvalid; i++)
        clock(false, false, 0, 0);
    must_equal(&b.m, (uint32_t)b.dut.out.answer.crc, 0x9ae0daaf, "CRC of 12345678");
    must_equal(&b.m, now - b.begun, 3, "clocks of two words");
    clock(true, false, 0, 0);
    offer(1, 512, 3); /* the whole memory, round its end */
    for (unsigned i = 0; i < 600 && b.answers < 2; i++)
        clock(true, false, 0, 0);
    must_equal(&b.m, b.answers, 2, "answers");
    tap_taken(&b.m, "a CRC that is known, the whole memory, clocks of a job");
}

/* Jobs of any length; an answer that waits while the next job runs; writes between jobs and outside of the block that is read. */
static void random_jobs(struct rng *r)
{
    enum { CLOCKS = 400000 };
    unsigned longest = 4, takes = 1;
    b.answers = 0;
    reset();
    for (unsigned i = 0; i < CLOCKS; i++) {
        const unsigned at = rng_below(r, WORDS);
        if (rng_below(r, 1000) == 0) {
            longest = 1 + rng_below(r, rng_below(r, 4) ? 8 : WORDS);
            takes = 1 + rng_below(r, rng_below(r, 2) ? 2 : 40);
        }
        if (!b.offers && rng_below(r, 4) == 0)
            offer(rng_below(r, WORDS), 1 + rng_below(r, longest), rng_below(r, 16));
        clock(rng_below(r, takes) == 0, rng_below(r, 2) && !in_use(at), at, (uint32_t)rng_next(r));
        if (rng_below(r, 5000) == 0)
            reset();
    }
    if (b.answers < 2000)
        miss(&b.m, "%u answers are too few", b.answers);
    tap_taken(&b.m, "%u jobs, writes, pauses and resets, %d clocks", b.answers, CLOCKS);
}

int main(int argc, char **argv)
{
    struct rng r;
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    known();
    random_jobs(&r);
    return tap_done();
}
