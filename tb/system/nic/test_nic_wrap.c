// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_wrap.c - counts that wrap: what takes years to happen is set to just before it, the rest is counted round. Generations of tags (2 bits),
 * requests of a transaction, transactions of a descriptor (9), epochs (3), indices of a completion queue (32), counters and the clock (48).
 *
 * Built for proto: san.
 */
#include "tb/system/nic/nic_actor.h"

#include <string.h>

static struct misses missed; /* by the check that comes next */

enum { SOON = 10 };

static struct actor a;

static struct nic *nic_of(unsigned node)
{
    return &channel_of(a.bench)->node[node].nic;
}

/* The ring of the actor goes on from an index just below 2^32. */
static void test_indices(void)
{
    struct cq *cq = &nic_of(0)->target.cq;
    const uint32_t first = (uint32_t)-SOON;
    uint64_t full = actor_counter(&a, 0, NR_CQ_FULL);
    unsigned ok = 0;
    bool overrun;

    cq->written[ACTOR_QUEUE].index = first;
    cq->read[ACTOR_QUEUE] = first;
    a.ring_read = first;
    for (unsigned i = 0; i < 2 * SOON; i++) {
        ok += actor_put(&a, 1, ACTOR_THERE, 8 * i) == GN_OK &&
              (uint32_t)actor_queue(&a) == (uint32_t)a.ring_read;
    }
    /* holds cq.indices */
    must_be(&missed, ok, 2 * SOON);
    must_be(&missed, (uint32_t)a.ring_read, SOON);
    tap_taken(&missed, "indices of a queue: %u events in their places over 2^32", ok);

    cq->written[ACTOR_QUEUE].index = first;
    cq->read[ACTOR_QUEUE] = first;
    for (unsigned i = 0; i < (1 << ACTOR_RING_LOG2) + 1; i++) { /* 63 fit */
        actor_begin(&a, 1, ACTOR_THERE, 0);
        actor_end(&a, WANTS_GLOBAL);
        actor_run(&a, 100);
    }
    full = actor_counter(&a, 0, NR_CQ_FULL) - full;
    memset(host_memory(a.bench->node[0].host) + ACTOR_RING_AT, 0, 8 << ACTOR_RING_LOG2);
    a.ring_read = (uint64_t)first + 63;
    actor_store(&a, store_queue(ACTOR_QUEUE, (uint32_t)a.ring_read));
    actor_begin(&a, 1, ACTOR_THERE, 0);
    actor_end(&a, WANTS_GLOBAL);
    overrun = actor_event(&a, ACTOR_PATIENCE) >> 63 == 1;
    must_be(&missed, full, 2);
    must_hold(&missed, overrun);
    tap_taken(&missed, "indices of a queue: full over 2^32, too: %llu events dropped",
              (unsigned long long)full);
}

/* More requests than any count of a transaction holds, and more uses of each tag than generations. */
static void test_requests(void)
{
    enum { REQUESTS = 5000 };
    uint64_t sent = actor_counter(&a, 0, NR_ORB_REQUESTS);
    int status;

    actor_begin(&a, 1, ACTOR_THERE, 0);
    for (unsigned i = 0; i < REQUESTS; i++) {
        actor_store(&a, store_launch(ACTOR_FMA, (uint64_t)1 << 40 | (i % 512 * 8), false, i));
    }
    actor_end(&a, WANTS_GLOBAL);
    status = actor_ending(&a);
    sent = actor_counter(&a, 0, NR_ORB_REQUESTS) - sent;
    must_be(&missed, status, GN_OK);
    must_at_least(&missed, sent, REQUESTS, "%s", "sent");
    tap_taken(&missed, "a transaction of %d puts, %d times all tags: %d", REQUESTS,
              REQUESTS / NIC_TAGS, status);
}

/* More transactions than a descriptor counts, over more epochs than an id remembers. */
static void test_transactions(void)
{
    enum { TRANSACTIONS = 1100 };
    unsigned ok = 0;

    for (unsigned i = 0; i < TRANSACTIONS; i++) {
        ok += actor_put(&a, 1 + i % 2, ACTOR_THERE, 8 * (i % 512)) == GN_OK;
    }
    must_be(&missed, ok, TRANSACTIONS);
    must_be(&missed, (actor_status(&a) & 0x3FF), 0);
    tap_taken(&missed, "%u transactions of one descriptor, %llu epochs", ok,
              (unsigned long long)(a.bench->clock / ACTOR_EPOCH));
}

static void test_counters(void)
{
    struct nic_regs *regs = &nic_of(0)->regs;
    unsigned number = NR_FMA_NOT_OPEN - NR_REGISTER_REFUSED;
    uint64_t counted, when;

    actor_run(&a, 200);
    do { /* nothing of it is on its way back into memory */
        actor_run(&a, 1);
    } while ((unsigned)(regs->counters.turn ^ number) != 1u << (NIC_COUNTERS_LOG2 - 1));
    regs->counters.counters[number] = (u48)-2;
    for (unsigned i = 0; i < 5; i++) {
        actor_store(&a, store_put(ACTOR_FMA, 0, actor_data, 8));
    }
    actor_run(&a, 200); /* the last store is on its way */
    counted = actor_counter(&a, 0, NR_FMA_NOT_OPEN);
    must_be(&missed, counted, 3);
    tap_taken(&missed, "a counter over 2^48: %llu", (unsigned long long)counted);

    regs->now = (u48)-20;
    actor_run(&a, 40);
    nic_bench_write(a.bench, 0, NR_FIRST_ERROR, 1);
    actor_put(&a, 0, ACTOR_NONE, 0);
    when = actor_counter(&a, 0, NR_FIRST_TIME);
    must_at_least(&missed, when, 20 + 1, "%s", "when");
    must_hold(&missed, when < ACTOR_PATIENCE);
    tap_taken(&missed, "the clock of the first error over 2^48: %llu", (unsigned long long)when);
}

int main(int argc, char **argv)
{
    const struct program_knobs others = {
        .processes = 2, .most = 4, .limit = 4, .messages = 0.2, .flagged = true};

    actor_start(&a, test_seed(argc, argv), &others, NULL);
    test_indices();
    test_requests();
    test_transactions();
    a.traffic = true;
    test_indices();
    test_counters();
    actor_finish(&a, "counts that wrap");
    return tap_done();
}
