// SPDX-License-Identifier: Apache-2.0
/*
 * ss_memory.h - ports and registers of the way to host memory: writes of four clients, reads of two.
 */
#ifndef SS_MEMORY_H
#define SS_MEMORY_H

#include "seastar/packet/ss_axi.h"
#include "seastar/packet/ss_host.h"

#define SS_WRITERS 4 /* 0 data of messages, 1 the ring, 2 events, 3 records */
#define SS_READERS 2 /* 0 data of messages, 1 records */

struct ss_read {
    u1 valid;
    u48 addr;
};

struct ss_memory_in {
    struct ss_write write[SS_WRITERS]; /* taken while room, and of four clocks behind it */
    struct ss_read read[SS_READERS];   /* the same */
    struct ss_axi_to_man m_axi;
};

struct ss_memory_out {
    struct ss_axi_from_man m_axi;
    uint(SS_WRITERS) room;        /* bit c: client c may write */
    uint(SS_READERS) read_room;   /* the same for reads */
    uint(SS_WRITERS) done;        /* bit c: a write of client c has its answer ... */
    u1 fail;                      /* ... and it was an error */
    uint(SS_READERS) reply_valid; /* bit c: `reply` is for client c */
    u1 reply_bad;
    u64 reply;
};

#define SS_WAITING_LOG2 4 /* accesses of a client that wait */
#define SS_OWNERS_LOG2  7 /* writes under way */
#define SS_READING_LOG2 8 /* reads under way */

struct ss_queued_write {
    u48 addr;
    u64 data;
    u8 strb;
};

struct ss_memory {
    struct ss_memory_out out;

    uint(SS_WAITING_LOG2 + 1) head[SS_WRITERS], tail[SS_WRITERS];
    uint(SS_WAITING_LOG2 + 1) read_head[SS_READERS], read_tail[SS_READERS];
    uint(SS_OWNERS_LOG2 + 1) asked, answered;
    uint(SS_READING_LOG2 + 1) read_asked, read_answered;
    u8 after; /* clients behind the one that was served last */
    u1 turn;  /* reader that is served next */
    HLS_LUTRAM(1) struct ss_queued_write queue0[1 << SS_WAITING_LOG2];
    HLS_LUTRAM(1) struct ss_queued_write queue1[1 << SS_WAITING_LOG2];
    HLS_LUTRAM(1) struct ss_queued_write queue2[1 << SS_WAITING_LOG2];
    HLS_LUTRAM(1) struct ss_queued_write queue3[1 << SS_WAITING_LOG2];
    HLS_LUTRAM(1) u48 reads0[1 << SS_WAITING_LOG2];
    HLS_LUTRAM(1) u48 reads1[1 << SS_WAITING_LOG2];
    HLS_LUTRAM(1) u2 owner[1 << SS_OWNERS_LOG2];
    HLS_LUTRAM(1) u1 reader[1 << SS_READING_LOG2];
};

HLS_RESET void ss_memory_reset(struct ss_memory *self);
HLS_MODULE void ss_memory(struct ss_memory *self, const struct ss_memory_in *in);

#endif
