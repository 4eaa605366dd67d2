// SPDX-License-Identifier: Apache-2.0
/*
 * bist_source.c - a generator of packets.
 */
#include "board/bist_source.h"

HLS_RESET void bist_source_reset(struct bist_source *self)
{
    *self = (struct bist_source){0};
}

static inline void prepare(struct bist_source *self, bist_stream last)
{
    bist_number number = (bist_number)self->number[self->stream];

    self->tag = (bist_tag)((bist_tag)self->stream << BIST_NUMBER_BITS | number);
    self->number[self->stream] = (bist_number)(number + 1);
    self->stream = self->stream == last ? (bist_stream)0 : (bist_stream)(self->stream + 1);
    self->prepared = 1;
}

HLS_MODULE void bist_source(struct bist_source *self, const struct bist_source_in *in)
{
    bist_stream stream = (bist_stream)(self->tag >> BIST_NUMBER_BITS);
    u3 vc = stream & in->vcs;
    u1 second = (stream & ~in->vcs) != 0;
    u1 free = !self->out.valid || in->ready;
    /* room does not know yet of a packet whose head is taken in this clock: one of one flit */
    u8 room = self->out.valid && self->head ? in->spare : in->room;
    u1 begins = free && self->left == 0 && self->prepared && in->run && (room >> vc & 1);

    if (free) {
        self->head = begins;
    }
    if (begins) {
        self->out.valid = 1;
        self->out.flit =
            bist_head(self->tag, vc) & ~((u48)(bist_route)~in->route[second] << BIST_PLACE_AT);
        self->left = (rtr_length)(bist_length(self->tag) - 1);
        self->body = bist_first(self->tag);
    } else if (free) {
        self->out.valid = self->left != 0;
        self->out.flit = self->body;
        self->body = bist_next(self->body);
        self->left -= self->left != 0;
    }
    if (begins || !self->prepared) {
        prepare(self, in->last);
    }
}
