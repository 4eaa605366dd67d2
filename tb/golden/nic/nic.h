// SPDX-License-Identifier: Apache-2.0
/*
 * nic.h - the golden NIC: what puts, gets and messages between nodes mean, said without packets, tags or tables.
 *
 * It gets which segments and queues the nodes have and which operations their processes post, and then every write
 * and every read that a host's memory sees. Each access must be explained by exactly one operation that wanted it and
 * had not had it: a put's bytes at its segment, a get's read there, its data and flag here, an event in the next place
 * of a ring. So an access that is right but comes twice, or before what it tells of, is found too. Operations that
 * break a rule (design: memory.md, errors.md) want no access, and their transaction's event says why. Two reads of one
 * place at once cannot be distinguished, nor two writes of the same bytes, as flags of gets are: whoever posts gets avoids that.
 *
 * A whole transaction may want one event at its target: when all that it posted there, but for gets, is in memory, once, and only if
 * it can end with OK. What may fail on its way may leave it out, unless the source's event says OK. A flag is written before it, and
 * before that of the source.
 *
 * A reduction wants nothing until all endpoints of its tree have joined; then each wants its results, behind them the control word, behind that
 * its event.
 *
 * A message takes the next buffer of its channel, whichever message comes first; its bytes come there, each once, then its immediate word, the word that
 * says how it ended, then the buffer's event and that of its sender. A buffer comes back once. So each byte of a message is one that was read at its
 * sender. Of two at once from one node that are the same to the last byte and word one is taken for the other: whoever sends avoids that.
 *
 * An atomic operation wants its variable changed: each write there must be what one operation that waits makes of the value that the
 * variable has, whichever comes first; and then, if it fetches, the value before it written here. So of two at once that make the same of one value
 * it takes one, perhaps the other: whoever posts avoids those, too, and other operations on places of variables.
 */
#ifndef GOLDEN_NIC_H
#define GOLDEN_NIC_H

#include "tb/golden/nic/nic_amo.h"
#include "tb/golden/nic/nic_ce.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    GN_NODES = 16,
    GN_SEGMENTS = 4096,
    GN_DOMAINS = 256,
    GN_QUEUES = 1024,
    GN_FLOWS = 512,
    GN_CHANNELS = 4,
    GN_LONGEST = 4096, /* bytes of a message, or of a buffer */
    GN_TEXT = 200
};

/* Status of a response or event (errors.md, the first table). */
enum gn_status {
    GN_OK = 0,
    GN_UNCORRECTABLE = 1,
    GN_BAD_COMMAND = 2,
    GN_TRANSLATION = 3,
    GN_VMDH = 4,
    GN_MDD = 5,
    GN_PROTECTION = 6,
    GN_BOUNDS = 7,
    GN_SEQUENCE = 8,
    GN_TIMEOUT = 9,
    GN_DATA = 10,
    GN_UNREACHABLE = 11,
    GN_NO_BUFFER = 12,
    GN_BUS = 13,
    GN_OVERFLOW = 15,
};

struct gn_segment {
    bool valid, read, write, atomic, translated;
    uint64_t base, length; /* bytes */
    uint8_t ptag;
    uint16_t queue; /* of target events */
    bool event;     /* they are posted */
};

/* A protection domain whose handles are virtual. */
struct gn_domain {
    bool valid;
    uint16_t base, size;
};

struct gn_ring {
    bool enabled;
    uint64_t base; /* of 2^log2 events of 8 bytes */
    unsigned log2;
    uint8_t ptag;
};

enum gn_kind { GN_PUT, GN_GET, GN_MESSAGE, GN_CQWRITE, GN_AMO };

struct gn_operation {
    enum gn_kind kind;
    int to; /* node, or -1: there is none */
    uint16_t mdh;
    uint64_t offset;
    unsigned bytes;   /* 1 to 64; AMO: 4 or 8 */
    uint8_t data[64]; /* PUT, MESSAGE */
    uint64_t event;   /* MESSAGE, CQWRITE: 56 bits, of no other operation or transaction */
    unsigned opcode;  /* AMO */
    bool fetch;
    uint64_t a, b;
    uint16_t local_mdh; /* GET, AMO that fetches */
    uint64_t local_offset;
    bool flagged;
    unsigned
        flow; /* writes of one flow, less than GN_FLOWS, are seen in the order in which they were posted; 0: of none */
};

/* What a transaction wants when it is closed. */
struct gn_wants {
    bool local, global; /* an event here: all data has left; all is done */
    bool target;  /* an event at the target of all its puts, messages and atomic operations: */
    int to;       /* a node, or -1: there is none */
    uint16_t mdh; /* whose queue gets it */
    uint64_t target_event; /* 56 bits, of no other; nor is 0 */
    bool flag; /* eight bytes written there, before that event, in the segment of mdh: */
    uint64_t flag_offset, flag_value; /* of no other write at once */
    uint16_t queue;
    uint64_t event; /* 56 bits, of no other */
};

struct golden_nic;

/* What it counted. Missing ones only after gn_finish. */
struct gn_count {
    uint64_t transactions, operations;
    uint64_t writes, reads, events; /* explained */
    uint64_t unexplained;           /* accesses that nothing wanted, or not yet, or not any more */
    uint64_t extra_events;          /* those of them that are events */
    uint64_t missing_accesses, missing_events;
    uint64_t ordered, overtaken; /* writes of flows; those that came before one posted earlier */
    uint64_t timeouts;           /* transactions whose event said so */
    uint64_t by_status[16];      /* transactions by the status of their event */
    char first[GN_TEXT];         /* the first thing that was wrong */
};

