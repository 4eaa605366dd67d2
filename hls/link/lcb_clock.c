// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_clock.c - the global clock's passage over the link.
 *
 * A SIDE_CLOCK body is {part 2, 13 bits}. Part 0 takes a snapshot, parts 1 to 3 send the rest of
 * it. The receiver keeps parts that come in order and 2^LCB_TURN_BITS micropackets apart, as they are
 * sent; one that is lost costs the whole snapshot.
 */
#include "link/lcb_clock.h"

typedef uint(CLOCK_PART_BITS) clock_bits;

HLS_RESET void lcb_clock_reset(struct lcb_clock *self)
{
    *self = (struct lcb_clock){};
}

static inline u2 part_number(lcb_body body)
{
    return (u2)(body >> CLOCK_PART_BITS);
}

HLS_MODULE void lcb_clock(struct lcb_clock *self, const struct lcb_clock_in *in)
{
    u2 number = part_number(self->out.part);
    u2 came = part_number(in->peer_part);

    /* sent comes a clock after the part was taken, when latest is already of a newer one. */
    if (in->sent) {
        self->rest = number == 0 ? self->rest : self->rest >> CLOCK_PART_BITS;
        number++;
    } else if (number == 0) {
        self->rest = self->latest;
    }
    self->latest = (uint(3 * CLOCK_PART_BITS))(in->now >> CLOCK_PART_BITS);
    self->out.part = (lcb_body)(((lcb_body)number << CLOCK_PART_BITS) |
                                (number == 0 ? (clock_bits)in->now : (clock_bits)self->rest));

    self->out.peer_now_valid = 0;
    self->since += in->verdict;
    if (in->verdict && self->since == 0 && !in->peer_part_valid) {
        self->awaited = 0;
    }
    if (in->peer_part_valid) {
        u1 follows = came == 0 || (came == self->awaited && self->since == 0);

        self->gathered >>= CLOCK_PART_BITS;
        self->gathered |= (lcb_time)(clock_bits)in->peer_part << (CLOCK_BITS - CLOCK_PART_BITS);
        self->awaited = follows ? (u2)(came + 1) : (u2)0;
        self->since = 0;
        if (came == 3) {
            self->out.peer_now_valid = follows;
            self->out.peer_now = self->gathered;
        }
    }
    if (!in->run) {
        self->awaited = 0;
    }
}
