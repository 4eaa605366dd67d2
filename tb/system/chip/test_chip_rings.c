// SPDX-License-Identifier: Apache-2.0
/*
 * test_chip_rings.c - block transfers by the driver (sim/host) between two chips: puts and gets of two processes, what is refused, rings that
 * are used again and again, processes that end in the middle of their transfers, a ring that cannot be read; messages.
 *
 * Built for proto: fast.
 */
#include <inttypes.h>
#include <string.h>

#include "sim/host/driver_posts.h"
#include "tb/system/chip/chip_driver.h"

enum {
    JOB = 41,
    QUEUE_LOG2 = 6,
    BYTES = 0x4000, /* of a process's memory */
    ADDRESS = 0x7f1234560040,
    RING_LOG2 = 2,
    CHANNEL = 1,
    TRANSACTIONS = 4,
    PATIENCE = 60000,
    ROUNDS = 30,
};

static struct nic_bench *b;
static struct ptags ptags;
static struct drv *driver[CHIPS];
static struct drv_ring ring[CHIPS];

/* A process with memory, a handle of it, and a queue. */
struct task {
    struct drv_process *process;
    unsigned chip, queue, mdh;
    uint64_t events, memory; /* places: of the queue, of memory */
};

static uint8_t *at(const struct task *t, uint64_t place)
{
    return chip_memory(b, t->chip, place);
}

static void start(uint64_t seed)
{
    const struct channel_config cable = {.delay = 12, .ber = 1e-6};

    b = chip_bench_new(seed, NULL, &cable, NULL);
    ptags_start(&ptags);
    for (unsigned i = 0; i < CHIPS; i++) {
        driver[i] = chip_driver(b, i, &ptags);
        ring[i] = (struct drv_ring){.log2 = RING_LOG2, .transactions = TRANSACTIONS};
        given(drv_kernel_memory(driver[i], 64 << RING_LOG2, &ring[i].place));
        ring[i].memory = chip_memory(b, i, ring[i].place);
        given(drv_ring(driver[i], CHANNEL, &ring[i]));
    }
}

static void stop(const char *what)
{
    for (unsigned i = 0; i < CHIPS; i++) {
        tap_ok(drv_ring_end(driver[i], CHANNEL) == DRV_OK, "%s: the ring of NIC %u ends", what, i);
        tap_ok(drv_stop(driver[i]) == DRV_OK, "%s: NIC %u stops", what, i);
    }
    nic_bench_free(b);
}

static enum drv_result task_start(struct task *t, unsigned chip, uint64_t job, int mdh)
{
    struct drv_queue queue = {.log2 = QUEUE_LOG2, .threshold = 1};
    struct drv_segment segment = {.bytes = BYTES, .read = true, .write = true, .events = true};
    enum drv_result result = drv_process(driver[chip], job, &t->process);

    t->chip = chip;
    if (result != DRV_OK) {
        return result;
    }
    given(drv_memory(t->process, ADDRESS - 0x10000, 8 << QUEUE_LOG2, &t->events));
    given(drv_memory(t->process, ADDRESS, BYTES, &t->memory));
    queue.place = t->events;
    memset(at(t, t->events), 0, 8 << QUEUE_LOG2);
    result = drv_queue(t->process, NAMES_ANY, &queue, &t->queue);
    segment.place = t->memory;
    segment.queue = t->queue;
    return result ? result : drv_segment(t->process, mdh, &segment, &t->mdh);
}

static void rest(unsigned clocks)
{
    for (unsigned n = 0; n < clocks; n++) {
        nic_bench_clock(b);
    }
    for (unsigned i = 0; i < CHIPS; i++) {
        drv_rest(driver[i]);
    }
}

static struct drv_transfer between(const struct task *t, const struct task *to, bool get,
                                   uint64_t bytes)
{
    return (struct drv_transfer){.get = get,
                                 .pe = b->node[to->chip * CHIP_NICS].address,
                                 .mdh = to->mdh,
                                 .local_mdh = t->mdh,
                                 .bytes = bytes,
                                 .global_event = true,
                                 .queue = t->queue};
}

/* The next transfer that is over, within PATIENCE. */
static bool await_over(unsigned chip, struct drv_over *over)
{
    for (unsigned n = 0; n < PATIENCE; n += 16) {
        if (drv_over(driver[chip], over)) {
            return true;
        }
        rest(16);
    }
    return false;
}

