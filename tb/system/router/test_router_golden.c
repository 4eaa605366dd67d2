// SPDX-License-Identifier: Apache-2.0
/*
 * test_router_golden.c - the golden router against the head fields of hls/router, and the bench against
 * faults.
 *
 * First: golden/router.c's table of fields must say the same as the accessors of hls/router/flit/packet.h,
 * which share nothing with it, and the sizes must be those of the machine. Second: a faultless crossbar
 * passes, and each fault it can have is named by the count that is meant for it, else the bench proves nothing when it
 * is silent. Third: the bound of what a router can carry, on traffic whose bound is known.
 *
 * Built for routers, p16, a16: san.
 */
#include <inttypes.h>

#include "tb/golden/router/maxflow.h"
#include "hls/router/flit/packet.h"
#include "tb/system/router/router_bench.h"
#include "tb/system/router/router_crossbar.h"

enum { ROUNDS = 20000 };

/* ---- layouts -------------------------------------------------------------------------------------- */

static uint64_t hls_field(enum packet_field field, uint64_t word)
{
    const rtr_flit head = (rtr_flit)word;
    switch (field) {
    case PACKET_VC:
        return head_vc(head);
#if RTR_LENGTH_BITS != 0
    case PACKET_LENGTH:
        return head_length(head);
    case PACKET_LIST:
        return (head_list)head_place_of(head);
#else
    case PACKET_LIST:
        return head & ((1U << HEAD_HOPS_AT) - 1);
    case PACKET_HOPS:
        return head_hops(head);
#endif
    case PACKET_MODE:
        return head >> HEAD_MODE_AT & ((1U << RTR_MODE_BITS) - 1);
    case PACKET_PHASE:
        return head_phase(head);
    case PACKET_GLOBAL:
        return head_global(head);
    case PACKET_LOCAL:
        return head_local(head);
    case PACKET_SUB:
        return head_sub(head);
    case PACKET_HASH:
        return head_hash(head);
    case PACKET_FAR:
        return RTR_NEAR_BITS ? head_global(head) >> RTR_NEAR_BITS : 0;
    case PACKET_NEAR:
        return head_global(head) & ((1U << RTR_NEAR_BITS) - 1);
    case PACKET_PLACE:
        return head_place_of(head);
    case PACKET_ONES:
        return (rtr_flit)(head >> HEAD_MODE_AT) & ((1U << RTR_MODE_BITS) - 1);
    default:
        return 0;
    }
}

static void sizes_agree(const struct golden_machine *m)
{
    struct misses wrong = {0};
    must_equal(&wrong, m->rows, RTR_ROWS, "rows");
    must_equal(&wrong, m->cols, RTR_COLS, "columns");
    must_equal(&wrong, m->vcs, RTR_VCS, "VCs");
    must_equal(&wrong, m->flit_bits, RTR_FLIT_BITS, "bits of a flit");
    must_equal(&wrong, m->longest, RTR_PACKET, "flits of the longest packet");
    tap_misses(&wrong, "sizes of %s are those of its configuration", m->name);
}

static void fields_agree(const struct golden_machine *m, struct rng *r)
{
    static const char *const name[PACKET_FIELDS] = {"vc",    "length", "mode", "phase", "global",
                                                    "local", "sub",    "hash", "far",   "near",
                                                    "place", "list",   "hops", "ones",  "own"};
    uint64_t covered = 0;
    for (enum packet_field f = 0; f < PACKET_FIELDS; f++) {
        const uint64_t mask = (UINT64_C(1) << m->field[f].width) - 1;
        struct misses wrong = {0};
        covered |= mask << m->field[f].lsb;
        for (unsigned i = 0; i < ROUNDS && f != PACKET_OWN; i++) {
            const uint64_t word = rng_next(r) >> (64 - m->flit_bits), value = rng_next(r);
            must_equal(&wrong, hls_field(f, word), packet_get(m, word, f), "of head %#" PRIx64,
                       word);
            must_equal(&wrong, hls_field(f, packet_set(m, word, f, value)), value & mask,
                       "of head %#" PRIx64 " with another value", word);
        }
        tap_misses(&wrong, "%s: field %s of the golden table is that of hls/router", m->name,
                   name[f]);
    }
    tap_equal(covered, (UINT64_C(1) << m->flit_bits) - 1, "%s: the fields cover the head", m->name);
}

/* Every word has the same mode on both sides, a head that is given a mode has it, and those are all of the machine. */
static void modes_agree(const struct golden_machine *m, struct rng *r)
{
    struct misses wrong = {0};
    unsigned modes = 0;
    for (unsigned i = 0; i < ROUNDS; i++) {
        const uint64_t word = rng_next(r) >> (64 - m->flit_bits);
        const unsigned mode = rng_bit(r, m->modes), is = packet_mode(m, word);
#if RTR_LENGTH_BITS == 0
        const uint64_t hops = packet_get(m, word, PACKET_HOPS);
        const bool none = is == PACKET_SOURCE && (hops == 0 || hops == 3);
        must_equal(&wrong, head_fits((rtr_flit)word), is != PACKET_MODES && !none,
                   "head %#" PRIx64 " fits", word);
        must_equal(&wrong, head_empties((rtr_flit)word), is == PACKET_SOURCE && hops == 1,
                   "head %#" PRIx64 " is taken off", word);
        if (is == PACKET_MODES)
            continue;
#endif
        modes |= 1U << is;
        must_equal(&wrong, head_mode((rtr_flit)word), is, "mode of head %#" PRIx64, word);
        must_equal(&wrong, packet_mode(m, packet_set_mode(m, word, mode)), mode,
                   "mode that head %#" PRIx64 " was given", word);
    }
    must_equal(&wrong, modes, m->modes, "modes, a bit each");
    tap_misses(&wrong, "%s: modes of the golden table are those of hls/router", m->name);
}

