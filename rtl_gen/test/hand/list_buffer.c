// SPDX-License-Identifier: Apache-2.0
/*
 * list_buffer: eight queues in one buffer of 64 slots, as linked lists.
 *
 * The last slot of a queue is always an empty one, which the next push fills: so only a push writes
 * `tail` and only a pop writes `head`. A queue that was never used has its own number as its first
 * slot. The other 56 slots are given out in order once and from then on by the free list, which runs
 * through `link` as the queues do. A pop and a push in one clock hand the slot over, so that `link`
 * has one write and one read per clock. The contract is in README.md.
 */
#include "hls.h"

enum { LIST_QUEUES = 8, LIST_SLOTS = 64 };

struct list_buffer_in {
    u1 push; /* counts with ready */
    u3 push_queue;
    u48 push_data;
    u1 pop; /* counts when filled[pop_queue] */
    u3 pop_queue;
};
struct list_buffer_out {
    u1 ready;  /* a slot is free */
    u8 filled; /* the queue holds something */
    u1 popped_valid;
    u48 popped_data; /* with popped_valid: what the last clock's pop took */
};
struct list_buffer {
    struct list_buffer_out out;
    HLS_LUTRAM(1) u6 head[LIST_QUEUES];
    HLS_LUTRAM(2) u6 tail[LIST_QUEUES];
    u8 popped, pushed;                 /* head, tail was written */
    HLS_LUTRAM(1) u6 link[LIST_SLOTS]; /* the slot behind this one */
    HLS_BRAM u48 data[LIST_SLOTS];
    u6 free_head;
    u7 fresh; /* slots from here to 63 were never used; 64: all were */
    u6 room;  /* free slots + 63, below the top bit, which is out.ready */
};

HLS_RESET void list_buffer_reset(struct list_buffer *self)
{
    self->out.ready = 1;
    self->out.filled = 0;
    self->out.popped_valid = 0;
    self->popped = 0;
    self->pushed = 0;
    self->free_head = 0;
    self->fresh = LIST_QUEUES;
    self->room = LIST_SLOTS - LIST_QUEUES - 1;
}

HLS_MODULE void list_buffer(struct list_buffer *self, const struct list_buffer_in *in)
{
    u1 puts = in->push && self->out.ready;
    u1 gets = in->pop && (u1)(self->out.filled >> in->pop_queue);
    u6 head = self->head[in->pop_queue];
    u6 end = self->tail[in->pop_queue];
    u6 tail = self->tail[in->push_queue];
    u6 first = (u1)(self->popped >> in->pop_queue) ? head : (u6)in->pop_queue;
    u6 last = (u1)(self->pushed >> in->push_queue) ? tail : (u6)in->push_queue;
    u1 all_used = (u1)(self->fresh >> 6);

    u6 behind = self->link[gets ? first : self->free_head];
    u6 spare = gets ? first : all_used ? self->free_head : (u6)self->fresh;
    u8 get_mask = (u8)gets << in->pop_queue;
    u8 put_mask = (u8)puts << in->push_queue;

    if (gets) {
        self->out.popped_data = self->data[first];
        self->head[in->pop_queue] = behind;
    }
    if (puts) {
        self->data[last] = in->push_data;
        self->tail[in->push_queue] = spare;
    }
    if (puts || gets) {
        self->link[puts ? last : first] = puts ? spare : self->free_head;
    }
    self->popped |= get_mask;
    self->pushed |= put_mask;
    self->out.filled = (self->out.filled & ~(behind == end ? get_mask : (u8)0)) | put_mask;
    self->out.popped_valid = gets;

    u7 room = (u7)self->out.ready << 6 | self->room;
    if (gets != puts) {
        room += puts ? (u7)0x7f : (u7)1;
        if (gets) {
            self->free_head = first;
        } else if (all_used) {
            self->free_head = behind;
        }
    }
    self->out.ready = (u1)(room >> 6);
    self->room = (u6)room;
    self->fresh += puts && !gets && !all_used;
}
