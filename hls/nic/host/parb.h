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
#include "nic/host/parb_words.h"
#include "nic/host/read_lines.h"
#include "nic/host/write_queue.h"

/*
 * Ports of writes, in the order of their turns, and the client of each; those of PARB_URGENT go first. TARGET and QUEUED are rat_net's, the
 * latter in ordered modes.
 */
enum parb_port { PARB_TARGET, PARB_LOCAL, PARB_QUEUED, PARB_AMO, PARB_RINGS, PARB_CQ, PARB_PORTS };

/* clang-format off */
#define PARB_WRITERS {[PARB_TARGET] = WRITER_TARGET, [PARB_LOCAL] = WRITER_LOCAL, \
                      [PARB_QUEUED] = WRITER_TARGET, [PARB_AMO] = WRITER_AMO, \
                      [PARB_RINGS] = WRITER_RINGS, [PARB_CQ] = WRITER_CQ}
/* clang-format on */
#define PARB_URGENT ((1 << PARB_CQ) | (1 << PARB_RINGS))

/* Clients that bring reads one by one; those of LOCAL come with its writes. */
enum parb_fetch { PARB_FETCH_AMO, PARB_FETCH_RINGS, PARB_FETCHES };

#define PARB_PAGE_LOG2 12 /* no burst of AXI crosses a multiple of 4 KB */
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
typedef u3 parb_port_number;
typedef uint(PARB_FETCHES) parb_fetches;     /* one bit per client */
typedef uint(NIC_PUTS_LOG2 + 1) parb_flying; /* of WRITER_WRITES */
typedef uint(NIC_PLACES_LOG2 + 1) parb_places;
typedef uint(PARB_PORTS) parb_ports; /* one bit per port */

#define ECC      read_ecc
#define ECC_DATA 54 /* bytes - 1, address */
#define ECC_BITS 7
#include "common/ecc.inc"

#define ECC      space_ecc
#define ECC_DATA 5
#define ECC_BITS 5
#include "common/ecc.inc"

#define PARB_SPACE_AT (54 + 7) /* in a word of reads, behind read_ecc_word: */
typedef uint(PARB_SPACE_AT + 5 + 5) parb_read_code;

/* A read whose turn it may be. */
struct parb_read {
    u1 valid;
    u1 bad; /* a double-bit error */
    mem_space space;
    u6 bytes;
    u48 addr;
};

struct parb_in {
    /* As axi/memory.h says; the first two stop at any beat (beat_skid.h). */
    struct beat target; /* writes, and reads in their own FIFO */
    struct beat local;  /* writes and reads; a bad read is not done, and answered so */
    struct beat event;  /* of 8 bytes, begun when room was 1, no more than one every second clock */
    struct beat
        queued; /* writes in ordered modes, heads of events of such; begun when room_queued was 1 */
    struct mem_word word; /* amo's */
    struct mem_word back; /* of a descriptor */
    struct mem_fetch fetch[PARB_FETCHES];
    u1 room_write;        /* axi_master's, as beat_skid.h says */
    u1 room_read;         /* axi_master takes two more words of reads */
    mem_reader_set given; /* axi_master's: a place for a reply to that client is free again */
    struct mem_done done;
    struct order_counts counts; /* order's */
};

struct parb_out {
    u1 room_target;            /* for target; npt has as many contexts as reads fit */
    u1 room_local, room_event; /* ... and so on */
    u1 room_word;              /* for eight more */
    u1 room_back;              /* for two more */
    u1 room_queued;            /* for queued, if both are 1 */
    u1 room_packets;
    parb_fetches fetch_taken; /* for one clock: this one of in.fetch was taken */
    u1 released;              /* for one clock: the next event in an ordered mode may be posted */
    u1 lost;                  /* for one clock: the next queued write is not done, MEM_WRONG_BITS */
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
    HLS_LUTRAM(1) u53 event_at[PARB_EVENTS]; /* {space, address} */
    HLS_LUTRAM(1) u64 event_data[PARB_EVENTS];
    u2 event_read, event_write;
    u3 events;               /* whole ones */
    u1 event_head;           /* the head of one more is here */
    struct parb_words words; /* new values of amo */
    struct parb_words backs;

    struct write_queue queue; /* those in ordered modes */

    /* The packet that is going out, or went last. */
    u1 open; /* its tail has not left */
    u1 rest; /* its second head has not */
    parb_port_number port;
    parb_port_number last;        /* which it was of those that are not urgent ... */
    parb_port_number last_urgent; /* ... and of those that are */
    parb_flying flying[WRITERS];  /* writes begun and not answered */
    parb_flying queued_flying;    /* those of them that were queued */

    /* Reads of TARGET: in the memory, in its read register, decoded. */
    parb_get read_at, write_at;
    uint(NIC_GETS_LOG2 + 1) reads;
    u1 staged; /* read_code is one */
    parb_read_code read_code;
    struct parb_read first;
    struct read_lines lines; /* what those in ordered modes wait for */

    u1 read_rest;              /* the second word of out.read has not left */
    parb_places held[READERS]; /* places for replies that reads have */

    HLS_BRAM parb_read_code codes[1 << NIC_GETS_LOG2];
};

HLS_RESET void parb_reset(struct parb *self);
HLS_MODULE void parb(struct parb *self, const struct parb_in *in);

#endif
