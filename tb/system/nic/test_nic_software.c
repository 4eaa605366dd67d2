// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_software.c - a driver that writes registers in the middle of traffic, right ones, wrong ones and at any time: tables as they are,
 * rings over each other, rings and segments that cannot be, epochs, drain, masks, counters; read indices that are none. The random
 * programs of all nodes must not notice, and all NICs are whole afterwards. Between these acts a process of node 0 (nic_actor.h) does what
 * has one right outcome alone: rings that begin anew, segments that come and go, drain, counters, interrupts.
 *
 * Built for proto: san.
 */
#include "tb/system/nic/nic_actor.h"

#include <string.h>

enum { NODES = ACTOR_NODES, PROCESSES = 3, FMA = 5, DOMAIN = 13, QUEUE = 12, HERE = 60 };
enum { RINGS = ACTOR_AT + 0xE0000, DATA = ACTOR_AT + 0xF0000, RING_LOG2 = 6, IRQ = 7 };

static struct actor a;
static struct nic_bench *b;
static struct program *p;
static uint64_t refused[NODES]; /* register writes that had to be */
static uint64_t asked[NODES];   /* requests that it sent, without NOTE, which ends what is closed */
static unsigned checks, failures; /* of what the actor can know */

static void run(unsigned clocks)
{
    actor_run(&a, clocks);
}

static void write(unsigned node, unsigned address, uint64_t data)
{
    nic_bench_write(b, node, (uint16_t)address, data);
}

static void write_refused(unsigned node, unsigned address, uint64_t data)
{
    write(node, address, data);
    refused[node]++;
}

static void check(bool good, const char *what)
{
    checks++;
    failures += !good;
    if (!good && failures < 10) {
        tap_note("clock %llu: not so: %s", (unsigned long long)b->clock, what);
    }
}

static bool count_asked(void *whose, int class, struct channel_packet *packet)
{
    const beat_word head = packet->beat[0].word;

    (void)whose;
    if (class == 0 && req_cmd(head) != CMD_NOTE) {
        asked[req_src(head)]++;
    }
    return true;
}

/* ---- acts ------------------------------------------------------------------------------------------ */

/* Two queues of the actor in one ring, or half over each other; their indices begin anew. */
static void act_rings(unsigned node)
{
    for (unsigned i = 0; i < 2; i++) {
        write(node, NR_CQ + NR_CQ_STEP * (QUEUE + i), RINGS + 64 * rng_below(&b->rng, 8));
        write(node, NR_CQ + NR_CQ_STEP * (QUEUE + i) + 1,
              (uint64_t)(rng_below(&b->rng, 4) != 0) << NR_CQ1_ENABLE_AT |
                  (uint64_t)RING_LOG2 << NR_CQ1_LOG2_AT | (uint64_t)DOMAIN << NR_CQ1_PTAG_AT |
                  (uint64_t)rng_below(&b->rng, 70) << NR_CQ1_THRESHOLD_AT);
    }
}

/* What the register description does not allow: nothing of it is done. */
static void act_wrong(unsigned node)
{
    unsigned queue = NR_CQ + NR_CQ_STEP * rng_below(&b->rng, PROCESSES);
    unsigned mdd = NR_MDD + NR_MDD_STEP * rng_below(&b->rng, PROCESSES * PROGRAM_SEGMENTS);
    static const unsigned sizes[] = {0, 1, 5, 21, 31};

    switch (rng_below(&b->rng, 6)) {
    case 0: /* a ring of no size, or too large a one */
        write(node, queue, RINGS);
        write_refused(node, queue + 1,
                      (uint64_t)1 << NR_CQ1_ENABLE_AT | (uint64_t)sizes[rng_below(&b->rng, 5)]
                                                            << NR_CQ1_LOG2_AT);
        break;
    case 1: /* one that is not aligned */
        write(node, queue, RINGS + 8);
        write_refused(node, queue + 1,
                      (uint64_t)1 << NR_CQ1_ENABLE_AT | (uint64_t)RING_LOG2 << NR_CQ1_LOG2_AT);
        break;
    case 2: /* a segment that ends behind all memory */
        write(node, mdd, (((uint64_t)1 << 48) - 100) | (uint64_t)1 << NR_MDD_VALID_AT);
        write_refused(node, mdd + 1, 101);
        break;
    case 3: /* the second half of an entry alone */
        write(node, NR_MDD + NR_MDD_STEP * HERE, 0);
        write_refused(node, mdd + 1, 0);
        break;
    case 4: /* more transactions than there are ids */
        write_refused(node, NR_FMA + NR_FMA_STEP * FMA,
                      (uint64_t)NIC_SSIDS << NR_FMA_LIMIT_AT | (uint64_t)1 << NR_FMA_ENABLE_AT);
        break;
    default: /* an epoch that is too short; what is read alone; what is not there */
        write_refused(node, NR_ORB_EPOCH, rng_below(&b->rng, 4 * NIC_TAGS));
        write_refused(node, NR_STATUS, 0);
        write_refused(node, NR_NTT - 1, 0);
        break;
    }
}

