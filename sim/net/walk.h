// SPDX-License-Identifier: Apache-2.0
/*
 * walk.h - follows packets through a network by its tables and VC maps: every choice that route may make.
 *
 * A state is a packet for a given destination at the front of an input queue: router, port, VC,
 * phase. All modes are followed at once: any of the draws, any of the candidates, minimal always, non-minimal while
 * bit 0 of the phase is clear; (two steps) any row of the mask.
 */
#ifndef SIM_WALK_H
#define SIM_WALK_H

#include "sim/net/tables.h"

struct walk_state {
    uint32_t router;
    uint8_t port, vc, phase;
};

/* A step of a packet: out by one of our ports, into the queue at the other end. */
struct walk_step {
    uint8_t col, row, vc; /* out of this router */
    bool ejected;         /* to a processor; `next` is empty then */
    struct walk_state next;
};

enum { WALK_STEPS = 512 };

struct walker {
    const struct tables *tables;
    unsigned global, local; /* destination */
    bool minimal;           /* only minimal candidates count */
    bool
        any; /* heads may be wrong: what the VC map drops ends there; else a candidate that it drops is no route */
    bool
        every; /* all candidates of the topology count, not those alone that the tables have drawn of them */
    /* Ways of each tile to the destination, computed when first asked for. */
    struct walk_candidates *candidates;
    uint32_t stamp[2]; /* of the destination's group, and of the destination */
};

void walk_new(struct walker *w, const struct tables *tables, bool minimal);
void walk_free(struct walker *w);

/* Memory that a walker takes. */
size_t walk_bytes(const struct topology *t);

/* Sets the destination of what follows. */
void walk_aim(struct walker *w, unsigned global, unsigned local);

/* All steps that a packet may take; returns how many. 0: there is no route. */
unsigned walk_steps(struct walker *w, const struct walk_state *at,
                    struct walk_step step[WALK_STEPS]);

/* States of a network are numbered, and how many there are. */
size_t walk_number(const struct topology *t, const struct walk_state *s);
size_t walk_numbers(const struct topology *t);

/*
 * Follows packets from every processor port to node: the links of the longest route in `longest`. False, with
 * one line in error, if a packet may find no route, come out elsewhere, or go on for ever.
 */
bool walk_paths(const struct tables *tables, unsigned node, bool minimal, unsigned *longest,
                char error[TABLES_ERROR]);

#endif
