// SPDX-License-Identifier: Apache-2.0
/*
 * l0.h - the controller beside each chip of a machine that has AXI4-Lite for it (gemini): all that a supervisor reads and writes goes
 * this one way, one access at a time.
 *
 * Requests to links and to the chip's own supervisor go before words of tables. Nothing answers in a dead chip.
 */
#ifndef SIM_FAILOVER_L0_H
#define SIM_FAILOVER_L0_H

#include "sim/failover/desk.h"
#include "sim/engine/network_state.h"

struct l0;

/* One for each chip; NULL if the machine has none, or the network no link control blocks. */
struct l0 *l0_new(const struct network *n);
void l0_free(struct l0 *l, const struct network *n);

/* A new chip. */
void l0_reset(struct l0 *l, const struct network *n, unsigned router);

/* Requests to a unit of a chip; those not answered yet; the sum of all that was read since it was last asked for. */
void l0_ask(struct l0 *l, unsigned router, unsigned unit, const struct request *requests,
            size_t count);
size_t l0_pending(const struct l0 *l, unsigned router, unsigned unit);
uint64_t l0_read(struct l0 *l, unsigned router, unsigned unit);

/* The unit of the link at a port. */
unsigned l0_link(const struct l0 *l, unsigned router, unsigned port);

/* ---- a clock ------------------------------------------------------------------------------------------ */

/* What a unit's bus gets, before its clock, and what it says behind it. */
void l0_drive(const struct l0 *l, unsigned router, unsigned unit, struct bus *bus);
void l0_answer(struct l0 *l, unsigned router, unsigned unit, const struct bus *bus);

/* A link: restart and number before its clock, state behind it. */
void l0_drive_link(const struct l0 *l, unsigned router, unsigned unit, struct link_side *side);
void l0_see_link(struct l0 *l, unsigned router, unsigned unit, const struct link_side *side);

/* Behind all of them: the clock of a chip's maintenance. */
void l0_clock(struct l0 *l, const struct network *n, unsigned router);

#endif
