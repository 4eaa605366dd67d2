// SPDX-License-Identifier: Apache-2.0
/*
 * names.h - numbers that a NIC's processes have for a while: descriptors, memory handles, queues.
 *
 * What was asked of other nodes may be answered after its owner has given the name back, and the answer names it. So a name rests
 * until each descriptor of its owner has been seen with no transaction in flight, and all block transfers of its owner are over.
 */
#ifndef SIM_HOST_NAMES_H
#define SIM_HOST_NAMES_H

#include <stdbool.h>
#include <stdint.h>

enum {
    NAMES_ANY = -1,   /* whichever is free */
    NAMES_NONE = -2,  /* all are in use, or the wanted one is, or there is no such name */
    NAMES_RESTS = -3, /* it will be free: the wanted one rests, or all that are not in use do */
    NAMES_DESCRIPTORS = 128
};

/* A set of descriptors; and block transfers: all whose number is less than this one, 0: none. */
struct names_set {
    uint64_t bits[NAMES_DESCRIPTORS / 64];
    uint64_t transfers;
};

struct name {
    enum { NAME_FREE, NAME_USED, NAME_RESTS } state;
    const void *owner;
    uint8_t ptag;
    struct names_set
        waits; /* while it rests: descriptors that have not been seen idle, transfers that may not be over */
};

struct names {
    unsigned count, next; /* next: where the search begins, so that a name is not used again soon */
    struct name *name;
};

void set_add(struct names_set *set, unsigned descriptor);
void set_remove(struct names_set *set, unsigned descriptor);
bool set_has(const struct names_set *set, unsigned descriptor);

/* False if there is no memory. */
bool names_start(struct names *n, unsigned count);
void names_free(struct names *n);

/* A name for an owner; wanted: a name, or NAMES_ANY. The name, or NAMES_NONE or NAMES_RESTS. */
int names_take(struct names *n, int wanted, const void *owner, uint8_t ptag);
bool names_owned(const struct names *n, unsigned name, const void *owner);

/* It rests until all descriptors of the set have been seen idle and its transfers are over; at once free if there are none. */
void names_give_back(struct names *n, unsigned name, const struct names_set *until);

/* The descriptor was seen idle. Adds to *left all descriptors that names still wait for. */
void names_idle(struct names *n, unsigned descriptor);
void names_waits(const struct names *n, struct names_set *left);

/* Transfers whose number is less are over. */
void names_over(struct names *n, uint64_t number);

/* Names of this domain that are used or rest. */
unsigned names_of(const struct names *n, uint8_t ptag);

#endif
