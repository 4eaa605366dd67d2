// SPDX-License-Identifier: Apache-2.0
/*
 * nic_initiator.h - ports and registers of the half of a NIC that sends requests: from the processor's stores to requests
 * of the network, and what their responses lead to.
 */
#ifndef NIC_INITIATOR_H
#define NIC_INITIATOR_H

#include "nic/regs/nic_counts.h"
#include "nic/initiator/nic_fma.h"
#include "nic/initiator/ntt.h"
#include "nic/initiator/orb.h"
#include "nic/host/pio.h"
#include "nic/initiator/ssid.h"
#include "nic/initiator/tarb.h"

struct nic_initiator_in {
    struct axi_to_sub s_axi;
    struct beat response; /* of other nodes */
    struct beat bte;      /* of block transfers: OPEN, requests, CLOSE */
#if NIC_CE
    struct beat ce; /* the same of collective engines */
    u1 room_join;   /* for a join of an engine */
#endif
    struct launch_room launch; /* of bte */
    struct launch_note launched;
    u1 room_request;            /* of the netlink's entrance */
    u1 room_local;              /* for data of gets */
    u1 room_event;              /* of cq */
    struct page_reply queue;    /* of cq's pages */
    struct npt_context refused; /* data of a get that may not be written */
    struct mem_done done;
    struct nic_write write;
    struct nic_wipe wipe;
    struct nic_config config;
};

struct nic_initiator_out {
    struct axi_from_sub s_axi;
    struct beat request; /* to other nodes */
    u1 response_room;
    struct beat local; /* data and flags of gets, as PUTs to a local segment */
    struct nic_event event;
    struct launch_words launch; /* to bte */
    u1 launched_taken;
    u1 room_bte; /* for bte */
    u1 tags_bte; /* requests of it find a tag */
#if NIC_CE
    u1 room_ce;       /* for ce; its requests find a tag as those of bte do */
    struct beat join; /* to ce */
#endif
    struct channel_note over;   /* a transaction is */
    struct channel_fault fault; /* a request failed */
    struct page_access access;  /* to cq's pages */
    u1 idle;                    /* no request is here or unanswered */
#if DEV_MAINT
    u1 answered; /* none is unanswered */
#endif
    nic_counts count;
    nic_info info;           /* of an error of orb: the head of a response */
    uint(AXI_BAR_BITS) addr; /* of one of pio */
    struct nic_sent sent;
    struct nic_time time;
};

struct nic_initiator {
    struct nic_initiator_out out;
    struct pio pio;
    struct nic_fma fma;
    struct tarb tarb;
    struct ntt ntt;
    struct ssid ssid;
    struct orb orb;
};

HLS_RESET void nic_initiator_reset(struct nic_initiator *self);
HLS_MODULE void nic_initiator(struct nic_initiator *self, const struct nic_initiator_in *in);

#endif
