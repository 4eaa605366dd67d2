// SPDX-License-Identifier: Apache-2.0
/*
 * program_state.h - the state of programs, for their files.
 */
#ifndef SIM_BGL_PROGRAM_STATE_H
#define SIM_BGL_PROGRAM_STATE_H

#include "sim/base/random.h"
#include "sim/bgl/program.h"

enum { COLOURS = 4, STAGES = 3 };

/* A node's place in its program. */
struct seat {
    uint64_t index; /* calls made */
    double time;    /* of the next packet, where they come at a rate */
    struct sim_random random;
    struct call call; /* that could not be made */
    bool kept;
    uint16_t *relay;                       /* destinations of packets that it sends on, ... */
    uint32_t relays, relayed, relay_room;  /* ... those that came, of them sent on, space */
    uint32_t lost;                         /* packets that no relay can bring */
    uint32_t owed[COLOURS * (STAGES - 1)]; /* packets to be sent on, by colour and stage */
};

/* A line of a pattern file. */
struct flow {
    uint32_t from;
    struct place to;
    uint32_t line, packets;
    uint32_t every, due; /* clocks from packet to packet; clock of the next */
    uint8_t chunks;
};

struct program {
    struct program_config config;
    struct seat *seat;
    bool (*next)(struct program *p, unsigned node, uint32_t now, struct call *call, uint32_t *wait);
    void (*arrived)(struct program *p, unsigned node, uint32_t now, const struct packet *packet);
    bool (*plain)(struct program *p, unsigned node, uint32_t now, struct call *call,
                  uint32_t *wait);
    uint8_t *
        dead; /* a byte for each node, or NULL; `plain` is then what `next` would be without them */
    double rate;       /* packets of a node and clock */
    unsigned group;    /* nodes that a node sends to, itself counted */
    struct flow *flow; /* by source, ... */
    uint32_t *first;   /* ... where those of each node begin */
    uint32_t flows;
};

/* Number i of a random order of 0 to count - 1, which key names. */
uint32_t shuffled(uint32_t count, uint64_t key, uint32_t i);

/* A call as the options say. */
static inline struct call plain_call(const struct program *p, struct place to, uint32_t now)
{
    return (struct call){
        .to = to,
        .chunks = (uint8_t)p->config.chunks,
        .dynamic = !p->config.deterministic,
        .fifo = -1,
        .made = now,
    };
}

bool next_fill(struct program *p, unsigned node, uint32_t now, struct call *call, uint32_t *wait);
void arrived_fill(struct program *p, unsigned node, uint32_t now, const struct packet *packet);
bool next_ping_pong(struct program *p, unsigned node, uint32_t now, struct call *call,
                    uint32_t *wait);
void arrived_ping_pong(struct program *p, unsigned node, uint32_t now, const struct packet *packet);
bool next_round(struct program *p, unsigned node, uint32_t now, struct call *call, uint32_t *wait);
void arrived_round(struct program *p, unsigned node, uint32_t now, const struct packet *packet);
bool next_flow(struct program *p, unsigned node, uint32_t now, struct call *call, uint32_t *wait);
/* Reads the pattern file; ends the program if it is wrong. */
void flows_read(struct program *p);

#endif
