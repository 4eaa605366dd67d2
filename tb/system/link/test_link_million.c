// SPDX-License-Identifier: Apache-2.0
/*
 * test_link_million.c - a million micropackets through random pieces of campaign.
 *
 * Bit errors from 1e-7 to 1e-3, bursts, lost and forged acks, lanes that die and come back, random
 * cables and traffic: lost, duplicated, reordered, corrupt must all be 0, apart from escapes, which
 * are counted beside their expected number.
 *
 * Built for aries: fast; seastar: fast.
 */
#include <inttypes.h>

#include "tb/system/link/piece.h"

enum { PIECES = 40 };

/* A piece in which a link goes down in the middle of a micropacket, whose rest looks like a tail. */
static void test_cut(void)
{
    const struct piece_config config = {
        .micropackets = 10000,
        .ber = -1,
        .burst_rate = 1e-5,
        .lane_deaths = 1e-4,
        .ack_loss = 0.01,
        .ack_forge = 0.5,
    };
    struct piece_result one;
    piece_run(&config, 1, 321, &one);
    tap_why("lost %" PRIu64 ": %s", one.lost, one.first_error);
    tap_ok(piece_good(&one) && one.reinits > 0 && one.acks_forged > 0,
           "a micropacket cut short forges no number: %" PRIu64 " re-initialisations", one.reinits);
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    const struct piece_config config = {
        .micropackets = 1000000 / PIECES,
        .ber = -1,
        .burst_rate = 1e-4,
        .lane_deaths = 1e-5,
        .ack_loss = 0.02,
        .ack_forge = 0.02,
    };
    static struct piece_result sum;
    for (uint64_t n = 0; n < PIECES || sum.micropackets < 1000000; n++) {
        struct piece_result one;
        piece_run(&config, seed, n, &one);
        piece_add(&sum, &one);
        if (!piece_good(&one))
            tap_note("piece %" PRIu64 " failed: %s", n, one.first_error);
    }
    tap_why("lost %" PRIu64 ", duplicated %" PRIu64 ", reordered %" PRIu64 ", corrupt %" PRIu64
            ", wrong %" PRIu64 ", failed checks %" PRIu64 "; first in piece %" PRIu64 ": %s",
            sum.lost, sum.duplicated, sum.reordered, sum.corrupt, sum.wrong, sum.failed_checks,
            sum.first_bad, sum.first_error);
    tap_ok(piece_good(&sum), "%" PRIu64 " micropackets, %" PRIu64 " flits delivered as sent",
           sum.micropackets, sum.flits_delivered);
    tap_why("%" PRIu64 " escapes, %.4f expected", sum.escapes, sum.escapes_expected);
    tap_ok((double)sum.escapes <= 10 * sum.escapes_expected + 2,
           "%" PRIu64 " escapes, %.4f expected", sum.escapes, sum.escapes_expected);
    tap_why("%" PRIu64 " errored, %" PRIu64 " lane deaths, %" PRIu64 " re-initialisations",
            sum.errored, sum.lane_deaths, sum.reinits);
    tap_ok(sum.errored > 40000 && sum.lane_deaths > 20 && sum.reinits > 20 && sum.bursts > 500 &&
               sum.acks_refused > 100,
           "with %" PRIu64 " micropackets with errors, %" PRIu64 " lane deaths, %" PRIu64
           " re-initialisations, %" PRIu64 " deaths",
           sum.errored, sum.lane_deaths, sum.reinits, sum.deaths);
    test_cut();
    return tap_done();
}
