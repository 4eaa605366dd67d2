// SPDX-License-Identifier: Apache-2.0
/*
 * packet.h - what a bench knows of the machines: sizes, and the fields of a head flit.
 *
 * The field table is this file's own; one test compares it with that of hls/router.
 */
#ifndef GOLDEN_PACKET_H
#define GOLDEN_PACKET_H

#include <stdbool.h>
#include <stdint.h>

enum { PACKET_LONGEST = 40 }; /* flits of any packet that a bench sends */

enum packet_field {
    PACKET_VC,
    PACKET_LENGTH,
    PACKET_MODE,
    PACKET_PHASE,
    PACKET_GLOBAL,
    PACKET_LOCAL,
    PACKET_SUB,
    PACKET_HASH,
    PACKET_FAR, /* the parts of global, where routes go by one part after the other: first by far ... */
    PACKET_NEAR,  /* ... then, where far is the router's own, by near */
    PACKET_PLACE, /* global, local and sub as one */
    PACKET_LIST,  /* the hop list of a source-routed packet */
    PACKET_HOPS,  /* how many hops it has; none: as many as the list has */
    PACKET_ONES,  /* all ones in a source-routed packet and in no other */
    PACKET_OWN,   /* bits of the head that are the packet's */
    PACKET_FIELDS,
};

enum packet_mode {
    PACKET_ADAPTIVE0, /* minimal or not, whichever is less loaded; four biases */
    PACKET_ADAPTIVE1,
    PACKET_ADAPTIVE2,
    PACKET_ADAPTIVE3,
    PACKET_NMIN_HASH,
    PACKET_MIN_HASH,
    PACKET_IN_ORDER,
    PACKET_SOURCE,
    PACKET_MODES, /* and what is none */
};

struct packet_bits {
    unsigned lsb, width; /* width 0: the machine has no such field */
};

struct golden_machine {
    const char *name;
    unsigned rows, cols; /* port p is tile (p / cols, p % cols) */
    unsigned vcs;
    unsigned flit_bits;
    unsigned longest; /* flits of the longest legal packet */
    unsigned modes;   /* bit m: a head can say mode m */
    struct packet_bits field[PACKET_FIELDS];
};

enum golden_machine_name {
    GOLDEN_ARIES,
    GOLDEN_GEMINI,
    GOLDEN_YARC,
    GOLDEN_P16,
    GOLDEN_A16,
    GOLDEN_PROTO,
    GOLDEN_PROTO24,
    GOLDEN_MACHINES
};
extern const struct golden_machine golden_machines[GOLDEN_MACHINES];

/* A field of a head; 0 where the machine has no such field, which setting it then ignores. */
uint64_t packet_get(const struct golden_machine *m, uint64_t head, enum packet_field field);
uint64_t packet_set(const struct golden_machine *m, uint64_t head, enum packet_field field,
                    uint64_t value);

/* Whether the end of a packet frames it, and not the length in its head. */
bool packet_by_end(const struct golden_machine *m);

/*
 * Mode of a head, PACKET_MODES for none. Where the end frames the field says whether the packet is source-routed, adaptive, hashed;
 * a mode that the machine does not have must not be set.
 */
enum packet_mode packet_mode(const struct golden_machine *m, uint64_t head);
uint64_t packet_set_mode(const struct golden_machine *m, uint64_t head, enum packet_mode mode);

/* Flits that a head can say, or that a bench sends where heads say nothing. */
unsigned packet_most(const struct golden_machine *m);

/* Flits of a packet with its head, where that says so: 0 stands for 16. */
unsigned packet_length(const struct golden_machine *m, uint64_t head);

#endif
