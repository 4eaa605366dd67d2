// SPDX-License-Identifier: Apache-2.0
/*
 * nic_runs.c - random programs with a NIC under test among them; the golden NIC explains what hosts see, the fabric what comes out at
 * tiles. Nothing but ports is looked at.
 */
#include "tb/conform/nic/nic_runs.h"

#include "tb/system/nic/nic_program.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    FINISH = 100000, /* clocks until all has ended */
    ANSWER = 20000,  /* of an access of a processor */
    READY = 20000,   /* until memories are wiped */
    ONE = 1,         /* node 0 alone is under test, or */
    BOTH = 3,        /* both */
};

static const struct conform_check checks[NIC_CHECKS] = {
    [CHECK_ACCESSES] = {"accesses", "memory is read and written as operations want it, once"},
    [CHECK_DELIVERY] = {"delivery", "all that operations want is done"},
    [CHECK_EVENTS] = {"events", "each event comes once, with its status, behind what it tells of"},
    [CHECK_ATOMICS] = {"atomics", "atomic operations on a variable have one order"},
    [CHECK_ORDER] = {"order", "writes in mode IN_ORDER are seen in the order of their stores"},
    [CHECK_RIGHTS] = {"rights",
                      "what a segment does not allow is not done, and its status says why"},
    [CHECK_PACKETS] = {"packets", "packets have the shape, the fields and the codes of their kind"},
    [CHECK_ANSWERS] = {"answers", "each request is answered once, with its tag and generation"},
    [CHECK_CREDITS] = {"credits", "no flit goes without a place in the router's input queue"},
    [CHECK_ROOM] = {"room", "tiles have room and are ready again when all is done"},
    [CHECK_DROPS] = {"drops", "damaged packets are dropped and counted, each at its counter"},
    [CHECK_TIMEOUTS] = {"timeouts", "where a packet was lost the transaction ends with TIMEOUT"},
    [CHECK_FAULTS] = {"faults", "errors of host memory end as statuses"},
    [CHECK_AXI] = {"axi", "the rules of AXI4 and AXI4-Lite are kept, and accesses are answered"},
    [CHECK_PAGES] = {"pages", "bursts and words that pages do not take are refused and counted"},
    [CHECK_REGISTERS] = {"registers", "registers read as documented"},
    [CHECK_INTERRUPTS] = {"interrupts", "irq shows pending bits that the mask lets through"},
    [CHECK_WHOLE] = {"whole", "afterwards the NIC is drained and no transaction is in flight"},
    [CHECK_EXACT] = {"exact", "every output is ours, clock by clock"},
};

struct nic_run {
    unsigned tested;
    int blame; /* the check that golden complaints of this run go to, or -1 */
    struct program_knobs program;
    struct host_knobs host;
    struct wire_knobs wire;
    unsigned epoch_log2; /* 0: requests never time out */
    unsigned transactions;
};

static const struct wire_design *design;

/* The run that is being played. */
static struct {
    const struct nic_run *run; /* null: one of steps */
    struct gn_count seen;
} now;

/* ---- complaints ---------------------------------------------------------------------------------- */

/* The place of a variable of atomic operations, as programs lay out memory. */
static bool is_atomic(const char *text)
{
    enum { SEGMENT = 1 << 18 };
    const char *at = strstr(text, " at ");
    const uint64_t address = at ? strtoull(at + 4, NULL, 16) : 0;

    return address >= PROGRAM_SEGMENTS_AT &&
           (address - PROGRAM_SEGMENTS_AT) / SEGMENT % PROGRAM_SEGMENTS == SEGMENT_ATOMIC;
}

static unsigned blamed(unsigned check)
{
    return now.run != NULL && now.run->blame >= 0 ? (unsigned)now.run->blame : check;
}

/* What the golden NIC has found since the clock before. */
static void watch_golden(const struct nic_bench *b)
{
    const struct gn_count *c = gn_counts(b->golden);

    if (c->overtaken > now.seen.overtaken) {
        runs_fail(CHECK_ORDER, b, "%s", c->first);
    } else if (c->extra_events > now.seen.extra_events) {
        runs_fail(blamed(CHECK_EVENTS), b, "%s", c->first);
    } else if (c->unexplained > now.seen.unexplained) {
        runs_fail(blamed(is_atomic(c->first) ? CHECK_ATOMICS : CHECK_ACCESSES), b, "%s", c->first);
    }
    now.seen = *c;
}

