// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_vc_fifo.h - ports and registers of the four VC FIFOs of a receiver: 32 chunks each in one memory.
 *
 * A word is written in each eighth clock; each FIFO has a read in each fourth, and two words ahead, so that up to four packets leave at
 * once: two to senders, one to the normal and one to the high-priority reception FIFO. A packet may leave as soon as its header is in. A word
 * that finds its FIFO's memory empty and a place ahead goes there at once.
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

#include "bgl/torus/bgl_front.h"

/* {n - 1, valid} of a packet. */
#define ECC      mark_ecc
#define ECC_DATA 4
#define ECC_BITS 4
#include "common/ecc.inc"

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
    u2 busy; /* busses to senders */
    u1 normal_busy;
    u1 high_busy;
    u4 freed[BGL_VCS]; /* chunks that left for good */
    u6 held[BGL_VCS];  /* chunks */
    u1 drained;
    u1 lost; /* {n, valid} is uncorrectable */
    /* Events, each for one clock. */
    u1 corrected;
    u1 fatal;
    u1 bypassed; /* a packet left with its header */
    u1 lapsed;   /* a start found no header */
    u1 refused;  /* a packet that is on its way ends with zeros */
};

/* What leaves a FIFO. */
struct vc_stream {
    u1 on;
    u1 out;
    u1 bus;
    u1 here;
    u1 zero; /* refused, or a word was uncorrectable: nothing of it is real any more */
    u1 gone; /* refused: it has never been */
    u1 group;
    u3 n;
    u9 index; /* byte */
    u8 clear; /* hint bit of the port taken, if the packet arrives in that dimension */
    u4 pend;  /* chunks that left before the packet was accepted */
};

/* A word ahead of its stream. */
struct vc_word {
    u1 valid;
    u1 head;
    u1 open; /* of the packet that is still coming */
    u1 bad;
    u64 data;
};

struct bgl_vc_fifo {
    struct bgl_vc_fifo_out out;
    HLS_BRAM word_ecc_word memory[512];
    HLS_LUTRAM(5) mark_ecc_word marks[128]; /* with `valid` 0 from a packet's first word on */
    word_ecc_word read;
    u1 reads; /* the read register is of a FIFO */
    u2 read_vc;
    u1 read_open;
    u1 read_head;
    u5 read_mark; /* of the packet whose head was read */
    u2 slot;      /* FIFO that may read */
    /* each FIFO; pointers with a bit for the turn */
    u8 wr[BGL_VCS];
    u8 rd[BGL_VCS];
    u6 in[BGL_VCS];    /* packets whole */
    u6 left[BGL_VCS];  /* and gone */
    u6 words[BGL_VCS]; /* of the packet that is being read, to follow */
    struct vc_word cur[BGL_VCS];
    struct vc_word next[BGL_VCS];
    struct vc_stream stream[BGL_VCS];
    /* the packet that comes */
    u1 open;
    u2 open_vc;
    u8 open_at; /* where it begins */
};

HLS_RESET void bgl_vc_fifo_reset(struct bgl_vc_fifo *self);
HLS_MODULE void bgl_vc_fifo(struct bgl_vc_fifo *self, const struct bgl_vc_fifo_in *in);

#endif
