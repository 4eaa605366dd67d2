// SPDX-License-Identifier: Apache-2.0
/*
 * rom: a constant table of 1,000 numbers in a block, read into a register; a constant index is the number itself. Another one of two
 * dimensions, read under an enable.
 */
#include "hls.h"

#define ROW_(a)                                                                                    \
    a, a * 3 + 1, a * 7 + 2, a * 11 + 5, a * 13, a * 17 + 9, a * 19 + 3, a * 23 + 7, a * 29,       \
        a * 31 + 8
#define ROWS_(a)                                                                                   \
    ROW_(a), ROW_((a + 1)), ROW_((a + 2)), ROW_((a + 3)), ROW_((a + 4)), ROW_((a + 5)),            \
        ROW_((a + 6)), ROW_((a + 7)), ROW_((a + 8)), ROW_((a + 9))

HLS_ROM static const u16 squares[1000] = {ROWS_(0),   ROWS_(100), ROWS_(200), ROWS_(300),
                                          ROWS_(400), ROWS_(500), ROWS_(600), ROWS_(700),
                                          ROWS_(800), ROWS_(900)};
HLS_ROM static const u8 font[5][6] = {
    {1, 2, 3, 4, 5, 6}, {60}, {31, 7}, {9, 8, 7, 6, 5, 4}, {0, 0, 0, 0, 0, 63}};

struct rom_in {
    u1 re;
    u10 at;
    u3 row, column;
};
struct rom_out {
    u16 number, first;
    u8 dots;
};
struct rom {
    struct rom_out out;
};

HLS_RESET void rom_reset(struct rom *self)
{
    self->out = (struct rom_out){0};
}

HLS_MODULE void rom(struct rom *self, const struct rom_in *in)
{
    if (in->at < 1000)
        self->out.number = squares[in->at];
    self->out.first ^= squares[7];
    if (in->re && in->row < 5 && in->column < 6)
        self->out.dots = font[in->row][in->column];
}
