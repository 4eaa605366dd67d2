// SPDX-License-Identifier: Apache-2.0
/*
 * ledger.h - what became of every flit that links took, whatever happened to the links since.
 *
 * A golden flow follows one direction whose two ends live and die together. The ledger knows nothing of who is joined
 * to whom: it sees what each end takes, hands up and reports, when an end begins a new epoch and when one is reset,
 * and looks flits up by content. In the end each flit was delivered once, or reported by the end that took it, or
 * forgotten by an end that was reset; never delivered twice, nor behind a younger one of its sender.
 *
 * Of whole devices only the body flits of packets are recorded, for routers change heads; they may overtake each other, and
 * a device reports what others sent.
 */
#ifndef GOLDEN_LEDGER_H
#define GOLDEN_LEDGER_H

#include "tb/golden/link/link.h"

enum { LEDGER_ENDS = 32, LEDGER_BUCKETS = 1 << 12 };

struct ledger_flit {
    uint64_t flit;
    uint32_t next;   /* of its bucket, plus one */
    uint32_t packet; /* for the bench: whose flit it is */
    uint8_t sender;
    uint8_t delivered, reported;
    bool marked, forgotten;
};

/* One end, as a sender and as a receiver. */
struct ledger_end {
    uint32_t life;               /* number of the first flit that it took in its present life */
    uint64_t open;               /* flits that it took and of which nothing was heard */
    uint32_t heard[LEDGER_ENDS]; /* by sender: number of the last flit handed up here, plus one */
    unsigned left;               /* flits until the packet that it hands up ends */
    uint64_t filler;             /* zero flits in it that nobody sent */
    uint64_t arrived;            /* flits handed up that were sent */
};

struct ledger {
    bool devices;             /* whole devices, not links */
    struct ledger_flit *flit; /* in the order in which they were taken */
    uint32_t count, room;
    uint32_t bucket[LEDGER_BUCKETS];
    struct ledger_end end[LEDGER_ENDS];
    uint64_t delivered, reported, forgotten, cut;
    uint64_t looped; /* delivered to the end that sent them */
    uint64_t duplicated, reordered, corrupt;
    uint64_t wrong; /* marks and reports: whatever else should not be */
    char first_error[GOLDEN_TEXT];
};

/* Forgets everything, but keeps its memory; the first time all must be zero. */
void ledger_start(struct ledger *l);
void ledger_free(struct ledger *l);

void ledger_taken(struct ledger *l, unsigned end, uint64_t flit, bool marked);
void ledger_arrived(struct ledger *l, unsigned end, const struct golden_arrival *a);
void ledger_reported(struct ledger *l, unsigned end, uint64_t flit, bool bad);

/* The end begins a new epoch: what it takes from now on is of another life. */
void ledger_new_epoch(struct ledger *l, unsigned end);

/* The end is reset: nobody can tell any more what became of the flits that it took in this life. */
void ledger_reset(struct ledger *l, unsigned end);

/* A flit that an end had accepted, and perhaps acknowledged, and lost in a reset before it handed it up. */
void ledger_forgotten(struct ledger *l, uint64_t flit);

/* A whole device was reset: any flit may have been in it, of any end. */
void ledger_forget_all(struct ledger *l);

/* Flits that this end took, of this life or (all) of any, and of which nothing was heard. */
uint64_t ledger_open(const struct ledger *l, unsigned end, bool all);

#endif
