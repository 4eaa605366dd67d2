// SPDX-License-Identifier: Apache-2.0
/*
 * nic_inside.h - what the two halves of the golden NIC share: nic.c, what is posted; nic_access.c, what is seen.
 */
#ifndef GOLDEN_NIC_INSIDE_H
#define GOLDEN_NIC_INSIDE_H

#include "tb/golden/nic/nic.h"

#define ADDRESSES  ((uint64_t)1 << 48)
#define EVENT_DATA (((uint64_t)1 << 56) - 1)

enum wanted_kind { WANT_WRITE, WANT_READ, WANT_EVENT, WANT_CHANGE };

/* Rights of a segment. */
enum gn_right { RIGHT_READ, RIGHT_WRITE, RIGHT_ATOMIC };

/* A place that atomic operations change: 4 or 8 bytes. */
struct variable {
    uint64_t address;
    unsigned bytes;
    uint64_t value;   /* as memory had it last */
    uint64_t *behind; /* what known changes have made of it since, one after the other ... */
    size_t behinds;   /* ... so many */
};

/* One access that shall happen once, or the halves of one at both sides of a page. */
struct wanted {
    enum wanted_kind kind;
    uint64_t address;
    unsigned bytes;
    uint8_t data[64]; /* WRITE */
    uint64_t seen;    /* bit i: byte i has been written or read */
    unsigned queue;   /* EVENT */
    uint64_t event;
    unsigned source;
    uint32_t statuses; /* bit s: status s is right */
    unsigned transaction;
    int operation;    /* index, or -1: an event of the transaction as a whole, or of a party */
    unsigned party;   /* of a reduction, from 1 on; 0: of none */
    bool optional;    /* its transaction timed out: may happen or not */
    unsigned channel; /* READ: of the descriptor of a buffer of this one, from 1 on; 0: of none */
    unsigned message; /* READ: of its bytes from `at` on; 0: of none */
    uint64_t at;
};

/* A message until it is whole at its receiver; bits are bytes of its buffer. */
struct message {
    unsigned transaction, to, channel;
    uint32_t source;
    bool immediate;
    uint64_t word, length;
    unsigned bytes, pieces; /* pieces: those that have not been read */
    unsigned buffers;       /* that came back without all of it */
    uint64_t begins[GN_LONGEST / 64], ends[GN_LONGEST / 64]; /* of packets */
    uint64_t read[GN_LONGEST / 64];
    uint8_t data[GN_LONGEST];
};

/* A buffer that has not come back. */
struct buffer {
    struct gn_buffer is;
    unsigned channel, number;
    uint64_t written[GN_LONGEST / 64];
    unsigned bytes; /* that are written */
    bool said;      /* its immediate word is, */
    uint64_t word;  /* this */
    bool begun;     /* something is; of one of these messages: */
    unsigned *may, mays;
    bool sure; /* of the one that is left, and no other buffer is its */
};

struct node {
    struct gn_segment segment[GN_SEGMENTS];
    struct gn_domain domain[GN_DOMAINS];
    struct gn_ring ring[GN_QUEUES];
    uint64_t posted[GN_QUEUES]; /* events so far */
    uint64_t window_base, window_size;
    uint64_t
        flag_rest; /* where the rest of a failed get's flag comes, which goes over a page's end ... */
    unsigned flag_rest_bytes; /* ... and how much, or 0 */
    struct wanted *wanted;
    size_t count, room;
    enum gn_rounding rounding;
    bool lazy; /* changes may be kept back */
    struct variable *variable;
    size_t variables, variable_room;
    unsigned torn; /* transactions that may have lost a store at most */
    struct buffer *buffer;
    size_t buffers, buffer_room;
    unsigned posted_buffers[GN_CHANNELS], fetched[GN_CHANNELS], returned[GN_CHANNELS];
    unsigned last_returned[GN_CHANNELS]; /* number of the latest one, plus 1 */
};

struct operation {
    struct gn_operation is;
    unsigned transaction;
    bool late;   /* its change may come to memory late, and with others */
    bool brings; /* an old value comes here */
};

struct transaction {
    unsigned node;
    uint8_t ptag;
    bool closed;
    struct gn_wants wants;
    uint32_t statuses; /* of operations that cannot be OK */
    unsigned left;     /* operations with effects that have not all been seen */
    unsigned there;    /* those of them that are a change of memory at their target */
    bool counted;      /* by its target, */
    int to;            /* which is this node; -1: nothing is yet */
    bool scattered;    /* or was another one, too */
    bool spoiled;      /* one of its packets will not be counted: no event there */
    bool told;         /* flag and event at the target are wanted, or were */
    bool flag_seen;    /* the flag was */
    bool over;
    bool doubtful;     /* it may fail */
    uint32_t failures; /* bit s: with status s, beside those of all; */
    bool gone;         /* its node forgot it */
    unsigned message;  /* that it is, from 1 on; 0: none */
};

/* An endpoint of a reduction that is complete. */
struct party {
    unsigned node, queue, transaction;
    uint64_t address, control, event;
    bool told; /* control is wanted; else its results */
    bool wants_event;
};

