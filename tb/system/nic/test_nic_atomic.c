// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_atomic.c - atomic operations as processes use them: each opcode through each of the ways to post it, in all roundings; and
 * 64 initiators that fetch and add on one variable, none of whose old values comes twice or not at all.
 *
 * Built for proto: san.
 */
#include "tb/system/nic/nic_actor.h"

#include "tb/golden/nic/nic_amo.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- each opcode ----------------------------------------------------------------------------------- */

enum way { BY_PUT, BY_LAUNCH, BY_FETCH, BY_LAUNCH_FETCH, WAYS };

static const struct {
    const char *name;
    unsigned opcodes; /* that can be posted so: of 48 and 10, or 12; LAUNCH has one operand */
} ways[WAYS] = {[BY_PUT] = {"put window", 58},
                [BY_LAUNCH] = {"LAUNCH", 48},
                [BY_FETCH] = {"get window, fetching", 60},
                [BY_LAUNCH_FETCH] = {"LAUNCH, fetching", 60}};
static struct rng rng;

/* A value that some operation treats in a way of its own. */
static uint64_t draw_value(bool wide)
{
    static const uint64_t special[] = {0,
                                       0x8000000000000000,
                                       0x7FF0000000000000,
                                       0xFFF8000000000001,
                                       0x3FF0000000000001,
                                       0x7F8000007F800000,
                                       0x800000003F800001,
                                       0x7FFFFFFFFFFFFFFF};
    uint64_t value = rng_below(&rng, 3) == 0 ? special[rng_below(&rng, 8)] : rng_next(&rng);

    return wide ? value : value & 0xFFFFFFFF;
}

static struct driver_burst store_of(enum way way, unsigned opcode, uint64_t g, uint64_t a,
                                    uint64_t b)
{
    uint64_t operands[2] = {a, b};
    uint8_t bytes[16];

    memcpy(bytes, operands, 16);
    switch (way) {
    case BY_PUT:
        return store_put(ACTOR_FMA, 0, bytes, gn_amo_of(opcode, false).two_operands ? 16 : 8);
    case BY_LAUNCH:
        return store_launch(ACTOR_FMA, g, false, a);
    case BY_FETCH:
        return store_fetch(ACTOR_FMA, 0, 8, opcode, false);
    default:
        return store_launch(ACTOR_FMA, g, true, (uint64_t)opcode << 44 | 8);
    }
}

/* Bytes that differ: the first of them. */
static void compare(struct misses *m, const uint8_t *seen, const uint8_t *wanted, unsigned bytes,
                    unsigned opcode, const char *where)
{
    unsigned i = 0;

    while (i < bytes && seen[i] == wanted[i]) {
        i++;
    }
    if (i < bytes) {
        must_equal(m, seen[i], wanted[i], "opcode %#04x: byte %u %s", opcode, i, where);
    }
}

/* One operation on a variable of node 1, whose neighbours stay as they are; the old value comes here, or nothing does. */
static void does(struct misses *wrong, struct actor *a, enum way way, unsigned opcode,
                 enum gn_rounding rounding)
{
    struct gn_amo is = gn_amo_of(opcode, way >= BY_FETCH);
    unsigned bytes = is.wide ? 8 : 4;
    uint64_t offset = 256 + bytes * rng_below(&rng, 4), g = (uint64_t)1 << 40 | offset;
    uint64_t m = draw_value(is.wide), operand = draw_value(is.wide), second = draw_value(is.wide);
    uint64_t equal = rng_below(&rng, 2) == 0 ? m : operand; /* CSWAP finds what it looks for */
    uint8_t *there = actor_bytes(a, 1, ACTOR_THERE), *here = actor_bytes(a, 0, ACTOR_HERE);
    uint8_t wanted[512], wanted_here[32];
    uint64_t new = gn_amo_apply(opcode, rounding, m, equal, is.two_operands ? second : 0);

    memset(there, 0x55, 512);
    memset(here, 0xAA, 32);
    memset(wanted_here, 0xAA, 32);
    memcpy(there + offset, &m, bytes);
    memcpy(wanted, there, 512);
    memcpy(wanted + offset, &new, bytes);
    if (way >= BY_FETCH) {
        memcpy(wanted_here + 8, &m, bytes);
    }
    actor_begin(a, 1, ACTOR_THERE, offset);
    actor_modes(a, ACTOR_THERE, ACTOR_HERE, ACTOR_QUEUE, way < BY_FETCH ? opcode : 0);
    actor_store(a, store_word(ACTOR_FMA, WORD_OPERANDS, equal));
    actor_store(a, store_word(ACTOR_FMA, WORD_OPERANDS + 1, second));
    actor_store(a, store_of(way, opcode, g, equal, second));
    actor_end(a, WANTS_GLOBAL);
    const unsigned ending = (unsigned)actor_ending(a);
    must_equal(wrong, ending, GN_OK, "opcode %#04x: status", opcode);
    compare(wrong, there, wanted, 512, opcode, "at the variable's node");
    compare(wrong, here, wanted_here, 32, opcode, "where the old value comes");
}

static bool is_possible(enum way way, unsigned opcode)
{
    struct gn_amo is = gn_amo_of(opcode, way >= BY_FETCH);

    return is.exists && (way != BY_LAUNCH || !is.two_operands);
}

