// SPDX-License-Identifier: Apache-2.0
/*
 * ss_regs.h - ports and registers of the register bus: seastar.rdl is the source of its addresses and fields.
 */
#ifndef SS_REGS_H
#define SS_REGS_H

#include "seastar/host/seastar_map.h"
#include "seastar/packet/ss_host.h"
#include "seastar/router/ss_route.h"

#define SS_REG_LINK0     0x1000 /* registers of link 0, */
#define SS_REG_LINK_LOG2 10     /* and of the others so far apart */

struct ss_regs_in {
    struct reg_request bus;
    struct reg_reply link[SS_LINKS];
    struct ss_receive_events events;
    struct ss_engine_events engine_events;
    u1 command_illegal; /* of ss_commands */
    u1 event_lost;
    u1 idle;
    u1 ready;
    /* scratch memory */
    u1 scratch_done, corrected, fatal, scrubbed;
    ss_cell scratch_read;
    u16 written; /* entries of the ring that are in memory, ... */
    u16 issued;  /* ... or on their way there */
    u1 unread;
};

struct ss_regs_out {
    struct reg_reply reply;
    struct reg_request link[SS_LINKS];
    ss_node node;
    u1 drain;
    u1 streams_enable;
    u48 streams; /* where records are */
    u32 rx_timeout, valve;
    u1 ring_enable;
    u48 ring_base;
    u5 ring_log2;
    u16 ring_read;
    u1 ring_set;   /* for one clock: a new ring; */
    u1 ring_moved; /* ... entries were read */
    u1 irq;
    ss_ports write_at; /* for one clock: tables of these inputs are written */
    struct ss_route_write write;
    u16 age_period;
    u64 age_rr;
    struct ss_scratch_driver scratch;
    u16 scrub_period;
    u32 get_timeout;
};

struct ss_regs {
    struct ss_regs_out out;
    u1 masks; /* the interrupt */
    u1 forwards;
    u48 count[SS_REG_COUNTERS];
};

HLS_RESET void ss_regs_reset(struct ss_regs *self);
HLS_MODULE void ss_regs(struct ss_regs *self, const struct ss_regs_in *in);

#endif
