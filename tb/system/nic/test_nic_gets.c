// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_gets.c - gets of 64 bytes, whose responses have four beats of data: with a double-bit error in any of them; and
 * more of them than fit into the NIC while its host's memory stands still, so that some are dropped (beat_valve.h), whole ones, also
 * when memory moves again in the middle of one.
 *
 * Built for aries: fast; proto: san. Recorded for nic.
 */
#include "tb/system/nic/nic_channel.h"
#include "tb/system/nic/nic_program.h"

#include <string.h>

enum {
    DOMAIN = 3,
    QUEUE = 1,
    FMA = 2,
    HERE = 5,
    THERE = 6,
    RING_AT = 0x10000,
    RING_LOG2 = 9,
    HERE_AT = 0x20000,
    THERE_AT = 0x40000,
    BYTES = 0x20000, /* of each segment */
    GET = 64,
    DATA_BEATS = BEATS - 1,
    APART = 3 * GET, /* places here of two gets */
    LATENCY = 20,
    EPOCH = 4 * NIC_TAGS,
    PATIENCE = 20000,
    TRANSACTIONS = 28, /* of a round: as many as proto has ids for */
    GETS =
        NIC_TAGS <= 256 ? 2 : 6, /* of each: more than fit where memory may have so many accesses */
    MOST_ROUNDS = BYTES / APART / (TRANSACTIONS * GETS)
};

static struct golden_nic *golden;
static struct nic_bench *b;
static struct rng rng;
static uint64_t tag;

static void begin(uint64_t seed)
{
    struct gn_segment segment = {
        .valid = true, .read = true, .write = true, .length = BYTES, .ptag = DOMAIN};

    golden = gn_new(2, false);
    b = channel_bench_new(2, seed, golden);
    channel_of(b)->knobs = (struct channel_knobs){.delay = 10};
    for (unsigned node = 0; node < 2; node++) {
        host_set(b->node[node].host, &(struct host_knobs){.latency = LATENCY, .holes = true});
        nic_bench_write(b, node, NR_ORB_EPOCH, EPOCH);
    }
    for (unsigned i = 0; i < BYTES; i++) {
        host_memory(b->node[1].host)[THERE_AT + i] = (uint8_t)rng_next(&rng);
    }
    segment.base = THERE_AT;
    nic_bench_segment(b, 1, THERE, &segment);
    segment.base = HERE_AT;
    nic_bench_segment(b, 0, HERE, &segment);
    nic_bench_queue(
        b, 0, QUEUE,
        &(struct gn_ring){.enabled = true, .base = RING_AT, .log2 = RING_LOG2, .ptag = DOMAIN});
    nic_bench_descriptor(b, 0, FMA, DOMAIN, NIC_SSIDS - 1);
    driver_burst(&b->node[0].driver,
                 (struct driver_burst[]){store_word(
                     FMA, WORD_MODES, THERE | (uint64_t)HERE << 12 | (uint64_t)QUEUE << 30)});
    driver_burst(&b->node[0].driver,
                 (struct driver_burst[]){store_word(FMA, WORD_BASE, (uint64_t)1 << 40)});
    nic_bench_settle_drivers(b);
}

static void end(const char *what)
{
    const struct gn_count *c;

    nic_bench_drain(b, PATIENCE);
    nic_bench_whole(b);
    tap_misses(&b->unrest, "%s: both NICs are drained and whole", what);
    c = gn_finish(golden);
    tap_why("%s", c->first);
    tap_ok(c->unexplained == 0 && c->missing_events == 0 && c->missing_accesses == 0,
           "%s: every access and event explained: %llu writes, %llu events", what,
           (unsigned long long)c->writes, (unsigned long long)c->events);
    nic_bench_judge_hosts(b, what);
    nic_bench_free(b);
    gn_free(golden);
}

/* Where a line goes: to any fourth byte. */
static uint64_t place_of(unsigned line)
{
    return (uint64_t)APART * line + 4 * (line % 16);
}

/* A transaction of so many gets, of the lines from `first` on. */
static void post(unsigned first, unsigned gets)
{
    const unsigned t = gn_open(golden, 0, DOMAIN, false);
    struct nic_driver *d = &b->node[0].driver;

    driver_burst(d, (struct driver_burst[]){store_word(FMA, WORD_OPEN, 0)});
    for (unsigned line = first; line < first + gets; line++) {
        struct gn_operation get = {.kind = GN_GET,
                                   .to = 1,
                                   .mdh = THERE,
                                   .offset = (uint64_t)GET * line,
                                   .bytes = GET,
                                   .local_mdh = HERE,
                                   .local_offset = place_of(line)};

        gn_post(golden, t, &get);
        driver_burst(d, (struct driver_burst[]){
                            store_get(FMA, 2 * get.offset, get.local_offset, GET, false)});
    }
    gn_close(golden, t, &(struct gn_wants){.global = true, .queue = QUEUE, .event = ++tag});
    driver_burst(d, (struct driver_burst[]){store_word(FMA, WORD_CLOSE, tag | (uint64_t)2 << 56)});
}

/* ---- double-bit errors ------------------------------------------------------------------------------------ */

static unsigned wrong_beats; /* bit i: of data beat i of each response */

static bool damage(void *whose, int class, struct channel_packet *p)
{
    (void)whose;
    for (unsigned i = 0; class == 1 && i < DATA_BEATS; i++) {
        if ((wrong_beats >> i & 1) != 0) {
            p->beat[1 + i].bad = 1;
            p->beat[1 + i].word = ~p->beat[1 + i].word;
        }
    }
    return true;
}

