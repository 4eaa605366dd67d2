// SPDX-License-Identifier: Apache-2.0
/*
 * router_traffic.h - what is at the other end of a router's ports in a test: sources and sinks.
 *
 * A source makes packets of random length, VC, mode and destination, and keeps the credits of the router's
 * input queue as the link does: so many flits of each VC are guaranteed, the others are shared. It begins
 * a packet only when there is credit for all of it. Body flits carry numbers mixed beyond recognition.
 * A sink is the input queue behind the link: it says for which VCs it has room, is charged for the longest
 * packet when the router says that one begins and for the real length when its head, or its end, shows, and passes flits
 * on at a chosen rate. Both count what must not happen.
 */
#ifndef TB_ROUTER_TRAFFIC_H
#define TB_ROUTER_TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>

#include "tb/golden/router/router.h"
#include "tb/base/harness.h"

/* ---- credits ----------------------------------------------------------------------------------- */

/* Places of an input queue, as whoever fills it counts them. */
struct credit_account {
    unsigned guaranteed, shared;
    unsigned used[PLAN_VCS], shared_used;
    uint64_t wrong; /* taken beyond what there is, or given back more than was taken */
};

unsigned credit_room(const struct credit_account *a, unsigned vc);
void credit_take(struct credit_account *a, unsigned vc, unsigned flits);
void credit_give(struct credit_account *a, unsigned vc, unsigned flits);

/* Places in use, all VCs together. */
unsigned credit_used(const struct credit_account *a);

/* ---- source ------------------------------------------------------------------------------------ */

/* Destination: field PACKET_PLACE, of which the bits in `any` do not matter and are now and then random. */
struct traffic_place {
    uint64_t place, any;
};

struct source_config {
    unsigned guaranteed, shared;     /* credits at the router's input queue */
    double load;                     /* flits per clock offered, up to 1 */
    double bubble;                   /* probability that a flit of a packet comes later */
    unsigned min_length, max_length; /* flits of a packet with its head */
    double
        shorts; /* share of packets of min_length, the others are of max_length; 0: all between */
    unsigned
        vc_length[PLAN_VCS]; /* flits of a packet on VC v; all 0: lengths as above on all VCs */
    unsigned vcs, modes,
        phases; /* bit masks of what is drawn from; modes that the machine has not do not count */
    unsigned hashes; /* number of hashes that the sender uses */
    uint64_t hops;   /* ports that source-routed packets go to */
    unsigned places;
    struct traffic_place place[PLAN_PORTS];
    double bad;     /* probability that a packet is marked bad */
    double illegal; /* that its head is illegal: VC or length */

    /* Where the end frames, probabilities of a packet: */
    double cut;   /* that a copy goes before it, which ends anywhere with a transmit error */
    double wrong; /* that the head of such a copy differs in one or two bits */
};

struct port_source {
    struct source_config config;
    const struct golden_machine *machine;
    struct rng rng;
    unsigned port;
    struct credit_account credits;
    bool stopped;        /* finishes its packet, begins no other */
    bool drawn, illegal; /* the next packet waits for credits; its head will be illegal */
    uint64_t head, flit; /* of this packet, and the flit that goes in this clock */
    unsigned left;       /* flits still to go */
    unsigned length, vc; /* vc: whose credits are charged */
    unsigned bad_at;     /* flits left at the one that is marked; 0: none */
    bool tail, cut;      /* where the end frames: of the flit that goes */
    unsigned copy;       /* flits of a copy that goes before the packet; 0: none */
    uint64_t damage;     /* bits of the copy's head that are wrong */
    uint64_t flits, packets, copies;
};

void source_begin(struct port_source *s, unsigned port, const struct golden_machine *m,
                  const struct source_config *config, uint64_t seed);

/* One clock: whether a flit goes into the router, s->flit; *bad says that it is marked. */
bool source_step(struct port_source *s, bool *bad);

/* ---- sink -------------------------------------------------------------------------------------- */

struct sink_config {
    unsigned guaranteed, shared; /* places of its queue */
    double drain;                /* flits per clock that it passes on */
    double ready;                /* probability that it takes a flit in a clock */
};

enum { SINK_STARTS = 8 };

struct port_sink {
    struct sink_config config;
    const struct golden_machine *machine;
    struct rng rng;
    struct credit_account charged; /* as the link keeps it */
    unsigned room, room_before;    /* VCs with room for any packet, now and a clock ago */
    unsigned spare, spare_before;  /* and for another besides it */
    bool ready;                    /* takes a flit in this clock */
    unsigned
        start[SINK_STARTS]; /* VCs of packets that were announced and have not shown, in order */
    unsigned starts;
    unsigned left,
        vc; /* of the packet that comes in; left, where the end frames: flits that it may still have */
    unsigned queued[PLAN_VCS], total, next;
    uint64_t flits;
    uint64_t unannounced; /* heads that no start went before, or one of another VC */
};

void sink_begin(struct port_sink *s, const struct golden_machine *m,
                const struct sink_config *config, uint64_t seed);

/* The router has chosen a packet of this VC for the link. */
void sink_started(struct port_sink *s, unsigned vc);

/* A flit comes over the link; tail counts where the end frames. */
void sink_takes(struct port_sink *s, uint64_t flit, bool tail);

/*
 * One clock: passes on at most one flit, and works out the room. The router is to see room_before and spare_before: the
 * link has them in registers, so they do not know of a packet that was chosen in the clock before.
 */
void sink_step(struct port_sink *s);

#endif
