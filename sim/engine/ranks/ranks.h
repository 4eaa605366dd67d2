// SPDX-License-Identifier: Apache-2.0
/*
 * ranks.h - the processes that simulate one network together, each some of its groups.
 *
 * one.c is a single process; mpi.c, in build/bin/netsim-mpi, those of MPI. All ranks do the same in the same order: what is
 * called "together" here returns when every rank has called it.
 */
#ifndef SIM_RANKS_H
#define SIM_RANKS_H

#include <stddef.h>
#include <stdint.h>

struct topology;

/* What goes to a rank, or comes from it. */
struct parcel {
    uint8_t *data;
    size_t size, room; /* bytes; room: that data holds */
};

struct ranks {
    unsigned rank, count;
    unsigned beside;          /* ranks on this machine, which share its memory; with this one */
    uint64_t messages, bytes; /* sent by swap */

    /* Together: a parcel to each other rank, and one from each; what comes must have room. */
    void (*swap)(struct ranks *ranks, const struct parcel *out, struct parcel *in);

    /* Together: each value becomes the sum, or the most, of those of all ranks. */
    void (*sum)(uint64_t *value, size_t count);
    void (*most)(uint64_t *value, size_t count);

    /* Ends this process and all others. */
    void (*abandon)(int status);
};

/* Of this process; called once, first. A rank but the first is silent from then on. */
struct ranks *ranks_start(int *argc, char ***argv);
void ranks_end(struct ranks *ranks);

/* What a network of this topology is cut into: groups, as far as their routers have numbers in a row. */
unsigned ranks_units(const struct topology *t);

/* The first router of a rank; that of rank `count` is how many there are. The first ranks have a group more if they do not divide. */
unsigned ranks_first_router(const struct topology *t, unsigned rank, unsigned count);

#endif
