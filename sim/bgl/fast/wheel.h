// SPDX-License-Identifier: Apache-2.0
/*
 * wheel.h - what happens in which clock: a ring of lists, one for each of the next clocks.
 *
 * Of a clock, what a node has set up for itself comes before what its neighbours send it: so a node sees the same order whoever simulates the
 * neighbours. What neighbours send in one clock is for different ports, and may come in any order.
 */
#ifndef SIM_BGL_WHEEL_H
#define SIM_BGL_WHEEL_H

#include <stdint.h>

#include "sim/bgl/fast/grow.h"

enum { WHEEL_SLOTS = 512 };

enum event_kind {
    EVENT_WAKE,    /* something may move */
    EVENT_LINK,    /* the link of a port will be free soon */
    EVENT_ACK,     /* an ack may be due on an idle link */
    EVENT_MISSED,  /* a packet may no longer go by its VC FIFO */
    EVENT_STORE,   /* a packet's header is in its VC FIFO */
    EVENT_DONE,    /* a channel's packet has left whole */
    EVENT_DELIVER, /* a packet is whole in a reception FIFO */
    EVENT_WORK,    /* the processor has time */
    EVENT_ARRIVE,  /* from a neighbour: a packet's header is in the pipe */
    EVENT_TOKENS,  /* from a neighbour: an ack with freed counts */
};

struct event {
    uint32_t node : 24, kind : 5, port : 3;
    uint32_t low, high; /* packet, channel; freed counts, a byte each */
};

struct event_list {
    struct event *event;
    uint32_t count, size;
};

struct wheel {
    struct event_list own[WHEEL_SLOTS], sent[WHEEL_SLOTS];
};

static inline void event_add(struct event_list *l, struct event e)
{
    if (l->count == l->size) {
        l->size = l->size ? 2 * l->size : 16;
        l->event = grow(l->event, l->size * sizeof *l->event);
    }
    l->event[l->count++] = e;
}

#endif
