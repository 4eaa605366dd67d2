// SPDX-License-Identifier: Apache-2.0
/*
 * ub_memory: indices out of range on purpose, of memories. In the hardware each is an address as it is: of a word that no
 * element has, where the memory is rounded up and its rows are padded, else of another element.
 */
#include "hls.h"

struct ub_memory_in {
    u1 write;
    u10 at;    /* of 600 */
    u5 row;    /* of 20 */
    u5 column; /* of 30 */
    u5 line;   /* of 20 */
    u5 place;  /* of 20 */
    u16 data;
};
struct ub_memory_out {
    u16 word, field, other;
};
struct ub_memory {
    struct ub_memory_out out;
    HLS_BRAM_READ_FIRST u16 deep[600];
    HLS_BRAM_READ_FIRST u16 grid[20][30];
    HLS_BRAM_READ_FIRST u16 close[20][20];
};

HLS_RESET void ub_memory_reset(struct ub_memory *self)
{
    self->out = (struct ub_memory_out){0};
}

HLS_MODULE void ub_memory(struct ub_memory *self, const struct ub_memory_in *in)
{
    self->out.word = self->deep[in->at];
    self->out.field = self->grid[in->row][in->column];
    self->out.other = self->close[in->line][in->place];
    if (in->write) {
        self->deep[in->at] = in->data;
        self->grid[in->row][in->column] = in->data;
        self->close[in->line][in->place] = in->data;
    }
}