/* All of the line is here but the bytes of wrong beats, which are as they were: 0. */
static bool is_here(unsigned line)
{
    const uint8_t *there = host_memory(b->node[1].host) + THERE_AT + GET * line;
    const uint8_t *here = host_memory(b->node[0].host) + HERE_AT + place_of(line);
    bool right = true;

    for (unsigned i = 0; i < GET; i++) {
        right = right && here[i] == ((wrong_beats >> i / BEAT_BYTES & 1) != 0 ? 0 : there[i]);
    }
    return right;
}

/* One get for each set of wrong beats, to each alignment: DATA if there is one. */
static void test_damaged(uint64_t seed)
{
    const struct gn_count *c;
    unsigned wrong_ends = 0, wrong_bytes = 0;

    begin(seed);
    gn_allow_wrong_bits(golden);
    channel_of(b)->tamper = damage;
    c = gn_counts(golden);
    for (unsigned line = 0; line < 16; line++) {
        const uint64_t ok = c->by_status[GN_OK], data = c->by_status[GN_DATA];

        /* every set once, however the lines are aligned */
        wrong_beats = (line + (unsigned)seed) % (1 << DATA_BEATS);
        memset(host_memory(b->node[0].host) + HERE_AT + APART * line, 0, APART);
        post(line, 1);
        for (uint64_t from = b->clock; gn_waiting(golden) != 0 && b->clock - from < PATIENCE;) {
            nic_bench_clock(b);
        }
        wrong_ends += c->by_status[GN_OK] - ok != (wrong_beats == 0) ||
                      c->by_status[GN_DATA] - data != (wrong_beats != 0);
        wrong_bytes += !is_here(line);
    }
    tap_ok(wrong_ends == 0, "16 sets of wrong beats in a response: DATA but for none: wrong: %u",
           wrong_ends);
    tap_ok(wrong_bytes == 0, "of these beats nothing is written, and all of the others: wrong: %u",
           wrong_bytes);
    end("wrong beats");
}

/* ---- memory stands still --------------------------------------------------------------------------------- */

static unsigned
    opened_inside; /* rests of dropped responses that came when others were let in again */

static void clock_once(void)
{
    const struct beat_valve *valve = &b->node[0].nic->initiator.orb.valve;
    const bool shut = valve->shut;
    const struct beat *beat = &channel_of(b)->node[0].in.response;

    nic_bench_clock(b);
    opened_inside += beat->valid && !beat->head && beat->tail && valve->drops && !shut;
}

/* Gets until the NIC drops responses; so many clocks later memory goes on. */
static bool round_of_gets(unsigned first, unsigned clocks)
{
    const struct orb *orb = &b->node[0].nic->initiator.orb;
    struct host *host = b->node[0].host;
    uint64_t from;

    nic_bench_doubt(b, 0, 1, true);
    host_set(host, &(struct host_knobs){.dead = true});
    nic_bench_write(b, 0, NR_ORB_EPOCH, EPOCH); /* one begins now */
    for (unsigned i = 0; i < TRANSACTIONS; i++) {
        post(first + GETS * i, GETS);
    }
    for (from = b->clock; !orb->valve.shut && b->clock - from < PATIENCE;) {
        clock_once();
    }
    for (; clocks != 0; clocks--) {
        clock_once();
    }
    host_set(host, &(struct host_knobs){.latency = LATENCY});
    for (from = b->clock; gn_waiting(golden) != 0 && b->clock - from < PATIENCE;) {
        clock_once();
    }
    nic_bench_doubt(b, 0, 1, false);
    return nic_bench_drain(b, PATIENCE) && nic_bench_whole(b);
}

static void test_dropped(uint64_t seed, uint64_t rounds)
{
    const struct gn_count *c;
    uint64_t fit, dropped, timeouts;
    bool whole = true;

    begin(seed);
    for (uint64_t i = 0; i < rounds; i++) {
        whole = round_of_gets((unsigned)i * TRANSACTIONS * GETS, rng_below(&rng, 64)) && whole;
    }
    c = gn_counts(golden);
    fit = nic_bench_read(b, 0, NR_ORB_RESPONSES);
    dropped = nic_bench_read(b, 0, NR_ORB_UNKNOWN);
    timeouts = c->by_status[GN_TIMEOUT];
    tap_ok(whole && c->by_status[GN_OK] + timeouts == rounds * TRANSACTIONS,
           "memory stands still: %llu transactions end well, %llu with TIMEOUT",
           (unsigned long long)c->by_status[GN_OK], (unsigned long long)timeouts);
    tap_ok(fit + dropped == channel_of(b)->node[0].answers && fit != 0 && dropped != 0,
           "memory stands still: of %llu responses %llu fit and %llu are dropped",
           (unsigned long long)channel_of(b)->node[0].answers, (unsigned long long)fit,
           (unsigned long long)dropped);
    tap_ok(timeouts * GETS >= dropped && timeouts <= dropped,
           "memory stands still: who asked for those that are dropped hears of it");
    tap_ok(opened_inside != 0, "memory moves again in the middle of %u responses", opened_inside);
    end("memory stands still");
}

int main(int argc, char **argv)
{
    uint64_t seed, rounds = 4;

    test_options(
        argc, argv, &seed,
        args_number("--rounds", &rounds, 1, MOST_ROUNDS, "rounds in which memory stands still"));
    rng_seed(&rng, seed);
    test_damaged(seed);
    test_dropped(seed, rounds);
    return tap_done();
}
