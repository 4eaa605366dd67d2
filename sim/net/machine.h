// SPDX-License-Identifier: Apache-2.0
/*
 * machine.h - what software knows of one machine's router: sizes, table words, VC map, head flit.
 *
 * machine.c is compiled once per machine from hls/config/ and the accessors of hls/router/, so every
 * number and every field has its one place there. The rest of sim/ is plain C11 and sees this alone.
 */
#ifndef SIM_MACHINE_H
#define SIM_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/net/machines.h"

enum {
    MACHINE_PORTS = 64,       /* most ports of any machine */
    MACHINE_COLS = 8,         /* most columns */
    MACHINE_VCS = 8,          /* most VCs */
    MACHINE_PHASES = 4,       /* most values of a packet's phase */
    MACHINE_TYPES = 4,        /* values of a candidate's type */
    MACHINE_DRAWS = 4,        /* table entries per destination */
    MACHINE_CANDIDATES = 2,   /* candidates per table entry */
    MACHINE_GLOBALS = 1 << 12 /* most groups that a head can name */
};

/* A candidate: the rows of a column (one row, unless the machine routes in two steps) and its type. */
struct candidate {
    bool valid;
    uint8_t col;
    uint8_t rows; /* a mask */
    uint8_t type;
};

/* What the VC map answers: with which VC and phase a packet goes on. A VC that the machine lacks drops the packet. */
struct hop {
    unsigned vc, phase;
};

enum { HOP_DROPS = 7 }; /* such a VC, of machines with less than eight */

/*
 * The fields of a head flit; see hls/router/flit/packet.h. A machine without non-minimal routes takes MODE_OF_NONMINIMAL for
 * MODE_OF_MINIMAL; one whose packets are framed by their ends does not look at the length.
 */
struct head {
    unsigned vc, length, mode, phase, global, local, sub, hash;
    unsigned tag; /* the sender's, in the bits below that a router does not look at */
};

/* Routing control of a packet: the values of the head's mode. */
enum mode {
    MODE_OF_ADAPTIVE = 0,
    MODE_OF_NONMINIMAL = 4,
    MODE_OF_MINIMAL = 5,
    MODE_OF_ORDERED = 6
};

/* A router whose name has no near part, or no far one either: set in the global of its struct here, which then equals no destination's. */
enum { HERE_NO_NEAR = 1 << 16, HERE_NO_FAR = 1 << 17 };

/* A word of a routing memory, as it goes over the configuration bus. */
enum memory {
    MEMORY_MINIMAL,
    MEMORY_NONMINIMAL,
    MEMORY_VC_MAP,
    MEMORY_BIAS,
    MEMORY_HERE,
    MEMORY_FIRST, /* no memory of route: the rows that go first at this output */
    MEMORIES
};

struct machine {
    const char *name;
    unsigned rows, cols, ports, vcs, phases, packet, flit_bits;
    unsigned globals, locals, subs; /* how many values each part of a destination may have */
    unsigned
        fars; /* of those of globals, where it has two parts, far * nears + near; else as many as globals */
    unsigned nears;  /* 0: global has no parts */
    unsigned hashes; /* 1: the head has no hash */
    unsigned tags;   /* 1: the head is full */
    bool two_step;
    bool by_end; /* the end of a packet frames it: heads have no length */

    /*
     * Where the entry {local, index, draw} and the VC map's {nonminimal, type, vc, phase} stand. Index of a local table: the
     * destination's local; of the global table: its global, or its far part, or, where that is the router's own, fars + near.
     */
    unsigned (*entry_at)(bool local, unsigned index, unsigned draw);
    unsigned (*hop_at)(bool nonminimal, unsigned type, unsigned vc, unsigned phase);

    uint64_t (*pack_entry)(const struct candidate candidates[MACHINE_CANDIDATES]);
    void (*unpack_entry)(uint64_t word, struct candidate candidates[MACHINE_CANDIDATES]);
    uint64_t (*pack_hop)(struct hop hop);
    struct hop (*unpack_hop)(uint64_t word);
    uint64_t (*pack_here)(unsigned global, unsigned local, uint64_t seed); /* word of MEMORY_HERE */
    uint64_t (*pack_head)(const struct head *head);
    struct head (*unpack_head)(uint64_t flit);

    /* Where the end frames: that of a packet of these flits, with their core CRC; NULL otherwise. */
    uint64_t (*pack_end)(const uint64_t *flits, unsigned count);

    /* Register bus: address of the routing memories of a port (or of all), data to write one word. */
    unsigned (*route_address)(unsigned port, enum memory memory);
    uint64_t (*route_data)(enum memory memory, unsigned index, uint64_t word);
    unsigned (*arrived_address)(unsigned port, unsigned vc); /* counter of flits from the link */
    unsigned (*dropped_address)(unsigned port);              /* of packets without any candidate */
};

#define DECLARED(name) extern const struct machine machine_##name;
SIM_MACHINES(DECLARED)
#undef DECLARED

#endif
