// SPDX-License-Identifier: Apache-2.0
/*
 * axi_read.h - ports and registers of the reading half of the AXI4 manager: bursts of lanes to replies of bytes.
 */
#ifndef AXI_READ_H
#define AXI_READ_H

#include "axi/axi.h"
#include "common/beat/beat_code.h"

#define AXI_PLACE_BEATS 5 /* of a reply, the most */
#define AXI_BEATS_LOG2  (NIC_PLACES_LOG2 + 2)

#if READ_BEATS > 1 << AXI_BEATS_LOG2 || READ_PLACES > 1 << NIC_PLACES_LOG2
#error "config: NIC_PLACES_LOG2 is less than the places for replies of all clients that read"
#endif

/* Bits of out.count. */
enum axi_read_count {
    AXI_READ_CORRECTED, /* a single-bit error in a memory: CORRECTABLE_MEMORY */
    AXI_READ_FATAL,     /* two: TRANSACTION */
    AXI_READ_ERROR,     /* RRESP not OKAY: TRANSACTION */
    AXI_READ_POISON,    /* host memory says that what it read is wrong: TRANSACTION */
    AXI_READ_RLAST,     /* RLAST missing or early: CRITICAL */
    AXI_READ_STRAY,     /* an R that nothing waits for: CRITICAL */
    AXI_READ_COUNTS
};

typedef uint(AXI_READ_COUNTS) axi_read_counts;
typedef uint(NIC_PLACES_LOG2) axi_place;           /* of all clients */
typedef uint(NIC_PLACES_LOG2 + 1) axi_place_count; /* of a client's places since the beginning */
typedef uint(AXI_BEATS_LOG2) axi_place_beat;
typedef uint(NIC_PLACES_LOG2 + 2) axi_burst_count; /* two for each place */
typedef uint(NIC_WALKS_LOG2 + 1) axi_walks;        /* lines of page tables that are read */

/* What a place is for. */
struct axi_shape {
    u2 fault; /* not MEM_DONE: nothing is read for it */
    u4 lane;  /* of its first byte in the first beat */
    u6 bytes; /* less one */
    u3 beats; /* from host memory ... */
    u3 first; /* ... of which so many in the first burst */
};

/* A beat from host memory, as it came. */
struct axi_got {
    u1 valid;
    u1 walked;  /* it is of a line of the walker's */
    u1 awaited; /* a burst of this ID that the host had taken before has beats to come */
    mem_reader reader;
    beat_data data;
    axi_resp resp;
    u1 last;
    u1 poison;
};

/* A step of a reply on its way out: a beat of the place is read. */
struct axi_step {
    u1 valid;
    u1 head;
    u1 tail;
    u1 used; /* there is such a beat */
    mem_reader reader;
    u4 lane;  /* of the reply's first byte */
    u6 bytes; /* of the reply, less one */
    u2 status;
};

/* Whose reply has the next step. */
struct axi_turn {
    u1 valid;
    mem_reader reader;
};

struct axi_read_in {
    struct mem_read read; /* parb's, which counts the places of its client */
    struct mem_walk walk; /* of the page walker, which goes first */
    u1 arready;
    axi_id rid;
    beat_data rdata;
    axi_resp rresp;
    u1 rlast;
    u1 ruser;
    u1 rvalid;
    mem_reader_set room_reply; /* of clients: for a whole reply */
};

struct axi_read_out {
    u1 room;                  /* two more words fit */
    u1 walk_taken;            /* for one clock */
    struct mem_walked walked; /* in the order of walks */
    u1 arvalid;
    axi_id arid;
    u48 araddr;
    u8 arlen;
    struct beat
        reply; /* a client's in the order of its reads, without gaps inside; the head alone if its status is not DONE */
    mem_reader reader; /* whose it is */
    mem_reader_set
        filled; /* for one clock: the client's next read has its data, or will never have any */
    mem_reader_set given; /* for one clock: a place of the client is free again */
    u1 idle;              /* nothing is in here or under way in the host */
    axi_read_counts count;
};

struct axi_read {
    struct axi_read_out out;

    /* Reads that wait for a place and AR, the older first. */
    struct mem_read queued[2];
    u1 second; /* the older one is the second word of its read */
    u3 rest;   /* beats of its second burst */

    /* Places of each client since the beginning: asked for, filled, given out. */
    axi_place_count asked[READERS], filled[READERS], given[READERS];

    axi_burst_count bursts[READERS]; /* that the host has taken and not ended */
    axi_walks walks;                 /* ... of the walker */
    u2 walk_beat;                    /* of the line that comes */

    /* What host memory sends to place `filled` of each client. */
    struct axi_got got;
    u3 beat[READERS];   /* of the place */
    u2 status[READERS]; /* worst so far */

    /* The reply that goes out. */
    mem_reader turn;         /* whose it is, or was */
    u3 slot;                 /* its next step: 0 head, n data beat n - 1 */
    struct axi_step stored;  /* its beat is in code */
    struct axi_step decoded; /* in newer, and the one before in older */
    beat_code code;
    beat_data older;
    beat_data newer;
    u1 older_bad;
    u1 newer_bad;

    HLS_BRAM beat_code data[1 << AXI_BEATS_LOG2];
    HLS_LUTRAM(2) u18 shapes[1 << NIC_PLACES_LOG2];  /* struct axi_shape */
    HLS_LUTRAM(1) u2 statuses[1 << NIC_PLACES_LOG2]; /* enum mem_status, of those that are filled */
};

HLS_RESET void axi_read_reset(struct axi_read *self);
HLS_MODULE void axi_read(struct axi_read *self, const struct axi_read_in *in);

#endif
