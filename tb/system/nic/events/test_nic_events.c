// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_events.c - one event at the target for a whole transaction: when all its packets are in memory, once, however they came; and
 * none that was not wanted.
 *
 * The bench watches the target's ring clock by clock, and looks at memory when an event appears. Cases are those for which a count, an END
 * or an entry is missing: a packet that found no place (a), an entry that timed out (b), an END that found no place (c), none of these (d).
 * The same with a flag, which must be in memory when the event is, and once only.
 *
 * Built for proto: san.
 */
#include "tb/system/nic/nic_channel.h"

#include <string.h>

enum {
    DOMAIN = 3,
    QUEUE = 1,
    THERE = 6,
    FMA = 2,
    RING_AT = 0x10000,
    RING_LOG2 = 10,
    REMOTE_AT = 0x40000,
    EPOCH = 1 << 12,
    PUTS_MOST = 6,
    WANTS_GLOBAL = 2,
    WANTS_TARGET = 4,
    WANTS_FLAG = 8,
    FLAG_PLACE = 64 * PUTS_MOST, /* in its segment */
    SUM_PLACE = 2048,
    BEHIND = 4096, /* that */
    ADD = 0x08,
};

/* Words of a descriptor's page (hls/nic/PROGRAMMING.md). */
enum { BASE = 0, MODES = 1, FLAG = 3, FLAG_OFFSET = 4, EVENT = 5, OPEN = 8, CLOSE = 13 };

/* What the channel does to packets of the next transaction. */
struct manners {
    int hold; /* this put, from 0 on, comes so much later: */
    unsigned hold_clocks;
    int lose;        /* this one is lost */
    bool full;       /* the target has no place for it at all */
    bool full_first; /* ... or not until its first packet was refused */
    bool takes_away; /* the segment goes when END has left */
    unsigned adds;   /* atomic operations behind the puts */
};

static struct nic_bench *bench;
static struct misses wrong;
static struct manners manners;
static unsigned puts_seen, notes_seen, ends_seen, noted_answers;
static unsigned target_read, source_read; /* events of the rings that were seen */
static uint64_t target_due;               /* the event that the target may get, 0: none */
static unsigned target_events, source_status;
static bool source_ended;
static uint64_t flag_due; /* what it writes before it, 0: nothing */
static bool flag_seen;
static uint8_t data[PUTS_MOST][64];
static unsigned puts, adds, bytes_of[PUTS_MOST];

static struct rmt *target_rmt(void)
{
    return &channel_of(bench)->node[1].nic.target.rmt;
}

static struct rmt_entry *entry(unsigned i)
{
    struct rmt *r = target_rmt();
    struct rmt_entry *ways[RMT_WAYS] = {r->way0, r->way1, r->way2, r->way3};

    return &ways[i % RMT_WAYS][i / RMT_WAYS];
}

/* All places are others', or free. */
static void fill(bool full)
{
    for (unsigned i = 0; i < RMT_WAYS * RMT_SETS; i++) {
        bool ours = entry(i)->valid && (unsigned)(entry(i)->key & 0x3FFFF) != 0x3FFFF;

        if (!ours) {
            *entry(i) = (struct rmt_entry){
                .valid = full, .key = (rmt_key)0x3FFFF, .epoch = target_rmt()->epoch};
        }
    }
}

static unsigned entries(void)
{
    unsigned n = 0;

    for (unsigned i = 0; i < RMT_WAYS * RMT_SETS; i++) {
        n += entry(i)->valid;
    }
    return n;
}

static uint64_t take_away_due;

static bool on_the_way(void *whose, int class, struct channel_packet *p)
{
    (void)whose;
    if (class == 1) {
        noted_answers += rsp_note(p->beat[0].word);
        if (manners.full_first && rsp_note(p->beat[0].word)) {
            manners.full_first = false;
            fill(false);
        }
        return true;
    }
    notes_seen += req_cmd(p->beat[0].word) == CMD_NOTE;
    ends_seen += req_cmd(p->beat[0].word) == CMD_END;
    if (manners.takes_away && req_cmd(p->beat[0].word) == CMD_END) {
        manners.takes_away = false;
        take_away_due = bench->clock + 100; /* behind END, before the put that is held */
    }
    if (req_cmd(p->beat[0].word) != CMD_PUT) {
        return true;
    }
    int n = (int)puts_seen++;

    p->due += n == manners.hold ? manners.hold_clocks : 0;
    return n != manners.lose;
}

