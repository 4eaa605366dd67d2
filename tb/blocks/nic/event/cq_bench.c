// SPDX-License-Identifier: Apache-2.0
/*
 * cq_bench.c - see cq_bench.h.
 */
#include "tb/blocks/nic/event/cq_bench.h"

#include <string.h>

#include "tb/models/nic_beats.h"

/* What out.memory must show: now and in the next two clocks. */
struct write {
    bool head, data;
    uint64_t address, word;
    unsigned mmu, tc;
};

struct cq_bench cb;

static uint64_t serial;
static struct write coming[3];
static struct page_access page;
static bool asked; /* page is in cq */
static struct nic_write set, setting;
static uint32_t pending;
static unsigned rooms; /* room_memory of the clocks before */
static bool replied, refused;
static uint64_t reply;
static unsigned want_count;

static bool often(unsigned rate)
{
    return rng_below(&cb.r, 16) < rate;
}

/* ---- what comes in ----------------------------------------------------------------------------- */

static struct nic_event any_event(void)
{
    struct nic_event e = {.valid = 1, .queue = (u10)rng_below(&cb.r, cb.how.queues)};

    e.ptag = (nic_ptag)cb.queue[e.queue % QUEUES].ptag;
    if (rng_below(&cb.r, 256) < cb.how.foreign)
        e.ptag ^= 1;
    if (rng_below(&cb.r, 256) < cb.how.foreign)
        e.queue = (u10)rng_next(&cb.r);
    e.word = (u64)(serial++ << 8 | (rng_next(&cb.r) & 0x7F00000000000000));
    return e;
}

/* A source sends what it decided on a clock before, when it saw room. */
static struct nic_event send(struct cq_test_source *s, bool room, unsigned rate)
{
    const struct nic_event e = s->next;

    s->next.valid = 0;
    if (room && often(rate)) {
        s->next = any_event();
        s->event[s->in++ % HELD] = s->next;
        must_at_most(&cb.seen.room, s->in - s->out, 20,
                     "source %u: events taken and not in order yet", (unsigned)(s - cb.source));
    }
    return e;
}

/* It sent something that was not taken before this clock. */
static bool holds(const struct cq_test_source *s)
{
    return s->in - s->out != (unsigned)s->next.valid;
}

/* A reader: it goes on by some events, or writes nonsense, or looks. */
static void ask(struct page_access *p)
{
    if (asked || !often(cb.how.pages))
        return;
    const unsigned q = rng_below(&cb.r, cb.how.queues);
    const uint32_t unread = cb.queue[q].written - cb.queue[q].read;

    page = (struct page_access){
        .valid = 1, .write = (u1)often(cb.how.reads), .unit = (u10)q, .data = rng_next(&cb.r)};
    if (rng_below(&cb.r, 64) == 0)
        page.unit = (u10)rng_next(&cb.r);
    if (rng_below(&cb.r, 64) == 0)
        page.word = (u9)rng_next(&cb.r);
    uint32_t index = cb.queue[q].read;
    if (!often(cb.how.lies)) {
        index += rng_below(&cb.r, unread + 1);
        page.data = (u64)((uint64_t)page.data << 32 | index);
    } else if (rng_below(&cb.r, 2)) {
        index += rng_below(&cb.r, 2) ? unread + 1 + rng_below(&cb.r, 2) : UINT32_MAX;
        page.data = (u64)index;
    }
    *p = page;
    asked = true;
}

