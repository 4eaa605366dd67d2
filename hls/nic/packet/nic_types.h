// SPDX-License-Identifier: Apache-2.0
/*
 * nic_types.h - sizes of the NIC, and what its blocks say to each other beside beats.
 *
 * Every struct here is registers of the block that drives it. A `room` bit beside a stream of single words means: two
 * more fit, so a sender that has seen it as 1 may send in that clock, and looks again.
 */
#ifndef NIC_TYPES_H
#define NIC_TYPES_H

#include "nic/packet/nic_packet.h"

#if NIC_SSID_LOG2 > 9 || NIC_TAG_LOG2 > 10 || NIC_CQ_LOG2 > 10 || NIC_FMA_LOG2 > 7 ||              \
    NIC_NTT_LOG2 > 13 || NIC_MDD_LOG2 > 12 || NIC_VMDH_LOG2 > 8
#error "config: a table of the NIC has more entries than its field in a packet or register can name"
#endif

#define NIC_SSIDS (1 << NIC_SSID_LOG2)
#define NIC_TAGS  (1 << NIC_TAG_LOG2)
#define NIC_FMAS  (1 << NIC_FMA_LOG2)
#define NIC_CQS   (1 << NIC_CQ_LOG2)

/* ---- registers --------------------------------------------------------------------------------- */

/*
 * A write of a table or a register, for one clock, to all blocks: addr counts 64-bit registers (nic_map.h). Entries
 * of two words come whole, with the address of word 1: low is word 0. Tables are write-only.
 */
struct nic_write {
    u1 valid;
    u16 addr;
    u64 data; /* the word at addr */
    u64 low;  /* the word before it, for entries of two words */
};

/*
 * After a reset and for as long as STATUS.ready is 0: each block wipes what it has at this index. data and low of
 * nic_write are 0 then: so an entry of a table becomes what it would by a write.
 */
struct nic_wipe {
    u1 valid;
    u13 index;
};

/* AMO_CONFIG.lazy: changes of a variable, and clocks. */
typedef u16 nic_patience;

/* Registers that more than one block reads. */
struct nic_config {
    u1 ready;      /* memories are wiped: anything may begin */
    u1 enable;     /* CONTROL.enable */
    u1 drain;      /* CONTROL.drain, or not enabled: nothing new from the host */
    nic_node node; /* NODE */
    u1 epoch;      /* for one clock: an ORB epoch ends */
    u1 half;       /* for one clock: half of it is over */
    u1 rmt;        /* for one clock: half of RMT_TIMEOUT is over */
    u48 phys_base; /* the window that physical addresses must lie in */
    u48 phys_size;
    u2 rounding;       /* AMO_CONFIG.rounding: of sums of floating point */
    nic_patience lazy; /* AMO_CONFIG.lazy: changes of variables that amo keeps back, and clocks */
    u1 flush;          /* for one clock: amo writes and forgets what it keeps */
};

/* ---- the initiator ----------------------------------------------------------------------------- */

/* Slots of descriptors of block transfers, each a channel of the request stream. */
#define NIC_BTE_PLACES_LOG2 (NIC_BTE_LOG2 + NIC_BTE_SLOTS_LOG2)

/* A channel of the request stream as a place in a table: {is of BTE 1, number}. */
#define NIC_CHANNEL_LOG2                                                                           \
    (1 + (NIC_FMA_LOG2 > NIC_BTE_PLACES_LOG2 ? NIC_FMA_LOG2 : NIC_BTE_PLACES_LOG2))
typedef uint(NIC_CHANNEL_LOG2) nic_place;
typedef uint(NIC_CHANNEL_LOG2 - 1) nic_place_number;

static inline u1 is_bte(nic_place place)
{
    return (u1)(place >> (NIC_CHANNEL_LOG2 - 1));
}

static inline nic_place place_of_channel(u8 channel)
{
    return (nic_place)(((nic_place)(u1)(channel >> 7) << (NIC_CHANNEL_LOG2 - 1)) |
                       (nic_place_number)channel);
}

/* A channel of block transfers; the upper half of their numbers is that of collective engines. */
static inline u1 is_transfer(nic_channel channel)
{
    return channel >> 7 == CHANNEL_BTE && !(NIC_CE && (u1)(channel >> 6));
}

