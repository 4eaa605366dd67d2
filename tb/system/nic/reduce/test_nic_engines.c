// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_engines.c - collective engines by the driver (sim/host): a job of three processes on two nodes reduces; who may have an engine, and
 * what becomes of a reduction, its memory and its engine when a process of it ends.
 *
 * Built for aries: fast.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/host/driver_engines.h"
#include "sim/host/fma.h"
#include "tb/system/nic/bench_host.h"
#include "tb/system/nic/nic_channel.h"

enum { NODES = 2, PROCESSES = 3, ENGINE = 2, PATIENCE = 20000, EPOCH = 4096, MEMORY = 4096 };
enum { FPADD_64 = 0x1D, RING_LOG2 = 6, RESULT = 40, SEQUENCE = 8 };

/* A process: its memory has its ring, and a place for its result. */
struct party {
    struct drv_process *process;
    struct nic_bench *bench;
    unsigned node, descriptor, queue, mdh, child;
    uint64_t place, events;
    struct nic_host host;
    struct fma fma;
};

static struct ptags ptags;
static struct drv *driver[NODES];

/* What the test begins with. */
static void given(enum drv_result result)
{
    if (result != DRV_OK) {
        fprintf(stderr, "a test does not begin: %s\n", drv_says(result));
        exit(1);
    }
}

static void start(struct nic_bench *b)
{
    for (unsigned node = 0; node < NODES; node++) {
        const struct nic_host host = bench_host(&b->node[node]);
        const struct drv_config config = {.node = b->node[node].address,
                                          .epoch = EPOCH,
                                          .memory_bytes = BENCH_MEMORY,
                                          .window_log2 = NIC_WINDOW_LOG2,
                                          .ptags = &ptags};

        given(drv_start(&driver[node], &host, &config));
    }
}

static struct party party(struct nic_bench *b, unsigned node, uint64_t job)
{
    struct drv *d = driver[node];
    struct party p = {.bench = b, .node = node, .host = bench_host(&b->node[node])};

    given(drv_process(d, job, &p.process));
    given(drv_memory(p.process, 0, MEMORY, &p.place));
    memset(host_memory(b->node[node].host) + p.place, 0, MEMORY);
    given(drv_queue(p.process, NAMES_ANY,
                    &(struct drv_queue){.place = p.place, .log2 = RING_LOG2, .threshold = 1},
                    &p.queue));
    given(drv_segment(
        p.process, NAMES_ANY,
        &(struct drv_segment){.place = p.place + MEMORY / 2, .bytes = MEMORY / 2, .write = true},
        &p.mdh));
    given(drv_descriptor(p.process, &(struct drv_descriptor){.transactions = 2, .requests = 8},
                         &p.descriptor));
    p.fma = (struct fma){
        .page = drv_page(d, p.descriptor), .context = p.host.context, .store = p.host.store};
    return p;
}

/* Node 0: the first process, the engine of node 1, the second process; there the third one. */
static void plant(struct nic_bench *b, struct party *p)
{
    struct drv_engine root = {
        .is_root = true,
        .events = true,
        .errors = true,
        .children = 3,
        .child = {{.descriptor = p[0].descriptor},
                  {.is_engine = true, .node = b->node[1].address, .engine = ENGINE},
                  {.descriptor = p[1].descriptor}},
    };
    struct drv_engine leaf = {
        .parent = b->node[0].address,
        .parent_engine = ENGINE,
        .place = 1,
        .events = true,
        .errors = true,
        .children = 1,
        .child = {{.descriptor = p[2].descriptor}},
    };

    p[0].child = 0;
    p[1].child = 2;
    p[2].child = 0;
    given(drv_engine(p[0].process, ENGINE, &root));
    given(drv_engine(p[2].process, ENGINE, &leaf));
}

static uint64_t word_at(const struct party *p, uint64_t at)
{
    uint64_t word;

    memcpy(&word, host_memory(p->bench->node[p->node].host) + p->place + at, sizeof(word));
    return word;
}

