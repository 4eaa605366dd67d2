// SPDX-License-Identifier: Apache-2.0
/*
 * axi_read.h - ports and registers of the reading half of the AXI4 manager: bursts of lanes to replies of bytes.
 */
#ifndef AXI_READ_H
#define AXI_READ_H

#include "axi/axi.h"
#include "common/beat/beat_code.h"

#define AXI_PLACES_LOG2                                                                            \
    NIC_GETS_LOG2 /* places for replies, each of eight beats; 64 bytes touch five at most */
#define AXI_PLACES (1 << AXI_PLACES_LOG2)

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
typedef uint(AXI_PLACES_LOG2) axi_place;
typedef uint(AXI_PLACES_LOG2 + 1) axi_place_count; /* of places since the beginning */
typedef uint(AXI_PLACES_LOG2 + 3) axi_place_beat;
typedef uint(AXI_PLACES_LOG2 + 2) axi_burst_count; /* two for each place */

/* What a place is for. */
struct axi_shape {
    u1 atomic; /* for client AMO */
    u4 lane;   /* of its first byte in the first beat */
    u6 bytes;  /* less one */
    u3 beats;  /* from host memory ... */
    u3 first;  /* ... of which so many in the first burst */
};

/* A beat from host memory, as it came. */
struct axi_got {
    u1 valid;
    u1 awaited; /* a burst that the host had taken before has beats to come */
    axi_id id;
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
    u1 atomic;
    u4 lane;  /* of the reply's first byte */
    u6 bytes; /* of the reply, less one */
    u2 status;
};

struct axi_read_in {
    struct mem_read read; /* parb's */
    u1 arready;
    axi_id rid;
    beat_data rdata;
    axi_resp rresp;
    u1 rlast;
    u1 ruser;
    u1 rvalid;
    u1 room_reply; /* for a whole reply */
};

struct axi_read_out {
    u1 room; /* two more reads fit */
    u1 arvalid;
    u48 araddr;
    u8 arlen;
    struct beat
        reply; /* in the order of reads, without gaps inside; the head alone if its status is not DONE */
    u1 atomic; /* it is for client AMO, else for TARGET */
    u1 filled; /* for one clock: the next read of client TARGET has its data, or will never have any */
    u1 idle; /* nothing is in here or under way in the host */
    axi_read_counts count;
};

struct axi_read {
    struct axi_read_out out;

    /* Reads that wait for a place and AR, the older first. */
    struct mem_read queued[2];
    u1 second; /* the older one is the second word of its read */
    u3 rest;   /* beats of its second burst */

    /* Places since the beginning: asked for, filled, given out. */
    axi_place_count asked, filled, given;

    axi_burst_count bursts; /* that the host has taken and not ended */

    /* What host memory sends to place `filled`. */
    struct axi_got got;
    u3 beat;   /* of the place */
    u2 status; /* worst so far */

    /* The reply that goes out. */
    u3 slot;                 /* its next step: 0 head, n data beat n - 1 */
    struct axi_step stored;  /* its beat is in code */
    struct axi_step decoded; /* in newer, and the one before in older */
    beat_code code;
    beat_data older;
    beat_data newer;
    u1 older_bad;
    u1 newer_bad;

    HLS_BRAM beat_code data[AXI_PLACES << 3];
    HLS_LUTRAM(2) u17 shapes[AXI_PLACES];  /* struct axi_shape */
    HLS_LUTRAM(1) u2 statuses[AXI_PLACES]; /* enum mem_status, of those that are filled */
};

HLS_RESET void axi_read_reset(struct axi_read *self);
HLS_MODULE void axi_read(struct axi_read *self, const struct axi_read_in *in);

#endif
