// SPDX-License-Identifier: Apache-2.0
/*
 * test_cq.c - cq alone: events of two sources for queues of many kinds, readers that stop, lie and race, configurations under
 * way, memory without room, interrupts that are cleared while events come, wrong bits in the queues' words.
 *
 * The model does the same operations in the order in which cq takes them, and says of each clock what it must bring: a write
 * to memory two clocks later, a reply, an interrupt, a count. Each source's events are taken in their order, none is missing.
 *
 * Built for aries: fast; proto: san. Recorded for cq.
 */
#include "tb/base/harness.h"
#include "tb/models/nic_beats.h"
#include "tb/blocks/nic/packet/trans_bits.h"
#include "nic/event/cq.h"

#include <string.h>

enum { QUEUES = NIC_CQS, LIVES = 40, HELD = 64 };

/* A queue, as driver and reader know it. */
struct queue {
    bool enabled, overrun;
    uint64_t base;
    unsigned log2, ptag, irq, threshold, mmu, tc;
    uint32_t written, read;
    unsigned late; /* clocks for which it has unread events enough and no interrupt is pending */
};

/* Events that a source has sent and cq has not taken. */
struct source {
    struct nic_event event[HELD];
    unsigned in, out;
    struct nic_event next; /* sent, on its way */
};

struct manners {
    unsigned sends, npt, room, pages, sets, lies, clears, reads, foreign, fails;
    unsigned queues, log2, timer;
};

/* What out.memory must show: now and in the next two clocks. */
struct write {
    bool head, data;
    uint64_t address, word;
    unsigned mmu, tc;
};

static struct cq dut;
static struct rng r;
static uint64_t now, serial;
static struct manners how;
static struct queue queue[QUEUES];
static struct source source[2];
static struct write coming[3];
static struct page_access page;
static bool asked; /* page is in cq */
static struct nic_write set, setting;
static uint32_t pending;
static uint64_t window_at, window; /* addresses must lie in it */
static unsigned rooms;             /* room_memory of the clocks before */
static bool replied, refused;
static uint64_t reply;

static struct {
    struct misses memory, reply, raised, count, order, room, missing, slept, idle;
    unsigned events, full, overruns, replies, interrupts, sets, races, outside;
} seen;
static unsigned want_count;

static bool often(unsigned rate)
{
    return rng_below(&r, 16) < rate;
}

/* ---- what comes in ----------------------------------------------------------------------------- */

static struct nic_event any_event(void)
{
    struct nic_event e = {.valid = 1, .queue = (u10)rng_below(&r, how.queues)};

    e.ptag = (nic_ptag)queue[e.queue % QUEUES].ptag;
    if (rng_below(&r, 256) < how.foreign)
        e.ptag ^= 1;
    if (rng_below(&r, 256) < how.foreign)
        e.queue = (u10)rng_next(&r);
    e.word = (u64)(serial++ << 8 | (rng_next(&r) & 0x7F00000000000000));
    return e;
}

/* A source sends what it decided on a clock before, when it saw room. */
static struct nic_event send(struct source *s, bool room, unsigned rate)
{
    const struct nic_event e = s->next;

    s->next.valid = 0;
    if (room && often(rate)) {
        s->next = any_event();
        s->event[s->in++ % HELD] = s->next;
        must_at_most(&seen.room, s->in - s->out, 20, "source %u: events taken and not in order yet",
                     (unsigned)(s - source));
    }
    return e;
}

/* It sent something that was not taken before this clock. */
static bool holds(const struct source *s)
{
    return s->in - s->out != (unsigned)s->next.valid;
}

