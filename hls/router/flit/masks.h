// SPDX-License-Identifier: Apache-2.0
/*
 * masks.h - sets of VCs; multiplexer of eight.
 */
#ifndef MASKS_H
#define MASKS_H

#include "common/arbiter.h"
#include "router/flit/rtr_types.h"

/* Its bit; of a VC that does not exist, as an uncorrectable word may name, there is none. */
static inline rtr_vcs vc_bit(rtr_vc vc)
{
    return (rtr_vcs)((u8)1 << vc);
}

/* One of eight codes: the tree of multiplexers. */
static inline rtr_code one_of_codes(const rtr_code code[8], u3 n)
{
    u1 a = (u1)n, b = (u1)(n >> 1), c = (u1)(n >> 2);
    rtr_code low = b ? (a ? code[3] : code[2]) : (a ? code[1] : code[0]);
    rtr_code high = b ? (a ? code[7] : code[6]) : (a ? code[5] : code[4]);

    return c ? high : low;
}

#endif