static void watch_rules(const struct nic_bench *b, unsigned node)
{
    static const char *const names[BENCH_PORTS] = {"s_axi", "m_axi", "s_axil"};
    const struct bench_node *n = &b->node[node];

    for (unsigned i = 0; i < BENCH_PORTS; i++) {
        if (n->rules[i].first[0] != '\0') {
            runs_fail(CHECK_AXI, b, "node %u, %s: %s", node, names[i], n->rules[i].first);
        }
    }
    if (host_broken(n->host)->first[0] != '\0') {
        runs_fail(CHECK_AXI, b, "node %u, m_axi: %s", node, host_broken(n->host)->first);
    }
}

static void complaint(void *whose, unsigned node, enum wire_fault fault, const char *text)
{
    static const enum nic_check of[WIRE_FAULTS] = {[WIRE_PACKET] = CHECK_PACKETS,
                                                   [WIRE_ANSWER] = CHECK_ANSWERS,
                                                   [WIRE_CREDIT] = CHECK_CREDITS,
                                                   [WIRE_READY] = CHECK_ROOM};
    const struct nic_bench *b = whose;

    runs_fail(of[fault], b, "node %u, %s", node, text);
}

static bool watch(struct nic_bench *b)
{
    if (b->golden != NULL) {
        watch_golden(b);
    }
    for (unsigned n = 0; n < b->nodes; n++) {
        if (wire_of(b)->node[n].tested) {
            watch_rules(b, n);
        }
    }
    return conform_clock(b->clock);
}

/* ---- begin and end of a run ---------------------------------------------------------------------- */

struct nic_bench *runs_bench(unsigned nodes, uint64_t seed, struct golden_nic *golden,
                             unsigned tested)
{
    struct nic_bench *b = wire_bench_new(nodes, seed, golden, design, tested);

    now.seen = (struct gn_count){0};
    wire_of(b)->complain = complaint;
    wire_of(b)->whose = b;
    b->watch = watch;
    b->patience = ANSWER;
    for (unsigned i = 0; i < nodes; i++) {
        while (!b->over && (nic_bench_read(b, i, NR_STATUS) >> NR_STATUS_READY_AT & 1) == 0) {
            if (b->clock > READY) {
                runs_fail(CHECK_REGISTERS, b, "node %u: STATUS.ready is 0 after %d clocks", i,
                          READY);
                b->over = true;
            }
        }
    }
    nic_bench_enable(b);
    return b;
}

void runs_end(struct nic_bench *b)
{
    if (b->unanswered) {
        runs_fail(CHECK_AXI, b, "an access of a processor is not answered in %d clocks", ANSWER);
    }
    if (!b->over && !conform_failed()) {
        const unsigned unanswered = wire_unanswered(b);
        const int tile = wire_without_room(b);

        if (unanswered != 0) {
            runs_fail(CHECK_ANSWERS, b, "%u requests are never answered", unanswered);
        }
        if (tile >= 0) {
            runs_fail(CHECK_ROOM, b, "node %d, tile %d: no room, or not ready, with all done",
                      tile / NL_TILES, tile % NL_TILES);
        }
    }
    nic_bench_free(b);
}

uint64_t runs_status(struct nic_bench *b, unsigned node, unsigned descriptor)
{
    struct driver_burst burst = store_word(descriptor, WORD_STATUS, 0);

    if (b->over) {
        return 0;
    }
    burst.read = true;
    driver_burst(&b->node[node].driver, &burst);
    nic_bench_settle_driver(b, node);
    return b->node[node].driver.answer;
}

/* ---- programs ------------------------------------------------------------------------------------ */

