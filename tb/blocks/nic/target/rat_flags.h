// SPDX-License-Identifier: Apache-2.0
/*
 * rat_flags.h - flags of rmt, which rat_local takes between the packets of its queue: each leaves for memory as a write of 8 bytes, or a
 * context says why not.
 */
#ifndef TB_NIC_RAT_FLAGS_H
#define TB_NIC_RAT_FLAGS_H

#include "tb/blocks/nic/target/rat_bench.h"

/* Forgets all that was added. */
void rat_flags_begin(void);

/* One more flag of a value, at the place that the request names; what must come of it is by the tables as they are. */
void rat_flags_add(struct request r, uint64_t value);

/* What the register of rmt shows in this clock. */
struct rmt_write rat_flags_drive(void);

/* A beat that leaves is of a flag, if it says so: it is looked at. */
bool rat_flags_memory(const struct beat *beat);
void rat_flags_context(const struct npt_context *context);

/* After the clock: whether the flag was taken. */
void rat_flags_step(void);

/* All that were added have left, or were refused. */
bool rat_flags_done(void);

#endif
