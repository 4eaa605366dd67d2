// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_regs.c - the privileged door against a model with a register map of its own.
 *
 * Around it stand a driver, which may write and read anything in any order and takes its time for answers, and blocks,
 * which raise counters and interrupts in any clock.
 *
 * Built for aries: fast; proto: san. Recorded for nic_regs.
 */
#include "nic/regs/nic_regs.h"
#include "tb/base/harness.h"

#include <stdlib.h>
#include <string.h>

/* The map, written down a second time (design: registers.md). */
enum {
    ID = 0x0000,
    STATUS = 0x0001,
    CONTROL = 0x0002,
    NODE = 0x0003,
    EPOCH = 0x0004,
    AMO_CONFIG = 0x0006,
    PHYS_BASE = 0x0007,
    PHYS_SIZE = 0x0008,
    FIRST_ERROR = 0x0020,
    FIRST_TIME = 0x0021,
    FIRST_INFO0 = 0x0022,
    FIRST_INFO1 = 0x0023,
    IRQ_PENDING = 0x0024,
    IRQ_MASK = 0x0025,
    IRQ_TIMER = 0x0026,
    HIST_LIMIT = 0x0048,
    COUNTERS = 0x0080,
    TIME0 = 0x00C2, /* and 7 more */
    SUMS = 0x00F8,
    VMDH = 0x0800,
    FMA = 0x1000,
    CQ = 0x2000,
    NTT = 0x4000,
    MDD = 0x8000,
};

enum { OKAY = 0, SLVERR = 2 };
enum { SUM_COUNT = 5, COUNTER_COUNT = 78 };

struct bench {
    struct nic_regs dut;
    struct nic_regs_in in;
    uint64_t clock;
    struct rng rng;
    double slow; /* chance that a ready or valid waits */
    uint64_t counted[COUNTER_COUNT], added[SUM_COUNT];
    struct nic_write last; /* the last write that blocks got, and how many */
    unsigned writes, settles, epochs, halves;
    bool was_half; /* the last of both */
    uint64_t wiped;
};

static void tick(struct bench *b)
{
    nic_regs(&b->dut, &b->in);
    b->clock++;
    for (int i = 0; i < COUNTER_COUNT; i++) {
        b->counted[i] += (uint64_t)(b->in.count >> i) & 1;
    }
    b->added[0] += (uint64_t)b->in.sent.request_bytes;
    b->added[1] += (uint64_t)b->in.sent.request_flits;
    b->added[2] += (uint64_t)b->in.sent.response_bytes;
    b->added[3] += (uint64_t)b->in.received.request_bytes;
    b->added[4] += (uint64_t)b->in.received.response_flits;
    if (b->dut.out.write.valid) {
        b->last = b->dut.out.write;
        b->writes++;
    }
    b->settles += b->dut.out.settle;
    b->epochs += b->dut.out.config.epoch;
    b->halves += b->dut.out.config.half && !b->was_half;
    b->was_half = (b->was_half || b->dut.out.config.half) && !b->dut.out.config.epoch;
    b->wiped += b->dut.out.wipe.valid;
    b->in.count = 0;
    b->in.raised = 0;
    b->in.sent = (struct nic_sent){};
    b->in.received = (struct nic_received){};
    b->in.time.valid = 0;
}

/* A write; its response. Address and data come in any order. */
static unsigned put_strobed(struct bench *b, uint32_t byte, uint64_t data, uint8_t strobes)
{
    bool addr = false, word = false;
    unsigned response;

    for (int patience = 20000; !(addr && word); patience--) {
        b->in.s_axil.awvalid = b->in.s_axil.awvalid || (!addr && !rng_chance(&b->rng, b->slow));
        b->in.s_axil.wvalid = b->in.s_axil.wvalid || (!word && !rng_chance(&b->rng, b->slow));
        b->in.s_axil.awaddr = (uint(AXI_LITE_BITS))byte;
        b->in.s_axil.wdata = data;
        b->in.s_axil.wstrb = strobes;
        addr |= b->in.s_axil.awvalid && b->dut.out.s_axil.awready;
        word |= b->in.s_axil.wvalid && b->dut.out.s_axil.wready;
        tick(b);
        b->in.s_axil.awvalid = b->in.s_axil.awvalid && !addr;
        b->in.s_axil.wvalid = b->in.s_axil.wvalid && !word;
        if (patience == 0) {
            return 99;
        }
    }
    for (int patience = 20000;; patience--) {
        bool ready = !rng_chance(&b->rng, b->slow), valid = b->dut.out.s_axil.bvalid;

        response = (unsigned)b->dut.out.s_axil.bresp;
        b->in.s_axil.bready = ready;
        tick(b);
        if ((ready && valid) || patience == 0) {
            return patience == 0 ? 99 : response;
        }
    }
}