/* A reader: it goes on by some events, or writes nonsense, or looks. */
static void ask(struct page_access *p)
{
    if (asked || !often(how.pages))
        return;
    const unsigned q = rng_below(&r, how.queues);
    const uint32_t unread = queue[q].written - queue[q].read;

    page = (struct page_access){
        .valid = 1, .write = (u1)often(how.reads), .unit = (u10)q, .data = rng_next(&r)};
    if (rng_below(&r, 64) == 0)
        page.unit = (u10)rng_next(&r);
    if (rng_below(&r, 64) == 0)
        page.word = (u9)rng_next(&r);
    uint32_t index = queue[q].read;
    if (!often(how.lies)) {
        index += rng_below(&r, unread + 1);
        page.data = (u64)((uint64_t)page.data << 32 | index);
    } else if (rng_below(&r, 2)) {
        index += rng_below(&r, 2) ? unread + 1 + rng_below(&r, 2) : UINT32_MAX;
        page.data = (u64)index;
    }
    *p = page;
    asked = true;
}

static void configure(struct nic_write *w)
{
    const unsigned q = rng_below(&r, how.queues);
    struct queue n = {.enabled = often(15),
                      .base = rng_next(&r) >> 16 & ~UINT64_C(63),
                      .ptag = rng_below(&r, 4),
                      .irq = rng_below(&r, 32),
                      .mmu = rng_below(&r, 16) == 0,
                      .tc = rng_below(&r, 16)};

    if (set.valid || setting.valid || rng_below(&r, 4096) >= how.sets)
        return;
    n.log2 = 6 + rng_below(&r, how.log2);
    n.threshold = rng_below(&r, 4) ? rng_below(&r, 4) : rng_below(&r, 80);
    w->valid = 1;
    w->addr = (u16)(0x2000 + 4 * q + 1);
    w->low = (u64)(n.base | (uint64_t)n.mmu << 48 | (uint64_t)n.tc << 49);
    w->data = (u64)(n.enabled | (uint64_t)n.log2 << 1 | (uint64_t)n.ptag << 6 |
                    (uint64_t)n.irq << 14 | (uint64_t)n.threshold << 19);
    if (rng_below(&r, 8) == 0) { /* another table, another word */
        w->addr = (u16)(rng_below(&r, 2) ? w->addr ^ 0x1000 : w->addr ^ (1 + rng_below(&r, 3)));
        return;
    }
    setting = *w;
}

/* ---- what must be ------------------------------------------------------------------------------ */

static void take_set(void)
{
    const uint64_t low = (uint64_t)set.low, high = (uint64_t)set.data;

    queue[((unsigned)set.addr - 0x2000) / 4] =
        (struct queue){.enabled = high & 1,
                       .log2 = high >> 1 & 31,
                       .ptag = high >> 6 & 255,
                       .irq = high >> 14 & 31,
                       .threshold = (unsigned)(high >> 19 & 0xFFFF),
                       .base = low & 0xFFFFFFFFFFFF,
                       .mmu = low >> 48 & 1,
                       .tc = low >> 49 & 15};
    seen.sets++;
    set.valid = 0;
}

static bool enough(const struct queue *q)
{
    return q->written - q->read >= (q->threshold ? q->threshold : 1);
}

/* An event is taken; the value says that it is written. */
static bool take_event(void)
{
    struct source *s = NULL;
    struct queue *q;

    for (unsigned i = 0; i < 2; i++)
        if (source[i].in != source[i].out &&
            source[i].event[source[i].out % HELD].word == dut.event.word)
            s = &source[i];
    if (s == NULL) {
        return miss(&seen.order, "event %#llx, expected %#llx of ssid or %#llx of npt",
                    (unsigned long long)dut.event.word,
                    (unsigned long long)source[0].event[source[0].out % HELD].word,
                    (unsigned long long)source[1].event[source[1].out % HELD].word);
    }
    const struct nic_event *e = &s->event[s->out++ % HELD];
    q = &queue[e->queue % QUEUES];
    seen.events++;
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
        seen.full++;
        return false;
    }
    coming[1] = (struct write){.head = true,
                               .address = q->base + 8 * (q->written % (1u << q->log2)),
                               .mmu = q->mmu,
                               .tc = q->tc};
    coming[1].address &= 0xFFFFFFFFFFFF;
    coming[2] =
        (struct write){.data = true, .word = (uint64_t)e->word | (uint64_t)q->overrun << 63};
    seen.overruns += q->overrun;
    q->overrun = false;
    q->written++;
    want_count |= 1 << CQ_EVENTS;
    return true;
}

