// SPDX-License-Identifier: Apache-2.0
/*
 * test_chip_driver.c - the driver (sim/host) on the NICs of two chips: processes that put to each other, what belongs to others is
 * refused, limits, and processes that end in the middle of their traffic, whose memory and names go to the next ones.
 *
 * Built for proto: fast.
 */
#include <inttypes.h>
#include <string.h>

#include "tb/system/chip/chip_driver.h"
#include "tb/system/nic/bench_host.h"

enum {
    RING_LOG2 = 6,
    BYTES = 0x2000,           /* of a process's memory */
    ADDRESS = 0x7f1234560040, /* where all processes have it */
    REST = 7 * DRIVER_EPOCH,
    JOB = 41,
    ROUNDS = 40
};

static struct nic_bench *b;
static struct ptags ptags;
static struct drv *driver[CHIPS];

/* A process with one of each. */
struct task {
    struct drv_process *process;
    unsigned node, descriptor, queue, mdh, events;
    uint64_t ring, memory; /* places */
};

static uint8_t *at(const struct task *t, uint64_t place)
{
    return host_memory(b->node[t->node].host) + place;
}

static void start(uint64_t seed)
{
    const struct channel_config cable = {.delay = 12, .ber = 1e-6};

    b = chip_bench_new(seed, NULL, &cable, NULL);
    ptags_start(&ptags);
    for (unsigned i = 0; i < CHIPS; i++) {
        driver[i] = chip_driver(b, i, &ptags);
    }
}

static void stop(const char *what)
{
    for (unsigned i = 0; i < CHIPS; i++) {
        tap_equal(drv_stop(driver[i]), DRV_OK, "%s: NIC %u stops", what, i);
    }
    nic_bench_free(b);
}

static enum drv_result segment_of(struct task *t, int wanted)
{
    const struct drv_segment want = {.place = t->memory,
                                     .bytes = BYTES,
                                     .read = true,
                                     .write = true,
                                     .atomic = true,
                                     .events = true,
                                     .queue = t->queue};

    return drv_segment(t->process, wanted, &want, &t->mdh);
}

/* A process of this job with 1 descriptor, a ring, memory and a handle of it. */
static enum drv_result task_start(struct task *t, unsigned node, uint64_t job, int mdh)
{
    const struct drv_descriptor fma = {.transactions = 4, .requests = 16, .flags = true};
    struct drv_queue queue = {.log2 = RING_LOG2, .threshold = 1};
    enum drv_result result = drv_process(driver[node], job, &t->process);

    t->node = node * CHIP_NICS;
    t->events = 0;
    if (result == DRV_OK) {
        result = drv_memory(t->process, ADDRESS - 0x10000, 8 << RING_LOG2, &t->ring);
        result = result ? result : drv_memory(t->process, ADDRESS, BYTES, &t->memory);
        result = result ? result : drv_descriptor(t->process, &fma, &t->descriptor);
        queue.place = t->ring;
        memset(at(t, t->ring), 0, 8 << RING_LOG2);
        result = result ? result : drv_queue(t->process, NAMES_ANY, &queue, &t->queue);
        result = result ? result : segment_of(t, mdh);
    }
    return result;
}

static void store(const struct task *t, uint64_t address, const void *data, unsigned n)
{
    const struct nic_host host = bench_host(&b->node[t->node]);

    host.store(host.context, address, data, n);
}

static void store_page(const struct task *t, unsigned word, uint64_t value)
{
    store(t, drv_page(driver[t->node / CHIP_NICS], t->descriptor) + word, &value, 8);
}

static void begin(const struct task *t, const struct task *to)
{
    store_page(t, 0x08, to->mdh | (uint64_t)t->mdh << 12 | (uint64_t)t->queue << 30);
    store_page(t, 0x00, (uint64_t)b->node[to->node].address << 40);
    store_page(t, 0x40, 0);
}

static void finish(const struct task *t, uint64_t tag)
{
    store_page(t, 0x68, (uint64_t)2 << 56 | tag);
}

static void put(const struct task *t, uint64_t offset, const void *data, unsigned n)
{
    store(t, drv_put_window(driver[t->node / CHIP_NICS], t->descriptor) + offset, data, n);
}

static void get(const struct task *t, uint64_t offset, uint64_t to, unsigned words)
{
    const uint64_t control = to | (uint64_t)(words - 1) << 40;

    store(t, drv_get_window(driver[t->node / CHIP_NICS], t->descriptor) + 2 * offset, &control, 8);
}

