// SPDX-License-Identifier: Apache-2.0
/*
 * nic_beats.h - packets at random, and what they are as beats: for the tests of pack, unpack and netlink.
 */
#ifndef NIC_BEATS_H
#define NIC_BEATS_H

#include "common/beat/beat.h"
#include "tb/base/harness.h"
#include "tb/golden/nic/nic_packet.h"

/* A packet that a NIC may send, VC and phase as it sends them; node, mode, tag and the rest at random. */
struct nic_packet nic_random(struct rng *rng, bool response);

/* Its beats inside the NIC: a request without length, VC and CRC, a response without VC, chk and CRC. Returns how many. */
unsigned nic_beats(const struct nic_packet *p, struct beat beat[BEATS]);

/*
 * The beats that a receiver sees of these flits, which mean p: all of them but the CRC, as far as p's payload reaches, in
 * beats. Returns how many.
 */
unsigned nic_beats_of_flits(const uint64_t *flit, const struct nic_packet *p,
                            struct beat beat[BEATS]);

/* All but valid. */
bool nic_same_beat(const struct beat *a, const struct beat *b);

/* Flits 2, 1 and 0 of a word in hex. Stays until the fourth call behind this one. */
const char *nic_word_text(beat_word word);

/* A miss that says head, tail, bad and word of a beat that was seen and of the one expected; always false. */
bool nic_miss_beat(struct misses *m, const struct beat *seen, const struct beat *expected,
                   const char *format, ...) __attribute__((format(printf, 4, 5)));

/* A miss unless both are valid or none, and if valid the same. */
#define must_beat(m, seen, expected, ...)                                                          \
    (((seen)->valid == (expected)->valid && (!(seen)->valid || nic_same_beat(seen, expected))) ||  \
     nic_miss_beat(m, seen, expected, __VA_ARGS__))

#endif
