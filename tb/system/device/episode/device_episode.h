// SPDX-License-Identifier: Apache-2.0
/*
 * device_episode.h - one episode of two devices under traffic: something happens to their links, then the cables are good.
 *
 * A device that is reset comes back configured, with nothing in it. While a link is dead packets go over the other one;
 * what it had is reported. In the end every link carries packets again and every body flit that a processor sent was
 * delivered once, or reported, or was under way when a device was reset.
 */
#ifndef TB_DEVICE_EPISODE_H
#define TB_DEVICE_EPISODE_H

#include "tb/system/link/episode/episode_result.h"

/* Runs episode n of this seed. */
void device_episode_run(uint64_t seed, uint64_t n, struct episode_result *result);

/* The same, saying what happens. */
void device_episode_tell(uint64_t seed, uint64_t n, struct episode_result *result);

#endif
