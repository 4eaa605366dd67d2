// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_regs.c - the privileged door against a model with a register map of its own.
 *
 * Around it stand a driver, which may write and read anything in any order and takes its time for answers.
 *
 * Built for aries: fast; proto: san. Recorded for nic_regs.
 */
#include "tb/blocks/nic/regs/nic_regs_bench.h"
#include "tb/blocks/nic/regs/regs_timer.h"

#include <stdlib.h>

static struct misses missed; /* by the check that comes next */

static void test_wipe(struct door *b)
{
    unsigned response;

    must_be(&missed, door_get(b, STATUS), 2);
    tap_taken(&missed, "not ready after reset, but it can be read");
    /* holds nic_regs.epoch */
    must_be(&missed, door_get(b, EPOCH), 1 << 30);
    must_be(&missed, door_get(b, CONTROL), 0);
    must_be(&missed, door_get(b, IRQ_MASK), 0);
    tap_taken(&missed, "ORB_EPOCH is 2^30 after reset, nothing is enabled");
    b->in.s_axil.awvalid = b->in.s_axil.wvalid = 1;
    b->in.s_axil.awaddr = NODE * 8;
    b->in.s_axil.wdata = 9;
    b->in.s_axil.wstrb = 0xFF;
    door_tick(b);
    b->in.s_axil.awvalid = b->in.s_axil.wvalid = 0;
    door_tick(b);
    /* holds nic_regs.wipe, nic_regs.apart: reads are answered while a write waits for the wipe, and a second write is not taken */
    must_be(&missed, door_get(b, STATUS), 2);
    must_be(&missed, door_get(b, NODE), 0);
    must_hold(&missed, !b->dut.out.s_axil.awready);
    must_hold(&missed, !b->dut.out.s_axil.wready);
    must_hold(&missed, b->clock < 8000);
    tap_taken(&missed, "reads go on while a write waits");
    b->in.s_axil.bready = 1;
    while (!b->dut.out.s_axil.bvalid && b->clock < 10000) {
        door_tick(b);
    }
    door_tick(b);
    response = door_put(b, NODE, 5);
    must_be(&missed, response, OKAY);
    must_at_least(&missed, b->clock, 8192 + 1, "%s", "b->clock");
    tap_taken(&missed, "a write waits until memories are wiped");
    door_wait_ready(b);
    must_be(&missed, b->wiped, 8192);
    must_hold(&missed, b->dut.out.config.ready);
    tap_taken(&missed, "from the reset on each index of 8,192 is wiped once");
    must_be(&missed, door_get(b, STATUS), 3);
    tap_taken(&missed, "ready");
}

/* A byte each, the version lowest. */
static void test_identity(struct door *b)
{
    static const unsigned log2[] = {
        1,           NIC_FMA_LOG2, NIC_SSID_LOG2, NIC_TAG_LOG2, NIC_MDD_LOG2,
        NIC_CQ_LOG2, NIC_NTT_LOG2, NIC_BTE_LOG2};
    const uint64_t id = door_get(b, ID);

    for (unsigned i = 0; i < 8; i++) {
        must_equal(&missed, id >> (8 * i) & 0xFF, log2[i], "byte %u of ID", i);
    }
    tap_taken(&missed, "ID: version 1 and the sizes of this machine: %016llx",
              (unsigned long long)id);
}

