// SPDX-License-Identifier: Apache-2.0
/*
 * desk.c - a queue in front of a register bus.
 */
#include "sim/failover/desk.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/program.h"

void desk_ask(struct desk *d, const struct request *requests, size_t count)
{
    if (d->request)
        memmove(d->request, d->request + d->next, (d->count - d->next) * sizeof *d->request);
    d->count -= d->next;
    d->next = 0;
    struct request *more = realloc(d->request, (d->count + count + 1) * sizeof *more);
    if (!more)
        sim_fail("out of memory for %zu requests of a supervisor", count);
    d->request = more;
    memcpy(d->request + d->count, requests, count * sizeof *requests);
    d->count += count;
}

size_t desk_pending(const struct desk *d)
{
    return d->count - d->next;
}

uint64_t desk_read(struct desk *d)
{
    const uint64_t sum = d->sum;
    d->sum = 0;
    return sum;
}

void desk_clear(struct desk *d)
{
    d->count = d->next = 0;
    d->rests = false;
    d->sum = 0;
}

void desk_free(struct desk *d)
{
    free(d->request);
}

void desk_drive(struct desk *d, struct bus *bus)
{
    if (d->next == d->count)
        return;
    const struct request *r = &d->request[d->next];
    *bus =
        (struct bus){.valid = !d->rests, .write = r->write, .address = r->address, .data = r->data};
    d->rests = false;
}

void desk_answer(struct desk *d, const struct bus *bus)
{
    if (!bus->valid || !bus->ready)
        return;
    d->sum += d->request[d->next].write ? 0 : bus->reply;
    d->next++;
    d->rests = true;
}
