// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_reception.h - ports and registers of the fourteen reception FIFOs: 64 quads each in one memory.
 *
 * Number r: group r / 8; 0-5 normal, of the port where it came in, 6 high-priority, which takes from the six receivers in turn. A packet counts
 * when its valid byte is good: a host never sees a part.
 *
 *  clock  0  pop
 *         2  out.popped
 */
#ifndef BGL_RECEPTION_H
#define BGL_RECEPTION_H

#include "bgl/host/bgl_host.h"

#define REC_FIFOS 14
#define REC_BUSES 8 /* six normal ones, a high-priority one of each group */

struct bgl_reception_in {
    struct bgl_byte normal[BGL_PORTS]; /* receivers */
    u6 normal_group;
    struct bgl_byte high[BGL_PORTS];
    u6 high_group;
    struct bgl_pop pop;
    u16 reset; /* FIFOs, by number */
};

struct bgl_reception_out {
    u6 room[2];      /* of each group: the normal FIFO of a port takes a packet */
    u6 room_high[2]; /* the high-priority FIFO takes one of this receiver */
    u1 popped;       /* a quad, or that there is none */
    u1 none;
    u1 spoiled; /* uncorrectable: the data is 0 */
    bgl_quad quad;
    u6 held[BGL_RECEPTION]; /* whole chunks */
    u16 full;               /* FIFOs, by number, that take no full packet */
    u1 corrected;
    u4 fifo;    /* of `popped` */
    u1 refused; /* event: a packet whose valid byte was 0x00 was taken back */
};

/* Bytes of a packet become halves of quads. */
struct rec_bus {
    u1 on;
    u4 fifo;
    u7 at;    /* quad that is written next */
    u4 count; /* bytes of the quad that comes */
    u64 shift;
    u64 held;
    u1 upper; /* half that is held */
    u1 holds;
    u1 ends;  /* the packet is over when `held` is written */
    u1 wrong; /* a parity */
    u3 from;  /* receiver */
};

struct bgl_reception {
    struct bgl_reception_out out;
    HLS_BRAM word_ecc_word lower[1024]; /* halves of quads */
    HLS_BRAM word_ecc_word upper[1024];
    struct quad_word read;
    u1 reads;
    u4 read_fifo;
    u1 reads_none;
    u3 slot;
    u7 wr[BGL_RECEPTION];
    u7 rd[BGL_RECEPTION];
    struct rec_bus bus[REC_BUSES];
    u7 turn; /* of the high-priority FIFOs: receiver and clock */
    u16 resets;
};

HLS_RESET void bgl_reception_reset(struct bgl_reception *self);
HLS_MODULE void bgl_reception(struct bgl_reception *self, const struct bgl_reception_in *in);

#endif
