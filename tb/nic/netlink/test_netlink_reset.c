// SPDX-License-Identifier: Apache-2.0
/*
 * test_netlink_reset.c - NICs reset beside a netlink that lives, in front of each beat of what they send and of what comes for them, while the
 * other NICs and both directions are busy: a packet that was begun leaves with as many flits as its head says, zeros for what
 * is missing, marked bad; of one that comes nothing follows; nothing else is lost, joined or changed.
 *
 *     CLOCKS=n   of each load
 */
#include "tb/nic/netlink/netlink_bench.h"

/* Each packet of two beats and more was cut in front of each beat but the first: of that much there is nothing. */
static bool all_cut(unsigned (*cut)[BEATS + 1], unsigned from)
{
    bool all = true;

    for (unsigned beats = 2; beats <= BEATS; beats++) {
        for (unsigned at = from; at < beats; at++) {
            all = all && cut[beats][at] != 0;
        }
    }
    return all;
}

int main(int argc, char **argv)
{
    static const struct load loads[] = {
        {"full rate", 0, {1, 1}, 1, {1, 1}, {1, 1}, {1, 1}, 0, 0, 0, 0, .02, 0},
        {"at random", 0, {.7, .7}, .6, {.6, .6}, {.6, .6}, {.6, .6}, 0, 0, 0, 0, .02, 0},
        {"slow router", 0, {1, 1}, 1, {.2, .2}, {1, 1}, {1, 1}, 0, 0, 0, 0, .01, 0},
        {"slow NICs, ordered", 0, {1, 1}, .4, {1, 1}, {1, 1}, {.2, .2}, 0, 1, 0, 0, .01, 0},
        {"faults", 0, {.8, .8}, .9, {.9, .9}, {.9, .9}, {.9, .9}, .3, 0, 0, 0, .02, 0},
        {"puts of 64 bytes, acks", 1, {1, 1}, 1, {1, 1}, {1, 1}, {1, 1}, 0, 0, 1, 0, .02, 0},
        {"gets, data of 64 bytes", 2, {1, 1}, 1, {1, 1}, {1, 1}, {1, 1}, 0, 0, 1, 0, .02, 0},
    };
    struct bench *b = &netlink_bench;
    unsigned cut[2][BEATS + 1][BEATS + 1] = {}, dropped[2][BEATS + 1][BEATS + 1] = {};
    struct rng rng;
    unsigned clocks = (unsigned)test_number(argc, argv, "CLOCKS", 60000);

    rng_seed(&rng, test_seed(argc, argv));
    harness_clock = &netlink_now;
    for (unsigned i = 0; i < sizeof loads / sizeof *loads; i++) {
        netlink_bench_start(b, &rng);
        for (unsigned t = 0; t < clocks; t++) {
            netlink_bench_clock(b, &rng, &loads[i]);
        }
        netlink_bench_finish(b, &rng, &loads[i]);
        for (unsigned k = 0; k < 2 * (BEATS + 1) * (BEATS + 1); k++) {
            (&cut[0][0][0])[k] += (&b->cut[0][0][0])[k];
            (&dropped[0][0][0])[k] += (&b->lost_at[0][0][0])[k];
        }
        tap_why("%s, %llu times", b->why, (unsigned long long)b->bugs);
        /* holds netlink.goes_on, netlink.whole */
        tap_ok(b->bugs == 0, "%s", loads[i].name);
    }
    /* holds netlink.cut, netlink.rest: the bench compares each packet, here each place of a reset has been met */
    tap_ok(all_cut(cut[0], 1) && all_cut(cut[1], 1),
           "requests and responses of 2 to 5 beats cut in front of each of their beats");
    tap_ok(all_cut(dropped[0], 1) && all_cut(dropped[1], 1),
           "and of those that come, each in front of each beat, the rest is dropped");
    tap_ok(harness_covers("hls/nic/netlink/nl_receive.c") >= 1 &&
               harness_covers("hls/nic/netlink/nl_entry.c") >= 1,
           "covers of resets are hit");
    return tap_done();
}
