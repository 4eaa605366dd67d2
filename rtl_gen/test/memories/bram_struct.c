// SPDX-License-Identifier: Apache-2.0
/*
 * bram_struct: a block memory of structs, each field a memory of its own, read and written whole.
 */
#include "hls.h"

struct bram_struct_entry {
    u1 last;
    u3 vc;
    u40 data;
};
struct bram_struct_in {
    u1 push, pop;
    struct bram_struct_entry rx;
};
struct bram_struct_out {
    u1 valid;
    struct bram_struct_entry tx;
    u7 level;
};
struct bram_struct {
    struct bram_struct_out out;
    HLS_BRAM struct bram_struct_entry ring[64];
    u6 rd, wr;
};

HLS_RESET void bram_struct_reset(struct bram_struct *self)
{
    self->out.valid = 0;
    self->out.level = 0;
    self->rd = 0;
    self->wr = 0;
}

HLS_MODULE void bram_struct(struct bram_struct *self, const struct bram_struct_in *in)
{
    u7 level = self->out.level;
    self->out.valid = in->pop && level != 0;
    if (self->out.valid) {
        self->out.tx = self->ring[self->rd];
        self->rd++;
        self->out.level--;
    }
    if (in->push && level < 64) {
        self->ring[self->wr] = in->rx;
        self->wr++;
        self->out.level++;
    }
}
