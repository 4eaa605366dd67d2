// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_vc_queue.h - ports and registers of one VC FIFO: its pointers, the two words ahead, and the packet that leaves. The words stand in the
 * memory of `bgl_vc_fifo`, which is read there.
 *
 *  clock  0  start; the packet's byte 0 leaves
 *  32 n      valid byte
 */
#ifndef BGL_VC_QUEUE_H
#define BGL_VC_QUEUE_H

#include "bgl/torus/bgl_front.h"

/* {n - 1, valid} of a packet. */
#define ECC      mark_ecc
#define ECC_DATA 4
#define ECC_BITS 4
#include "common/ecc.inc"

struct bgl_vc_queue_in {
    u2 vc;    /* constant */
    u1 write; /* a word of a packet on this VC */
    u1 first;
    u64 word;
    u3 size;
    u1 done; /* that packet ends */
    u1 good;
    u1 valid;
    u1 reads; /* the word at `at` is read in this clock, */
    u64 read; /* and shown in the next, corrected */
    u1 read_fatal;
    struct bgl_front early; /* the packet whose header is coming, if it may pass */
    struct bgl_start start;
    struct bgl_where where;
};

struct bgl_vc_queue_out {
    u1 wants; /* a read */
    u7 read_at;
    u7 write_at;
    struct bgl_front front;
    struct bgl_byte on;   /* to a sender, without the hint of the port taken */
    struct bgl_byte here; /* to a reception FIFO, as it came */
    u1 by;                /* of the two busses to senders */
    u1 to_group;
    u1 leaves; /* by that bus */
    u1 arrives;
    u4 freed;
    u6 held;
    u1 drained;
    u1 lost; /* {n, valid} is uncorrectable */
    /* Events, each for one clock. */
    u1 corrected; /* {n, valid} was */
    u1 bypassed;  /* a packet left with its header */
    u1 lapsed;    /* a start found no header */
    u1 refused;   /* a packet that is on its way ends with zeros */
};

/* What leaves. */
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

struct bgl_vc_queue {
    struct bgl_vc_queue_out out;
    HLS_LUTRAM(2) mark_ecc_word marks[32]; /* with `valid` 0 from a packet's first word on */
    u1 reads;                              /* a word was read in the clock before */
    u1 read_open;
    u1 read_head;
    u5 read_mark; /* of the packet whose head was read */
    /* pointers with a bit for the turn */
    u8 wr;
    u8 rd;
    u6 in;    /* packets whole */
    u6 left;  /* and gone */
    u6 words; /* of the packet that is being read, to follow */
    struct vc_word cur;
    struct vc_word next;
    struct vc_stream stream;
    /* the packet that comes */
    u1 open;
    u8 open_at; /* where it begins */
};

HLS_RESET void bgl_vc_queue_reset(struct bgl_vc_queue *self);
HLS_MODULE void bgl_vc_queue(struct bgl_vc_queue *self, const struct bgl_vc_queue_in *in);

#endif
