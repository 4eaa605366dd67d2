// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_protection.c - every violation by every command: its status at the initiator, and not a byte touched on any node, in idle NICs
 * and under the traffic of others. And each command once as it should be, which touches what it shall and nothing else.
 *
 * Built for proto: san.
 */
#include "tb/system/nic/nic_actor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = ACTOR_END - ACTOR_AT, RINGS = 0x2000 };

enum command {
    PUT_BYTE,
    PUT_LINE,
    LAUNCH_PUT,
    MESSAGE,
    CQWRITE,
    GET,
    FLAGGED_GET,
    LAUNCH_GET,
    AMO,
    LAUNCH_AMO,
    FAMO,
    COMMANDS
};

static const struct {
    const char *name;
    unsigned bytes; /* that it touches */
    bool reads, writes, posts, changes;
} commands[COMMANDS] = {
    [PUT_BYTE] = {"put of a byte", 1, .writes = true},
    [PUT_LINE] = {"put of 64 bytes", 64, .writes = true},
    [LAUNCH_PUT] = {"launched put", 8, .writes = true},
    [MESSAGE] = {"message", 5, .writes = true, .posts = true},
    [CQWRITE] = {"queue write", 0, .posts = true},
    [GET] = {"get", 64, .reads = true},
    [FLAGGED_GET] = {"flagged get", 8, .reads = true},
    [LAUNCH_GET] = {"launched get", 4, .reads = true},
    [AMO] = {"atomic operation", 8, .changes = true},
    [LAUNCH_AMO] = {"launched atomic operation", 4, .changes = true},
    [FAMO] = {"atomic operation that fetches", 8, .changes = true},
};

static struct actor a;
static uint8_t *before[ACTOR_NODES];
static bool flagged; /* the command that was done last had a flag */

/* ---- commands ------------------------------------------------------------------------------------ */

static const unsigned opcodes[COMMANDS] = {
    [MESSAGE] = 1, [AMO] = 0x47, [LAUNCH_AMO] = 0x46, [FAMO] = 0x47}; /* SWAP */
static const uint8_t operand[8] = {0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88};

static struct driver_burst store_of(enum command c, uint64_t g)
{
    uint64_t local = (uint64_t)(commands[c].bytes / 4 - 1) << 40;

    switch (c) {
    case MESSAGE:
    case PUT_BYTE:
    case PUT_LINE:
        return store_put(ACTOR_FMA, 0, actor_data, commands[c].bytes);
    case AMO:
        return store_put(ACTOR_FMA, 0, operand, 8);
    case FAMO:
        return store_fetch(ACTOR_FMA, 0, 0, opcodes[c], false);
    case LAUNCH_AMO:
    case LAUNCH_PUT:
        return store_launch(ACTOR_FMA, g, false, 0x1122334455667788);
    case LAUNCH_GET:
        return store_launch(ACTOR_FMA, g, true, local);
    case CQWRITE:
        return store_word(ACTOR_FMA, WORD_CQWRITE, 0x51);
    default:
        return store_get(ACTOR_FMA, 0, 0, commands[c].bytes, c == FLAGGED_GET);
    }
}

/* A transaction of one command: how it ended. */
static int ends(enum command c, unsigned to, unsigned mdh, uint64_t offset, unsigned local)
{
    uint64_t g = (uint64_t)to << 40 | offset;

    actor_modes(&a, mdh, local, ACTOR_QUEUE, c == FAMO ? 0 : opcodes[c]);
    actor_store(&a, store_word(ACTOR_FMA, WORD_BASE, g));
    actor_store(&a, store_word(ACTOR_FMA, WORD_EVENT, 0x52));
    actor_store(&a, store_word(ACTOR_FMA, WORD_OPERANDS, 0x1122334455667788));
    actor_store(&a, store_word(ACTOR_FMA, WORD_OPEN, 0));
    actor_store(&a, store_of(c, g));
    actor_end(&a, WANTS_GLOBAL);
    flagged = c == FLAGGED_GET;
    return actor_ending(&a);
}

