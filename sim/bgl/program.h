// SPDX-License-Identifier: Apache-2.0
/*
 * program.h - what the nodes of a torus do: calls that send packets, and the times between them.
 */
#ifndef SIM_BGL_PROGRAM_H
#define SIM_BGL_PROGRAM_H

#include "sim/bgl/fast/model.h"

enum pattern {
    PATTERN_ALL_TO_ALL, /* --packets to each node of the lines, planes or space `within` */
    PATTERN_RANDOM,     /* to any node, at a rate */
    PATTERN_HOT, /* to any node, a part of them to a corner of half of each dimension; as fast as they go */
    PATTERN_SPOT,      /* all nodes outside of a cube to each node in it */
    PATTERN_LINE,      /* a node to its line, both ways, deposited at each node */
    PATTERN_PLANE,     /* a node to its plane, in four colours */
    PATTERN_PING_PONG, /* a message there and back */
    PATTERN_FILE,      /* what a file says */
    PATTERNS
};

extern const char *const pattern_names[PATTERNS];

struct program_config {
    struct shape shape;
    enum pattern pattern;
    unsigned packets, chunks;
    unsigned within; /* dimensions, a bit each */
    unsigned share;  /* all-to-all: one of so many pairs */
    unsigned pace;   /* clocks from one packet of a node to its next, 0: as fast as they go */
    bool deterministic;
    double load;   /* random: of the fullest links' peak */
    double hot;    /* hot: part of the packets */
    unsigned cube; /* spot: nodes of an edge */
    unsigned hops; /* ping-pong */
    unsigned rounds;
    uint64_t seed;
    const char *file;
    const char *dead; /* file of dead nodes, or NULL */
    struct ranks *ranks;
};

struct program;

struct program *program_new(const struct program_config *config);
void program_free(struct program *p);
struct program_calls program_calls(struct program *p);

/* Clocks that the program's packets take at least, by its fullest links; 0 if it has no end. */
double program_ideal(const struct program *p);

/* Packets of a node and clock at which the fullest links are always busy; of patterns without an end. */
double program_peak(const struct program *p);

/* Deliveries when it is over, copies of broadcasts counted; 0 if it has no end. Ranks ask together. */
uint64_t program_packets(const struct program *p);

/* Packets that went over a relay, and those that nothing could bring; of a program with dead nodes. Ranks ask together. */
uint64_t program_relayed(const struct program *p, uint64_t *lost);

/* A byte for each node that is not 0 if it is dead; NULL if none is. */
const uint8_t *program_dead(const struct program *p);

/* Bytes a link is busy with a packet, an ack with each. */
static inline unsigned program_slot(unsigned chunks)
{
    return MODEL_CHUNK * chunks + MODEL_FRAME + MODEL_ACK;
}

/* Whether a place is in the hot region, or in the cube; for model_entries(). */
bool program_hot(const void *program, struct place at);

#endif
