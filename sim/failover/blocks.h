// SPDX-License-Identifier: Apache-2.0
/*
 * blocks.h - link control blocks where things break.
 *
 * A cable that is cut, and one to a dead router, has lanes that carry nothing. The rest is the affair of the blocks at its ends: they
 * train again, give up after their limits, raise `dead` at their router's port, close the packet that was coming in, and report what they
 * hold of the one that went out. Here are the lanes, the register bus of each block, and its books: what it took from its router, what the
 * block at the other end handed up, and what it reported.
 */
#ifndef SIM_FAILOVER_BLOCKS_H
#define SIM_FAILOVER_BLOCKS_H

#include "sim/failover/desk.h"
#include "sim/engine/network.h"

/* The network has link control blocks. */
bool blocks_used(const struct network *n);

/* ---- what a supervisor may do --------------------------------------------------------------------- */

/* Requests on the register bus of the block at a port (hls/link/REGISTERS.md); that of a dead router answers none. */
void blocks_ask(struct network *n, unsigned router, unsigned port, const struct request *requests,
                size_t count);
size_t blocks_pending(const struct network *n, unsigned router, unsigned port);
uint64_t blocks_read(struct network *n, unsigned router, unsigned port);

/* ---- for faults.c ---------------------------------------------------------------------------------- */

/* Books of each end of a cable, all at zero; faults_blocks() keeps them until blocks_free(). */
struct fault_block *blocks_new(const struct network *n);
void blocks_free(struct network *n);

void blocks_kill(struct network *n, unsigned router);
void blocks_replace(struct network *n, unsigned router);

/* Ends on living routers whose cable carries nothing and that have not given up yet. */
unsigned blocks_deaf_ends(const struct network *n);

/*
 * Flits that living blocks took and that were neither handed up at the other end nor reported, when none is on its way any more. What
 * killed routers took with them is not counted.
 */
uint64_t blocks_unreported(const struct network *n);

/* ---- of struct cable_ops: drive and crossed --------------------------------------------------------- */

void blocks_drive(struct network *n, unsigned router, unsigned port, struct lanes *from_cable,
                  struct link_side *side);

void blocks_answer(struct network *n, unsigned router, unsigned port,
                   const struct wires_in *to_router, bool taken, const struct link_side *side);

#endif
