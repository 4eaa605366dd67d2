// SPDX-License-Identifier: Apache-2.0
/*
 * ntt.c - virtual PEs of the request stream become nodes.
 *
 * Call t reads the entry that a head names; t + 1 decodes it and puts the node into the head. Beats stay in step.
 */
#include "nic/initiator/ntt.h"

HLS_RESET void ntt_reset(struct ntt *self)
{
    self->out = (struct ntt_out){};
    self->beat = (struct beat){};
    self->entry = 0;
}

/* The head with its node: that of the entry, its low bits from the PE; or refused. */
static inline beat_word translate(beat_word head, const struct ntt_ecc_result *entry)
{
    nic_node pe = req_node(head);
    u3 granularity = BEAT_FIELD(head, VPE_GRANULARITY_AT, 3);
    nic_node low = (nic_node) ~(nic_node)((nic_node)-1 << granularity);
    nic_node node = (nic_node)entry->data;
    u1 valid = (u1)(entry->data >> NR_NTT_VALID_AT) & !entry->fatal;
    u1 beyond = BEAT_FIELD(head, VPE_REFUSED_AT, 1);

    head = BEAT_WITH(head, REQ_NODE_AT, 18, (nic_node)((node & ~low) | (pe & low)));
    head = BEAT_WITH(head, VPE_NTT_AT, 1, (u1)(entry->fatal & !beyond));
    return BEAT_WITH(head, VPE_REFUSED_AT, 1, (u1)(beyond | !valid));
}

HLS_MODULE void ntt(struct ntt *self, const struct ntt_in *in)
{
    struct ntt_ecc_result entry = ntt_ecc_decode(self->entry);
    u1 looks = self->beat.valid & self->beat.head & BEAT_FIELD(self->beat.word, VPE_NTT_AT, 1);
    u1 writes = in->write.valid && in->write.addr >> NIC_NTT_LOG2 == NR_NTT >> NIC_NTT_LOG2;
    uint(NIC_NTT_LOG2) place =
        in->wipe.valid ? (uint(NIC_NTT_LOG2))in->wipe.index : (uint(NIC_NTT_LOG2))in->write.addr;

    self->out.beat = self->beat;
    if (looks) {
        self->out.beat.word = translate(self->beat.word, &entry);
    }
    self->out.count =
        (uint(NTT_COUNTS))(((uint(NTT_COUNTS))(looks & entry.fatal) << NTT_FATAL) |
                           ((uint(NTT_COUNTS))(looks & entry.corrected) << NTT_CORRECTED));
    hls_cover(looks && entry.corrected);
    hls_cover(looks && entry.fatal);
    self->beat = in->tarb;
    self->entry = self->entries[(uint(NIC_NTT_LOG2))BEAT_FIELD(in->tarb.word, VPE_INDEX_AT, 13)];
    if (writes | in->wipe.valid) {
        self->entries[place] = ntt_ecc_encode((ntt_ecc_data)in->write.data); /* 0 in the wipe */
    }
}