static unsigned put(struct bench *b, uint16_t address, uint64_t data)
{
    return put_strobed(b, (uint32_t)address * 8, data, 0xFF);
}

static unsigned get_byte(struct bench *b, uint32_t byte, uint64_t *data)
{
    b->in.s_axil.arvalid = 1;
    b->in.s_axil.araddr = (uint(AXI_LITE_BITS))byte;
    while (!b->dut.out.s_axil.arready) {
        tick(b);
    }
    tick(b);
    b->in.s_axil.arvalid = 0;
    for (;;) {
        bool ready = !rng_chance(&b->rng, b->slow), valid = b->dut.out.s_axil.rvalid;
        unsigned response = (unsigned)b->dut.out.s_axil.rresp;

        *data = b->dut.out.s_axil.rdata;
        b->in.s_axil.rready = ready;
        tick(b);
        if (ready && valid) {
            return response;
        }
    }
}

static uint64_t get(struct bench *b, uint16_t address)
{
    uint64_t data;

    return get_byte(b, (uint32_t)address * 8, &data) == OKAY ? data : ~(uint64_t)0;
}

static void start(struct bench *b, uint64_t seed)
{
    *b = (struct bench){.in.idle = 1};
    nic_regs_reset(&b->dut);
    b->wiped = b->dut.out.wipe.valid; /* no block has a clock before it */
    rng_seed(&b->rng, seed);
}

static void wait_ready(struct bench *b)
{
    while (!b->dut.out.config.ready && b->clock < 10000) {
        tick(b);
    }
}

static void test_wipe(struct bench *b)
{
    unsigned response;

    tap_ok(get(b, STATUS) == 2, "not ready after reset, but it can be read");
    /* holds nic_regs.epoch */
    tap_ok(get(b, EPOCH) == 1 << 30 && get(b, CONTROL) == 0 && get(b, IRQ_MASK) == 0,
           "ORB_EPOCH is 2^30 after reset, nothing is enabled");
    b->in.s_axil.awvalid = b->in.s_axil.wvalid = 1;
    b->in.s_axil.awaddr = NODE * 8;
    b->in.s_axil.wdata = 9;
    b->in.s_axil.wstrb = 0xFF;
    tick(b);
    b->in.s_axil.awvalid = b->in.s_axil.wvalid = 0;
    tick(b);
    /* holds nic_regs.wipe, nic_regs.apart: reads are answered while a write waits for the wipe, and a second write is not taken */
    tap_ok(get(b, STATUS) == 2 && get(b, NODE) == 0 && !b->dut.out.s_axil.awready &&
               !b->dut.out.s_axil.wready && b->clock < 8000,
           "reads go on while a write waits");
    b->in.s_axil.bready = 1;
    while (!b->dut.out.s_axil.bvalid && b->clock < 10000) {
        tick(b);
    }
    tick(b);
    response = put(b, NODE, 5);
    tap_ok(response == OKAY && b->clock > 8192, "a write waits until memories are wiped");
    wait_ready(b);
    tap_ok(b->wiped == 8192 && b->dut.out.config.ready,
           "from the reset on each index of 8,192 is wiped once");
    tap_ok(get(b, STATUS) == 3, "ready");
}

/* A byte each, the version lowest. */
static void test_identity(struct bench *b)
{
    static const unsigned log2[] = {
        1, NIC_FMA_LOG2, NIC_SSID_LOG2, NIC_TAG_LOG2, NIC_MDD_LOG2, NIC_CQ_LOG2, NIC_NTT_LOG2, 0};
    const uint64_t id = get(b, ID);
    bool good = true;

    for (unsigned i = 0; i < 8; i++) {
        good = good && (id >> (8 * i) & 0xFF) == log2[i];
    }
    tap_ok(good, "ID: version 1 and the sizes of this machine: %016llx", (unsigned long long)id);
}

