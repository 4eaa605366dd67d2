// SPDX-License-Identifier: Apache-2.0
/*
 * test_lanes.c - lanes in front of a memory, against copies made by a plain loop.
 *
 * Words come from the lower half of the memory, and each lane writes into an area of its own in the upper half. What the golden
 * model knows of a lane is its job and how many of its words were read, answered and written.
 *
 * Built for aries: san. Recorded for lanes.
 */
#include <string.h>

#include "hls/example/lanes.h"
#include "tb/base/harness.h"

enum { AREA = 8192, UPPER = 32768, MOST_WORDS = 40 };

/* One of so many clocks; 0: none. */
struct habits {
    unsigned job, read_ready, write_ready, stop, go_on, answer;
};

struct golden {
    bool busy, answers; /* a read is taken and not answered */
    unsigned from, to, words, read, written;
    uint32_t data; /* of the last answer */
};

static struct lanes dut;
static struct lanes_in in;
static struct golden golden[LANES];
static struct misses wrong;
static uint32_t memory[2 * UPPER];
static uint64_t now, copied[LANES], finished[LANES], zero_jobs;
static unsigned last_writes[LANES]; /* lanes, latest first */

static bool one_of(struct rng *r, unsigned many)
{
    return many > 0 && rng_below(r, many) == 0;
}

static void reset(struct rng *r)
{
    lanes_reset(&dut);
    in = (struct lanes_in){0};
    memset(golden, 0, sizeof golden);
    for (unsigned i = 0; i < UPPER; i++)
        memory[i] = (uint32_t)rng_next(r);
    memset(memory + UPPER, 0, UPPER * sizeof *memory);
    now++;
}

/* Offers a job to a lane that has none. */
static void offer(struct rng *r, unsigned lane, unsigned words)
{
    in.job = (struct lanes_job){.tvalid = (u4)(1u << lane)};
    in.job.from = (u16)rng_below(r, UPPER - words);
    in.job.to = (u16)(UPPER + AREA * lane + rng_below(r, AREA - words));
    in.job.words = (u16)words;
}

static void read_taken(const struct lanes_read_forward *read)
{
    struct golden *g = &golden[read->lane];
    must(&wrong, g->busy && !g->answers && g->read == g->written, "lane %u reads ahead",
         (unsigned)read->lane);
    must_equal(&wrong, read->address, g->from + g->read, "read of lane %u", (unsigned)read->lane);
    g->read++;
    g->answers = true;
}

static void write_taken(const struct lanes_write_forward *write)
{
    struct golden *g = &golden[write->lane];
    must(&wrong, g->busy && !g->answers && g->read == g->written + 1, "lane %u writes unasked",
         (unsigned)write->lane);
    must_equal(&wrong, write->address, g->to + g->written, "write of lane %u",
               (unsigned)write->lane);
    must_equal(&wrong, write->data, g->data, "data of lane %u", (unsigned)write->lane);
    memory[write->address] = (uint32_t)write->data;
    g->written++;
    copied[write->lane]++;
    memmove(last_writes + 1, last_writes, sizeof last_writes - sizeof *last_writes);
    last_writes[0] = write->lane;
}

static void answer(struct rng *r, unsigned many)
{
    const unsigned first = rng_below(r, LANES);
    in.word = (struct lanes_word){0};
    for (unsigned k = 0; k < LANES && !in.word.tvalid; k++) {
        struct golden *g = &golden[(first + k) % LANES];
        if (!g->answers || !one_of(r, many))
            continue;
        g->data = memory[g->from + g->read - 1];
        in.word = (struct lanes_word){1, (u2)(first + k), g->data};
        g->answers = false;
    }
}

/* A lane is ready for a job again behind its last write, and then all words are where they belong. */
static void jobs_end(u4 ready_before)
{
    for (unsigned i = 0; i < LANES; i++) {
        struct golden *g = &golden[i];
        const bool taken = in.job.tvalid >> i & ready_before >> i & 1;
        if (taken) {
            *g = (struct golden){true, false, in.job.from, in.job.to, in.job.words, 0, 0, 0};
            zero_jobs += g->words == 0;
        }
        const bool over = g->busy && (dut.out.job_tready >> i & 1);
        for (unsigned k = 0; over && k < g->words; k++)
            must_equal(&wrong, memory[g->to + k], memory[g->from + k], "word %u of lane %u", k, i);
        must(&wrong, !over || g->written == g->words, "lane %u ends early", i);
        g->busy &= !over;
        finished[i] += over;
        must_equal(&wrong, dut.out.job_tready >> i & 1, !g->busy, "lane %u is ready", i);
    }
    in.job.tvalid &= (u4)~ready_before;
}

