// SPDX-License-Identifier: Apache-2.0
/*
 * secded: encoder and decoder of a Hsiao code over 64 bits. Data bits stand in eight rows of eight;
 * column of the code: {of the row, of the place in the row}. The contract is in README.md.
 */
#include "hls.h"

struct secded_in {
    u64 write_data;
    uint(72) read_code; /* {check bits, data} */
};
struct secded_out {
    uint(72) write_code;
    u64 read_data; /* with one wrong bit put right */
    u1 corrected;  /* one bit was wrong */
    u1 fatal;      /* two bits were wrong */
};
struct secded {
    struct secded_out out;
};

/* Row 0 would give places 0, 1, 2 and 4 columns of check bits: they have others instead. */
static u8 column(int bit)
{
    static const u4 of_row[8] = {0x0, 0x3, 0x5, 0x6, 0x9, 0xa, 0xc, 0xf};
    static const u4 of_place[8] = {0x1, 0x2, 0x4, 0x7, 0x8, 0xb, 0xd, 0xe};
    u4 place = of_place[bit % 8];

    if (bit < 8 && (place & (place - 1)) == 0) {
        return (u8)place << 4 | 3;
    }
    return (u8)of_row[bit / 8] << 4 | place;
}

/* Parities of rows 1 to 7, and of the places without those that have another column: {rows, places}. */
HLS_KEEP static u16 sums(u64 data)
{
    u8 rows = 0, places = 0;

    for (int i = 8; i < 64; i++) {
        rows ^= (u8)(u1)(data >> i) << i / 8;
        places ^= (u8)(u1)(data >> i) << i % 8;
    }
    return (u16)rows << 8 | (places ^ ((u8)data & 0xe8));
}

static u8 check_bits(u64 data)
{
    u16 sum = sums(data);
    u8 check = 0;

    for (int i = 0; i < 8; i++) {
        u8 of_row = i == 0 ? (u8)0 : column(8 * i) & 0xf0;

        check ^= (u1)(sum >> (8 + i)) ? of_row : (u8)0;
        check ^= (u1)(sum >> i) ? column(8 + i) & 0xf : (u8)0;
        check ^= i < 5 && i != 3 && (u1)(data >> i) ? column(i) : (u8)0;
    }
    return check;
}

HLS_RESET void secded_reset(struct secded *self)
{
    *self = (struct secded){0};
}

HLS_MODULE void secded(struct secded *self, const struct secded_in *in)
{
    u64 data = (u64)in->read_code;
    u8 syndrome = check_bits(data) ^ (u8)(in->read_code >> 64);
    u16 upper = (u16)1 << (syndrome >> 4);
    u16 lower = (u16)1 << (u4)syndrome;
    u1 odd = (u1)__builtin_parity(syndrome);

    for (int i = 0; i < 64; i++) {
        u8 c = column(i);

        data ^= (u64)((u1)(upper >> (c >> 4)) & (u1)(lower >> (u4)c)) << i;
    }
    self->out.write_code = (uint(72))check_bits(in->write_data) << 64 | in->write_data;
    self->out.read_data = data;
    self->out.corrected = odd;
    self->out.fatal = syndrome != 0 && !odd;
}