/* A head on its way: VC and phase replaced, a hop taken off the list. */
static void rewriting_agrees(const struct golden_machine *m, struct rng *r)
{
    struct misses wrong = {0};
    for (unsigned i = 0; i < ROUNDS; i++) {
        const uint64_t word = rng_next(r) >> (64 - m->flit_bits);
        const unsigned vc = rng_below(r, RTR_VCS);
        const unsigned phase = rng_below(r, 1u << m->field[PACKET_PHASE].width);
        const uint64_t list = packet_get(m, word, PACKET_LIST);
        const uint64_t on = packet_set(m, packet_set(m, word, PACKET_VC, vc), PACKET_PHASE, phase);
        must_equal(&wrong, head_on((rtr_flit)word, (rtr_vc)vc, (rtr_phase)phase), on,
                   "head %#" PRIx64 " on VC %u, phase %u", word, vc, phase);
        const uint64_t ones = UINT64_C(63) << (m->field[PACKET_LIST].width - 6);
        const uint64_t behind =
            packet_by_end(m)
                ? packet_set(m, packet_set(m, word, PACKET_LIST, list >> 6 & 63), PACKET_HOPS, 1)
                : packet_set(m, word, PACKET_LIST, list >> 6 | ones);
        must_equal(&wrong, head_hopped((rtr_flit)word), behind, "head %#" PRIx64 " behind a hop",
                   word);
        must_equal(&wrong, head_hop((rtr_flit)word), list & 63, "hop of head %#" PRIx64, word);
    }
    tap_misses(&wrong, "%s: a head that hls/router rewrites is the golden one", m->name);
}

/* ---- faults --------------------------------------------------------------------------------------- */

static struct router_bench b;
static struct router_bench_config config;

/* Two routes to every other destination, non-minimal ones, packets that are marked bad or go nowhere. */
static void mixed_traffic(void)
{
    router_bench_defaults(&config);
    config.model = &crossbar_model;
    config.knows_plan = true;
    config.plan.type[1 % RTR_PORTS] = 1;
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        struct golden_route *route = router_bench_route(&config.plan, p);
        struct source_config *s = &config.source[p];
        if (p % 2)
            route->minimal |= UINT64_C(1) << (p + 2) % RTR_PORTS;
        route->nonminimal = UINT64_C(1) << (p + 3) % RTR_PORTS;
        s->modes = 0xff;
        s->phases = config.plan.machine->field[PACKET_PHASE].width ? 3 : 1;
        s->bad = s->illegal = 0.02;
        s->bubble = 0.1;
        config.sink[p] =
            (struct sink_config){.guaranteed = 16, .shared = 32, .drain = 0.6, .ready = 0.8};
    }
    router_bench_route(&config.plan, 0)->minimal = router_bench_route(&config.plan, 0)->nonminimal =
        0;
}

/* What the bench says of the fault; the first that is true of a run names it. */
enum verdict { CLEAN, LOST, DUPLICATED, CORRUPT, MISROUTED, REORDERED, WRONG, ACCOUNTS };

static bool verdict_holds(enum verdict v)
{
    const struct golden_router *g = &b.golden;
    uint64_t accounts = 0;
    for (unsigned p = 0; p < RTR_PORTS; p++)
        accounts += b.source[p].credits.wrong + b.sink[p].charged.wrong + b.sink[p].unannounced +
                    credit_used(&b.source[p].credits);
    switch (v) {
    case LOST:
        return golden_router_lost(g) > 0;
    case DUPLICATED:
        return g->duplicated > 0;
    case CORRUPT:
        return g->corrupt > 0;
    case MISROUTED:
        return g->misrouted > 0;
    case REORDERED:
        return g->reordered > 0;
    case WRONG:
        return g->wrong > 0;
    case ACCOUNTS:
        return accounts > 0;
    default:
        return router_bench_clean(&b);
    }
}

