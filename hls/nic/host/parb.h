// SPDX-License-Identifier: Apache-2.0
/*
 * parb.h - ports and registers of the arbiter of host memory: accesses of all clients to one stream of writes and one of
 * reads, cut at the ends of pages.
 */
#ifndef PARB_H
#define PARB_H

#include "common/beat/beat_skid.h"
#include "nic/packet/nic_types.h"
#include "nic/host/order.h"
#include "nic/host/read_lines.h"
#include "nic/host/write_queue.h"

/* rat_net, rat_local, cq, amo; rat_net's in ordered modes, of the same client as its others */
enum parb_port { PARB_TARGET, PARB_LOCAL, PARB_CQ, PARB_AMO, PARB_QUEUED, PARB_PORTS };
#define PARB_CLIENTS PARB_QUEUED

#define PARB_PAGE_LOG2 12                   /* no burst of AXI crosses a multiple of 4 KB */
#define PARB_FLYING    (1 << NIC_PUTS_LOG2) /* writes of a client that host memory has not answered */
#define PARB_WORDS     16 /* new values of amo that wait here; eight more come when there is no room */
#define PARB_EVENTS                                                                                \
    4 /* events that wait here; cq may begin three before it sees that there is no room */

/* Bits of out.count; class of each. */
enum parb_count {
    PARB_CORRECTED, /* a single-bit error in a memory: CORRECTABLE_MEMORY */
    PARB_FATAL,     /* two: the access is not done, or not that part of it: TRANSACTION */
    PARB_COUNTS
};

typedef uint(PARB_COUNTS) parb_counts;
typedef uint(NIC_GETS_LOG2) parb_get;
typedef uint(NIC_PUTS_LOG2 + 1) parb_flying;
typedef uint(NIC_PLACES_LOG2 + 1) parb_places;
typedef uint(PARB_PORTS) parb_ports; /* one bit per port */

#define ECC      read_ecc
#define ECC_DATA 54 /* bytes - 1, address */
#define ECC_BITS 7
#include "common/ecc.inc"

struct parb_in {
    /*
     * As nic_packet.h says; reads come from PARB_TARGET alone. The first two stop at any beat (beat_skid.h); those of cq
     * are writes of 8 bytes, begun when room was 1, no more than one every second clock.
     */
    struct beat access[PARB_AMO];
    struct beat
        queued; /* writes in ordered modes, heads of events of such; begun when room_queued was 1 */
    struct amo_word word;
    struct amo_fetch fetch;
    u1 room_write;        /* axi_master's, as beat_skid.h says */
    u1 room_read;         /* axi_master takes two more words of reads */
    mem_reader_set given; /* axi_master's: a place for a reply to that client is free again */
    struct mem_done done;
    struct order_counts counts; /* order's */
};

struct parb_out {
    u1 room
        [PARB_CLIENTS]; /* for access; npt has as many contexts as reads fit; amo: eight words more do */
    u1 room_queued; /* for queued, if both are 1 */
    u1 room_packets;
    u1 fetch_taken; /* for one clock: in.fetch was taken */
    u1 released;    /* for one clock: the next event in an ordered mode may be posted */
    u1 lost;        /* for one clock: the next queued write is not done, MEM_WRONG_BITS */
    struct beat write;
    struct mem_read read;
    u1 idle; /* nothing is in here */
    parb_counts count;
};

struct parb {
    struct parb_out out;

    /* Writes that wait. */
    struct beat_skid of_target;
    struct beat_skid of_local;
    HLS_LUTRAM(1) u48 event_addr[PARB_EVENTS];
    HLS_LUTRAM(1) u64 event_data[PARB_EVENTS];
    u2 event_read, event_write;
    u3 events;                              /* whole ones */
    u1 event_head;                          /* the head of one more is here */
    HLS_LUTRAM(1) u61 new_head[PARB_WORDS]; /* {wide, entry, address} */
    HLS_LUTRAM(1) u64 new_data[PARB_WORDS];
    u4 new_read, new_write;
    u5 words;

    struct write_queue queue; /* those in ordered modes */

    /* The packet that is going out, or went last. */
    u1 open; /* its tail has not left */
    u1 rest; /* its second head has not */
    u3 port;
    u3 last;                          /* which of the others it was after the last event */
    parb_flying flying[PARB_CLIENTS]; /* writes begun and not answered */
    parb_flying queued_flying;        /* those of them that were queued */

    /* Reads. */
    u1 staged;    /* read_code is one */
    u1 read_rest; /* and its second word has not left */
    parb_get read_at, write_at;
    uint(NIC_GETS_LOG2 + 1) reads; /* in the memories */
    read_ecc_word read_code;
    struct read_lines lines;   /* what those in ordered modes wait for */
    parb_places held[READERS]; /* places for replies that reads have */
    u1 fetched;                /* a fetch was the last read that left */

    HLS_BRAM read_ecc_word codes[1 << NIC_GETS_LOG2];
};

HLS_RESET void parb_reset(struct parb *self);
HLS_MODULE void parb(struct parb *self, const struct parb_in *in);

#endif
