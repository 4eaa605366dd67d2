// SPDX-License-Identifier: Apache-2.0
/*
 * link.h - the golden link: what must come out, said without any of the machinery that does it.
 *
 * A flow is one direction of a link. The bench tells it every flit that the sender's LCB took, every
 * flit that the peer's LCB handed up and every flit that a dead link reported as not acknowledged;
 * the flow says whether each came exactly once, in order, unchanged and with its mark, if it was
 * marked bad, and no other was. Flits are compared by
 * content against a queue, so nothing here knows sequence numbers, windows or CRCs.
 *
 * The micropacket part is the format alone: its CRC by long division over the whole word of ten flits,
 * and an own table of the sideband's fields, which one test compares with the accessors of
 * hls/link.
 */
#ifndef GOLDEN_LINK_H
#define GOLDEN_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tb/golden/link/sizes.h"

/* ---- delivery -------------------------------------------------------------------------------- */

enum { GOLDEN_LOG = 1024, GOLDEN_TEXT = 160 };

struct golden_item {
    uint64_t flit;
    bool marked; /* bad */
};

struct golden_queue {
    struct golden_item *item;
    size_t head, count, room; /* room is a power of two */
};

struct golden_flow {
    struct golden_queue pending;        /* sent, not yet delivered, in order */
    struct golden_queue skipped;        /* passed over by a later delivery */
    struct golden_item log[GOLDEN_LOG]; /* what was sent last */
    unsigned left;                      /* flits until the open packet of the receiving side ends */
    uint64_t filler;                    /* zero flits in it that were not due */
    uint64_t sent, delivered;
    /* This death's report: its flits, those with their content, the number of its first one. */
    uint64_t listed, listed_whole, listed_from;
    uint64_t reported;      /* not delivered, and reported by the sender */
    uint64_t doubtful;      /* delivered, and reported all the same: its ack died with the link */
    uint64_t uncorrectable; /* reported without their content */
    uint64_t cut;           /* packets closed and marked bad */
    uint64_t marked;        /* delivered with the mark that they were sent with */
    uint64_t duplicated, reordered, corrupt;
    uint64_t wrong; /* marks, reports: whatever else should not be */
    char first_error[GOLDEN_TEXT];
};

/* What the receiving LCB hands up in a clock. */
struct golden_arrival {
    uint64_t flit;
    bool head, tail, bad;
};

void golden_flow_start(struct golden_flow *f);
void golden_flow_free(struct golden_flow *f);

void golden_sent(struct golden_flow *f, uint64_t flit, bool marked);
void golden_arrived(struct golden_flow *f, const struct golden_arrival *a);

/* bad: the flit was marked; or the sender's memory has lost it, then only its place counts. */
void golden_reported(struct golden_flow *f, uint64_t flit, bool bad);

/*
 * The link died and a new epoch begins, or will never begin: what was reported must be the last
 * flits sent, in order, and all that was not delivered must be among them. Nothing is under way
 * afterwards.
 */
void golden_died(struct golden_flow *f);

/*
 * The receiver was reset: the flits that it had accepted, and perhaps acknowledged, but not yet
 * handed up are gone with it, and so is its knowledge of an open packet.
 */
void golden_receiver_reset(struct golden_flow *f, unsigned accepted);

/* The sender was reset: what was under way is gone and nobody has to report it. */
void golden_forgotten(struct golden_flow *f);

/* Flits that were sent and neither delivered nor reported; at the end of a run this must be 0. */
uint64_t golden_lost(const struct golden_flow *f);

/* Nothing lost, duplicated, reordered, corrupt or wrong; what is still under way is lost. */
bool golden_clean(const struct golden_flow *f);

/* ---- the micropacket ------------------------------------------------------------------------- */

enum {
    GOLDEN_SLOTS = 10,
    GOLDEN_BITS = GOLDEN_SLOTS * GOLDEN_FLIT_BITS,
    GOLDEN_ACK = 0,
    GOLDEN_CREDIT = 1,
    GOLDEN_CLOCK = 2,
    GOLDEN_BAD = 3,   /* the fields of an ack; the last flit is marked */
    GOLDEN_ANY = -1,  /* a field that tails of every type have */
    GOLDEN_HEAD = -2, /* a field of a head flit */
};

struct golden_field {
    const char *name;
    int type;            /* of the sideband, or one of the above */
    unsigned lsb, width; /* in the tail or flit */
};

enum golden_field_name {
    FIELD_CRC,
    FIELD_SEQUENCE,
    FIELD_TYPE,
    FIELD_COUNT,
    FIELD_ACK,
    FIELD_NAK,
    FIELD_LOAD_HIGH, /* bits 6 to 3 of the load, in every tail */
    FIELD_LOAD_LOW,
    FIELD_VC,
    FIELD_STEPS, /* of 4 flits */
    FIELD_PART,
    FIELD_TIME,
    FIELD_HEAD_VC,
    FIELD_HEAD_LENGTH,
    FIELDS
};
extern const struct golden_field golden_fields[FIELDS];

/* Flits of a packet with its head: 0 stands for 16. */
unsigned golden_length(uint64_t head);

uint64_t golden_get(uint64_t word, enum golden_field_name field);
uint64_t golden_set(uint64_t word, enum golden_field_name field, uint64_t value);

/* Payload flits that a tail names: 0 if it says idle, whether with 0 or with more than there can be. */
unsigned golden_flits(uint64_t tail);

/* An idle tail whose sender holds nothing of the receiver's. */
bool golden_says_empty(uint64_t tail);

/* A tail with the fields of an ack. */
bool golden_has_ack(uint64_t tail);

/* True when the generator divides the word; slot 0 comes first, the highest bit of a slot first. */
bool golden_micropacket_good(const uint64_t slot[GOLDEN_SLOTS]);

/* Puts the CRC that makes the word good into the tail, slot[9]. */
void golden_micropacket_close(uint64_t slot[GOLDEN_SLOTS]);

/* True when an error pattern, not all zero, is one that the CRC cannot see. */
bool golden_escapes(const uint64_t error[GOLDEN_SLOTS]);

#endif
