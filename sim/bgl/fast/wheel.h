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

enum { WHEEL_SLOTS = 512, EVENT_BLOCK = 126 };

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

/* Blocks of events: a list takes as many as it needs, and gives them back when its clock is over. */
struct event_block {
    struct event_block *next;
    uint32_t count;
    struct event event[EVENT_BLOCK];
};

struct event_list {
    struct event_block *first, *last;
};

struct wheel {
    struct event_list own[WHEEL_SLOTS], sent[WHEEL_SLOTS];
    struct event_block *unused;
};

static inline void event_add(struct wheel *w, struct event_list *l, struct event e)
{
    struct event_block *block = l->last;
    if (!block || block->count == EVENT_BLOCK) {
        block = w->unused;
        if (block)
            w->unused = block->next;
        else
            block = grow(NULL, sizeof *block);
        block->next = NULL;
        block->count = 0;
        if (l->last)
            l->last->next = block;
        else
            l->first = block;
        l->last = block;
    }
    block->event[block->count++] = e;
}

/* The list is empty again. */
static inline void event_clear(struct wheel *w, struct event_list *l)
{
    if (!l->first)
        return;
    l->last->next = w->unused;
    w->unused = l->first;
    l->first = l->last = NULL;
}

#endif
