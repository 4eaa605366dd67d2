// SPDX-License-Identifier: Apache-2.0
/*
 * beat.h - what every two blocks of the NIC say to each other: beats.
 *
 * A beat is three words of 48 bits wide, three flits where these have as many. A packet is one head beat and up to four data beats of 16 bytes, first byte lowest;
 * packets of one stream are never mixed, bubbles between their beats are allowed.
 *
 * Flow control is `room`: a register of the receiver that says that BEAT_ROOM more beats, three packets of any size,
 * fit. A sender begins a packet only when room was 1, and then sends it whole. So what is on its way between the
 * place where a packet begins and the receiver's queue, with the clocks until that place sees room fall, may be
 * BEAT_ROOM - BEATS beats at most.
 */
#ifndef BEAT_H
#define BEAT_H

#include "hls.h"
#include "config/machine.h"

#define BEAT_WORD_BITS 48
#define BEAT_BITS      (3 * BEAT_WORD_BITS)
#define BEAT_BYTES     16 /* of payload in a data beat */
#define BEATS          5  /* beats of the longest packet */
#define BEAT_ROOM      (3 * BEATS)

typedef uint(BEAT_BITS) beat_word;
typedef uint(8 * BEAT_BYTES) beat_data;

struct beat {
    u1 valid;
    u1 head; /* first of its packet */
    u1 tail; /* last of its packet; a packet of one beat has both */
    u1 bad;  /* a double-bit error was found in it */
    /* clang 19 writes zeros of 129 to 192 bits as 32 bytes where objects are initialised, so that they need that much */
    _Alignas(16) beat_word word;
};

/* Bits of a word from bit `at` on, `width` (a constant below 64) of them. */
#define BEAT_FIELD(word, at, width) ((uint(width))((word) >> (at)))

/* The word with the bits of a field, a type of exactly its width, replaced. */
#define BEAT_WITH(word, at, width, value)                                                          \
    ((beat_word)(((word) & ~((((beat_word)1 << (width)) - 1) << (at))) |                           \
                 ((beat_word)(value) << (at))))

#endif
