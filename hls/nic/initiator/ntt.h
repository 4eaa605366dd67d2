// SPDX-License-Identifier: Apache-2.0
/*
 * ntt.h - ports and registers of the node translation table: virtual PE to node.
 */
#ifndef NTT_H
#define NTT_H

#include "nic/regs/nic_map.h"
#include "nic/packet/nic_types.h"

#define ECC      ntt_ecc
#define ECC_DATA (NR_NTT_NODE_BITS + NR_NTT_VALID_BITS)
#define ECC_BITS 6
#include "common/ecc.inc"

/* Where the node of a virtual PE stands, or that the job has no such PE. */
struct ntt_place {
    u13 index;
    u1 refused;
};

/* Whoever makes a request asks this: base and size of its job in the table, granularity as in ntt. */
static inline struct ntt_place ntt_place(nic_node pe, u13 base, u18 size, u3 granularity)
{
    u19 index = (u19)((u19)base + (pe >> granularity));

    return (struct ntt_place){
        .index = (u13)index,
        .refused = pe >= size || index >> NIC_NTT_LOG2 != 0,
    };
}

/* What is counted. */
enum ntt_count {
    NTT_CORRECTED, /* CORRECTABLE_MEMORY: a single-bit error in an entry */
    NTT_FATAL,     /* ADDRESS_TRANSLATION: two; the request is refused */
    NTT_COUNTS,
};

struct ntt_in {
    struct beat tarb;
    struct nic_write write;
    struct nic_wipe wipe;
};

struct ntt_out {
    struct beat beat; /* to ssid */
    uint(NTT_COUNTS) count;
};

struct ntt {
    struct ntt_out out;
    struct beat beat; /* of the clock before */
    ntt_ecc_word entry;
    HLS_BRAM_READ_FIRST ntt_ecc_word entries[1 << NIC_NTT_LOG2];
};

HLS_RESET void ntt_reset(struct ntt *self);
HLS_MODULE void ntt(struct ntt *self, const struct ntt_in *in);

#endif