static void test_single(struct bench *b)
{
    const uint64_t units[7] = {8, 16, 32, 64, 128, 256, 511};
    uint64_t limits = 0;

    static const struct {
        uint16_t address;
        uint64_t mask;
    } plain[] = {{NODE, 0x3FFFF},
                 {EPOCH, 0xFFFFFFFFFF},
                 {AMO_CONFIG, 3},
                 {PHYS_BASE, 0xFFFFFFFFFFFF},
                 {PHYS_SIZE, 0xFFFFFFFFFFFF},
                 {IRQ_MASK, 0xFFFFFFFFFF},
                 {IRQ_TIMER, 0xFFFFFFFF},
                 {HIST_LIMIT, 0x7FFFFFFFFFFFFFFF},
                 {CONTROL, 3}};
    bool good = true;

    for (int i = 0; i < 7; i++) {
        limits |= units[i] << 9 * i;
    }
    tap_ok(get(b, HIST_LIMIT) == limits, "limits of response times after reset");
    for (int i = 0; i < 300; i++) {
        unsigned k = rng_below(&b->rng, sizeof(plain) / sizeof(plain[0]));
        uint64_t data = rng_next(&b->rng) | (plain[k].address == EPOCH ? 4 * NIC_TAGS : 0);

        good = good && put(b, plain[k].address, data) == OKAY;
        good = good && get(b, plain[k].address) == (data & plain[k].mask);
    }
    tap_ok(good, "plain registers keep their bits and no others");
    put(b, CONTROL, 0);
    tap_ok(b->dut.out.config.drain && !b->dut.out.config.enable, "not enabled is drained");
    put(b, CONTROL, 1);
    tap_ok(!b->dut.out.config.drain && b->dut.out.config.enable, "enabled");
    b->settles = 0;
    put(b, CONTROL, 5);
    tap_ok(b->settles == 1 && get(b, CONTROL) == 1, "settle is a pulse");
    put(b, EPOCH, 4 * NIC_TAGS + 4);
    b->epochs = b->halves = 0;
    for (int i = 0; i < 10 * (4 * NIC_TAGS + 4); i++) {
        tick(b);
    }
    tap_ok(b->epochs == 10 && b->halves == 10, "ten epochs end in their time, a half in each");
    tap_ok(put(b, EPOCH, 4 * NIC_TAGS - 1) == SLVERR && put(b, EPOCH, 64) == SLVERR &&
               get(b, EPOCH) == 4 * NIC_TAGS + 4 && put(b, EPOCH, 4 * NIC_TAGS) == OKAY &&
               get(b, EPOCH) == 4 * NIC_TAGS,
           "an epoch below four times the tags is refused, one of that is not");
}

/* holds nic_regs.rules: each is answered SLVERR, counted, and no block hears of it */
static void test_refused(struct bench *b)
{
    static const uint16_t none[] = {0x0009,
                                    0x001F,
                                    0x0027,
                                    0x0070,
                                    0x0047,
                                    0x0049,
                                    COUNTERS + COUNTER_COUNT,
                                    SUMS - 1,
                                    SUMS + SUM_COUNT,
                                    FMA + 2,
                                    FMA + 3,
                                    CQ + 2,
                                    VMDH + (1 << NIC_VMDH_LOG2),
                                    FMA + (4 << NIC_FMA_LOG2)};
    uint64_t data;
    bool good = true;
    uint64_t before = get(b, COUNTERS), sent = b->writes;
    unsigned n = sizeof(none) / sizeof(none[0]);

    for (unsigned i = 0; i < n; i++) {
        good = good && put(b, none[i], 1) == SLVERR;
        good = good && get_byte(b, none[i] * 8u, &data) == SLVERR && data == 0;
    }
    tap_ok(good && b->writes == sent, "what does not exist is refused, and no block hears of it");
    /* holds nic_regs.strobes */
    tap_ok(put_strobed(b, NODE * 8, 1, 0x0F) == SLVERR &&
               put_strobed(b, NODE * 8 + 4, 1, 0xFF) == SLVERR,
           "half a register is refused");
    data = 1;
    tap_ok(get_byte(b, NODE * 8 + 4, &data) == SLVERR && data == 0 &&
               get_byte(b, NODE * 8 + 1, &data) == SLVERR && get_byte(b, NODE * 8, &data) == OKAY,
           "nor is one read from its middle on");
    tap_ok(put(b, STATUS, 1) == SLVERR && put(b, COUNTERS, 1) == SLVERR,
           "what is read-only is refused");
    tap_ok(get_byte(b, MDD * 8, &data) == SLVERR, "tables cannot be read");
    tap_ok(get(b, COUNTERS) == before + 2 * n + 7, "each of them is counted");
}

