// SPDX-License-Identifier: Apache-2.0
/*
 * ss_host.h - what blocks of the NIC say to each other: commands, entries of the ring, writes to host memory.
 */
#ifndef SS_HOST_H
#define SS_HOST_H

#include "seastar/packet/ss_message.h"

#define SS_OP_SEND    1
#define SS_OP_DEPOSIT 2
#define SS_OP_ME      8 /* from here on they are the engine's */
#define SS_OP_MD      9
#define SS_OP_EQ      12
#define SS_OP_PROCESS 13

/* A command, until it is taken. */
struct ss_command {
    u1 valid;
    u1 class; /* of the line, if it sends */
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

/* A header that asks who takes its message, until it is answered. */
struct ss_ask {
    u1 valid;
    u4 record; /* where the answer to its end goes: 8 for a message in its header */
    ss_node node;
    u64 flit[6]; /* 1 to 6 */
};

/* The answer, for one clock. */
struct ss_decision {
    u1 valid;
    u1 takes;
    u48 addr;
    ss_length bytes;
};

/* A message that was taken has ended: all is in memory. Until `ended`. */
struct ss_end {
    u1 valid;
    u4 record;
    ss_status status;
};

/* An index that a process writes: events that it has read. */
struct ss_index_write {
    u1 valid;
    u8 queue;
    u32 index;
};

/* What is counted. */
struct ss_receive_events {
    u1 dropped; /* a packet in error */
    u1 header;  /* a header in error */
    u1 stray;   /* data without a record */
    u1 full;    /* a message for which there was no record */
    u1 refused; /* one that no entry of a match list took */
};

#endif
