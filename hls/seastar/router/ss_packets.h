// SPDX-License-Identifier: Apache-2.0
/*
 * ss_packets.h - ports and registers of the list of an input's packets: per VC, in the order in which they came.
 *
 * The first two of each VC stand in registers, so the next one is known while the first leaves; the others in a memory.
 */
#ifndef SS_PACKETS_H
#define SS_PACKETS_H

#include "seastar/router/ss_ecc.h"

/* Where a packet goes and since when it waits. */
struct ss_packet {
    ss_port port; /* SS_NOWHERE: it is dropped */
    u1 dateline;  /* bit 0 of the VC that it takes there */
    ss_tick born;
    u4 length; /* flits */
};

struct ss_packets_in {
    u1 push;
    ss_vc push_vc;
    struct ss_packet packet;
    u1 take; /* the first of take_vc leaves; there is one */
    ss_vc take_vc;
};

struct ss_packets_out {
    ss_vcs waits; /* VC v has a packet: */
    struct ss_packet first[SS_VCS];
    u1 corrected,
        fatal; /* a word of the memory had one wrong bit, or two: that packet is dropped */
};

/* A packet of one VC's may be a flit. */
typedef uint(SS_QUEUE_LOG2) ss_packet_place;
typedef uint(SS_QUEUE_LOG2 + 1) ss_packet_count;

struct ss_packets {
    struct ss_packets_out out;

    ss_vcs has_next; /* of VC v two are in registers */
    struct ss_packet next[SS_VCS];
    HLS_BRAM_READ_FIRST ss_packet_ecc_word list[SS_VCS << SS_QUEUE_LOG2];
    ss_packet_place write[SS_VCS], read[SS_VCS];
    ss_packet_count listed[SS_VCS];
    u1 reading; /* word is of VC reading_vc */
    ss_vc reading_vc;
    ss_packet_ecc_word word;
};

HLS_RESET void ss_packets_reset(struct ss_packets *self);
HLS_MODULE void ss_packets(struct ss_packets *self, const struct ss_packets_in *in);

#endif
