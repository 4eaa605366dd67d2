// SPDX-License-Identifier: Apache-2.0
/*
 * nic_steps.c - one process on node 0, the NIC under test, that does one thing after the other: what must come of each, and
 * how many clocks it takes.
 */
#include "tb/conform/nic/nic_runs.h"
#include "tb/golden/nic/nic.h"
#include "tb/system/nic/nic_program.h"

#include <inttypes.h>
#include <string.h>

enum {
    DOMAIN = 3,
    FMA = 2,
    OFF = 5, /* a descriptor that is disabled */
    QUEUE = 1,
    HANDLE = 5,   /* all of these on both nodes */
    VARIABLE = 7, /* for atomic operations */
    RING_AT = 0x10000,
    RING_LOG2 = 6,
    SEGMENT_AT = 0x20000,
    VARIABLE_AT = 0x40000,
    BYTES = 0x10000,
    IRQ = 3,
    PATIENCE = 5000, /* clocks until something comes, or does not */
    LATENCY = 20,
};

struct steps {
    struct nic_bench *b;
    uint64_t tag, read; /* events of node 0 */
};

static void start(struct steps *s, uint64_t seed)
{
    struct nic_bench *b = runs_bench(2, seed, NULL, 1);
    struct gn_segment segment = {.valid = true,
                                 .read = true,
                                 .write = true,
                                 .base = SEGMENT_AT,
                                 .length = BYTES,
                                 .ptag = DOMAIN,
                                 .queue = QUEUE,
                                 .event = true};

    *s = (struct steps){.b = b};
    for (unsigned n = 0; n < 2; n++) {
        nic_bench_segment(b, n, HANDLE, &segment);
        nic_bench_segment(b, n, VARIABLE,
                          &(struct gn_segment){.valid = true,
                                               .atomic = true,
                                               .base = VARIABLE_AT,
                                               .length = BYTES,
                                               .ptag = DOMAIN});
        nic_bench_queue(
            b, n, QUEUE,
            &(struct gn_ring){.enabled = true, .base = RING_AT, .log2 = RING_LOG2, .ptag = DOMAIN});
        host_set(b->node[n].host, &(struct host_knobs){.latency = LATENCY});
    }
    nic_bench_descriptor(b, 0, FMA, DOMAIN, 4);
}

static uint8_t *memory(const struct steps *s, unsigned node, uint64_t address)
{
    return host_memory(s->b->node[node].host) + address;
}

/* A burst, until it is answered; false: SLVERR. */
static bool store(struct steps *s, struct driver_burst burst)
{
    struct nic_driver *d = &s->b->node[0].driver;
    const uint64_t refused = d->refused;

    if (!s->b->over) {
        driver_burst(d, &burst);
        nic_bench_settle_driver(s->b, 0);
    }
    return d->refused == refused;
}

/* The next event of node 0, or 0. */
static uint64_t next_event(struct steps *s)
{
    uint8_t *place = memory(s, 0, RING_AT + 8 * (s->read % (1 << RING_LOG2)));
    uint64_t word = 0;

    for (unsigned i = 0; word == 0 && !s->b->over && i < PATIENCE; i++) {
        nic_bench_clock(s->b);
        memcpy(&word, place, 8);
    }
    if (word != 0) {
        memset(place, 0, 8);
        s->read++;
        store(s, store_queue(QUEUE, s->read));
    }
    return word;
}

static void begin(struct steps *s, unsigned mdh, uint64_t offset, unsigned command)
{
    store(s, store_word(FMA, WORD_MODES,
                        mdh | (uint64_t)HANDLE << 12 | (uint64_t)QUEUE << 30 |
                            (uint64_t)command << 40));
    store(s, store_word(FMA, WORD_BASE, (uint64_t)s->b->node[1].address << 40 | offset));
    store(s, store_word(FMA, WORD_OPEN, 0));
}

/* CLOSE; its event must have this status. */
static void end(struct steps *s, enum nic_check check, unsigned status, const char *what)
{
    uint64_t word;

    store(s, store_word(FMA, WORD_CLOSE, ++s->tag | (uint64_t)2 << 56));
    word = next_event(s);
    if (s->b->over || conform_failed()) {
        return;
    }
    if (word == 0) {
        runs_fail(check, s->b, "%s: the event of the transaction does not come", what);
    } else if ((word & 0xFFFFFFFFFFFFFF) != s->tag || (word >> 59 & 15) != status) {
        runs_fail(check, s->b,
                  "%s: the event is %016" PRIx64 ", wanted are data %" PRIx64 " and status %u",
                  what, word, s->tag, status);
    }
}

