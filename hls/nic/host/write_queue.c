// SPDX-License-Identifier: Apache-2.0
/*
 * write_queue.c - writes and events in ordered modes.
 *
 * A write leaves beat by beat when parb takes it. A head alone is a token: it is released when it may go. A write whose head has two
 * wrong bits cannot go: it is lost in its turn, when all queued writes before it are answered, and its data are dropped.
 */
#include "nic/host/write_queue.h"

HLS_RESET void write_queue_reset(struct write_queue *self)
{
    self->out = (struct write_queue_out){};
    parb_queue_reset(&self->queue);
    write_lines_reset(&self->lines);
    self->whole = 0;
}

HLS_MODULE void write_queue(struct write_queue *self, const struct write_queue_in *in)
{
    struct beat front = self->queue.out.front;
    u1 goes = front.valid && front.head && self->out.may && self->out.whole;
    u1 token = goes && front.tail;
    u1 lost = goes && !front.tail && front.bad && in->quiet;
    u1 drops = front.valid && !front.head && self->out.drops;
    u1 push = in->push.valid && in->push.head;
    u1 came = in->push.valid && in->push.tail;
    u1 gone = token || lost || (in->pop && front.head);
    struct parb_queue_in to = {.push = in->push, .pop = in->pop || token || lost || drops};
    struct write_lines_in lines = {
        .push = push,
        .waits = 1,
        .pop = gone,
        .accepted = {in->counts.accepted[ORDER_READS], in->counts.accepted[ORDER_ATOMICS]},
        .answered = {in->counts.answered[ORDER_READS], in->counts.answered[ORDER_ATOMICS]},
    };
    u1 rest = drops && !front.tail;
    u1 stays = self->out.drops && !drops;

    self->out.released = token;
    self->out.lost = lost;
    self->out.drops = lost || rest || stays;
    self->out.corrected = self->queue.out.corrected;
    self->out.room_packets = self->lines.out.count <= WRITE_PACKETS - 10;
    self->out.empty = self->lines.out.count == 0 && !push && !self->out.drops;
    hls_cover(self->out.may && !self->out.whole); /* waits for its own data */
    self->whole = (write_lines_count)(self->whole + came - gone);
    self->out.whole = self->whole != 0;
    parb_queue(&self->queue, &to);
    write_lines(&self->lines, &lines);
    self->out.front = self->queue.out.front;
    self->out.may = self->lines.out.may;
    self->out.room = self->queue.out.room;
    hls_cover(lost);
    hls_cover(token && !in->quiet);
}