/* bytes of 48-bit addresses; losses: packets may be lost, so a transaction may end with TIMEOUT, and late. */
struct golden_nic *gn_new(unsigned nodes, bool losses);
void gn_free(struct golden_nic *g);
/*
 * Memories of the NICs may have a double-bit error in a word: then any transaction may end late and with a status that says so, any
 * event may be lost (it is missing at the end), and a write may be done in part. What is written is right all the same.
 */
void gn_allow_wrong_bits(struct golden_nic *g);
/*
 * From now on, or no longer, what `from` asks of `to` may fail: a way is cut, or one of the two works no more. Transactions with an
 * operation between them in that time may end with TIMEOUT or UNREACHABLE, all others not.
 */
void gn_doubt(struct golden_nic *g, unsigned from, unsigned to, bool on);
/*
 * A node's NIC has been reset, and will get the same segments and rings again, from their first places on. Nothing of what it began is
 * wanted there any more; elsewhere that, and what others want of it, may still happen or not. Doubt is the caller's, before.
 */
void gn_restart(struct golden_nic *g, unsigned node);
/* CONTROL.enable of the node is 0 from now on: each transaction that it has begun may lose a store, and ends then with an event of data 0. */
void gn_stop(struct golden_nic *g, unsigned node);

/* Physical addresses of segments that are not translated must lie in [base, base + size). */
void gn_window(struct golden_nic *g, unsigned node, uint64_t base, uint64_t size);
void gn_segment(struct golden_nic *g, unsigned node, unsigned mdh, const struct gn_segment *s);
/*
 * From now on a node may keep changes of cached operations back, and write several at once: an operation may be answered before its change
 * is in memory, but nobody reads the variable before that. Operations there may not
 * forget what was before them, as SWAP does, nor be in any order, as sums, nor be lost: AX is such a one.
 */
void gn_lazy(struct golden_nic *g, unsigned node);
/* How a node's sums of floating point are rounded from now on. */
void gn_round(struct golden_nic *g, unsigned node, enum gn_rounding rounding);
void gn_domain(struct golden_nic *g, unsigned node, unsigned ptag, const struct gn_domain *d);
void gn_queue(struct golden_nic *g, unsigned node, unsigned queue, const struct gn_ring *r);

/* A transaction of a process of this domain begins; its number. counted: its OPEN said that its target counts its packets. */
unsigned gn_open(struct golden_nic *g, unsigned node, uint8_t ptag, bool counted);
void gn_post(struct golden_nic *g, unsigned transaction, const struct gn_operation *o);
void gn_close(struct golden_nic *g, unsigned transaction, const struct gn_wants *w);

/* A buffer for a message: the next one of its channel. */
struct gn_buffer {
    uint64_t address, bytes;
    uint64_t descriptor; /* where its 32 bytes lie */
    uint8_t ptag;
    uint16_t queue;
    bool event; /* one is posted there when it comes back */
};

/* A block transfer that is a message, or a part of one. */
struct gn_send {
    unsigned to, channel;
    uint32_t source;        /* the sender's address, as its receiver writes it down */
    uint64_t offset, bytes; /* in the buffer; 0 bytes or more */
    uint16_t local_mdh;     /* where they come from; nothing is wrong with that */
    uint64_t local_offset;
    bool immediate; /* a word comes with them: that of the last part counts */
    uint64_t word;
    bool
        crowded; /* there may be no buffer for it, or more messages at once than its receiver takes */
};

void gn_buffer(struct golden_nic *g, unsigned node, unsigned channel, const struct gn_buffer *b);
/* Buffers that are back; those whose descriptors were read, less these: so many messages find one. */
unsigned gn_returned_buffers(const struct golden_nic *g, unsigned node, unsigned channel);
unsigned gn_ready_buffers(const struct golden_nic *g, unsigned node, unsigned channel);
/* All that a transaction sends is one message. gn_restart knows nothing of messages. */
void gn_send(struct golden_nic *g, unsigned transaction, const struct gn_send *s);

/* Engine `engine` of a node in its tree; the root's has no parent. */
enum { GN_ENGINES = 4, GN_CHILDREN = 32 };

struct gn_child {
    bool endpoint;         /* a process of this node, or: */
    unsigned node, engine; /* an engine */
};

struct gn_engine {
    bool root, event;      /* event: each endpoint gets one */
    unsigned node, engine; /* its parent */
    unsigned rounding, children;
    struct gn_child child[GN_CHILDREN];
};

/* What an endpoint says when it joins. */
struct gn_join {
    unsigned engine, child, id, operation;
    struct gn_ce_value value;
    uint8_t ptag;
    uint16_t mdh; /* where its 24 bytes go, as a get's data */
    uint64_t offset;
    uint16_t queue;
    uint64_t event;
};

void gn_engine(struct golden_nic *g, unsigned node, unsigned engine, const struct gn_engine *e);
void gn_join(struct golden_nic *g, unsigned node, const struct gn_join *j);

/*
 * A host's memory took a write, or answered a read with these bytes (to the end of a line of 16). False if nothing wants
 * that now.
 */
bool gn_write(struct golden_nic *g, unsigned node, uint64_t address, const uint8_t *data,
              unsigned bytes);
bool gn_read(struct golden_nic *g, unsigned node, uint64_t address, const uint8_t *data,
             unsigned bytes);

/* Nothing comes any more: what is still wanted is missing. */
const struct gn_count *gn_finish(struct golden_nic *g);
const struct gn_count *gn_counts(const struct golden_nic *g);

/* Transactions that are closed and have not had all their events, and operations under way. */
uint64_t gn_waiting(const struct golden_nic *g);

#endif
