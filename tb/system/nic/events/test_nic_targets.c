// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_targets.c - many transactions at once, each of which may want one event at its target: through a channel that delays, reorders and
 * loses, with four places for transactions at the target, short timeouts, and packets that come when these are over, or when the id of their
 * transaction has been given to another one.
 *
 * Of a transaction that ends OK at its source the event comes once; of another at most once; none comes that is not wanted, or before all puts
 * of its transaction are in memory. build/reports/nic-events.json has the counts.
 *
 * Built for proto: fast. Linked again without sanitizers for make soak: build/bin/nic-events --transactions 1e6.
 */
#include "tb/system/nic/nic_channel.h"
#include "tb/system/nic/nic_report.h"

#include <stdlib.h>
#include <string.h>

enum {
    DOMAIN = 3,
    QUEUE = 1,
    THERE = 6,
    RING_AT = 0x10000,
    RING_LOG2 = 12,
    REMOTE_AT = 0x40000,
    EPOCH = 1 << 12,
    TIMEOUT = 1 << 10, /* of a transaction at the target */
    LATE = 1500,       /* a few packets come so much later, when that is over, */
    LONG = 4 * EPOCH,  /* ... and a few of these when their id is another one's */
    PLACES = 4,        /* of rmt */
    PUTS_MOST = 3,
    LINE = 64,
    SLOTS = 4,        /* of a descriptor: places in memory of its last transactions */
    FLIGHT = 3,       /* transactions of one that are not over */
    REST = 6 * EPOCH, /* an id whose transaction timed out is not given again before */
    WANTS_GLOBAL = 2,
    WANTS_TARGET = 4,
};

/* Words of a descriptor's page (hls/nic/PROGRAMMING.md). */
enum { BASE = 0, MODES = 1, EVENT = 5, OPEN = 8, CLOSE = 13 };

/* A transaction, by its number. */
struct transaction {
    bool wants;
    bool ended; /* its event at the source came, with */
    unsigned status;
    unsigned events; /* at the target */
    unsigned puts;
    uint8_t descriptor, slot;
};

struct counts {
    uint64_t wanted, delivered, extra, early, missing, failed, failed_delivered;
};

static struct nic_bench *bench;
static struct misses wrong;
static struct transaction *all;
static unsigned posted, over;
static unsigned now_in[NIC_FMAS][SLOTS]; /* number of the transaction whose puts are there */
static unsigned flight[NIC_FMAS], next_slot[NIC_FMAS];
static uint64_t rests[NIC_FMAS]; /* until this clock */
static unsigned target_read, source_read;
static struct counts counts;
static uint64_t ends, notes, noted; /* ENDs, NOTEs, answers that say that nothing was counted */

static bool on_the_way(void *whose, int class, struct channel_packet *p)
{
    (void)whose;
    noted += class == 1 && rsp_note(p->beat[0].word);
    ends += class == 0 && req_cmd(p->beat[0].word) == CMD_END;
    notes += class == 0 && req_cmd(p->beat[0].word) == CMD_NOTE;
    return true;
}

static struct rmt *target_rmt(void)
{
    return &channel_of(bench)->node[1].nic.target.rmt;
}

/* All places of the target but a few are others', for ever: they are as young as can be. */
static void take_places(void)
{
    struct rmt *r = target_rmt();
    struct rmt_entry *ways[RMT_WAYS] = {r->way0, r->way1, r->way2, r->way3};

    for (unsigned i = PLACES; i < RMT_WAYS * RMT_SETS; i++) {
        /* the places that are left: one in each of the first sets */
        struct rmt_entry *entry = &ways[i / RMT_SETS][i % RMT_SETS];

        *entry = (struct rmt_entry){.valid = 1, .key = (rmt_key)0x3FFFF, .epoch = r->epoch};
    }
}

static uint64_t ring_word(unsigned node, unsigned at)
{
    uint64_t word;

    memcpy(&word, host_memory(bench->node[node].host) + RING_AT + 8 * (at % (1 << RING_LOG2)), 8);
    return word;
}

static void clear_ring_word(unsigned node, unsigned at)
{
    memset(host_memory(bench->node[node].host) + RING_AT + 8 * (at % (1 << RING_LOG2)), 0, 8);
    if (at % 256 == 255) {
        const struct driver_burst index = store_queue(QUEUE, at + 1);

        driver_burst(&bench->node[node].driver, &index);
    }
}

/* Byte of put k of a transaction. */
static uint8_t byte_of(unsigned number, unsigned k, unsigned i)
{
    return (uint8_t)(1 + (number * 31 + k * 7 + i) % 255);
}

static unsigned place_of(const struct transaction *t, unsigned k)
{
    return REMOTE_AT + ((t->descriptor * SLOTS + t->slot) * PUTS_MOST + k) * LINE;
}