static bool passed_on(const struct bench *b, unsigned writes, uint16_t addr, uint64_t low,
                      uint64_t high)
{
    return b->writes == writes && b->last.addr == addr && b->last.data == high &&
           b->last.low == low;
}

/* holds nic_regs.sizes: one below, at and above each bound */
static void test_tables(struct bench *b)
{
    unsigned n = b->writes;
    const uint64_t low = (uint64_t)1 << 58 | 0x123456789, high = 77;

    tap_ok(put(b, MDD + 6, low) == OKAY && b->writes == n, "word 0 waits for word 1");
    tap_ok(put(b, MDD + 7, high) == OKAY && passed_on(b, n + 1, MDD + 7, low, high),
           "word 1 takes both");
    tap_ok(put(b, MDD + 9, high) == SLVERR && b->writes == n + 1,
           "word 1 of another entry is refused");
    tap_ok(put(b, MDD + 6, 5) == OKAY && passed_on(b, n + 2, MDD + 7, 5, 0),
           "an entry goes at once");
    put(b, MDD + 8, (uint64_t)1 << 58 | 0xFFFFFFFFFFFF);
    tap_ok(put(b, MDD + 9, 2) == SLVERR && put(b, MDD + 9, 0) == SLVERR,
           "a segment that ends behind 2^48 is refused");
    tap_ok(put(b, MDD + 9, 1) == OKAY, "one that ends there is not");
    put(b, CQ + 4, 0x1000);
    tap_ok(put(b, CQ + 5, 1 | 5 << 1) == SLVERR && put(b, CQ + 5, 1 | 21 << 1) == SLVERR &&
               put(b, CQ + 5, 1 | 6 << 1) == OKAY && put(b, CQ + 5, 1 | 20 << 1) == OKAY &&
               put(b, CQ + 5, 0) == OKAY,
           "rings of 2^6 to 2^20 events");
    put(b, CQ + 4, 0x1008);
    tap_ok(put(b, CQ + 5, 1 | 6 << 1) == SLVERR, "a ring that is not aligned is refused");
    n = b->writes;
    tap_ok(put(b, FMA + 5, 77) == OKAY && passed_on(b, n + 1, FMA + 5, b->last.low, 77),
           "the limit of a descriptor's requests: alone, at once");
    n = b->writes;
    tap_ok(put(b, NTT + 3, 9) == OKAY && passed_on(b, n + 1, NTT + 3, b->last.low, 9),
           "entries of one word");
}

/*
 * holds nic_regs.word1: word 1 takes word 0 of its own entry alone, as it was written last, however many other registers are written or read in
 * between; word 0 of a neighbour, of another table, or one that was refused is none.
 */
