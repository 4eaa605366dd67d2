// SPDX-License-Identifier: Apache-2.0
/*
 * ss_host.h - what blocks of the NIC say to each other: commands, entries of the ring, writes to host memory.
 */
#ifndef SS_HOST_H
#define SS_HOST_H

#include "seastar/packet/ss_message.h"

#define SS_OP_SEND    1
#define SS_OP_DEPOSIT 2

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

/* What is counted. */
struct ss_receive_events {
    u1 dropped; /* a packet in error */
    u1 header;  /* a header in error */
    u1 stray;   /* data without a record */
    u1 full;    /* a message for which there was no record */
};

#endif