/* The next event of a process's ring, 0 if none comes. */
static uint64_t next_event(struct task *t)
{
    uint8_t *entry = at(t, t->ring + 8 * (t->events % (1 << RING_LOG2)));
    uint64_t event = 0;

    for (unsigned n = 0; n < 20000 && event == 0; n++) {
        nic_bench_clock(b);
        memcpy(&event, entry, 8);
    }
    if (event != 0) {
        const uint64_t read = ++t->events;

        memset(entry, 0, 8);
        store(t, drv_queue_page(driver[t->node / CHIP_NICS], t->queue), &read, 8);
    }
    return event;
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

/* ---- the shortest way ---------------------------------------------------------------------------------- */

static void test_put(uint64_t seed)
{
    struct task one, two;
    const uint64_t word = 0x1122334455667788;

    start(seed);
    given(task_start(&one, 0, JOB, NAMES_ANY));
    given(task_start(&two, 1, JOB, NAMES_ANY));
    tap_equal(drv_ptag(one.process), drv_ptag(two.process),
              "a process of one job on each of two nodes, with one ptag");
    begin(&one, &two);
    put(&one, 0x123, &word, 8);
    finish(&one, 77);
    const uint64_t event = next_event(&one);
    tap_ok((event & 0xFFFFFFFF) == 77 && (event >> 59 & 15) == 0 &&
               memcmp(at(&two, two.memory + 0x123), &word, 8) == 0,
           "a word that the one puts is in the other's memory when its event comes");
    tap_ok(drv_process_end(one.process) == DRV_OK && drv_process_end(two.process) == DRV_OK,
           "both end");
    rest(REST);
    tap_equal(drv_rest(driver[0]) + drv_rest(driver[1]), 0, "and all names are free again");
    stop("put");
}

/* ---- what is not one's own -------------------------------------------------------------------------------- */

static void test_owners(uint64_t seed)
{
    struct task one, two;
    unsigned name = 0;
    uint64_t place = 0;

    start(seed);
    given(task_start(&one, 0, JOB, NAMES_ANY));
    given(task_start(&two, 0, JOB + 1, NAMES_ANY));
    tap_ok(drv_ptag(one.process) != drv_ptag(two.process),
           "processes of two jobs on one node, with two ptags");
    const struct span *span = drv_place(driver[0], two.memory + 5, 100);
    tap_ok(one.memory != two.memory && one.memory % SPANS_PAGE == ADDRESS % SPANS_PAGE &&
               span != NULL && span->owner == two.process && span->address == ADDRESS,
           "one pointer of both is two places");
    tap_ok(drv_place(driver[0], two.memory + 5, BYTES) == NULL &&
               drv_place(driver[0], BENCH_MEMORY - 64, 8) == NULL,
           "what is of no process, or goes beyond its memory, is nobody's");
    struct drv_segment want = {.place = two.memory, .bytes = 64, .read = true};
    tap_equal(drv_segment(one.process, NAMES_ANY, &want, &name), DRV_WRONG,
              "a handle of another's memory");
    want = (struct drv_segment){.place = one.memory, .bytes = BYTES + 1, .read = true};
    tap_equal(drv_segment(one.process, NAMES_ANY, &want, &name), DRV_WRONG,
              "a handle beyond the memory");
    want =
        (struct drv_segment){.place = one.memory, .bytes = 64, .events = true, .queue = two.queue};
    tap_equal(drv_segment(one.process, NAMES_ANY, &want, &name), DRV_WRONG, "another's queue");
    tap_ok(drv_segment_end(one.process, two.mdh) == DRV_WRONG &&
               drv_queue_end(one.process, two.queue) == DRV_WRONG &&
               drv_descriptor_end(one.process, two.descriptor) == DRV_WRONG &&
               drv_memory_end(one.process, two.memory) == DRV_WRONG &&
               drv_segment_end(one.process, 1 << 30) == DRV_WRONG,
           "another's handle, queue, descriptor and memory are not ended, nor what is none");
    want = (struct drv_segment){.place = one.memory, .bytes = 64, .read = true};
    tap_equal(drv_segment(one.process, (int)two.mdh, &want, &name), DRV_FULL,
              "a handle that is in use");
    tap_equal(drv_memory_end(one.process, one.memory), DRV_WRONG,
              "memory that a handle names is kept");
    const struct drv_queue small = {.place = one.ring, .log2 = 5},
                           odd = {.place = one.ring + 8, .log2 = 6};
    tap_ok(drv_queue(one.process, NAMES_ANY, &small, &name) == DRV_WRONG &&
               drv_queue(one.process, NAMES_ANY, &odd, &name) == DRV_WRONG,
           "a ring that is too small, or at an odd place");
    const struct drv_descriptor none = {.transactions = 0, .requests = 4},
                                nodes = {
                                    .transactions = 1, .requests = 4, .is_virtual = true, .pes = 2};
    tap_ok(drv_descriptor(one.process, &none, &name) == DRV_WRONG &&
               drv_descriptor(one.process, &nodes, &name) == DRV_WRONG,
           "a descriptor without transactions, and with nodes that are none of its own");
    tap_ok(drv_memory(one.process, ADDRESS, 0, &place) == DRV_WRONG &&
               drv_memory(one.process, ADDRESS, BENCH_MEMORY, &place) == DRV_FULL,
           "memory of no bytes, and more than there is");
    stop("owners");
}

/* ---- variables ------------------------------------------------------------------------------------------- */

/* Ten cached sums of 1 to a variable of the other, in one transaction; the status of its event. */
static unsigned add_ten(struct task *one, const struct task *two, uint64_t tag)
{
    const uint64_t cached_add = 0x75, value = 1;

    store_page(one, 0x08,
               two->mdh | (uint64_t)one->mdh << 12 | (uint64_t)one->queue << 30 | cached_add << 40);
    store_page(one, 0x00, (uint64_t)b->node[two->node].address << 40);
    store_page(one, 0x40, 0);
    for (unsigned i = 0; i < 10; i++) {
        put(one, 0x100, &value, 8);
    }
    finish(one, tag);
    return next_event(one) >> 59 & 15;
}

static uint64_t variable(const struct task *t)
{
    uint64_t value;

    memcpy(&value, at(t, t->memory + 0x100), 8);
    return value;
}

/* Changes that are written together; a process ends with such changes, the next one gets its memory. */
static void test_variables(uint64_t seed)
{
    enum { OWNERS = 6 };
    struct task one, two;
    unsigned early = 0, late = 0, failed = 0;

    start(seed);
    given(task_start(&one, 0, JOB, NAMES_ANY));
    tap_ok(drv_variables(driver[1], 4, 0) == DRV_WRONG &&
               drv_variables(driver[1], 0, 1 << 16) == DRV_WRONG &&
               drv_variables(driver[1], 0, 60000) == DRV_OK,
           "so many changes may be written together, not more");
    for (unsigned owner = 0; owner < OWNERS; owner++) {
        const uint64_t begun = 1000 * (owner + 1);

        given(task_start(&two, 1, JOB, NAMES_ANY));
        memcpy(at(&two, two.memory + 0x100), &begun, 8);
        failed += add_ten(&one, &two, owner + 1) != 0;
        early += variable(&two) != begun;
        failed += (owner % 2 ? drv_segment_end(two.process, two.mdh)
                             : drv_process_end(two.process)) != DRV_OK;
        late += variable(&two) != begun + 10;
        if (owner % 2) {
            failed += drv_process_end(two.process) != DRV_OK;
        }
        rest(REST);
        late += variable(&two) != begun + 10;
    }
    tap_ok(
        failed == 0 && early == 0,
        "ten sums each to a variable of %u processes, one after the other: memory has none of them",
        OWNERS);
    tap_equal(
        late, 0,
        "a process or handle that ends writes them once: its variable has them, and nothing later");
    stop("variables");
}

/* ---- limits ---------------------------------------------------------------------------------------------------- */

static void test_limits(uint64_t seed)
{
    struct drv_process *p = NULL;
    struct drv_descriptor want = {.transactions = 1, .requests = 4};
    unsigned name = 0, last = 0, descriptors = 0;
    enum drv_result result;

    start(seed);
    given(drv_process(driver[0], JOB, &p));

    while ((result = drv_descriptor(p, &want, &name)) == DRV_OK) {
        descriptors++;
        last = name;
    }
    tap_ok(result == DRV_FULL && descriptors == 1 << NIC_FMA_LOG2,
           "all %u descriptors, and no more", descriptors);
    tap_ok(drv_descriptor_end(p, last) == DRV_OK && drv_rest(driver[0]) == 0,
           "one that has nothing in flight rests no longer than a look");
    want.requests = (1 << NIC_TAG_LOG2) - 8;
    tap_equal(drv_descriptor(p, &want, &name), DRV_FULL, "more requests than there are tags");
    want.requests = 4;
    want.transactions = 1 << NIC_SSID_LOG2;
    tap_equal(drv_descriptor(p, &want, &name), DRV_FULL, "more transactions than there are ids");
    want.transactions = 1;
    tap_ok(drv_descriptor(p, &want, &name) == DRV_OK && name == last, "as many as are left");
    stop("limits");
}

/* A queue that ends before the handles that name it. */
static void test_queues(uint64_t seed)
{
    struct task t;
    unsigned name = 0;
    uint64_t place = 0;
    struct drv_queue want = {.log2 = RING_LOG2};

    start(seed);
    given(task_start(&t, 0, JOB, 9));

    tap_equal(t.mdh, 9, "a handle that is wanted");
    const enum drv_result first = drv_queue_end(t.process, t.queue);
    tap_ok(first == DRV_OK && drv_queue_end(t.process, t.queue) == DRV_WRONG,
           "a queue ends before a handle that names it, once");
    drv_memory(t.process, ADDRESS, 8 << RING_LOG2, &place);
    want.place = (place + 63) / 64 * 64;
    tap_ok(drv_queue(t.process, (int)t.queue, &want, &name) != DRV_OK, "its name is kept");
    tap_ok(drv_segment_end(t.process, t.mdh) == DRV_OK &&
               drv_memory_end(t.process, t.memory) == DRV_OK,
           "the handle ends, and its memory");
    rest(0);
    tap_equal(drv_queue(t.process, (int)t.queue, &want, &name), DRV_OK, "then it can be had again");
    stop("queues");
}

/* ---- the end of processes ---------------------------------------------------------------------------------- */

/*
 * A process ends in the middle of its puts and gets; the next one gets its memory and may have its ptag, handle and queue. What comes to
 * it that it has not asked for is a stray.
 */
static void test_ends(uint64_t seed)
{
    struct task there, here;
    uint64_t strays = 0, events = 0, rested = 0, most = 0;
    bool right = true;

    start(seed);
    given(task_start(&there, 1, JOB, 7));

    memset(at(&there, there.memory), 0xEE, BYTES);
    for (unsigned round = 0; round < ROUNDS && right; round++) {
        enum drv_result result;
        unsigned waited = 0;

        while ((result = task_start(&here, 0, JOB, 7)) == DRV_RESTS) {
            right &= drv_process_end(here.process) == DRV_OK;
            rested++;
            rest(200);
            waited += 200;
        }
        most = waited > most ? waited : most;
        right &= result == DRV_OK;
        memset(at(&here, here.memory), (int)(round & 0x7F), BYTES);
        rest(500);
        for (unsigned i = 0; i < BYTES; i++) {
            strays += *at(&here, here.memory + i) != (round & 0x7F);
        }
        for (unsigned i = 0; i < 8 << RING_LOG2; i++) {
            events += *at(&here, here.ring + i) != 0;
        }
        begin(&here, &there);
        for (unsigned i = 0; i < 12; i++) {
            get(&here, 64 * i, 64 * i, 16);
        }
        put(&here, 0, &round, 4);
        finish(&here, round);
        rest(rng_below(&b->rng, 400));
        right &= drv_process_end(here.process) == DRV_OK;
        right &= drv_place(driver[0], here.memory, 1) == NULL;
    }
    tap_why("%d, strays %" PRIu64 ", events %" PRIu64, right, strays, events);
    tap_ok(right && strays == 0 && events == 0,
           "%u processes, each ended in the middle of its gets: nothing comes to the next one",
           ROUNDS);
    tap_ok(rested > 0 && most < 6 * DRIVER_EPOCH, "names rested, %" PRIu64 " clocks at most", most);
    tap_equal(drv_process_end(there.process), DRV_OK, "the other end, too");
    stop("ends");
}

/* A ptag goes to another job two epochs after the last of its nodes has nothing of it. */
static void test_ptags(uint64_t seed)
{
    struct task one, two;
    struct drv_process *p = NULL, *all[PTAGS] = {NULL};
    unsigned count = 0;
    bool right;

    start(seed);
    given(task_start(&one, 0, 1000, NAMES_ANY));
    given(task_start(&two, 1, 1000, NAMES_ANY));
    const unsigned ptag = drv_ptag(one.process);

    while (drv_process(driver[0], 2000 + count, &p) == DRV_OK) {
        all[count++] = p;
    }
    tap_equal(count, PTAGS - 2, "%u jobs have all ptags", count + 1);
    right = drv_process_end(one.process) == DRV_OK;
    rest(REST);
    tap_ok(right && drv_process(driver[0], 1, &p) == DRV_FULL,
           "one node of a job has ended: no ptag is free");
    right = drv_process_end(two.process) == DRV_OK;
    const uint64_t from = b->clock;
    tap_ok(right && drv_process(driver[0], 1, &p) == DRV_RESTS, "both have: it rests");
    while (drv_process(driver[0], 1, &p) == DRV_RESTS) {
        rest(10);
    }
    tap_why("%" PRIu64 " clocks", b->clock - from);
    tap_ok(p != NULL && drv_ptag(p) == ptag && b->clock - from <= 2 * DRIVER_EPOCH + 100 &&
               b->clock - from + 100 >= 2 * DRIVER_EPOCH,
           "for two epochs");
    for (unsigned i = 0; i < 3; i++) {
        drv_process_end(all[i]);
    }
    stop("ptags");
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);

    test_put(seed);
    test_owners(seed + 1);
    test_variables(seed + 9);
    test_limits(seed + 2);
    test_queues(seed + 3);
    test_ends(seed + 4);
    test_ptags(seed + 5);
    return tap_done();
}
