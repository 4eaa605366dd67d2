// SPDX-License-Identifier: Apache-2.0
/*
 * splitmix.h - random numbers from one word of state, for the programs of sim/, tb/ and rtl_gen/fuzz.
 */
#ifndef SIM_SPLITMIX_H
#define SIM_SPLITMIX_H

#include <stdint.h>

/* splitmix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014): any state, any number of times. */
static inline uint64_t splitmix64(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

#endif