static void fill(uint8_t *bytes, unsigned count, unsigned from)
{
    for (unsigned i = 0; i < count; i++) {
        bytes[i] = (uint8_t)(from + 7 * i);
    }
}

static void expect_bytes(struct steps *s, unsigned node, uint64_t address, const uint8_t *due,
                         unsigned bytes, const char *what)
{
    if (!s->b->over && !conform_failed() && memcmp(memory(s, node, address), due, bytes) != 0) {
        runs_fail(CHECK_DELIVERY, s->b, "%s: not all of its %u bytes are there", what, bytes);
    }
}

/* ---- one of each --------------------------------------------------------------------------------- */

static void one_put(struct steps *s, uint64_t offset, unsigned bytes)
{
    uint8_t data[64];

    fill(data, bytes, (unsigned)offset);
    begin(s, HANDLE, offset, 0);
    store(s, store_put(FMA, 0, data, bytes));
    end(s, CHECK_DELIVERY, GN_OK, "a put");
    expect_bytes(s, 1, SEGMENT_AT + offset, data, bytes, "a put");
}

static void one_get(struct steps *s, uint64_t offset, unsigned bytes)
{
    fill(memory(s, 1, SEGMENT_AT + offset), bytes, 99);
    begin(s, HANDLE, offset, 0);
    store(s, store_get(FMA, 0, offset + 256, bytes, false));
    end(s, CHECK_DELIVERY, GN_OK, "a get");
    expect_bytes(s, 0, SEGMENT_AT + offset + 256, memory(s, 1, SEGMENT_AT + offset), bytes,
                 "a get");
}

static void one_sum(struct steps *s)
{
    static const uint64_t before = 0x1234567887654321, more = 0x1111111111111111,
                          after = before + more;
    enum { IADD_64 = 0x55, AT = 64 };

    memcpy(memory(s, 1, VARIABLE_AT), &before, 8);
    begin(s, VARIABLE, 0, 0);
    store(s, store_word(FMA, WORD_OPERANDS, more));
    store(s, store_fetch(FMA, 0, AT, IADD_64, false));
    end(s, CHECK_DELIVERY, GN_OK, "a sum");
    expect_bytes(s, 1, VARIABLE_AT, (const uint8_t *)&after, 8, "a sum");
    expect_bytes(s, 0, SEGMENT_AT + AT, (const uint8_t *)&before, 8, "the value before a sum");
}

void run_idle(uint64_t seed, unsigned variant)
{
    struct steps s;
    uint64_t begun;

    (void)variant;
    start(&s, seed);
    one_put(&s, 0x100, 8);
    one_put(&s, 0x203, 64);
    one_get(&s, 0x400, 4);
    one_get(&s, 0x800, 64);
    one_sum(&s);
    begun = s.b->clock;
    one_put(&s, 0x1000, 8);
    conform_figure("clocks_of_a_put", (double)(s.b->clock - begun));
    begun = s.b->clock;
    one_get(&s, 0x2000, 8);
    conform_figure("clocks_of_a_get", (double)(s.b->clock - begun));
    runs_end(s.b);
}

/* Clocks for so many puts of 64 bytes in one transaction, all of which come. */
static uint64_t many_puts(struct steps *s, unsigned puts)
{
    const uint64_t begun = s->b->clock;
    uint8_t data[64];

    fill(data, 64, puts);
    begin(s, HANDLE, 0, 0);
    for (unsigned i = 0; i < puts && !s->b->over; i++) {
        const struct driver_burst put = store_put(FMA, 64 * i, data, 64);

        driver_burst(&s->b->node[0].driver, &put);
    }
    nic_bench_settle_driver(s->b, 0);
    end(s, CHECK_DELIVERY, GN_OK, "many puts");
    for (unsigned i = 0; i < puts; i++) {
        expect_bytes(s, 1, SEGMENT_AT + 64 * i, data, 64, "one of many puts");
    }
    return s->b->clock - begun;
}

void run_rate(uint64_t seed, unsigned variant)
{
    enum { PUTS = 300, SLOW = 100 };
    struct steps s;

    (void)variant;
    start(&s, seed);
    conform_figure("clocks_per_put_of_64_bytes", (double)many_puts(&s, PUTS) / PUTS);
    wire_of(s.b)->knobs.hold = 0.8; /* places come back slowly */
    many_puts(&s, SLOW);
    wire_of(s.b)->knobs.hold = 0;
    runs_end(s.b);
}

/* ---- registers ----------------------------------------------------------------------------------- */

static void expect_register(struct steps *s, unsigned address, uint64_t due, const char *what)
{
    const uint64_t got = nic_bench_read(s->b, 0, (uint16_t)address);

    if (!s->b->over && got != due) {
        runs_fail(CHECK_REGISTERS, s->b, "%s (%04x) reads %" PRIx64 ", it should be %" PRIx64, what,
                  address, got, due);
    }
}

