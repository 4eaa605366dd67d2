// SPDX-License-Identifier: Apache-2.0
/*
 * Comments in the words that tools obey stay comments: this heading is long enough to break, so
 * synopsys translate_off begins a line, which Yosys would obey.
 */
#include "hls.h"

struct comment_orders_in {
    u8 a;   /* Verilator drives this one */
    u8 b;   // verilator lint_off WIDTH
    u8 c;   // synopsys translate_off
    u8 d;   // synthesis translate_on
    u8 e;   // pragma translate_off
    u8 f;   // synopsys full_case
    u1 go;  // public: whoever likes
    u4 row; // lint_off `macro */ of /* nobody \ twice
};

struct comment_orders_out {
    u8 y; // verilator_me
    u8 z; // SYNTHESIS parallel_case
    u8 w; // translate_off
};

struct comment_orders {
    struct comment_orders_out out;
    u8 last;                     // verilator public
    HLS_LUTRAM(1) u8 memory[16]; // synopsys translate_off
};

HLS_RESET void comment_orders_reset(struct comment_orders *self)
{
    self->out = (struct comment_orders_out){0};
    self->last = 0;
}

// synthesis translate_off
static u8 comment_orders_mix(u8 x, u8 y)
{
    u8 sum = x + y;
    return (u8)((sum ^ x) * (sum ^ y) + (x & y) - (sum >> 3));
}

// verilator public: a module of its own
HLS_KEEP static u8 comment_orders_fold(u8 x, u8 y)
{
    return x ^ (u8)(y << 1);
}

#line 100 "synopsys translate_off.c"
HLS_MODULE void comment_orders(struct comment_orders *self, const struct comment_orders_in *in)
{
    u8 read = self->memory[in->row];
    u8 one = comment_orders_mix(in->a, in->b), other = comment_orders_mix(in->c, in->d);

    hls_assert((u8)(one | read) >= one && "// synopsys translate_off" /* verilator lint_off */);
#line 200 "verilator lint_off WIDTH.c"
    self->out.y = comment_orders_fold(one, read);
    self->out.z = other ^ in->e;
    self->out.w = (u8)(in->f + self->last);
    if (in->go)
        self->memory[in->row] = self->last;
    self->last = one;
}
