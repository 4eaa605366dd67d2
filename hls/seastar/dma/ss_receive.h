// SPDX-License-Identifier: Apache-2.0
/*
 * ss_receive.h - ports and registers of what receives: packets off the router, into host memory, to the engine and to the ring.
 *
 * The engine decides about requests for accelerated processes, their acks, and all replies. Of the others a message with up to 12 bytes
 * becomes an entry of the ring. A longer one becomes an entry with its header; its data wait for a DEPOSIT, are written, and a second entry
 * says that all are in memory. While its data come a message has a record, found by {class, source, stream}. Records for which there is no place
 * on the chip are in host memory.
 */
#ifndef SS_RECEIVE_H
#define SS_RECEIVE_H

#include "seastar/packet/ss_host.h"

#define SS_UNPACK_LOG2     8 /* flits of a class that wait */
#define SS_REQUEST_RECORDS 4 /* the first records; the others are of answers */

#define SS_AWAY_SETS 8 /* four for each class */

typedef uint(SS_RECORDS_LOG2) ss_record_index;

struct ss_receive_in {
    /* router */
    u1 valid; /* a flit: it is always taken */
    u1 head, tail, bad;
    ss_flit flit;
    ss_node node;
    struct ss_command deposit;
    u1 write_room;
    u1 quiet;               /* all writes are answered */
    uint(SS_PLACES) freed;  /* places whose end was told */
    uint(SS_PLACES) failed; /* with a write that failed */
    struct ss_process process[SS_PROCESSES];
    uint(SS_PLACES) busy; /* places that the engine still uses */
    u1 place_room;        /* it has one for a request in one packet */
    struct ss_decision decision;
    struct ss_spill_done spilled;
    u1 spills; /* records may go to host memory */
    struct ss_old old;
    u32 rx_timeout;  /* clocks of an epoch; 0: records do not age */
    u1 ring_moved;   /* the driver has read entries */
    u32 valve;       /* clocks for which requests may wait for the driver; 0: for ever */
    u1 told;         /* the entry has been taken: of a header, ... */
    u1 command_told; /* ... of a command */
};

struct ss_receive_out {
    ss_vcs room; /* for the router: three packets of any length */
    u1 deposit_taken;
    struct ss_write write;
    struct ss_entry_push tell;
    struct ss_entry_push command_tell;
    struct ss_ask ask;
    ss_place write_place; /* whose the write is */
    struct ss_mark mark;
    struct ss_fail_note note;
    struct ss_spill_ask spill;
    struct ss_receive_events events;
    ss_epoch epoch;
    u1 away; /* some records are in host memory */
    u1 idle;
};

enum ss_receive_state {
    SS_RECEIVE_IDLE,
    SS_RECEIVE_HEADER, /* flits of a header packet */
    SS_RECEIVE_JUDGE,
    SS_RECEIVE_DATA,
    SS_RECEIVE_FLUSH, /* the rest of a beat */
    SS_RECEIVE_END,
    SS_RECEIVE_TELL,
    SS_RECEIVE_SKIP,  /* the rest of a packet that is not wanted */
    SS_RECEIVE_SPILL, /* a record goes to host memory */
    SS_RECEIVE_FETCH, /* one is looked for there */
};

/* A message of the engine's, while the next header may come. */
enum ss_deliver_state {
    SS_DELIVER_NONE,
    SS_DELIVER_ASK,   /* the engine */
    SS_DELIVER_SMALL, /* data of its header */
    SS_DELIVER_FLUSH,
    SS_DELIVER_END,
};

enum ss_record_state { SS_RECORD_WAITS, SS_RECORD_WRITES };

/* A message whose data come. */
struct ss_record {
    enum ss_record_state state;
    u48 addr;
    ss_length write_left, wire_left, written;
    u32 crc;
    u4 use;
    u1 engine; /* its end is told to the engine, ... */
    u1 silent; /* ... or to nobody */
    u1 cut;    /* its data are dropped: its end says so */
};

struct ss_receive {
    struct ss_receive_out out;

    /* Whole packets of each class: flits written, of whole packets, read. */
    uint(SS_UNPACK_LOG2 + 1) put[2], whole[2], get[2];
    u1 coming_class, coming_wrong; /* of the packet that comes */
    u2 fetching, shown;            /* class c: the memory's register, `front` has a flit */
    ss_flit fetched0, fetched1, front[2];
    HLS_BRAM_READ_FIRST ss_flit queue0[1 << SS_UNPACK_LOG2];
    HLS_BRAM_READ_FIRST ss_flit queue1[1 << SS_UNPACK_LOG2];

    enum ss_receive_state state;
    u1 class; /* of the packet in work */
    ss_flit head;
    u4 flit;      /* of it that comes next */
    u2 waits;     /* class c: the data in front wait for their DEPOSIT */
    u64 flits[8]; /* 1 to 8 of a header */
    u32 crc;

    /* A header of class 0 for which nothing is free yet, set aside so that class 1 moves on. */
    u1 parked;
    ss_flit parked_head;
    u64 parked_flits[8];
    u32 parked_crc;

    u8 used, open;             /* records that are not free; whose data come */
    u8 decided;                /* it is known where their data go */
    u8 after[2];               /* records of a class behind the one that went to host memory last */
    u16 away[SS_AWAY_SETS];    /* records in host memory, of sets of streams */
    u2 looked;                 /* class c: the record of its next packet is not in host memory */
    u1 judging;                /* a header waits for what goes to host memory or comes, ... */
    u1 ages;                   /* ... or nothing does: it is an old record */
    ss_epoch seen[SS_RECORDS]; /* of its last packet */
    u32 until;                 /* clocks of this epoch that are left */
    u32 still;                 /* clocks for which requests have waited for the driver */
    u1 drops;                  /* what waits for the driver is dropped */
    ss_key keys[SS_RECORDS];
    ss_record_index record;
    struct ss_record now; /* the record in work */
    u4 uses;              /* of the next one that is opened */
    ss_status status;
    u1 small;       /* the message in work has no record, ... */
    ss_place place; /* ... but this place */
    enum ss_deliver_state delivers;
    u64 last[2];           /* flits 7 and 8 of its header, */
    u1 second;             /* of which the second comes next */
    u3 stays;              /* clocks for which the engine still reads what has asked */
    ss_record_index asked; /* its record, if it has one */
    ss_length bytes;
    u32 asked_crc;
    ss_key key;
    u1 ends, again; /* the message; and then the header in `flits` is judged */
    u48 beat_at;    /* a beat that is not full */
    u64 beat;
    u8 beat_strb;
    u4 rest; /* clocks in which a deposit that was taken still shows */
    HLS_LUTRAM(1) struct ss_record records[SS_RECORDS];
};

HLS_RESET void ss_receive_reset(struct ss_receive *self);
HLS_MODULE void ss_receive(struct ss_receive *self, const struct ss_receive_in *in);

#endif
