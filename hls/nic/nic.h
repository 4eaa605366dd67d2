// SPDX-License-Identifier: Apache-2.0
/*
 * nic.h - ports and registers of one NIC: host on one side, netlink on the other.
 */
#ifndef NIC_H
#define NIC_H

#include "nic/bte/bte.h"
#if NIC_CE
#include "nic/ce/ce.h"
#endif
#include "nic/bte/bte_receive.h"
#include "nic/host/hpet.h"
#include "nic/initiator/nic_initiator.h"
#include "nic/regs/nic_regs.h"
#include "nic/target/nic_target.h"
#include "nic/netlink/nl_types.h"

struct nic_in {
    u1 rst;                    /* of this NIC alone */
    struct axi_to_sub s_axi;   /* pages and windows of processes */
    struct axi_to_man m_axi;   /* memory */
    struct axil_to_sub s_axil; /* registers */
    struct beat request;       /* from other nodes, out of the netlink */
    struct beat response;
    struct global_time time; /* of the device */
    u1 room_request;         /* of the netlink's entrance */
    u1 room_response;
    uint(NETLINK_COUNTS) netlink; /* what the netlink counts; 0 for all its NICs but one; and */
    nic_info netlink_info;        /* the head of the packet that an error of it is about */
};

struct nic_out {
    struct axi_from_sub s_axi;
    struct axi_from_man m_axi;
    struct axil_from_sub s_axil;
    u1 irq;
    struct beat to_request; /* to other nodes */
    struct beat to_response;
    u1 request_room; /* three more packets of them fit */
    u1 response_room;
#if DEV_MAINT
    u1 quiet; /* no request is unanswered, of ours or of others here; those that wait to be sent do not count */
#endif
};

struct nic {
    struct nic_out out;
    struct nic_initiator initiator;
    struct nic_target target;
    struct bte bte;
#if NIC_CE
    struct ce ce;
#endif
    struct bte_receive receive;
    struct nic_regs regs;
    struct hpet hpet;
};

HLS_RESET void nic_reset(struct nic *self);
HLS_MODULE void nic(struct nic *self, const struct nic_in *in);

#endif
