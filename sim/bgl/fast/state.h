// SPDX-License-Identifier: Apache-2.0
/*
 * state.h - what a node of the model is, and the threads that have them; for the files of this folder.
 *
 * A channel is where a packet waits for an arbiter: number 8 * port + VC of a receiver's VC FIFO, 8 * port + BYPASS of its bypass, INJECT + f of an
 * injection FIFO. Moves are sets of bits 8 * port + VC of the next link, in words of 64.
 */
#ifndef SIM_BGL_STATE_H
#define SIM_BGL_STATE_H

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>

#include "sim/base/random.h"
#include "sim/bgl/fast/model.h"
#include "sim/bgl/fast/wheel.h"

enum {
    STRIDE = 8,
    BYPASS = 7,
    INJECT = SHAPE_PORTS * STRIDE,
    CHANNELS = INJECT + MODEL_FIFOS,
    PATHS = 4,
    NONE = -1,
    RANGES = 3, /* thresholds between four ranges */
    SLQ_CLOCKS = 157,
    RANDOM_CLOCKS = 53,
};

/*
 * From a decision to what follows it, clocks. A hop from first byte to first byte is PIPE_BYPASS + TO_LINK = 20, or PIPE_STORED + TO_LINK = 26.
 */
enum {
    TO_LINK = 6,       /* first byte of the packet on the link; injection decides so early */
    EARLIER = 3,       /* receivers decide so much earlier, and their packet waits for the link */
    PIPE_BYPASS = 14,  /* first byte on the link to the decision of the bypass */
    PIPE_STORED = 20,  /* to that of the VC FIFO */
    PIPE_TOKENS = 21,  /* begin of an ack's gap word to its tokens in the account */
    BYPASS_CLOCKS = 2, /* the bypass asks so often */
    TO_FIFO = 6,       /* first byte in a reception FIFO */
    ALONE = 12,        /* gap word, ack, gap word of an ack without a packet */
};

struct queue {
    uint32_t tail;       /* packet, whose next is the first; 0: none */
    uint32_t left;       /* clock in which the packet that leaves began to */
    uint8_t held;        /* chunks of the packets that wait */
    uint8_t leaving;     /* chunks of the packet that leaves */
    uint8_t freed, told; /* chunks given back, and of these told to the sender; modulo 256 */
};

struct port {
    struct queue vc[MODEL_VCS];
    uint32_t bypass; /* packet that may go by, 0: none */
    uint32_t next;   /* clock in which the link can take a first byte */
    uint32_t tail,
        before; /* clocks in which the last packet from the link, and the one before, were accepted */
    uint32_t acked;     /* clock of the last ack */
    uint32_t check;     /* clock of the next EVENT_ACK */
    uint32_t reception; /* clock in which the bus to the reception FIFO is free */
    uint32_t bus[PATHS];
    uint32_t busy; /* clocks of the link */
    uint8_t tokens[MODEL_VCS];
    uint8_t comes;      /* VC of the last packet from the link */
    uint8_t by_vc;      /* VC whose packet went or may go by */
    uint8_t by_leaving; /* chunks of a packet that goes by */
    uint8_t got;        /* chunks in the reception FIFO */
    uint32_t read;      /* packets whole in it, as in struct queue */
};

struct node {
    uint64_t fronts;      /* channels with a packet that may ask */
    uint64_t asked;       /* those that made an offer in the clock of the last decision, and lost */
    uint64_t once, twice; /* moves for which there are tokens of a full packet, of two */
    uint64_t range[RANGES]; /* moves with tokens over each threshold */
    uint64_t once0, twice0; /* before the acks of this clock */
    uint32_t passed;        /* clock of the last decision */
    uint32_t touched;       /* clock in which it was last on the list */
    uint32_t busy_until;    /* of the processor */
    uint32_t asks;          /* clock in which the program is to be asked, 0: none is set up */
    struct place place;
    uint8_t acks;             /* ports with freed counts in this clock */
    uint8_t turn;             /* injection FIFO of the next packet */
    bool sent;                /* what the processor did last */
    bool done;                /* the program has nothing before something arrives */
    uint16_t front[CHANNELS]; /* what the packet of a channel may do: FRONT_ */
    struct queue inject[MODEL_FIFOS];
    struct port port[SHAPE_PORTS];
};

