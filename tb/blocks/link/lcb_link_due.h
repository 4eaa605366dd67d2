// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_link_due.h - what lcb_link should do by the rules of the README's "Bring-up, re-initialisation, death", clock by clock.
 *
 * The rules are kept as dates and counts, and read the frames by a table of their own. One link at a time: `due` is its state.
 */
#ifndef TB_LINK_UNIT_LCB_LINK_DUE_H
#define TB_LINK_UNIT_LCB_LINK_DUE_H

#include "hls/link/lcb_link.h"
#include "tb/base/harness.h"

#include <inttypes.h>
#include <stdbool.h>

enum {
    PATIENCE = 512,   /* clocks that lanes which are not good yet are waited for */
    PROGRESS = 256,   /* good micropackets */
    ROUND_TRIP = 1024 /* until it is measured */
};
enum { HOLD = 24, TRIP_MOST = 4095 };

/* The peer's frame, and ours: fields by name. */
struct frame {
    unsigned epoch, rx_map, tx_map, fresh, used, ping, pong, shared;
    unsigned chip, port, echo;
};
/* What the rules say. */
struct due {
    enum link_state state;
    unsigned epoch, goal, rx_map, tx_map, shared;
    bool fresh, used, sent, flush;
    uint64_t began;     /* the first clock of this bring-up */
    uint64_t agreed;    /* clock in which START was entered */
    unsigned waited;    /* clocks with a good lane, and nothing but lanes to look at */
    unsigned bad;       /* CRC errors in a row */
    unsigned good;      /* micropackets in this bring-up */
    unsigned retries;   /* re-initialisations that nothing made up for */
    bool broken, spent; /* trouble enough, or too many of these: each known a clock later */
    unsigned ping, pong;
    unsigned echoes; /* pings that came back since the reset */
    uint64_t echoed; /* when the last ping came back; UINT64_MAX: none in this bring-up */
    unsigned trip, hold;
    bool late; /* this bring-up has used up its time */
    bool measured, reinit, died, clear;
    unsigned chip, port; /* the peer's, as it last agreed */
};

extern struct due due;

/* How often it came to that, since the program began. */
struct due_seen {
    uint64_t entered[7], waited, others, forgiven, died, reinits, withdrawn, strangers, crossed;
};

extern struct due_seen due_seen;

/* After a reset the link looks for lanes, in epoch 0, and nobody listens yet. */
void due_reset(uint64_t clock);

/* One clock with these inputs; what came from the peer in `peer`, with inputs->agreed, counts in the next one. */
void due_step(const struct lcb_link_in *inputs, const struct frame *peer, uint64_t clock);

/* A miss for each output, and each word of the frame sent with them, that is not that of the rules. */
void due_must_equal(struct misses *m, const struct lcb_link_out *o,
                    const struct lcb_link_in *inputs);

/* Ten bits of an identity: the chip's upper six on its lower ten, and the port's on those, lowest bit first. */
unsigned due_fold(struct link_identity who);

/* Data may be exchanged. */
bool due_runs(void);

#endif
