// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_pipe.h - ports and registers of a receiver's input pipeline: eight stages of a byte.
 *
 * Words of eight bytes go to the VC FIFOs; a header is checked before anything of its packet is written. Where the packet may go is known
 * from its first three bytes: it is shown so early that a grant meets the header, or, if that turns out wrong, nothing.
 *
 *  clock  0  byte 0 on in.bus
 *         4  out.early, until the header is there or not
 *         7  byte 7 and in.head: the header is right and its number the expected one
 *         8  out.write with the header; every eighth clock another word
 */
#ifndef BGL_PIPE_H
#define BGL_PIPE_H

#include "bgl/torus/bgl_front.h"

struct bgl_pipe_in {
    struct bgl_byte bus; /* deframer */
    u3 n;
    u1 head;
    u1 over;
    u1 accepted;
    u1 whole;
    struct bgl_where at;
    u3 own_port; /* this receiver's: constant */
};

struct bgl_pipe_out {
    struct bgl_front early; /* the packet whose header is coming */
    u1 write;               /* a word for the FIFO of `vc` */
    u1 first;               /* a header */
    u64 word;
    u2 vc;
    u1 done;    /* the packet that was written is over */
    u1 good;    /* with done: it is accepted, else it has never been */
    u1 valid;   /* with good: it may be delivered */
    u3 size;    /* chunks - 1 */
    u1 dropped; /* a packet was accepted as a number and is not in the FIFO: its tokens go back */
    /* Events, each for one clock. */
    u1 impossible; /* a header that CRC-8 let through and that cannot be */
    u1 wrong_node;
    u1 lost_way;
    u1 parity;
};

struct bgl_pipe {
    struct bgl_pipe_out out;
    u56 gather; /* the seven bytes before the one that comes */
    u3 phase;   /* byte of the word */
    u1 takes;   /* the packet is written */
    u1 counts;  /* it is accepted as a number and dropped */
    u1 head;    /* the word that comes is the header */
    u1 bad;     /* a parity was wrong */
};

HLS_RESET void bgl_pipe_reset(struct bgl_pipe *self);
HLS_MODULE void bgl_pipe(struct bgl_pipe *self, const struct bgl_pipe_in *in);

#endif
