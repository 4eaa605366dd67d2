// SPDX-License-Identifier: Apache-2.0
/*
 * ss_host.h - what blocks of the NIC say to each other: commands, messages, decisions, entries of the ring, writes to host memory.
 */
#ifndef SS_HOST_H
#define SS_HOST_H

#include "seastar/packet/ss_tables.h"

#define SS_OP_SEND    1
#define SS_OP_DEPOSIT 2
#define SS_OP_PUT     4
#define SS_OP_GET     5
#define SS_OP_ME      8 /* from here on they are the driver's alone */
#define SS_OP_MD      9
#define SS_OP_UNLINK  10
#define SS_OP_UPDATE  11
#define SS_OP_EQ      12
#define SS_OP_PROCESS 13
#define SS_OP_ACCESS  14
#define SS_OP_RELEASE 15

/* A command, until it is taken. */
struct ss_command {
    u1 valid;
    ss_slot page; /* whose page it came by; 0 is the driver's */
    u64 word[8];
};

static inline u4 ss_command_op(const struct ss_command *c)
{
    return (u4)(c->word[7] >> 56);
}

static inline u16 ss_command_ticket(const struct ss_command *c)
{
    return (u16)(c->word[7] >> 40);
}

#define SS_KIND_HEADER   1 /* its data follow */
#define SS_KIND_MESSAGE  2 /* a header with all its data */
#define SS_KIND_RECEIVED 3
#define SS_KIND_SENT     4
#define SS_KIND_COMMAND  5 /* done, or refused */
#define SS_KIND_REPLY    6 /* the reply to a GET of the driver is in memory */

/* An entry, until it is taken. */
struct ss_entry_push {
    u1 valid;
    u3 kind;
    u2 stream;
    u4 use;
    ss_status status;
    u64 word[7];
    u32 last; /* bytes 8 to 11 */
};

/* Eight bytes at a place that is a multiple of 8. */
struct ss_write {
    u1 valid;
    u48 addr;
    u64 data;
    u8 strb;
};

/* Who is told that a message has left. */
enum ss_teller { SS_TELLS_NOBODY, SS_TELLS_TICKET, SS_TELLS_PENDING, SS_TELLS_PLACE };

/* A message to be sent, for one clock. */
struct ss_send_push {
    u1 valid;
    u1 class;
    ss_node dst;
    u64 header[6]; /* flits 1 to 6 */
    u48 addr;
    ss_length bytes;
    enum ss_teller teller;
    u16 who; /* ticket, pending or place */
};

/* A message has left, until it is taken. */
struct ss_left {
    u1 valid;
    enum ss_teller teller;
    u16 who;
    ss_status status;
};

/* A header that asks who takes its message, until it is answered. */
struct ss_ask {
    u1 valid;
    u1 class;
    u1 whole;       /* all its data are in the header */
    ss_place place; /* if not: that of its record */
    ss_node node;
    u64 flit[6]; /* 1 to 6 */
};

/* The answer, for one clock. */
struct ss_decision {
    u1 valid;
    u1 takes;       /* data are written, and its end is told */
    ss_place place; /* where its end goes */
    u48 addr;
    ss_length bytes;
};

/* A message that was taken has ended: all is in memory. Until `ended`. */
struct ss_end {
    u1 valid;
    ss_place place;
    ss_status status;
};

/* An index that a process writes: events that it has read. */
struct ss_index_write {
    u1 valid;
    ss_slot slot;
    u8 queue;
    u32 index;
};

/* A process, as those see it who look for a pid. */
struct ss_process {
    u16 pid;
    u1 accelerated;
};

/* What is counted. */
struct ss_receive_events {
    u1 dropped; /* a packet in error */
    u1 header;  /* a header in error */
    u1 stray;   /* data without a record */
    u1 full;    /* a message for which there was no record */
};

struct ss_engine_events {
    u1 refused;  /* a message that nobody took */
    u1 late;     /* an ack or reply of no pending */
    u1 illegal;  /* a command that was not done */
    u1 poisoned; /* a list with an uncorrectable error refuses from now on */
};

#endif