/* ---- what was touched ------------------------------------------------------------------------------ */

static uint8_t *memory(unsigned node)
{
    return host_memory(a.bench->node[node].host) + ACTOR_AT;
}

static void remember(void)
{
    memset(memory(0), 0, 8 << ACTOR_RING_LOG2); /* whose events were taken */
    for (unsigned node = 0; node < ACTOR_NODES; node++) {
        memcpy(before[node], memory(node), BYTES);
    }
}

/* Bytes that differ; of node 0 but for its ring. */
static unsigned touched(unsigned node)
{
    const uint8_t *now = memory(node);
    unsigned n = 0;

    if (memcmp(now, before[node], BYTES) == 0) {
        return 0;
    }
    for (unsigned i = node == 0 ? 8 << ACTOR_RING_LOG2 : 0; i < BYTES; i++) {
        n += now[i] != before[node][i];
    }
    return n;
}

/* The flag of a get that failed stands where it would stand had it not, and says why; where there is no place for it, nowhere. */
static bool is_flag_right(int status, unsigned local)
{
    const uint8_t *flag = actor_bytes(&a, 0, local) + commands[FLAGGED_GET].bytes;

    return flag[0] == (status << 4 | 1) && flag[1] + flag[2] + flag[3] == 0;
}

static void check(const char *what, enum command c, int got, int wanted, unsigned local)
{
    bool flag = flagged && local == ACTOR_HERE;
    unsigned here = touched(0), there = touched(1) + touched(2);
    bool untouched = there == 0 && (flag ? here <= 4 && is_flag_right(wanted, local) : here == 0);

    tap_why("status %d, not %d; %u bytes touched here, %u there", got, wanted, here, there);
    tap_ok(got == wanted && untouched, "%s, %s: %s", a.traffic ? "under traffic" : "idle",
           commands[c].name, what);
}

/* ---- violations ---------------------------------------------------------------------------------------- */

static void violates(const char *what, enum command c, unsigned mdh, uint64_t offset, int status)
{
    remember();
    check(what, c, ends(c, 1, mdh, offset, ACTOR_HERE), status, ACTOR_HERE);
}

static void violates_here(const char *what, enum command c, unsigned local, int status)
{
    remember();
    check(what, c, ends(c, 1, ACTOR_THERE, 0, local), status, local);
}

/* The segment of the handle beside the one that has all. */
static void segment(unsigned node, unsigned mdh, bool event, uint64_t base, uint64_t length)
{
    nic_bench_segment(a.bench, node, mdh,
                      &(struct gn_segment){.valid = true,
                                           .read = true,
                                           .write = true,
                                           .atomic = true,
                                           .event = event,
                                           .ptag = ACTOR_DOMAIN,
                                           .queue = ACTOR_QUEUE,
                                           .base = base,
                                           .length = length});
}

/* All that is wrong with a handle. */
static void test_handles(enum command c)
{
    const struct gn_domain one = {.valid = true, .base = ACTOR_THERE, .size = 1}, none = {0};
    unsigned no_right = commands[c].reads ? ACTOR_WRITE_ONLY : ACTOR_READ_ONLY;

    violates("no segment", c, ACTOR_NONE, 0, GN_MDD);
    violates("a handle beyond the table", c, GN_SEGMENTS - 1, 0, GN_MDD);
    violates("another domain", c, ACTOR_ALIEN, 0, GN_PROTECTION);
    if (commands[c].reads || commands[c].writes || commands[c].changes) {
        violates("no right", c, no_right, 0, GN_PROTECTION);
    }
    if (commands[c].posts) {
        segment(1, ACTOR_FAULTY, false, actor_place(ACTOR_FAULTY), ACTOR_BYTES);
        violates("no right to events", c, ACTOR_FAULTY, 0, GN_PROTECTION);
        segment(1, ACTOR_FAULTY, true, actor_place(ACTOR_FAULTY), ACTOR_BYTES);
    }
    nic_bench_domain(a.bench, 1, ACTOR_DOMAIN, &one);
    violates("a handle beyond the domain's block", c, 1, 0, GN_VMDH);
    nic_bench_domain(a.bench, 1, ACTOR_DOMAIN, &none);
}

