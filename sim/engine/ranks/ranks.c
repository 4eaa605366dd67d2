// SPDX-License-Identifier: Apache-2.0
/*
 * ranks.c - which routers a rank has.
 */
#include "sim/engine/ranks/ranks.h"

#include "sim/net/topology.h"

static bool begins_unit(const struct topology *t, unsigned router)
{
    return router == 0 || t->here[router].global != t->here[router - 1].global;
}

unsigned ranks_units(const struct topology *t)
{
    unsigned units = 0;
    for (unsigned r = 0; r < t->routers; r++)
        units += begins_unit(t, r);
    return units;
}

unsigned ranks_first_router(const struct topology *t, unsigned rank, unsigned count)
{
    const unsigned units = ranks_units(t), left = units % count;
    const unsigned first = rank * (units / count) + (rank < left ? rank : left);
    unsigned unit = 0;
    for (unsigned r = 0; r < t->routers; r++)
        if (begins_unit(t, r) && unit++ == first)
            return r;
    return t->routers;
}
