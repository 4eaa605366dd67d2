// SPDX-License-Identifier: Apache-2.0
/*
 * random.h - random numbers from one word of state, for the programs of sim/, tb/ and tb/equiv/fuzz.
 */
#ifndef SIM_RANDOM_H
#define SIM_RANDOM_H

#include <stdint.h>

/* splitmix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014): any state, any number of times. */
static inline uint64_t splitmix64(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

struct sim_random {
    uint64_t state;
};

/* Generator number `which` of those of one seed. */
static inline struct sim_random sim_random_of(uint64_t seed, uint64_t which)
{
    uint64_t state = splitmix64(&seed) ^ which * UINT64_C(0xd1342543de82ef95);
    return (struct sim_random){splitmix64(&state)};
}

static inline uint64_t sim_random(struct sim_random *r)
{
    return splitmix64(&r->state);
}

/* 0 to n - 1. */
static inline uint32_t sim_below(struct sim_random *r, uint32_t n)
{
    return (uint32_t)((sim_random(r) >> 32) * n >> 32);
}

/* 0 to 1, without 1. */
static inline double sim_unit(struct sim_random *r)
{
    return (double)(sim_random(r) >> 11) * 0x1p-53;
}

#endif