static void configure(struct nic_write *w)
{
    const unsigned q = rng_below(&cb.r, cb.how.queues);
    struct cq_test_queue n = {.enabled = often(15),
                              .base = rng_next(&cb.r) >> 16 & ~UINT64_C(63),
                              .ptag = rng_below(&cb.r, 4),
                              .irq = rng_below(&cb.r, 32),
                              .mmu = rng_below(&cb.r, 16) == 0,
                              .tc = rng_below(&cb.r, 16)};

    if (set.valid || setting.valid || rng_below(&cb.r, 4096) >= cb.how.sets)
        return;
    n.log2 = 6 + rng_below(&cb.r, cb.how.log2);
    n.threshold = rng_below(&cb.r, 4) ? rng_below(&cb.r, 4) : rng_below(&cb.r, 80);
    w->valid = 1;
    w->addr = (u16)(0x2000 + 4 * q + 1);
    w->low = (u64)(n.base | (uint64_t)n.mmu << 48 | (uint64_t)n.tc << 49);
    w->data = (u64)(n.enabled | (uint64_t)n.log2 << 1 | (uint64_t)n.ptag << 6 |
                    (uint64_t)n.irq << 14 | (uint64_t)n.threshold << 19);
    if (rng_below(&cb.r, 8) == 0) { /* another table, another word */
        w->addr =
            (u16)(rng_below(&cb.r, 2) ? w->addr ^ 0x1000 : w->addr ^ (1 + rng_below(&cb.r, 3)));
        return;
    }
    setting = *w;
}

/* ---- what must be ------------------------------------------------------------------------------ */

static void take_set(void)
{
    const uint64_t low = (uint64_t)set.low, high = (uint64_t)set.data;

    cb.queue[((unsigned)set.addr - 0x2000) / 4] =
        (struct cq_test_queue){.enabled = high & 1,
                               .log2 = high >> 1 & 31,
                               .ptag = high >> 6 & 255,
                               .irq = high >> 14 & 31,
                               .threshold = (unsigned)(high >> 19 & 0xFFFF),
                               .base = low & 0xFFFFFFFFFFFF,
                               .mmu = low >> 48 & 1,
                               .tc = low >> 49 & 15};
    cb.seen.sets++;
    set.valid = 0;
}

static bool enough(const struct cq_test_queue *q)
{
    return q->written - q->read >= (q->threshold ? q->threshold : 1);
}

/* An event is taken; the value says that it is written. */
static bool take_event(void)
{
    struct cq_test_source *s = NULL;
    struct cq_test_queue *q;

    for (unsigned i = 0; i < CQ_SOURCES; i++)
        if (cb.source[i].in != cb.source[i].out &&
            cb.source[i].event[cb.source[i].out % HELD].word == cb.dut.event.word)
            s = &cb.source[i];
    if (s == NULL) {
        return miss(&cb.seen.order,
                    "event %#llx, expected %#llx of ssid, %#llx of npt, %#llx of rmt",
                    (unsigned long long)cb.dut.event.word,
                    (unsigned long long)cb.source[0].event[cb.source[0].out % HELD].word,
                    (unsigned long long)cb.source[1].event[cb.source[1].out % HELD].word,
                    (unsigned long long)cb.source[2].event[cb.source[2].out % HELD].word);
    }
    const struct nic_event *e = &s->event[s->out++ % HELD];
    q = &cb.queue[e->queue % QUEUES];
    cb.seen.events++;
    if ((unsigned)e->queue >= QUEUES || !q->enabled) {
        want_count |= 1 << CQ_DISABLED;
        return false;
    }
    if (e->ptag != q->ptag) {
        want_count |= 1 << CQ_DOMAIN;
        return false;
    }
    if (q->written - q->read == (1u << q->log2) - 1) {
        want_count |= 1 << CQ_FULL;
        q->overrun = true;
        cb.seen.full++;
        return false;
    }
    coming[1] = (struct write){.head = true,
                               .address = q->base + 8 * (q->written % (1u << q->log2)),
                               .mmu = q->mmu,
                               .tc = q->tc};
    coming[1].address &= 0xFFFFFFFFFFFF;
    coming[2] =
        (struct write){.data = true, .word = (uint64_t)e->word | (uint64_t)q->overrun << 63};
    cb.seen.overruns += q->overrun;
    q->overrun = false;
    q->written++;
    want_count |= 1 << CQ_EVENTS;
    return true;
}

