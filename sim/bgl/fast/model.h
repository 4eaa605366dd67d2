// SPDX-License-Identifier: Apache-2.0
/*
 * model.h - the torus for speed: packets, tokens, busses and arbiters, no bytes and no errors.
 *
 * A clock is a byte time of a link. A node in which nothing can change costs nothing: everything is an event (wheel.h), and whenever something
 * of a node has changed its arbiters decide once (arbiter.c). A decision takes in one step what the hardware does in a pipeline; what follows it
 * comes as many clocks later.
 *
 * Nodes see each other only by what takes at least MODEL_WINDOW clocks. So threads, or ranks, that have some midplanes each run as many clocks
 * alone, and a node's random choices are drawn from its number and the clock: the result is the same for any number of them. Ranks call all
 * functions but model_new and model_free together, and each of them gets what holds for all.
 */
#ifndef SIM_BGL_MODEL_H
#define SIM_BGL_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/bgl/fast/shape.h"
#include "sim/engine/ranks/ranks.h"

enum {
    MODEL_FULL = 8,        /* chunks of a full packet */
    MODEL_CHUNK = 32,      /* bytes */
    MODEL_FRAME = 6,       /* bytes of the link beside a packet: valid byte, CRC-24, gap word */
    MODEL_ACK = 8,         /* bytes of an ack in front of a packet */
    MODEL_DYNAMIC = 4,     /* most dynamic VCs */
    MODEL_VCS = 6,         /* of a port: the dynamic ones, then one or two for the escape */
    MODEL_ESCAPE = 4,      /* the escape VC; the lower of a pair */
    MODEL_HIGHER = 5,      /* the higher of a pair */
    MODEL_FIFOS = 6,       /* for injection */
    MODEL_FIFO = 32,       /* chunks of an injection or reception FIFO */
    MODEL_WINDOW = 20,     /* clocks in which no node hears of another */
    MODEL_CABLE = 150,     /* clocks of a cable at most */
    MODEL_CLOCKS = 1 << 31 /* of a run, at most */
};

enum escape { ESCAPE_BUBBLE, ESCAPE_PAIR };
enum order { ORDER_DIMENSION, ORDER_DIRECTION };

/* 16 bytes. */
struct packet {
    uint32_t next; /* in a queue */
    uint32_t made; /* clock */
    struct place to;
    uint8_t hints;
    uint8_t chunks : 4, dynamic : 1, deposit : 1, relay : 1;
    uint8_t crossed : 3; /* datelines, a bit for each dimension */
    uint16_t tag;        /* the program's */
};

/* A packet that a program wants to send. */
struct call {
    struct place to;
    uint8_t hints; /* 0: of the shortest way */
    uint8_t chunks;
    bool dynamic, deposit;
    bool relay;  /* a mark of the program's */
    int8_t fifo; /* -1: any */
    uint16_t tag;
    uint32_t made; /* clock in which it came to be, for its response time */
};

/*
 * What nodes do. Of one node it is called by one thread, in the order of clocks.
 */
struct program_calls {
    void *self;
    /* The node's next packet, if there is one in clock `now`; else *wait: clocks until it asks again, 0: only after an arrival. */
    bool (*next)(void *self, unsigned node, uint32_t now, struct call *call, uint32_t *wait);
    /* The call that next gave could not be made: no injection FIFO had space. The same comes again. */
    void (*again)(void *self, unsigned node, const struct call *call);
    /* A packet was read by the node's processor. May be NULL. */
    void (*arrived)(void *self, unsigned node, uint32_t now, const struct packet *packet);
};

struct model_config {
    struct shape shape;
    unsigned dynamic; /* VCs */
    unsigned paths;   /* busses from a receiver to senders */
    unsigned chunks;  /* of a VC FIFO */
    unsigned bypass;  /* fullness of VC FIFOs below which packets may bypass them, chunks; 0: off */
    bool jsq, slq;    /* else all choices are random */
    bool gap;         /* injection sees a port free as early as receivers do */
    bool endless;     /* injection FIFOs without end */
    enum escape escape;
    enum order order;
    unsigned send, receive; /* clocks of a processor for a packet */
    unsigned delay;         /* clocks of a cable */
    unsigned racks;         /* more clocks for each rack that a cable between midplanes passes */
    unsigned threads;       /* 1 if there are several ranks */
    struct ranks *ranks;
    unsigned interval; /* clocks of a point of the series, 0: none */
    uint64_t seed;
    const uint8_t *
        dead; /* a byte for each node; a packet that goes to a dead one ends the program. Or NULL */
    struct program_calls program;
};

/* Counts of a thread, or of all. */
struct model_counts {
    uint64_t made, delivered; /* packets; delivered with the copies of broadcasts */
    uint64_t copies;          /* of broadcasts */
    uint64_t made_sum,
        delivered_sum; /* of what packets are: equal when all have come to where they should */
    uint64_t chunks;   /* delivered */
    uint64_t response, response_count; /* clocks, of packets made since model_measure */
    uint64_t hops[MODEL_VCS];          /* packets over a link, by VC */
    uint64_t busy[SHAPE_PORTS];        /* clocks of links, by direction */
    uint64_t bypassed, injected;       /* grants to packets in the pipe, to injection FIFOs */
    uint64_t stolen;                   /* grants to injection that a receiver could have had */
    uint64_t acks, alone;              /* acks, and those without a packet behind them */
    uint64_t returning;                /* acks that gave chunks back, */
    uint64_t freeing,                  /* by which a VC became available, */
        unblocking;                    /* and that let a waiting packet go */
    uint64_t held;                     /* chunks in VC FIFOs times clocks, modulo 2^64 */
    uint64_t events, passes;
    uint32_t last; /* clock of the last delivery */
};

/* Packets over links by VC, deliveries and acks of an interval. */
struct model_point {
    uint64_t delivered, hops[MODEL_VCS], returning, freeing, unblocking;
};

struct model;

/* Bytes that a model of so many nodes takes when it is full of packets. */
double model_bytes(const struct shape *s);

struct model *model_new(const struct model_config *config);
void model_free(struct model *m);

/* Simulates so many clocks; returns early, true, when no packet is inside and no node has one to send. */
bool model_run(struct model *m, uint32_t clocks);

/* Counts begin anew; response times are those of packets made from now on. */
void model_measure(struct model *m);

uint32_t model_clock(const struct model *m);
struct model_counts model_counts(const struct model *m);

/* Packets inside: in FIFOs, on links. */
uint64_t model_inside(const struct model *m);

/* Points of the series so far, the last one not whole; the caller frees *points. */
unsigned model_series(const struct model *m, struct model_point **points);

/* Clocks that the links of one direction were busy into nodes that `chosen` picks, from others; and how many links these are. */
uint64_t model_entries(const struct model *m, bool (*chosen)(const void *to, struct place p),
                       const void *to, unsigned *links);

#endif
