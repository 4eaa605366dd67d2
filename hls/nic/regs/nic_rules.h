// SPDX-License-Identifier: Apache-2.0
/*
 * nic_rules.h - what an address of the NIC's registers is, and what may be written there.
 */
#ifndef NIC_RULES_H
#define NIC_RULES_H

#include "nic/regs/nic_regs.h"

#define CE_CHILD_REGISTERS 32

/* A field of a register, by its name in nic_map.h. */
#define FIELD(word, f) ((uint(f##_BITS))((word) >> f##_AT))

/* ---- what an address is ------------------------------------------------------------------------ */

/* An entry of a table of this machine, at a distance of step words, a power of two; the word of it. */
#define IN_TABLE(addr, table, log2) ((addr) >= table && (addr) < table + (table##_STEP << (log2)))

static inline u1 is_fma(u16 addr)
{
    return IN_TABLE(addr, NR_FMA, NIC_FMA_LOG2) && (u2)addr == 0;
}

static inline u1 is_request_limit(u16 addr)
{
    return IN_TABLE(addr, NR_FMA, NIC_FMA_LOG2) && (u2)addr == 1;
}

static inline u1 is_cq(u16 addr)
{
    return IN_TABLE(addr, NR_CQ, NIC_CQ_LOG2) && (u2)addr < 2;
}

static inline u1 is_mdd(u16 addr)
{
    return IN_TABLE(addr, NR_MDD, NIC_MDD_LOG2);
}

/* Entries of two words, of which this is the first: it is kept until the second comes. */
static inline u1 is_first_word(u16 addr)
{
    return (is_cq(addr) || is_mdd(addr)) && (u1)addr == 0;
}

/* A register of a channel of block transfers that is written: base, configuration, doorbell of its ring, and those of its buffers. */
static inline u1 is_bte_register(u16 addr)
{
    u1 written = (u1)((u16)0x77 >> (u4)addr);

    return addr >= NR_BTE && addr < NR_BTE + (NR_BTE_STEP << NIC_BTE_LOG2) && written;
}

static inline u1 is_bte_config(u16 addr)
{
    return is_bte_register(addr) && (u4)addr == 1;
}

/* Transactions that a channel may have in flight with this configuration. */
static inline u9 bte_limit(u64 data)
{
    u5 limit = FIELD(data, NR_BTE1_LIMIT);
    u1 all = limit == 0 || limit > 1 << NIC_BTE_SLOTS_LOG2;

    return !FIELD(data, NR_BTE1_ENABLE) ? (u9)0 : all ? (u9)(1 << NIC_BTE_SLOTS_LOG2) : (u9)limit;
}

/* A register of a collective engine that is written: configuration, parent, children. */
static inline u1 is_ce(u16 addr)
{
    return NIC_CE && addr >= NR_CE && addr < NR_CE + NR_CE_STEP * NR_CE_ENTRIES &&
           (u6)addr < 2 + CE_CHILD_REGISTERS;
}

static inline u1 is_ce_config(u16 addr)
{
    return is_ce(addr) && (u6)addr == 0;
}

/* Transactions of an engine that is enabled: what goes up, what comes down. */
static inline u9 ce_limit(u64 data)
{
    return FIELD(data, NR_CE_ENABLE) ? (u9)2 : (u9)0;
}

/* An engine has at most as many children as it has registers, and its packets a mode that is not by source. */
static inline u1 ce_fits(u64 data)
{
    return !FIELD(data, NR_CE_ENABLE) || (FIELD(data, NR_CE_CHILDREN) <= CE_CHILD_REGISTERS &&
                                          FIELD(data, NR_CE_MODE) != MODE_SOURCE);
}

static inline u1 is_counter(u16 addr)
{
    nic_number number = (nic_number)addr;
    u1 exists = number < NIC_COUNTERS || (number >= NIC_SUMS_AT && number < NIC_SUMS_AT + NR_SUMS);

    return addr >> NIC_COUNTERS_LOG2 == NR_REGISTER_REFUSED >> NIC_COUNTERS_LOG2 && exists;
}

/* A register of the HPET: those of the whole, or one of three of a timer. */
static inline u1 is_timer(u16 addr)
{
    u1 whole = addr == NR_HPET_ID || addr == NR_HPET_CONFIG || addr == NR_HPET_STATUS ||
               addr == NR_HPET_COUNTER;
    u1 timer =
        addr >= NR_HPET_TIMER && addr < NR_HPET_TIMER + NR_HPET_TIMER_STEP * NR_HPET_TIMER_ENTRIES;

    return whole || (timer && (u2)addr != 3);
}

