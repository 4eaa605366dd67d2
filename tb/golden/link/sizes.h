// SPDX-License-Identifier: Apache-2.0
/*
 * sizes.h - micropackets of the machine that a program is built for, written down again: flits, lanes, CRC and where the fields stand.
 */
#ifndef GOLDEN_SIZES_H
#define GOLDEN_SIZES_H

#if defined(MACHINE_SEASTAR) || defined(MACHINE_SEASTAR2)
enum {
    GOLDEN_FLIT_BITS = 64,
    GOLDEN_LANES = 4,
    GOLDEN_DEGREE = 16, /* of the generator, and its lower terms */
    GOLDEN_TERMS = 0xA2EB,
    GOLDEN_LEAST_WEIGHT = 4, /* of a pattern that passes */
    GOLDEN_GUARANTEED = 120, /* flits of each VC behind a link */
    GOLDEN_MOST_FLITS = 9,   /* flits of a packet, at most */
};
#else
enum {
    GOLDEN_FLIT_BITS = 48,
    GOLDEN_LANES = 3,
    GOLDEN_DEGREE = 20,
    GOLDEN_TERMS = 0xC4047,
    GOLDEN_LEAST_WEIGHT = 6,
    GOLDEN_GUARANTEED = 20,
    GOLDEN_MOST_FLITS = 16,
};
#endif

#endif