static void fault(enum crossbar_fault fault, enum verdict verdict, const char *name, uint64_t seed)
{
    enum { CLOCKS = 144000 / RTR_PORTS, DRAIN = 20000 };
    crossbar_setup = (struct crossbar_setup){.plan = &config.plan, .fault = fault, .from = 1000};
    router_bench_start(&b, &config, seed);
    router_bench_run(&b, CLOCKS);
    const bool drained = router_bench_drain(&b, DRAIN);
    const bool named = verdict_holds(verdict), clean = router_bench_clean(&b);
    const struct golden_router *g = &b.golden;
    tap_why("%s, %s, %s after %" PRIu64 " packets, %" PRIu64 " illegal, %" PRIu64
            " without a route",
            named ? "named" : "not named", clean ? "clean" : "not clean",
            drained ? "drained" : "not drained", g->packets_out, g->illegal, g->no_route);
    tap_ok(named && (clean && drained) == (verdict == CLEAN) && g->packets_out > 500 &&
               g->illegal > 10 && g->no_route > 10,
           "%s: %s", name, g->first_error[0] ? g->first_error : "nothing to complain of");
    router_bench_free(&b);
}

static void faults(uint64_t seed)
{
    mixed_traffic();
    fault(CROSSBAR_GOOD, CLEAN, "a faultless crossbar is clean", seed);
    fault(CROSSBAR_LOSES, LOST, "a packet that never leaves is lost", seed);
    fault(CROSSBAR_DOUBLES, DUPLICATED, "a packet that leaves twice is a duplicate", seed);
    fault(CROSSBAR_FLIPS_HEAD, CORRUPT, "a bit of a head changes", seed);
    fault(CROSSBAR_FLIPS_BODY, CORRUPT, "a bit of a body changes", seed);
    fault(CROSSBAR_CUTS, packet_by_end(config.plan.machine) ? CORRUPT : WRONG,
          "the last flit is missing", seed);
    fault(CROSSBAR_MIXES, CORRUPT, "two packets exchange a flit", seed);
    fault(CROSSBAR_MISROUTES, MISROUTED, "a packet leaves at another port", seed);
    fault(CROSSBAR_OVERTAKES, REORDERED, "a packet overtakes one of its flow", seed);
    fault(CROSSBAR_CHANGES_ROUTE, MISROUTED, "a flow changes its route", seed);
    fault(CROSSBAR_CHANGES_VC, MISROUTED, "a packet leaves on another VC", seed);
    fault(CROSSBAR_PASSES, WRONG, "a packet without a route leaves", seed);
    fault(CROSSBAR_MARKS_HEAD, WRONG, "a body flit is marked as head", seed);
    fault(CROSSBAR_MARKS_NOT, WRONG, "a tail is not marked", seed);
    fault(CROSSBAR_MARKS, WRONG, "a good packet is marked bad", seed);
    fault(CROSSBAR_CLEANS, WRONG, "a corrupted packet is not marked", seed);
    fault(CROSSBAR_KEEPS_CREDIT, ACCOUNTS, "a credit never comes back", seed);
    fault(CROSSBAR_GIVES_CREDIT, ACCOUNTS, "a credit comes back twice", seed);
    fault(CROSSBAR_NO_ROOM, ACCOUNTS, "a packet is chosen without room", seed);
    fault(CROSSBAR_NO_START, ACCOUNTS, "a packet is not announced", seed);
}

/* ---- bound ---------------------------------------------------------------------------------------- */

static struct flow_matrix matrix;

static void bound(const char *name, double maximum, double concurrent)
{
    const double most = flow_maximum(&matrix), same = flow_concurrent(&matrix);
    tap_why("maximum flow %.4f, concurrent %.4f", most, same);
    tap_ok(most > maximum - 1e-3 && most < maximum + 1e-3 && same > concurrent - 1e-3 &&
               same < concurrent + 1e-3,
           "bound: %s", name);
    matrix = (struct flow_matrix){.rows = 6, .cols = 8};
}

static void bounds(void)
{
    enum { PORTS = 48 };
    matrix = (struct flow_matrix){.rows = 6, .cols = 8};
    for (unsigned i = 0; i < PORTS; i++)
        for (unsigned j = 0; j < PORTS; j++)
            matrix.demand[i][j] = 1.0 / PORTS;
    bound("uniform traffic passes", PORTS, PORTS);

    for (unsigned i = 0; i < PORTS; i++)
        matrix.demand[i][11] = 1;
    bound("one output takes one flit per clock", 1, 1);

    for (unsigned i = 0; i < 8; i++)
        for (unsigned r = 0; r < 6; r++)
            matrix.demand[i][r * 8 + 3] = 1.0 / 6;
    bound("a row to a column: six column busses", 6, 6);

    /* Port 0 sends half to 1 and half to 2; ports 8 and 16 fill 1: 2 stays free for the half of port 0. */
    matrix.demand[0][1] = matrix.demand[0][2] = 0.5;
    matrix.demand[8][1] = matrix.demand[16][1] = 1;
    bound("what one output refuses does not hold another up in a maximum flow alone", 1.5, 3 / 2.5);

    /* Two inputs of one row share the column bus to an output that has another bus idle. */
    matrix.demand[0][5] = matrix.demand[1][5] = 0.25;
    matrix.demand[8][5] = 0.25;
    bound("a column bus carries what two inputs of its row offer", 0.75, 0.75);
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    const struct golden_machine *m = router_bench_machine();
    struct rng r;
    rng_seed(&r, seed);
    sizes_agree(m);
    fields_agree(m, &r);
    modes_agree(m, &r);
    rewriting_agrees(m, &r);
    faults(seed);
    bounds();
    return tap_done();
}