/* The actor's own process: any words, in any order, any read index. */
static void act_process(unsigned node)
{
    static const unsigned words[] = {8, 8, 13, 13, 1, 9, 5, 0};
    struct driver_burst burst;
    unsigned word = words[rng_below(&b->rng, 8)];
    uint64_t value = rng_next(&b->rng) >> rng_below(&b->rng, 64);

    if (word == 1) {
        value = HERE | (uint64_t)HERE << 12 | (uint64_t)(QUEUE + rng_below(&b->rng, 3)) << 30;
    } else if (word == 0) {
        value = (uint64_t)rng_below(&b->rng, NODES) << 40 | rng_below(&b->rng, 8192);
    } else if (word == 13) {
        value &= ~((uint64_t)12 << 56);
    }
    burst = rng_below(&b->rng, 4) == 0   ? store_queue(QUEUE + rng_below(&b->rng, 2), value)
            : rng_below(&b->rng, 3) == 0 ? store_put(FMA, 0, (const uint8_t *)&value, 8)
                                         : store_word(FMA, word, value);
    driver_burst(&b->node[node].driver, &burst);
}

/* Its descriptor comes and goes, as open as it is. */
static void act_descriptor(unsigned node)
{
    write(node, NR_FMA + NR_FMA_STEP * FMA,
          (uint64_t)DOMAIN << NR_FMA_PTAG_AT | (uint64_t)3 << NR_FMA_LIMIT_AT |
              (uint64_t)(rng_below(&b->rng, 2)) << NR_FMA_ENABLE_AT);
}

/* A table of the others, as it is. */
static void act_again(unsigned node)
{
    program_segments(p, node);
}

/* What was stored before goes out; then nothing does. Programs stand still, as they would wait for an answer. */
static void act_drain(unsigned node)
{
    enum { GONE = 300 };
    uint64_t sent = 0;
    unsigned clocks = rng_below(&b->rng, 3 * GONE);

    write(node, NR_CONTROL, 1 | 1 << NR_CONTROL_DRAIN_AT);
    for (unsigned i = 0; i < clocks; i++) {
        if (i == GONE) {
            sent = asked[node];
        }
        nic_bench_clock(b);
    }
    check(clocks <= GONE || asked[node] == sent, "while it drains nothing new is sent");
    write(node, NR_CONTROL, 1);
}

static void act_management(unsigned node)
{
    static const unsigned lazies[] = {0, 4, 1000, 50000};

    switch (rng_below(&b->rng, 6)) {
    case 0:
        act_drain(node);
        break;
    case 1:
        write(node, NR_ORB_EPOCH, (uint64_t)1 << (15 + rng_below(&b->rng, 4)));
        break;
    case 2:
        write(node, NR_IRQ_MASK, rng_next(&b->rng));
        write(node, NR_IRQ_PENDING, rng_next(&b->rng));
        write(node, NR_IRQ_TIMER, rng_below(&b->rng, 1000));
        break;
    case 3:
        write(node, NR_FIRST_ERROR, 0);
        break;
    case 4: /* variables are written late, at once, all now */
        nic_bench_lazy(b, node, lazies[rng_below(&b->rng, 4)]);
        write(node, NR_CONTROL, 1 | (uint64_t)rng_below(&b->rng, 2) << NR_CONTROL_FLUSH_AT);
        break;
    default:
        write(node, NR_CONTROL, 1 | 1 << NR_CONTROL_SETTLE_AT);
        write(node, NR_NODE, b->node[node].address);
        write(node, NR_PHYS_SIZE, BENCH_MEMORY);
        break;
    }
}

static void (*const acts[])(unsigned node) = {act_rings,      act_wrong, act_process,
                                              act_descriptor, act_again, act_management};

/* ---- what has one right outcome ------------------------------------------------------------------------ */