static void test_first_words(struct bench *b)
{
    static const uint16_t tables[2] = {MDD, CQ};
    struct misses wrong = {0};

    put(b, MDD + 200, (uint64_t)1 << 58);
    for (int i = 0; i < 3000; i++) {
        const unsigned k = rng_below(&b->rng, 2), step = k ? 4 : 2;
        const uint16_t entry = (uint16_t)(tables[k] + step * (8 + rng_below(&b->rng, 4)));
        const uint16_t near = (uint16_t)(entry + 2 * rng_below(&b->rng, 10) - 10);
        const uint64_t low = k ? (uint64_t)rng_below(&b->rng, 1000) << 6
                               : (uint64_t)1 << 58 | rng_below(&b->rng, 1000);
        const bool whole = rng_below(&b->rng, 4) != 0;
        const unsigned first = put_strobed(b, entry * 8u, low, whole ? 0xFF : 0x7F);
        uint64_t data;

        if (rng_below(&b->rng, 2)) {
            put(b, NODE, rng_next(&b->rng));
            get_byte(b, entry * 8u, &data); /* refused */
        }
        if (near != entry && rng_below(&b->rng, 2)) {
            const bool table = (near & 3) == 0 || !k;

            if (table)
                must(&wrong, put(b, (uint16_t)(near + 1), 77) == SLVERR,
                     "word 1 of %#x behind word 0 of %#x: expected SLVERR", near, entry);
        }
        const unsigned n = b->writes;
        const bool right = put(b, (uint16_t)(entry + 1), 77) == (whole ? OKAY : SLVERR);

        must_equal(&wrong, first, whole ? OKAY : SLVERR, "word 0 of %#x: response", entry);
        must(&wrong, right, "word 1 of %#x: response, expected %s", entry,
             whole ? "OKAY" : "SLVERR");
        must_equal(&wrong, b->writes, n + whole, "word 1 of %#x: writes passed on", entry);
        must(&wrong, !whole || passed_on(b, n + 1, (uint16_t)(entry + 1), low, 77),
             "entry %#x: words passed on, expected %#llx and 77", entry, (unsigned long long)low);
        put(b, MDD + 200, (uint64_t)1 << 58); /* so the next one's is not here yet */
    }
    tap_misses(&wrong, "word 1 with its own word 0 and no other, 3,000 times");
}

/* Clocks between that in which an address is taken and that in which the answer stands. */
static unsigned read_clocks(struct bench *b, uint16_t address)
{
    unsigned clocks = 0;

    b->in.s_axil.arvalid = 1;
    b->in.s_axil.araddr = (uint(AXI_LITE_BITS))(address * 8u);
    b->in.s_axil.rready = 0;
    while (!b->dut.out.s_axil.arready) {
        tick(b);
    }
    tick(b);
    b->in.s_axil.arvalid = 0;
    for (; !b->dut.out.s_axil.rvalid && clocks < 1000; clocks++) {
        tick(b);
    }
    b->in.s_axil.rready = 1;
    tick(b);
    return clocks;
}

/* holds nic_regs.turn: a read takes 2 clocks, of a counter 128 more at most, and that many sometimes. */
static void test_read_clocks(struct bench *b)
{
    unsigned most = 0, plain = 0;

    for (int i = 0; i < 3000; i++) {
        const unsigned number = rng_below(&b->rng, COUNTER_COUNT + SUM_COUNT);
        const unsigned counter =
            number < COUNTER_COUNT ? COUNTERS + number : SUMS + number - COUNTER_COUNT;
        const unsigned clocks = read_clocks(b, (uint16_t)counter);

        most = clocks > most ? clocks : most;
        plain |= read_clocks(b, rng_below(&b->rng, 2) ? NODE : FIRST_TIME);
    }
    tap_ok(plain == 2 && most == 2 + 127, "a read takes %u clocks, of a counter up to %u", plain,
           most);
}

/*
 * A write of this register begins so many clocks after `happens`, or before it where `after` is less than 20: so it is done in each clock
 * around it.
 */
static void write_around(struct bench *b, uint16_t address, uint64_t data, unsigned after,
                         void (*happens)(struct bench *))
{
    b->in.s_axil.awvalid = b->in.s_axil.wvalid = 0;
    for (unsigned i = 0; i < 40; i++) {
        if (i == 20) {
            happens(b);
        }
        if (i == after) {
            b->in.s_axil.awvalid = b->in.s_axil.wvalid = 1;
            b->in.s_axil.awaddr = (uint(AXI_LITE_BITS))(address * 8u);
            b->in.s_axil.wdata = data;
            b->in.s_axil.wstrb = 0xFF;
            b->in.s_axil.bready = 1;
        }
        tick(b);
        b->in.s_axil.awvalid = b->in.s_axil.wvalid = 0;
    }
}

static void raise_irq(struct bench *b)
{
    b->in.raised = 1 << 7;
}

static void raise_error(struct bench *b)
{
    b->in.count = (nic_counts)((nic_counts)1 << 47); /* TRANSACTION */
}

/*
 * holds nic_regs.meets: what happens in the clock in which it is cleared stays: of all clocks of the write around it, those before clear it, those
 * from one on do not, and none is without either.
 */