static uint64_t event_of(const struct task *t, unsigned n)
{
    uint64_t event;

    memcpy(&event, at(t, t->events + 8 * n), sizeof event);
    return event;
}

static void draw_memory(const struct task *t)
{
    for (unsigned i = 0; i < BYTES; i++) {
        *at(t, t->memory + i) = (uint8_t)rng_next(&b->rng);
    }
}

/* ---- the shortest way ---------------------------------------------------------------------------------- */

static void test_put_and_get(uint64_t seed)
{
    struct task one, two;
    struct drv_over over = {0};

    start(seed);
    given(task_start(&one, 0, JOB, NAMES_ANY));
    given(task_start(&two, 1, JOB, NAMES_ANY));
    draw_memory(&one);
    draw_memory(&two);
    struct drv_transfer t = between(&one, &two, false, 5001);
    t.local = 13;
    t.offset = 0x107;
    t.tag = 99;
    t.event = 0xABCDEF;
    t.target_event = true;
    t.target = 0x1234;
    given(drv_post(one.process, CHANNEL, &t));
    tap_ok(await_over(0, &over) && over.process == one.process && over.tag == 99 &&
               over.status == 0,
           "a put of 5001 bytes is over");
    rest(200);
    tap_ok(memcmp(at(&one, one.memory + 13), at(&two, two.memory + 0x107), 5001) == 0 &&
               event_of(&one, 0) == ((uint64_t)3 << 56 | 0xABCDEF),
           "its bytes are there, and its event");
    tap_equal(event_of(&two, 0), (uint64_t)7 << 56 | 0x1234, "and one at the target");
    t = between(&one, &two, true, 4096);
    t.local = 0x1001;
    t.offset = 0x204;
    given(drv_post(one.process, CHANNEL, &t));
    tap_ok(await_over(0, &over) && over.status == 0 &&
               memcmp(at(&one, one.memory + 0x1001), at(&two, two.memory + 0x204), 4096) == 0,
           "a get of 4096 bytes is over, and they are there");
    tap_ok(!drv_over(driver[0], &over) && !drv_over(driver[1], &over), "each is reported once");
    t = between(&one, &two, false, BYTES);
    t.mdh = two.mdh + 1;
    given(drv_post(one.process, CHANNEL, &t));
    tap_ok(await_over(0, &over) && over.status == 5, "a handle that is none at the target: MDD");
    tap_ok(drv_process_end(one.process) == DRV_OK && drv_process_end(two.process) == DRV_OK,
           "both processes end");
    stop("put and get");
}

/* ---- what is refused ------------------------------------------------------------------------------------ */

