// SPDX-License-Identifier: Apache-2.0
/*
 * ss_spill.h - ports and registers of what moves records between the chip and host memory.
 *
 * A record that is not on the chip is at STREAMS + 128 x {node 15, stream 2, class}: seven cells of 128 bits, two of ss_receive and five of the
 * engine's open operation. Bit 63 of its first word says that it is there; the word is written 0 when the record is taken back.
 */
#ifndef SS_SPILL_H
#define SS_SPILL_H

#include "seastar/packet/ss_host.h"

#define SS_SPILL_CELLS     (SS_RECORD_CELLS + SS_OPEN_CELLS)
#define SS_SPILL_AREA_LOG2 25 /* bytes of all records */

struct ss_spill_in {
    struct ss_spill_ask ask;
    u48 base; /* of the area, a multiple of 128 */
    u1 away;  /* some records are in host memory */
    ss_epoch epoch;
    u1 moves;                       /* the engine moves cells: the first clock of its turn */
    struct ss_moved_cell cell_gone; /* that it gives */
    u1 write_room, read_room;
    u1 done; /* a write of ours has its answer ... */
    u1 fail; /* ... and it was an error */
    u1 reply_valid;
    u1 reply_bad;
    u64 reply;
};

struct ss_spill_out {
    struct ss_spill_done done; /* for one clock */
    struct ss_old old;
    struct ss_move move;
    struct ss_moved_cell cell_back; /* that the engine takes */
    struct ss_write write;
    u1 read_valid;
    u48 read_addr;
};

enum ss_spill_state {
    SS_SPILL_IDLE,
    SS_SPILL_SECOND,  /* the other cell of ss_receive */
    SS_SPILL_TAKE,    /* those of the engine */
    SS_SPILL_WRITE,   /* to memory */
    SS_SPILL_ANSWERS, /* of memory */
    SS_SPILL_READ,    /* from memory */
    SS_SPILL_FIRST,   /* cells 0 and 1 are shown */
    SS_SPILL_JUDGE,
    SS_SPILL_TURN, /* of the engine */
    SS_SPILL_GIVE, /* its cells */
    SS_SPILL_CLEAR,
    SS_SPILL_SCAN, /* one place in memory is looked at */
};

struct ss_spill {
    struct ss_spill_out out;

    enum ss_spill_state state;
    u4 step, replies; /* words of eight bytes: written or asked for, that came */
    u3 cell;
    u1 bad;             /* an access failed */
    u18 scan, top;      /* place that is looked at next; the highest one that a record went to */
    u8 until;           /* clocks until then */
    u5 asked, answered; /* writes */
    HLS_LUTRAM(1) u64 low[1 << 3];
    HLS_LUTRAM(1) u64 high[1 << 3];
};

HLS_RESET void ss_spill_reset(struct ss_spill *self);
HLS_MODULE void ss_spill(struct ss_spill *self, const struct ss_spill_in *in);

#endif
