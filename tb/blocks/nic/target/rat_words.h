// SPDX-License-Identifier: Apache-2.0
/*
 * rat_words.h - words of endpoints of reductions, which rat_local takes between the packets of its queue as it does reads: both beats of
 * each leave for memory in their order, in places of their own, or a context says why not.
 */
#ifndef TB_NIC_RAT_WORDS_H
#define TB_NIC_RAT_WORDS_H

#include "tb/blocks/nic/target/rat_bench.h"

/* Forgets all that was added. */
void rat_words_begin(void);

/* One more word, of r.bytes, 8 or 16; what must come of it is by the tables as they are. */
void rat_words_add(struct request r);

/* What the register of collective engines shows in this clock. */
struct local_word rat_words_drive(void);

/* A beat of a word that leaves, whose data may be next; and a context of one that is refused. */
bool rat_words_inside(void);
void rat_words_memory(const struct beat *beat);
void rat_words_context(const struct npt_context *context);

/* After the clock: whether the word was taken. */
void rat_words_step(void);

/* All that were added have left, or were refused. */
bool rat_words_done(void);

#endif