static inline u1 is_collective(nic_channel channel)
{
    return channel >> 7 == CHANNEL_BTE && NIC_CE && (u1)(channel >> 6);
}

static inline nic_channel channel_of_place(nic_place place)
{
    return (nic_channel)(((nic_channel)is_bte(place) << 7) | (nic_place_number)place);
}

/* orb to ssid: a request of this transaction was answered, or timed out. */
struct ssid_answer {
    u1 valid;
    nic_ssid ssid;
    nic_status_field status;
    u1 note; /* the target did not count it, or, of END, settled nothing */
    u1 end;  /* it was the END */
};

/* ssid to tarb: a NOTE; stands until its last beat is taken. */
struct ssid_notice {
    u1 valid;
    beat_word head;
    u56 event;
    u64 flag;
};

/* orb to ssid: a tag that a request of this FMA descriptor, or of BTE, had is free again. */
struct tag_back {
    u1 valid;
    u1 bte;
    uint(NIC_FMA_LOG2) place;
};

/* ssid to fma: a transaction of this channel is over, its id is free again. */
struct channel_note {
    u1 valid;
    nic_channel channel;
    u1 failed; /* not OK, and no event was wanted that could say so */
    nic_status_field status;
};

/* nic_fma to bte: two words of the descriptor of a transfer that a process launches. */
struct launch_words {
    u1 valid;
    u2 beat; /* words 2 * beat, 2 * beat + 1 */
    u2 channel;
    u7 unit; /* FMA descriptor of the process */
    beat_data data;
};

/* bte to nic_fma: channels where transfers may be launched, and those that have space for one more. */
struct launch_room {
    u4 open;
    u4 free;
};

/* bte to nic_fma, until it is taken: a transfer that was launched is over. */
struct launch_note {
    u1 valid;
    u7 unit;
    u1 failed; /* as of channel_note */
};

/* ssid to bte: a request of this channel's transaction failed, or was refused. */
struct channel_fault {
    u1 valid;
    nic_channel channel;
};

/* ---- events ------------------------------------------------------------------------------------ */

/* To cq: post this. Only while cq's room for the source was 1. */
struct nic_event {
    u1 valid;
    u10 queue;
    nic_ptag ptag;
    u64 word; /* {overrun 1 (0 here), status 4, source 3, data 56} */
};

enum nic_event_source {
    EVENT_NONE = 0,
    EVENT_SSID_SREQ = 1, /* local: all data has left */
    EVENT_SSID_DREQ = 2,
    EVENT_SSID_SRSP = 3, /* global, or any status but OK */
    EVENT_BTE = 4,
    EVENT_RMT_SREQ = 5, /* PUT_MSG, CQWRITE */
    EVENT_RMT_DREQ = 6,
    EVENT_RMT_SRSP = 7,
};

static inline u64 event_word(nic_status_field status, u3 source, u56 data)
{
    return (u64)(((u64)status << 59) | ((u64)source << 56) | data);
}

/* ---- pages of processes ------------------------------------------------------------------------ */

/* pio to cq (and inside pio and fma): one word of a page. A read is answered once, a write too. */
struct page_access {
    u1 valid;
    u1 write;
    u10 unit; /* queue or descriptor */
    u9 word;
    u64 data;
};

struct page_reply {
    u1 valid;
    u1 refused; /* there is no such page, or it is disabled: SLVERR */
    u64 data;
};

/* ---- the target -------------------------------------------------------------------------------- */

/* What a packet is to the transaction that it belongs to. */
enum rmt_kind {
    RMT_OP_NONE,  /* it is not counted */
    RMT_OP_COUNT, /* one of those that END counts */
    RMT_OP_END,
    RMT_OP_NOTE,
};

/* ce to rat_local: a word of an endpoint, as the two beats of a PUT; stands until it is taken. */
struct local_word {
    u1 valid;
    beat_word head;
    beat_data data;
};

/* A flag that END or NOTE brings: eight bytes of a segment, whose handle is a real one. */
struct rmt_flag {
    u1 wanted;
    nic_mdh mdh;
    nic_offset offset;
    u64 value;
};

