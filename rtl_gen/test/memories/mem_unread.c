// SPDX-License-Identifier: Apache-2.0
/*
 * mem_unread: memories that nobody reads: one that is only written, one that nothing touches, a member of a memory of
 * structs, and a block RAM.
 */
#include "hls.h"

struct mem_unread_entry {
    u6 data;
    u3 tag;
};

struct mem_unread_in {
    u1 write;
    u3 address;
    u6 data;
};
struct mem_unread_out {
    u6 found;
};
struct mem_unread {
    struct mem_unread_out out;
    struct mem_unread_entry entry[8] HLS_LUTRAM(1);
    u6 history[8] HLS_BRAM;
    u6 spare[4] HLS_LUTRAM(1);
};

HLS_RESET void mem_unread_reset(struct mem_unread *self)
{
    self->out = (struct mem_unread_out){0};
}

HLS_MODULE void mem_unread(struct mem_unread *self, const struct mem_unread_in *in)
{
    self->out.found = self->entry[in->address].data;
    if (in->write) {
        self->entry[in->address] = (struct mem_unread_entry){.data = in->data, .tag = in->address};
        self->history[in->address] = in->data;
    }
}