static const struct nic_run programs[] = {
    {.tested = ONE,
     .blame = -1,
     .program = {.processes = 2, .most = 6, .limit = 4, PROGRAM_MIX, .flagged = true},
     .host = {.latency = 20},
     .wire = {.delay = 40},
     .transactions = 300},
    {.tested = BOTH,
     .blame = -1,
     .program = {PROGRAM_USUAL, .flagged = true, .virtually = true},
     .host = {.latency = 20},
     .wire = {.delay = 20},
     .transactions = 300},
    {.tested = ONE,
     .blame = -1,
     .program = {PROGRAM_IDLE},
     .host = {HOST_SLOW},
     .wire = {.delay = 20, .delay_extra = 300, .hold = 0.3},
     .transactions = 300},
    {.tested = ONE,
     .blame = CHECK_RIGHTS,
     .program = {PROGRAM_ILLEGAL},
     .host = {HOST_UNEVEN},
     .wire = {.delay = 10, .delay_extra = 50},
     .transactions = 500},
    {.tested = BOTH,
     .blame = -1,
     .program = {.processes = 4,
                 .most = 8,
                 .limit = 6,
                 .messages = 0.1,
                 .in_order = true,
                 .ordered = true,
                 .flagged = true},
     .host = {.latency = 50, .latency_extra = 100},
     .wire = {.delay = 10, .hold = 0.1},
     .transactions = 300},
    {.tested = ONE,
     .blame = CHECK_TIMEOUTS,
     .program = {PROGRAM_USUAL},
     .host = {.latency = 20, .latency_extra = 100},
     .wire = {.delay = 10, .delay_extra = 100, .loss = 0.01},
     .epoch_log2 = 12,
     .transactions = 200},
    {.tested = ONE,
     .blame = CHECK_DROPS,
     .program = {PROGRAM_USUAL},
     .host = {.latency = 20},
     .wire = {.delay = 10, .damage = 0.05},
     .epoch_log2 = 12,
     .transactions = 200},
};

/* What the golden NIC still wants at the end. */
static void judge_missing(struct nic_bench *b)
{
    const struct gn_count *c = gn_finish(b->golden);
    const bool change = strstr(c->first, "a change") != NULL;

    if (c->missing_accesses != 0) {
        runs_fail(blamed(change ? CHECK_ATOMICS : CHECK_DELIVERY), b, "%s", c->first);
    } else if (c->missing_events != 0) {
        runs_fail(blamed(CHECK_EVENTS), b, "%s", c->first);
    }
}

/* What came damaged to node 0 is what it has counted. */
static void judge_counters(struct nic_bench *b)
{
    static const uint16_t counter[] = {NR_NETLINK_WRONG, NR_NETLINK_MARKED, NR_NETLINK_MISSHAPED,
                                       NR_NETLINK_NO_NIC};
    const uint64_t *damaged = wire_of(b)->node[0].damaged;
    const uint64_t due[] = {damaged[DAMAGE_CODE], damaged[DAMAGE_MARK],
                            damaged[DAMAGE_SHAPE] + damaged[DAMAGE_MODE], damaged[DAMAGE_SUB]};

    for (unsigned i = 0; i < 4; i++) {
        const uint64_t count = nic_bench_read(b, 0, counter[i]);

        if (!b->over && count != due[i]) {
            runs_fail(CHECK_DROPS, b, "counter %03x is %" PRIu64 ", %" PRIu64 " such packets came",
                      counter[i], count, due[i]);
        }
    }
}

/* Nothing is in flight, for as long as what timed out rests. */
static void judge_whole(struct nic_bench *b, const struct nic_run *r)
{
    const uint64_t rest = r->epoch_log2 == 0 ? 0 : (uint64_t)4 << r->epoch_log2;

    for (uint64_t end = b->clock + rest; !b->over && b->clock < end;) {
        nic_bench_clock(b);
    }
    for (unsigned n = 0; n < b->nodes; n++) {
        for (unsigned d = 0; wire_of(b)->node[n].tested && d < r->program.processes; d++) {
            const uint64_t flight = runs_status(b, n, d) & 0x1FF;

            if (flight != 0) {
                runs_fail(CHECK_WHOLE, b,
                          "node %u, descriptor %u: %" PRIu64 " transactions are in flight for ever",
                          n, d, flight);
            }
        }
    }
}