static void test_meets(struct bench *b)
{
    unsigned irq = 0, error = 0, changes = 0;

    for (unsigned after = 10; after < 26; after++) {
        const unsigned before = irq + error;

        put(b, IRQ_PENDING, ~(uint64_t)0);
        write_around(b, IRQ_PENDING, 1 << 7, after, raise_irq);
        irq = (get(b, IRQ_PENDING) >> 7 & 1) != 0;
        put(b, FIRST_ERROR, 1);
        write_around(b, FIRST_ERROR, 1, after, raise_error);
        error = (unsigned)get(b, FIRST_ERROR) & 1;
        changes += after > 10 && irq + error != before;
        /* the write is done 3 clocks after it was taken; an error is noted a clock after it came */
        changes += irq != (after + 3 <= 20) || error != (after + 3 <= 21) ? 100 : 0;
    }
    tap_ok(changes == 2,
           "an interrupt and an error in each clock around the write that clears them");
}

/* holds nic_regs.both: a write and a read that are refused in one clock are two, in whatever clocks they begin. */
static void test_two_refused(struct bench *b)
{
    bool good = true;

    for (unsigned shift = 0; shift < 16; shift++) {
        const uint64_t before = get(b, COUNTERS);

        b->in.s_axil.bready = b->in.s_axil.rready = 1;
        for (unsigned i = 0; i < 30; i++) {
            b->in.s_axil.awvalid = b->in.s_axil.wvalid = i == 8;
            b->in.s_axil.awaddr = b->in.s_axil.araddr = 0x0031 * 8;
            b->in.s_axil.wstrb = 0xFF;
            b->in.s_axil.arvalid = i == shift;
            tick(b);
        }
        good = good && get(b, COUNTERS) == before + 2;
    }
    tap_ok(good, "a read and a write refused at the same time are two");
}

/* holds nic_regs.limits: the limits of all descriptors together; test_single has the epoch. */
static void test_limits(struct bench *b)
{
    uint64_t limit[NIC_FMAS] = {0}, sum = 0;
    bool good = true;

    for (int i = 0; i < 2000; i++) {
        unsigned d = rng_below(&b->rng, NIC_FMAS);
        uint64_t l = rng_below(&b->rng, 2 * NIC_SSIDS / 3), next = sum - limit[d] + (l & 0x1FF);
        bool fits = next <= NIC_SSIDS;

        good = good && put(b, (uint16_t)(FMA + 4 * d), l << 42) == (fits ? OKAY : SLVERR);
        sum = fits ? next : sum;
        limit[d] = fits ? (l & 0x1FF) : limit[d];
    }
    tap_ok(good, "limits may not be more than there are transactions, in 2,000 writes");
}

/* All that counts, in a clock: everything, most, or some. */
static void raise(struct bench *b, int how)
{
    nic_counts some = (nic_counts)((nic_counts)rng_next(&b->rng) << 64 | rng_next(&b->rng));
    const unsigned most = how == 0 ? 1 : 128;

    b->in.count = how == 0 ? (nic_counts)-1 : some;
    if (how == 2) {
        b->in.count &= (nic_counts)((nic_counts)rng_next(&b->rng) << 64 | rng_next(&b->rng));
    }
    b->in.sent.request_bytes = (nic_amount)(127 - rng_below(&b->rng, most));
    b->in.sent.request_flits = (nic_amount)(127 - rng_below(&b->rng, most));
    b->in.sent.response_bytes = (nic_amount)(127 - rng_below(&b->rng, most));
    b->in.received.request_bytes = (nic_amount)(127 - rng_below(&b->rng, most));
    b->in.received.response_flits = (nic_amount)(127 - rng_below(&b->rng, most));
}

static bool counters_are(struct bench *b)
{
    bool good = true;

    for (int i = 0; i < COUNTER_COUNT; i++) {
        good = good && get(b, (uint16_t)(COUNTERS + i)) == b->counted[i];
    }
    for (int i = 0; i < SUM_COUNT; i++) {
        good = good && get(b, (uint16_t)(SUMS + i)) == b->added[i];
    }
    return good;
}

