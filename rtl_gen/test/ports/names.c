// SPDX-License-Identifier: Apache-2.0
/*
 * names: locals, helpers, fields of inner scopes and enumerators named like Verilog keywords or
 * like one another, a memory and a local named like words of C++; the ports are plain.
 */
#include "hls.h"

enum names_kind { posedge, negedge, always, initial };

struct names_in {
    u4 a;
    u4 a_b;
    enum names_kind kind;
};
struct names_out {
    u6 sum;
    u4 a_q;
    u4 a_d;
};
struct names {
    struct names_out out;
    u4 next;
    u4 next_q;
    u4 queue[4] HLS_LUTRAM(1);
};

static u4 wire(u4 begin, u4 end)
{
    u4 reg = begin ^ end;
    u4 integer = reg + 3;
    return integer & ~begin;
}

HLS_RESET void names_reset(struct names *self)
{
    self->out = (struct names_out){0};
    self->next = 5;
    self->next_q = 10;
}

HLS_MODULE void names(struct names *self, const struct names_in *in)
{
    u4 reg = wire(in->a, in->a_b);
    u4 next = self->next + reg;
    u6 sum = 0;
    {
        u4 sum = next ^ self->next_q;
        self->out.a_q = wire(sum, in->a);
    }
    u4 clk = in->kind == always ? reg : next;
    u4 rst = clk << 1 | clk >> 3;
    for (int genvar = 0; genvar < 3; genvar++) {
        u4 module = rst + genvar;
        sum += module * in->a;
    }
    u4 list = self->queue[(u2)clk] * 3;
    self->queue[(u2)list] = rst;
    self->out.sum = sum + list;
    self->out.a_d = in->kind == negedge ? clk : rst;
    self->next_q = self->next;
    self->next = next;
}