/* Written, and read again. */
static void expect_kept(struct steps *s, unsigned address, uint64_t value, const char *what)
{
    nic_bench_write(s->b, 0, (uint16_t)address, value);
    expect_register(s, address, value, what);
}

void run_registers(uint64_t seed, unsigned variant)
{
    struct steps s;
    uint64_t refused;

    (void)variant;
    start(&s, seed);
    expect_register(&s, NR_ORB_EPOCH, NR_ORB_EPOCH_CLOCKS_RESET, "ORB_EPOCH after reset");
    expect_register(&s, NR_NODE, s.b->node[0].address, "NODE");
    expect_register(&s, NR_CONTROL, 1, "CONTROL");
    expect_kept(&s, NR_ORB_EPOCH, 0x12345678, "ORB_EPOCH");
    expect_kept(&s, NR_PHYS_BASE, 0x123456000, "PHYS_BASE");
    expect_kept(&s, NR_PHYS_BASE, 0, "PHYS_BASE");
    expect_kept(&s, NR_IRQ_MASK, 0xAAAAAAAA, "IRQ_MASK");
    expect_kept(&s, NR_IRQ_MASK, 0, "IRQ_MASK");
    one_put(&s, 0x100, 8);
    one_get(&s, 0x200, 8);
    expect_register(&s, NR_ORB_REQUESTS, 2, "the counter of requests");
    expect_register(&s, NR_ORB_RESPONSES, 2, "the counter of responses");
    expect_register(&s, NR_SSID_OPENED, 2, "the counter of transactions");
    expect_register(&s, NR_CQ_EVENTS, 2, "the counter of events");
    refused = s.b->node[0].driver.lite_refused;
    expect_register(&s, NR_REGISTER_REFUSED, 0, "the counter of refused accesses");
    nic_bench_write(s.b, 0, 0x0010, 1); /* there is none */
    if (!s.b->over && s.b->node[0].driver.lite_refused != refused + 1) {
        runs_fail(CHECK_REGISTERS, s.b, "a write of no register is not answered SLVERR");
    }
    expect_register(&s, NR_REGISTER_REFUSED, 1, "the counter of refused accesses");
    runs_end(s.b);
}

/* ---- pages --------------------------------------------------------------------------------------- */

static void expect_refused(struct steps *s, struct driver_burst burst, const char *what)
{
    if (store(s, burst) && !s->b->over) {
        runs_fail(CHECK_PAGES, s->b, "%s is not answered SLVERR", what);
    }
}

static void expect_status(struct steps *s, uint64_t due, const char *what)
{
    const uint64_t status = runs_status(s->b, 0, FMA);

    if (!s->b->over && status != due) {
        runs_fail(CHECK_PAGES, s->b, "%s: STATUS is %" PRIx64 ", it should be %" PRIx64, what,
                  status, due);
    }
    store(s, store_word(FMA, WORD_STATUS, 0));
}

void run_pages(uint64_t seed, unsigned variant)
{
    enum { NOT_OPEN = 1 << 1, BAD_ALIGNMENT = 1 << 3, REASONS_AT = 10, DROPPED_AT = 16 };
    static const enum driver_kind kinds[] = {DRIVER_FIXED, DRIVER_WRAP};
    struct steps s;
    uint8_t data[64];

    (void)variant;
    start(&s, seed);
    fill(data, 64, 5);
    for (unsigned i = 0; i < 2; i++) {
        struct driver_burst burst = store_put(FMA, 0, data, 64);

        burst.kind = kinds[i];
        expect_refused(&s, burst, i == 0 ? "a FIXED burst" : "a WRAP burst");
    }
    expect_register(&s, NR_PIO_BAD_BURST, 2, "the counter of bad bursts");
    expect_refused(&s, store_put(OFF, 0, data, 8), "a store to a disabled descriptor");
    expect_status(&s, 0, "before anything else");
    store(&s, store_put(FMA, 0, data, 8));
    expect_status(&s, (uint64_t)NOT_OPEN << REASONS_AT | (uint64_t)1 << DROPPED_AT,
                  "a put outside of a transaction");
    expect_status(&s, 0, "STATUS was written");
    begin(&s, HANDLE, 2, 0);
    store(&s, store_get(FMA, 0, 2, 8, false));
    end(&s, CHECK_PAGES, GN_OK, "a transaction whose get was dropped");
    expect_status(&s, (uint64_t)BAD_ALIGNMENT << REASONS_AT | (uint64_t)1 << DROPPED_AT,
                  "a get that is not aligned");
    one_put(&s, 0x100, 16);
    runs_end(s.b);
}

