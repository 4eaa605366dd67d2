// SPDX-License-Identifier: Apache-2.0
/*
 * router_tables.h - writes a plan into the tables of a router.
 */
#ifndef TB_ROUTER_TABLES_H
#define TB_ROUTER_TABLES_H

#include "tb/golden/router/router.h"

/* One write on the configuration bus of the router. */
typedef void router_tables_writer(void *to, unsigned addr, uint64_t data);

/* Routing tables, VC map, biases (flits, one per adaptive mode) and own number, of all tiles at once. */
void router_tables_write(const struct golden_plan *plan, const uint8_t bias[4],
                         router_tables_writer *write, void *to);

/* The ports of a router of our group alone, minimally; again of all tiles. */
void router_tables_route(const struct golden_plan *plan, unsigned local, uint64_t ports,
                         router_tables_writer *write, void *to);

/* Processor ports, one bit each: `count` of them from the first-th on. */
uint64_t router_tables_tiles(unsigned first, unsigned count);

#endif