static uint64_t ring_word(unsigned node, unsigned at)
{
    uint64_t word;

    memcpy(&word, host_memory(bench->node[node].host) + RING_AT + 8 * (at % (1 << RING_LOG2)), 8);
    return word;
}

static uint64_t flag_there(void)
{
    uint64_t word;

    memcpy(&word, host_memory(bench->node[1].host) + REMOTE_AT + FLAG_PLACE, 8);
    return word;
}

static void must_be_whole(void)
{
    uint64_t sum;

    memcpy(&sum, host_memory(bench->node[1].host) + REMOTE_AT + SUM_PLACE, 8);
    must_equal(&wrong, sum, adds, "sum when flag or event is there");
    for (unsigned i = 0; i < puts; i++) {
        must(&wrong,
             memcmp(host_memory(bench->node[1].host) + REMOTE_AT + 64 * i, data[i], bytes_of[i]) ==
                 0,
             "put %u of %u is not in memory when flag or event is", i, puts);
    }
}

/* A flag or an event appears at the target: it is the one that is due, and all data is there. */
static void watch_target(void)
{
    uint64_t word = ring_word(1, target_read), flag = flag_there();

    if (flag != 0 && !flag_seen) {
        flag_seen = true;
        must_equal(&wrong, flag, flag_due, "flag");
        must(&wrong, !source_ended, "a flag behind the event at the source");
        must_be_whole();
    }
    if (word == 0) {
        return;
    }
    target_read++;
    target_events++;
    must_equal(&wrong, word, (uint64_t)7 << 56 | target_due, "event at the target");
    must_equal(&wrong, target_events, 1, "events at the target");
    must_equal(&wrong, flag, flag_due, "flag when the event is there");
    must_be_whole();
}

static void watch_source(void)
{
    uint64_t word = ring_word(0, source_read);

    if (word != 0) {
        source_read++;
        must(&wrong, !source_ended, "two events at the source");
        source_ended = true;
        source_status = (unsigned)(word >> 59) & 15;
    }
}

static void make_segment(unsigned node, bool valid)
{
    nic_bench_segment(bench, node, THERE,
                      &(struct gn_segment){.valid = valid,
                                           .read = true,
                                           .write = true,
                                           .atomic = true,
                                           .base = REMOTE_AT,
                                           .length = 4096,
                                           .ptag = DOMAIN,
                                           .queue = QUEUE,
                                           .event = true});
}

static void clocks(unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        if (manners.full || manners.full_first) {
            fill(true);
        }
        if (take_away_due != 0 && bench->clock >= take_away_due) {
            take_away_due = 0;
            make_segment(1, false);
        }
        nic_bench_clock(bench);
        watch_target();
        watch_source();
    }
}

static void post(struct driver_burst burst)
{
    driver_burst(&bench->node[0].driver, &burst);
}

static uint64_t flag_place = FLAG_PLACE;
static const uint64_t modes = THERE | (uint64_t)QUEUE << 30;

/* A transaction of puts to node 1; then all of it has ended, and the target has forgotten it. */
static void run(unsigned n, bool counted, unsigned wants, struct manners how)
{
    static uint64_t tag;

    tag++;
    wrong = (struct misses){0};
    manners = how;
    puts = n;
    adds = how.adds;
    memset(host_memory(bench->node[1].host) + REMOTE_AT + SUM_PLACE, 0, 8);
    puts_seen = notes_seen = ends_seen = noted_answers = target_events = 0;
    source_ended = false;
    target_due = (wants & WANTS_TARGET) != 0 ? 0x7700000 + tag : 0;
    flag_due = (wants & WANTS_FLAG) != 0 ? 0x5500000 + tag : 0;
    flag_seen = false;
    memset(host_memory(bench->node[1].host) + REMOTE_AT, 0, 64 * PUTS_MOST + 8);
    post(store_word(FMA, FLAG, 0x5500000 + tag));
    post(store_word(FMA, FLAG_OFFSET, flag_place));
    post(store_word(FMA, EVENT, 0x7700000 + tag));
    post(store_word(FMA, OPEN, counted));
    for (unsigned i = 0; i < n; i++) {
        bytes_of[i] = 1 + rng_below(&bench->rng, 64);
        for (unsigned k = 0; k < bytes_of[i]; k++) {
            data[i][k] = (uint8_t)(1 + rng_below(&bench->rng, 255));
        }
        post(store_put(FMA, 64 * i, data[i], bytes_of[i]));
    }
    for (unsigned i = 0; i < adds; i++) {
        const uint64_t one = 1;

        post(store_word(FMA, MODES, modes | (uint64_t)ADD << 40));
        post(store_put(FMA, SUM_PLACE, (const uint8_t *)&one, 8));
        post(store_word(FMA, MODES, modes));
    }
    post(store_word(FMA, CLOSE, tag | (uint64_t)wants << 56));
    for (unsigned i = 0; i < 40 * EPOCH && !source_ended; i++) {
        clocks(1);
    }
    must(&wrong, source_ended, "no event at the source");
    clocks(400);
    for (unsigned i = 0; i < 2 * EPOCH && entries() != 0 && !how.full; i++) {
        clocks(1);
    }
    manners = (struct manners){.hold = -1, .lose = -1};
    fill(false);
}

