// SPDX-License-Identifier: Apache-2.0
/*
 * axi_write.h - ports and registers of the writing half of the AXI4 manager: beats of accesses to bursts.
 */
#ifndef AXI_WRITE_H
#define AXI_WRITE_H

#include "axi/axi.h"
#include "axi/memory.h"
#include "common/beat/beat_skid.h"

#define AXI_FLYING_LOG2 (NIC_PUTS_LOG2 + 3) /* bursts of all clients under way */

#if WRITE_BURSTS > 1 << AXI_FLYING_LOG2
#error "memory.h: more bursts of clients that write than AXI_FLYING_LOG2"
#endif

/* Bits of out.count. */
enum axi_write_count {
    AXI_WRITE_CORRECTED, /* a single-bit error in a memory: CORRECTABLE_MEMORY */
    AXI_WRITE_FATAL,     /* two: TRANSACTION */
    AXI_WRITE_ERROR,     /* BRESP not OKAY: TRANSACTION */
    AXI_WRITE_STRAY,     /* a B that nothing waits for: CRITICAL */
    AXI_WRITE_COUNTS
};

typedef uint(AXI_WRITE_COUNTS) axi_write_counts;
typedef uint(NIC_PUTS_LOG2 + 2) axi_flying; /* of a client since the beginning */
typedef uint(AXI_FLYING_LOG2) axi_flying_at;

#define ECC      flying_ecc
#define ECC_DATA 14 /* of a burst: place 12, uncorrectable, last of its access */
#define ECC_BITS 6
#include "common/ecc.inc"

/* And the same without a code above it: what a double-bit error in the one say is in the other. */
#define FLYING_AGAIN_AT 20
typedef uint(FLYING_AGAIN_AT + 14) axi_flying_word;

/* An address of a burst. */
struct axi_address {
    u1 valid;
    axi_id id;
    u48 addr;
    u8 len;
};

struct axi_write_in {
    struct beat write; /* of parb: packets one after the other, one with MEM_SPLIT with two heads */
    u1 awready;
    u1 wready;
    axi_id bid;
    axi_resp bresp;
    u1 bvalid;
};

struct axi_write_out {
    u1 room; /* for write, as beat_skid.h says */
    struct axi_address aw;
    beat_data wdata;
    u16 wstrb;
    u1 wlast;
    u1 wvalid;
    struct mem_done
        done; /* in order per client; MEM_WRONG_BITS: bytes that were wrong were not written */
    u1 idle;  /* nothing is in here or under way in the host */
    axi_write_counts count;
};

struct axi_write {
    struct axi_write_out out;

    struct beat_skid skid; /* beats to write */

    /* The access that is being written. */
    struct axi_address next; /* waits behind out.aw */
    mem_writer writer;
    u12 place;
    u1 uncorrectable; /* a beat of it had a double-bit error */
    u1 first;         /* no beat of it has left */
    u1 second;        /* its second head is next */
    u1 early; /* its next data beat gives only carry: the lanes are those in front of its first ones */
    u1 flush;       /* one beat is left, of bytes that came */
    u4 turn;        /* lanes that a data beat is rotated up by */
    u16 fresh;      /* lanes that come from the data beat; those below are carry's */
    u16 begin, end; /* lanes that the first and the last beat write */
    u3 burst;       /* beats left of this burst ... */
    u3 rest;        /* ... and of the one behind it */
    beat_data carry;
    u1 carry_bad;

    /* Bursts under way, in order per client. */
    axi_flying begun[WRITERS];
    axi_flying ended[WRITERS];
    u2 worst[WRITERS]; /* of the bursts of one access so far */
    u1 b_valid;        /* a B came in the clock before; its burst is in b_code */
    mem_writer b_writer;
    u1 b_error;
    axi_flying_word b_code;

    HLS_BRAM axi_flying_word flying[1 << AXI_FLYING_LOG2];
};

HLS_RESET void axi_write_reset(struct axi_write *self);
HLS_MODULE void axi_write(struct axi_write *self, const struct axi_write_in *in);

#endif
