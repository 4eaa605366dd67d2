// SPDX-License-Identifier: Apache-2.0
/*
 * function_marked: helpers marked HLS_FUNCTION stand as Verilog functions where they are called once, too.
 *
 * `locate` decodes in a loop; its caller takes slices of what it returns. `swapped` is too small to be a function by
 * itself. A call with a constant is inlined, as without the mark.
 */
#include "hls.h"

struct function_marked_in {
    u6 at;
    u1 valid;
    u8 word;
};
struct function_marked_out {
    u26 found;
    u8 swapped;
    u8 fixed;
};
struct function_marked {
    struct function_marked_out out;
};

HLS_RESET void function_marked_reset(struct function_marked *self)
{
    *self = (struct function_marked){};
}

/* One-hot, or nothing. */
HLS_FUNCTION static inline u32 locate(u6 at)
{
    u1 any = (u1)(at >> 5);
    u8 upper = 1;
    u4 lower = 1;
    u32 place = 0;

    upper <<= (u3)(at >> 2);
    lower <<= (u2)at;
    for (int i = 0; i < 32; i++) {
        u1 hit = (u1)(upper >> (i >> 2)) & (u1)(lower >> (i & 3));

        place |= (u32)((u32)hit << i);
    }
    return any ? place : 0;
}

/* Places that are no power of two. */
static inline u26 without_powers(u32 place)
{
    u26 found = 0;
    int to = 0;

    for (int i = 3; i < 32; i++) {
        if (i & (i - 1)) {
            found |= (u26)((u26)(u1)(place >> i) << to++);
        }
    }
    return found;
}

HLS_FUNCTION static u8 swapped(u8 x)
{
    return (u8)(x << 4) | (u8)(x >> 4);
}

HLS_MODULE void function_marked(struct function_marked *self, const struct function_marked_in *in)
{
    self->out.found = without_powers(locate((u6)((u6)((u6)in->valid << 5) | (u5)in->at)));
    self->out.swapped = swapped(in->word);
    self->out.fixed = swapped(0x3C);
}