static void start(uint64_t seed)
{
    bench = channel_bench_new(2, seed, NULL);
    channel_of(bench)->tamper = on_the_way;
    for (unsigned node = 0; node < 2; node++) {
        make_segment(node, true);
        nic_bench_queue(
            bench, node, QUEUE,
            &(struct gn_ring){.enabled = true, .base = RING_AT, .log2 = RING_LOG2, .ptag = DOMAIN});
        nic_bench_descriptor(bench, node, FMA, DOMAIN, 4);
        nic_bench_write(bench, node, NR_ORB_EPOCH, EPOCH);
    }
    post(store_word(FMA, MODES, modes));
    post(store_word(FMA, BASE, (uint64_t)1 << 40));
}

static const struct manners plain = {.hold = -1, .lose = -1};

static void settled(const char *what, unsigned events, unsigned status)
{
    must_equal(&wrong, target_events, events, "events at the target");
    must_equal(&wrong, source_status, status, "status at the source");
    must_equal(&wrong, entries(), 0, "transactions that the target still counts");
    tap_misses(&wrong, "%s: %u events, status %u; %u END, %u NOTE, %u answers with note", what,
               target_events, source_status, ends_seen, notes_seen, noted_answers);
}

/* The cases of the page, by name. */
static void test_cases(void)
{
    run(3, true, WANTS_GLOBAL | WANTS_TARGET, plain);
    must_equal(&wrong, notes_seen, 0, "NOTEs");
    settled("three puts, one event (d)", 1, STATUS_OK);
    run(0, true, WANTS_GLOBAL | WANTS_TARGET, plain);
    settled("no put, one event", 1, STATUS_OK);
    run(3, true, WANTS_GLOBAL | WANTS_TARGET,
        (struct manners){.hold = -1, .lose = -1, .full_first = true});
    must_at_least(&wrong, noted_answers, 1, "answers with note");
    must_equal(&wrong, notes_seen, 1, "NOTEs");
    settled("a packet without a place (a)", 1, STATUS_OK);
    run(3, true, WANTS_GLOBAL | WANTS_TARGET,
        (struct manners){.hold = 1, .hold_clocks = EPOCH * 5 / 8, .lose = -1});
    must_equal(&wrong, noted_answers, 1, "answers with note: END's");
    must_equal(&wrong, notes_seen, 1, "NOTEs");
    settled("an entry that timed out (b)", 1, STATUS_OK);
    run(3, true, WANTS_GLOBAL | WANTS_TARGET,
        (struct manners){.hold = -1, .lose = -1, .full = true});
    must_equal(&wrong, noted_answers, 4, "answers with note: all and END's");
    must_equal(&wrong, notes_seen, 1, "NOTEs");
    settled("an END without a place (c)", 1, STATUS_OK);
    run(2, true, WANTS_GLOBAL | WANTS_TARGET, (struct manners){.hold = -1, .lose = -1, .adds = 3});
    must_equal(&wrong, notes_seen, 0, "NOTEs");
    settled("two puts and three atomic operations, one event", 1, STATUS_OK);
    run(3, true, WANTS_GLOBAL, plain);
    must_equal(&wrong, ends_seen, 0, "ENDs");
    must_equal(&wrong, notes_seen, 1, "NOTEs");
    settled("counted but not wanted", 0, STATUS_OK);
    run(3, false, WANTS_GLOBAL | WANTS_TARGET, plain);
    settled("wanted but not counted", 0, STATUS_SEQUENCE);
    run(3, true, WANTS_GLOBAL | WANTS_TARGET, (struct manners){.hold = -1, .lose = 1});
    settled("a lost put", 0, STATUS_TIMEOUT);
}