static void take_page(void)
{
    struct queue *q = &queue[page.unit % QUEUES];

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
    const struct queue *q = &queue[(unsigned)dut.op.queue];
    bool raises = false;

    replied = false;
    if (dut.op.kind == CQ_SET)
        take_set();
    else if (dut.op.kind == CQ_EVENT)
        raises = take_event() && enough(q);
    else if (dut.op.kind == CQ_PAGE)
        take_page();
    else if (dut.op.kind == CQ_SCAN)
        raises = q->enabled && (enough(q) || (dut.timed && q->written != q->read));
    return raises ? UINT32_C(1) << q->irq : 0;
}

static void check_memory(void)
{
    const struct beat *b = &dut.out.memory;
    const struct write *w = &coming[0];
    beat_word word = (beat_word)w->word;

    if (w->head)
        word = (beat_word)(4 | 7 << 16 | 1 << 22 | w->mmu << 23 | w->tc << 24) |
               (beat_word)w->address << 48;
    const struct beat due = {w->head || w->data, w->head, w->data, 0, word};

    must_beat(&seen.memory, b, &due, "a %s to %#llx", w->data ? "word" : "head",
              (unsigned long long)w->address);
    must(&seen.room, !b->valid || !b->head || (rooms >> 2 & 1),
         "a write of %#llx without room of memory", (unsigned long long)w->address);
}

/* An event whose entry may not be written is lost. */
static void check_window(void)
{
    struct write *w = &coming[0];
    const uint64_t end = window_at + window;

    if (w->head && (w->mmu || w->address < window_at || w->address + 8 > end)) {
        want_count |= 1 << CQ_LOST;
        w->head = coming[1].data = false;
        seen.outside++;
    }
}

/* No event is slept over: with enough of them an interrupt is pending, or soon is. */
static void check_sleep(void)
{
    for (unsigned i = 0; i < how.queues && i < QUEUES; i++) {
        struct queue *q = &queue[i];
        const bool due = q->enabled && enough(q) && (pending >> q->irq & 1) == 0;

        q->late = due ? q->late + 1 : 0;
        must(&seen.slept, q->late != 8 * QUEUES + 64,
             "queue %u: %u events, no interrupt for %u clocks, expected one", i,
             q->written - q->read, q->late);
    }
}

static uint32_t next_raised; /* what was found out is raised a clock later */

/* ---- a clock ----------------------------------------------------------------------------------- */

static void step(void)
{
    struct cq_in in = {
        .room_memory = often(how.room),
        .config = {.phys_base = (u48)window_at, .phys_size = (u48)window},
    };
    const uint32_t raised = next_raised;

    memmove(coming, coming + 1, sizeof coming - sizeof coming[0]);
    coming[2] = (struct write){};
    want_count = 0;
    check_window();
    in.ssid = send(&source[0], dut.out.room_ssid, how.sends);
    in.npt = send(&source[1], dut.out.room_npt, how.npt);
    const bool busy = holds(&source[0]) || holds(&source[1]) || coming[0].head;
    ask(&in.page);
    configure(&in.write);
    in.done =
        (struct mem_done){.valid = rng_below(&r, 2),
                          .client = (u4)rng_below(&r, 8),
                          .status = rng_below(&r, 256) < how.fails ? (u2)rng_next(&r) : (u2)0};
    if (in.done.valid && in.done.client == 4 && in.done.status != 0)
        want_count |= 1 << CQ_LOST;
    next_raised = operate();
    rooms = rooms << 1 | (unsigned)in.room_memory;
    cq(&dut, &in);
    now++;
    if (setting.valid) {
        set = setting;
        setting.valid = 0;
    }
    check_memory();
    must_equal(&seen.count, dut.out.count, want_count, "counts of a clock");
    must(&seen.idle, !dut.out.idle || !busy, "idle, and an event is inside");
    must_equal(&seen.raised, dut.out.raised, raised, "interrupts raised");
    must_equal(&seen.reply, dut.out.reply.valid, replied, "queue %u, word %u: replies",
               (unsigned)page.unit, (unsigned)page.word);
    if (replied && dut.out.reply.valid)
        must_equal(&seen.reply, dut.out.reply.refused, refused, "queue %u, word %u: refused",
                   (unsigned)page.unit, (unsigned)page.word);
    if (replied && !refused)
        must_equal(&seen.reply, dut.out.reply.data, reply, "queue %u, word %u: data",
                   (unsigned)page.unit, (unsigned)page.word);
    seen.replies += replied;
    asked = asked && !replied;
    /* the driver clears what it sees, while more may be raised */
    const uint32_t clears = often(how.clears) ? (uint32_t)rng_next(&r) & pending : 0;
    seen.races += (clears & raised) != 0;
    seen.interrupts += (raised & ~pending) != 0;
    pending = (pending & ~clears) | (uint32_t)dut.out.raised;
    check_sleep();
}