static void clock(struct rng *r, const struct habits *h)
{
    const struct lanes_out before = dut.out;
    const unsigned lane = rng_below(r, LANES);
    if (!in.job.tvalid && (before.job_tready >> lane & 1) && one_of(r, h->job))
        offer(r, lane, rng_below(r, MOST_WORDS + 1));
    in.stop |= one_of(r, h->stop) ? (u4)(1u << rng_below(r, LANES)) : 0;
    in.stop &= one_of(r, h->go_on) ? (u4) ~(1u << rng_below(r, LANES)) : 15;
    in.read.tready = one_of(r, h->read_ready);
    in.write.tready = one_of(r, h->write_ready);
    answer(r, h->answer);
    if (before.read.tvalid && in.read.tready)
        read_taken(&before.read);
    if (before.write.tvalid && in.write.tready)
        write_taken(&before.write);
    lanes(&dut, &in);
    jobs_end(before.job_tready);
    now++;
}

/* All lanes get a job of so many words; as many clocks as that takes. */
static void start_all(struct rng *r, unsigned words)
{
    reset(r);
    for (unsigned i = 0; i < LANES; i++) {
        offer(r, i, words);
        clock(r, &(struct habits){0});
    }
}

/* ---- tests ------------------------------------------------------------------------------------------- */

/* Each lane is stopped in each of 40 clocks: the others end in their time, and it does when it goes on. */
static void one_stopped(struct rng *r)
{
    static const struct habits quick = {.read_ready = 1, .write_ready = 1, .answer = 1};
    unsigned late = 0, early = 0, left = 0;
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned at = 0; at < 40; at++) {
            start_all(r, 16);
            for (unsigned i = 0; i < at; i++)
                clock(r, &quick);
            in.stop = (u4)(1u << lane);
            for (unsigned i = 0; i < 16 * (LANES + 2); i++)
                clock(r, &quick);
            late += (dut.out.job_tready | in.stop) != 15;
            early += (dut.out.job_tready & in.stop) != 0;
            in.stop = 0;
            for (unsigned i = 0; i < 16 * (LANES + 2); i++)
                clock(r, &quick);
            left += dut.out.job_tready != 15;
        }
    tap_why("%u times others are late, %u times the stopped one ends, %u times not later", late,
            early, left);
    tap_ok(late == 0 && early == 0 && left == 0, "a lane that is stopped stops no other");
}

/* The writes are slow, so all lanes always want to write: each in its turn. */
static void in_turn(struct rng *r)
{
    static const struct habits slow = {.read_ready = 1, .write_ready = 12, .answer = 1};
    unsigned turns = 0, others = 0;
    start_all(r, 200);
    for (uint64_t before = 0, writes = 0; writes < 700;) {
        clock(r, &slow);
        writes = golden[0].written + golden[1].written + golden[2].written + golden[3].written;
        unsigned lanes_seen = 0;
        for (unsigned i = 0; i < LANES; i++)
            lanes_seen |= 1u << last_writes[i];
        turns += writes != before && writes > 2 * LANES;
        others += writes != before && writes > 2 * LANES && lanes_seen != 15;
        before = writes;
    }
    tap_why("%u of %u", others, turns);
    tap_ok(turns > 600 && others == 0,
           "four writes in a row are of four lanes, all of which want to write");
}

static void random_copies(struct rng *r, uint64_t operations)
{
    static const struct habits habit[] = {
        {.job = 1, .read_ready = 1, .write_ready = 1, .answer = 1},
        {.job = 3, .read_ready = 2, .write_ready = 2, .answer = 8, .stop = 30, .go_on = 20},
        {.job = 1, .read_ready = 4, .write_ready = 1, .answer = 1, .stop = 100, .go_on = 5},
        {.job = 20, .read_ready = 1, .write_ready = 3, .answer = 3, .stop = 7, .go_on = 3},
    };
    for (unsigned i = 0; i < sizeof habit / sizeof *habit; i++) {
        uint64_t before = copied[0] + copied[1] + copied[2] + copied[3];
        reset(r);
        while (copied[0] + copied[1] + copied[2] + copied[3] - before < operations / 4 &&
               !wrong.count)
            clock(r, &habit[i]);
    }
}

int main(int argc, char **argv)
{
    struct rng r;
    uint64_t seed, operations = 20000;
    test_options(argc, argv, &seed,
                 args_number("--operations", &operations, 1, UINT64_MAX, "words"));
    rng_seed(&r, seed);
    harness_clock = &now;
    one_stopped(&r);
    in_turn(&r);
    random_copies(&r, operations);
    tap_ok(finished[0] && finished[1] && finished[2] && finished[3] && zero_jobs,
           "jobs of all lanes, some of no word");
    tap_misses(&wrong, "all reads and writes are those of plain loops");
    return tap_done();
}