/* The actor's ring begins anew: at its first place, with nothing in it. */
static void begin_ring(void)
{
    unsigned at = NR_CQ + NR_CQ_STEP * ACTOR_QUEUE;

    write(0, at, ACTOR_RING_AT);
    write(0, at + 1,
          (uint64_t)1 << NR_CQ1_ENABLE_AT | (uint64_t)ACTOR_RING_LOG2 << NR_CQ1_LOG2_AT |
              (uint64_t)ACTOR_DOMAIN << NR_CQ1_PTAG_AT | (uint64_t)1 << NR_CQ1_THRESHOLD_AT |
              (uint64_t)IRQ << NR_CQ1_IRQ_AT);
    memset(host_memory(b->node[0].host) + ACTOR_RING_AT, 0, 8 << ACTOR_RING_LOG2);
    a.ring_read = 0;
}

static void check_ring(void)
{
    begin_ring();
    check(actor_queue(&a) == (uint64_t)1 << 33, "a new ring is empty, and enabled");
    for (unsigned i = rng_below(&b->rng, 3); i > 0; i--) {
        check(actor_put(&a, 1, ACTOR_THERE, 0) == GN_OK, "its events come from the first place on");
    }
    check((uint32_t)actor_queue(&a) == a.ring_read, "the write index counts them");
}

/* Read indices that are none change nothing: neither is the ring full, nor has it room that is not there. */
static void check_index(void)
{
    uint64_t before = actor_counter(&a, 0, NR_CQ_NO_INDEX);
    unsigned n = 1 + rng_below(&b->rng, 3);

    for (unsigned i = 0; i < n; i++) {
        actor_store(&a, store_queue(ACTOR_QUEUE, a.ring_read + 1 + rng_below(&b->rng, 1u << 31)));
    }
    check(actor_counter(&a, 0, NR_CQ_NO_INDEX) >= before + n, "indices that are none are counted");
    check(actor_put(&a, 2, ACTOR_THERE, 0) == GN_OK, "and events come all the same");
}

/* A segment goes with the first of its words, and comes with the second. */
static void check_segment(void)
{
    unsigned at = NR_MDD + NR_MDD_STEP * ACTOR_FAULTY;

    write(1, at, 0);
    check(actor_put(&a, 1, ACTOR_FAULTY, 0) == GN_MDD, "a segment that is gone");
    write(1, at,
          actor_place(ACTOR_FAULTY) | (uint64_t)1 << NR_MDD_VALID_AT |
              (uint64_t)1 << NR_MDD_WRITE_AT | (uint64_t)1 << NR_MDD_READ_AT);
    check(actor_put(&a, 1, ACTOR_FAULTY, 0) == GN_MDD, "its first word alone does not bring it");
    write(1, at + 1, ACTOR_BYTES | (uint64_t)ACTOR_DOMAIN << NR_MDD1_PTAG_AT);
    memset(actor_bytes(&a, 1, ACTOR_FAULTY), 0, 8);
    check(actor_put(&a, 1, ACTOR_FAULTY, 0) == GN_OK &&
              memcmp(actor_bytes(&a, 1, ACTOR_FAULTY), actor_data, 8) == 0,
          "a segment that is there again");
}

/* Counters go to 0, all of them; what happens later counts. */
static void check_counters(void)
{
    unsigned n = 1 + rng_below(&b->rng, 3);

    write(0, NR_CONTROL, 1 | 1 << NR_CONTROL_CLEAR_AT);
    refused[0] = 0;
    b->node[0].driver.lite_refused = 0;
    run(200);
    for (unsigned i = 0; i < n; i++) {
        actor_store(&a, store_word(ACTOR_FMA, 20, 0)); /* there is no such word */
    }
    check(actor_counter(&a, 0, NR_REGISTER_REFUSED) == 0 &&
              actor_counter(&a, 0, NR_FMA_BAD_COMMAND) >= n,
          "counters are 0, and count again");
}

/* An event raises its queue's interrupt; whoever clears it sees it no more until the next one. */
static void check_interrupt(void)
{
    const struct nic_regs *regs = &b->node[0].nic->regs;
    uint64_t bit = (uint64_t)1 << IRQ;

    begin_ring();
    write(0, NR_IRQ_TIMER, 0);
    write(0, NR_IRQ_MASK, bit);
    write(0, NR_IRQ_PENDING, bit);
    run(200); /* a scan of all queues */
    check((actor_counter(&a, 0, NR_IRQ_PENDING) & bit) == 0 && !regs->out.irq,
          "an empty ring raises nothing");
    check(actor_put(&a, 1, ACTOR_THERE, 0) == GN_OK, "an event for an interrupt");
    check((actor_counter(&a, 0, NR_IRQ_PENDING) & bit) != 0 && regs->out.irq, "an event raises it");
    write(0, NR_IRQ_MASK, 0);
    check(!regs->out.irq, "a masked interrupt");
}