/* All puts are in memory, as far as no later transaction writes there. */
static bool is_whole(unsigned number)
{
    const struct transaction *t = &all[number];
    const uint8_t *memory = host_memory(bench->node[1].host);

    for (unsigned k = 0; now_in[t->descriptor][t->slot] == number && k < t->puts; k++) {
        for (unsigned i = 0; i < LINE; i++) {
            if (memory[place_of(t, k) + i] != byte_of(number, k, i)) {
                return false;
            }
        }
    }
    return true;
}

static void take_target_event(uint64_t word)
{
    unsigned number = (unsigned)(word & 0xFFFFFFFF);
    bool known = word >> 56 == 7 && number < posted && all[number].wants;

    if (!known || ++all[number].events > 1) {
        counts.extra++;
        miss(&wrong, "event %#llx at the target, %s", (unsigned long long)word,
             known ? "expected once" : "expected none");
        return;
    }
    if (!is_whole(number)) {
        counts.early++;
        miss(&wrong, "event of transaction %u before its %u puts are in memory", number,
             all[number].puts);
    }
}

static void take_source_event(uint64_t word)
{
    unsigned number = (unsigned)(word & 0xFFFFFFFF);

    if (number >= posted || all[number].ended) {
        miss(&wrong, "event %#llx at the source, expected none", (unsigned long long)word);
        return;
    }
    struct transaction *t = &all[number];

    t->ended = true;
    t->status = (unsigned)(word >> 59) & 15;
    flight[t->descriptor]--;
    if (t->status == STATUS_TIMEOUT) {
        rests[t->descriptor] = bench->clock + REST;
    }
    over++;
}

static void look(void)
{
    uint64_t word;

    while ((word = ring_word(1, target_read)) != 0) {
        take_target_event(word);
        clear_ring_word(1, target_read++);
    }
    while ((word = ring_word(0, source_read)) != 0) {
        take_source_event(word);
        clear_ring_word(0, source_read++);
    }
}

static void post(struct driver_burst burst)
{
    driver_burst(&bench->node[0].driver, &burst);
}

/* A descriptor may have one more, and the last one whose puts are where this one's will be is over. */
static bool may_post(unsigned d)
{
    unsigned last = now_in[d][next_slot[d]];
    bool used = last < posted && all[last].descriptor == d && all[last].slot == next_slot[d];

    return flight[d] < FLIGHT && bench->clock >= rests[d] && (!used || all[last].ended);
}

/* The next transaction, by a descriptor that may have one more. */
static void post_one(unsigned d)
{
    struct transaction *t = &all[posted];
    uint8_t data[LINE];

    *t = (struct transaction){.wants = rng_below(&bench->rng, 4) != 0,
                              .puts = rng_below(&bench->rng, PUTS_MOST + 1),
                              .descriptor = (uint8_t)d,
                              .slot = (uint8_t)next_slot[d]};
    next_slot[d] = (next_slot[d] + 1) % SLOTS;
    now_in[d][t->slot] = posted;
    flight[d]++;
    post(store_word(d, EVENT, posted));
    post(store_word(d, OPEN, 1));
    for (unsigned k = 0; k < t->puts; k++) {
        for (unsigned i = 0; i < LINE; i++) {
            data[i] = byte_of(posted, k, i);
        }
        post(store_put(d, place_of(t, k) - REMOTE_AT, data, LINE));
    }
    post(store_word(d, CLOSE,
                    posted | (uint64_t)(t->wants ? WANTS_GLOBAL | WANTS_TARGET : WANTS_GLOBAL)
                                 << 56));
    posted++;
}

static void start(uint64_t seed)
{
    bench = channel_bench_new(2, seed, NULL);
    channel_of(bench)->tamper = on_the_way;
    channel_of(bench)->knobs = (struct channel_knobs){
        .delay = 5, .delay_extra = 100, .loss = 1e-3, .late = 0.01, .late_delay = LATE};
    for (unsigned node = 0; node < 2; node++) {
        host_set(bench->node[node].host,
                 &(struct host_knobs){.latency = 10, .latency_extra = 30, .stall = 0.05});
        nic_bench_segment(bench, node, THERE,
                          &(struct gn_segment){.valid = true,
                                               .read = true,
                                               .write = true,
                                               .base = REMOTE_AT,
                                               .length = 1 << 16,
                                               .ptag = DOMAIN,
                                               .queue = QUEUE,
                                               .event = true});
        nic_bench_queue(
            bench, node, QUEUE,
            &(struct gn_ring){.enabled = true, .base = RING_AT, .log2 = RING_LOG2, .ptag = DOMAIN});
        nic_bench_write(bench, node, NR_ORB_EPOCH, EPOCH);
        nic_bench_write(bench, node, NR_RMT_TIMEOUT, TIMEOUT);
    }
    for (unsigned d = 0; d < NIC_FMAS; d++) {
        nic_bench_descriptor(bench, 0, d, DOMAIN, NIC_SSIDS / NIC_FMAS);
        post(store_word(d, MODES, THERE | (uint64_t)QUEUE << 30));
        post(store_word(d, BASE, (uint64_t)1 << 40));
    }
    nic_bench_settle_drivers(bench);
}