static void test_single(struct door *b)
{
    const uint64_t units[7] = {8, 16, 32, 64, 128, 256, 511};
    uint64_t limits = 0;

    static const struct {
        uint16_t address;
        uint64_t mask;
    } plain[] = {{NODE, 0x3FFFF},
                 {EPOCH, 0xFFFFFFFFFF},
                 {AMO_CONFIG, 0xFFFF0003},
                 {PHYS_BASE, 0xFFFFFFFFFFFF},
                 {PHYS_SIZE, 0xFFFFFFFFFFFF},
                 {IRQ_MASK, 0xFFFFFFFFFFF},
                 {IRQ_TIMER, 0xFFFFFFFF},
                 {HIST_LIMIT, 0x7FFFFFFFFFFFFFFF},
                 {CONTROL, 3}};

    for (int i = 0; i < 7; i++) {
        limits |= units[i] << 9 * i;
    }
    must_be(&missed, door_get(b, HIST_LIMIT), limits);
    tap_taken(&missed, "limits of response times after reset");
    for (int i = 0; i < 300; i++) {
        unsigned k = rng_below(&b->rng, sizeof(plain) / sizeof(plain[0]));
        uint64_t data = rng_next(&b->rng) | (plain[k].address == EPOCH ? 4 * NIC_TAGS : 0);

        must_equal(&missed, door_put(b, plain[k].address, data), OKAY, "write of %#x: response",
                   plain[k].address);
        must_equal(&missed, door_get(b, plain[k].address), data & plain[k].mask,
                   "register %#x, %#llx written", plain[k].address, (unsigned long long)data);
    }
    tap_taken(&missed, "plain registers keep their bits and no others");
    door_put(b, CONTROL, 0);
    must_hold(&missed, b->dut.out.config.drain);
    must_hold(&missed, !b->dut.out.config.enable);
    tap_taken(&missed, "not enabled is drained");
    door_put(b, CONTROL, 1);
    must_hold(&missed, !b->dut.out.config.drain);
    must_hold(&missed, b->dut.out.config.enable);
    tap_taken(&missed, "enabled");
    b->settles = 0;
    door_put(b, CONTROL, 5);
    must_be(&missed, b->settles, 1);
    must_be(&missed, door_get(b, CONTROL), 1);
    tap_taken(&missed, "settle is a pulse");
    door_put(b, EPOCH, 4 * NIC_TAGS + 4);
    b->epochs = b->halves = 0;
    for (int i = 0; i < 10 * (4 * NIC_TAGS + 4); i++) {
        door_tick(b);
    }
    must_be(&missed, b->epochs, 10);
    must_be(&missed, b->halves, 10);
    tap_taken(&missed, "ten epochs end in their time, a half in each");
    must_be(&missed, door_put(b, EPOCH, 4 * NIC_TAGS - 1), SLVERR);
    must_be(&missed, door_put(b, EPOCH, 64), SLVERR);
    must_be(&missed, door_get(b, EPOCH), 4 * NIC_TAGS + 4);
    must_be(&missed, door_put(b, EPOCH, 4 * NIC_TAGS), OKAY);
    must_be(&missed, door_get(b, EPOCH), 4 * NIC_TAGS);
    tap_taken(&missed, "an epoch below four times the tags is refused, one of that is not");
}

/* Half of RMT_TIMEOUT ends when it does, or, if it is 0, when a quarter of an epoch does. */
static void test_rmt_timeout(struct door *b)
{
    enum { CLOCKS = 4 * NIC_TAGS };

    must_be(&missed, door_put(b, EPOCH, CLOCKS), OKAY);
    must_be(&missed, door_put(b, RMT_TIMEOUT, 0), OKAY);
    door_wait_ready(b);
    b->rmt_halves = 0;
    for (int i = 0; i < 10 * CLOCKS; i++) {
        door_tick(b);
    }
    must_at_least(&missed, b->rmt_halves, 40, "quarters of epochs");
    must_at_most(&missed, b->rmt_halves, 41, "quarters of epochs");
    must_be(&missed, door_put(b, RMT_TIMEOUT, CLOCKS / 2 + 1), SLVERR);
    must_be(&missed, door_get(b, RMT_TIMEOUT), 0);
    must_be(&missed, door_put(b, RMT_TIMEOUT, 100), OKAY);
    for (int i = 0; i < CLOCKS; i++) {
        door_tick(b); /* what was counted before is over */
    }
    b->rmt_halves = 0;
    for (int i = 0; i < 50 * 100; i++) {
        door_tick(b);
    }
    must_at_least(&missed, b->rmt_halves, 99, "halves of RMT_TIMEOUT");
    must_at_most(&missed, b->rmt_halves, 101, "halves of RMT_TIMEOUT");
    must_be(&missed, door_put(b, RMT_TIMEOUT, CLOCKS / 2), OKAY);
    must_be(&missed, door_put(b, EPOCH, 2 * CLOCKS), OKAY);
    must_be(&missed, door_put(b, RMT_TIMEOUT, CLOCKS), OKAY);
    must_be(&missed, door_put(b, EPOCH, CLOCKS), SLVERR);
    must_be(&missed, door_get(b, EPOCH), 2 * CLOCKS);
    must_be(&missed, door_put(b, RMT_TIMEOUT, 0), OKAY);
    /* holds nic_regs.rmt */
    tap_taken(&missed, "RMT_TIMEOUT is at most half of an epoch, and its halves end in their time");
}

