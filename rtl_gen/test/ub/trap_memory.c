// SPDX-License-Identifier: Apache-2.0
/*
 * trap_memory: a call that traps ends before its write into a memory, which the RTL does and no reset undoes. Lockstep
 * must not take the two contents for a difference. Each word is a sum, so a write that only one of them did stays to be seen.
 */
#include "hls.h"

struct trap_memory_in {
    u3 at;
    u4 by; /* 0: undefined */
    u8 data;
};
struct trap_memory_out {
    u8 word, share;
};
struct trap_memory {
    struct trap_memory_out out;
    HLS_LUTRAM(1) u8 words[8];
};

HLS_RESET void trap_memory_reset(struct trap_memory *self)
{
    self->out = (struct trap_memory_out){};
}

HLS_MODULE void trap_memory(struct trap_memory *self, const struct trap_memory_in *in)
{
    self->out.word = self->words[in->at];
    self->out.share = (u8)(200 / in->by);
    self->words[in->at] = (u8)(self->out.word + in->data + 1);
}
