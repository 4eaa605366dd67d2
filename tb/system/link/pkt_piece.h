// SPDX-License-Identifier: Apache-2.0
/*
 * pkt_piece.h - a piece of the error injection in packet mode: two links with cables and traffic drawn from its seed, some thousand packets,
 * everything drained at its end.
 */
#ifndef TB_PKT_PIECE_H
#define TB_PKT_PIECE_H

#include "tb/system/link/pkt_bench.h"

struct pkt_piece {
    uint64_t packets;  /* handed in, both ways */
    uint64_t good;     /* came, soft ones among them */
    uint64_t reported; /* by a dead link */
    uint64_t lost, changed, wrong;
    uint64_t poisoned;      /* copies that were cut */
    uint64_t poisoned_good; /* of them handed up as good, or a good one as poisoned */
    uint64_t rolled_back, truncated, naks, timeouts, reinits, deaths, bit_errors, hits, escapes,
        mismatches, clocks;
    double escapes_expected;
    uint64_t first_bad; /* number of the piece, plus one */
    char first_error[200];
};

/* Piece n: at least so many packets, and a drain. ber below 0: drawn. cosim: in lockstep, or NULL. */
void pkt_piece_run(uint64_t seed, uint64_t n, uint64_t packets, double ber,
                   const struct cosim_module *cosim, struct pkt_piece *result);

void pkt_piece_add(struct pkt_piece *sum, const struct pkt_piece *one);

bool pkt_piece_good(const struct pkt_piece *p);

#endif