/* Of a front: hints 5:0, escape 11:6. */
enum {
    FRONT_ESCAPE = 6,
    FRONT_TWICE = 1 << 12, /* the escape asks for tokens of two full packets */
    FRONT_DYNAMIC = 1 << 13,
    FRONT_ARRIVED = 1 << 14,
    FRONT_DEPOSIT = 1 << 15,
};

/* What goes to a node of another thread. */
struct letter {
    uint32_t clock;
    struct event event;
    struct packet packet;
};

struct letters {
    struct letter *letter;
    uint32_t count, size;
};

/* What a worker has at the end of a window. */
struct left {
    uint64_t inside; /* packets made less those read: of all workers together the ones inside */
    uint64_t idle;   /* nodes whose program has nothing to send */
};

enum { CACHE_LINES = 128 /* bytes that processors fetch at once */ };

/* Some midplanes: those of a thread, or of a rank. */
struct worker {
    alignas(CACHE_LINES) struct model *model; /* not where its neighbour writes */
    unsigned number;
    struct wheel wheel;
    struct packet *packet;    /* number 0 is none */
    uint32_t packets, unused; /* size of the store; first of those free */
    uint32_t *list;           /* nodes touched in this clock */
    uint32_t listed;
    uint32_t now;
    struct left left;
    struct left shown[2];   /* to others, of this window and the one before */
    struct letters *out[2]; /* to each worker, likewise */
    unsigned side;          /* of this window */
    struct model_counts counts;
    struct model_point *point;
    uint32_t points;
    uint32_t nodes;
};

/* Where threads wait for each other. */
struct meeting {
    alignas(CACHE_LINES) atomic_uint here;
    alignas(CACHE_LINES) atomic_uint round;
    pthread_mutex_t mutex;
    pthread_cond_t over;
};

struct model {
    struct model_config config;
    struct node *node;
    unsigned workers;
    struct worker *worker;
    struct worker *own; /* the first one of this process */
    uint16_t *owner;    /* worker of each node */
    uint8_t cable[SHAPE_PORTS]
                 [SHAPE_MOST]; /* clocks, by port and the coordinate in its dimension */
    uint64_t moves[64];        /* dynamic moves by hints */
    uint8_t least[RANGES];     /* thresholds of tokens and fullness */
    uint32_t measured;         /* clock */
    uint32_t clock, until;
    struct meeting meeting;
    struct parcel *out, *in; /* to and from each rank */
    bool over;
};

/* Whether this process has the node. */
static inline bool is_here(const struct model *m, uint32_t node)
{
    return m->config.ranks->count == 1 || m->owner[node] == m->own->number;
}

static inline unsigned channel_of(unsigned port, unsigned vc)
{
    return port * STRIDE + vc;
}

/* Clocks of a packet on a bus. */
static inline uint32_t bus_clocks(unsigned chunks)
{
    return MODEL_CHUNK * chunks + 1;
}

/* Makes the store larger. */
void packet_more(struct worker *w);

static inline uint32_t packet_take(struct worker *w)
{
    if (!w->unused)
        packet_more(w);
    const uint32_t p = w->unused;
    w->unused = w->packet[p].next;
    return p;
}

static inline void packet_give(struct worker *w, uint32_t p)
{
    w->packet[p].next = w->unused;
    w->unused = p;
}

static inline void queue_put(struct worker *w, struct queue *q, uint32_t p)
{
    if (q->tail) {
        w->packet[p].next = w->packet[q->tail].next;
        w->packet[q->tail].next = p;
    } else
        w->packet[p].next = p;
    q->tail = p;
    q->held += w->packet[p].chunks;
}