/* A descriptor is taken away and given again at once, with a transaction open: that ends first. */
static void check_given_away(void)
{
    const uint64_t words = (uint64_t)ACTOR_DOMAIN << NR_FMA_PTAG_AT | (uint64_t)ACTOR_LIMIT
                                                                          << NR_FMA_LIMIT_AT;
    struct driver_register reg = {.address = NR_FMA + NR_FMA_STEP * ACTOR_FMA, .data = words};

    actor_begin(&a, 1, ACTOR_THERE, 0);
    driver_register(&b->node[0].driver, &reg);
    reg.data = words | (uint64_t)1 << NR_FMA_ENABLE_AT;
    driver_register(&b->node[0].driver, &reg);
    check((actor_event(&a, ACTOR_PATIENCE) >> 59 & 15) == GN_SEQUENCE, "what was open ends");
    check(actor_put(&a, 1, ACTOR_THERE, 0) == GN_OK, "and the next one is as any");
}

static void (*const sure[])(void) = {check_given_away, check_ring,     check_index,
                                     check_segment,    check_counters, check_interrupt};

/* ---- together -------------------------------------------------------------------------------------- */

static void start(uint64_t seed)
{
    const struct program_knobs knobs = {.processes = PROCESSES,
                                        .most = 6,
                                        .limit = 4,
                                        .sequences = 0.3,
                                        .messages = 0.2,
                                        .atomics = 0.2,
                                        .late = true,
                                        .flagged = true,
                                        .ordered = true,
                                        .illegal = 0.05};

    actor_start(&a, seed, &knobs, NULL);
    b = a.bench;
    p = a.others;
    a.traffic = true;
    channel_of(b)->knobs = (struct channel_knobs){.delay = 10, .delay_extra = 100};
    channel_of(b)->tamper = count_asked;
    for (unsigned node = 0; node < NODES; node++) {
        host_set(b->node[node].host,
                 &(struct host_knobs){.latency = 40, .latency_extra = 40, .stall = 0.1});
        write(node, NR_ORB_EPOCH, 1 << 16);
        nic_bench_lazy(b, node, 0);
        write(node, NR_MDD + NR_MDD_STEP * HERE,
              DATA | (uint64_t)1 << NR_MDD_VALID_AT | (uint64_t)1 << NR_MDD_WRITE_AT |
                  (uint64_t)1 << NR_MDD_EVENT_AT);
        write(node, NR_MDD + NR_MDD_STEP * HERE + 1,
              4096 | (uint64_t)DOMAIN << NR_MDD1_PTAG_AT | (uint64_t)QUEUE << NR_MDD1_QUEUE_AT);
    }
}

int main(int argc, char **argv)
{
    uint64_t seed, n = 1200, begun;
    uint64_t all = 0;
    bool counted = true;

    test_options(argc, argv, &seed, args_number("--acts", &n, 1, UINT64_MAX, "acts of the driver"));
    start(seed);
    for (uint64_t i = 0; i < n && failures < 10 && gn_counts(a.golden)->unexplained == 0; i++) {
        run(rng_below(&b->rng, 60));
        acts[rng_below(&b->rng, sizeof(acts) / sizeof(acts[0]))](rng_below(&b->rng, NODES));
        if (i % 16 == 0) {
            sure[rng_below(&b->rng, sizeof(sure) / sizeof(sure[0]))]();
        }
    }
    begun = program_begun(p);
    for (unsigned node = 0; node < NODES; node++) {
        uint64_t count = actor_counter(&a, node, NR_REGISTER_REFUSED);

        write(node, NR_FMA + NR_FMA_STEP * FMA, (uint64_t)DOMAIN << NR_FMA_PTAG_AT);
        write(node, NR_ORB_EPOCH, 1 << 12);
        nic_bench_lazy(b, node, 100);
        all += refused[node];
        counted &= count == refused[node] && b->node[node].driver.lite_refused == refused[node];
    }
    tap_ok(failures == 0, "%llu acts of a driver: of %u outcomes that can be known wrong: %u",
           (unsigned long long)n, checks, failures);
    tap_ok(begun > 2 * n / 3, "the others get on: %llu transactions", (unsigned long long)begun);
    tap_ok(counted, "%llu writes of registers were refused, each counted", (unsigned long long)all);
    actor_finish(&a, "acts of a driver");
    return tap_done();
}
