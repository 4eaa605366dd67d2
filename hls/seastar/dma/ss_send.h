// SPDX-License-Identifier: Apache-2.0
/*
 * ss_send.h - ports and registers of what sends: messages of two classes, each class in order, a packet of one and of the other in turn.
 *
 * Each class has 16 messages that wait, data that are read ahead of it, and credit of its own: one that waits for the network leaves the
 * other its part.
 */
#ifndef SS_SEND_H
#define SS_SEND_H

#include "seastar/packet/ss_host.h"

#define SS_REPLIES_LOG2  7 /* beats of a class that may be under way or wait here */
#define SS_MESSAGES_LOG2 4 /* messages of a class */
#define SS_ASKED_LOG2    8 /* beats under way */

struct ss_send_in {
    struct ss_send_push push;
    ss_node node;
    /* router */
    struct ss_vc_note freed;
    /* memory */
    u1 read_room;
    u1 reply_valid;
    u1 reply_bad;
    u64 reply;
    u2 left_taken;
};

struct ss_send_out {
    u2 room;  /* class c: three messages would be taken */
    u1 valid; /* a flit to the router */
    u1 whole; /* with a head */
    ss_flit flit;
    u1 read_valid;
    u48 read_addr;
    struct ss_left left[2];
    u1 idle;
};

enum ss_flow_state {
    SS_FLOW_IDLE,
    SS_FLOW_BEGIN,  /* the first beat of data that do not begin at a multiple of 8 */
    SS_FLOW_GATHER, /* data that go into the header */
    SS_FLOW_HEADER, /* waits for credit */
    SS_FLOW_DATA,   /* waits for credit and for the data of a packet */
    SS_FLOW_DRAIN,  /* replies that nobody wants */
    SS_FLOW_LEFT,   /* waits until what has left before was told */
};

typedef uint(SS_REPLIES_LOG2 + 1) ss_beats;
typedef uint(SS_MESSAGES_LOG2 + 1) ss_messages;

/* The message of a class that is being sent. */
struct ss_flow {
    enum ss_flow_state state;
    ss_length left; /* bytes that no flit has */
    u38 beats;      /* to be used */
    u64 before;     /* the beat before */
    u1 bad;         /* a read failed: zeros go out, and the CRC is inverted */
    u32 crc;
    u1 second;    /* word of `small` that comes next */
    u64 small[2]; /* data of a header */
};

/* What of a message is not asked of memory yet. */
struct ss_fetch {
    u48 addr;
    u38 beats;
};

struct ss_waiting {
    ss_node dst;
    uint(384) header; /* flits 1 to 6, the first the lowest */
    u3 shift;         /* of the data in memory: bytes */
    ss_length bytes;
    enum ss_teller teller;
    u16 who;
};

struct ss_send {
    struct ss_send_out out;

    struct ss_flow flow[2];
    u1 sends; /* a packet leaves: */
    u1 class;
    u4 flit, flits;
    u1 first, last;
    u2 turns;   /* packets of class 1 since one of class 0 */
    u8 used[2]; /* credit */

    ss_messages put[2], fetched[2],
        sent[2]; /* messages: that came, all asked of memory, that left */
    u1 fetches[2];
    struct ss_fetch fetch[2];
    u1 fetch_turn;
    ss_beats asked[2], held[2]; /* places of `replies` that are taken; that have their beat */
    uint(SS_REPLIES_LOG2) reply_put[2], reply_get[2];
    uint(SS_ASKED_LOG2) order_put, order_get;
    HLS_LUTRAM(1) struct ss_waiting waiting0[1 << SS_MESSAGES_LOG2];
    HLS_LUTRAM(1) struct ss_waiting waiting1[1 << SS_MESSAGES_LOG2];
    HLS_LUTRAM(1) struct ss_fetch fetch0[1 << SS_MESSAGES_LOG2];
    HLS_LUTRAM(1) struct ss_fetch fetch1[1 << SS_MESSAGES_LOG2];
    HLS_LUTRAM(1) uint(65) replies0[1 << SS_REPLIES_LOG2];
    HLS_LUTRAM(1) uint(65) replies1[1 << SS_REPLIES_LOG2];
    HLS_LUTRAM(1) u1 order[1 << SS_ASKED_LOG2]; /* the class of each beat under way */
};

HLS_RESET void ss_send_reset(struct ss_send *self);
HLS_MODULE void ss_send(struct ss_send *self, const struct ss_send_in *in);

#endif
