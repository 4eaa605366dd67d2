// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_strangers.c - what a process that takes all it can costs a stranger.
 *
 * Initiator: four descriptors with limits of requests send puts to a dead node as fast as they can; a stranger's put of 8 bytes takes at
 * most four times as long as alone. Target: a peer keeps 30 atomic operations, or 8 pairs of get and put in order, outstanding;
 * a stranger's puts, 30 outstanding, keep half of their rate (aries; of proto it is printed).
 *
 * Built for aries, proto: fast.
 */
#include "tb/system/nic/nic_peers.h"
#include "tb/system/nic/nic_report.h"

#include <string.h>

enum {
    LATENCY = 200, /* of host memory */
    EPOCH = 4 * NIC_TAGS,
    WARM = 3000,
    CLOCKS = 10000,
    OUTSTANDING = 30,
    PAIRS = 8,
    IN_ORDER = 6,
    PUT_BYTES = 8,
    STRANGER = 0,
    OTHER = 1,
    STRANGERS_AT = 0x80000,
    WORD = 0x4000, /* that all atomic operations ask for */
    WORDS = 0x2000,
    ADD4 = 0x54,
    ADD8 = 0x55,
    CACHED = 0x20,
    GREEDY = 4, /* descriptors */
    QUEUE = 1,
    RING_AT = 0x1000,
    RING_LOG2 = 6,
    WORD_BASE = 0,
    WORD_MODES = 1,
    WORD_OPEN = 8,
    WORD_CLOSE = 13,
    BACKLOG = 4,
    EPOCHS = 6,
    TIMES = 4, /* as long as alone, at most */
    REQUESTS = (NIC_TAGS - 8) / (GREEDY + 1)
};

/* ---- a target: peers --------------------------------------------------------------------------------- */

static unsigned put(struct rng *rng, uint64_t n, beat_word *head)
{
    (void)rng;
    *head = peer_head(CMD_PUT, STRANGERS_AT + n * 64 % 0x10000, 0, PUT_BYTES - 1, MODE_ADAPTIVE0);
    return PUT_BYTES;
}

static unsigned add(unsigned opcode, uint64_t offset, beat_word *head)
{
    *head = peer_head(CMD_AMO, offset, opcode >> 6, opcode & 0x3F, MODE_ADAPTIVE0);
    return 8;
}

static unsigned cached(struct rng *rng, uint64_t n, beat_word *head)
{
    (void)rng;
    (void)n;
    return add(ADD8 | CACHED, WORD, head);
}

static unsigned uncached(struct rng *rng, uint64_t n, beat_word *head)
{
    (void)rng;
    (void)n;
    return add(ADD8, WORD, head);
}

static unsigned in_turn(struct rng *rng, uint64_t n, beat_word *head)
{
    (void)rng;
    return add(n % 2 != 0 ? ADD8 : ADD4, WORD, head);
}

static unsigned anywhere(struct rng *rng, uint64_t n, beat_word *head)
{
    (void)n;
    return add(ADD8, 8 * rng_below(rng, WORDS), head);
}

/* GET, PUT of one place. */
static unsigned pairs(struct rng *rng, uint64_t n, beat_word *head)
{
    uint64_t place = WORD + n / 2 % 64 * 64;

    (void)rng;
    if (n % 2 != 0) {
        *head = peer_head(CMD_PUT, place, 0, PUT_BYTES - 1, IN_ORDER);
        return PUT_BYTES;
    }
    *head = peer_head(CMD_GET, place, PUT_BYTES / 4 - 1, 0, IN_ORDER);
    return 0;
}

static const struct {
    const char *key, *what;
    peer_request *request;
    unsigned outstanding;
} neighbours[] = {
    {"amo_cached", "30 cached atomic operations on one word", cached, OUTSTANDING},
    {"amo_uncached", "30 uncached ones on one word", uncached, OUTSTANDING},
    {"amo_in_turn", "30 of 4 and 8 bytes in turn on one word", in_turn, OUTSTANDING},
    {"amo_random", "30 on random words", anywhere, OUTSTANDING},
    {"pairs_in_order", "8 pairs of get and put in order", pairs, 2 * PAIRS},
};

