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

typedef uint(3) ss_epoch; /* of a record's last packet: one that is two or more behind is old */

#define SS_RECORD_CELLS 2 /* of a record, as ss_receive has it */
#define SS_OPEN_CELLS   5 /* of an open operation */

struct ss_words {
    u64 low, high;
};

/* A message has ended but for the answers of memory: for one clock, behind its last write. */
struct ss_mark {
    u1 valid;
    u1 engine; /* hears of it; or the ring */
    ss_place place;
    ss_status status;
    ss_key key;
    u4 use;
    ss_length written;
};

/* Whether a write of this place has failed, for one clock. */
struct ss_fail_note {
    u1 valid;
    ss_place place;
    u1 fails;
};

/* A record that goes to host memory, or one that is looked for there; until `done`. */
struct ss_spill_ask {
    u1 valid;
    u1 fetch;
    ss_key key;
    ss_place place; /* of its record on the chip */
    u1 opened;      /* the engine has an open operation of this place */
    ss_cell cell[SS_RECORD_CELLS];
};

/* Two or more behind: it is looked at within six epochs, even if the one that looks is slow. */
static inline u1 ss_is_old(ss_epoch now, ss_epoch then)
{
    return ((ss_epoch)(now - then) >> 1) != 0;
}

/* Bit 63 of a record's first cell: it is there. Bits 52 and 53: its end is told to the engine, to nobody. */
static inline u1 ss_cell_opened(ss_cell first)
{
    return (u1)(first >> 52) && !(u1)(first >> 53);
}

/* A record in host memory of which no packet has come for long, until it is there no more. */
struct ss_old {
    u1 valid;
    ss_key key;
};

struct ss_spill_done {
    u1 valid;
    u1 there; /* it was found: `cell` */
    u1 fail;  /* memory has failed */
    ss_cell cell[SS_RECORD_CELLS];
};

/* The cells of an open operation leave the engine, or come back; until its turn. */
struct ss_move {
    u1 valid;
    u1 back;
    ss_place place;
};

struct ss_moved_cell {
    u1 valid;
    ss_cell cell;
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
    u1 spilled; /* a record went to host memory */
    u1 unspilt; /* one could not, or could not be read */
    u1 aged;    /* a message of which no packet came any more has ended */
    u1 valved;  /* a message was dropped because the driver did not move */
};

struct ss_engine_events {
    u1 refused;  /* a message that nobody took */
    u1 late;     /* an ack or reply of no pending */
    u1 illegal;  /* a command that was not done */
    u1 poisoned; /* a list with an uncorrectable error refuses from now on */
};

#endif
