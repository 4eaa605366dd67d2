// SPDX-License-Identifier: Apache-2.0
/*
 * checkpoint.h - a network as it stands between two clocks, in a file, to go on from there: by as many ranks as one likes.
 *
 * The file: a line "heddle-checkpoint SOURCES" with a sum over the sources this program was made of, a line that
 * describes the run, and tapes: the run and the whole, then one for each router. Ranks write it one after the other,
 * and read all of it, so they need a file system in common.
 */
#ifndef SIM_CHECKPOINT_H
#define SIM_CHECKPOINT_H

#include "sim/engine/network.h"

enum { CHECKPOINT_RUN = 800 };

struct checkpoint {
    char run[CHECKPOINT_RUN]; /* what is run, in fields: whoever goes on has to say the same */
    void *progress;           /* how far that is, by whoever runs it */
    size_t size;
};

/* Adds a field to what is run: its name and what it is, in one line without control characters. */
void checkpoint_field(struct checkpoint *c, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Together. End the program with one line if it cannot be done; an older file stays then. */
void checkpoint_save(struct network *n, const char *path, const struct checkpoint *c);
void checkpoint_load(struct network *n, const char *path, const struct checkpoint *c);

/* Ends the program if the file is none of this program and run, or not whole: so many routers. */
void checkpoint_look(const char *path, const struct checkpoint *c, unsigned routers);

#endif
