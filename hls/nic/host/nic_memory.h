// SPDX-License-Identifier: Apache-2.0
/*
 * nic_memory.h - ports and registers of the way to host memory: accesses of all clients, their order, and the AXI4 manager.
 */
#ifndef NIC_MEMORY_H
#define NIC_MEMORY_H

#include "axi/axi_master.h"
#include "nic/host/order.h"
#include "nic/host/parb.h"
#include "nic/iommu/iommu.h"

struct nic_memory_in {
    struct axi_to_man m_axi;
    struct beat target;   /* of rat_net: writes and reads of other nodes, operands of amo */
    u1 for_amo;           /* it is an operation, which goes there */
    u1 queued;            /* it is of an ordered mode, or, if token, ... */
    u1 token;             /* ... stands for an event of one, without bytes for memory */
    struct beat local;    /* of rat_local: data of gets, flags */
    struct beat event;    /* of cq */
    struct mem_word word; /* of amo: a new value ... */
    struct mem_fetch fetch[PARB_FETCHES]; /* ... and a variable that it wants; descriptors */
    struct mem_word back;                 /* a descriptor's last word */
    u1 retired;                           /* an operation of amo is over */
    order_number seen;         /* operations of amo that are over, their changes in memory */
    mem_reader_set room_reply; /* of clients: for a whole reply */
    u1 settle;                 /* CONTROL.settle is written */
    struct nic_write write;    /* to the contexts of page tables */
    struct nic_wipe wipe;
    u1 net_marked, local_marked; /* of rat_net and rat_local: order.h */
};

struct nic_memory_out {
    struct axi_from_man m_axi;
    struct mem_done done; /* of writes, to all clients */
    struct beat reply;    /* of reads ... */
    mem_reader reader;    /* ... to this client */
    u1 room_target, room_local, room_event, room_word, room_back;
    u1 room_queued; /* for target if queued, if both are 1 */
    u1 room_packets;
    parb_fetches fetch_taken; /* for one clock: this one of fetch was taken */
    u1 released;              /* for one clock: the next event in an ordered mode may be posted */
    u1 lost;                  /* for one clock: the next queued write is not done, MEM_WRONG_BITS */
    struct order_counts counts; /* what accesses wait for */
    u1 mark;                    /* to rat_net and rat_local, for one clock: a settle begins */
    u1 unsettled; /* something that was accepted before the last settle is not answered */
    u1 stale;     /* a page table is read that was asked for before the last INVALIDATE */
    u1 idle_parb, idle_iommu; /* nothing is in parb, in iommu ... */
    u1 idle_write, idle_read; /* ... nor in axi_master, or under way in the host */
    parb_counts count;
    pte_counts pte_count;
    axi_write_counts write_count;
    axi_read_counts read_count;
};

struct nic_memory {
    struct nic_memory_out out;
    u1 ring_counted; /* the descriptor that stands before parb was */
    struct order order;
    struct parb parb;
    struct iommu iommu;
    struct axi_master axi;
};

HLS_RESET void nic_memory_reset(struct nic_memory *self);
HLS_MODULE void nic_memory(struct nic_memory *self, const struct nic_memory_in *in);

#endif
