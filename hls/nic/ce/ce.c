// SPDX-License-Identifier: Apache-2.0
/*
 * ce.c - joins of the collective engines: what comes, the fold, what goes. Each part sees the registers of the others, so the order of calls
 * does not matter.
 */
#include "nic/ce/ce.h"

HLS_RESET void ce_reset(struct ce *self)
{
    self->out = (struct ce_out){};
    ce_gather_reset(&self->gather);
    ce_fold_reset(&self->fold);
    ce_send_reset(&self->send);
    ce_members_reset(&self->members);
    ce_packet_reset(&self->packet);
}

static inline uint(CE_COUNTS) counts_of(const struct ce *self)
{
    uint(GATHER_COUNTS) gather = self->gather.out.count;
    uint(FOLD_COUNTS) fold = self->fold.out.count;
    uint(SEND_COUNTS) send = self->send.out.count;
    u1 corrected = (u1)(gather >> GATHER_CORRECTED) || (u1)(fold >> FOLD_CORRECTED) ||
                   self->members.out.corrected;
    u1 fatal = (u1)(gather >> GATHER_FATAL) || (u1)(fold >> FOLD_FATAL);
    uint(CE_COUNTS) told = (uint(CE_COUNTS))((uint(CE_COUNTS))(send >> SEND_DONE) << CE_DONE);

    return (uint(CE_COUNTS))(told | ((uint(CE_COUNTS))corrected << CE_CORRECTED) |
                             ((uint(CE_COUNTS))fatal << CE_FATAL) |
                             ((uint(CE_COUNTS))(u1)(gather >> GATHER_REFUSED) << CE_REFUSED));
}

static inline void forward(struct ce *self)
{
    self->out.room_join = self->gather.out.room_join;
    self->out.room_request = self->gather.out.room_request;
    self->out.answer = self->gather.out.answer;
    self->out.owned.known = self->gather.out.known;
    self->out.owned.data = self->gather.out.status;
    self->out.beat = self->packet.out.beat;
    self->out.local = self->send.out.local;
    self->out.event = self->send.out.event;
}

HLS_MODULE void ce(struct ce *self, const struct ce_in *in)
{
    const struct ce_gather_out *gather = &self->gather.out;
    struct ce_gather_in to_gather = {
        .join = in->join,
        .request = in->request,
        .answer_taken = in->answer_taken,
        .refusal_taken = self->send.out.refusal_taken,
        .phase = self->send.out.phase,
        .write = in->write,
        .wipe = in->wipe,
        .read = in->read,
        .epoch = in->epoch,
    };
    struct ce_fold_in to_fold = {.part = gather->part, .clear = self->send.out.clear};
    struct ce_send_in to_send = {
        .active = gather->active,
        .turn = gather->turn,
        .told = gather->told,
        .late = gather->late,
        .closed = gather->closed,
        .down = gather->down,
        .refusal = gather->refusal,
        .whole = self->fold.out.whole,
        .member = self->members.out.member,
        .members_over = self->members.out.over,
        .order_taken = self->packet.out.taken,
        .over = in->over,
        .local_taken = in->local_taken,
        .done = in->done,
        .refused = in->refused,
        .room_event = in->room_event,
    };

    struct ce_members_in to_members = {
        .entry = gather->entry,
        .joined = gather->joined,
        .round = self->send.out.round,
        .take = self->send.out.member_taken,
    };
    struct ce_packet_in to_packet = {
        .order = self->send.out.order,
        .saying = self->send.out.saying,
        .room = in->room,
        .tags = in->tags,
    };

    for (int e = 0; e < CE_ENGINES; e++) {
        to_fold.children[e] = gather->config[e].children;
        to_fold.operation[e] = gather->operation[e];
        to_fold.rounding[e] = gather->config[e].rounding;
        to_send.config[e] = gather->config[e];
        to_send.id[e] = gather->id[e];
        to_send.operation[e] = gather->operation[e];
        to_send.folded[e] = self->fold.out.folded[e];
    }
    self->out.count = counts_of(self);
    self->out.idle =
        self->send.out.idle && self->gather.out.idle && !in->join.valid && !in->request.valid;
    ce_gather(&self->gather, &to_gather);
    ce_fold(&self->fold, &to_fold);
    ce_send(&self->send, &to_send);
    ce_members(&self->members, &to_members);
    ce_packet(&self->packet, &to_packet);
    forward(self);
}
