// SPDX-License-Identifier: Apache-2.0
/*
 * nic_actor.h - one process on node 0 that does one thing after the other, right or wrong, and looks what becomes of it, while the
 * random programs of other domains run beside it, or not.
 *
 * It has a descriptor, a domain, a queue and segments of its own, on each node, in memory that the golden model does not
 * watch: who uses it looks for himself.
 */
#ifndef NIC_ACTOR_H
#define NIC_ACTOR_H

#include "tb/system/nic/nic_channel.h"
#include "tb/system/nic/nic_program.h"

enum {
    ACTOR_NODES = 3,
    ACTOR_FMA = 6,
    ACTOR_DOMAIN = 9,
    ACTOR_QUEUE = 9,
    ACTOR_OTHER_QUEUE = 10, /* of the domain behind it */
    ACTOR_OFF_QUEUE = 11,   /* disabled */
    ACTOR_RING_LOG2 = 6,
    ACTOR_LIMIT = 2,                                        /* transactions in flight */
    ACTOR_NTT = 100,                                        /* entries that nobody else has */
    ACTOR_BYTES = 4096,                                     /* of each segment */
    ACTOR_EPOCH = NIC_TAGS <= 256 ? 1 << 10 : 4 * NIC_TAGS, /* at least 4 clocks for each tag */
    ACTOR_LATENCY = 20,                                     /* of host memory */
    ACTOR_PATIENCE = 20000,
    NO_EVENT = -1
};

/* Its handles, and behind them one that is not valid. */
enum {
    ACTOR_HERE = 40, /* where its gets go */
    ACTOR_THERE,
    ACTOR_FAULTY,    /* memory that fails on request */
    ACTOR_ALIEN,     /* of the domain behind it */
    ACTOR_READ_ONLY, /* these three in memory of their own, too */
    ACTOR_WRITE_ONLY,
    ACTOR_TRANSLATED,
    ACTOR_OUTSIDE, /* of the physical window */
    ACTOR_NONE
};

/* Where all of it lies; a segment is at actor_place of its handle. */
enum { ACTOR_AT = 8 << 20, ACTOR_END = ACTOR_AT + (1 << 20), ACTOR_RING_AT = ACTOR_AT };

/* Bits of STATUS. */
enum { WANTS_LOCAL = 1, WANTS_GLOBAL = 2, WANTS_TARGET = 4 };

struct actor {
    struct nic_bench *bench;
    struct golden_nic *golden;
    struct program *others;
    bool traffic;       /* the others begin transactions, too */
    uint64_t tag;       /* of its transaction: the data of the event that ends it */
    uint64_t ring_read; /* events that it took */
};

/* NICs with the actor's things in them, and others with these knobs; cover may be NULL. */
void actor_start(struct actor *a, uint64_t seed, const struct program_knobs *others,
                 struct nic_cover *cover);
/* Lets all end: checks that the NICs are drained and whole, and that the others did not notice. Then frees all. */
void actor_finish(struct actor *a, const char *where);

/* How long a host's memory takes. */
void actor_memory(struct actor *a, unsigned node, unsigned latency);
uint64_t actor_place(unsigned mdh);
/* The bytes of a segment of the actor's, on a node. */
uint8_t *actor_bytes(const struct actor *a, unsigned node, unsigned mdh);

void actor_run(struct actor *a, unsigned clocks);
/* A burst, until it is answered; false: SLVERR. */
bool actor_store(struct actor *a, struct driver_burst burst);
/* STATUS of its descriptor; word 0 of its queue's page. */
uint64_t actor_status(struct actor *a);
uint64_t actor_queue(struct actor *a);
/* That one store was dropped since STATUS was written, for this reason. */
bool actor_dropped(struct actor *a, unsigned reason);
uint64_t actor_counter(const struct actor *a, unsigned node, unsigned address);
/* So many more than `before` have been counted. */
bool actor_counted(const struct actor *a, unsigned node, unsigned address, uint64_t before,
                   uint64_t more);
/* Memory of a host answers with an error there, or says that data are wrong (poison); then it does so no longer. */
void actor_fault(struct actor *a, unsigned node, uint64_t from, uint64_t bytes, bool poison);
void actor_heal(struct actor *a, unsigned node);
/* The next event of its ring, or 0 after that many clocks. */
uint64_t actor_event(struct actor *a, unsigned clocks);
/* The status of the event that ends the transaction, or NO_EVENT. */
int actor_ending(struct actor *a);

/* Its descriptor, with or without an NTT block of two at ACTOR_NTT; and enabled, or not. */
void actor_descriptor(struct actor *a, bool enabled, bool ntt);
void actor_modes(struct actor *a, unsigned mdh, unsigned local, unsigned queue, unsigned command);
/* MODES, BASE, OPEN. */
void actor_begin(struct actor *a, unsigned to, unsigned mdh, uint64_t offset);
/* CLOSE of a transaction with the next tag. */
void actor_end(struct actor *a, unsigned wants);

/* A transaction of one put of 8 bytes, get of 8, or queue write: how it ended. */
int actor_put(struct actor *a, unsigned to, unsigned mdh, uint64_t offset);
int actor_get(struct actor *a, unsigned to, unsigned mdh, uint64_t offset, uint64_t local);
int actor_cqwrite(struct actor *a, unsigned to, unsigned mdh);
extern const uint8_t actor_data[64];

#endif
