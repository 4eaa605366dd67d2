// SPDX-License-Identifier: Apache-2.0
/*
 * scrambler.h - additive scrambler, 16 bits of a lane per clock.
 *
 * PRBS-23, x^23 + x^18 + 1 (ITU-T O.150), one register per lane with a seed of its own. Additive:
 * a bit error on the lane stays one bit error, so the CRC keeps its Hamming distance. Both ends
 * load the seed before the first data word and step once per data word. The sender's identity, all of
 * its bits, is in the seed, so a receiver whose frames came from another sender gets noise.
 */
#ifndef SCRAMBLER_H
#define SCRAMBLER_H

#include "link/lane/frame.h"

#if LANES == 4
static const u23 scrambler_seed[LANES] = {0x6AC5B1, 0x51D36E, 0x5F8E97, 0x73B25D};
#else
static const u23 scrambler_seed[LANES] = {0x6AC5B1, 0x51D36E, 0x5F8E97};
#endif

/* The register before the first data word: another one for each identity, and never 0, as bit 22 of the seeds is 1. */
static inline u23 scrambler_start(int lane, struct link_identity sender)
{
    u22 who = (u22)((u22)sender.port << 16) | sender.chip;

    return scrambler_seed[lane] ^ (sender.chip != 0 ? who : (u22)0);
}

/* What the next lane word is XORed with; bit 15 goes with bit 15. */
static inline u16 scrambler_word(u23 state)
{
    return (u16)(state >> 7);
}

/* 16 steps of: shift left, new bit 0 = bit 22 ^ bit 17. */
static inline u23 scrambler_step(u23 state)
{
    u16 fresh = (u16)(state >> 7) ^ (u16)(state >> 2);

    return (u23)(((u23)(state << 16)) | fresh);
}

#endif
