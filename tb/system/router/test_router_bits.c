// SPDX-License-Identifier: Apache-2.0
/*
 * test_router_bits.c - wrong bits in every memory of a router under traffic. One in a word is corrected and counted and
 * nobody else notices. Two in a flit are reported, its packet's tail is marked or the packet is dropped, and no other packet
 * is touched.
 *
 * A flip hits a word that is still to be read, and no word twice in a run. Which double-bit error cannot be mended in a
 * store's links, in a tail mark and in the length of a head is said in hls/router/README.md.
 *
 * Built for p16, yarc: fast.
 */
#include <inttypes.h>
#include <string.h>

#include "tb/system/router/router_bench.h"

enum memory {
    STORE,
    FREE_BLOCKS,
    STAGE_CODES,
    STAGE_CONTROLS,
    ROW_CODES,
    ROW_CONTROLS,
    COLUMN_CODES,
    COLUMN_CONTROLS,
    MINIMAL,
    NONMINIMAL,
    VC_MAP,
    MEMORIES
};

static const char *const names[MEMORIES] = {"input store",
                                            "list of free blocks",
                                            "staging, flits",
                                            "staging, control",
                                            "row buffers, flits",
                                            "row buffers, control",
                                            "column buffers, flits",
                                            "column buffers, control",
                                            "minimal tables",
                                            "non-minimal tables",
                                            "VC map"};

enum {
    DRAIN = RTR_PACKET > 16 ? 3000 : 2000,
    FLIPS = RTR_PORTS > 16 ? 60 : 200,
    TABLE_FLIPS = 600,
    GAP = 15,
    MOST_TAKEN = 1 << 12
};

static struct router_bench b;
static struct router_bench_config config;
static struct rng rng;

static const void *taken[MOST_TAKEN]; /* words hit in this run */
static unsigned taken_count;
static uint64_t marks; /* tails that left with a mark */

static bool take(const void *word)
{
    for (unsigned i = 0; i < taken_count; i++)
        if (taken[i] == word)
            return false;
    taken[taken_count++] = word;
    return true;
}

static struct tile *any_tile(void)
{
    struct router *r = b.dut.self;
    return &r->tile[rng_below(&rng, RTR_PORTS)];
}

/* ---- words still to be read ------------------------------------------------------------------------ */

/*
 * Place of a flit in a FIFO of 2^log2 flits per VC, its front not counted if it has been looked at already; -1 if the
 * VC that is drawn has none.
 */
#define QUEUE_PLACE(name, q, log2, skip)                                                           \
    static int name(const struct q *self)                                                          \
    {                                                                                              \
        const unsigned v = rng_below(&rng, RTR_VCS), deep = 1u << (log2);                          \
        if (!((unsigned)self->out.valid >> v & 1))                                                 \
            return -1;                                                                             \
        const unsigned front = (unsigned)self->rd[v] - 1;                                          \
        const unsigned flits = ((unsigned)self->wr[v] - front - 1) % deep + 1;                     \
        if (flits <= (skip))                                                                       \
            return -1;                                                                             \
        const unsigned at = front + (skip) + rng_below(&rng, flits - (skip));                      \
        return (int)(v * deep + at % deep);                                                        \
    }
QUEUE_PLACE(stage_flit, stage_queue, RTR_STAGE_LOG2, 0)
QUEUE_PLACE(stage_control, stage_queue, RTR_STAGE_LOG2, 1)
QUEUE_PLACE(row_flit_at, row_buffer, RTR_ROW_LOG2, 0)
QUEUE_PLACE(row_control, row_buffer, RTR_ROW_LOG2, 1)
QUEUE_PLACE(column_flit_at, column_buffer, RTR_COL_LOG2, 0)
QUEUE_PLACE(column_control, column_buffer, RTR_COL_LOG2, 1)

/* Exclusive-or of a mask into a word of at most 72 bits, if it has not been hit before. */
#define FLIP(word, mask) (take(&(word)) ? ((word) ^= (mask), true) : false)
#define ONE(type, bits)  ((type)((type)1 << rng_below(&rng, (bits))))

/* Two of a flit; each second time in what stands on top of a head, VC and length, or VC and mode where the end frames. */
static rtr_code two_bits(void)
{
    enum { TOP_BITS = RTR_HEAD_VC_BITS + (RTR_LENGTH_BITS ? RTR_LENGTH_BITS : RTR_MODE_BITS) };
    const bool frame = rng_below(&rng, 2);
    const unsigned bits = frame ? TOP_BITS : RTR_FLIT_BITS;
    const unsigned first = rng_below(&rng, bits);
    const rtr_code two = (rtr_code)((rtr_code)1 << first |
                                    (rtr_code)1 << (first + 1 + rng_below(&rng, bits - 1)) % bits);
    return frame ? (rtr_code)(two << (RTR_FLIT_BITS - TOP_BITS)) : two;
}

