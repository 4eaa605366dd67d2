// SPDX-License-Identifier: Apache-2.0
/*
 * test_netlink_reset.c - NICs reset beside a netlink that lives, in front of each beat of what they send and of what comes for them, while the
 * other NICs and both directions are busy: a packet that was begun leaves with as many flits as its head says, zeros for what
 * is missing, marked bad; of one that comes nothing follows; nothing else is lost, joined or changed. A NIC that
 * is held in reset stops nobody: what comes for it is taken off as fast as it could take it.
 *
 * Built for aries: fast; proto: san.
 */
#include <limits.h>

#include "tb/blocks/nic/netlink/netlink_bench.h"

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

/* A tile that sends packets to NIC 0. */
struct pouring {
    uint64_t flit[NIC_FLITS];
    unsigned flits, at;
};

static struct port_out pour_flit(struct rng *rng, struct pouring *p, rtr_vcs room)
{
    const bool response = rng_below(rng, 2) != 0;
    struct nic_packet packet = nic_random(rng, response);
    struct port_out port = {};

    if (p->at == p->flits && (room >> (response ? RTR_VCS / 2 : 0) & 1) != 0) {
        packet.node = 0;
        p->flits = nic_encode(&packet, p->flit);
        p->at = 0;
    }
    if (p->at != p->flits) {
        port.valid = 1;
        port.head = p->at == 0;
        port.flit = (rtr_flit)p->flit[p->at++];
        port.tail = p->at == p->flits;
    }
    return port;
}

/* Packets for NIC 0 from all tiles, as fast as there is room: how many come in, and beats to that NIC, which has all room or is held in reset. */
static unsigned pour(struct rng *rng, bool held, unsigned clocks, unsigned *beats)
{
    struct pouring tile[NL_TILES] = {};
    unsigned packets = 0;

    *beats = 0;
    netlink_reset(&netlink_dut);
    for (unsigned i = 0; i < clocks; i++) {
        struct netlink_in in = {.first = 0};

        in.from_nic[0].reset = held;
        in.from_nic[0].room_request = in.from_nic[0].room_response = !held;
        for (unsigned t = 0; t < NL_TILES; t++) {
            in.from_tile[t] = pour_flit(rng, &tile[t], netlink_dut.out.to_tile[t].room);
            packets += in.from_tile[t].tail;
        }
        netlink(&netlink_dut, &in);
        netlink_now++;
        *beats += netlink_dut.out.to_nic[0].request.valid;
        *beats += netlink_dut.out.to_nic[0].response.valid;
    }
    return packets;
}

static void test_held(struct rng *rng, unsigned clocks)
{
    unsigned beats, all, taken;

    all = pour(rng, false, clocks, &beats);
    tap_ok(all > clocks / 8 && beats >= all, "a NIC takes %u packets, %u beats", all, beats);
    taken = pour(rng, true, clocks, &beats);
    /* holds netlink.held */
    tap_ok(taken >= all - all / 12 && beats == 0,
           "held in reset: %u packets are taken off, %u beats get there", taken, beats);
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
    uint64_t seed;
    unsigned clocks = 60000;

    test_options(argc, argv, &seed,
                 args_unsigned("--clocks", &clocks, 1, UINT_MAX, "clocks of each load"));
    rng_seed(&rng, seed);
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
        /* holds netlink.goes_on, netlink.whole */
        tap_misses(&b->bugs, "%s", loads[i].name);
    }
    test_held(&rng, clocks / 4);
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
