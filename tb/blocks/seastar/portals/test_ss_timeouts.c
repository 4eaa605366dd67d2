// SPDX-License-Identifier: Apache-2.0
/*
 * test_ss_timeouts.c - acks and replies that never come: their operations end with TIMEOUT between one and two times GET_TIMEOUT, once; what comes later is late;
 * tags rest and are free again; answers that come in time are not touched. RELEASE ends what is no longer waited for, without an event.
 *
 * Built for seastar2: fast.
 */
#include <inttypes.h>

#include "tb/base/harness.h"
#include "tb/blocks/seastar/portals/ss_engine_bench.h"

enum {
    PID = 7,
    USER = 0x5678,
    JOB = 0x1234,
    NODE = 9, /* the target's */
    TIMEOUT = 6400,
    SLACK = 200, /* clocks: a 64th of it, and the engine's */
    BYTES = 100,
    PUT = 4,
    GET = 5,
    FAILED = 3,
};

static struct ss_engine_bench b;
static uint64_t handle;

static bool make_descriptor(unsigned index)
{
    const uint64_t md[7] = {index | (uint64_t)1 << 33, 0x4000, 0, 0xFFFFFFFF};
    const unsigned status = bench_local(&b, SS_OP_MD, md, BYTES);
    handle = b.told.word[1];
    return status == 0;
}

/* A PUT with an ack, or a GET; its tag. */
static uint64_t operate(unsigned op)
{
    struct ss_send_push sent = {0};
    b.in.command[0] = (struct ss_command){
        .valid = 1,
        .word = {handle | (uint64_t)PID << 16 | (uint64_t)NODE << 32 | (uint64_t)(op == PUT) << 56,
                 0x77, 0, 0, 0, 0, 0, (uint64_t)op << 56 | BYTES}};
    for (unsigned n = 0; n < BENCH_LIMIT && b.in.command[0].valid; n++)
        bench_step(&b);
    for (unsigned n = 0; n < 20 && !bench_sent(&b, &sent); n++)
        bench_step(&b);
    return sent.header[0] >> 48;
}

/* The message has left. */
static void leave(uint64_t tag)
{
    b.in.left[0] = (struct ss_left){
        .valid = 1, .teller = SS_TELLS_PENDING, .who = (u16)(tag & (SS_PENDINGS - 1))};
    for (unsigned n = 0; n < BENCH_LIMIT && b.in.left[0].valid; n++) {
        const bool taken = b.engine.out.left_taken & 1;
        bench_step(&b);
        if (taken || b.engine.out.left_taken & 1)
            b.in.left[0].valid = 0;
    }
    bench_settle(&b);
}

/* Whether an ack, or a reply of no data, is taken. */
static bool answered(unsigned kind, uint64_t tag)
{
    const struct ss_ask ask = {.class = 1,
                               .whole = 1,
                               .node = NODE,
                               .flit = {kind | (uint64_t)PID << 16 | tag << 48, 0x77, BYTES, 0}};
    const unsigned before = b.written;
    const struct ss_decision d = bench_ask(&b, &ask);
    bench_settle(&b);
    return d.takes || b.written != before;
}

/* The next event is of this type and code. */
static bool next_is(unsigned type, unsigned fail)
{
    uint64_t w[8];
    return bench_event(&b, w) && (w[0] & 15) == type && (w[0] >> 4 & 15) == fail;
}

/* Clocks until another event is written, at most `limit`. */
static uint64_t wait_event(uint64_t limit)
{
    const uint64_t from = b.clock;
    const unsigned before = b.written;
    while (b.written == before && b.clock < from + limit)
        bench_step(&b);
    return b.clock - from;
}

static void test_one(unsigned op, unsigned seed_shift)
{
    for (unsigned n = 0; n < seed_shift; n++)
        bench_step(&b);
    const uint64_t tag = operate(op);
    bool told = true;
    if (op == PUT) {
        told = next_is(SS_EVENT_SEND, 0) || (bench_settle(&b), next_is(SS_EVENT_SEND, 0));
        leave(tag);
        told = told && next_is(SS_EVENT_SEND + 1, 0);
    }
    const uint64_t took = wait_event(3 * TIMEOUT);
    const unsigned type = op == PUT ? SS_EVENT_ACK : SS_EVENT_REPLY + 1;
    bench_settle(&b);
    /* holds ss_engine.timeout */
    tap_ok(told && took + SLACK >= TIMEOUT && took <= 2 * TIMEOUT + SLACK && next_is(type, FAILED),
           "%s: nothing comes: TIMEOUT after %" PRIu64 " of %d to %d clocks",
           op == PUT ? "put with ack" : "get", took, TIMEOUT, 2 * TIMEOUT);
    tap_ok(!answered(op == PUT ? SS_ACK : SS_REPLY, tag) && wait_event(3 * TIMEOUT) == 3 * TIMEOUT,
           "what comes later is late, and nothing else is told");
}