static inline u1 is_timer_writable(u16 addr)
{
    return is_timer(addr) && addr != NR_HPET_ID && !(addr >= NR_HPET_TIMER && (u2)addr == 2);
}

static inline u1 is_writable(u16 addr)
{
    u1 single = addr == NR_CONTROL || addr == NR_NODE || addr == NR_ORB_EPOCH ||
                addr == NR_RMT_TIMEOUT || addr == NR_AMO_CONFIG || addr == NR_PHYS_BASE ||
                addr == NR_PHYS_SIZE || addr == NR_FIRST_ERROR || addr == NR_IRQ_PENDING ||
                addr == NR_IRQ_MASK || addr == NR_IRQ_TIMER || addr == NR_HIST_LIMIT;

    return single || is_timer_writable(addr) || is_fma(addr) || is_request_limit(addr) ||
           is_cq(addr) || is_mdd(addr) || is_bte_register(addr) || addr == NR_INVALIDATE ||
           IN_TABLE(addr, NR_IOMMU, 4) || IN_TABLE(addr, NR_VMDH, NIC_VMDH_LOG2) ||
           IN_TABLE(addr, NR_NTT, NIC_NTT_LOG2) || is_ce(addr);
}

/* Whole registers; of the HPET halves, too. */
static inline u1 fits_width(const struct nic_regs *self)
{
    u1 whole = self->wlow == 0 && self->strobes == 0xFF;
    u1 low = self->wlow == 0 && self->strobes == 0x0F;
    u1 high = (u2)self->wlow == 0 && self->strobes == 0xF0;

    return whole || (is_timer(self->waddr) && (low || high));
}

/* ---- rules ------------------------------------------------------------------------------------- */

/* Segment inside of 48 bits of address; word 1 of an entry, with its word 0. */
static inline u1 mdd_fits(u64 low, u64 high)
{
    u40 length = FIELD(high, NR_MDD1_LENGTH);
    u41 bytes = length == 0 ? (u41)1 << 40 : (u41)length;

    return (u49)((u49)FIELD(low, NR_MDD_BASE) + bytes) <= (u49)1 << 48;
}

static inline u1 cq_fits(u64 low, u64 high)
{
    u5 log2 = FIELD(high, NR_CQ1_LOG2);

    return FIELD(high, NR_CQ1_ENABLE) == 0 || (log2 >= 6 && log2 <= 20 && (u6)low == 0);
}

/* A page has at least 4 KB, and of two levels that. */
static inline u1 context_fits(u64 word)
{
    u6 log2 = FIELD(word, NR_IOMMU_LOG2);
    u6 most = FIELD(word, NR_IOMMU_LEVELS) ? (u6)12 : (u6)36;

    return FIELD(word, NR_IOMMU_ENABLE) == 0 || (log2 >= 12 && log2 <= most);
}

static inline u1 breaks_no_rule(const struct nic_regs *self)
{
    u16 addr = self->waddr;
    u1 second = (u1)addr && (is_cq(addr) || is_mdd(addr));
    u1 whole = self->held_addr == (u16)(addr - 1);

    if (second && !whole) {
        return 0;
    }
    if (is_mdd(addr) && second) {
        return mdd_fits(self->out.write.low, self->wdata);
    }
    if (is_cq(addr) && second) {
        return cq_fits(self->out.write.low, self->wdata);
    }
    if (IN_TABLE(addr, NR_IOMMU, 4)) {
        return context_fits(self->wdata);
    }
    if (addr == NR_ORB_EPOCH) {
        return (u40)self->wdata >= 4 * NIC_TAGS && /* orb looks at each tag twice in an epoch */
               (u40)self->wdata >> 1 >= self->rmt_clocks;
    }
    if (addr == NR_RMT_TIMEOUT) {
        return (u40)self->wdata <= self->epoch_clocks >>
               1; /* END is answered before orb gives it up */
    }
    if (is_bte_register(addr) &&
        (u2)addr == 0) { /* lines of descriptors, halves of lines of buffers */
        return (u5)self->wdata == 0 && ((u1)(addr >> 2) || !(u1)(self->wdata >> 5));
    }
    if (is_bte_register(addr) && (u4)addr == 5) {
        return FIELD(self->wdata, NR_BTE5_LOG2) <= 10;
    }
    if (is_bte_config(addr)) {
        return self->new_sum <= NIC_SSIDS && FIELD(self->wdata, NR_BTE1_LOG2) <= 10;
    }
    if (is_ce_config(addr)) {
        return self->new_sum <= NIC_SSIDS && ce_fits(self->wdata);
    }
    return !is_fma(addr) || self->new_sum <= NIC_SSIDS;
}

#endif
