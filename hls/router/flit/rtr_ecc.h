// SPDX-License-Identifier: Apache-2.0
/*
 * rtr_ecc.h - the codes that protect flits in the buffers of a tile.
 *
 * A flit and its mark are encoded at the input queue, and again where a head is rewritten; they travel and are
 * stored as rtr_code. What a buffer's control logic reads of a flit (tail, row, column) is stored beside it in a
 * small code of its own.
 */
#ifndef RTR_ECC_H
#define RTR_ECC_H

#include "router/flit/rtr_types.h"

#define ECC      flit_ecc
#define ECC_DATA (RTR_FLIT_BITS + 1)
#define ECC_BITS RTR_ECC_BITS
#include "common/ecc.inc"

struct rtr_fixed {
    rtr_flit flit;
    u1 bad;       /* marked bad, or uncorrectable */
    u1 corrected; /* one bit was wrong */
    u1 fatal;     /* two bits were wrong: uncorrectable */
};

static inline rtr_code rtr_encode(rtr_flit flit, u1 bad)
{
    return flit_ecc_encode((flit_ecc_data)(((flit_ecc_data)bad << RTR_FLIT_BITS) | flit));
}

/* A code whose syndrome is known: flit_ecc_inspect. */
static inline struct rtr_fixed rtr_correct(rtr_code code, flit_ecc_syndrome syndrome)
{
    struct flit_ecc_result result = flit_ecc_correct((flit_ecc_data)code, syndrome);

    return (struct rtr_fixed){
        .flit = (rtr_flit)result.data,
        .bad = (u1)(result.data >> RTR_FLIT_BITS) | result.fatal,
        .corrected = result.corrected,
        .fatal = result.fatal,
    };
}

static inline struct rtr_fixed rtr_decode(rtr_code code)
{
    return rtr_correct(code, flit_ecc_inspect(code));
}

#endif
