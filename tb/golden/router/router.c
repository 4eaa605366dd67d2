// SPDX-License-Identifier: Apache-2.0
/*
 * router.c - the plan, and how a golden router begins and ends; router_in.c and router_out.c have what enters and what leaves.
 */
#include "tb/golden/router/pool.h"
#include "tb/golden/router/router.h"

#include <stdlib.h>
#include <string.h>

void golden_plan_start(struct golden_plan *p, const struct golden_machine *m, unsigned global,
                       unsigned local)
{
    memset(p, 0, sizeof *p);
    p->machine = m;
    p->global = global;
    p->local = local;
    for (unsigned n = 0; n < 2; n++)
        for (unsigned t = 0; t < PLAN_TYPES; t++)
            for (unsigned v = 0; v < PLAN_VCS; v++)
                for (unsigned f = 0; f < PLAN_PHASES; f++)
                    p->vc_map[n][t][v][f] = (struct golden_hop){(uint8_t)v, (uint8_t)f};
}

void golden_router_start(struct golden_router *g, const struct golden_plan *plan)
{
    memset(g, 0, sizeof *g);
    g->plan = *plan;
    g->bucket = golden_need(calloc(GOLDEN_BUCKETS, sizeof *g->bucket));
    g->order_room = 1 << 12;
    g->order = golden_need(calloc(g->order_room, sizeof *g->order));
}

void golden_router_free(struct golden_router *g)
{
    free(g->pool);
    free(g->bucket);
    free(g->order);
    memset(g, 0, sizeof *g);
}

uint64_t golden_router_lost(const struct golden_router *g)
{
    return g->pending - g->cuts;
}

const struct golden_packet *golden_router_oldest(const struct golden_router *g)
{
    const struct golden_packet *oldest = NULL;
    for (unsigned b = 0; b < GOLDEN_BUCKETS; b++)
        for (uint32_t i = g->bucket[b]; i != GOLDEN_NONE; i = g->pool[i].next)
            if (!g->pool[i].refused && !g->pool[i].copy &&
                (!oldest || g->pool[i].number < oldest->number))
                oldest = &g->pool[i];
    return oldest;
}

bool golden_router_clean(const struct golden_router *g)
{
    return golden_router_lost(g) == 0 && g->duplicated == 0 && g->corrupt == 0 &&
           g->misrouted == 0 && g->reordered == 0 && g->wrong == 0;
}
