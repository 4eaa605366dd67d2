// SPDX-License-Identifier: Apache-2.0
/*
 * nic_regs.c - the privileged door of a NIC: what the driver and management read and write.
 *
 * One write and one read at a time, each over some clocks:
 *
 *   WAIT     address (and data) are taken
 *   CHECK    a write: is there such a register; a read of a counter: wait for its turn
 *   RULES    a write: does it break a rule (sums, lengths, sizes)
 *   DO       the register is written, or the write passed on to all blocks; the answer stands in registers
 *   ANSWER   until the other side takes it
 *
 * What counts stands in nic_counters.
 */
#include "nic/regs/nic_rules.h"

/* The counters of a class. */
#define OF_CLASS(c)                                                                                \
    (nic_counts)((nic_counts)NR_CLASS_##c##_LOW | ((nic_counts)NR_CLASS_##c##_HIGH << 64))
#define NIC_ERRORS                                                                                 \
    (nic_counts)(~(OF_CLASS(INFORMATIONAL) | OF_CLASS(DIAG_ONLY) | OF_CLASS(CORRECTABLE_MEMORY)))

#define CLASS_INFORMATIONAL 5

static const nic_counts class_masks[8] = {
    OF_CLASS(CORRECTABLE_MEMORY), OF_CLASS(CRITICAL),
    OF_CLASS(TRANSACTION),        OF_CLASS(ADDRESS_TRANSLATION),
    OF_CLASS(TRANSIENT),          OF_CLASS(INFORMATIONAL),
    OF_CLASS(DIAG_ONLY),          OF_CLASS(UNKNOWN_TRANSACTION),
};

/* Limit k, from 1 on, of the histogram's. */
#define HIST_BITS          NR_HIST_LIMIT_LIMIT1_BITS
#define HIST_RESET(k)      (u63)((u63)NR_HIST_LIMIT_LIMIT##k##_RESET << NR_HIST_LIMIT_LIMIT##k##_AT)
#define HIST_LIMIT(set, k) (u9)((set) >> (HIST_BITS * ((k) - 1)))

HLS_RESET void nic_regs_reset(struct nic_regs *self)
{
    /* The wipe begins at once: a block that looks at its memories before would take what was under way for its own. */
    self->out = (struct nic_regs_out){
        .s_axil = AXIL_FROM_SUB_RESET,
        .wipe = {.valid = 1},
    };
    self->writing = REG_WAIT;
    self->reading = REG_WAIT;
    self->waddr = 0;
    self->wlow = 0;
    self->strobes = 0;
    self->wdata = 0;
    self->raddr = 0;
    self->rlow = 0;
    self->have_addr = 0;
    self->have_data = 0;
    self->held_addr = 0;
    self->allowed = 0;
    self->wipes = 1;
    self->wiped = 1;
    self->enable = 0;
    self->drain = 0;
    self->epoch_clocks = NR_ORB_EPOCH_CLOCKS_RESET;
    self->epoch_left = NR_ORB_EPOCH_CLOCKS_RESET;
    self->epoch_begins = 0;
    self->rmt_clocks = 0;
    self->rmt_left = 0;
    self->hist_limit = HIST_RESET(1) | HIST_RESET(2) | HIST_RESET(3) | HIST_RESET(4) |
                       HIST_RESET(5) | HIST_RESET(6) | HIST_RESET(7);
    self->irq_timer = 0;
    self->irq_pending = 0;
    self->irq_mask = 0;
    self->captured = 0;
    self->first = 0;
    self->first_class = 0;
    self->first_time = 0;
    self->first_info = 0;
    self->now = 0;
    self->limit_sum = 0;
#if NIC_CE
    self->engines = 0;
#endif
    self->new_sum = 0;
    self->clear = 0;
    nic_counters_reset(&self->counters);
    self->refused = 0;
    self->refused_at = 0;
    self->bins = 0;
    self->seen = 0;
    self->seen_info = 0;
}

/* ---- writes ------------------------------------------------------------------------------------ */

static inline void write_single(struct nic_regs *self)
{
    u64 data = self->wdata;

    switch (self->waddr) {
    case NR_CONTROL:
        self->enable = FIELD(data, NR_CONTROL_ENABLE);
        self->drain = FIELD(data, NR_CONTROL_DRAIN);
        self->out.settle = FIELD(data, NR_CONTROL_SETTLE);
        self->out.config.flush = FIELD(data, NR_CONTROL_FLUSH);
        self->clear = FIELD(data, NR_CONTROL_CLEAR);
        break;
    case NR_NODE:
        self->out.config.node = FIELD(data, NR_NODE_NODE);
        break;
    case NR_ORB_EPOCH:
        self->epoch_clocks = FIELD(data, NR_ORB_EPOCH_CLOCKS);
        self->epoch_begins = 1;
        break;
    case NR_RMT_TIMEOUT:
        self->rmt_clocks = FIELD(data, NR_RMT_TIMEOUT_CLOCKS);
        break;
    case NR_AMO_CONFIG:
        self->out.config.rounding = FIELD(data, NR_AMO_CONFIG_ROUNDING);
        self->out.config.lazy = FIELD(data, NR_AMO_CONFIG_LAZY);
        break;
    case NR_PHYS_BASE:
        self->out.config.phys_base = FIELD(data, NR_PHYS_BASE_BASE);
        break;
    case NR_PHYS_SIZE:
        self->out.config.phys_size = FIELD(data, NR_PHYS_SIZE_SIZE);
        break;
    case NR_FIRST_ERROR:
        self->captured = self->captured && (u1)data == 0;
        break;
    case NR_IRQ_PENDING:
        self->irq_pending &= (u44)~data;
        break;
    case NR_IRQ_MASK:
        self->irq_mask = (u44)data;
        break;
    case NR_IRQ_TIMER:
        self->irq_timer = (u32)data;
        break;
    case NR_HIST_LIMIT:
        self->hist_limit = (u63)data;
        break;
    default:
        break;
    }
}

/* What the blocks see of a write. An entry that is no longer valid goes at once, with whatever its word 1 is. */
static inline void pass_on(struct nic_regs *self)
{
    u16 addr = self->waddr;
    u1 writes = self->writing == REG_DO && self->allowed;
    u1 first = is_first_word(addr);
    u1 invalid = first && is_mdd(addr) && FIELD(self->wdata, NR_MDD_VALID) == 0;
    u1 gone = writes && invalid;

    self->out.write.valid = gone || (writes && !first);
    if (writes) {
        self->out.write.addr = (u16)(addr | gone);
    }
    self->out.write.data = gone || self->wipes ? (u64)0 : self->wdata;
}

/* A write of the HPET's registers. */
static inline void write_timer(struct nic_regs *self)
{
    self->out.timer.write =
        self->writing == REG_DO && self->allowed && is_timer_writable(self->waddr);
    self->out.timer.addr = (uint(NIC_TIMER_LOG2))self->waddr;
    self->out.timer.data = self->wdata;
    self->out.timer.halves = (u2)((u2)((u2)(u1)(self->strobes >> 4) << 1) | (u1)self->strobes);
}

/* What a write does to our own registers. */
static inline void write_register(struct nic_regs *self)
{
    u16 addr = self->waddr;

    write_single(self);
    if (is_fma(addr) || is_bte_config(addr) || is_ce_config(addr)) {
        self->limit_sum = self->new_sum;
    }
#if NIC_CE
    if (is_ce_config(addr)) {
        uint(NR_CE_ENTRIES) one = (uint(NR_CE_ENTRIES))((uint(NR_CE_ENTRIES))1 << (u2)(addr >> 6));

        self->engines = FIELD(self->wdata, NR_CE_ENABLE)
                            ? self->engines | one
                            : (uint(NR_CE_ENTRIES))(self->engines & ~one);
    }
#endif
    if (is_first_word(addr)) {
        self->out.write.low = self->wdata;
        self->held_addr = addr;
    }
}

static inline void take_write(struct nic_regs *self, const struct axil_to_sub *axi)
{
    if (self->out.s_axil.awready && axi->awvalid) {
        self->waddr = (u16)(axi->awaddr >> 3);
        self->wlow = (u3)axi->awaddr;
        self->have_addr = 1;
    }
    if (self->out.s_axil.wready && axi->wvalid) {
        self->wdata = axi->wdata;
        self->strobes = axi->wstrb;
        self->have_data = 1;
    }
    if (self->have_addr && self->have_data && !self->wipes) {
        self->writing = REG_CHECK;
    }
}

/* The limit of a descriptor, as it was written to fma; none after the wipe. */
static inline void keep_limit(struct nic_regs *self)
{
    u1 written = self->out.write.valid && is_fma(self->out.write.addr);
    uint(NIC_FMA_LOG2) place = (uint(NIC_FMA_LOG2))(self->out.write.addr >> 2);

    if (self->wipes || written) {
        self->limits[self->wipes ? (uint(NIC_FMA_LOG2))self->wiped : place] =
            self->wipes ? (u9)0 : FIELD(self->out.write.data, NR_FMA_LIMIT);
    }
    if (self->wipes || (self->out.write.valid && is_bte_config(self->out.write.addr))) {
        self->bte_limits[self->wipes ? (uint(NIC_BTE_LOG2))self->wiped
                                     : (uint(NIC_BTE_LOG2))(self->out.write.addr >> 4)] =
            self->wipes ? (u9)0 : bte_limit(self->out.write.data);
    }
}

/* The next step of a write; the sum of limits is written in DO alone, and read in CHECK. */
static inline void step_write(struct nic_regs *self, const struct axil_to_sub *axi)
{
    u9 of_fma = self->limits[(uint(NIC_FMA_LOG2))(self->waddr >> 2)];
    u9 of_bte = self->bte_limits[(uint(NIC_BTE_LOG2))(self->waddr >> 4)];
    u1 bte = is_bte_config(self->waddr);
    u9 limit = bte ? of_bte : of_fma;
    u9 next = bte ? bte_limit(self->wdata) : FIELD(self->wdata, NR_FMA_LIMIT);

#if NIC_CE
    if (is_ce_config(self->waddr)) {
        limit = (u1)(self->engines >> (u2)(self->waddr >> 6)) ? (u9)2 : (u9)0;
        next = ce_limit(self->wdata);
    }
#endif
    switch (self->writing) {
    case REG_WAIT:
        take_write(self, axi);
        break;
    case REG_CHECK:
        self->new_sum = (u10)((u10)(self->limit_sum - limit) + next);
        self->allowed = is_writable(self->waddr) && fits_width(self);
        self->writing = REG_RULES;
        break;
    case REG_RULES:
        self->allowed = self->allowed && breaks_no_rule(self);
        self->writing = REG_DO;
        break;
    case REG_DO:
        if (self->allowed) {
            write_register(self);
        }
        self->refused += !self->allowed;
        self->refused_at = self->allowed ? self->refused_at : self->waddr;
        self->out.s_axil.bvalid = 1;
        self->out.s_axil.bresp = self->allowed ? (axi_resp)AXI_OKAY : (axi_resp)AXI_SLVERR;
        self->writing = REG_ANSWER;
        break;
    case REG_ANSWER:
        if (axi->bready) {
            self->out.s_axil.bvalid = 0;
            self->have_addr = 0;
            self->have_data = 0;
            self->writing = REG_WAIT;
        }
        break;
    }
    self->out.s_axil.awready = self->writing == REG_WAIT && !self->have_addr;
    self->out.s_axil.wready = self->writing == REG_WAIT && !self->have_data;
}

/* ---- reads ------------------------------------------------------------------------------------- */

struct reg_value {
    u1 known;
    u64 data;
};

static inline u64 identity(void)
{
    return (u64)NR_ID_VERSION_RESET << NR_ID_VERSION_AT | (u64)NIC_FMA_LOG2 << NR_ID_FMA_AT |
           (u64)NIC_SSID_LOG2 << NR_ID_SSID_AT | (u64)NIC_TAG_LOG2 << NR_ID_TAG_AT |
           (u64)NIC_MDD_LOG2 << NR_ID_MDD_AT | (u64)NIC_CQ_LOG2 << NR_ID_CQ_AT |
           (u64)NIC_NTT_LOG2 << NR_ID_NTT_AT | (u64)NIC_BTE_LOG2 << NR_ID_BTE_AT;
}

static inline u64 first_error(const struct nic_regs *self)
{
    return (u64)self->captured << NR_FIRST_ERROR_CAPTURED_AT |
           (u64)self->first << NR_FIRST_ERROR_COUNTER_AT |
           (u64)self->first_class << NR_FIRST_ERROR_CLASS_NUMBER_AT;
}

static inline struct reg_value read_register(const struct nic_regs *self,
                                             const struct nic_regs_in *in)
{
    switch (self->raddr) {
    case NR_ID:
        return (struct reg_value){1, identity()};
    case NR_STATUS:
        return (struct reg_value){1, (u64)self->out.config.ready << NR_STATUS_READY_AT |
                                         (u64)in->idle << NR_STATUS_DRAINED_AT |
                                         (u64)in->settled << NR_STATUS_SETTLED_AT};
    case NR_CONTROL:
        return (struct reg_value){1, (u64)self->enable << NR_CONTROL_ENABLE_AT |
                                         (u64)self->drain << NR_CONTROL_DRAIN_AT};
    case NR_NODE:
        return (struct reg_value){1, self->out.config.node};
    case NR_ORB_EPOCH:
        return (struct reg_value){1, self->epoch_clocks};
    case NR_RMT_TIMEOUT:
        return (struct reg_value){1, self->rmt_clocks};
    case NR_AMO_CONFIG:
        return (struct reg_value){1, (u64)self->out.config.rounding << NR_AMO_CONFIG_ROUNDING_AT |
                                         (u64)self->out.config.lazy << NR_AMO_CONFIG_LAZY_AT};
    case NR_PHYS_BASE:
        return (struct reg_value){1, self->out.config.phys_base};
    case NR_PHYS_SIZE:
        return (struct reg_value){1, self->out.config.phys_size};
    case NR_FIRST_ERROR:
        return (struct reg_value){1, first_error(self)};
    case NR_FIRST_TIME:
        return (struct reg_value){1, self->first_time};
    case NR_FIRST_INFO0:
        return (struct reg_value){1, (u64)self->first_info};
    case NR_FIRST_INFO1:
        return (struct reg_value){1, (u64)(self->first_info >> 64)};
    case NR_IRQ_PENDING:
        return (struct reg_value){1, self->irq_pending};
    case NR_IRQ_MASK:
        return (struct reg_value){1, self->irq_mask};
    case NR_IRQ_TIMER:
        return (struct reg_value){1, self->irq_timer};
    case NR_HIST_LIMIT:
        return (struct reg_value){1, self->hist_limit};
    default:
        return is_timer(self->raddr)     ? (struct reg_value){1, in->timer}
               : is_counter(self->raddr) ? (struct reg_value){1, self->counters.out.counted}
                                         : (struct reg_value){in->owned.known, in->owned.data};
    }
}

static inline void take_read(struct nic_regs *self, const struct axil_to_sub *axi)
{
    if (self->out.s_axil.arready && axi->arvalid) {
        self->raddr = (u16)(axi->araddr >> 3);
        self->out.timer.read = (uint(NIC_TIMER_LOG2))(axi->araddr >> 3);
        self->out.read = (u16)(axi->araddr >> 3);
        self->rlow = (u3)axi->araddr;
        self->reading = REG_CHECK;
    }
}

static inline void step_read(struct nic_regs *self, const struct nic_regs_in *in)
{
    switch (self->reading) {
    case REG_WAIT:
        take_read(self, &in->s_axil);
        break;
    case REG_CHECK:
        /* The counter that is summed stands in counted in the next clock. */
        if (!is_counter(self->raddr) || (nic_number)self->raddr == self->counters.out.summed) {
            self->reading = REG_DO;
        }
        break;
    case REG_RULES:
        break;
    case REG_DO: {
        struct reg_value value = read_register(self, in);
        u1 known = value.known && (self->rlow == 0 || (self->rlow == 4 && is_timer(self->raddr)));

        self->refused += !known;
        self->refused_at = known ? self->refused_at : self->raddr;
        self->out.s_axil.rvalid = 1;
        self->out.s_axil.rresp = known ? (axi_resp)AXI_OKAY : (axi_resp)AXI_SLVERR;
        self->out.s_axil.rdata = known ? value.data : (u64)0;
        self->reading = REG_ANSWER;
        break;
    }
    case REG_ANSWER:
        if (in->s_axil.rready) {
            self->out.s_axil.rvalid = 0;
            self->reading = REG_WAIT;
        }
        break;
    }
    self->out.s_axil.arready = self->reading == REG_WAIT;
}

/* ---- times, errors, interrupts ----------------------------------------------------------------- */

/* The bin of a response time: how many of the limits it has reached. */
static inline void sort_time(struct nic_regs *self, const struct nic_time *time)
{
    u3 bin = 0;

    for (int k = 1; k <= 7; k++) {
        bin += time->units >= HIST_LIMIT(self->hist_limit, k);
    }
    self->bins =
        time->valid ? (nic_counts)((nic_counts)1 << (NUMBER(ORB_TIME0) + bin)) : (nic_counts)0;
}

static inline u3 lowest_of_eight(u8 set)
{
    u3 lowest = 7;

    for (int i = 6; i >= 0; i--) {
        lowest = (u1)(set >> i) ? (u3)i : lowest;
    }
    return lowest;
}

/* The number of the lowest bit that is set, if one is: of each eight, and of eights. */
static inline nic_number lowest(nic_counts set)
{
    uint(1 << NIC_COUNTERS_LOG2) all = set;
    u16 any = 0;
    u3 of_eight[16];

    for (int g = 0; g < 16; g++) {
        u8 group = (u8)(all >> (8 * g));

        any |= (u16)((u16)(group != 0) << g);
        of_eight[g] = lowest_of_eight(group);
    }
    u1 upper = (u8)any == 0;
    u3 eight = lowest_of_eight(upper ? (u8)(any >> 8) : (u8)any);
    u4 which = (u4)((u4)((u4)upper << 3) | eight);

    return (nic_number)((nic_number)((nic_number)which << 3) | of_eight[which]);
}

/* One of the counters [from, from + n) counts. */
static inline u1 any_of(nic_counts set, int from, int n)
{
    return ((set >> from) & (((nic_counts)1 << n) - 1)) != 0;
}

static inline nic_info only_if(u1 condition, nic_info info)
{
    return condition ? info : (nic_info)0;
}

/* What the error of the lowest number is about. */
static inline nic_info info_of(const struct nic_regs_in *in, nic_counts errors, u16 refused_at)
{
    u1 own = any_of(errors, NUMBER(REGISTER_REFUSED), 1);
    u1 pio = any_of(errors, NUMBER(PIO_BAD_BURST), 4);
    u1 before_orb = any_of(errors, 0, NUMBER(ORB_REQUESTS));
    u1 orb = any_of(errors, NUMBER(ORB_REQUESTS), 8) && !before_orb;
    u1 before_rat = any_of(errors, 0, NUMBER(RAT_LOST));
    u1 rat = any_of(errors, NUMBER(RAT_LOST), 10) && !before_rat;
    u1 before_netlink = any_of(errors, 0, NUMBER(NETLINK_MARKED));
    u1 netlink = any_of(errors, NUMBER(NETLINK_MARKED), 6) && !before_netlink;

    return only_if(own, (nic_info)refused_at << 3) | only_if(pio && !own, in->pio) |
           only_if(orb, in->orb) | only_if(rat, in->rat) | only_if(netlink, in->netlink);
}

static inline void note_errors(struct nic_regs *self, nic_counts pulses,
                               const struct nic_regs_in *in)
{
    nic_counts errors = pulses & NIC_ERRORS;
    u8 classes = (u8)((u8)in->clock << CLASS_INFORMATIONAL);

    for (int c = 0; c < 8; c++) {
        classes |= (u8)((u8)((pulses & class_masks[c]) != 0) << c);
    }
    self->irq_pending |= (u44)((u44)in->timers << 40) | (u44)((u44)classes << 32) | in->raised;
    if (!self->captured && errors != 0) {
        nic_number first = lowest(errors);

        self->captured = 1;
        self->first = first;
        self->first_time = self->now;
        self->first_info = self->seen_info;
        self->first_class = 0;
        for (int c = 0; c < 8; c++) {
            self->first_class |= (u1)(class_masks[c] >> first) ? (u3)c : (u3)0;
        }
    }
}

static inline void keep_time(struct nic_regs *self)
{
    u1 ends = self->epoch_left <= 1 && !self->epoch_begins;

    self->now++;
    self->out.config.epoch = ends;
    u40 half = self->epoch_clocks >> 1, quarter = self->epoch_clocks >> 2;
    u1 at_half = self->epoch_left == half && !self->epoch_begins;
    u1 at_quarter =
        (self->epoch_left == quarter || self->epoch_left == half + quarter) && !self->epoch_begins;

    self->out.config.half = at_half;
    u1 quarter_ends = ends || at_half || at_quarter;
    u1 rmt_ends = self->rmt_left <= 1;

    self->out.config.rmt = self->rmt_clocks != 0 ? rmt_ends : quarter_ends;
    self->rmt_left = rmt_ends ? (u39)(self->rmt_clocks >> 1) : (u39)(self->rmt_left - 1);
    self->epoch_left =
        ends || self->epoch_begins ? self->epoch_clocks : (u40)(self->epoch_left - 1);
    self->epoch_begins = 0;
}

static inline void wipe(struct nic_regs *self)
{
    self->out.wipe.valid = self->wipes;
    self->out.wipe.index = self->wiped;
    self->out.config.ready = !self->wipes && !self->out.wipe.valid;
    self->wiped += self->wipes;
    self->wipes = self->wipes && self->wiped != 0;
    hls_assert(!self->out.wipe.valid || (self->out.write.data == 0 && self->out.write.low == 0));
}

/* What the registers say of each other. */
static inline void assert_state(const struct nic_regs *self)
{
    const struct axil_from_sub *out = &self->out.s_axil;

    hls_assert(out->bvalid == (self->writing == REG_ANSWER));
    hls_assert(out->rvalid == (self->reading == REG_ANSWER));
    hls_assert(self->writing == REG_WAIT || (self->have_addr && self->have_data));
    hls_assert(!out->awready || (self->writing == REG_WAIT && !self->have_addr));
    hls_assert(!out->wready || (self->writing == REG_WAIT && !self->have_data));
    hls_assert(!out->arready || self->reading == REG_WAIT);
    hls_assert(self->wipes || self->wiped == 0);
    hls_assert(self->limit_sum <= NIC_SSIDS);
}

/* One of our own refusals is counted. */
static inline nic_counts count_refused(struct nic_regs *self)
{
    u1 counts = self->refused != 0;

    self->refused -= counts;
    return (nic_counts)((nic_counts)counts << NUMBER(REGISTER_REFUSED));
}

HLS_MODULE void nic_regs(struct nic_regs *self, const struct nic_regs_in *in)
{
    nic_counts pulses = in->count | self->bins | count_refused(self);
    u16 refused_at = self->refused_at;
    struct nic_counters_in counters = {
        .pulses = pulses, .clear = self->clear, .sent = in->sent, .received = in->received};

    assert_state(self);
    hls_cover(self->reading == REG_CHECK && is_counter(self->raddr) &&
              (nic_number)self->raddr != self->counters.out.summed); /* a counter for its turn */
    self->clear = 0;
    self->out.settle = 0;
    self->out.config.flush = 0;
    self->out.irq = (self->irq_pending & self->irq_mask) != 0;
    keep_time(self);
    step_read(self, in);
    sort_time(self, &in->time);
    pass_on(self);
    write_timer(self);
    step_write(self, &in->s_axil);
    keep_limit(self);
    note_errors(self, self->seen, in);
    self->seen = pulses;
    self->seen_info = info_of(in, pulses & NIC_ERRORS, refused_at);
    wipe(self);
    nic_counters(&self->counters, &counters);
    self->out.config.enable = self->enable;
    self->out.config.drain = self->drain || !self->enable;

    hls_cover(self->have_addr && self->have_data && self->wipes); /* a write waits for the wipe */
    hls_cover(self->captured);
}
