// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_types.h - what blocks of the node say to each other: the byte bus, offers, availability.
 */
#ifndef BGL_TYPES_H
#define BGL_TYPES_H

#include "bgl/packet/bgl_packet.h"

/*
 * The byte bus, 11 bits. A packet is 32 n bytes and its valid byte, one a clock without bubbles. `ctl` is one of these; a parity that
 * is wrong makes the packet a bad one.
 */
#define BUS_NONE  0
#define BUS_FIRST 1
#define BUS_INNER 2
#define BUS_LAST  3 /* the valid byte */

struct bgl_byte {
    u8 data;
    u1 parity; /* of data: even */
    u2 ctl;
};

static inline struct bgl_byte bus_byte(u8 data, u2 ctl)
{
    return (struct bgl_byte){.data = data, .parity = (u1)__builtin_parityll((u64)data), .ctl = ctl};
}

static inline u1 bus_wrong(struct bgl_byte byte)
{
    return byte.ctl != BUS_NONE && (u1)__builtin_parityll((u64)byte.data) != byte.parity;
}

/* A packet asks for a port, for one clock; a clock later the sender of that port grants it or not. */
struct bgl_offer {
    u1 valid;
    u3 port;
    u2 vc;       /* on which it would leave */
    u3 n;        /* chunks - 1 */
    u1 bus;      /* of the receiver's two */
    u2 fullness; /* range of its FIFO */
    u1 high;
    u1 dp; /* broadcast: a copy goes to the reception FIFO at the same time */
};

/* What a sender says of its port to all that offer, a bit for each VC. */
struct bgl_avail {
    u4 one;      /* a full packet may go */
    u4 two;      /* and one may enter: tokens for two; VCs 2 and 3 alone */
    u2 soon;     /* VC 3, `one` and `two`, but for the packet that has the link now */
    u2 range[2]; /* of tokens, VCs 0 and 1 */
};

/* Coordinates. */
struct bgl_place {
    u8 x;
    u8 y;
    u8 z;
};

/* Where a node is, its neighbours, and the machine: registers of the host. */
struct bgl_where {
    struct bgl_place node;
    struct bgl_place nodes; /* last coordinates of the machine */
    struct bgl_place plus;
    struct bgl_place minus;
    struct bgl_place hint_plus;
    struct bgl_place hint_minus;
};

/* Bit p: the neighbour at port p has the destination's coordinate of p's dimension. */
static inline u6 header_near(u64 h, const struct bgl_where *at)
{
    return (u6)((u6)(header_x(h) == at->plus.x) | (u6)((u6)(header_x(h) == at->minus.x) << 1) |
                (u6)((u6)(header_y(h) == at->plus.y) << 2) |
                (u6)((u6)(header_y(h) == at->minus.y) << 3) |
                (u6)((u6)(header_z(h) == at->plus.z) << 4) |
                (u6)((u6)(header_z(h) == at->minus.z) << 5));
}

static inline u1 header_here(u64 h, const struct bgl_where *at)
{
    return header_x(h) == at->node.x && header_y(h) == at->node.y && header_z(h) == at->node.z;
}

/* One code over a word of a memory. */
#define ECC      word_ecc
#define ECC_DATA 64
#define ECC_BITS 8
#include "common/ecc.inc"

/* The code of 64 bits, and what is left of it: a module each. */
typedef uint(66) word_checked; /* data, corrected, fatal */

HLS_KEEP static inline word_ecc_word bgl_ecc_word(u64 data)
{
    return word_ecc_encode(data);
}

HLS_KEEP static inline word_checked bgl_ecc_check(word_ecc_word word)
{
    struct word_ecc_result result = word_ecc_decode(word);

    return (word_checked)(((word_checked)result.fatal << 65) |
                          ((word_checked)result.corrected << 64) | result.data);
}

static inline struct word_ecc_result word_decode(word_ecc_word word)
{
    word_checked checked = bgl_ecc_check(word);

    return (struct word_ecc_result){
        .data = (u64)checked, .corrected = (u1)(checked >> 64), .fatal = (u1)(checked >> 65)};
}

#endif
