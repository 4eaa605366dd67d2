// SPDX-License-Identifier: Apache-2.0
/*
 * order.c - accepted and answered accesses, and when those before a settle are answered.
 *
 *   clock 0     CONTROL.settle is written
 *   clock 1     mark: rat_net and rat_local mark what they have read a table for
 *   clock 5...  both are through, and events whose queue was read, too: the numbers to wait for are taken
 *   then        each kind is done for good when it has reached its number, whatever else is accepted
 */
#include "nic/host/order.h"

HLS_RESET void order_reset(struct order *self)
{
    self->out = (struct order_out){};
    self->again = 0;
    self->marking = 0;
    self->net_marked = 0;
    self->local_marked = 0;
    self->waits = 0;
    for (int k = 0; k < ORDER_KINDS; k++) {
        self->marks[k] = 0;
    }
}

static inline void count(struct order *self, const struct order_in *in)
{
    struct order_counts *counts = &self->out.counts;

    for (int k = 0; k < ORDER_KINDS; k++) {
        counts->accepted[k] += (u1)(in->accepted >> k);
        counts->answered[k] += (u1)(in->answered >> k);
    }
}

/* Kinds that have not reached what they wait for. */
static inline order_kinds late(const struct order *self)
{
    order_kinds kinds = 0;

    for (int k = 0; k < ORDER_KINDS; k++) {
        u1 reached = order_reached(self->marks[k], self->out.counts.answered[k]);

        kinds |= (order_kinds)((order_kinds)(u1)!reached << k);
    }
    return self->waits & kinds;
}

/* After count: what comes in this clock is among what was accepted. */
static inline void settle(struct order *self, const struct order_in *in)
{
    u1 busy = self->marking || self->waits != 0;
    u1 wanted = in->settle | self->again;
    u1 begins = wanted && !busy;
    u1 marked = self->marking && self->net_marked && self->local_marked;

    self->waits = late(self);
    if (marked) {
        for (int k = 0; k < ORDER_KINDS; k++) {
            self->marks[k] = self->out.counts.accepted[k];
        }
        self->waits = (order_kinds) ~(order_kinds)0;
    }
    self->net_marked = !begins && (self->net_marked | in->net_marked) && !marked;
    self->local_marked = !begins && (self->local_marked | in->local_marked) && !marked;
    self->marking = begins || (self->marking && !marked);
    self->again = wanted && !begins;
    self->out.mark = begins;
    self->out.unsettled = self->marking || self->waits != 0 || self->again;
}

HLS_MODULE void order(struct order *self, const struct order_in *in)
{
    count(self, in);
    settle(self, in);
    hls_cover(self->again);
    hls_cover(self->net_marked != self->local_marked);
}