static void take_page(void)
{
    struct cq_test_queue *q = &cb.queue[page.unit % QUEUES];

    replied = true;
    refused = (unsigned)page.unit >= QUEUES || page.word != 0 || !q->enabled;
    reply = (uint64_t)q->written | (uint64_t)q->overrun << 32 | (uint64_t)q->enabled << 33;
    if (refused || !page.write)
        return;
    if ((uint32_t)page.data - q->read > q->written - q->read)
        want_count |= 1 << CQ_NO_INDEX;
    else
        q->read = (uint32_t)page.data;
}

/* The operation whose words cq has read; the value is the interrupts that it raises. */
static uint32_t operate(void)
{
    const struct cq_test_queue *q = &cb.queue[(unsigned)cb.dut.op.queue];
    bool raises = false;

    replied = false;
    if (cb.dut.op.kind == CQ_SET)
        take_set();
    else if (cb.dut.op.kind == CQ_EVENT)
        raises = take_event() && enough(q);
    else if (cb.dut.op.kind == CQ_PAGE)
        take_page();
    else if (cb.dut.op.kind == CQ_SCAN)
        raises = q->enabled && (enough(q) || (cb.dut.timed && q->written != q->read));
    return raises ? UINT32_C(1) << q->irq : 0;
}

static void check_memory(void)
{
    const struct beat *b = &cb.dut.out.memory;
    const struct write *w = &coming[0];
    beat_word word = (beat_word)w->word;

    if (w->head)
        word = (beat_word)(4 | 7 << 16 | 1 << 22 | w->mmu << 23 | w->tc << 24) |
               (beat_word)w->address << 48;
    const struct beat due = {w->head || w->data, w->head, w->data, 0, word};

    must_beat(&cb.seen.memory, b, &due, "a %s to %#llx", w->data ? "word" : "head",
              (unsigned long long)w->address);
    must(&cb.seen.room, !b->valid || !b->head || (rooms >> 2 & 1),
         "a write of %#llx without room of memory", (unsigned long long)w->address);
}

/* An event whose entry may not be written is lost. */
static void check_window(void)
{
    struct write *w = &coming[0];
    const uint64_t end = cb.window_at + cb.window;

    if (w->head && !w->mmu && (w->address < cb.window_at || w->address + 8 > end)) {
        want_count |= 1 << CQ_LOST;
        w->head = coming[1].data = false;
        cb.seen.outside++;
    }
}

/* No event is slept over: with enough of them an interrupt is pending, or soon is. */
static void check_sleep(void)
{
    for (unsigned i = 0; i < cb.how.queues && i < QUEUES; i++) {
        struct cq_test_queue *q = &cb.queue[i];
        const bool due = q->enabled && enough(q) && (pending >> q->irq & 1) == 0;

        q->late = due ? q->late + 1 : 0;
        must(&cb.seen.slept, q->late != 8 * QUEUES + 64,
             "queue %u: %u events, no interrupt for %u clocks, expected one", i,
             q->written - q->read, q->late);
    }
}

static uint32_t next_raised; /* what was found out is raised a clock later */

/* ---- a clock ----------------------------------------------------------------------------------- */