static void run(unsigned clocks)
{
    while (clocks-- > 0)
        step();
}

static void write_register(unsigned addr, uint64_t data, uint64_t low)
{
    struct cq_in in = {.write = {1, (u16)addr, (u64)data, (u64)low}};

    cq(&dut, &in);
    in.write.valid = 0;
    for (unsigned i = 0; i < 3; i++)
        cq(&dut, &in);
}

/* Everything is disabled by the wipe. */
static void reset(void)
{
    struct cq_in in = {};

    cq_reset(&dut);
    next_raised = 0;
    for (unsigned i = 0; i < 2048; i++) {
        in.wipe = (struct nic_wipe){1, (u13)i};
        cq(&dut, &in);
        must(&seen.idle,
             !dut.out.memory.valid && dut.out.raised == 0 && !dut.out.reply.valid &&
                 dut.out.count == 0,
             "index %u of the wipe: write %u, raised %#x, reply %u, counts %#x, expected none", i,
             (unsigned)dut.out.memory.valid, (unsigned)dut.out.raised,
             (unsigned)dut.out.reply.valid, (unsigned)dut.out.count);
    }
    in.wipe.valid = 0;
    for (unsigned i = 0; i < 4; i++)
        cq(&dut, &in);
    memset(queue, 0, sizeof queue);
    memset(source, 0, sizeof source);
    memset(coming, 0, sizeof coming);
    set.valid = setting.valid = 0;
    asked = false;
    pending = 0;
    window_at = 0;
    window = UINT64_C(0xFFFFFFFFFFFF);
}

/* ---- what is tried ----------------------------------------------------------------------------- */

static void change_manners(void)
{
    static const unsigned rates[] = {0, 1, 4, 12, 16, 16};

    how = (struct manners){.sends = rates[rng_below(&r, 6)],
                           .npt = rates[rng_below(&r, 6)],
                           .room = rates[1 + rng_below(&r, 5)],
                           .pages = rates[rng_below(&r, 6)],
                           .sets = rng_below(&r, 2) ? 4 : 64,
                           .lies = rng_below(&r, 2) ? 0 : 4,
                           .clears = rates[rng_below(&r, 6)],
                           .reads = rates[rng_below(&r, 6)],
                           .foreign = rng_below(&r, 2) ? 0 : 16,
                           .fails = rng_below(&r, 2) ? 0 : 16,
                           .queues = rng_below(&r, 2) ? 1 + rng_below(&r, 4) : QUEUES,
                           .log2 = rng_below(&r, 3) ? 1 : 15};
}

static void live(void)
{
    reset();
    how = (struct manners){.sets = 4096, .queues = 1 + rng_below(&r, QUEUES), .log2 = 1};
    run(how.queues * 4);
    how.sets = 0;
    run(8);
    if (rng_below(&r, 2))
        write_register(0x26, 1 + rng_below(&r, 2000), 0);
    for (unsigned i = 1 + rng_below(&r, 8); i > 0; i--) {
        struct queue *q = &queue[rng_below(&r, how.queues)];

        change_manners();
        if (rng_below(&r, 4) == 0) { /* it begins or ends inside of a ring */
            window_at = q->base + rng_below(&r, 64);
            window = rng_below(&r, 1024);
        }
        run(rng_below(&r, 6000));
    }
    how.sends = how.npt = how.pages = how.sets = 0;
    how.room = 16;
    run(200);
    for (unsigned i = 0; i < 2; i++)
        must_equal(&seen.missing, source[i].out, source[i].in,
                   "source %u: events that are in order", i);
    must(&seen.idle, dut.out.idle, "not idle when nothing is left");
}