static rtr_code wrong_bits(bool two)
{
    return two ? two_bits() : ONE(rtr_code, RTR_CODE_BITS);
}

static bool flip_queue(struct tile *t, enum memory which, bool two)
{
    struct stage_queue *stage = &t->queue.stage;
    struct row_buffer *row = &t->sub.buffer[rng_below(&rng, RTR_COLS)];
    struct column_buffer *column = &t->mux.buffer[rng_below(&rng, RTR_ROWS)];
    const int at = which == STAGE_CODES      ? stage_flit(stage)
                   : which == STAGE_CONTROLS ? stage_control(stage)
                   : which == ROW_CODES      ? row_flit_at(row)
                   : which == ROW_CONTROLS   ? row_control(row)
                   : which == COLUMN_CODES   ? column_flit_at(column)
                                             : column_control(column);
    if (at < 0)
        return false;
    switch (which) {
    case STAGE_CODES:
        return FLIP(stage->codes[at], wrong_bits(two));
    case STAGE_CONTROLS:
        return FLIP(stage->controls[at], 1);
    case ROW_CODES:
        return FLIP(row->codes[at], wrong_bits(two));
    case ROW_CONTROLS:
        return FLIP(row->controls[at], 1);
    case COLUMN_CODES:
        return FLIP(column->codes[at], wrong_bits(two));
    default:
        return FLIP(column->controls[at], ONE(u4, 4));
    }
}

/* The word of a VC that the store reads next; its link counts only in the last but one of a block. */
static bool flip_store(struct inq_store *s, bool two)
{
    const unsigned v = rng_below(&rng, RTR_VCS), count = s->rd[v];
    if (!((unsigned)s->filled >> v & 1) || s->wr[v] == count)
        return false;
#if RTR_INQ_SHARED
    const unsigned size = 1 << INQ_BLOCK_LOG2, last = size - 1;
    const unsigned side = 2 * v + (count / size & 1);
    const unsigned block = (unsigned)s->moved_rd >> v & 1 ? s->rd_block[side] : v;
    const unsigned at = block * size + (count & last);
    const unsigned bits = (count & last) == last - 1 ? INQ_WORD_BITS : INQ_NEXT_AT;
    if (s->linked && s->link_at == side) /* the block is about to change */
        return false;
#else
    const unsigned at = (v << INQ_COUNT_BITS) + count, bits = INQ_WORD_BITS;
#endif
    return FLIP(s->buffer[at], two ? (inq_word)two_bits() : ONE(inq_word, bits));
}

static bool flip_blocks(struct inq_store *s)
{
#if RTR_INQ_SHARED
    const unsigned free = (uint8_t)(s->list_wr - s->list_rd) % (1u << INQ_BLOCK_BITS);
    if (free == 0)
        return false;
    const unsigned at = (s->list_rd + rng_below(&rng, free)) % (1u << INQ_BLOCK_BITS);
    return FLIP(s->list[at], ONE(inq_block_ecc_word, INQ_NEXT_BITS));
#else
    (void)s;
    return false;
#endif
}

static bool flip(enum memory which, bool two)
{
    struct tile *t = any_tile();
    struct route *route = &t->queue.route;
    const unsigned entry = rng_below(&rng, 1 << ROUTE_TABLE_LOG2);
    switch (which) {
    case STORE:
        return flip_store(&t->queue.store, two);
    case FREE_BLOCKS:
        return flip_blocks(&t->queue.store);
    case MINIMAL:
        return FLIP(route->minimal_table[entry],
                    ONE(route_ecc_word, ROUTE_ENTRY_BITS + ROUTE_ECC_BITS));
    case NONMINIMAL:
        return FLIP(route->nonminimal_table[entry],
                    ONE(route_ecc_word, ROUTE_ENTRY_BITS + ROUTE_ECC_BITS));
    case VC_MAP:
        return FLIP(route->vc_map[entry % (1 << ROUTE_MAP_LOG2)],
                    ONE(route_map_word, 4 * ROUTE_MAP_BITS));
    default:
        return flip_queue(t, which, two);
    }
}

/* ---- runs ---------------------------------------------------------------------------------------- */

static void step(void)
{
    bool marked[RTR_PORTS];
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        const struct port_out *o = &b.out->to_link[p];
        marked[p] = o->valid && o->tail && o->bad;
    }
    router_bench_step(&b);
    for (unsigned p = 0; p < RTR_PORTS; p++)
        marks += marked[p] && b.in.from_link[p].ready;
}