static uint64_t bits_of(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static void join(struct party *p, unsigned id, double value)
{
    fma_join(&p->fma, &(struct fma_join){.engine = ENGINE,
                                         .child = p->child,
                                         .id = id,
                                         .operation = FPADD_64,
                                         .first = bits_of(value),
                                         .local_mdh = p->mdh,
                                         .result = RESULT,
                                         .queue = p->queue,
                                         .event = 0xABC000 + id});
}

/* The next event says that reduction `id` ended so, and the control word, too. */
static bool hears(struct party *p, unsigned id, unsigned status)
{
    const uint64_t begin = p->bench->clock, at = 8 * (p->events & ((1 << RING_LOG2) - 1));
    uint64_t control;

    while (word_at(p, at) == 0 && p->bench->clock - begin < PATIENCE) {
        nic_bench_clock(p->bench);
    }
    control = word_at(p, MEMORY / 2 + RESULT);
    tap_why("event %#llx, control word %#llx", (unsigned long long)word_at(p, at),
            (unsigned long long)control);
    p->events++;
    return word_at(p, at) == ((uint64_t)status << 59 | (uint64_t)4 << 56 | (0xABC000 + id)) &&
           control == ((uint64_t)1 << FMA_JOIN_DONE | (uint64_t)id << FMA_JOIN_ID | status);
}

static void test_sum(struct party *p)
{
    bool heard = true;

    for (unsigned i = 0; i < PROCESSES; i++) {
        join(&p[i], 1, 0.5 * (1 << i));
    }
    for (unsigned i = 0; i < PROCESSES; i++) {
        heard = hears(&p[i], 1, 0) && heard;
        tap_equal(word_at(&p[i], MEMORY / 2 + RESULT + 8), bits_of(3.5), "process %u: the sum", i);
    }
    tap_ok(heard, "each process hears of it");
}

/* What no job may: an engine of another, a child that is another's descriptor, the end of a descriptor that may join. */
static void test_owners(struct nic_bench *b, struct party *p)
{
    struct party other = party(b, 0, 99);
    struct drv_engine alone = {
        .is_root = true, .children = 1, .child = {{.descriptor = other.descriptor}}};

    tap_equal(drv_engine(other.process, ENGINE, &alone), DRV_FULL, "an engine of another job");
    tap_equal(drv_engine(other.process, DRV_ENGINES, &alone), DRV_WRONG, "one that there is not");
    alone.child[0].descriptor = p[0].descriptor;
    tap_equal(drv_engine(other.process, 0, &alone), DRV_WRONG, "a descriptor of another job");
    tap_equal(drv_engine_end(other.process, ENGINE), DRV_WRONG, "the end of another's engine");
    tap_equal(drv_descriptor_end(p[1].process, p[1].descriptor), DRV_WRONG,
              "the end of a descriptor that may join");
    given(drv_process_end(other.process));
}

/*
 * A process of a reduction under way ends: the others hear SEQUENCE at once, its own memory is not touched any more, and the engine is free for
 * another job.
 */
static void test_end(struct nic_bench *b, struct party *p)
{
    const uint64_t place = p[1].place;
    struct party other;

    for (unsigned i = 0; i < NODES; i++) {
        memset(host_memory(b->node[p[i].node].host) + p[i].place + MEMORY / 2, 0, MEMORY / 2);
        join(&p[i], 2, 1);
    }
    for (unsigned i = 0; i < 500; i++) {
        nic_bench_clock(b);
    }
    tap_equal(drv_process_end(p[1].process), DRV_OK, "a process ends in a reduction");
    tap_ok(hears(&p[0], 2, SEQUENCE), "the other one of its node hears SEQUENCE");
    memset(host_memory(b->node[0].host) + place, 0x5A, MEMORY);
    join(&p[2], 2, 1); /* CE_UP of node 1 finds nobody */
    tap_ok(hears(&p[2], 2, 6), "the one of the other node: PROTECTION");
    bool touched = false;
    for (unsigned i = 0; i < MEMORY; i++) {
        touched = touched || host_memory(b->node[0].host)[place + i] != 0x5A;
    }
    tap_ok(!touched, "memory of the one that ended is not touched");
    other = party(b, 0, 7);
    const struct drv_engine alone = {.is_root = true,
                                     .events = true,
                                     .children = 1,
                                     .child = {{.descriptor = other.descriptor}}};
    tap_equal(drv_engine(other.process, ENGINE, &alone), DRV_OK, "another job gets the engine");
    join(&other, 1, 2.5);
    tap_ok(hears(&other, 1, 0), "and reduces");
    tap_equal(drv_engine_end(other.process, ENGINE), DRV_OK, "its engine ends");
    tap_equal(drv_descriptor_end(other.process, other.descriptor), DRV_OK, "then its descriptor");
}

int main(int argc, char **argv)
{
    struct nic_bench *b = channel_bench_new(NODES, test_seed(argc, argv), NULL);
    struct party p[PROCESSES];

    channel_of(b)->knobs = (struct channel_knobs){.delay = 10};
    ptags_start(&ptags);
    start(b);
    p[0] = party(b, 0, 7);
    p[1] = party(b, 0, 7);
    p[2] = party(b, 1, 7);
    plant(b, p);
    test_sum(p);
    test_owners(b, p);
    test_end(b, p);
    for (unsigned node = 0; node < NODES; node++) {
        tap_equal(drv_stop(driver[node]), DRV_OK, "the driver of node %u stops", node);
    }
    nic_bench_free(b);
    return tap_done();
}
