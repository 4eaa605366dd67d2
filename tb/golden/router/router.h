// SPDX-License-Identifier: Apache-2.0
/*
 * router.h - the golden router: what must come out of a router, said without its tables, queues and busses.
 *
 * A plan says which ports lead to which destination and what VC a packet has behind its next hop. The bench
 * builds the router's tables from the plan; the golden router only reads the plan. It sees every flit
 * that enters and every flit that leaves, puts packets together by the length in their heads or by their ends, and looks for
 * each that leaves among those that entered, by content: so nothing here knows a queue, a credit or a
 * clock but to measure. What enters must leave once, whole, unchanged but for VC, phase and hop list, at a
 * port and on a VC that the plan allows, and in order where its mode promises that. What has an illegal
 * head or no route must never leave.
 *
 * Where the end frames a packet it may say that this was a copy with a transmit error: such a copy may leave once, marked bad,
 * or not at all. A packet with more flits than the longest is ended by the one behind, and marked bad.
 *
 * Packets of one flit hardly differ from each other. Those that are alike are exchangeable: any of them may
 * account for one that leaves, and their order is not judged.
 */
#ifndef GOLDEN_ROUTER_H
#define GOLDEN_ROUTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tb/golden/router/packet.h"

/* ---- plan ------------------------------------------------------------------------------------- */

enum {
    PLAN_PORTS = 64,
    PLAN_VCS = 8,
    PLAN_PHASES = 4,
    PLAN_TYPES = 4,
    PLAN_TEXT = 200,
};

/* Bit p: port p leads to the destination. Both 0: nothing does. */
struct golden_route {
    uint64_t minimal, nonminimal;
};

/* VC and phase of a packet behind its next hop. */
struct golden_hop {
    uint8_t vc, phase;
};

struct golden_plan {
    const struct golden_machine *machine;
    unsigned global, local;            /* of this router */
    struct golden_route here[4];       /* by sub: global and local are ours */
    struct golden_route in_group[256]; /* by local: global is ours, local is not */
    struct golden_route
        to_group[256]; /* by global, which is not ours; or by far, where there is one */
    struct golden_route to_near[32]; /* by near: far is ours, near is not */
    uint8_t type[PLAN_PORTS];        /* of a port, for the VC map */
    struct golden_hop vc_map[2][PLAN_TYPES][PLAN_VCS]
                            [PLAN_PHASES]; /* [non-minimal][type][vc][phase] */
};

/* A plan without routes; VC and phase stay as they are. */
void golden_plan_start(struct golden_plan *p, const struct golden_machine *m, unsigned global,
                       unsigned local);

/* ---- what entered and has not left ------------------------------------------------------------- */

struct golden_packet {
    uint64_t flit[PACKET_LONGEST]; /* as it must leave, the head with VC and phase 0 */
    unsigned length;
    uint64_t head;                /* as it came */
    uint64_t number;              /* of all that entered */
    uint64_t clock;               /* its head came */
    uint64_t minimal, nonminimal; /* ports that it may take */
    uint64_t key;                 /* of its content */
    unsigned input, vc, phase, mode;
    bool bad;     /* one of its flits was */
    bool copy;    /* it ended with a transmit error: it may leave once, marked bad, or not at all */
    bool refused; /* has an illegal head or no route, must not leave */
    bool alike;   /* there was another one of this content */
    uint32_t next;
};

/* A packet on its way through a port, flit by flit. */
struct golden_open {
    uint64_t flit[PACKET_LONGEST];
    unsigned length,
        count; /* equal between packets; where the end frames, length is 0 until that has come */
    uint64_t clock, dead; /* when its head came, and the ports that were dead then */
    bool bad;
    uint64_t head;
    bool copy;
    bool rest; /* it was too long and has been ended: this is what follows */
};

/* What enters at a port in a clock. */
struct golden_entering {
    uint64_t flit;
    bool bad;
    bool tail, cut; /* where the end frames: cut with a transmit error */
};

/* Last packet seen of one flow: ordered ones must not overtake, nor change their port. */
struct golden_order {
    uint64_t key, number;
    unsigned port;
};

