// SPDX-License-Identifier: Apache-2.0
/*
 * test_netlink.c - netlink between NICs and a router of a few lines: every packet of a NIC leaves once, by one tile, as the
 * golden encoder says; ordered ones keep their tile and their order; loads and shares; what comes from the router reaches
 * the NIC that it names; what is wrong is dropped for its own reason; a class that stands still holds only itself.
 *
 * Built for aries: fast; proto: san. Recorded for netlink, nl_entry, nl_receive, nl_send.
 */
#include "tb/blocks/nic/netlink/netlink_bench.h"

/* What a load has to show beside that nothing is wrong. */
static void look(struct bench *b, const struct load *load, uint64_t clocks)
{
    uint64_t flits = 0, tile[NL_TILES], in[NL_TILES], share[NL_NICS] = {}, arrived = 0;
    uint64_t out_by_class[2] = {}, in_by_class[2] = {};

    for (unsigned t = 0; t < NL_TILES; t++) {
        tile[t] = b->tile[t].total;
        in[t] = b->tile[t].arrived;
        flits += tile[t];
    }
    for (unsigned s = 0; s < NL_STREAMS; s++) {
        share[s >> 1] += b->flits[s];
        arrived += b->arrived[s];
        out_by_class[s & 1] += b->packets[s];
        in_by_class[s & 1] += b->arrived[s];
    }
    const double rate = (double)flits / (double)clocks;

    tap_note("%s: %.3f flits a clock out, tiles unequal by %.3f, NICs by %.3f; %llu packets in, "
             "tiles unequal by %.3f",
             load->name, rate, unfairness(tile, NL_TILES), unfairness(share, NL_NICS),
             (unsigned long long)arrived, unfairness(in, NL_TILES));
    for (unsigned s = 0; load->free[0] == 0 && s < NL_STREAMS; s += 2) {
        const struct nl_entry *entry = &netlink_dut.send.entry[s];

        must_at_least(&b->bugs, (nl_entry_count)(entry->wr - entry->rd),
                      (1 << NL_ENTRY_LOG2) - BEAT_ROOM + 1,
                      "stream %u: places at the entrance in use", s);
    }
    const double unequal = unfairness(tile, NL_TILES), unfair = unfairness(share, NL_NICS);

    must(&b->bugs, load->kind != 3 || (rate >= 0.98 && unfair <= 0.02),
         "%.3f packets a clock, NICs unequal by %.3f, expected 0.98 and 0.02", rate, unfair);
    /* holds netlink.equals */
    const bool light = load->begin[0] < 0.1; /* tiles have nothing to do, or one packet: in turn */

    if (load->adaptive && load->slow == 0 && load->kind != 3) {
        const double most = light ? 0.1 : 0.05;

        must(&b->bugs, light || rate >= 0.95 * NL_TILES, "%.3f flits a clock, expected %.3f", rate,
             0.95 * NL_TILES);
        must(&b->bugs, unequal <= most, "tiles unequal by %.3f, expected %.3f", unequal, most);
        must(&b->bugs, unfair <= 0.1, "NICs unequal by %.3f, expected 0.1", unfair);
    }
    if (load->slow != 0 && load->begin[0] < 1) {
        must_at_most(&b->bugs, b->waiting, 4 * clocks,
                     "packets that wait for the slow tile, summed");
    }
    if (load->slow != 0 && load->begin[0] == 1) {
        must(&b->bugs, rate >= 0.95 * (NL_TILES - 1) + load->slow,
             "%.3f flits a clock beside a slow tile, expected %.3f", rate,
             0.95 * (NL_TILES - 1) + load->slow);
    }
    for (unsigned c = 0; c < 2; c++) { /* class c stands still, and the other does not */
        if (load->free[c] == 0) {
            must_at_least(&b->bugs, out_by_class[1 - c], clocks / 20, "class %u out, other stands",
                          1 - c);
            must_at_least(&b->bugs, in_by_class[1 - c], clocks / 20, "class %u in, other stands",
                          1 - c);
        }
    }
    if (load->free[0] != 0 && load->free[1] != 0 && unfairness(in, NL_TILES) > 0.1) {
        miss(&b->bugs, "packets of some tiles are served before others: unequal by %.3f",
             unfairness(in, NL_TILES));
    }
}

