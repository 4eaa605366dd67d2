// SPDX-License-Identifier: Apache-2.0
/*
 * ce_members.c - children of collective engines, one after the other.
 *
 *   clock 0  the lowest one that is left: its words are read
 *   clock 1  their codes; it stands in out.member until it is taken
 */
#include "nic/ce/ce_members.h"

HLS_RESET void ce_members_reset(struct ce_members *self)
{
    self->out = (struct ce_members_out){};
    self->engine = 0;
    self->turn = 0;
    self->left = 0;
    self->asked = 0;
    self->child = 0;
    self->code = 0;
    self->record = 0;
}

static inline ce_child lowest(ce_children set)
{
    ce_child k = 0;

    for (int i = CE_CHILDREN - 1; i >= 0; i--) {
        k = (u1)(set >> i) ? (ce_child)i : k;
    }
    return k;
}

/* Clock 1: the child that was asked for. */
static inline void show(struct ce_members *self)
{
    struct child_ecc_result child = child_ecc_decode(self->code);
    struct endpoint_ecc_result low = endpoint_ecc_decode((endpoint_ecc_word)self->record);
    struct endpoint_ecc_result high =
        endpoint_ecc_decode((endpoint_ecc_word)(self->record >> CE_RECORD_BITS));
    ce_endpoint_word word = (ce_endpoint_word)(((ce_endpoint_word)high.data << 59) | low.data);
    u1 endpoint = (u2)(child.data >> NR_CE2_KIND_AT) == CE_ENDPOINT;

    self->out.member = (struct ce_member){
        .valid = self->asked,
        .child = self->child,
        .fatal = child.fatal || (endpoint && (low.fatal || high.fatal)),
        .relative = ce_relative_of(child.data),
        .endpoint = {.mdh = (nic_mdh)word,
                     .offset = (nic_offset)(word >> 12),
                     .queue = (u10)(word >> 52),
                     .event = (u56)(word >> 62)},
    };
    self->out.corrected =
        self->asked && (child.corrected || (endpoint && (low.corrected || high.corrected)));
}

/* Clock 0: the next one. */
static inline void ask(struct ce_members *self)
{
    ce_child k = lowest(self->left);

    self->asked = self->left != 0;
    self->child = k;
    self->code = self->children[ce_place_of(self->engine, k)];
    self->record = self->records[(u8)(((u8)self->turn << 7) | ce_place_of(self->engine, k))];
    self->left &= (ce_children)(self->left - 1);
}

static inline void write_tables(struct ce_members *self, const struct ce_members_in *in)
{
    const struct ce_endpoint *x = &in->joined.endpoint;
    ce_endpoint_word word =
        (ce_endpoint_word)(((ce_endpoint_word)x->event << 62) | ((ce_endpoint_word)x->queue << 52) |
                           ((ce_endpoint_word)x->offset << 12) | x->mdh);

    if (in->joined.valid) {
        self->records[in->joined.place] =
            (ce_record)(((ce_record)endpoint_ecc_encode((endpoint_ecc_data)(word >> 59))
                         << CE_RECORD_BITS) |
                        endpoint_ecc_encode((endpoint_ecc_data)word));
    }
    if (in->entry.valid) {
        self->children[in->entry.place] = in->entry.code;
    }
}

HLS_MODULE void ce_members(struct ce_members *self, const struct ce_members_in *in)
{
    u1 free = !self->out.member.valid || in->take;
    u1 goes = free || !self->asked;

    hls_assume(!in->take || self->out.member.valid);
    hls_assume(!in->round.begins || self->out.over);
    self->out.corrected = 0;
    if (free) {
        show(self);
    }
    if (goes) {
        ask(self);
    }
    if (in->round.begins) {
        self->engine = in->round.engine;
        self->turn = in->round.turn;
        self->left = in->round.set;
    }
    self->out.over = self->left == 0 && !self->asked && !self->out.member.valid;
    write_tables(self, in);
    hls_cover(self->out.member.valid && self->asked && self->left != 0);
}
