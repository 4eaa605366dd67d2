// SPDX-License-Identifier: Apache-2.0
/*
 * nic_target.h - ports and registers of the half of a NIC that reaches host memory: for requests of other nodes, data of
 * this one's gets, and events.
 */
#ifndef NIC_TARGET_H
#define NIC_TARGET_H

#include "nic/amo/amo.h"
#include "nic/event/cq.h"
#include "nic/regs/nic_counts.h"
#include "nic/host/nic_memory.h"
#include "nic/target/npt.h"
#include "nic/target/rat.h"
#include "nic/target/rmt.h"

struct nic_target_in {
    struct axi_to_man m_axi;
    struct beat request;    /* of other nodes */
    u1 room_response;       /* of the netlink's entrance */
    struct beat local;      /* of the initiator: data and flags of gets */
    struct beat local_read; /* of block transfers: data that they send; until local_taken */
    struct mem_fetch ring;  /* ... a descriptor; until ring_taken */
#if NIC_CE
    struct local_word word;       /* of ce: of an endpoint; until word_taken */
    struct amo_answer collective; /* ... to a packet of a reduction; until collective_taken */
    struct nic_event ce_event;
    u1 room_collective; /* for a packet of a reduction */
#endif
    struct mem_word back;          /* ... and its last word */
    u1 room_local_read, room_ring; /* a whole reply may come */
    struct nic_event event;        /* of the initiator */
    struct message_found found;    /* of bte_receive, likewise: */
    struct rmt_result message;     /* how a packet of a message is answered, */
    struct amo_answer message_end; /* or its SEND_END that was parked, until it is taken */
    struct nic_event arrived;      /* a message is whole, or has failed; until it is taken */
    struct page_access access;     /* to cq's pages */
    u1 settle;                     /* CONTROL.settle is written */
    struct nic_write write;
    struct nic_wipe wipe;
    struct nic_config config;
};

struct nic_target_out {
    struct axi_from_man m_axi;
    u1 request_room;
    struct beat response; /* to other nodes */
    u1 local_room;
    u1 local_taken, ring_taken; /* for one clock */
#if NIC_CE
    u1 word_taken, collective_taken; /* the same */
    u1 refused_word;                 /* refused is of word */
    u1 room_ce_event;
    struct beat reduction; /* while is_reduction: a packet of one, to ce */
    u1 is_reduction;
#endif
    u1 room_back;               /* for two more */
    struct beat reply;          /* of reads ... */
    mem_reader reader;          /* ... to this client */
    struct npt_context refused; /* of local, or ... */
    u1 of_read;                 /* ... of local_read, whose reply comes all the same */
    u1 refused_flag;            /* ... or of a flag of rmt */
    struct mem_done done;
    u1 event_room;
    struct message_find find;   /* to bte_receive, likewise: */
    struct npt_context context; /* of a request */
    struct rmt_op op;           /* of packets, those of messages among them */
    u1 answer_waits;            /* an answer of rmt stands */
    u1 end_taken;               /* the one that stood is taken, message_end before rmt's */
    u1 room_arrived;            /* arrived is taken, ... */
    u1 posts;                   /* ... but not beside an event of rmt */
    struct page_reply page;     /* to access */
    u32 raised;                 /* interrupts, for one clock */
    u1 unsettled; /* something that was accepted before the last settle is not answered by memory */
    u1 flushing; /* changes of variables that were kept back before the last flush are not in memory */
    u1 stale;    /* a page table is read that was asked for before the last INVALIDATE */
    u1 idle;     /* nothing at all is here or under way in host memory */
#if DEV_MAINT
    u1 quiet; /* but for reads of our own */
#endif
    nic_counts count;
    nic_info info; /* of an error of rat_net: the head of a request */
    struct nic_received received;
};

struct nic_target {
    struct nic_target_out out;
    struct rat rat_local;
    struct rat rat_net;
    struct npt npt;
    struct rmt rmt;
    struct amo amo;
    struct cq cq;
    struct nic_memory memory;
};

HLS_RESET void nic_target_reset(struct nic_target *self);
HLS_MODULE void nic_target(struct nic_target *self, const struct nic_target_in *in);

#endif
