// SPDX-License-Identifier: Apache-2.0
/*
 * checked.c - holds each packet until the verdict on it.
 */
#include "sim/engine/checked.h"

#include <assert.h>

static void store(struct checked *s)
{
    if (!s->came.valid)
        return;
    s->store[s->written++ % CHECKED_FLITS] = s->came;
    assert(s->written - s->read <= CHECKED_FLITS);
    if (s->came.tail && s->came.ok == MODEL_CUT)
        s->written = s->whole;
    else if (s->came.tail)
        s->whole = s->written;
}

void checked_clock(struct checked *s, struct wires_in *to_router)
{
    struct checked_flit goes = {0};
    if (s->read != s->whole)
        goes = s->store[s->read++ % CHECKED_FLITS];
    store(s);
    s->came = (struct checked_flit){.flit = to_router->flit,
                                    .valid = to_router->valid,
                                    .tail = to_router->tail,
                                    .ok = to_router->ok};
    to_router->flit = goes.flit;
    to_router->valid = goes.valid;
    to_router->tail = goes.tail;
    to_router->ok = goes.ok;
}
