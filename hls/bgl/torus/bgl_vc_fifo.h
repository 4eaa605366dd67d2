// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_vc_fifo.h - ports and registers of the four VC FIFOs of a receiver: 32 chunks each in one memory.
 *
 * A word is written in each eighth clock; each FIFO has a read in each fourth, and two words ahead, so that up to four packets leave at
 * once: two to senders, one to the normal and one to the high-priority reception FIFO. A packet may leave as soon as its header is in.
 *
 * The bypass: where a FIFO is empty, and each holds less than its threshold, the packet whose header still comes is its front. A start
 * that finds no header starts nothing, and the grant lapses.
 *
 *  clock  0  start
 *         2  first byte on its bus
 *  32 n + 2  valid byte
 */
#ifndef BGL_VC_FIFO_H
#define BGL_VC_FIFO_H

#include "bgl/torus/bgl_vc_queue.h"

struct bgl_vc_fifo_in {
    u1 write; /* pipe */
    u1 first;
    u64 word;
    u2 vc;
    u3 size;
    u1 done;
    u1 good;
    u1 valid;
    struct bgl_front early; /* the packet whose header is coming */
    u7 bypass[BGL_VCS];     /* chunks in each FIFO below which there is a bypass */
    struct bgl_start start[BGL_VCS];
    struct bgl_where at;
};

struct bgl_vc_fifo_out {
    struct bgl_front front[BGL_VCS];
    struct bgl_byte bus[2]; /* to senders */
    struct bgl_byte normal; /* to reception FIFOs */
    struct bgl_byte high;
    u1 normal_group;
    u1 high_group;
    u1 leaves[BGL_VCS]; /* a packet of it has a bus to senders, */
    u1 by[BGL_VCS];     /* this one */
    u1 arrives[BGL_VCS];
    u4 freed[BGL_VCS]; /* chunks that left for good */
    u6 held[BGL_VCS];  /* chunks */
    u1 drained;
    u1 lost; /* {n, valid} is uncorrectable */
    /* Events, each for one clock. */
    u1 corrected;
    u1 fatal;
    u1 bypassed; /* a packet left with its header */
    u1 refused;  /* a packet that is on its way ends with zeros */
};

struct bgl_vc_fifo {
    struct bgl_vc_fifo_out out;
    HLS_BRAM word_ecc_word memory[512];
    word_ecc_word read;
    u1 reads; /* the read register is of a FIFO */
    u2 slot;  /* FIFO that may read */
    struct bgl_vc_queue queue[BGL_VCS];
};

HLS_RESET void bgl_vc_fifo_reset(struct bgl_vc_fifo *self);
HLS_MODULE void bgl_vc_fifo(struct bgl_vc_fifo *self, const struct bgl_vc_fifo_in *in);

/* Busses to senders that are taken, a bit each. */
static inline u2 vc_busy(const struct bgl_vc_fifo_out *fifo)
{
    u2 busy = 0;

    for (int v = 0; v < BGL_VCS; v++) {
        busy |= (u2)((u2)fifo->leaves[v] << fifo->by[v]);
    }
    return busy;
}

/* The bus to the normal reception FIFOs is taken. That to the high-priority ones is VC 3's. */
static inline u1 vc_normal_busy(const struct bgl_vc_fifo_out *fifo)
{
    return fifo->arrives[0] || fifo->arrives[1] || fifo->arrives[2];
}

#endif
