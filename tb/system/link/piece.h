// SPDX-License-Identifier: Apache-2.0
/*
 * piece.h - a piece of an error injection campaign: one run of the link bench from power-up until
 * so many micropackets went over the cables, with everything random from one seed.
 *
 * Cable lengths, skews, traffic and, if asked to, the bit error rate are drawn per piece. Lanes die
 * and come back. A piece ends early at an escape: from there on nothing can be expected to hold.
 */
#ifndef TB_PIECE_H
#define TB_PIECE_H

#include "tb/cosim.h"
#include "tb/system/link/link_bench.h"

struct piece_config {
    uint64_t micropackets; /* of both directions together */
    double ber;            /* below 0: drawn from 1e-7 to 1e-3 */
    double burst_rate;     /* per clock and direction */
    double lane_deaths;    /* per clock */
    double ack_loss, ack_forge;
    const struct cosim_module *cosim;
};

struct piece_result {
    uint64_t pieces, micropackets, clocks;
    uint64_t flits_sent, flits_delivered, flits_reported;
    uint64_t lost, duplicated, reordered, corrupt;
    uint64_t wrong; /* marks, reports, times, room: what else must not be */
    uint64_t escapes;
    double escapes_expected;
    uint64_t errored, bit_errors, bursts, lane_deaths, acks_lost, acks_forged;
    uint64_t crc_errors, replays, naks, timeouts, acks_refused, reinits, deaths;
    uint64_t mismatches, failed_checks;
    double native_seconds, rtl_seconds;
    uint64_t first_bad; /* number of the first piece with a fault, and its first error */
    char first_error[GOLDEN_TEXT];
};

/* The seed of piece number n of a campaign. */
uint64_t piece_seed(uint64_t campaign_seed, uint64_t n);

/* Runs piece number n. */
void piece_run(const struct piece_config *config, uint64_t campaign_seed, uint64_t n,
               struct piece_result *result);

/* Adds the figures of one more piece. */
void piece_add(struct piece_result *sum, const struct piece_result *more);

/* Nothing lost, duplicated, reordered, corrupt or wrong, no mismatch, no failed assertion. */
bool piece_good(const struct piece_result *p);

/* All figures as JSON, with the names that the reports have. */
cJSON *piece_json(const struct piece_result *p);

#endif
