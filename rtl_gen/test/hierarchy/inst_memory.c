// SPDX-License-Identifier: Apache-2.0
/*
 * inst_memory: an array of children each with a memory, an array inside the child, and one more
 * child of another depth of hierarchy holding the same kind.
 */
#include "hls.h"

struct inst_memory_bank_in {
    u1 we;
    u4 at;
    u9 data;
};
struct inst_memory_bank_out {
    u9 q;
};
struct inst_memory_bank {
    struct inst_memory_bank_out out;
    HLS_LUTRAM(1) u9 word[16];
    u2 writes[4];
};

struct inst_memory_in {
    u1 we;
    u6 at; /* bank in the low two bits */
    u9 data;
};
struct inst_memory_out {
    u9 q;
    u11 all;
};
struct inst_memory {
    struct inst_memory_out out;
    struct inst_memory_bank bank[4];
    u2 last;
};

HLS_RESET void inst_memory_bank_reset(struct inst_memory_bank *self)
{
    self->out.q = 3;
    for (int i = 0; i < 4; i++) {
        self->writes[i] = i;
    }
}

HLS_MODULE void inst_memory_bank(struct inst_memory_bank *self,
                                 const struct inst_memory_bank_in *in)
{
    self->out.q = self->word[in->at] + self->writes[in->at & 3];
    if (in->we) {
        self->word[in->at] = in->data;
        self->writes[in->at >> 2]++;
    }
}

HLS_RESET void inst_memory_reset(struct inst_memory *self)
{
    self->out = (struct inst_memory_out){.q = 7};
    self->last = 1;
    for (int i = 0; i < 4; i++) {
        inst_memory_bank_reset(&self->bank[i]);
    }
}

HLS_MODULE void inst_memory(struct inst_memory *self, const struct inst_memory_in *in)
{
    self->out.q = self->bank[self->last].out.q;
    self->out.all = 0;
    for (int i = 0; i < 4; i++) {
        self->out.all += self->bank[i].out.q;
    }
    self->last = in->at & 3;
    for (int i = 0; i < 4; i++) {
        inst_memory_bank(&self->bank[i],
                         &(struct inst_memory_bank_in){.we = in->we && (in->at & 3) == i,
                                                       .at = in->at >> 2,
                                                       .data = in->data});
    }
}