/* A register that a block has is read there; others of it do not exist. */
static void test_owned(struct door *b)
{
    for (unsigned i = 0; i < 100; i++) {
        b->owned = rng_next(&b->rng);
        must_be(&missed, door_get(b, OWNED), b->owned);
    }
    /* holds nic_regs.owned */
    tap_taken(&missed, "registers that a block has are read there");
}

/* holds nic_regs.rules: each is answered SLVERR, counted, and no block hears of it */
static void test_refused(struct door *b)
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
                                    CE + (NIC_CE ? 34 : 0), /* STATUS of an engine */
                                    CE + (NIC_CE ? 35 : 1),
                                    CE + 256,
                                    FMA + (4 << NIC_FMA_LOG2)};
    uint64_t data;
    uint64_t before = door_get(b, COUNTERS), sent = b->writes;
    unsigned n = sizeof(none) / sizeof(none[0]);

    for (unsigned i = 0; i < n; i++) {
        must_equal(&missed, door_put(b, none[i], 1), SLVERR, "write of %#x: response", none[i]);
        must_equal(&missed, door_get_byte(b, none[i] * 8u, &data), SLVERR, "read of %#x: response",
                   none[i]);
        must_equal(&missed, data, 0, "read of %#x", none[i]);
    }
    must_be(&missed, b->writes, sent);
    tap_taken(&missed, "what does not exist is refused, and no block hears of it");
    /* holds nic_regs.strobes */
    must_be(&missed, door_put_strobed(b, NODE * 8, 1, 0x0F), SLVERR);
    must_be(&missed, door_put_strobed(b, NODE * 8 + 4, 1, 0xFF), SLVERR);
    tap_taken(&missed, "half a register is refused");
    data = 1;
    must_be(&missed, door_get_byte(b, NODE * 8 + 4, &data), SLVERR);
    must_be(&missed, data, 0);
    must_be(&missed, door_get_byte(b, NODE * 8 + 1, &data), SLVERR);
    must_be(&missed, door_get_byte(b, NODE * 8, &data), OKAY);
    tap_taken(&missed, "nor is one read from its middle on");
    must_be(&missed, door_put(b, STATUS, 1), SLVERR);
    must_be(&missed, door_put(b, COUNTERS, 1), SLVERR);
    tap_taken(&missed, "what is read-only is refused");
    must_be(&missed, door_get_byte(b, MDD * 8, &data), SLVERR);
    tap_taken(&missed, "tables cannot be read");
    must_be(&missed, door_get(b, COUNTERS), before + 2 * n + 7);
    tap_taken(&missed, "each of them is counted");
}

static bool passed_on(const struct door *b, unsigned writes, uint16_t addr, uint64_t low,
                      uint64_t high)
{
    return b->writes == writes && b->last.addr == addr && b->last.data == high &&
           b->last.low == low;
}