static void clear_counters(struct bench *b)
{
    put(b, CONTROL, 8);
    for (int i = 0; i < 140; i++) {
        tick(b);
    }
    for (int i = 0; i < COUNTER_COUNT; i++) {
        b->counted[i] = 0;
    }
    for (int i = 0; i < SUM_COUNT; i++) {
        b->added[i] = 0;
    }
}

/* holds nic_regs.counts: all of them in every clock, sums by their most */
static void test_counters(struct bench *b)
{
    clear_counters(b);
    for (int i = 0; i < 20000; i++) {
        raise(b, i < 10000 ? 0 : i < 15000 ? 1 : 2);
        tick(b);
    }
    tap_ok(counters_are(b), "all counters and sums at once, 10,000 clocks as much as they can");
    clear_counters(b);
    tap_ok(counters_are(b), "cleared");
}

/* holds nic_regs.bins: each response is in the bin whose number is how many of the limits its time has reached, whatever these are. */
static void test_histogram(struct bench *b)
{
    uint64_t bins[8] = {0};
    bool good = true;

    for (int round = 0; round < 40; round++) {
        uint64_t limits = rng_next(&b->rng) >> 1;

        put(b, HIST_LIMIT, limits);
        for (int i = 0; i < 50; i++) {
            unsigned near = (unsigned)(limits >> 9 * rng_below(&b->rng, 7) & 0x1FF);
            unsigned time = (near + 511 + rng_below(&b->rng, 3)) % 512, bin = 0;

            for (int k = 0; k < 7; k++) {
                bin += time >= (limits >> 9 * k & 0x1FF);
            }
            b->in.time = (struct nic_time){1, (u9)time};
            bins[bin]++;
            b->counted[TIME0 - COUNTERS + bin]++;
            tick(b);
        }
    }
    tick(b);
    for (unsigned k = 0; k < 8; k++) {
        good = good && get(b, (uint16_t)(TIME0 + k)) == bins[k] && bins[k] != 0;
    }
    tap_ok(good, "times at, below and above the limits, each in its bin");
}

/*
 * The class of each counter: Corrected, kritical, Transaction, Address translation, traNsient, Informational, Unknown
 * transaction; by number as IRQ_PENDING.classes has them.
 */
static const char classes[] =
    "TCTTTTIIIIITNAIITATKKNIIUTKNKKINTTKIKTTTATTTTIKTKTTTTKTTKKNNNKKKIIIIIIIIIIIKTT";

static unsigned class_of(int counter)
{
    static const char names[] = "CKTANIDU";

    return (unsigned)(strchr(names, classes[counter]) - names);
}

/* What the first error is about: pio 2-5, orb 22-29, rat_net 36-45, netlink 58-63; of the others nothing is known. */
static void info_of(const struct nic_regs_in *in, int counter, uint64_t info[2])
{
    nic_info from = 0;

    if (counter >= 2 && counter < 6) {
        from = in->pio;
    } else if (counter >= 22 && counter < 30) {
        from = in->orb;
    } else if (counter >= 36 && counter < 46) {
        from = in->rat;
    } else if (counter >= 58 && counter < 64) {
        from = in->netlink;
    }
    info[0] = (uint64_t)from;
    info[1] = (uint64_t)(from >> 64);
}

static nic_info any_info(struct bench *b)
{
    return (nic_info)((nic_info)rng_next(&b->rng) << 64 | rng_next(&b->rng));
}

/* The lowest counter of a set that is an error, or -1. */
static int lowest_error(nic_counts set)
{
    for (int i = 0; i < COUNTER_COUNT; i++) {
        if ((u1)(set >> i) && strchr("CID", classes[i]) == NULL) {
            return i;
        }
    }
    return -1;
}

static uint64_t classes_of(nic_counts set)
{
    uint64_t pending = 0;

    for (int i = 0; i < COUNTER_COUNT; i++) {
        pending |= (uint64_t)((u1)(set >> i)) << class_of(i);
    }
    return pending;
}

/*
 * Counters count in one clock, others in the next: all their classes are pending; the first error is the lowest of the first
 * clock that has one, with its class, its clock (two later), and what it is about.
 */