/* rat_net to npt: what to answer when memory has answered, or at once. */
struct npt_context {
    u1 valid;
    u1 read;  /* waits for a read; else for a write */
    u1 ready; /* waits for nothing: status stands already */
    nic_status_field status;
    u4 cmd;
    nic_node src;
    nic_tag tag;
    nic_gen gen;
    u3 mode;
    u1 queued; /* it waits with writes in ordered modes (parb), or for a token of them */
    nic_ptag ptag;
    u10 queue; /* PUT_MSG, CQWRITE, END, NOTE: of its event */
    u56 event; /* data of that event */

    /* Its transaction, if it is counted here (rmt.h). */
    enum rmt_kind kind;
    nic_ssid ssid;
    u2 use;    /* of the ssid: which one it is, modulo */
    u1 wants;  /* END, NOTE: an event */
    u32 total; /* END: packets that were counted */
    struct rmt_flag flag;

    /* SEND and SEND_END: bte_receive counts it, not rmt, in this entry. */
    u1 message;
    u4 slot;
};

/* npt to rmt, for one clock: a packet's data is in memory, or END or NOTE has its turn; the next one after the result. */
struct rmt_op {
    u1 valid;
    enum rmt_kind kind;
    nic_node src;
    nic_ssid ssid;
    u2 use;
    u32 total;
    u1 wants;
    u10 queue;
    nic_ptag ptag;
    u56 event;
    struct rmt_flag flag;
    u33 whom;   /* as MEM_WHOM_AT */
    u1 message; /* to bte_receive: */
    u4 slot;
    u1 failed; /* nothing of it is in memory, or not all */
};

/* rmt to npt, for one clock. */
struct rmt_result {
    u1 valid;
    u1 note;   /* in the answer: it was not counted, or settles nothing */
    u1 parked; /* no answer now: it waits for packets, or for its flag to be written */
};

/* rmt to rat_local, until it is taken: a flag to be written, which is checked as any data for this host. */
struct rmt_write {
    u1 valid;
    u3 place; /* comes back with mem_done, or as the tag of what is refused */
    nic_ptag ptag;
    struct rmt_flag flag;
};

/* In a place of client LOCAL, above a tag of orb: it is rmt's, or ce's. */
#define PLACE_RMT_AT 10
#define PLACE_CE_AT  11

static inline u1 is_of_rmt(const struct mem_done *done)
{
    return (done->client == MEM_LOCAL) & (u1)(done->place >> PLACE_RMT_AT) &
           !(u1)(done->place >> PLACE_CE_AT);
}

/* rat_local to rmt, for one clock: a flag is not written. */
struct rmt_refused {
    u1 valid;
    u3 place;
    nic_status_field status;
};

/* A transaction as its target knows it: {use 2, ssid 9, src 18}. */
typedef uint(29) rmt_key;

/* rat_net to bte_receive, for one clock: the head of a SEND or SEND_END that is for this node. */
struct message_find {
    u1 valid;
    u1 aborts;    /* SEND_END of a message that its sender gives up */
    u1 immediate; /* SEND_END that brings an immediate word */
    u2 channel;
    nic_ptag ptag;
    rmt_key key;
};

/* bte_receive to rat_net: where a message goes; stands until the next one. */
struct message_found {
    u1 valid; /* its packet flies until npt has said how it ended */
    u4 slot;
    u48 address;
    u33 bytes;
    nic_ptag ptag;
    mem_space space;
    nic_status_field status; /* why not */
};

/* rat_net to bte_receive, for one clock: the data of a SEND_END that is bound. */
struct message_tail {
    u1 valid;
    u4 slot;
    u64 immediate;
    u32 length; /* less one */
};

/* amo, rmt or ce to npt: an atomic operation is done, or refused, or a parked END settled, or a packet of a reduction taken; stands until it is taken. */
struct amo_answer {
    u1 valid;
    u33 whom; /* as MEM_WHOM_AT */
    nic_status_field status;
    u1 note;       /* of END: it settles nothing */
    u1 counted;    /* of amo: END counts it, */
    nic_ssid ssid; /* of this transaction */
    u2 use;
    u1 fetch; /* the response brings the old value */
    u1 wide;
    u64 old;
};

#endif
