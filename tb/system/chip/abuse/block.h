// SPDX-License-Identifier: Apache-2.0
/*
 * block.h - the golden model of what one process owns in the memory of its node: segments, rings, and in them slots that
 * one operation at a time may write.
 *
 * Every access of a NIC must be explained: a write by the operation that its slot waits for, each byte once, with its
 * value; a read by a segment that may be read. An operation whose end is not known, or is not OK, leaves its slot in
 * doubt: each of its bytes may still come, or not, until the episode is over.
 */
#ifndef ABUSE_BLOCK_H
#define ABUSE_BLOCK_H

#include "tb/base/harness.h"
#include "tb/system/chip/abuse/ring.h"
#include "tb/system/chip/abuse/verdict.h"

enum {
    SLOT_BYTES = 128,
    SLOTS_EACH = 4, /* of each node that sends */
    SLOTS = SLOTS_EACH * RING_NODES,
    LOCAL_SLOTS = 16,
    MESSAGE_BYTES = 64,
    HOT = 2, /* variables that all add to */
    HOT_MOST = 4096,
    RING_LOG2 = 6,
    RING_ENTRIES = 1 << RING_LOG2,
    BLOCK_BYTES = 0x4000,
    BLOCK_OWN = 0x3800, /* what a NIC may touch of it, at most */
    BLOCKS_AT = 0x8E00, /* so that slots lie over boundaries of 4 KB */
};

enum segment { PUTS, SOURCE, LOCAL, ATOMIC, MESSAGES, SEGMENTS };
enum { EVENTS_AT = 0x3400, TARGET_EVENTS_AT = 0x3600, HOT_AT = 0x200 };

/* Where a segment lies in its block. */
struct extent {
    unsigned at, bytes;
    bool read, write, atomic, event;
};
extern const struct extent extents[SEGMENTS];

enum slot_state { SLOT_FREE, SLOT_BUSY, SLOT_DOUBT };

struct slot {
    enum slot_state state;
    unsigned from, bytes;
    unsigned flag;            /* a word behind the data says 1 and the status, here; 0: none */
    uint32_t serial;          /* of a message */
    bool message, told, done; /* its event has come; its transaction is OK */
    bool any_below;           /* data are a number that a hot variable had */
    unsigned hot;
    struct block *other; /* of that variable */
    unsigned other_life;
    uint8_t data[SLOT_BYTES];
    bool written[SLOT_BYTES];
};

/* A variable of one process of another node: one atomic operation at a time. */
struct variable {
    enum slot_state state;
    uint64_t value, next;
    unsigned bytes;
    bool written;
};

/* A variable to which all add 1. */
struct hot {
    uint64_t value, begun, posted, ok;
    bool fetched[HOT_MOST];
};

struct block {
    struct verdict *verdict;
    uint8_t *memory; /* of its host, from the block on */
    char name[24];
    bool wild;                      /* its owner may write anything anywhere in it */
    bool segments_open, rings_open; /* not taken away */
    bool lossy;                     /* events to it may have been lost */
    unsigned life;                  /* which owner */
    struct slot put[SLOTS], message[SLOTS], local[LOCAL_SLOTS];
    struct variable variable[SLOTS];
    struct hot hot[HOT];
    uint8_t golden[BLOCK_OWN];
};

void block_start(struct block *b, struct verdict *v, uint8_t *memory, const char *name, bool wild);
/* A new owner, whose memory nobody has touched. */
void block_give(struct block *b, struct rng *rng);
/* The same owner begins again: rings are empty, and no get from before may still write. */
void block_restart(struct block *b);

/* An access of the NIC at a place of the block. */
void block_write(struct block *b, unsigned at, const uint8_t *data, unsigned bytes);
void block_read(struct block *b, unsigned at, unsigned bytes);

/* What a slot waits for from now on. */
void slot_wait(struct slot *s, unsigned from, const uint8_t *data, unsigned bytes);
/* Its operation is over: OK, or who knows. */
void block_settle_slot(struct block *b, struct slot *s, enum segment segment, unsigned index,
                       bool ok);
void block_settle_variable(struct block *b, unsigned index, bool ok);
/* Nothing comes any more: what is in doubt is as memory has it, and memory is as it must be. */
void block_compare(struct block *b);

#endif