static inline uint32_t queue_front(const struct worker *w, const struct queue *q)
{
    return q->tail ? w->packet[q->tail].next : 0;
}

static inline uint32_t queue_get(struct worker *w, struct queue *q)
{
    const uint32_t p = w->packet[q->tail].next;
    if (p == q->tail)
        q->tail = 0;
    else
        w->packet[q->tail].next = w->packet[p].next;
    q->held -= w->packet[p].chunks;
    return p;
}

/* An event of this node, so many clocks from now on. */
static inline void later(struct worker *w, uint32_t clock, enum event_kind kind, unsigned node,
                         unsigned port, uint32_t low)
{
    event_add(&w->wheel, &w->wheel.own[clock % WHEEL_SLOTS],
              (struct event){.node = node, .kind = kind, .port = port, .low = low});
}

/* What may be sure that a packet of the program is: its sums at the source and the destination are equal. */
static inline uint64_t packet_is(const struct shape *s, struct place to, unsigned tag,
                                 unsigned chunks)
{
    uint64_t state = (uint64_t)shape_node(s, to) << 24 | tag << 4 | chunks;
    return splitmix64(&state);
}

/* ---- of the files of this folder ---------------------------------------------------------------- */

/* Decides what moves in node n. */
void arbitrate(struct worker *w, struct node *n, uint32_t number, uint32_t now);

/* The packet that channel c may ask for has changed. */
void channel_front(struct worker *w, struct node *n, unsigned c);

/* Takes in what another worker has sent. */
void letter_take(struct worker *w, const struct letter *letter);

/* Parcels to other ranks, and from them. */
void border_new(struct model *m);
void border_free(struct model *m);
/* The end of a window, together: letters cross. Returns what all ranks have left. */
struct left border_cross(struct worker *w);

/* Channel c's packet goes to the next node by move `bit`. */
void link_grant(struct worker *w, struct node *n, uint32_t number, unsigned c, unsigned bit,
                uint32_t now);
/* Channel c's packet goes into the reception FIFO. */
void host_receive(struct worker *w, struct node *n, uint32_t number, unsigned c, uint32_t now);
/* Packet p from port q does. */
void host_take(struct worker *w, struct node *n, uint32_t number, unsigned q, uint32_t p,
               uint32_t now);
/* Channel c's packet begins to leave it. */
uint32_t channel_leave(struct worker *w, struct node *n, uint32_t number, unsigned c, uint32_t now);
/* To the node behind port p: what happens there at its port in that clock, and a packet or 0. */
void send_event(struct worker *w, const struct node *n, unsigned p, uint32_t clock, struct event e,
                uint32_t packet);

/* An ack goes out of port p if one is due and the link is idle. */
void link_ack(struct worker *w, struct node *n, uint32_t number, unsigned p, uint32_t now);
/* Sets the account of a link. */
void link_tokens(const struct model *m, struct node *n, unsigned port, unsigned vc,
                 unsigned tokens);
/* An ack gives back chunks of each VC, a byte each. */
void link_freed(struct worker *w, struct node *n, unsigned port, const struct event *e);
/* After the acks of a clock: which of them let a waiting packet go. */
void link_unblocked(struct worker *w, struct node *n);
void link_arrive(struct worker *w, struct node *n, uint32_t number, unsigned q,
                 const struct event *e, uint32_t now);
/* The header of a packet from port q is in the pipe; it was not granted there; it is in its VC FIFO. */
void link_missed(struct worker *w, struct node *n, uint32_t number, unsigned q, uint32_t p,
                 uint32_t now);
void link_store(struct worker *w, struct node *n, unsigned q, uint32_t p, uint32_t now);
void channel_done(struct worker *w, struct node *n, uint32_t number, unsigned c, uint32_t now);

/* The processor reads what has come and sends what the program wants, as long as it has time. */
void host_work(struct worker *w, struct node *n, uint32_t number, uint32_t now);
void host_deliver(struct worker *w, struct node *n, uint32_t number, unsigned q, uint32_t p,
                  uint32_t now);

#endif