static void test_refused(uint64_t seed)
{
    struct task one, two;
    struct drv_transfer t;
    struct drv_over over;
    struct drv_ring wrong;

    start(seed);
    given(task_start(&one, 0, JOB, NAMES_ANY));
    given(task_start(&two, 0, JOB + 1, NAMES_ANY));
    const struct {
        const char *what;
        struct drv_transfer t;
    } cases[] = {
        {"no bytes", {.bytes = 0}},
        {"more than 2^32 bytes", {.bytes = (UINT64_C(1) << 32) + 1}},
        {"more than the handle has", {.bytes = 100, .local = BYTES - 99}},
        {"an offset beyond the handle", {.bytes = 1, .local = UINT64_MAX}},
        {"a get of odd bytes", {.get = true, .bytes = 6}},
        {"a get from an odd offset", {.get = true, .bytes = 8, .offset = 2}},
        {"routing mode 7", {.bytes = 8, .mode = 7}},
        {"a PE of more than 18 bits", {.bytes = 8, .pe = 1 << 18}},
        {"an offset of more than 40 bits", {.bytes = 8, .offset = UINT64_C(1) << 40}},
        {"an event of more than 56 bits", {.bytes = 8, .event = UINT64_C(1) << 56}},
        {"nodes that are not its own", {.bytes = 8, .is_virtual = true, .pes = 2}},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        t = cases[i].t;
        t.local_mdh = one.mdh;
        tap_ok(drv_post(one.process, CHANNEL, &t) == DRV_WRONG, "refused: %s", cases[i].what);
    }
    t = between(&one, &one, false, 64);
    tap_ok(drv_post(two.process, CHANNEL, &t) == DRV_WRONG, "refused: another's handle");
    t.queue = two.queue;
    tap_ok(drv_post(one.process, CHANNEL, &t) == DRV_WRONG, "refused: another's queue");
    t.queue = one.queue;
    tap_ok(drv_post(one.process, 0, &t) == DRV_WRONG &&
               drv_post(one.process, 1 << NIC_BTE_LOG2, &t) == DRV_WRONG,
           "refused: a channel without a ring, and one that is none");
    tap_ok(drv_ring(driver[0], CHANNEL, &ring[0]) == DRV_FULL, "a channel that has a ring");
    wrong = ring[0];
    wrong.log2 = RING_LOG2 + 7;
    tap_ok(drv_ring(driver[0], 0, &wrong) == DRV_WRONG, "a ring larger than its memory");
    wrong = ring[0];
    wrong.place = one.memory;
    tap_ok(drv_ring(driver[0], 0, &wrong) == DRV_WRONG, "a ring in memory of a process");
    wrong = ring[0];
    wrong.transactions = 17;
    tap_ok(drv_ring(driver[0], 0, &wrong) == DRV_WRONG, "more transactions than a channel has");
    tap_ok(drv_ring_end(driver[0], 0) == DRV_WRONG, "the end of a ring that is none");
    while (drv_post(one.process, CHANNEL, &t) == DRV_OK) {
        t.tag++;
    }
    tap_ok(t.tag == 1 << RING_LOG2 && drv_post(one.process, CHANNEL, &t) == DRV_FULL,
           "a ring has %u transfers and no more", 1 << RING_LOG2);
    uint64_t right = 0;
    for (uint64_t tag = 0; tag < t.tag && await_over(0, &over); tag++) {
        right += over.tag == tag && over.status == 0;
    }
    tap_ok(right == t.tag && drv_post(one.process, CHANNEL, &t) == DRV_OK,
           "when they are over, in their order, there is space again");
    stop("refused");
}

/* Two processes of two jobs in one ring: many more transfers than it has places. */
static void test_again(uint64_t seed)
{
    enum { TRANSFERS = 1200, PIECE = 512 };
    struct task task[2], to[2];
    struct drv_over over;
    unsigned posted = 0, done = 0, wrong = 0;

    start(seed);
    for (unsigned i = 0; i < 2; i++) {
        given(task_start(&task[i], 0, JOB + i, NAMES_ANY));
        given(task_start(&to[i], 1, JOB + i, NAMES_ANY));
        draw_memory(&task[i]);
    }
    for (unsigned waited = 0; done < TRANSFERS && waited < PATIENCE; waited++) {
        const unsigned i = posted % 2;
        struct drv_transfer t = between(&task[i], &to[i], false, 1 + posted % 40);

        t.local = t.offset = (uint64_t)(posted % 600) * 27;
        t.global_event = false;
        t.fence = posted % 5 == 0;
        t.tag = posted;
        if (posted < TRANSFERS && drv_post(task[i].process, CHANNEL, &t) == DRV_OK) {
            posted++;
        }
        if (drv_over(driver[0], &over)) {
            const unsigned who = over.tag % 2;
            const uint64_t where = over.tag % 600 * 27;

            wrong += over.tag != done || over.status != 0 || over.process != task[who].process ||
                     memcmp(at(&task[who], task[who].memory + where),
                            at(&to[who], to[who].memory + where), 1 + over.tag % 40) != 0;
            done++;
            waited = 0;
        }
        nic_bench_clock(b);
    }
    tap_why("%u posted, %u over, %u wrong", posted, done, wrong);
    tap_ok(done == TRANSFERS && wrong == 0,
           "%u transfers of two processes through a ring of %u: all indices go round", TRANSFERS,
           1 << RING_LOG2);
    tap_ok(drv_ring_end(driver[0], CHANNEL) == DRV_OK, "the ring ends");
    given(drv_kernel_memory(driver[0], 64 << RING_LOG2, &ring[0].place));
    ring[0].memory = chip_memory(b, 0, ring[0].place);
    given(drv_ring(driver[0], CHANNEL, &ring[0]));
    const struct drv_transfer t = between(&task[0], &to[0], true, 256);
    given(drv_post(task[0].process, CHANNEL, &t));
    tap_ok(await_over(0, &over) && over.status == 0, "and the channel has another");
    stop("again");
}

