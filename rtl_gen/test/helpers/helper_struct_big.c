// SPDX-License-Identifier: Apache-2.0
/*
 * helper_struct_big: structs above 16 bytes, passed and returned through memory.
 */
#include "hls.h"

struct helper_big_block {
    u48 word[4];
    u6 fill;
    uint(72) tail;
};
struct helper_struct_big_in {
    u48 data;
    u2 at;
    u1 merge;
};
struct helper_struct_big_out {
    struct helper_big_block block;
    u48 check;
};
struct helper_struct_big {
    struct helper_struct_big_out out;
    struct helper_big_block shadow;
};

static struct helper_big_block block_put(struct helper_big_block b, u2 at, u48 data)
{
    b.word[at] = data;
    b.fill++;
    b.tail = b.tail << 7 | data >> 41;
    return b;
}

static u48 block_check(struct helper_big_block b)
{
    for (int i = 1; i < 4; i++) {
        b.word[0] ^= b.word[i] >> i;
    }
    return b.word[0] + b.fill + (u48)b.tail;
}

static struct helper_big_block block_merge(struct helper_big_block a, struct helper_big_block b)
{
    struct helper_big_block r = {.fill = a.fill + b.fill, .tail = a.tail ^ b.tail};
    for (int i = 0; i < 4; i++) {
        r.word[i] = i & 1 ? a.word[i] + b.word[i] : b.word[i];
    }
    return r;
}

HLS_RESET void helper_struct_big_reset(struct helper_struct_big *self)
{
    *self = (struct helper_struct_big){.shadow = {.word = {1, 2, 3, 4}, .fill = 9, .tail = 7}};
}

HLS_MODULE void helper_struct_big(struct helper_struct_big *self,
                                  const struct helper_struct_big_in *in)
{
    self->out.check = block_check(self->out.block);
    self->out.block = block_put(self->out.block, in->at, in->data);
    if (in->merge) {
        self->shadow = block_merge(self->shadow, block_put(self->out.block, 3 - in->at, 1));
    } else {
        self->out.block.tail += self->shadow.tail;
        self->out.block.word[in->at] ^= self->shadow.word[in->at];
    }
}