/* ---- interrupts ---------------------------------------------------------------------------------- */

static void expect_irq(struct steps *s, bool due, const char *what)
{
    enum { SOON = 50 };

    for (unsigned i = 0; i < SOON && !s->b->over; i++) {
        nic_bench_clock(s->b);
    }
    if (!s->b->over && wire_of(s->b)->node[0].out.irq[0] != due) {
        runs_fail(CHECK_INTERRUPTS, s->b, "irq is %d %s", !due, what);
    }
}

void run_interrupts(uint64_t seed, unsigned variant)
{
    struct steps s;

    (void)variant;
    start(&s, seed);
    nic_bench_write(s.b, 0, NR_CQ + NR_CQ_STEP * QUEUE, RING_AT);
    nic_bench_write(s.b, 0, NR_CQ + NR_CQ_STEP * QUEUE + 1,
                    (uint64_t)1 << NR_CQ1_ENABLE_AT | (uint64_t)RING_LOG2 << NR_CQ1_LOG2_AT |
                        (uint64_t)DOMAIN << NR_CQ1_PTAG_AT | (uint64_t)IRQ << NR_CQ1_IRQ_AT |
                        (uint64_t)2 << NR_CQ1_THRESHOLD_AT);
    nic_bench_write(s.b, 0, NR_IRQ_MASK, 1 << IRQ);
    expect_irq(&s, false, "before any event");
    one_put(&s, 0x100, 8);
    expect_irq(&s, false, "with one event, which was read, of two");
    for (unsigned i = 0; i < 2; i++) {
        begin(&s, HANDLE, 0x200, 0);
        store(&s, store_word(FMA, WORD_CLOSE, ++s.tag | (uint64_t)2 << 56));
    }
    expect_irq(&s, true, "with two events that wait");
    if ((nic_bench_read(s.b, 0, NR_IRQ_PENDING) & 0xFFFFFFFF) != 1 << IRQ && !s.b->over) {
        runs_fail(CHECK_INTERRUPTS, s.b, "IRQ_PENDING.queues is not %x", 1 << IRQ);
    }
    nic_bench_write(s.b, 0, NR_IRQ_MASK, 0);
    expect_irq(&s, false, "behind a mask");
    nic_bench_write(s.b, 0, NR_IRQ_MASK, 1 << IRQ);
    expect_irq(&s, true, "without it");
    (void)next_event(&s);
    (void)next_event(&s);
    nic_bench_write(s.b, 0, NR_IRQ_PENDING, 1 << IRQ);
    expect_irq(&s, false, "with all events read, and cleared");
    runs_end(s.b);
}

/* ---- errors of memory ---------------------------------------------------------------------------- */

void run_faults(uint64_t seed, unsigned variant)
{
    enum { AT = 0x4000 };
    struct steps s;
    uint8_t data[64];

    (void)variant;
    start(&s, seed);
    fill(data, 64, 9);
    /* The local side of a get is this NIC's memory, all of a transaction to itself too. */
    host_add_fault(s.b->node[0].host, &(struct host_fault){.from = SEGMENT_AT + AT,
                                                           .to = SEGMENT_AT + AT + 0x1000,
                                                           .bus_error = true});
    begin(&s, HANDLE, AT, 0);
    store(&s, store_word(FMA, WORD_BASE, (uint64_t)s.b->node[0].address << 40 | AT));
    store(&s, store_put(FMA, 0, data, 40));
    end(&s, CHECK_FAULTS, GN_BUS, "a put to memory that answers SLVERR");
    expect_register(&s, NR_WRITE_ERROR, 1, "the counter of write errors");
    begin(&s, HANDLE, AT, 0);
    store(&s, store_word(FMA, WORD_BASE, (uint64_t)s.b->node[0].address << 40 | AT));
    store(&s, store_get(FMA, 0, 0x100, 40, false));
    end(&s, CHECK_FAULTS, GN_BUS, "a get from memory that answers SLVERR");
    if (nic_bench_read(s.b, 0, NR_READ_ERROR) == 0 && !s.b->over) { /* a beat each */
        runs_fail(CHECK_REGISTERS, s.b, "READ_ERROR has counted none");
    }
    begin(&s, HANDLE, 0x100, 0);
    store(&s, store_get(FMA, 0, AT, 40, false));
    end(&s, CHECK_FAULTS, GN_BUS, "a get whose data go to memory that answers SLVERR");
    expect_register(&s, NR_WRITE_ERROR, 2, "the counter of write errors");
    host_clear_faults(s.b->node[0].host);
    one_put(&s, AT, 40);
    runs_end(s.b);
}
