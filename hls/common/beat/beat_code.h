// SPDX-License-Identifier: Apache-2.0
/*
 * beat_code.h - what a beat is in a memory: three words, each with a mark, in a code that flits of 48 bits have, too.
 *
 * A word under ecc.inc has at most 57 data bits, so a beat takes three of them, side by side in one memory. The marks of
 * the first two words are both the tail's, so that a double-bit error in a word never joins or cuts packets; that of the third
 * is `bad`. `head` is not kept: it is the beat behind a tail.
 */
#ifndef BEAT_CODE_H
#define BEAT_CODE_H

#include "common/beat/beat.h"
#include "router/flit/rtr_ecc.h"

#if RTR_FLIT_BITS == BEAT_WORD_BITS
#define beat_ecc_decode flit_ecc_decode
#define beat_ecc_result flit_ecc_result
#define beat_word_code  rtr_encode
typedef rtr_flit beat_part;
typedef rtr_code beat_part_code;
#else
#define ECC      beat_ecc
#define ECC_DATA (BEAT_WORD_BITS + 1)
#define ECC_BITS 7
#include "common/ecc.inc"

typedef uint(BEAT_WORD_BITS) beat_part;
typedef beat_ecc_word beat_part_code;

static inline beat_part_code beat_word_code(beat_part part, u1 mark)
{
    return beat_ecc_encode((beat_ecc_data)(((beat_ecc_data)mark << BEAT_WORD_BITS) | part));
}
#endif

#define BEAT_PART_BITS (BEAT_WORD_BITS + 1 + 7) /* of a word with its mark, encoded */

typedef uint(3 * BEAT_PART_BITS) beat_code;

struct beat_fixed {
    u1 tail;
    u1 bad; /* marked so, or fatal */
    beat_word word;
    u1 corrected; /* one bit was wrong in one of the three words, or more of them */
    u1 fatal;     /* two bits of a word were */
};

static inline beat_code beat_encode(const struct beat *beat)
{
    beat_code low = beat_word_code((beat_part)beat->word, beat->tail);
    beat_code middle = beat_word_code((beat_part)(beat->word >> BEAT_WORD_BITS), beat->tail);
    beat_code high = beat_word_code((beat_part)(beat->word >> (2 * BEAT_WORD_BITS)), beat->bad);

    return low | (middle << BEAT_PART_BITS) | (high << (2 * BEAT_PART_BITS));
}

static inline struct beat_fixed beat_decode(beat_code code)
{
    struct beat_ecc_result low = beat_ecc_decode((beat_part_code)code);
    struct beat_ecc_result middle = beat_ecc_decode((beat_part_code)(code >> BEAT_PART_BITS));
    struct beat_ecc_result high = beat_ecc_decode((beat_part_code)(code >> (2 * BEAT_PART_BITS)));
    u1 tail_low = (u1)(low.data >> BEAT_WORD_BITS);
    u1 tail_middle = (u1)(middle.data >> BEAT_WORD_BITS);
    u1 bad = (u1)(high.data >> BEAT_WORD_BITS);
    u1 fatal = low.fatal | middle.fatal | high.fatal;

    return (struct beat_fixed){
        .tail = low.fatal ? tail_middle : tail_low,
        .bad = bad | fatal,
        .word = (beat_word)(beat_part)low.data |
                ((beat_word)(beat_part)middle.data << BEAT_WORD_BITS) |
                ((beat_word)(beat_part)high.data << (2 * BEAT_WORD_BITS)),
        .corrected = low.corrected | middle.corrected | high.corrected,
        .fatal = fatal,
    };
}

#endif