/* holds nic_regs.sizes: one below, at and above each bound */
static void test_tables(struct door *b)
{
    unsigned n = b->writes;
    const uint64_t low = (uint64_t)1 << 58 | 0x123456789, high = 77;

    must_be(&missed, door_put(b, MDD + 6, low), OKAY);
    must_be(&missed, b->writes, n);
    tap_taken(&missed, "word 0 waits for word 1");
    must_be(&missed, door_put(b, MDD + 7, high), OKAY);
    must_hold(&missed, passed_on(b, n + 1, MDD + 7, low, high));
    tap_taken(&missed, "word 1 takes both");
    must_be(&missed, door_put(b, MDD + 9, high), SLVERR);
    must_be(&missed, b->writes, n + 1);
    tap_taken(&missed, "word 1 of another entry is refused");
    must_be(&missed, door_put(b, MDD + 6, 5), OKAY);
    must_hold(&missed, passed_on(b, n + 2, MDD + 7, 5, 0));
    tap_taken(&missed, "an entry goes at once");
    door_put(b, MDD + 8, (uint64_t)1 << 58 | 0xFFFFFFFFFFFF);
    must_be(&missed, door_put(b, MDD + 9, 2), SLVERR);
    must_be(&missed, door_put(b, MDD + 9, 0), SLVERR);
    tap_taken(&missed, "a segment that ends behind 2^48 is refused");
    must_be(&missed, door_put(b, MDD + 9, 1), OKAY);
    tap_taken(&missed, "one that ends there is not");
    door_put(b, CQ + 4, 0x1000);
    must_be(&missed, door_put(b, CQ + 5, 1 | 5 << 1), SLVERR);
    must_be(&missed, door_put(b, CQ + 5, 1 | 21 << 1), SLVERR);
    must_be(&missed, door_put(b, CQ + 5, 1 | 6 << 1), OKAY);
    must_be(&missed, door_put(b, CQ + 5, 1 | 20 << 1), OKAY);
    must_be(&missed, door_put(b, CQ + 5, 0), OKAY);
    tap_taken(&missed, "rings of 2^6 to 2^20 events");
    door_put(b, CQ + 4, 0x1008);
    must_be(&missed, door_put(b, CQ + 5, 1 | 6 << 1), SLVERR);
    tap_taken(&missed, "a ring that is not aligned is refused");
    n = b->writes;
    must_be(&missed, door_put(b, FMA + 5, 77), OKAY);
    must_hold(&missed, passed_on(b, n + 1, FMA + 5, b->last.low, 77));
    tap_taken(&missed, "the limit of a descriptor's requests: alone, at once");
    n = b->writes;
    must_be(&missed, door_put(b, NTT + 3, 9), OKAY);
    must_hold(&missed, passed_on(b, n + 1, NTT + 3, b->last.low, 9));
    tap_taken(&missed, "entries of one word");
}

/*
 * holds nic_regs.word1: word 1 takes word 0 of its own entry alone, as it was written last, however many other registers are written or read in
 * between; word 0 of a neighbour, of another table, or one that was refused is none.
 */
static void test_first_words(struct door *b)
{
    static const uint16_t tables[2] = {MDD, CQ};
    struct misses wrong = {0};

    door_put(b, MDD + 200, (uint64_t)1 << 58);
    for (int i = 0; i < 3000; i++) {
        const unsigned k = rng_below(&b->rng, 2), step = k ? 4 : 2;
        const uint16_t entry = (uint16_t)(tables[k] + step * (8 + rng_below(&b->rng, 4)));
        const uint16_t near = (uint16_t)(entry + 2 * rng_below(&b->rng, 10) - 10);
        const uint64_t low = k ? (uint64_t)rng_below(&b->rng, 1000) << 6
                               : (uint64_t)1 << 58 | rng_below(&b->rng, 1000);
        const bool whole = rng_below(&b->rng, 4) != 0;
        const unsigned first = door_put_strobed(b, entry * 8u, low, whole ? 0xFF : 0x7F);
        uint64_t data;

        if (rng_below(&b->rng, 2)) {
            door_put(b, NODE, rng_next(&b->rng));
            door_get_byte(b, entry * 8u, &data); /* refused */
        }
        if (near != entry && rng_below(&b->rng, 2)) {
            const bool table = (near & 3) == 0 || !k;

            if (table)
                must(&wrong, door_put(b, (uint16_t)(near + 1), 77) == SLVERR,
                     "word 1 of %#x behind word 0 of %#x: expected SLVERR", near, entry);
        }
        const unsigned n = b->writes;
        const bool right = door_put(b, (uint16_t)(entry + 1), 77) == (whole ? OKAY : SLVERR);

        must_equal(&wrong, first, whole ? OKAY : SLVERR, "word 0 of %#x: response", entry);
        must(&wrong, right, "word 1 of %#x: response, expected %s", entry,
             whole ? "OKAY" : "SLVERR");
        must_equal(&wrong, b->writes, n + whole, "word 1 of %#x: writes passed on", entry);
        must(&wrong, !whole || passed_on(b, n + 1, (uint16_t)(entry + 1), low, 77),
             "entry %#x: words passed on, expected %#llx and 77", entry, (unsigned long long)low);
        door_put(b, MDD + 200, (uint64_t)1 << 58); /* so the next one's is not here yet */
    }
    tap_misses(&wrong, "word 1 with its own word 0 and no other, 3,000 times");
}