/* Answers in time, one clock before the pending could be too old at the earliest. */
static void test_in_time(void)
{
    unsigned wrong = 0;
    for (unsigned n = 0; n < 20; n++) {
        uint64_t w[8];
        const uint64_t tag = operate(PUT);
        leave(tag);
        for (unsigned t = 0; t + SLACK < TIMEOUT * (n % 4 + 1) / 4; t++)
            bench_step(&b);
        wrong += !answered(SS_ACK, tag);
        bench_settle(&b);
        wrong += !next_is(SS_EVENT_SEND, 0) || !next_is(SS_EVENT_SEND + 1, 0) ||
                 !next_is(SS_EVENT_ACK, 0) || bench_event(&b, w);
    }
    tap_equal(wrong, 0, "answers in time: 20 acks, each told once");
}

static unsigned release(uint64_t tag)
{
    const uint64_t word[7] = {tag};
    return bench_local(&b, SS_OP_RELEASE, word, 0);
}

/* RELEASE: not of a put that has not left; then once, without an event, and its answer is late. */
static void test_release(void)
{
    uint64_t w[8];
    const uint64_t tags[2] = {operate(PUT), operate(GET)};
    const uint64_t unlink[7] = {handle | 1 << 16};
    const bool early = release(tags[0]) == SS_IN_USE;
    leave(tags[0]);
    while (bench_event(&b, w))
        ;
    const bool held = bench_local(&b, SS_OP_UNLINK, unlink, 0) == SS_IN_USE;
    const bool wrong = release(tags[1] ^ 1 << 12) == SS_ILLEGAL && release(200) == SS_ILLEGAL;
    const bool done = release(tags[0]) == 0 && release(tags[1]) == 0;
    const bool twice = release(tags[0]) == SS_ILLEGAL && release(tags[1]) == SS_ILLEGAL;
    const bool late = !answered(SS_ACK, tags[0]) && !answered(SS_REPLY, tags[1]);
    bench_settle(&b);
    /* holds ss_engine.release */
    tap_ok(early && held && wrong && done && twice && late && !bench_event(&b, w),
           "RELEASE: of what waits for its answer, once; no event, and the answer is late");
    const bool rests = !b.engine.out.idle;
    const bool freed = bench_local(&b, SS_OP_UNLINK, unlink, 0) == 0;
    for (unsigned t = 0; t < 3 * TIMEOUT; t++)
        bench_step(&b);
    tap_ok(rests && freed && b.engine.out.idle && make_descriptor(5),
           "its descriptor can be unlinked at once; the tags rest and are free again");
}

/* All pendings time out, rest and are free again. */
static void test_all(void)
{
    unsigned failed = 0, others = 0;
    uint64_t w[8];
    for (unsigned n = 0; n < SS_PENDINGS; n++)
        operate(GET);
    for (unsigned t = 0; t < 3 * TIMEOUT; t++) {
        bench_step(&b);
        while (b.read != b.written && bench_event(&b, w)) {
            const bool end = (w[0] & 15) == SS_EVENT_REPLY + 1 && (w[0] >> 4 & 15) == FAILED;
            failed += end;
            others += !end;
        }
    }
    const bool rests = !b.engine.out.idle;
    for (unsigned t = 0; t < 3 * TIMEOUT; t++)
        bench_step(&b);
    const uint64_t unlink[7] = {handle | 1 << 16};
    const bool idle = b.engine.out.idle;
    tap_ok(
        failed == SS_PENDINGS && others == 0 && rests && idle &&
            bench_local(&b, SS_OP_UNLINK, unlink, 0) == 0,
        "all %d pendings: %u timed out, rested, are free again; their descriptor can be unlinked",
        SS_PENDINGS, failed);
}

int main(int argc, char **argv)
{
    struct rng r;
    rng_seed(&r, test_seed(argc, argv));
    bench_start(&b, PID, USER, JOB);
    tap_ok(make_descriptor(5), "a descriptor");
    b.in.get_timeout = TIMEOUT;
    for (unsigned n = 0; n < 3; n++) {
        test_one(PUT, rng_below(&r, TIMEOUT));
        test_one(GET, rng_below(&r, TIMEOUT));
    }
    test_in_time();
    test_release();
    test_all();
    return tap_done();
}
