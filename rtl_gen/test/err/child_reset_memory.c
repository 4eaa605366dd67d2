// SPDX-License-Identifier: Apache-2.0
/* A whole struct assigned in reset, with a child that has a memory two levels down. */
#include "hls.h"

struct store_in {
    u4 at;
    u8 d;
};
struct store_out {
    u8 q;
};
struct store {
    struct store_out out;
    u8 word[16] HLS_LUTRAM(1);
};

HLS_RESET void store_reset(struct store *self)
{
    self->out.q = 0;
}

HLS_MODULE void store(struct store *self, const struct store_in *in)
{
    self->out.q = self->word[in->at];
    self->word[in->at] = in->d;
}

struct shelf {
    struct store_out out;
    struct store low;
};

HLS_RESET void shelf_reset(struct shelf *self)
{
    self->out.q = 0;
    store_reset(&self->low);
}

HLS_MODULE void shelf(struct shelf *self, const struct store_in *in)
{
    self->out.q = self->low.out.q;
    store(&self->low, in);
}

struct child_reset_memory {
    struct store_out out;
    u4 clocks;
    struct shelf one;
};

HLS_RESET void child_reset_memory_reset(struct child_reset_memory *self)
{
    *self = (struct child_reset_memory){.clocks = 3};
    shelf_reset(&self->one);
}

HLS_MODULE void child_reset_memory(struct child_reset_memory *self, const struct store_in *in)
{
    self->clocks++;
    self->out.q = self->one.out.q ^ self->clocks;
    shelf(&self->one, in);
}
