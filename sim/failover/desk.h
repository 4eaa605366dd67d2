// SPDX-License-Identifier: Apache-2.0
/*
 * desk.h - requests that wait for a register bus, one after the other; of a router or of a link control block.
 */
#ifndef SIM_FAILOVER_DESK_H
#define SIM_FAILOVER_DESK_H

#include "sim/engine/router_model.h"

/* Addresses are those of the bus. */
struct request {
    bool write;
    uint32_t address;
    uint64_t data;
};

struct desk {
    struct request *request;
    size_t count, next;
    bool rests;   /* a clock, behind an answer */
    uint64_t sum; /* of what was read */
};

void desk_ask(struct desk *d, const struct request *requests, size_t count);
size_t desk_pending(const struct desk *d);

/* The sum of all that was read since it was last asked for. */
uint64_t desk_read(struct desk *d);

/* Nothing that was asked for is wanted any more. */
void desk_clear(struct desk *d);
void desk_free(struct desk *d);

/* The bus before and after a clock. A request is held until it is answered; one clock lies between two. */
void desk_drive(struct desk *d, struct bus *bus);
void desk_answer(struct desk *d, const struct bus *bus);

#endif
