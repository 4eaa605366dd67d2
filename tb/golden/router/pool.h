// SPDX-License-Identifier: Apache-2.0
/*
 * pool.h - packets under way in the golden router, by content. Its own files alone include this.
 */
#ifndef TB_GOLDEN_ROUTER_POOL_H
#define TB_GOLDEN_ROUTER_POOL_H

#include "tb/golden/router/router.h"

/* Lists by key; place 0 of the pool is never used: 0 ends a list. */
enum { GOLDEN_BUCKETS = 1 << 16, GOLDEN_NONE = 0 };

/* What was allocated, or the end of the program. */
void *golden_need(void *p);

/* Spreads the bits of a key. */
uint64_t golden_mix(uint64_t x);

uint64_t golden_content_key(const uint64_t *flit, unsigned length);
bool golden_same_content(const struct golden_packet *a, const struct golden_packet *b);

/* A head without what a router changes in it: VC and phase. */
uint64_t golden_without_hop(const struct golden_machine *m, uint64_t head);

/* The newest comes first in its bucket. Each of those with a double is marked so. */
void golden_pool_add(struct golden_router *g, const struct golden_packet *packet);
void golden_pool_remove(struct golden_router *g, uint32_t at);

#endif