int main(int argc, char **argv)
{
    static const struct load loads[] = {
        {"anything, full rate", 0, {1, 1}, 1, {1, 1}, {1, 1}, {1, 1}, 0, 0, 0, 0, 0, 0},
        {"anything, at random", 0, {.5, .5}, .7, {.5, .5}, {.5, .5}, {.6, .6}, 0, 0, 0, 0, 0, 0},
        {"slow router", 0, {1, 1}, 1, {.2, .2}, {1, 1}, {1, 1}, 0, 0, 0, 0, 0, 0},
        {"slow NICs", 0, {1, 1}, 1, {1, 1}, {1, 1}, {.2, .2}, 0, 0, 0, 0, 0, 0},
        {"ordered", 0, {1, 1}, .9, {.7, .7}, {1, 1}, {1, 1}, 0, 1, 0, 0, 0, 0},
        {"faults", 0, {.8, .8}, .9, {.9, .9}, {.9, .9}, {.9, .9}, .4, 0, 0, 0, 0, 0},
        {"puts, adaptive", 1, {1, 1}, 1, {1, 1}, {1, 1}, {1, 1}, 0, 0, 1, 0, 0, 0},
        {"a slow tile", 1, {1, 1}, 1, {1, 1}, {1, 1}, {1, 1}, 0, 0, 1, .1, 0, 0},
        {"a slow tile, light load", 1, {.05, .05}, 1, {1, 1}, {1, 1}, {1, 1}, 0, 0, 1, .1, 0, 0},
        {"light load, adaptive", 1, {.01, .01}, 1, {1, 1}, {1, 1}, {1, 1}, 0, 0, 1, 0, 0, 0},
        {"requests stand still", 0, {1, 1}, 1, {0, 1}, {1, 1}, {0, 1}, 0, 0, 0, 0, 0, 0},
        {"responses stand still", 0, {1, 1}, 1, {1, 0}, {1, 1}, {1, 0}, 0, 0, 0, 0, 0, 0},
        {"gets, adaptive", 2, {1, 1}, 1, {1, 1}, {1, 1}, {1, 1}, 0, 0, 1, 0, 0, 0},
        {"acks, adaptive", 3, {0, 1}, 1, {1, 1}, {1, 1}, {1, 1}, 0, 0, 1, 0, 0, 0},
        {"a wrong bit", 0, {.9, .9}, .9, {.7, .7}, {1, 1}, {1, 1}, 0, 0, 0, 0, 0, 1},
        {"double-bit errors", 0, {.9, .9}, .9, {.7, .7}, {1, 1}, {1, 1}, 0, 0, 0, 0, 0, 2},
    };
    struct rng rng;
    enum { CLOCKS = 30000 };

    rng_seed(&rng, test_seed(argc, argv));
    harness_clock = &netlink_now;
    for (unsigned i = 0; i < sizeof loads / sizeof *loads; i++) {
        netlink_bench_start(&netlink_bench, &rng);
        for (unsigned t = 0; t < CLOCKS; t++) {
            netlink_bench_clock(&netlink_bench, &rng, &loads[i]);
        }
        look(&netlink_bench, &loads[i], CLOCKS);
        netlink_bench_finish(&netlink_bench, &rng, &loads[i]);
        tap_misses(&netlink_bench.bugs, "%s", loads[i].name);
    }
    tap_ok(harness_covers("hls/nic/netlink/nl_receive.c") == 2 &&
               harness_covers("hls/nic/netlink/nl_send.c") == 1 &&
               harness_covers("hls/nic/netlink/nl_entry.c") == 4,
           "all covers are hit");
    return tap_done();
}
