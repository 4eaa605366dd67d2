// SPDX-License-Identifier: Apache-2.0
/*
 * ss_ring.h - ports and registers of the ring: entries of 64 bytes in the driver's memory, and its interrupt.
 *
 *     words 0-6   flits 1-7     word 7   [31:0] bytes 8-11   [35:32] status   [50:48] kind   [52:51] stream   [56:53] use   [63:57] lap
 *
 * kinds 3 to 6: word 0 [17:0] key (3) or [15:0] ticket, [33:18] tag (6); word 1 [39:0] bytes written (3, 6).
 */
#ifndef SS_RING_H
#define SS_RING_H

#include "seastar/packet/ss_host.h"

#define SS_RING_KEPT 64 /* last entries: not for kinds 1 and 2 */

typedef u17 ss_ring_count;

#define SS_RING_CLIENTS                                                                            \
    5 /* 0 headers, 1 ends, 2 deposits that are refused, 3 the engine, 4 commands done */

struct ss_ring_in {
    struct ss_entry_push push[SS_RING_CLIENTS];
    u1 enable;
    u48 base;
    u5 log2;  /* of entries, 8 to 16 */
    u16 read; /* entries that the driver has read */
    u1 anew;  /* a new ring: begins anew */
    u1 room;  /* ss_memory */
    u1 done;
};

struct ss_ring_out {
    struct ss_write write;
    uint(SS_RING_CLIENTS) taken; /* for one clock */
    u16 written;                 /* entries that are in memory, as its answers say, ... */
    u16 issued;                  /* ... and as many as the driver may have seen there */
    u1 unread;
};

struct ss_ring {
    struct ss_ring_out out;

    u1 busy;
    u3 word;
    u16 next;  /* entry that is written next */
    u7 lap;    /* of it */
    u3 landed; /* words of entry `written` that are in memory */
    u64 words[8];
};

HLS_RESET void ss_ring_reset(struct ss_ring *self);
HLS_MODULE void ss_ring(struct ss_ring *self, const struct ss_ring_in *in);

#endif