/* What leaves at a port in a clock. */
struct golden_leaving {
    uint64_t flit;
    bool head, tail, bad;
};

/* A packet that left and had doubles: it may have been another of them. */
struct golden_twin {
    struct golden_packet packet;
    struct golden_open seen;
    unsigned port;
    uint64_t looked; /* number of the last look at it */
};

/* A packet that left as one flit, marked bad: a head that was corrupted, and nothing of the rest. */
struct golden_cut {
    uint64_t head;
    unsigned port;
};

enum { GOLDEN_RECENT = 1 << 16, GOLDEN_TWINS = 1 << 15, GOLDEN_CUTS = 1 << 10 };

struct golden_router {
    struct golden_plan plan;
    uint64_t dead;            /* ports that must not be taken ... */
    uint64_t before, learned; /* ... nor these, by packets whose head comes before that clock */
    struct golden_open in[PLAN_PORTS], out[PLAN_PORTS];
    struct golden_packet *pool;
    uint32_t pool_room, free_list;
    uint32_t *bucket; /* packets under way by content */
    struct golden_order *order;
    size_t order_room, order_count;
    uint64_t recent[GOLDEN_RECENT];        /* keys of packets that left */
    struct golden_twin twin[GOLDEN_TWINS]; /* the last of those that had doubles */
    uint64_t twins, looks;

    uint64_t packets_in, flits_in, flits_in_vc[PLAN_PORTS][PLAN_VCS];
    uint64_t packets_out, flits_out;
    uint64_t from[PLAN_PORTS], to[PLAN_PORTS]; /* flits delivered, by input and by output */
    uint64_t packets_from[PLAN_PORTS],
        packets_on[PLAN_PORTS][PLAN_VCS]; /* the same by input and VC of it */
    uint64_t pending;                     /* packets that entered, must leave and have not */
    uint64_t illegal, no_route;           /* packets that must not leave */
    uint64_t no_route_copies; /* of copies: such that have no route, if they are seen at all */
    uint64_t nonminimal;      /* packets that left at a port which is not minimal for them */
    uint64_t duplicated, corrupt, misrouted, reordered;
    struct golden_cut cut[GOLDEN_CUTS]; /* of the corrupt: what settle has to look at */
    unsigned cuts;
    uint64_t wrong;            /* marks, and packets that should have been dropped */
    struct golden_packet last; /* that left */
    uint64_t last_clock;       /* its head left */
    char first_error[PLAN_TEXT];
};

void golden_router_start(struct golden_router *g, const struct golden_plan *plan);
void golden_router_free(struct golden_router *g);

/*
 * Ports that packets whose head comes from clock `learned` on must not take. Those under way and those until then may
 * find them dead or alive. From now on flows may change their route.
 */
void golden_router_kill(struct golden_router *g, uint64_t dead, uint64_t learned);

/* A flit enters at a port; true when it is the last of its packet. */
bool golden_router_enters(struct golden_router *g, unsigned port, uint64_t flit, bool bad,
                          uint64_t clock);

/* The same where the end frames a packet. */
bool golden_router_enters_by_end(struct golden_router *g, unsigned port,
                                 const struct golden_entering *e, uint64_t clock);

/* A flit leaves at a port; true when it ends a packet that entered, which then is g->last. */
bool golden_router_leaves(struct golden_router *g, unsigned port, const struct golden_leaving *l,
                          uint64_t clock);

/* Packets that entered, have a route and did not leave; at the end of a run this must be 0. */
uint64_t golden_router_lost(const struct golden_router *g);

/* The one of them that entered first, null if there is none. */
const struct golden_packet *golden_router_oldest(const struct golden_router *g);

/*
 * When all has left: each packet that was cut to its head must be one of those that have not, with at most two bits
 * of the head wrong, at a port and on a VC where it may leave.
 */
void golden_router_settle(struct golden_router *g);

/* Nothing lost, duplicated, corrupt, misrouted, reordered or wrong. */
bool golden_router_clean(const struct golden_router *g);

#endif
