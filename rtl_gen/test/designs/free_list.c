// SPDX-License-Identifier: Apache-2.0
/*
 * free_list: twelve slots in a linked list: take the head, give one back; a second list holds the
 * slots in use, in order.
 */
#include "hls.h"

enum { FREE_LIST_SLOTS = 12, FREE_LIST_NONE = 15 };

struct free_list_in {
    u1 take, give;
    u10 note;
};
struct free_list_out {
    u1 taken, given;
    u4 slot;
    u10 back;
    u4 free;
};
struct free_list {
    struct free_list_out out;
    u4 next[FREE_LIST_SLOTS];
    u10 payload[FREE_LIST_SLOTS];
    u4 free_head, used_head, used_tail;
};

HLS_RESET void free_list_reset(struct free_list *self)
{
    *self = (struct free_list){
        .out.free = FREE_LIST_SLOTS, .used_head = FREE_LIST_NONE, .used_tail = FREE_LIST_NONE};
    for (int i = 0; i < FREE_LIST_SLOTS; i++) {
        self->next[i] = i + 1 < FREE_LIST_SLOTS ? i + 1 : FREE_LIST_NONE;
    }
}

HLS_MODULE void free_list(struct free_list *self, const struct free_list_in *in)
{
    self->out.given = 0;
    self->out.taken = 0;
    if (in->give && self->used_head < FREE_LIST_SLOTS) {
        u4 slot = self->used_head;
        self->out.given = 1;
        self->out.back = self->payload[slot];
        self->used_head = self->next[slot];
        self->next[slot] = self->free_head;
        self->free_head = slot;
        self->out.free++;
    }
    if (in->take && self->free_head < FREE_LIST_SLOTS) {
        u4 slot = self->free_head;
        self->out.taken = 1;
        self->out.slot = slot;
        self->free_head = self->next[slot];
        self->next[slot] = FREE_LIST_NONE;
        self->payload[slot] = in->note;
        if (self->used_head < FREE_LIST_SLOTS && self->used_tail < FREE_LIST_SLOTS) {
            self->next[self->used_tail] = slot;
        } else {
            self->used_head = slot;
        }
        self->used_tail = slot;
        self->out.free--;
    }
}
