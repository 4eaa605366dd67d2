// SPDX-License-Identifier: Apache-2.0
/*
 * beat_code.h - what a beat is in a memory: three flits, each with a mark, in the router's own code.
 *
 * A word under ecc.inc has at most 57 data bits, so a beat takes three of them, side by side in one memory. The marks of
 * the first two words are both the tail's, so that a double-bit error in a word never joins or cuts packets; that of the third
 * is `bad`. `head` is not kept: it is the beat behind a tail.
 */
#ifndef BEAT_CODE_H
#define BEAT_CODE_H

#include "common/beat/beat.h"
#include "router/flit/rtr_ecc.h"

typedef uint(3 * RTR_CODE_BITS) beat_code;

struct beat_fixed {
    u1 tail;
    u1 bad; /* marked so, or fatal */
    beat_word word;
    u1 corrected; /* one bit was wrong in one of the three words, or more of them */
    u1 fatal;     /* two bits of a word were */
};

static inline beat_code beat_encode(const struct beat *beat)
{
    beat_code low = rtr_encode((rtr_flit)beat->word, beat->tail);
    beat_code middle = rtr_encode((rtr_flit)(beat->word >> RTR_FLIT_BITS), beat->tail);
    beat_code high = rtr_encode((rtr_flit)(beat->word >> (2 * RTR_FLIT_BITS)), beat->bad);

    return low | (middle << RTR_CODE_BITS) | (high << (2 * RTR_CODE_BITS));
}

static inline struct beat_fixed beat_decode(beat_code code)
{
    struct flit_ecc_result low = flit_ecc_decode((rtr_code)code);
    struct flit_ecc_result middle = flit_ecc_decode((rtr_code)(code >> RTR_CODE_BITS));
    struct flit_ecc_result high = flit_ecc_decode((rtr_code)(code >> (2 * RTR_CODE_BITS)));
    u1 tail_low = (u1)(low.data >> RTR_FLIT_BITS);
    u1 tail_middle = (u1)(middle.data >> RTR_FLIT_BITS);
    u1 bad = (u1)(high.data >> RTR_FLIT_BITS);
    u1 fatal = low.fatal | middle.fatal | high.fatal;

    return (struct beat_fixed){
        .tail = low.fatal ? tail_middle : tail_low,
        .bad = bad | fatal,
        .word = (beat_word)(rtr_flit)low.data |
                ((beat_word)(rtr_flit)middle.data << RTR_FLIT_BITS) |
                ((beat_word)(rtr_flit)high.data << (2 * RTR_FLIT_BITS)),
        .corrected = low.corrected | middle.corrected | high.corrected,
        .fatal = fatal,
    };
}

#endif
