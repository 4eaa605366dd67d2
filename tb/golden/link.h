// SPDX-License-Identifier: Apache-2.0
/*
 * link.h - the golden link: what must come out, said without any of the machinery that does it.
 *
 * A flow is one direction of a link. The bench tells it every flit that the sender's LCB took, every
 * flit that the peer's LCB handed up and every flit that a dead link reported as not acknowledged;
 * the flow says whether each came exactly once, in order and unchanged. Flits are compared by
 * content against a queue, so nothing here knows sequence numbers, windows or CRCs.
 *
 * The micropacket part is the format alone: its CRC by long division over the whole 480-bit word,
 * and an own table of the sideband's fields, which one test compares with the accessors of
 * hls/link.
 */
#ifndef GOLDEN_LINK_H
#define GOLDEN_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- delivery -------------------------------------------------------------------------------- */

enum { GOLDEN_HISTORY = 1024, GOLDEN_TEXT = 160 };

struct golden_queue {
    uint64_t *item;
    size_t head, count, room; /* room is a power of two */
};

struct golden_flow {
    struct golden_queue pending; /* sent, not yet delivered, in order */
    struct golden_queue skipped; /* passed over by a later delivery */
    uint64_t history[GOLDEN_HISTORY];
    uint64_t sent, delivered, reported;
    uint64_t duplicated, reordered, corrupt; /* lost is what golden_lost counts */
    char first_error[GOLDEN_TEXT];
};

void golden_flow_start(struct golden_flow *f);
void golden_flow_free(struct golden_flow *f);

void golden_sent(struct golden_flow *f, uint64_t flit);

/* Returns true when the flit was the one due. */
bool golden_delivered(struct golden_flow *f, uint64_t flit);

/*
 * The link died: the sender reports that its oldest not acknowledged flits are `count` in number.
 * What was sent and neither delivered nor among them is lost; a flit may be both delivered and
 * unacknowledged (its ack died with the link), which the caller states as `doubtful`: the number
 * of reported flits that the flow has seen delivered already. The flow is empty afterwards.
 */
struct golden_death {
    uint64_t reported, undelivered, doubtful;
    bool complete; /* every flit not delivered is among the reported ones */
};
struct golden_death golden_died(struct golden_flow *f, uint64_t reported);

/* Flits that were sent and neither delivered nor reported; at the end of a run this must be 0. */
uint64_t golden_lost(const struct golden_flow *f);

/* Nothing lost, duplicated, reordered or corrupt, counting what is still under way as lost. */
bool golden_clean(const struct golden_flow *f);

#endif
