// SPDX-License-Identifier: Apache-2.0
/*
 * stimulus.h - inputs for a module of which only its JSON is known.
 *
 * Every scalar input (and every element of an array input) has a mood that it keeps for some
 * clocks: zeros, ones, noise, one held value, one-hot, a walking bit, small numbers, a count, the
 * last value with one bit flipped, rare pulses, or bits copied out of the module's own registers
 * (which is how comparisons with internal counters are met), or recorded inputs if there are any.
 * Everything follows from the seed.
 */
#ifndef STIMULUS_H
#define STIMULUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cJSON;

struct random {
    uint64_t state;
};

uint64_t random_next(struct random *r);
uint64_t random_below(struct random *r, uint64_t n); /* 0 to n - 1 */

struct stimulus;

/* inputs: the array "inputs" of M.json. All inputs and states here are packed: tb/base/packed.h. */
struct stimulus *stimulus_new(const struct cJSON *inputs, unsigned state_bits, uint64_t seed);
/*
 * From now on mostly recorded inputs: `size` words as record.h says, to stay there. Between stretches of them as
 * they are come short ones in which some fields have moods of their own or come from another clock.
 */
void stimulus_record(struct stimulus *s, const uint32_t *words, size_t size, unsigned in_bits);

/* Recorded inputs as they are, from the first to the last, with the resets among them. */
void stimulus_replay(struct stimulus *s, const uint32_t *words, size_t size, unsigned in_bits);

/* They have come to their end; only replayed ones do. */
bool stimulus_over(const struct stimulus *s);

/* The next recorded inputs are those after a reset; true too when there are none left. */
bool stimulus_wants_reset(const struct stimulus *s);

/* The module was reset: another recorded reset is where it goes on; the next one if the record is replayed. */
void stimulus_restart(struct stimulus *s);

void stimulus_free(struct stimulus *s);

/* New moods for all inputs. */
void stimulus_shake(struct stimulus *s);

/* Copies some fields of the inputs `from` over those of `in`: each with a probability of 1 to 2 to the power of `rare`. */
void stimulus_mix(struct stimulus *s, const uint32_t *from, unsigned rare, uint32_t *in);

/* Writes the next inputs over the last ones. state: the module's registers before this clock. */
void stimulus_next(struct stimulus *s, const uint32_t *state, uint32_t *in);

#endif
