// SPDX-License-Identifier: Apache-2.0
/*
 * bte_receive.h - ports and registers of the receiving half of the block transfer engine: buffers that a host has posted, messages
 * that are bound to them, and what becomes of a buffer when its message is whole or fails.
 *
 * A message is a transaction of SENDs and one SEND_END. The first of its packets that comes binds the next buffer of its channel; the
 * buffer is given back once, when nothing of the message can be written into it any more.
 */
#ifndef BTE_RECEIVE_H
#define BTE_RECEIVE_H

#include "nic/bte/bte_ring.h"

#define BTE_MESSAGES     (1 << NIC_MESSAGES_LOG2)
#define BTE_BUFFERS_LOG2 2 /* buffers of a channel that are read ahead */

typedef uint(NIC_MESSAGES_LOG2) bte_message;
typedef uint(BTE_MESSAGES) bte_messages; /* a bit each */
typedef uint(NIC_BTE_LOG2 + BTE_BUFFERS_LOG2) bte_ahead;
typedef uint(NIC_PUTS_LOG2 + 1) bte_packets;

struct bte_receive_in {
    struct message_find find; /* of rat_net */
    struct message_tail tail; /* the same: data of SEND_END */
    struct rmt_op op;         /* of npt: packets of messages; the next one after its result */
    u1 leaks;                 /* npt has lost a context: it may be of a packet, which never ends */
    struct mem_done done;     /* of all clients */
    struct beat reply;        /* of its reads */
    u1 fetch_waits;           /* a read of bte_ring stands */
    u1 fetch_taken, event_taken;
    u1 room_word;    /* a word may be sent in this clock */
    u1 answer_waits; /* an answer of rmt stands */
    u1 answer_taken;
    struct nic_write write;
    u16 read; /* nic_regs: the register that is read */
    struct nic_config config;
};

struct bte_receive_out {
    struct message_found found; /* to rat_net, two clocks after find */
    struct rmt_result result;   /* to npt */
    struct amo_answer answer;   /* to npt, of SEND_END: until it is taken */
    struct nic_event event;     /* to cq, likewise */
    struct mem_fetch fetch;     /* to parb, client RINGS, likewise */
    struct mem_word word;       /* the same, for one clock */
    u1 replies;                 /* the data of a reply are next */
    struct owned_value owned;
    uint(BTE_RING_COUNTS) count;
    u1 idle;
};

/* A buffer that was posted. */
struct bte_buffer {
    u48 address;
    mem_space space;
    u33 bytes;
    u10 queue;
    nic_ptag ptag;
    u1 event; /* one is wanted */
};

struct bte_posted_at {
    bte_channel channel;
    bte_index index;
};

/* What SEND_END brings. */
struct bte_tail {
    u64 immediate;
    u32 length;
};

struct bte_total {
    u32 packets;
    u33 whom;
};

/* How far a message is: packets come; nothing but its last ones; the immediate word is written; next the length; it is written; next the event. */
enum bte_step { RX_OPEN, RX_CLOSING, RX_IMMEDIATE, RX_LENGTH, RX_TELLING, RX_EVENT };

enum bte_post_at { POST_IDLE, POST_READ, POST_TAKEN, POST_REPLY };
enum bte_tend_at { TEND_IDLE, TEND_READ, TEND_LOOK, TEND_WORD, TEND_EVENT, TEND_TURN, TEND_ANSWER };

struct bte_receive {
    struct bte_receive_out out;

    /* Rings of buffers. */
    HLS_LUTRAM(2) struct bte_base bases[BTE_CHANNELS];
    u4 log2[BTE_CHANNELS];
    bte_index written[BTE_CHANNELS];
    bte_index fetched[BTE_CHANNELS];
    bte_index taken[BTE_CHANNELS]; /* by messages */
    bte_channels enabled, failed, busy;
    HLS_LUTRAM(1) struct bte_buffer ahead[BTE_CHANNELS << BTE_BUFFERS_LOG2];
    enum bte_post_at post_at;
    bte_channel turn;

    /* Messages. */
    bte_messages used;
    rmt_key keys[BTE_MESSAGES];
    bte_channel channels[BTE_MESSAGES];
    enum bte_step steps[BTE_MESSAGES];
    bte_packets flying[BTE_MESSAGES]; /* packets between rat and npt, which may still be written */
    bte_messages fresh;               /* none was counted */
    bte_messages parked;              /* its SEND_END is here */
    bte_messages immediate;           /* and brought an immediate word */
    bte_messages aged, old;           /* nothing came since half of RMT_TIMEOUT ended once, twice */
    bte_messages leaky;               /* npt has lost a context since they began */
    HLS_LUTRAM(2) struct bte_buffer buffers[BTE_MESSAGES];
    HLS_LUTRAM(1) struct bte_posted_at places[BTE_MESSAGES];
    HLS_LUTRAM(1) struct bte_tail tails[BTE_MESSAGES];
    HLS_LUTRAM(1) u32 counts[BTE_MESSAGES];
    HLS_LUTRAM(2) struct bte_total totals[BTE_MESSAGES];
    HLS_LUTRAM(1) nic_status_field statuses[BTE_MESSAGES];

    /* A packet of npt, as it was read. */
    struct rmt_op op;
    u32 count;
    struct bte_total total;

    /* The message that is tended. */
    enum bte_tend_at tend_at;
    bte_message at;
    enum bte_step step;
    struct bte_buffer buffer;
    struct bte_posted_at place;
    struct bte_tail tail;
    struct bte_total end;
    nic_status_field status;
};

HLS_RESET void bte_receive_reset(struct bte_receive *self);
HLS_MODULE void bte_receive(struct bte_receive *self, const struct bte_receive_in *in);

#endif