/* A join that waits for the others. */
struct joined {
    bool here;
    struct gn_join is;
    unsigned transaction;
};

struct tree_engine {
    struct gn_engine is;
    struct joined joined[GN_CHILDREN];
};

struct golden_nic {
    unsigned nodes;
    uint32_t
        failures; /* bit s: a doubtful transaction may end with status s, and then late or not at all */
    bool doubt[GN_NODES][GN_NODES]; /* from, to */
    bool parts;                     /* a write may be done in part */
    struct node *node;
    struct operation *operations;
    struct transaction *transactions;
    size_t operation_room, transaction_room;
    struct tree_engine *engine; /* by node and number, once there is one */
    struct party *parties;
    size_t party_count, party_room;
    struct message **message; /* null: whole */
    unsigned messages, message_room;
    unsigned *alive; /* numbers of those that may still get a buffer */
    size_t alive_count, alive_room;
    int last[GN_FLOWS]; /* operation of each flow whose write was seen last, or -1 */
    struct gn_count count;
};

/* What a handle and offset lead to, or why to nothing. */
struct reached {
    enum gn_status status;
    uint64_t address;
    const struct gn_segment *segment;
};

/* Remembers the first thing that was wrong, in words. */
__attribute__((format(printf, 2, 3))) void gn_wrong(struct golden_nic *g, const char *format, ...);
/* The segment that a handle of this domain names; virtually: through its vMDH. Then the same of a get's own data. */
struct reached gn_reach(const struct node *n, uint8_t ptag, bool virtually, unsigned mdh,
                        uint64_t offset, unsigned bytes, enum gn_right right);
struct reached gn_reach_local(const struct golden_nic *g, const struct operation *o);
void *gn_checked(void *memory);
/* New entries: any, a write of an operation, the flag of a get, the event of a message. */
struct wanted *gn_want(struct golden_nic *g, unsigned node);
void gn_want_write(struct golden_nic *g, unsigned node, uint64_t address, const uint8_t *data,
                   unsigned bytes, int operation);
void gn_want_flag(struct golden_nic *g, int index, enum gn_status status);
void gn_post_event(struct golden_nic *g, int index, const struct gn_segment *segment);
/* nic_target.c: something of a transaction cannot be; an operation of it is posted; a change of memory at its target is seen; the transaction is closed. */
void gn_spoil(struct transaction *t, enum gn_status status);
void gn_count_post(struct golden_nic *g, unsigned transaction, const struct gn_operation *o);
void gn_take_there(struct golden_nic *g, unsigned transaction);
void gn_close_there(struct golden_nic *g, unsigned transaction);
/* The event that ends a transaction says how: whether the one at its target must have come. */
void gn_confirm_there(struct golden_nic *g, unsigned transaction, unsigned status);
/* It need not come any more. */
void gn_excuse_there(struct golden_nic *g, unsigned transaction);
/* That event, or its flag. */
bool gn_is_target_event(const struct wanted *w);
bool gn_is_target_flag(const struct wanted *w);
/* The flag is written: its event may follow. */
void gn_follow_flag(struct golden_nic *g, unsigned transaction);
/* An event in a queue, of a source, with one of these statuses. */
void gn_want_event(struct golden_nic *g, unsigned node, unsigned queue, unsigned source,
                   uint64_t event, uint32_t statuses, unsigned transaction, int operation);
/* An entry is gone; the event that ends a transaction is; all effects of one may have been seen. */
void gn_forget(struct node *n, size_t at);
void gn_forget_last(struct golden_nic *g, unsigned transaction);
void gn_settle(struct golden_nic *g, unsigned transaction);
/* A get has read its data, or an atomic operation its variable: now they shall be written here. */
void gn_follow_read(struct golden_nic *g, int index, const uint8_t *data);
/* nic_reduce.c: a write of a party is seen. */
void gn_follow_party(struct golden_nic *g, unsigned party);
/* nic_send.c: a write of a buffer or of its descriptor is seen; a read of a message or a descriptor is; how many are still to come back. */
bool gn_take_buffer(struct golden_nic *g, unsigned node, uint64_t address, const uint8_t *data,
                    unsigned bytes);
void gn_follow_send_read(struct golden_nic *g, unsigned node, const struct wanted *w);
uint64_t gn_owed_buffers(const struct golden_nic *g, unsigned node);
void gn_free_messages(struct golden_nic *g);
/* nic_change.c: an operation waits for its variable; a write is one's change; a read brought what one was waiting for. */
void gn_post_change(struct golden_nic *g, int index);
bool gn_take_change(struct golden_nic *g, unsigned node, uint64_t address, const uint8_t *data,
                    unsigned bytes);
bool gn_take_variable(struct golden_nic *g, unsigned node, uint64_t address, const uint8_t *data,
                      unsigned bytes);
/* An old value comes to this node before its change is in memory: the write is wanted now. */
bool gn_take_early(struct golden_nic *g, unsigned node, uint64_t address, const uint8_t *data,
                   unsigned bytes);

#endif
