// SPDX-License-Identifier: Apache-2.0
/*
 * nic_regs.h - ports and registers of the privileged door of a NIC: AXI4-Lite, the registers that belong to no block,
 * counters, errors and interrupts. Addresses and fields are nic_map.h's. Tables stand in their blocks: here a write is
 * checked and passed on to all (nic_write).
 */
#ifndef NIC_REGS_H
#define NIC_REGS_H

#include "axi/axi.h"
#include "nic/packet/nic_types.h"
#include "nic/regs/nic_counters.h"

#define NIC_TIMER_LOG2 7 /* registers of the HPET's 1 KB */

/* A register that a block has, and keeps showing. */
struct owned_value {
    u1 known;
    u64 data;
};

struct nic_regs_in {
    struct axil_to_sub s_axil;
    nic_counts count;       /* bit i: counter i counts one in this clock */
    uint(AXI_BAR_BITS) pio; /* what errors of that clock are about, of pio, ... */
    nic_info orb;
    nic_info rat; /* ... rat_net ... */
    nic_info netlink;
    struct nic_sent sent;
    struct nic_received received;
    struct nic_time time;
    u32 raised; /* bit i: a completion queue raises interrupt i in this clock */
    u4 timers;  /* bit i: timer i of the HPET does, bit 3: the global clock's pulse */
    u1 clock;   /* the global time was set, or is not known any more: class INFORMATIONAL */
    u64 timer;  /* the register of the HPET that out.timer.read names */
    struct owned_value owned; /* of the block that has the register out.read */
    u1 idle;                  /* nothing is outstanding, neither of this host nor of others here */
    u1 settled;               /* what was accepted before out.settle was 1 is answered by memory */
};

/* The HPET's registers: one that is read, and a write. Numbers are words from NR_HPET_ID on. */
struct timer_access {
    u1 write; /* for one clock */
    uint(NIC_TIMER_LOG2) addr;
    u64 data;
    u2 halves; /* of data, to be written */
    uint(NIC_TIMER_LOG2) read;
};

struct nic_regs_out {
    struct axil_from_sub s_axil;
    struct nic_write write;
    struct nic_wipe wipe;
    struct nic_config config;
    struct timer_access timer;
    u16 read; /* the register that is read: a block that owns it shows its value in the next clock */
    u1 settle; /* for one clock */
    u1 irq;
};

/* A write or read under way. */
enum reg_step { REG_WAIT, REG_CHECK, REG_RULES, REG_DO, REG_ANSWER };

struct nic_regs {
    struct nic_regs_out out;

    /* AXI4-Lite: what was taken, one write and one read at a time. */
    enum reg_step writing;
    enum reg_step reading;
    u16 waddr;
    u3 wlow; /* of the address, within a register */
    u8 strobes;
    u64 wdata;
    u16 raddr;
    u3 rlow;
    u1 have_addr;
    u1 have_data;
    u16 held_addr; /* of word 0 of an entry of two words, which stands in out.write.low */
    u1 allowed;    /* the write breaks no rule */

    /* Registers. */
    u1 wipes; /* memories are being wiped */
    u13 wiped;
    u1 enable;
    u1 drain;
    u40 epoch_clocks;
    u40 epoch_left;
    u40 rmt_clocks; /* 0: it follows the ORB's epoch */
    u39 rmt_left;
    u1 epoch_begins; /* anew: epoch_clocks was written */
    u63 hist_limit;
    u32 irq_timer;
    u44 irq_pending; /* {pulse, timers 3, classes 8, queues 32} */
    u44 irq_mask;
    u1 captured;
    nic_number first;
    u3 first_class;
    u48 first_time;
    nic_info first_info;
    u48 now; /* clocks since reset */

    /* Sum of the transactions that the FMA descriptors may have. */
    HLS_LUTRAM(1) u9 limits[NIC_FMAS];
    HLS_LUTRAM(1) u9 bte_limits[1 << NIC_BTE_LOG2]; /* ... and the channels of block transfers */
#if NIC_CE
    uint(
        NR_CE_ENTRIES) engines; /* ... and collective engines, two each of those that are enabled */
#endif
    u10 limit_sum;
    u10 new_sum;

    struct nic_counters counters;
    u1 clear;        /* CONTROL.clear was written: all counters to 0 */
    u2 refused;      /* accesses, not counted yet; */
    u16 refused_at;  /* the last one's register; of two in one clock the write's */
    nic_counts bins; /* of the histogram, for the next clock */
    nic_counts seen; /* all of the clock before; what the first error of them is about: */
    nic_info seen_info;
};

HLS_RESET void nic_regs_reset(struct nic_regs *self);
HLS_MODULE void nic_regs(struct nic_regs *self, const struct nic_regs_in *in);

#endif