/* The same with a flag; and flags that are refused, by END or when they are written. */
static void test_flags(void)
{
    const unsigned all = WANTS_GLOBAL | WANTS_TARGET | WANTS_FLAG;

    run(3, true, all, plain);
    must_equal(&wrong, notes_seen, 0, "NOTEs");
    must(&wrong, flag_seen, "no flag");
    settled("three puts, one flag, one event (d)", 1, STATUS_OK);
    run(2, true, WANTS_GLOBAL | WANTS_FLAG, plain);
    must(&wrong, flag_seen, "no flag");
    settled("two puts, a flag alone", 0, STATUS_OK);
    run(3, true, all, (struct manners){.hold = 1, .hold_clocks = 500, .lose = -1});
    must(&wrong, flag_seen, "no flag");
    must_equal(&wrong, notes_seen, 0, "NOTEs");
    settled("the last packet behind END, a flag", 1, STATUS_OK);
    run(3, true, all, (struct manners){.hold = -1, .lose = -1, .full_first = true});
    must(&wrong, flag_seen, "no flag");
    must_equal(&wrong, notes_seen, 1, "NOTEs");
    settled("a packet without a place, a flag by NOTE (a)", 1, STATUS_OK);
    run(3, true, all, (struct manners){.hold = -1, .lose = 1});
    must(&wrong, !flag_seen, "a flag");
    settled("a lost put, no flag", 0, STATUS_TIMEOUT);
    flag_place = BEHIND - 4;
    run(3, true, all, plain);
    settled("a flag over the end of its segment", 0, STATUS_BOUNDS);
    flag_place = FLAG_PLACE + 4;
    run(3, true, all, plain);
    settled("a flag that is not aligned", 0, STATUS_BAD_COMMAND);
    flag_place = FLAG_PLACE;
    run(3, true, all,
        (struct manners){.hold = 1, .hold_clocks = 700, .lose = -1, .takes_away = true});
    must(&wrong, !flag_seen, "a flag");
    settled("a segment that goes while END is parked: no flag", 0, STATUS_MDD);
    make_segment(1, true);
}

/* Any number of puts, hosts and a channel that answer late and in any order. */
static void test_random(unsigned transactions)
{
    struct misses all = {0};
    unsigned wanted = 0, delivered = 0;

    channel_of(bench)->knobs = (struct channel_knobs){.delay = 5, .delay_extra = 200};
    for (unsigned node = 0; node < 2; node++) {
        host_set(bench->node[node].host,
                 &(struct host_knobs){.latency = 5, .latency_extra = 100, .stall = 0.1});
    }
    for (unsigned i = 0; i < transactions; i++) {
        bool wants = rng_below(&bench->rng, 4) != 0;

        bool flag = wants && rng_below(&bench->rng, 2);

        run(rng_below(&bench->rng, PUTS_MOST + 1), true,
            WANTS_GLOBAL | (wants ? WANTS_TARGET : 0) | (flag ? WANTS_FLAG : 0),
            (struct manners){.hold = -1,
                             .lose = -1,
                             .full = rng_below(&bench->rng, 8) == 0,
                             .adds = rng_below(&bench->rng, 3)});
        must_equal(&wrong, target_events, wants, "events at the target");
        must_equal(&wrong, flag_seen, flag, "flags at the target");
        must_equal(&wrong, source_status, STATUS_OK, "status at the source");
        must_equal(&wrong, entries(), 0, "transactions that the target still counts");
        wanted += wants;
        delivered += target_events;
        misses_add(&all, &wrong);
    }
    /* holds ssid.events, ssid.flag */
    tap_misses(&all, "%u transactions in any order: %u events wanted, %u delivered", transactions,
               wanted, delivered);
}

int main(int argc, char **argv)
{
    start(test_seed(argc, argv));
    test_cases();
    test_flags();
    test_random(100);
    nic_bench_free(bench);
    return tap_done();
}