/* The stranger's puts in CLOCKS; what the other does in the same time. */
static uint64_t rate(uint64_t seed, peer_request *request, unsigned outstanding, uint64_t *other)
{
    struct nic_peers *p = nic_peers_new(seed, LATENCY, 1 << 20);
    uint64_t puts;

    harness_clock = &p->clock;
    nic_peers_ask(p, STRANGER, put, OUTSTANDING);
    nic_peers_ask(p, OTHER, request, outstanding);
    nic_peers_run(p, WARM);
    puts = p->peer[STRANGER].answered;
    *other = p->peer[OTHER].answered;
    nic_peers_run(p, CLOCKS);
    puts = p->peer[STRANGER].answered - puts;
    *other = p->peer[OTHER].answered - *other;
    harness_clock = NULL;
    nic_peers_free(p);
    return puts;
}

static void test_target(uint64_t seed, cJSON *report)
{
    uint64_t other, alone = rate(seed, NULL, 0, &other);
    double least = 1;
    cJSON *shares = cJSON_AddObjectToObject(report, "stranger_puts_beside");

    for (unsigned i = 0; i < sizeof(neighbours) / sizeof(*neighbours); i++) {
        uint64_t puts = rate(seed + i, neighbours[i].request, neighbours[i].outstanding, &other);
        double share = (double)puts / (double)alone;

        least = share < least ? share : least;
        cJSON_AddNumberToObject(shares, neighbours[i].key, share);
        tap_ok(NIC_TAG_LOG2 < 10 || share >= 0.5,
               "a stranger's puts beside %s: %llu in %d clocks, alone %llu: %.2f; the others: %llu",
               neighbours[i].what, (unsigned long long)puts, CLOCKS, (unsigned long long)alone,
               share, (unsigned long long)other);
    }
    cJSON_AddNumberToObject(report, "stranger_puts_least_share", least);
}

/* ---- an initiator: descriptors ------------------------------------------------------------------------ */

static void store(struct nic_peers *p, struct driver_burst b)
{
    driver_burst(&p->driver, &b);
}

static void make_descriptor(struct nic_peers *p, unsigned number, unsigned node)
{
    unsigned at = NR_FMA + NR_FMA_STEP * number;

    nic_peers_write(p, at + 1, (uint64_t)REQUESTS << NR_FMA1_REQUESTS_AT);
    nic_peers_write(p, at,
                    (uint64_t)PEERS_PTAG << NR_FMA_PTAG_AT | (uint64_t)2 << NR_FMA_LIMIT_AT |
                        (uint64_t)1 << NR_FMA_ENABLE_AT);
    store(p, store_word(number, WORD_MODES, PEERS_HANDLE | (uint64_t)QUEUE << 30));
    store(p, store_word(number, WORD_BASE, (uint64_t)node << 40));
}

static void make_queue(struct nic_peers *p)
{
    unsigned at = NR_CQ + NR_CQ_STEP * QUEUE;

    nic_peers_write(p, at, RING_AT);
    nic_peers_write(p, at + 1,
                    (uint64_t)1 << NR_CQ1_ENABLE_AT | (uint64_t)RING_LOG2 << NR_CQ1_LOG2_AT |
                        (uint64_t)PEERS_PTAG << NR_CQ1_PTAG_AT |
                        (uint64_t)1 << NR_CQ1_THRESHOLD_AT);
}

/* Puts of all greedy ones in turn, as fast as the NIC takes them. */
static void be_greedy(struct nic_peers *p, uint64_t *puts)
{
    static const uint8_t data[PUT_BYTES] = {1};

    if (p->driver.bursts_in - p->driver.bursts_done < BACKLOG) {
        store(p, store_put((unsigned)(*puts)++ % GREEDY, 0, data, PUT_BYTES));
    }
}

