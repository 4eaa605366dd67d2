// SPDX-License-Identifier: Apache-2.0
/*
 * ss_code.h - the code of the scratch memory: a cell of 128 bits is three words of 43, 43 and 42 bits, each with seven check bits.
 */
#ifndef SS_CODE_H
#define SS_CODE_H

#include "seastar/packet/ss_tables.h"

#define ECC      ss_wide_ecc
#define ECC_DATA 43
#define ECC_BITS 7
#include "common/ecc.inc"

#define ECC      ss_slim_ecc
#define ECC_DATA 42
#define ECC_BITS 7
#include "common/ecc.inc"

typedef uint(149) ss_coded;

struct ss_decoded {
    ss_cell cell;
    u1 corrected; /* a single-bit error */
    u1 fatal;     /* an uncorrectable one: the cell is meaningless */
};

static inline ss_coded ss_cell_encode(ss_cell c)
{
    return (ss_coded)ss_wide_ecc_encode((ss_wide_ecc_data)c) |
           ((ss_coded)ss_wide_ecc_encode((ss_wide_ecc_data)(c >> 43)) << 50) |
           ((ss_coded)ss_slim_ecc_encode((ss_slim_ecc_data)(c >> 86)) << 100);
}

static inline struct ss_decoded ss_cell_decode(ss_coded c)
{
    struct ss_wide_ecc_result a = ss_wide_ecc_decode((ss_wide_ecc_word)c);
    struct ss_wide_ecc_result b = ss_wide_ecc_decode((ss_wide_ecc_word)(c >> 50));
    struct ss_slim_ecc_result d = ss_slim_ecc_decode((ss_slim_ecc_word)(c >> 100));

    return (struct ss_decoded){.cell = (ss_cell)a.data | ((ss_cell)b.data << 43) |
                                       ((ss_cell)d.data << 86),
                               .corrected = a.corrected || b.corrected || d.corrected,
                               .fatal = a.fatal || b.fatal || d.fatal};
}

#endif
