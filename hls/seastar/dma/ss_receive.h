// SPDX-License-Identifier: Apache-2.0
/*
 * ss_receive.h - ports and registers of what receives: packets off the router, into host memory and to the ring.
 *
 * A message with up to 12 bytes becomes an entry of the ring. A longer one becomes an entry with its header and opens a record, by {class,
 * source, stream}; its data wait for a DEPOSIT that names the record, are written, and a second entry says that all are in memory.
 */
#ifndef SS_RECEIVE_H
#define SS_RECEIVE_H

#include "seastar/packet/ss_host.h"

#define SS_UNPACK_LOG2  8 /* flits of a class that wait */
#define SS_RECORDS_LOG2 3
#define SS_RECORDS      (1 << SS_RECORDS_LOG2)

typedef uint(SS_RECORDS_LOG2) ss_record_index;

struct ss_receive_in {
    /* router */
    u1 valid; /* a flit: it is always taken */
    u1 head, tail, bad;
    ss_flit flit;
    ss_node node;
    struct ss_command deposit;
    u1 write_room;
    u1 done;        /* a write of ours has its answer */
    u1 fail;        /* an error */
    u1 accelerated; /* PUTs for this pid are the engine's */
    u16 pid;
    struct ss_decision decision;
    u1 ended;        /* the engine has heard of the end */
    u1 told;         /* the entry has been taken: of a message, ... */
    u1 command_told; /* ... of a command */
};

struct ss_receive_out {
    ss_vcs room; /* for the router: three packets of any length */
    u1 deposit_taken;
    struct ss_write write;
    struct ss_entry_push tell;
    struct ss_entry_push command_tell;
    struct ss_ask ask;
    struct ss_end end;
    struct ss_receive_events events;
    u1 idle;
};

enum ss_receive_state {
    SS_RECEIVE_IDLE,
    SS_RECEIVE_HEADER, /* flits of a header packet */
    SS_RECEIVE_JUDGE,
    SS_RECEIVE_ASK,   /* the engine */
    SS_RECEIVE_SMALL, /* data of a header */
    SS_RECEIVE_DATA,
    SS_RECEIVE_FLUSH, /* the rest of a beat */
    SS_RECEIVE_END,   /* waits for the answers of memory */
    SS_RECEIVE_TELL,
    SS_RECEIVE_ENDED, /* the engine hears of it */
    SS_RECEIVE_SKIP,  /* the rest of a packet that is not wanted */
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

    u8 used; /* records */
    ss_key keys[SS_RECORDS];
    ss_record_index record;
    struct ss_record now; /* the record in work */
    u4 uses;              /* of the next one that is opened */
    ss_status status;
    u1 small;       /* the message in work has no record */
    u1 ends, again; /* the message; and then the header in `flits` is judged */
    u48 beat_at;    /* a beat that is not full */
    u64 beat;
    u8 beat_strb;
    u12 writes; /* under way */
    u1 failed;  /* one of them */
    u4 rest;    /* clocks in which a deposit that was taken still shows */
    HLS_LUTRAM(1) struct ss_record records[SS_RECORDS];
};

HLS_RESET void ss_receive_reset(struct ss_receive *self);
HLS_MODULE void ss_receive(struct ss_receive *self, const struct ss_receive_in *in);

#endif
