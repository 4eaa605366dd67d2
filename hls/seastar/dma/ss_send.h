// SPDX-License-Identifier: Apache-2.0
/*
 * ss_send.h - ports and registers of what sends: a message at a time, from a SEND command to its last packet.
 *
 * Words 0 to 5 of the command are flits 1 to 6, with the source node and, of PUT and RAW, the requested length filled in; word 6 is
 * {destination 15, list 1, address 48}, word 7 ends with the length. A class 0 line sends PUT and RAW, a class 1 line ACK.
 */
#ifndef SS_SEND_H
#define SS_SEND_H

#include "seastar/packet/ss_host.h"

#define SS_REPLIES_LOG2 6 /* beats that may be under way or wait here */

struct ss_send_in {
    struct ss_command command;
    ss_node node;
    u1 drain; /* no command is taken */
    /* router */
    struct ss_vc_note freed;
    /* memory */
    u1 read_room;
    u1 reply_valid;
    u1 reply_bad;
    u64 reply;
    u1 told; /* the entry has been taken */
};

struct ss_send_out {
    u1 taken; /* the command, for one clock */
    u1 valid; /* a flit to the router */
    u1 whole; /* with a head */
    ss_flit flit;
    u1 read_valid;
    u48 read_addr;
    struct ss_entry_push tell;
    u1 idle;
};

enum ss_send_state {
    SS_SEND_IDLE,
    SS_SEND_BEGIN,  /* the first beat of data that do not begin at a multiple of 8 */
    SS_SEND_HEADER, /* waits for credit and for the data that it has */
    SS_SEND_DATA,   /* waits for credit and for the data of a packet */
    SS_SEND_FLITS,  /* a packet leaves */
    SS_SEND_DRAIN,  /* replies that nobody wants */
    SS_SEND_TELL,
};

struct ss_send {
    struct ss_send_out out;

    enum ss_send_state state;
    u4 wait; /* clocks until the mailbox shows the next command */
    u64 header[6];
    ss_node dst;
    u1 class;
    u1 in_header; /* all of the data */
    u16 ticket;
    ss_status status;

    ss_length left; /* bytes that no flit has */
    u3 shift;       /* of the data in memory: bytes */
    u64 before;     /* the beat before */
    u48 read_at;
    u38 reads, beats;                /* beats to be asked for, to be used */
    uint(SS_REPLIES_LOG2 + 1) asked; /* places of `replies` that are taken */
    uint(SS_REPLIES_LOG2) put, get;
    uint(SS_REPLIES_LOG2 + 1) held;
    u1 bad; /* a read failed: zeros go out, and the CRC is inverted */

    u4 flit, flits; /* of the packet that leaves */
    u1 first, last;
    u32 crc;
    u8 used[2]; /* credit, by class */
    HLS_LUTRAM(1) u64 replies[1 << SS_REPLIES_LOG2];
};

HLS_RESET void ss_send_reset(struct ss_send *self);
HLS_MODULE void ss_send(struct ss_send *self, const struct ss_send_in *in);

#endif
