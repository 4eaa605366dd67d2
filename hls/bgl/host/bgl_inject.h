// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_inject.h - ports and registers of the eight injection FIFOs: 64 quads each in one memory.
 *
 * A packet is looked at when it is whole: hints are set, or it is refused and taken off. FIFO `slot` of eight may read half a quad and look in each clock:
 * eight bytes in eight clocks are what its bus takes.
 *
 * Each FIFO has a checksum over what left it, to compare two runs: of each quad, halves of two bytes that the header's `skip` leaves out as 0,
 * words w0 to w3 with byte 0 on top: c = rotl(c, 5) + (w0 ^ rotl(w1, 8) ^ rotl(w2, 16) ^ rotl(w3, 24)). A packet with `sk` is not in it.
 *
 *  clock  0  start
 *         2  first byte on its bus
 */
#ifndef BGL_INJECT_H
#define BGL_INJECT_H

#include "bgl/host/bgl_host.h"
#include "bgl/host/bgl_inj_head.h"
#include "bgl/torus/bgl_front.h"

struct bgl_inject_in {
    struct bgl_push push;
    u8 reset; /* FIFOs that are emptied */
    struct bgl_start start[BGL_INJECTION];
    struct bgl_where at;
    u8 clear_sums;
};

struct bgl_inject_out {
    struct bgl_front front[BGL_INJECTION];
    struct bgl_byte bus[BGL_INJECTION];
    u8 full;                  /* a quad that is written now is lost */
    u8 stopped;               /* takes nothing until it is reset */
    u6 held[BGL_INJECTION];   /* chunks, begun ones with them */
    u8 busy;                  /* a packet is on its bus */
    enum bgl_refusal refused; /* event: a packet was taken off, and why */
    u3 refused_fifo;
    u1 corrected;
    u1 fatal;
    u3 fatal_fifo;
    u3 sum_fifo; /* whose checksum is in `sum` */
    u32 sum;
};

/* Half a quad ahead, byte 0 on top. */
struct inj_half {
    u1 valid;
    u1 bad;
    u64 data;
};

struct inj_stream {
    u1 on;
    u1 bad;
    u9 index; /* byte */
    u8 first; /* byte 1 as it goes out */
    u7 skip;  /* halves of two bytes that are not in the checksum */
    u1 skips; /* none is */
};

struct bgl_inject {
    struct bgl_inject_out out;
    HLS_BRAM struct quad_word memory[512];
    struct quad_word read;
    u1 reads;
    u1 reads_upper;
    u3 read_fifo;
    u3 slot;
    u7 wr[BGL_INJECTION];
    u7 rd[BGL_INJECTION];
    u8 upper; /* FIFOs of whose quad at `rd` the lower half was read */
    struct inj_half cur[BGL_INJECTION];
    struct inj_half ahead[BGL_INJECTION];
    u7 quads[BGL_INJECTION]; /* in the FIFO, read ahead ones with them */
    u8 ready;                /* the packet in front is whole and right */
    u6 hints[BGL_INJECTION];
    u6 near[BGL_INJECTION]; /* ports whose neighbour has its coordinate */
    u6 skip[BGL_INJECTION]; /* halves of a refused packet to follow */
    struct inj_stream stream[BGL_INJECTION];
    u3 ends[BGL_INJECTION]; /* a reset waits so many clocks for a grant that is under way */
    u8 resets;
    HLS_LUTRAM(1) u32 sums[BGL_INJECTION];
    HLS_LUTRAM(1) u32 parts[BGL_INJECTION]; /* of the lower half of the quad that is leaving */
    u8 summed;                              /* the half in front is in it */
    u8 clears;
};

HLS_RESET void bgl_inject_reset(struct bgl_inject *self);
HLS_MODULE void bgl_inject(struct bgl_inject *self, const struct bgl_inject_in *in);

#endif