void cq_bench_step(void)
{
    struct cq_in in = {
        .room_memory = often(cb.how.room),
        .config = {.phys_base = (u48)cb.window_at, .phys_size = (u48)cb.window},
    };
    const uint32_t raised = next_raised;

    memmove(coming, coming + 1, sizeof coming - sizeof coming[0]);
    coming[2] = (struct write){};
    want_count = 0;
    check_window();
    const unsigned rates[] = {cb.how.sends, cb.how.npt, cb.how.rmt};
    bool busy = coming[0].head;

    for (unsigned i = 0; i < CQ_SOURCES; i++) {
        in.event[i] = send(&cb.source[i], cb.dut.out.room[i], rates[i < CQ_RMT ? i : CQ_RMT]);
        busy = busy || holds(&cb.source[i]);
    }
    ask(&in.page);
    configure(&in.write);
    in.done = (struct mem_done){.valid = rng_below(&cb.r, 2),
                                .client = (u4)rng_below(&cb.r, 8),
                                .status = rng_below(&cb.r, 256) < cb.how.fails ? (u2)rng_next(&cb.r)
                                                                               : (u2)0};
    if (in.done.valid && in.done.client == 4 && in.done.status != 0)
        want_count |= 1 << CQ_LOST;
    next_raised = operate();
    rooms = rooms << 1 | (unsigned)in.room_memory;
    cq(&cb.dut, &in);
    cb.now++;
    if (setting.valid) {
        set = setting;
        setting.valid = 0;
    }
    check_memory();
    must_equal(&cb.seen.count, cb.dut.out.count, want_count, "counts of a clock");
    must(&cb.seen.idle, !cb.dut.out.idle || !busy, "idle, and an event is inside");
    must_equal(&cb.seen.raised, cb.dut.out.raised, raised, "interrupts raised");
    must_equal(&cb.seen.reply, cb.dut.out.reply.valid, replied, "queue %u, word %u: replies",
               (unsigned)page.unit, (unsigned)page.word);
    if (replied && cb.dut.out.reply.valid)
        must_equal(&cb.seen.reply, cb.dut.out.reply.refused, refused, "queue %u, word %u: refused",
                   (unsigned)page.unit, (unsigned)page.word);
    if (replied && !refused)
        must_equal(&cb.seen.reply, cb.dut.out.reply.data, reply, "queue %u, word %u: data",
                   (unsigned)page.unit, (unsigned)page.word);
    cb.seen.replies += replied;
    asked = asked && !replied;
    /* the driver clears what it sees, while more may be raised */
    const uint32_t clears = often(cb.how.clears) ? (uint32_t)rng_next(&cb.r) & pending : 0;
    cb.seen.races += (clears & raised) != 0;
    cb.seen.interrupts += (raised & ~pending) != 0;
    pending = (pending & ~clears) | (uint32_t)cb.dut.out.raised;
    check_sleep();
}

void cq_bench_run(unsigned clocks)
{
    while (clocks-- > 0)
        cq_bench_step();
}

void cq_bench_write_register(unsigned addr, uint64_t data, uint64_t low)
{
    struct cq_in in = {.write = {1, (u16)addr, (u64)data, (u64)low}};

    cq(&cb.dut, &in);
    in.write.valid = 0;
    for (unsigned i = 0; i < 3; i++)
        cq(&cb.dut, &in);
}

void cq_bench_reset(void)
{
    struct cq_in in = {};

    cq_reset(&cb.dut);
    next_raised = 0;
    for (unsigned i = 0; i < 2048; i++) {
        in.wipe = (struct nic_wipe){1, (u13)i};
        cq(&cb.dut, &in);
        must(&cb.seen.idle,
             !cb.dut.out.memory.valid && cb.dut.out.raised == 0 && !cb.dut.out.reply.valid &&
                 cb.dut.out.count == 0,
             "index %u of the wipe: write %u, raised %#x, reply %u, counts %#x, expected none", i,
             (unsigned)cb.dut.out.memory.valid, (unsigned)cb.dut.out.raised,
             (unsigned)cb.dut.out.reply.valid, (unsigned)cb.dut.out.count);
    }
    in.wipe.valid = 0;
    for (unsigned i = 0; i < 4; i++)
        cq(&cb.dut, &in);
    memset(cb.queue, 0, sizeof cb.queue);
    memset(cb.source, 0, sizeof cb.source);
    memset(coming, 0, sizeof coming);
    set.valid = setting.valid = 0;
    asked = false;
    pending = 0;
    cb.window_at = 0;
    cb.window = UINT64_C(0xFFFFFFFFFFFF);
}
