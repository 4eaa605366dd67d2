// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_host.h - quads of 16 bytes, how they stand in memories, and what cores and FIFOs say to each other.
 */
#ifndef BGL_HOST_H
#define BGL_HOST_H

#include "bgl/packet/bgl_types.h"

#define BGL_RECEPTION                                                                              \
    16 /* numbers of reception FIFOs: 0-5 and 8-13 normal, 6 and 14 high-priority; 7, 15 are none */
#define BGL_QUADS 64 /* of a FIFO */

typedef uint(128) bgl_quad;

/* Two codes of 72 bits, bytes 0 to 7 in the lower one. */
struct quad_word {
    word_ecc_word lower;
    word_ecc_word upper;
};

struct quad_result {
    bgl_quad data;
    u1 corrected;
    u1 fatal;
};

static inline struct quad_word quad_encode(bgl_quad quad)
{
    return (struct quad_word){bgl_ecc_word((u64)quad), bgl_ecc_word((u64)(quad >> 64))};
}

static inline struct quad_result quad_decode(struct quad_word word)
{
    struct word_ecc_result lower = word_decode(word.lower);
    struct word_ecc_result upper = word_decode(word.upper);

    return (struct quad_result){
        .data = (bgl_quad)(((bgl_quad)upper.data << 64) | lower.data),
        .corrected = lower.corrected || upper.corrected,
        .fatal = lower.fatal || upper.fatal,
    };
}

/* A core writes a quad into an injection FIFO. */
struct bgl_push {
    u1 valid;
    u1 spoiled; /* not whole: the FIFO stops as if it were full */
    u3 fifo;
    bgl_quad data;
};

/* A core takes a quad off a reception FIFO. */
struct bgl_pop {
    u1 valid;
    u4 fifo;
};

#endif
