// SPDX-License-Identifier: Apache-2.0
/*
 * rtr_regs.h - where registers stand on the router's bus.
 *
 *   15   13 12   10  9  8            0
 *  +-------+-------+---+--------------+
 *  |  row  |column |all|   register   |
 *  +-------+-------+---+--------------+
 *
 * all: the write goes to every tile, whatever row and column say. A request that no tile answers
 * is answered by the router with 0 and an error after 64 clocks.
 *
 * Registers and counters of a tile are those of tile_map.h, which tile.rdl is the source of; REGISTERS.md is the table.
 * Events and counters have the same order.
 */
#ifndef RTR_REGS_H
#define RTR_REGS_H

#include "router/tile_map.h"

#define RTR_REG_ALL 0x200

#endif