/* ---- the end of processes ------------------------------------------------------------------------------- */

/* What is over: of a process that has not ended; of one that has nothing is reported. */
static void hear(const struct task *stays, uint64_t *others, uint64_t *told)
{
    struct drv_over over;

    while (drv_over(driver[0], &over)) {
        *told += over.process != stays->process;
        *others += over.process == stays->process && over.tag == *others && over.status == 0;
    }
}

/* Whole-memory transfers of one process, and a short one of another behind them, which begins when there is space. */
static bool post_all(const struct task *here, const struct task *stays, const struct task *there,
                     uint64_t *others, uint64_t *told)
{
    enum drv_result result = DRV_OK;

    for (unsigned i = 0; i < 1 << RING_LOG2 && result == DRV_OK; i++) {
        const bool last = i + 1 == 1 << RING_LOG2;
        const struct task *of = last ? stays : here;
        const bool get = rng_below(&b->rng, 2) != 0;
        struct drv_transfer t = between(of, there, get, last ? 64 : BYTES);

        t.tag = *others;
        while ((result = drv_post(of->process, CHANNEL, &t)) == DRV_FULL) {
            hear(stays, others, told);
            t.tag = *others;
            rest(16);
        }
    }
    return result == DRV_OK;
}

/*
 * A process ends in the middle of its puts and gets, posted and begun; the next one gets its memory, and waits for its handle. What comes to
 * it that it has not asked for is a stray.
 */
static void test_ends(uint64_t seed)
{
    struct task there, here, stays;
    uint64_t strays = 0, told = 0, others = 0, rested = 0;
    bool right = true;

    start(seed);
    given(task_start(&there, 1, JOB, 7));
    given(task_start(&stays, 0, JOB, NAMES_ANY));
    for (unsigned round = 0; round < ROUNDS && right; round++) {
        enum drv_result result;

        while ((result = task_start(&here, 0, JOB, 9)) == DRV_RESTS) {
            right &= drv_process_end(here.process) == DRV_OK;
            rested++;
            rest(50);
        }
        right &= result == DRV_OK;
        memset(at(&here, here.memory), (int)(round & 0x7F), BYTES);
        rest(300);
        for (unsigned i = 0; i < BYTES; i++) {
            strays += *at(&here, here.memory + i) != (round & 0x7F);
        }
        hear(&stays, &others, &told);
        memset(at(&there, there.memory), 0xEE, BYTES);
        right &= post_all(&here, &stays, &there, &others, &told);
        rest(rng_below(&b->rng, 3000));
        right &= drv_process_end(here.process) == DRV_OK;
        right &= drv_place(driver[0], here.memory, 1) == NULL;
    }
    tap_why("%d, strays %" PRIu64 ", told %" PRIu64, right, strays, told);
    tap_ok(right && strays == 0 && told == 0,
           "%u processes, each ended in the middle of its transfers: nothing comes to the next one",
           ROUNDS);
    tap_at_least(rested, 1, "the handle that is wanted again rested");
    rest(8 * DRIVER_EPOCH);
    hear(&stays, &others, &told);
    tap_equal(others, ROUNDS, "transfers of another process in the same ring");
    tap_equal(drv_rest(driver[0]), 0, "names that rest at the end");
    stop("ends");
}

/* ---- a ring that cannot be read --------------------------------------------------------------------------- */

static void test_unreadable(uint64_t seed)
{
    struct task one, two;
    struct drv_over over;
    unsigned good = 0, bus = 0;

    start(seed);
    given(task_start(&one, 0, JOB, NAMES_ANY));
    given(task_start(&two, 1, JOB, NAMES_ANY));
    const struct host_fault third = {
        .from = ring[0].place + 128, .to = ring[0].place + 192, .bus_error = true};
    const uint64_t before = nic_bench_read(b, 0, NR_BTE_FAILED);
    host_add_fault(b->node[0].host, &third);
    for (unsigned i = 0; i < 1 << RING_LOG2; i++) {
        struct drv_transfer t = between(&one, &two, i % 2 != 0, 200);

        t.tag = i;
        given(drv_post(one.process, CHANNEL, &t));
    }
    for (unsigned i = 0; i < 1 << RING_LOG2 && await_over(0, &over); i++) {
        good += i < 2 && over.tag == i && over.status == 0;
        bus += i >= 2 && over.tag == i && over.status == 13;
    }
    tap_ok(good == 2 && bus == 2,
           "a third descriptor that cannot be read: the first two OK, the rest BUS");
    tap_equal(nic_bench_read(b, 0, NR_BTE_FAILED) - before, 1, "it is counted");
    host_clear_faults(b->node[0].host);
    for (unsigned i = 0; i < 9; i++) {
        const struct drv_transfer t = between(&one, &two, i % 2 != 0, 200);

        given(drv_post(one.process, CHANNEL, &t));
        good += await_over(0, &over) && over.status == 0;
    }
    tap_equal(good, 11, "afterwards the channel works again");
    stop("unreadable");
}