/* Loaded, with sinks that keep the buffers full for a while. */
static void start(uint64_t seed)
{
    router_bench_defaults(&config);
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        struct golden_route *route = router_bench_route(&config.plan, p);
        route->nonminimal = UINT64_C(1) << (p + 5) % RTR_PORTS;
        config.source[p].modes = 0x7f;
        config.source[p].min_length = 6; /* known again with some flits wrong */
        config.sink[p].drain = 0.7;
    }
    router_bench_start(&b, &config, seed);
    rng_seed(&rng, seed);
    taken_count = 0;
    marks = 0;
}

/* Flips made; then no more packets, and time for those under way to leave. */
static unsigned run(enum memory which, bool two, unsigned wanted)
{
    unsigned flips = 0;
    for (unsigned i = 0; i < 600; i++)
        step();
    for (unsigned n = 0; n < 20 * wanted && flips < wanted; n++) {
        flips += flip(which, two);
        for (unsigned i = 0; i < GAP; i++)
            step();
    }
    for (unsigned p = 0; p < RTR_PORTS; p++)
        b.source[p].stopped = true;
    for (unsigned i = 0; i < DRAIN; i++)
        step();
    return flips;
}

static void test_one(enum memory which, uint64_t seed)
{
    const bool tables = which >= MINIMAL, sure = !tables && which != FREE_BLOCKS;
    start(seed);
    const unsigned flips = run(which, false, tables ? TABLE_FLIPS : FLIPS);
    const bool drained = router_bench_drain(&b, 1);
    const uint64_t corrected = router_bench_count(&b, RTR_CORRECTED);
    const uint64_t fatal = router_bench_count(&b, RTR_FATAL);
    const bool counted = sure ? corrected <= flips && corrected * 100 > flips * 95u
                              : corrected > (which == FREE_BLOCKS ? 5 : 20);
    tap_note("%u words hit, %" PRIu64 " errors corrected, %" PRIu64 " packets", flips, corrected,
             b.golden.packets_out);
    struct misses noticed = {0};
    must_at_least(&noticed, flips, 21, "words hit");
    must(&noticed, counted, "%" PRIu64 " corrected of %u words hit", corrected, flips);
    must_equal(&noticed, fatal, 0, "uncorrectable errors");
    must_equal(&noticed, marks, 0, "tails marked");
    must(&noticed, drained, "not drained after %d clocks", DRAIN);
    must(&noticed, router_bench_clean(&b), "packets not as the golden router has them: %s",
         b.golden.first_error);
    /* holds router.codes */
    tap_misses(&noticed, "%s: a single-bit error is corrected, counted, and no packet knows",
               names[which]);
    router_bench_free(&b);
}

static void test_two(enum memory which, uint64_t seed)
{
    const struct golden_router *g = &b.golden;
    start(seed);
    const unsigned flips = run(which, true, FLIPS);
    const uint64_t fatal = router_bench_count(&b, RTR_FATAL);
    const uint64_t no_route = router_bench_count(&b, RTR_NO_ROUTE);
    const unsigned cuts = g->cuts;
    golden_router_settle(&b.golden);
    tap_note("%u words hit, %" PRIu64 " reported: %" PRIu64
             " tails marked, %u of them of cut packets, %" PRIu64 " packets dropped; %" PRIu64
             " in, %" PRIu64 " out",
             flips, fatal, marks, cuts, no_route, g->packets_in, g->packets_out);
    struct misses silent = {0}, others = {0};
    must_at_least(&silent, fatal, 21, "errors reported");
    must_equal(&silent, fatal, flips, "errors reported, of words hit");
    must_at_most(&silent, marks + no_route, fatal, "tails marked and packets dropped");
    must_at_least(&silent, (marks + no_route) * 100, fatal * 90 + 1,
                  "a hundred times tails marked and packets dropped");
    tap_misses(&silent, "%s: a double-bit error is reported", names[which]);
    must_equal(&others, g->corrupt, marks, "corrupt packets, of those marked; first: %s",
               g->first_error);
    must_equal(&others, g->packets_in - g->packets_out, no_route,
               "missing packets, of those dropped");
    must(&others, g->duplicated + g->misrouted + g->reordered + g->wrong == 0, "%s",
         g->first_error);
    /* holds router.bits */
    tap_misses(&others, "%s: that packet has its tail marked or is dropped, and it alone",
               names[which]);
    router_bench_free(&b);
}

int main(int argc, char **argv)
{
    static const enum memory doubles[] = {STORE, STAGE_CODES, ROW_CODES, COLUMN_CODES};
    const uint64_t seed = test_seed(argc, argv);
    for (enum memory m = 0; m < MEMORIES; m++)
        if (m != FREE_BLOCKS || RTR_INQ_SHARED)
            test_one(m, seed + m);
    for (unsigned i = 0; i < sizeof doubles / sizeof *doubles; i++)
        test_two(doubles[i], seed + i);
    return tap_done();
}