/* Kept variables are flushed before each: memory is set from outside. */
static void test_opcodes(uint64_t seed)
{
    const struct program_knobs nobody = {.processes = 1, .most = 1, .limit = 1};
    struct actor a;

    actor_start(&a, seed, &nobody, NULL);
    for (enum gn_rounding rounding = GN_NEAREST; rounding <= GN_ZERO; rounding++) {
        nic_bench_write(a.bench, 1, NR_AMO_CONFIG, rounding);
        for (enum way way = 0; way < WAYS; way++) {
            struct misses wrong = {0};
            unsigned opcodes = 0;

            for (unsigned opcode = 2; opcode < 128; opcode++) {
                if (is_possible(way, opcode)) {
                    nic_bench_write(a.bench, 1, NR_CONTROL, 1 | (uint64_t)1 << NR_CONTROL_FLUSH_AT);
                    does(&wrong, &a, way, opcode, rounding);
                    opcodes++;
                }
            }
            must_equal(&wrong, opcodes, ways[way].opcodes, "opcodes that can be posted so");
            tap_misses(&wrong, "rounding %u, %s: %u opcodes", rounding, ways[way].name, opcodes);
        }
    }
    actor_finish(&a, "one after the other");
}

/* ---- one variable for all -------------------------------------------------------------------------- */

enum {
    NODES = 8,
    INITIATORS = 64,
    DOMAIN = 1,
    VARIABLE = 1, /* handles */
    OLD = 2,
    OLD_AT = 1 << 20,
    OLD_BYTES = 1 << 20, /* of an initiator */
    BATCH = 16,          /* operations of a transaction */
    ROUND = INITIATORS * BATCH,
    ADD_KEPT = 0x75 /* cached, of 64 bits */
};

static void start_nodes(struct nic_bench *b)
{
    for (unsigned node = 0; node < NODES; node++) {
        host_set(b->node[node].host, &(struct host_knobs){.latency = 20});
        nic_bench_segment(
            b, node, VARIABLE,
            &(struct gn_segment){.valid = true, .atomic = true, .length = 8, .ptag = DOMAIN});
        nic_bench_segment(b, node, OLD,
                          &(struct gn_segment){.valid = true,
                                               .write = true,
                                               .base = OLD_AT,
                                               .length = BENCH_MEMORY - OLD_AT,
                                               .ptag = DOMAIN});
        for (unsigned i = 0; i < INITIATORS / NODES; i++) {
            nic_bench_descriptor(b, node, i, DOMAIN, 1);
        }
    }
}

/* A transaction of operations of one initiator: the k-th old value of all that it fetches goes to its k-th place. */
static void post_batch(struct nic_bench *b, unsigned node, unsigned i, uint64_t from)
{
    struct nic_driver *d = &b->node[node].driver;
    const struct driver_burst begin[] = {
        store_word(i, WORD_BASE, (uint64_t)b->node[0].address << 40),
        store_word(i, WORD_MODES, VARIABLE | OLD << 12),
        store_word(i, WORD_OPERANDS, 1),
        store_word(i, WORD_OPEN, 0),
    };
    struct driver_burst next;

    for (unsigned k = 0; k < sizeof(begin) / sizeof(begin[0]); k++) {
        driver_burst(d, &begin[k]);
    }
    for (uint64_t k = from; k < from + BATCH; k++) {
        next = store_fetch(i, 0, (uint64_t)i * OLD_BYTES + 8 * k, ADD_KEPT, false);
        driver_burst(d, &next);
    }
    next = store_word(i, WORD_CLOSE, 0);
    driver_burst(d, &next);
}

/* Each value below operations is the old value of exactly one: as many values as operations, none of them twice. */
static void check_old_values(struct misses *m, struct nic_bench *b, uint64_t operations)
{
    uint8_t *seen = calloc(operations, 1);

    if (seen == NULL) {
        abort();
    }
    for (unsigned i = 0; i < INITIATORS; i++) {
        const uint8_t *old =
            host_memory(b->node[i % NODES].host) + OLD_AT + (uint64_t)(i / NODES) * OLD_BYTES;

        for (uint64_t k = 0; k < operations / INITIATORS; k++) {
            uint64_t value;

            memcpy(&value, old + 8 * k, 8);
            if (must_at_most(m, value, operations - 1, "initiator %u, operation %" PRIu64, i, k)) {
                must(m, seen[value]++ == 0,
                     "initiator %u, operation %" PRIu64 ": old value %" PRIu64
                     ", which another has, expected one that none has",
                     i, k, value);
            }
        }
    }
    free(seen);
}

static void test_one_variable(uint64_t seed, uint64_t operations)
{
    struct nic_bench *b = channel_bench_new(NODES, seed, NULL);
    uint64_t rounds = (operations + ROUND - 1) / ROUND, value;
    struct misses wrong = {0};
    bool drained = true;

    channel_of(b)->knobs = (struct channel_knobs){.delay = 10, .delay_extra = 30};
    start_nodes(b);
    operations = rounds * ROUND;
    for (uint64_t r = 0; r < rounds && drained; r++) {
        for (unsigned i = 0; i < INITIATORS; i++) {
            post_batch(b, i % NODES, i / NODES, r * BATCH);
        }
        drained = nic_bench_drain(b, 200000);
        must(&wrong, drained, "round %" PRIu64 ": under way after 200000 clocks, expected an end",
             r);
    }
    memcpy(&value, host_memory(b->node[0].host), 8);
    must_equal(&wrong, value, operations, "the variable at last");
    check_old_values(&wrong, b, operations);
    tap_note("%" PRIu64 " operations in %" PRIu64 " clocks", operations, b->clock);
    tap_misses(&wrong,
               "%u initiators add 1 to one variable %" PRIu64
               " times: each old value from 0 on comes once",
               INITIATORS, operations);
    nic_bench_free(b);
}

int main(int argc, char **argv)
{
    uint64_t seed, operations = 20000;

    test_options(
        argc, argv, &seed,
        args_number("--operations", &operations, 1, UINT64_MAX, "operations on one variable"));
    rng_seed(&rng, seed + 2);
    test_opcodes(seed);
    test_one_variable(seed + 1, operations);
    return tap_done();
}
