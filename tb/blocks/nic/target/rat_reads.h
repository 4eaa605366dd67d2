// SPDX-License-Identifier: Apache-2.0
/*
 * rat_reads.h - reads of this host's own memory, which rat_local takes between the packets of its queue: each leaves for memory in its
 * order, with a bad head if it is refused, and then a context says why.
 */
#ifndef TB_NIC_RAT_READS_H
#define TB_NIC_RAT_READS_H

#include "tb/blocks/nic/target/rat_bench.h"

/* Forgets all that was added. */
void rat_reads_begin(void);

/* One more read, of r.bytes; what must come of it is by the tables as they are. */
void rat_reads_add(struct request r);

/* What the register of block transfers shows in this clock. */
struct beat rat_reads_drive(void);

/* A head of a read that leaves, and a context of one that is refused. */
void rat_reads_memory(const struct beat *head);
void rat_reads_context(const struct npt_context *context);

/* After the clock: whether the read was taken. */
void rat_reads_step(void);

/* Reads that have left. */
unsigned rat_reads_left(void);

/* All that were added have left. */
bool rat_reads_done(void);

#endif