/* All that is wrong with an address, and memory that fails. */
static void test_places(enum command c)
{
    bool changes = commands[c].changes;
    unsigned n = commands[c].bytes, over = changes ? n : commands[c].reads ? 4 : 1;
    const struct host_fault fault = {
        .from = actor_place(ACTOR_FAULTY), .to = actor_place(ACTOR_FAULTY) + n, .bus_error = true};
    const struct host_fault poison = {.from = fault.from, .to = fault.to, .poison = true};

    violates("one too far", c, ACTOR_THERE, ACTOR_BYTES - n + over, GN_BOUNDS);
    violates("far behind the end", c, ACTOR_THERE, ((uint64_t)1 << 40) - 64, GN_BOUNDS);
    violates("a translated segment", c, ACTOR_TRANSLATED, 0, GN_TRANSLATION);
    segment(1, ACTOR_FAULTY, true, BENCH_MEMORY - n + (changes ? n : 1), ACTOR_BYTES);
    violates("over the end of the window", c, ACTOR_FAULTY, 0, GN_TRANSLATION);
    segment(1, ACTOR_FAULTY, true, ((uint64_t)1 << 48) - ACTOR_BYTES, ACTOR_BYTES);
    violates("at the end of all addresses", c, ACTOR_FAULTY, ACTOR_BYTES - n, GN_TRANSLATION);
    if (changes) {
        segment(1, ACTOR_FAULTY, true, actor_place(ACTOR_FAULTY) + n / 2, ACTOR_BYTES);
        violates("at an odd address", c, ACTOR_FAULTY, 0, GN_BAD_COMMAND);
    }
    segment(1, ACTOR_FAULTY, true, actor_place(ACTOR_FAULTY), ACTOR_BYTES);
    host_add_fault(a.bench->node[1].host, &fault);
    violates("memory that fails", c, ACTOR_FAULTY, 0, GN_BUS);
    host_clear_faults(a.bench->node[1].host);
    if (commands[c].reads || changes) {
        host_add_fault(a.bench->node[1].host, &poison);
        violates("data that memory knows to be wrong", c, ACTOR_FAULTY, 0, GN_DATA);
        host_clear_faults(a.bench->node[1].host);
    }
}

/* What is never sent has no flag either. */
static void never_goes(const char *what, enum command c, unsigned to)
{
    int status;

    remember();
    status = ends(c, to, ACTOR_THERE, 0, ACTOR_HERE);
    flagged = false;
    check(what, c, status, GN_UNREACHABLE, ACTOR_HERE);
}

/* Nobody is there: no PE of the job, no entry; a node that is not enabled, whom nobody else may ask then. */
static void test_nodes(enum command c)
{
    actor_descriptor(&a, true, true);
    never_goes("a PE without an entry", c, 1);
    never_goes("a PE outside of the job", c, 2);
    actor_descriptor(&a, true, false);
    if (!a.traffic) {
        nic_bench_write(a.bench, 1, NR_CONTROL, 0);
        violates("a node that is not enabled", c, ACTOR_THERE, 0, GN_UNREACHABLE);
        nic_bench_write(a.bench, 1, NR_CONTROL, 1);
    }
}