static void clock_once(void)
{
    static unsigned epoch = 4;

    if (bench->clock % 64 == 0) {
        channel_of(bench)->knobs.late_delay = rng_below(&bench->rng, 16) == 0 ? LONG : LATE;
    }

    if (epoch != (unsigned)target_rmt()->epoch) {
        take_places();
        epoch = (unsigned)target_rmt()->epoch;
    }
    nic_bench_clock(bench);
    if (bench->clock % 16 == 0) {
        look();
    }
}

static void run(unsigned transactions, uint64_t seed)
{
    struct progress progress;
    uint64_t quiet = 0;
    unsigned last = 0;

    progress_start(&progress, "nic-events, transactions", transactions, seed);

    while (over != transactions && quiet < 40 * EPOCH) {
        for (unsigned d = 0; d < NIC_FMAS && posted != transactions; d++) {
            if (may_post(d)) {
                post_one(d);
            }
        }
        clock_once();
        progress_show(&progress, over);
        quiet = over == last ? quiet + 1 : 0;
        last = over;
    }
    progress_end(&progress, over);
    for (unsigned i = 0; i < 4 * EPOCH; i++) {
        clock_once(); /* what may still come */
    }
    look();
}

/* What became of each. */
static void judge(void)
{
    for (unsigned n = 0; n < posted; n++) {
        const struct transaction *t = &all[n];
        bool ok = t->ended && t->status == STATUS_OK;

        must(&wrong, t->ended, "transaction %u: no event at its source", n);
        counts.wanted += t->wants && ok;
        counts.delivered += t->wants && ok && t->events != 0;
        counts.missing += t->wants && ok && t->events == 0;
        counts.failed += t->ended && !ok;
        counts.failed_delivered += !ok && t->events != 0;
        must(&wrong, !(t->wants && ok) || t->events == 1,
             "transaction %u ended OK: %u events at its target, expected 1", n, t->events);
    }
}

static void report(unsigned transactions)
{
    cJSON *report = cJSON_CreateObject();

    cJSON_AddNumberToObject(report, "transactions", transactions);
    cJSON_AddNumberToObject(report, "wanted", (double)counts.wanted);
    cJSON_AddNumberToObject(report, "delivered", (double)counts.delivered);
    cJSON_AddNumberToObject(report, "missing", (double)counts.missing);
    cJSON_AddNumberToObject(report, "extra", (double)counts.extra);
    cJSON_AddNumberToObject(report, "early", (double)counts.early);
    cJSON_AddNumberToObject(report, "failed", (double)counts.failed);
    cJSON_AddNumberToObject(report, "failed_delivered", (double)counts.failed_delivered);
    cJSON_AddNumberToObject(report, "lost_packets", (double)channel_of(bench)->lost);
    cJSON_AddNumberToObject(report, "answers_with_note", (double)noted);
    cJSON_AddNumberToObject(report, "end_packets", (double)ends);
    cJSON_AddNumberToObject(report, "note_packets", (double)notes);
    cJSON_AddNumberToObject(report, "places", PLACES);
    cJSON_AddNumberToObject(report, "epoch", EPOCH);
    must(&wrong, nic_report_update("build/reports/nic-events.json", report), "no report");
}

int main(int argc, char **argv)
{
    uint64_t transactions = 20000, seed;

    test_options(argc, argv, &seed,
                 args_number("--transactions", &transactions, 100, 1 << 30, "transactions"));
    all = calloc(transactions, sizeof(*all));
    start(seed);
    run((unsigned)transactions, seed);
    judge();
    report((unsigned)transactions);
    must_at_least(&wrong, channel_of(bench)->lost, transactions / 1000, "packets lost");
    must_at_least(&wrong, noted, transactions / 10, "answers with note");
    must_at_least(&wrong, ends - notes, transactions / 10, "ENDs that need no NOTE");
    tap_misses(
        &wrong,
        "%u transactions, %llu packets lost: %llu events wanted, %llu delivered, %llu more of "
        "%llu that failed; %llu clocks",
        posted, (unsigned long long)channel_of(bench)->lost, (unsigned long long)counts.wanted,
        (unsigned long long)counts.delivered, (unsigned long long)counts.failed_delivered,
        (unsigned long long)counts.failed, (unsigned long long)bench->clock);
    free(all);
    nic_bench_free(bench);
    return tap_done();
}
