// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_clock.c - the global clock's passage over the link.
 *
 * A SIDE_CLOCK body is {part 3, 8 bits}. Part 0 takes a snapshot, parts 1 to 6 send the rest of
 * it. They are sent 2^LCB_TURN_BITS micropackets apart, or a few more where gaps and marks come first. The
 * receiver keeps those that come in order and at most four times as far apart: one that is lost costs the
 * whole snapshot; the part of the same number in the next one comes seven times as far behind.
 */
#include "link/micropacket/lcb_clock.h"

typedef uint(CLOCK_PART_BITS) clock_bits;

HLS_RESET void lcb_clock_reset(struct lcb_clock *self)
{
    *self = (struct lcb_clock){};
}

static inline u3 part_number(lcb_body body)
{
    return (u3)(body >> CLOCK_PART_BITS);
}

HLS_MODULE void lcb_clock(struct lcb_clock *self, const struct lcb_clock_in *in)
{
    u3 number = part_number(self->out.part);
    u3 came = part_number(in->peer_part);

    /* sent comes a clock after the part was taken, when latest is already of a newer one. */
    if (in->sent) {
        self->rest = number == 0 ? self->rest : self->rest >> CLOCK_PART_BITS;
        number = number == CLOCK_LAST ? (u3)0 : (u3)(number + 1);
    } else if (number == 0) {
        self->rest = self->latest;
    }
    self->latest = (uint(CLOCK_BITS - CLOCK_PART_BITS))(in->now >> CLOCK_PART_BITS);
    self->out.part = (lcb_body)(((lcb_body)number << CLOCK_PART_BITS) |
                                (number == 0 ? (clock_bits)in->now : (clock_bits)self->rest));

    self->out.peer_now_valid = 0;
    if (in->verdict && self->since == CLOCK_APART - 1 && !in->peer_part_valid) {
        self->awaited = 0;
    }
    self->since += in->verdict;
    if (in->peer_part_valid) {
        u1 follows = came == 0 || came == self->awaited;

        self->gathered >>= CLOCK_PART_BITS;
        self->gathered |= (uint(CLOCK_ALL_BITS))(clock_bits)in->peer_part
                          << (CLOCK_ALL_BITS - CLOCK_PART_BITS);
        self->began = came == 0 ? (lcb_age)in->now : self->began;
        self->awaited = follows ? (u3)(came + 1) : (u3)0;
        self->since = 0;
        if (came == CLOCK_LAST && follows) {
            self->out.peer_now_valid = 1;
            self->out.peer_now = (lcb_time)self->gathered;
            self->out.peer_age = (lcb_age)((lcb_age)in->now - self->began);
        }
    }
    if (!in->run) {
        self->awaited = 0;
    }
}
