// SPDX-License-Identifier: Apache-2.0
/*
 * pool.c - packets under way: a pool, and a hash table over it.
 */
#include "tb/golden/router/pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *golden_need(void *p)
{
    if (!p) {
        fputs("golden router: out of memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    return p;
}

uint64_t golden_mix(uint64_t x)
{
    x = (x ^ x >> 31) * 0x7fb5d329728ea185;
    x = (x ^ x >> 27) * 0x81dadef4bc2dd44d;
    return x ^ x >> 33;
}

uint64_t golden_content_key(const uint64_t *flit, unsigned length)
{
    uint64_t key = length;
    for (unsigned i = 0; i < length; i++)
        key = golden_mix(key ^ flit[i]) + i;
    return key;
}

static uint32_t pool_take(struct golden_router *g)
{
    if (g->free_list == GOLDEN_NONE) {
        const uint32_t old = g->pool_room ? g->pool_room : 1, room = 2 * old + 1022;
        g->pool = golden_need(realloc(g->pool, room * sizeof *g->pool));
        for (uint32_t i = old; i < room; i++)
            g->pool[i].next = i + 1 < room ? i + 1 : GOLDEN_NONE;
        g->free_list = old;
        g->pool_room = room;
    }
    const uint32_t at = g->free_list;
    g->free_list = g->pool[at].next;
    return at;
}

void golden_pool_remove(struct golden_router *g, uint32_t at)
{
    uint32_t *link = &g->bucket[g->pool[at].key % GOLDEN_BUCKETS];
    while (*link != at)
        link = &g->pool[*link].next;
    *link = g->pool[at].next;
    g->pool[at].next = g->free_list;
    g->free_list = at;
}

bool golden_same_content(const struct golden_packet *a, const struct golden_packet *b)
{
    return a->key == b->key && a->length == b->length &&
           memcmp(a->flit, b->flit, a->length * sizeof *a->flit) == 0;
}

void golden_pool_add(struct golden_router *g, const struct golden_packet *packet)
{
    const uint32_t at = pool_take(g);
    uint32_t *bucket = &g->bucket[packet->key % GOLDEN_BUCKETS];
    g->pool[at] = *packet;
    for (uint32_t i = *bucket; i != GOLDEN_NONE; i = g->pool[i].next)
        if (golden_same_content(&g->pool[i], packet))
            g->pool[i].alike = g->pool[at].alike = true;
    g->pool[at].next = *bucket;
    *bucket = at;
}

uint64_t golden_without_hop(const struct golden_machine *m, uint64_t head)
{
    return packet_set(m, packet_set(m, head, PACKET_VC, 0), PACKET_PHASE, 0);
}