/* Clocks between that in which an address is taken and that in which the answer stands. */
static unsigned read_clocks(struct door *b, uint16_t address)
{
    unsigned clocks = 0;

    b->in.s_axil.arvalid = 1;
    b->in.s_axil.araddr = (uint(AXI_LITE_BITS))(address * 8u);
    b->in.s_axil.rready = 0;
    while (!b->dut.out.s_axil.arready) {
        door_tick(b);
    }
    door_tick(b);
    b->in.s_axil.arvalid = 0;
    for (; !b->dut.out.s_axil.rvalid && clocks < 1000; clocks++) {
        door_tick(b);
    }
    b->in.s_axil.rready = 1;
    door_tick(b);
    return clocks;
}

/* holds nic_regs.turn: a read takes 2 clocks, of a counter 128 more at most, and that many sometimes. */
static void test_read_clocks(struct door *b)
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
    must_be(&missed, plain, 2);
    must_be(&missed, most, 2 + 127);
    tap_taken(&missed, "a read takes %u clocks, of a counter up to %u", plain, most);
}

/*
 * A write of this register begins so many clocks after `happens`, or before it where `after` is less than 20: so it is done in each clock
 * around it.
 */
static void write_around(struct door *b, uint16_t address, uint64_t data, unsigned after,
                         void (*happens)(struct door *))
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
        door_tick(b);
        b->in.s_axil.awvalid = b->in.s_axil.wvalid = 0;
    }
}

static void raise_irq(struct door *b)
{
    b->in.raised = 1 << 7;
}

static void raise_error(struct door *b)
{
    b->in.count = (nic_counts)((nic_counts)1 << 47); /* TRANSACTION */
}

/*
 * holds nic_regs.meets: what happens in the clock in which it is cleared stays: of all clocks of the write around it, those before clear it, those
 * from one on do not, and none is without either.
 */
static void test_meets(struct door *b)
{
    unsigned irq = 0, error = 0, changes = 0;

    for (unsigned after = 10; after < 26; after++) {
        const unsigned before = irq + error;

        door_put(b, IRQ_PENDING, ~(uint64_t)0);
        write_around(b, IRQ_PENDING, 1 << 7, after, raise_irq);
        irq = (door_get(b, IRQ_PENDING) >> 7 & 1) != 0;
        door_put(b, FIRST_ERROR, 1);
        write_around(b, FIRST_ERROR, 1, after, raise_error);
        error = (unsigned)door_get(b, FIRST_ERROR) & 1;
        changes += after > 10 && irq + error != before;
        /* the write is done 3 clocks after it was taken; an error is noted a clock after it came */
        changes += irq != (after + 3 <= 20) || error != (after + 3 <= 21) ? 100 : 0;
    }
    must_be(&missed, changes, 2);
    tap_taken(&missed, "an interrupt and an error in each clock around the write that clears them");
}

/* holds nic_regs.both: a write and a read that are refused in one clock are two, in whatever clocks they begin. */
static void test_two_refused(struct door *b)
{

    for (unsigned shift = 0; shift < 16; shift++) {
        const uint64_t before = door_get(b, COUNTERS);

        b->in.s_axil.bready = b->in.s_axil.rready = 1;
        for (unsigned i = 0; i < 30; i++) {
            b->in.s_axil.awvalid = b->in.s_axil.wvalid = i == 8;
            b->in.s_axil.awaddr = b->in.s_axil.araddr = 0x0031 * 8;
            b->in.s_axil.wstrb = 0xFF;
            b->in.s_axil.arvalid = i == shift;
            door_tick(b);
        }
        must_equal(&missed, door_get(b, COUNTERS), before + 2, "refused, counted");
    }
    tap_taken(&missed, "a read and a write refused at the same time are two");
}

/* A configuration of a channel of block transfers, and the limit that it means. */
static uint64_t draw_channel(struct door *b, uint64_t *limit)
{
    enum { SLOTS = 1 << NIC_BTE_SLOTS_LOG2 };
    const uint64_t enable = rng_below(&b->rng, 2), most = rng_below(&b->rng, 32);

    *limit = enable == 0 ? 0 : most == 0 || most > SLOTS ? SLOTS : most;
    return enable | most << 8;
}

