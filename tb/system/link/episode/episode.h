// SPDX-License-Identifier: Apache-2.0
/*
 * episode.h - one episode of a link: a random sequence of everything that may happen to two ends and their cable,
 * then a good cable.
 *
 * Resets of one end or both, kills, restarts, register writes with random addresses and data, garbage, silence,
 * delayed copies, loops, swapped lanes, lanes that die, clocks and words that come and go, bit errors, forged and lost
 * acknowledgements, another peer, time that jumps, an input queue that stands still. Then management does what
 * hls/link/README.md says that it must: it writes the reset values into registers that were scribbled on, and
 * restarts what is dead.
 */
#ifndef TB_EPISODE_H
#define TB_EPISODE_H

#include "tb/system/link/episode/episode_result.h"

/* Runs episode n of this seed. */
void episode_run(uint64_t seed, uint64_t n, struct episode_result *result);

/* The same, saying what happens. */
void episode_tell(uint64_t seed, uint64_t n, struct episode_result *result);

#endif
