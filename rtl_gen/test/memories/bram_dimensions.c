// SPDX-License-Identifier: Apache-2.0
/*
 * bram_dimensions: memories of several dimensions. The rows of `wide` stand 32 words apart, which takes no more words than
 * 30 would; those of `close` 20, or it would be twice as large; of `deep` some are.
 */
#include "hls.h"

struct bram_dimensions_in {
    u1 re, we;
    u5 row, column, into;
    u16 data;
};
struct bram_dimensions_out {
    u16 wide_read, close_read, twin_read;
    u8 deep_read;
};
struct bram_dimensions_entry {
    u11 value;
    u5 tag;
};
struct bram_dimensions {
    struct bram_dimensions_out out;
    HLS_BRAM_READ_FIRST u16 wide[20][30];
    HLS_BRAM_READ_FIRST u16 close[20][20];
    HLS_BRAM_READ_FIRST u8 deep[3][5][2][7];
    HLS_BRAM_READ_FIRST struct bram_dimensions_entry twin[6][4];
    u11 value;
    u5 tag;
};

HLS_RESET void bram_dimensions_reset(struct bram_dimensions *self)
{
    self->out = (struct bram_dimensions_out){0};
    self->value = 0;
    self->tag = 0;
}

static void tables(struct bram_dimensions *self, const struct bram_dimensions_in *in)
{
    if (in->row < 20 && in->column < 30) {
        if (in->re)
            self->out.wide_read = self->wide[in->row][in->column];
        if (in->we && in->into < 20)
            self->wide[in->into][(u5)(29 - in->column)] = in->data;
    }
    if (in->row < 20 && in->column < 20) {
        if (in->re)
            self->out.close_read = self->close[in->column][in->row];
        if (in->we)
            self->close[in->row][in->column] = in->data;
    }
}

HLS_MODULE void bram_dimensions(struct bram_dimensions *self, const struct bram_dimensions_in *in)
{
    const u2 i = (u2)(in->row % 3);
    const u3 j = (u3)(in->column % 5), k = (u3)(in->into % 7), l = (u3)(in->into % 6);
    tables(self, in);
    self->out.twin_read = (u16)(self->value << 5 | self->tag);
    self->value = self->twin[l][i].value;
    self->tag = self->twin[l][i].tag;
    self->out.deep_read = self->deep[i][j][in->re][k];
    if (in->we) {
        self->twin[l][(u2)j] = (struct bram_dimensions_entry){(u11)in->data, in->column};
        self->deep[(u2)(2 - i)][j][1][k] = (u8)in->data;
    }
}
