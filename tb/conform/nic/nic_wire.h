// SPDX-License-Identifier: Apache-2.0
/*
 * nic_wire.h - NICs behind processor tiles: a fabric of flits for tb/system/nic/nic_bench.h.
 *
 * It does at its tiles what a router may do: it gives places of its input queues back when it likes, chooses a packet when the NIC
 * has room for it and brings its flits later. Each packet that comes out is read by the golden decoder, must answer what was asked, and
 * goes to the node that its head names, late, lost or damaged by knob.
 */
#ifndef TB_CONFORM_NIC_WIRE_H
#define TB_CONFORM_NIC_WIRE_H

#include "chip/endpoint.h"
#include "tb/golden/nic/nic_packet.h"
#include "tb/system/nic/nic_bench.h"

/* What makes the NIC of a node: ours, or somebody's. */
struct wire_design {
    void *(*make)(const struct wire_design *of, const char *instance);
    /* One clock; *out stays as it is until the next. */
    void (*step)(void *self, bool rst, const struct endpoint_in *in, struct endpoint_out *out);
    void (*free)(void *self);
};
extern const struct wire_design wire_ours; /* the native model */

struct wire_knobs {
    unsigned delay,
        delay_extra; /* clocks of a packet: delay + up to delay_extra; the same for all in ordered modes */
    double loss;   /* of a packet */
    double damage; /* of a packet to a design under test: a damaged one comes in its place */
    double hold;   /* chance per clock that no place is given back, no packet chosen */
};

/* How a damaged packet differs, and so which counter of its NIC counts it. */
enum wire_damage {
    DAMAGE_CODE,  /* a bit */
    DAMAGE_MARK,  /* other data, marked bad */
    DAMAGE_SHAPE, /* a flit too many, or a reserved bit that is not 0, its code right */
    DAMAGE_MODE,  /* mode SOURCE, its code right */
    DAMAGE_SUB,   /* for a NIC that is not there, its code right */
    WIRE_DAMAGES
};

/* What a design does that it must not. */
enum wire_fault { WIRE_PACKET, WIRE_ANSWER, WIRE_CREDIT, WIRE_READY, WIRE_FAULTS };
typedef void wire_complaint(void *whose, unsigned node, enum wire_fault fault, const char *text);

enum { WIRE_NODES = 4, WIRE_PIPE = 3, WIRE_FLITS = NIC_FLITS + 2, WIRE_TAGS = 1024 };

struct wire_packet {
    uint64_t due; /* the clock from which it may be chosen */
    unsigned flits, class;
    bool bad;
    uint64_t flit[WIRE_FLITS];
};

/* Packets on their way to one tile, in the order in which they were sent. */
struct wire_list {
    struct wire_packet *packet;
    unsigned count, room;
};

struct wire_tile {
    /* out of the NIC */
    struct wire_packet sending;
    unsigned length;  /* of it */
    unsigned used[2]; /* places of the router's input queue, by class */
    /* to the NIC */
    struct wire_list list;
    struct wire_packet going; /* its flits from `next` on; flits 0: none */
    unsigned next;
    struct port_out pipe[WIRE_PIPE]; /* [0] is driven */
    bool chose;                      /* in the clock before */
    unsigned stalled;                /* clocks without ready */
};

/* A request that was handed to a node, until it is answered. */
struct wire_request {
    bool there, lost;
    unsigned to, gen, bytes; /* bytes of data that answer it */
};

struct wire_node {
    const struct wire_design *design;
    bool tested; /* it is the design under test */
    void *nic;
    struct endpoint_in in;
    struct endpoint_out out;
    struct wire_tile tile[NL_TILES];
    struct wire_request request[WIRE_TAGS]; /* by tag, of this node */
    uint64_t damaged[WIRE_DAMAGES];         /* packets that came to it */
};

struct nic_wire {
    struct wire_knobs knobs;
    struct wire_node node[WIRE_NODES];
    wire_complaint *complain;
    void *whose;
    uint64_t packets[2], lost, damaged;
    uint64_t flits; /* that came out of NICs */
};

/* A bench of so many nodes, reset, wiped and enabled; bit n of `tested`: node n has the design, others ours. */
struct nic_bench *wire_bench_new(unsigned nodes, uint64_t seed, struct golden_nic *golden,
                                 const struct wire_design *design, unsigned tested);
struct nic_wire *wire_of(const struct nic_bench *b);
/* Requests that nobody has answered and that nobody lost. */
unsigned wire_unanswered(const struct nic_bench *b);
/* The first node and tile of a design under test without room for one of both classes, or -1. */
int wire_without_room(const struct nic_bench *b);

#endif
