// SPDX-License-Identifier: Apache-2.0
/*
 * ce_packet.c - OPEN, CE_UP or CE_DOWN, CLOSE: a packet begins when tarb has room, a request when there are tags for it, and then nothing
 * stops it.
 */
#include "nic/ce/ce_packet.h"

HLS_RESET void ce_packet_reset(struct ce_packet *self)
{
    self->out = (struct ce_packet_out){};
    self->beat = 0;
}

static inline u1 is_request(const struct ce_order *order)
{
    return order->cmd == CMD_CE_UP || order->cmd == CMD_CE_DOWN;
}

static inline beat_word packet_head(const struct ce_order *o, const struct ce_saying *s)
{
    u1 request = is_request(o);
    nic_offset offset = (nic_offset)(((nic_offset)s->result.status << CE_STATUS_AT) |
                                     ((nic_offset)s->result.exceptions << CE_EXCEPTIONS_AT) |
                                     ((nic_offset)s->operation << CE_OPERATION_AT) |
                                     ((nic_offset)o->child << CE_CHILD_AT) |
                                     ((nic_offset)o->to << CE_ENGINE_AT) | s->id);
    beat_word word = req_with_offset(0, request ? offset : (nic_offset)0);

    word = BEAT_WITH(word, REQ_CMD_AT, 4, o->cmd);
    word = BEAT_WITH(word, REQ_NODE_AT, 18, request ? o->node : (nic_node)0);
    word = BEAT_WITH(word, REQ_MODE_AT, 3, s->mode);
    word = BEAT_WITH(word, REQ_PTAG_AT, 8, s->ptag);
    word = BEAT_WITH(word, REQ_Z_AT, 6, request ? (u6)15 : (u6)0);
    return req_with_channel(
        word, ce_channel_number((ce_channel)(((ce_channel)s->engine << 1) | o->down)));
}

HLS_MODULE void ce_packet(struct ce_packet *self, const struct ce_packet_in *in)
{
    const struct ce_order *o = &in->order;
    const struct ce_folded *result = &in->saying.result;
    u1 request = is_request(o);
    u1 head = self->beat == 0;
    u1 begins = o->valid && !self->out.taken && in->room && (in->tags || !request);
    u1 goes = head ? begins : (u1)1;
    u2 last = request ? (u2)1 : o->cmd == CMD_OPEN ? (u2)0 : (u2)2;
    u1 tail = self->beat == last;
    beat_word data =
        request ? (beat_word)(((beat_word)result->second << 64) | result->first) : (beat_word)0;

    self->out.beat = (struct beat){
        .valid = goes,
        .head = head,
        .tail = tail,
        .word = head ? packet_head(o, &in->saying) : data,
    };
    /* the beat before the last one, or OPEN's only one */
    self->out.taken = goes && (last == 0 || self->beat + 1 == last);
    if (goes) {
        self->beat = tail ? (u2)0 : (u2)(self->beat + 1);
    }
    hls_cover(o->valid && in->room && !in->tags && head);
}
