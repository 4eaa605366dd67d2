// SPDX-License-Identifier: Apache-2.0
/* ss_route.c - routing tables of one input: read in the clock of the head, chosen from in the next. */
#include "seastar/router/ss_route.h"

HLS_RESET void ss_route_reset(struct ss_route *self)
{
    self->out = (struct ss_route_out){};
    self->local_word = 0;
    self->global_word = 0;
    self->here = 0;
}

HLS_MODULE void ss_route(struct ss_route *self, const struct ss_route_in *in)
{
    uint(SS_PARTITION_BITS) partition = (uint(SS_PARTITION_BITS))(in->dst >> SS_INDEX_BITS);
    ss_entry entry = ss_entry_ecc_encode(in->write.entry);

    self->out.entry = self->here ? self->local_word : self->global_word;
    self->here = partition == in->partition;
    self->local_word = self->near[(uint(SS_INDEX_BITS))in->dst];
    self->global_word = self->far[partition];
    if (in->write.local) {
        self->near[in->write.index] = entry;
    }
    if (in->write.global) {
        self->far[(uint(SS_PARTITION_BITS))in->write.index] = entry;
    }
}
