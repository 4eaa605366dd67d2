// SPDX-License-Identifier: Apache-2.0
/*
 * subswitch_row.h - which row a packet is for, in machines whose input queue leaves that open.
 *
 * Of the rows that the head names, one by its hash; for adaptive packets, of those that have the fewest flits in flight. The flits behind
 * a head follow it.
 */
#ifndef SUBSWITCH_ROW_H
#define SUBSWITCH_ROW_H

#include "router/cross/subswitch_sets.h"

#if RTR_TWO_STEP
/* One of the rows, the same for the same hash and each for as many hashes as the others. */
static inline rtr_row row_by_hash(rtr_rows rows, u3 hash)
{
    u4 ranks[RTR_ROWS];
    u4 count = 0;
    rtr_row row = 0;

    for (int r = 0; r < RTR_ROWS; r++) {
        ranks[r] = count;
        count += (u1)(rows >> r);
    }
    u3 rank = (u3)(((u7)hash * count) >> 3);

    for (int r = 0; r < RTR_ROWS; r++) {
        row |= (u1)(rows >> r) && ranks[r] == rank ? (rtr_row)r : (rtr_row)0;
    }
    return row;
}

/* The row of a head that leaves it open; bit {row, other} of lighter: other has less load. */
HLS_KEEP static rtr_row row_of_head(rtr_rows rows, u3 hash, u1 adaptive, cross_order lighter)
{
    rtr_rows least = 0;

    for (int r = 0; r < RTR_ROWS; r++) {
        u1 in_set = (u1)(rows >> r) && (rows & (rtr_rows)(lighter >> (r * RTR_ROWS))) == 0;

        least |= (rtr_rows)((rtr_rows)in_set << r);
    }
    return row_by_hash(adaptive ? least : rows, hash);
}

static inline rtr_row row_of(struct subswitch *self, const struct row_flit *flit, u1 ours,
                             int input)
{
    cross_all bit = at_input((cross_vcs)((cross_vcs)1 << flit->vc), input);
    u1 body = (self->arriving & bit) != 0;
    rtr_row head = row_of_head(flit->rows, flit->hash, flit->adaptive, self->lighter);
    rtr_row row = body ? self->row_of_packet[input][flit->vc] : head;

    if (ours) {
        self->row_of_packet[input][flit->vc] = row;
        self->arriving = flit->tail ? self->arriving & ~bit : self->arriving | bit;
    }
    return row;
}

/* Counts the flits in flight to each row, and compares the rows. */
static inline void weigh(struct subswitch *self, const struct subswitch_in *in)
{
    for (int r = 0; r < RTR_ROWS; r++) {
        self->load[r] += (cross_load)self->bus[r].sends - (cross_load)in->column_freed[r].valid;
    }
    self->lighter = 0;
    for (int r = 0; r < RTR_ROWS; r++) {
        for (int other = 0; other < RTR_ROWS; other++) {
            u1 less = self->load[other] < self->load[r];

            self->lighter |= (cross_order)((cross_order)less << (r * RTR_ROWS + other));
        }
    }
}
#else
static inline rtr_row row_of(struct subswitch *self, const struct row_flit *flit, u1 ours,
                             int input)
{
    (void)self;
    (void)ours;
    (void)input;
    return flit->row;
}

static inline void weigh(struct subswitch *self, const struct subswitch_in *in)
{
    (void)self;
    (void)in;
}
#endif

#endif