static uint64_t event_at(struct nic_peers *p, uint64_t n)
{
    uint64_t event;

    memcpy(&event, host_memory(p->host) + RING_AT + 8 * (n % (1 << RING_LOG2)), 8);
    return event;
}

/* Clocks of the stranger's put number n, from its first store to its event; 0: no event within 64 epochs. */
static uint64_t put_once(struct nic_peers *p, uint64_t n, bool beside, uint64_t *puts,
                         unsigned *status)
{
    static const uint8_t data[PUT_BYTES] = {2};
    uint64_t begin = p->clock, event;

    store(p, store_word(GREEDY, WORD_OPEN, 0));
    store(p, store_put(GREEDY, 0, data, PUT_BYTES));
    store(p, store_word(GREEDY, WORD_CLOSE, n | (uint64_t)2 << 56));
    while ((event = event_at(p, n)) == 0 && p->clock - begin < 64 * EPOCH) {
        if (beside) {
            be_greedy(p, puts);
        }
        nic_peers_clock(p);
    }
    *status = event >> 59 & 15;
    memset(host_memory(p->host) + RING_AT + 8 * (n % (1 << RING_LOG2)), 0, 8);
    store(p, store_queue(QUEUE, n + 1));
    return event == 0 ? 0 : p->clock - begin;
}

/* The longest of the stranger's puts in some epochs. */
static uint64_t longest(uint64_t seed, bool beside, uint64_t *count)
{
    struct nic_peers *p = nic_peers_new(seed, LATENCY, EPOCH);
    uint64_t most = 0, puts = 0, n = 0;
    bool right = true;

    harness_clock = &p->clock;
    make_queue(p);
    for (unsigned i = 0; i < GREEDY; i++) {
        make_descriptor(p, i, PEER_DEAD);
        store(p, store_word(i, WORD_OPEN, 0));
    }
    make_descriptor(p, GREEDY, PEER_ANSWERS);
    for (uint64_t end = p->clock + EPOCHS * EPOCH; p->clock < end;) {
        unsigned status;
        uint64_t clocks = put_once(p, n++, beside, &puts, &status);

        right = right && clocks != 0 && status == STATUS_OK;
        most = clocks > most ? clocks : most;
    }
    tap_ok(right, "each of the stranger's %llu puts %s is OK", (unsigned long long)n,
           beside ? "beside them" : "alone");
    *count = puts;
    harness_clock = NULL;
    nic_peers_free(p);
    return most;
}

static void test_initiator(uint64_t seed, cJSON *report)
{
    uint64_t puts, alone = longest(seed, false, &puts), beside = longest(seed, true, &puts);

    tap_ok(beside <= TIMES * alone,
           "a stranger's put of 8 bytes: at most %llu clocks beside %d descriptors with limits and "
           "a dead node (%llu stores), %llu alone",
           (unsigned long long)beside, GREEDY, (unsigned long long)puts, (unsigned long long)alone);
    cJSON_AddNumberToObject(report, "stranger_put_alone_clocks", (double)alone);
    cJSON_AddNumberToObject(report, "stranger_put_beside_dead_clocks", (double)beside);
}

int main(int argc, char **argv)
{
    uint64_t seed;
    cJSON *report = cJSON_CreateObject();
    cJSON *strangers = cJSON_CreateObject();
    const char *path = "build/reports/nic-episodes.json";

    test_options(argc, argv, &seed, args_text("--json", "FILE", &path, "the report to add to"));
    cJSON_AddNumberToObject(report, "seed", (double)seed);
    test_target(seed, report);
    test_initiator(seed + 100, report);
    cJSON_AddItemToObject(strangers, NIC_TAG_LOG2 < 10 ? "strangers_proto" : "strangers", report);
    tap_ok(nic_report_update(path, strangers), "%s", path);
    return tap_done();
}
