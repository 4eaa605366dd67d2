// SPDX-License-Identifier: Apache-2.0
/*
 * traffic.h - the upper side of a link in a test: a source of packets and an input queue.
 *
 * The source makes packets of random length on random VCs, with gaps and bubbles, and starts one
 * only when the link says that the peer has room on that VC. Every flit carries its number, mixed
 * beyond recognition, so that no two of a run are alike. The sink is the input queue behind a
 * receiving LCB: it fills with what arrives, passes flits on at a chosen rate, and complains when
 * the sender used more space than was granted.
 */
#ifndef TB_TRAFFIC_H
#define TB_TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>

#include "tb/base/harness.h"
#include "tb/golden/link/sizes.h"

enum {
    TRAFFIC_VCS = 8,
    TRAFFIC_GUARANTEED = GOLDEN_GUARANTEED, /* flits of the input queue that belong to each VC */
    TRAFFIC_SHARED = 63 * 8,                /* that all of them share */
    TRAFFIC_MAX_LENGTH = 16,
};

struct traffic_config {
    double load;                     /* probability per clock that an idle source begins a packet */
    double bubble;                   /* that it has no flit in the middle of one */
    double mark;                     /* of each flit to be marked bad */
    unsigned min_length, max_length; /* flits of a packet with its head */
    uint8_t vcs;                     /* bit v: uses VC v */
    double drain;                    /* probability per clock that the sink passes a flit on */
    unsigned shared;                 /* flits of its space that all VCs share */
};

struct traffic_source {
    struct traffic_config config;
    struct rng rng;
    bool stopped;  /* finishes its packet, begins no other */
    bool offering; /* a flit is to be offered until it is taken */
    bool head;     /* it is a head, offered only while the peer has room */
    uint64_t flit;
    bool marked; /* the flit is marked bad */
    unsigned vc;
    unsigned left;  /* flits of this packet still to be offered, with the one offered */
    uint64_t flits; /* taken */
    uint64_t packets;
};

void source_start(struct traffic_source *s, const struct traffic_config *config, uint64_t seed);

/* Whether a flit is offered in this clock (s->flit); room has a bit per VC. */
bool source_offers(struct traffic_source *s, unsigned room);

/* The flit offered in this clock was taken. */
void source_taken(struct traffic_source *s);

struct traffic_sink {
    struct traffic_config config;
    struct rng rng;
    unsigned left, vc; /* of the packet coming in */
    unsigned queued[TRAFFIC_VCS];
    unsigned total, shared; /* flits queued, and of them in the shared space */
    unsigned next;          /* VC to be looked at first */
    uint64_t overflows;     /* flits for which there was no space */
    unsigned most_shared;
    uint64_t arrived[TRAFFIC_VCS];
};

void sink_start(struct traffic_sink *s, const struct traffic_config *config, uint64_t seed);
void sink_arrived(struct traffic_sink *s, uint64_t flit);

/* Passes at most one flit on; true if it did, from *vc. */
bool sink_frees(struct traffic_sink *s, unsigned *vc);

/* Reset: the queue is empty without anything being freed. */
void sink_empty(struct traffic_sink *s);

#endif
