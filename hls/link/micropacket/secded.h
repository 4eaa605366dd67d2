// SPDX-License-Identifier: Apache-2.0
/*
 * secded.h - the code over one flit in the replay or the receive buffer, an instance of ecc.inc.
 *
 *   54  48 47                              0
 *  +------+---------------------------------+
 *  | ecc  |              flit               |
 *  +------+---------------------------------+
 */
#ifndef SECDED_H
#define SECDED_H

#include "link/flit/link_types.h"

#define LCB_STORED_BITS (LCB_FLIT_BITS + LCB_ECC_BITS)

#if LCB_FLIT_BITS <= 57

#define ECC      secded
#define ECC_DATA LCB_FLIT_BITS
#define ECC_BITS LCB_ECC_BITS
#include "common/ecc.inc"

#else

/* Two codes of half a flit: below the check bits of the upper half those of the lower one. */
#define SECDED_HALF      (LCB_FLIT_BITS / 2)
#define SECDED_HALF_BITS (LCB_ECC_BITS / 2)

#define ECC      secded_half
#define ECC_DATA SECDED_HALF
#define ECC_BITS SECDED_HALF_BITS
#include "common/ecc.inc"

typedef uint(LCB_STORED_BITS) secded_word;
typedef uint(LCB_ECC_BITS) secded_syndrome;

struct secded_result {
    lcb_flit data;
    u1 corrected; /* one bit was wrong, or one in each half */
    u1 fatal;     /* two bits of a half were wrong: uncorrectable, data is meaningless */
};

static inline secded_word secded_encode(lcb_flit flit)
{
    secded_half_word low = secded_half_encode((secded_half_data)flit);
    secded_half_word high = secded_half_encode((secded_half_data)(flit >> SECDED_HALF));
    secded_word check = (secded_word)(low >> SECDED_HALF) |
                        (secded_word)((secded_word)(high >> SECDED_HALF) << SECDED_HALF_BITS);

    return (secded_word)(flit | (check << LCB_FLIT_BITS));
}

/* A half with its check bits. */
static inline secded_half_word secded_part(secded_word word, int half)
{
    secded_half_word check =
        (uint(SECDED_HALF_BITS))(word >> (LCB_FLIT_BITS + SECDED_HALF_BITS * half));

    return (secded_half_word)((secded_half_data)(word >> (SECDED_HALF * half)) |
                              (check << SECDED_HALF));
}

static inline secded_syndrome secded_inspect(secded_word word)
{
    secded_syndrome high = secded_half_inspect(secded_part(word, 1));

    return (secded_syndrome)(secded_half_inspect(secded_part(word, 0)) |
                             (high << SECDED_HALF_BITS));
}

static inline struct secded_result secded_correct(lcb_flit flit, secded_syndrome syndrome)
{
    struct secded_half_result low =
        secded_half_correct((secded_half_data)flit, (secded_half_syndrome)syndrome);
    struct secded_half_result high =
        secded_half_correct((secded_half_data)(flit >> SECDED_HALF),
                            (secded_half_syndrome)(syndrome >> SECDED_HALF_BITS));

    return (struct secded_result){
        .data = (lcb_flit)(low.data | ((lcb_flit)high.data << SECDED_HALF)),
        .corrected = low.corrected || high.corrected,
        .fatal = low.fatal || high.fatal,
    };
}

static inline struct secded_result secded_decode(secded_word word)
{
    return secded_correct((lcb_flit)word, secded_inspect(word));
}

#endif

typedef secded_word lcb_stored;

#endif