/* Programs go on while transactions end, as each process may have few in flight. */
static void begin_all(struct nic_bench *b, struct program *p, uint64_t transactions)
{
    uint64_t begun = 0, since = b->clock;

    while (!b->over && program_begun(p) < transactions) {
        program_clock(p, true);
        if (program_begun(p) != begun) {
            begun = program_begun(p);
            since = b->clock;
        } else if (b->clock - since == FINISH) {
            runs_fail(blamed(CHECK_DELIVERY), b, "no transaction ends in %d clocks", FINISH);
        }
    }
}

static void play_program(uint64_t seed, unsigned variant)
{
    const struct nic_run *r = now.run = &programs[variant];
    const bool losses = r->wire.loss != 0 || r->wire.damage != 0;
    struct golden_nic *golden = gn_new(2, losses);
    struct nic_bench *b = runs_bench(2, seed, golden, r->tested);

    for (unsigned i = 0; i < b->nodes; i++) {
        host_set(b->node[i].host, &r->host);
        if (r->epoch_log2 != 0) {
            nic_bench_write(b, i, NR_ORB_EPOCH, (uint64_t)1 << r->epoch_log2);
        }
    }
    struct program *p = program_new(b, seed + 1, &r->program);
    wire_of(b)->knobs = r->wire;
    begin_all(b, p, r->transactions);
    if (!b->over && !program_finish(p, FINISH) && !conform_failed()) {
        judge_missing(b); /* that comes first */
        if (!conform_failed()) {
            runs_fail(CHECK_WHOLE, b, "%s", b->unrest.first);
        }
    }
    if (!b->over && !conform_failed()) {
        judge_missing(b);
        judge_whole(b, r);
    }
    if (!b->over && r->wire.damage != 0 && !conform_failed()) {
        judge_counters(b);
    }
    program_free(p);
    runs_end(b);
    gn_free(golden);
}

/* ---- all of it ----------------------------------------------------------------------------------- */

enum {
    PROGRAM = 1 << CHECK_ACCESSES | 1 << CHECK_DELIVERY | 1 << CHECK_EVENTS | 1 << CHECK_PACKETS |
              1 << CHECK_ANSWERS | 1 << CHECK_CREDITS | 1 << CHECK_ROOM | 1 << CHECK_AXI |
              1 << CHECK_WHOLE,
};

static void steps(void (*play)(uint64_t, unsigned), uint64_t seed)
{
    now.run = NULL;
    play(seed, 0);
}

#define STEPS(name)                                                                                \
    static void name(uint64_t seed, unsigned variant)                                              \
    {                                                                                              \
        (void)variant;                                                                             \
        steps(run_##name, seed);                                                                   \
    }
STEPS(idle)
STEPS(rate)
STEPS(registers)
STEPS(pages)
STEPS(interrupts)
STEPS(faults)

static const struct conform_run runs[] = {
    {"one thing after the other", 1 << CHECK_DELIVERY | 1 << CHECK_AXI, idle, 0},
    {"registers", 1 << CHECK_REGISTERS, registers, 0},
    {"bursts that pages do not take", 1 << CHECK_PAGES, pages, 0},
    {"interrupts", 1 << CHECK_INTERRUPTS, interrupts, 0},
    {"errors of host memory", 1 << CHECK_FAULTS, faults, 0},
    {"programs with ours", PROGRAM | 1 << CHECK_ATOMICS, play_program, 0},
    {"programs with itself, nodes and handles virtual", PROGRAM | 1 << CHECK_ATOMICS, play_program,
     1},
    {"programs with ours, all slow", PROGRAM | 1 << CHECK_ATOMICS, play_program, 2},
    {"programs against the rules", 1 << CHECK_RIGHTS, play_program, 3},
    {"programs in order, with itself", PROGRAM | 1 << CHECK_ORDER, play_program, 4},
    {"one packet of 100 is lost", 1 << CHECK_TIMEOUTS, play_program, 5},
    {"one packet of 20 comes damaged", 1 << CHECK_DROPS, play_program, 6},
    {"64 bytes as often as it takes them", 1 << CHECK_CREDITS, rate, 0},
};

static const struct conform_block block = {.name = "nic",
                                           .checks = checks,
                                           .n_checks = NIC_CHECKS,
                                           .runs = runs,
                                           .n_runs = sizeof(runs) / sizeof(runs[0])};

const struct conform_block *nic_block(const struct wire_design *of)
{
    design = of;
    return &block;
}