static bool first_is(struct bench *b, nic_counts now, nic_counts then)
{
    const nic_counts set[2] = {now, then};
    uint64_t info[2] = {0}, at = 0;
    int first = -1;

    put(b, FIRST_ERROR, 1);
    put(b, IRQ_PENDING, ~(uint64_t)0);
    for (int k = 0; k < 2; k++) {
        b->in.pio = (uint(AXI_BAR_BITS))rng_next(&b->rng);
        b->in.orb = any_info(b);
        b->in.rat = any_info(b);
        b->in.netlink = any_info(b);
        b->in.count = set[k];
        if (first < 0 && lowest_error(set[k]) >= 0) {
            first = lowest_error(set[k]);
            info_of(&b->in, first, info);
            at = b->clock;
        }
        tick(b);
    }
    tick(b);
    const uint64_t error = get(b, FIRST_ERROR), wanted = 1 | (uint64_t)first << 8;
    if (get(b, IRQ_PENDING) >> 32 != classes_of(now | then)) {
        return false;
    }
    return first < 0 ? (error & 1) == 0
                     : error == (wanted | (uint64_t)class_of(first) << 16) &&
                           get(b, FIRST_TIME) == at + 2 && get(b, FIRST_INFO0) == info[0] &&
                           get(b, FIRST_INFO1) == info[1];
}

/* holds nic_regs.first, nic_regs.classes: each counter alone, and up to six in two clocks */
static void test_first(struct bench *b)
{
    bool alone = true, many = true;

    for (int i = 1; i < COUNTER_COUNT; i++) { /* the first one is the door's own */
        alone = alone && first_is(b, (nic_counts)((nic_counts)1 << i), 0);
    }
    tap_ok(alone,
           "each counter alone: its class is pending, and if it is an error it is the first");
    for (int i = 0; i < 2000; i++) {
        nic_counts set[2];

        for (int k = 0; k < 2; k++) {
            set[k] = 0;
            for (int n = rng_below(&b->rng, 4); n > 0; n--) {
                set[k] |= (nic_counts)((nic_counts)2 << rng_below(&b->rng, COUNTER_COUNT - 1));
            }
        }
        many = many && first_is(b, set[0], set[1]);
    }
    tap_ok(many, "of several in one clock, or one after the other, the first one, the lowest");
    put(b, NODE, 5);
    put(b, FIRST_ERROR, 1);
    put(b, 0x0031, 1);
    tap_ok(get(b, FIRST_ERROR) == (1 | 2 << 16) && get(b, FIRST_INFO0) == 0x0031 * 8 &&
               get(b, FIRST_INFO1) == 0,
           "a register that is refused: its address");
}

static void test_irq(struct bench *b)
{
    put(b, IRQ_MASK, 1 << 5);
    put(b, IRQ_PENDING, ~(uint64_t)0);
    b->in.raised = 1 << 4;
    tick(b);
    tick(b);
    tap_ok(!b->dut.out.irq && (get(b, IRQ_PENDING) & 0xFFFFFFFF) == 1 << 4, "a masked one waits");
    b->in.raised = 1 << 5;
    tick(b);
    tick(b);
    tap_ok(b->dut.out.irq, "one that is not reaches the wire");
    put(b, IRQ_PENDING, 1 << 5);
    tick(b);
    tap_ok(!b->dut.out.irq && (get(b, IRQ_PENDING) & 0xFFFFFFFF) == 1 << 4, "1 clears");
}

int main(int argc, char **argv)
{
    struct bench *b = calloc(1, sizeof(*b));
    uint64_t seed = test_seed(argc, argv);

    if (b == NULL) {
        return 1;
    }
    harness_clock = &b->clock;
    for (int round = 0; round < 2; round++) {
        start(b, seed + (uint64_t)round);
        b->slow = round == 0 ? 0 : 0.5;
        tap_note("%s", round == 0 ? "a driver without pauses" : "a driver with pauses");
        test_wipe(b);
        test_identity(b);
        test_single(b);
        test_refused(b);
        test_tables(b);
        test_first_words(b);
        test_read_clocks(b);
        test_meets(b);
        test_two_refused(b);
        test_limits(b);
        test_counters(b);
        test_histogram(b);
        test_first(b);
        test_irq(b);
    }
    free(b);
    tap_ok(harness_covers("hls/nic/regs/nic_regs.c") == 3 &&
               harness_covers("hls/nic/regs/nic_counters.c") == 1,
           "all covers are hit");
    return tap_done();
}
