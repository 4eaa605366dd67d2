// SPDX-License-Identifier: Apache-2.0
/*
 * bist_source.h - ports and registers of a generator of packets (bist.h), streams in turn, no gap within a packet.
 *
 * The VC of a stream is its bits in `vcs`; a stream with other bits than those takes the second route. A packet begins
 * when its VC has room; the others wait with it.
 */
#ifndef BIST_SOURCE_H
#define BIST_SOURCE_H

#include "board/bist.h"

struct bist_source_in {
    u1 run;              /* packets may begin */
    u1 ready;            /* the flit of `valid` is taken in this clock */
    u8 room;             /* VC v: a packet of any length fits */
    u8 spare;            /* VC v: and one more, whose head is taken in this clock */
    bist_stream last;    /* streams are 0 to this; held */
    u3 vcs;              /* held */
    bist_route route[2]; /* held */
};

struct bist_source_out {
    u1 valid;
    u48 flit;
};

struct bist_source {
    struct bist_source_out out;
    u1 head;     /* the flit in `out` is one */
    u1 prepared; /* the next packet is that of `tag` */
    bist_tag tag;
    bist_stream stream;       /* the one behind it */
    u16 number[BIST_STREAMS]; /* u16: a power of two needs no multiplier to index */
    rtr_length left;          /* flits of the packet behind the one in `out` */
    u48 body;                 /* the next one of them */
};

HLS_RESET void bist_source_reset(struct bist_source *self);
HLS_MODULE void bist_source(struct bist_source *self, const struct bist_source_in *in);

#endif