/* Where the data of a get go. */
static void test_local(enum command c)
{
    const struct host_fault fault = {
        .from = actor_place(ACTOR_FAULTY), .to = actor_place(ACTOR_FAULTY) + 64, .bus_error = true};

    violates_here("data to no segment", c, ACTOR_NONE, GN_MDD);
    violates_here("data to a handle beyond the table", c, GN_SEGMENTS - 1, GN_MDD);
    violates_here("data to another domain", c, ACTOR_ALIEN, GN_PROTECTION);
    violates_here("data to what may be read alone", c, ACTOR_READ_ONLY, GN_PROTECTION);
    violates_here("data to a translated segment", c, ACTOR_TRANSLATED, GN_TRANSLATION);
    segment(0, ACTOR_FAULTY, true, actor_place(ACTOR_FAULTY), 3);
    violates_here("data over the end of a segment", c, ACTOR_FAULTY, GN_BOUNDS);
    segment(0, ACTOR_FAULTY, true, BENCH_MEMORY - 3, ACTOR_BYTES);
    violates_here("data over the end of the window", c, ACTOR_FAULTY, GN_TRANSLATION);
    segment(0, ACTOR_FAULTY, true, actor_place(ACTOR_FAULTY), ACTOR_BYTES);
    host_add_fault(a.bench->node[0].host, &fault);
    violates_here("data to memory that fails", c, ACTOR_FAULTY, GN_BUS);
    host_clear_faults(a.bench->node[0].host);
}

/* Nothing is wrong: what it shall touch, and nothing else. */
static void test_right(enum command c)
{
    unsigned to = commands[c].reads ? 0 : 1, mdh = commands[c].reads ? ACTOR_HERE : ACTOR_THERE;
    unsigned bytes = commands[c].bytes + (c == FLAGGED_GET ? 4 : 0), wanted, events, got;
    int status;

    memset(actor_bytes(&a, to, mdh), 0xAA, 80);
    memset(actor_bytes(&a, 0, ACTOR_HERE), 0xAA, 80); /* the old value of a variable, too */
    memset(actor_bytes(&a, 1, ACTOR_THERE), commands[c].reads ? 0x55 : 0xAA, 80);
    remember();
    status = ends(c, 1, ACTOR_THERE, 0, ACTOR_HERE);
    actor_run(&a, 200); /* the event of a message */
    got = touched(to);
    events = 0;
    for (unsigned i = 0; i < RINGS; i++) {
        events += memory(1)[i] != before[1][i];
    }
    wanted = bytes + (to == 1 ? events : 0);
    tap_why("status %d, %u bytes touched, %u of them of events", status, got, events);
    tap_ok(status == GN_OK && got == wanted && touched(1 - to) == 0 && touched(2) == 0 &&
               (events != 0) == commands[c].posts,
           "%s, %s: all is right", a.traffic ? "under traffic" : "idle", commands[c].name);
}

/* ---- together -------------------------------------------------------------------------------------------- */

static void test(uint64_t seed, bool traffic)
{
    const struct program_knobs others = {.processes = 2,
                                         .most = 4,
                                         .limit = 4,
                                         .messages = 0.2,
                                         .atomics = 0.2,
                                         .flagged = true,
                                         .illegal = 0.1};

    actor_start(&a, seed, &others, NULL);
    a.traffic = traffic;
    for (enum command c = 0; c < COMMANDS; c++) {
        test_handles(c);
        if (c != CQWRITE) {
            test_places(c);
        }
        if (commands[c].reads) {
            test_local(c);
        }
        test_nodes(c);
        test_right(c);
    }
    actor_finish(&a, traffic ? "under traffic" : "idle");
}

int main(int argc, char **argv)
{
    uint64_t seed = test_seed(argc, argv);

    for (unsigned node = 0; node < ACTOR_NODES; node++) {
        before[node] = malloc(BYTES);
        if (before[node] == NULL) {
            abort();
        }
    }
    test(seed, false);
    test(seed + 1, true);
    for (unsigned node = 0; node < ACTOR_NODES; node++) {
        free(before[node]);
    }
    return tap_done();
}
