// SPDX-License-Identifier: Apache-2.0
/*
 * tape.h - bytes of state in a row, to be kept or put back: the same function does both, so they cannot differ in order.
 */
#ifndef SIM_TAPE_H
#define SIM_TAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct tape {
    uint8_t *data;
    size_t size, room, at;
    bool keeps;  /* what is given is kept; else it is put back */
    bool broken; /* less was there than was wanted */
};

void tape_free(struct tape *t);

/* Appends these bytes, or replaces them by the next ones. */
void tape_bytes(struct tape *t, void *data, size_t size);

/*
 * To a file: how many bytes, a sum over them, and the bytes, where words that are zero are counted instead; and back. False, with
 * errno set, or 0 if what is there has another sum or is cut off.
 */
bool tape_write(const struct tape *t, FILE *f);
bool tape_read(struct tape *t, FILE *f);

/* Passes over one. */
bool tape_skip(FILE *f);

#endif
