// SPDX-License-Identifier: Apache-2.0
/*
 * spans.h - a node's address space, dealt out to its processes: which bytes of it are whose, and where they are there.
 *
 * Processes of a node have the same pointers, a NIC has one space of addresses. A span begins at a page and keeps the place in the
 * page, so that the base of a memory descriptor and the address in the process differ by whole pages.
 */
#ifndef SIM_HOST_SPANS_H
#define SIM_HOST_SPANS_H

#include <stdbool.h>
#include <stdint.h>

enum { SPANS_PAGE = 4096 };

struct span {
    uint64_t from, bytes; /* of the node's space */
    const void *owner;    /* a process */
    uint64_t address;     /* of the first byte there */
    bool dead;            /* its process is: what is written there is dropped, what is read is 0 */
};

struct spans {
    uint64_t from, to; /* what can be dealt out */
    unsigned count, room;
    struct span *span; /* by their place */
};

void spans_start(struct spans *s, uint64_t from, uint64_t bytes);
void spans_free(struct spans *s);

/* Deals out bytes for an address; their place, or UINT64_MAX if there is none. */
uint64_t spans_take(struct spans *s, const void *owner, uint64_t address, uint64_t bytes);

/* The span that all of these bytes are in, or null. */
const struct span *spans_at(const struct spans *s, uint64_t from, uint64_t bytes);

/* The span that begins there, or all of an owner, are taken away; false if there is none. */
bool spans_give_back(struct spans *s, const void *owner, uint64_t from);
void spans_give_back_all(struct spans *s, const void *owner);

/* All of an owner are a dead one's from now on. */
void spans_die(struct spans *s, const void *owner);

#endif