/* The same of a collective engine, which may have too many children, or packets of a mode by source: *right says so. */
static uint64_t draw_engine(struct door *b, uint64_t *limit, bool *right)
{
    const uint64_t enable = rng_below(&b->rng, 2), children = 30 + rng_below(&b->rng, 5),
                   mode = rng_below(&b->rng, 8);

    *limit = 2 * enable;
    *right = enable == 0 || (children <= 32 && mode != 7);
    return enable << 63 | children << 15 | mode << 10;
}

/* holds nic_regs.limits: the limits of all descriptors, channels and engines together; test_single has the epoch. */
static void test_limits(struct door *b)
{
    enum { CHANNELS = 1 << NIC_BTE_LOG2, ENGINES = NIC_CE ? 4 : 0, FIRST = NIC_FMAS + CHANNELS };
    uint64_t limit[FIRST + ENGINES] = {0}, sum = 0;

    for (int i = 0; i < 2000; i++) {
        const unsigned drawn = rng_below(&b->rng, NIC_FMAS + 4 * (CHANNELS + ENGINES));
        const unsigned d = drawn < NIC_FMAS ? drawn : NIC_FMAS + (drawn - NIC_FMAS) / 4;
        const bool engine = d >= FIRST, channel = d >= NIC_FMAS && !engine;
        uint64_t l = rng_below(&b->rng, 2 * NIC_SSIDS / 3) & 0x1FF;
        bool right = true;
        const uint64_t data = engine    ? draw_engine(b, &l, &right)
                              : channel ? draw_channel(b, &l)
                                        : l << 42;
        const uint64_t next = sum - limit[d] + l;
        const bool fits = right && next <= NIC_SSIDS;
        const unsigned address = engine    ? CE + 64 * (d - FIRST)
                                 : channel ? BTE + 16 * (d - NIC_FMAS) + 1
                                           : FMA + 4 * d;

        must_equal(&missed, door_put(b, (uint16_t)address, data), fits ? OKAY : SLVERR,
                   "descriptor, channel or engine %u, limit %llu, all %llu: response", d,
                   (unsigned long long)l, (unsigned long long)next);
        sum = fits ? next : sum;
        limit[d] = fits ? l : limit[d];
    }
    must_be(&missed, door_put(b, BTE, 0x12345), SLVERR);
    must_be(&missed, door_put(b, BTE, 0x12340), OKAY);
    must_be(&missed, door_put(b, BTE + 1, 11 << 4), SLVERR);
    must_be(&missed, door_put(b, BTE + 3, 0), SLVERR);
    must_be(&missed, door_put(b, BTE + 16 * CHANNELS, 0), SLVERR);
    for (unsigned i = 1; i < 36; i++) { /* parent, children; STATUS, nothing */
        must_equal(&missed, door_put(b, (uint16_t)(CE + 192 + i), i),
                   i < 34 && ENGINES != 0 ? OKAY : SLVERR, "register %u of engine 3: response", i);
    }
    tap_taken(&missed, "limits may not be more than there are transactions, in 2,000 writes");
}

int main(int argc, char **argv)
{
    struct door *b = calloc(1, sizeof(*b));
    uint64_t seed = test_seed(argc, argv);

    if (b == NULL) {
        return 1;
    }
    harness_clock = &b->clock;
    for (int round = 0; round < 2; round++) {
        door_start(b, seed + (uint64_t)round);
        b->slow = round == 0 ? 0 : 0.5;
        tap_note("%s", round == 0 ? "a driver without pauses" : "a driver with pauses");
        test_wipe(b);
        test_identity(b);
        test_single(b);
        test_rmt_timeout(b);
        test_owned(b);
        test_refused(b);
        test_tables(b);
        test_first_words(b);
        test_read_clocks(b);
        test_meets(b);
        test_timer(b);
        test_timer_interrupts(b);
        test_two_refused(b);
        test_limits(b);
    }
    free(b);
    must_be(&missed, harness_covers("hls/nic/regs/nic_regs.c"), 3);
    tap_taken(&missed, "all covers are hit");
    return tap_done();
}