/* ---- messages ------------------------------------------------------------------------------------------- */

/* A process with a channel's buffers, so many. */
static void receive(const struct task *t, unsigned log2)
{
    struct drv_posts posts = {.log2 = log2};

    given(drv_kernel_memory(driver[t->chip], 32 << log2, &posts.place));
    posts.memory = chip_memory(b, t->chip, posts.place);
    memset(posts.memory, 0, 32u << log2);
    given(drv_receive(t->process, CHANNEL, &posts));
}

static bool await_message(const struct task *t, struct drv_message *m)
{
    for (unsigned n = 0; n < PATIENCE; n += 16) {
        if (drv_message(t->process, CHANNEL, m)) {
            return true;
        }
        rest(16);
    }
    return false;
}

static void test_messages(uint64_t seed)
{
    enum { MESSAGES = 20, SIZE = 600 };
    struct task one, two, three;
    struct drv_over over = {0};
    struct drv_message m = {0};
    unsigned good = 0;

    start(seed);
    given(task_start(&one, 0, JOB, NAMES_ANY));
    given(task_start(&two, 1, JOB, NAMES_ANY));
    given(task_start(&three, 1, JOB, NAMES_ANY));
    draw_memory(&one);
    struct drv_buffer buffer = {.mdh = two.mdh, .bytes = SIZE};
    tap_equal(drv_post_buffer(two.process, CHANNEL, &buffer), DRV_WRONG, "no ring of buffers");
    receive(&two, 1);
    buffer.offset = BYTES - SIZE + 1;
    tap_equal(drv_post_buffer(two.process, CHANNEL, &buffer), DRV_WRONG, "beyond its handle");
    buffer.offset = 0;
    tap_equal(drv_post_buffer(three.process, CHANNEL, &buffer), DRV_WRONG, "another's channel");
    for (unsigned i = 0; i < MESSAGES; i++) {
        struct drv_transfer t = between(&one, &two, false, 1 + rng_below(&b->rng, SIZE));

        t.send = true;
        t.mdh = CHANNEL;
        t.local = i;
        t.has_word = true;
        t.target = i * 77;
        buffer.offset = SIZE * (i % 4);
        buffer.tag = 100 + i;
        given(drv_post_buffer(two.process, CHANNEL, &buffer));
        rest(300);
        given(drv_post(one.process, CHANNEL, &t));
        good +=
            await_over(0, &over) && over.status == 0 && await_message(&two, &m) && m.status == 0 &&
            m.bytes == t.bytes && m.tag == buffer.tag && m.has_word && m.word == t.target &&
            m.from == b->node[0].address &&
            memcmp(at(&one, one.memory + i), at(&two, two.memory + buffer.offset), t.bytes) == 0;
    }
    tap_equal(good, MESSAGES, "messages: bytes, length, word and sender of each");
    given(drv_post_buffer(two.process, CHANNEL, &buffer));
    tap_equal(drv_segment_end(two.process, two.mdh), DRV_WRONG,
              "a handle with a posted buffer stays");
    tap_equal(drv_process_end(two.process), DRV_OK, "a process ends with its buffers");
    receive(&three, 2);
    tap_ok(!drv_message(three.process, CHANNEL, &m), "and the next one has the channel");
    tap_equal(drv_receive_end(three.process, CHANNEL), DRV_OK, "which ends");
    tap_ok(drv_process_end(three.process) == DRV_OK && drv_process_end(one.process) == DRV_OK,
           "all processes end");
    stop("messages");
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);

    test_put_and_get(seed);
    test_refused(seed + 1);
    test_again(seed + 2);
    test_ends(seed + 3);
    test_unreadable(seed + 4);
    test_messages(seed + 5);
    return tap_done();
}