/* One queue with a ring of 64 entries, interrupt 5. */
static void one_queue(unsigned threshold)
{
    reset();
    how = (struct manners){.queues = 1, .log2 = 1};
    queue[0] = (struct queue){
        .enabled = true, .log2 = 6, .irq = 5, .threshold = threshold, .base = 0x1000};
    write_register(0x2001, 1 | 6 << 1 | 5 << 14 | (uint64_t)threshold << 19, 0x1000);
}

static void test_rate(void)
{
    one_queue(1);
    how.sends = how.npt = how.room = how.pages = how.reads = 16;
    run(100);
    const unsigned before = seen.events, full = seen.full, first = source[0].out;
    run(10000);
    const unsigned ssid = source[0].out - first;
    /* holds cq.rate */
    tap_ok(seen.events - before >= 4995 && ssid >= 2490 && ssid <= 2510,
           "cq: an event in %.3f clocks, %u of 5,000 of the first source",
           10000.0 / (seen.events - before), ssid);
    how.pages = 0;
    run(10000);
    tap_ok(seen.full - full >= 4900, "cq: and while nobody reads: %u dropped", seen.full - full);
    how.pages = 16;
    run(1000);
}

/* A reader that stops for long, many times: its first event after each gap says so, and no other. */
static void test_gaps(void)
{
    const unsigned before = seen.overruns, wrong = (unsigned)seen.memory.count;
    unsigned gaps = 0;

    one_queue(1);
    how.sends = how.npt = how.room = how.reads = 16;
    for (unsigned i = 0; i < 100; i++) {
        const unsigned full = seen.full;
        how.pages = 0;
        run(i == 0 ? 10000 : rng_below(&r, 400));
        gaps += seen.full != full;
        how.pages = 16;
        while (queue[0].overrun || queue[0].written - queue[0].read > 60)
            step();
    }
    tap_ok(gaps > 50 && seen.overruns - before >= gaps && seen.memory.count == wrong,
           "cq: a reader that stops %u times for too long is notified each time (%u)", gaps,
           seen.overruns - before);
}

/* Events of another domain for a full ring are no reason to tell its reader of a gap. */
static void test_foreign(void)
{
    const unsigned wrong = (unsigned)seen.memory.count, overruns = seen.overruns;
    struct cq_in in = {.room_memory = 1};

    one_queue(1);
    how.room = 16;
    while (queue[0].written < 63) {
        how.sends = 16;
        step();
        how.sends = 0;
        run(8);
    }
    for (unsigned i = 0; i < 40; i++) {
        in.npt = (struct nic_event){.valid = i % 8 == 0, .ptag = 9, .word = 7};
        cq(&dut, &in);
    }
    how.pages = how.reads = 16;
    while (queue[0].read != queue[0].written)
        step();
    how.sends = 16;
    run(40);
    /* holds cq.overrun */
    tap_ok(queue[0].written > 70 && seen.memory.count == wrong && seen.overruns == overruns,
           "cq: events of another domain leave no mark in a full ring (%u)",
           (unsigned)seen.memory.count - wrong);
}

/* Three unread events below the threshold: the timer tells of them, and again until they are read. */
static void test_timer(void)
{
    unsigned raised[3] = {0};

    one_queue(50);
    how.room = 16;
    how.sends = 16;
    while (queue[0].written < 3)
        step();
    how.sends = 0;
    for (unsigned phase = 0; phase < 3; phase++) {
        if (phase == 1)
            write_register(0x26, 4000, 0);
        if (phase == 2) {
            how.pages = how.reads = 16;
            while (queue[0].read != queue[0].written)
                step();
            run(4 * QUEUES);
        }
        for (unsigned i = 0; i < 40000; i++) {
            step();
            raised[phase] += dut.out.raised == 1u << 5;
        }
    }
    tap_ok(raised[0] == 0 && raised[1] >= 9 && raised[1] <= 11 && raised[2] == 0,
           "cq: the timer tells of few events, each time until they are read (%u, %u, %u)",
           raised[0], raised[1], raised[2]);
}

