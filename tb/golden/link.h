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

/* ---- the micropacket ------------------------------------------------------------------------- */

enum {
    GOLDEN_SLOTS = 10,
    GOLDEN_FLIT_BITS = 48,
    GOLDEN_BITS = GOLDEN_SLOTS * GOLDEN_FLIT_BITS,
    GOLDEN_ACK = 0,
    GOLDEN_CREDIT = 1,
    GOLDEN_CLOCK = 2,
    GOLDEN_ANY = -1, /* a field that tails of every type have */
};

struct golden_field {
    const char *name;
    int type;            /* of the sideband, or GOLDEN_ANY */
    unsigned lsb, width; /* in the tail */
};

enum golden_field_name {
    FIELD_CRC,
    FIELD_SEQUENCE,
    FIELD_TYPE,
    FIELD_COUNT,
    FIELD_ACK,
    FIELD_NAK,
    FIELD_LOAD,
    FIELD_VC,
    FIELD_CREDITS,
    FIELD_PART,
    FIELD_TIME,
    FIELDS
};
extern const struct golden_field golden_tail[FIELDS];

uint64_t golden_get(uint64_t tail, enum golden_field_name field);
uint64_t golden_set(uint64_t tail, enum golden_field_name field, uint64_t value);

/* True when the generator divides the word; slot 0 comes first, bit 47 of a slot first. */
bool golden_micropacket_good(const uint64_t slot[GOLDEN_SLOTS]);

/* Puts the CRC that makes the word good into the tail, slot[9]. */
void golden_micropacket_close(uint64_t slot[GOLDEN_SLOTS]);

/* True when an error pattern, not all zero, is one that the CRC cannot see. */
bool golden_escapes(const uint64_t error[GOLDEN_SLOTS]);

#endif