/* Each bit of a queue's words wrong, then two of them. */
static void test_bits(void)
{
    unsigned single = 0, two = 0;

    for (unsigned bit = 0; bit < 60 + 42; bit++) {
        one_queue(1);
        how.room = 16;
        if (bit < 60)
            dut.rings[0] ^= (cq_ring_ecc_word)1 << bit;
        else
            dut.configs[0] ^= (cq_config_ecc_word)1 << (bit - 60);
        how.sends = 16;
        const struct misses wrong = seen.count;
        const unsigned events = seen.events;
        for (unsigned i = 0; i < 40; i++) {
            const bool event = dut.op.kind == CQ_EVENT;
            step();
            single += event && (dut.out.count >> CQ_CORRECTED & 1) == 0;
        }
        single += seen.events - events < 10;
        seen.count = wrong;
        how.sends = 0;
        run(8);
    }
    tap_ok(single == 0,
           "cq: a wrong bit in a queue's words is corrected, and reported with each event (%u)",
           single);
    for (unsigned bit = 1; bit < 42; bit++) {
        struct cq_in in = {.room_memory = 1};
        one_queue(1);
        dut.rings[0] ^= bit & 1 ? 3 : 0;
        dut.configs[0] ^= bit & 1 ? (cq_config_ecc_word)0 : ((cq_config_ecc_word)1 << bit | 1);
        in.npt = (struct nic_event){.valid = 1, .word = 7};
        cq(&dut, &in);
        in.npt.valid = 0;
        unsigned lost = 0;
        for (unsigned i = 0; i < 10; i++) {
            cq(&dut, &in);
            lost += (unsigned)(dut.out.count >> CQ_LOST & 1);
            two += dut.out.memory.valid || dut.out.raised != 0;
        }
        two += lost != 1;
    }
    tap_ok(two == 0, "cq: with two wrong bits the event is lost and reported (%u)", two);
}

int main(int argc, char **argv)
{
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    for (unsigned i = 0; i < LIVES; i++)
        live();
    /* holds cq.indices */
    tap_misses(&seen.memory,
               "cq: events are written where and when they must be, overrun behind each gap");
    tap_misses(&seen.order, "cq: each source's in order");
    tap_misses(&seen.room, "cq: while memory has room, and room announced is kept");
    /* holds cq.anew */
    tap_misses(&seen.reply, "cq: pages answer what is so");
    /* holds cq.threshold */
    tap_misses(&seen.raised, "cq: interrupts are raised when there is a reason");
    tap_misses(&seen.slept, "cq: no event is slept over");
    tap_misses(&seen.count, "cq: each clock counts what happened");
    misses_add(&seen.missing, &seen.idle);
    tap_misses(&seen.missing, "cq: nothing is left, idle only then, nothing reported in the wipe");
    tap_ok(seen.outside > 100,
           "cq: what is for a context, or outside of the window, is lost and reported (%u)",
           seen.outside);
    test_rate();
    test_gaps();
    test_foreign();
    test_timer();
    test_bits();
    tap_ok(seen.full > 2000 && seen.overruns > 70 && seen.sets > 200 && seen.races > 100,
           "cq: %llu clocks, %u events, %u dropped at full rings, %u notified, %u configurations, "
           "%u replies, %u interrupts, "
           "%u raised as they were cleared",
           (unsigned long long)now, seen.events, seen.full, seen.overruns, seen.sets, seen.replies,
           seen.interrupts, seen.races);
    tap_ok(harness_covers("hls/nic/event/cq.c") == 5, "all covers are hit");
    return tap_done();
}
