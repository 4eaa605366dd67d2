// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_errors.c - every row of the table of errors whose block exists (errors.md, "By place"): its cause once in idle
 * NICs and once under the traffic of others; its status, counter or refusal; and nothing else is touched.
 *
 * An actor on node 0 has a descriptor, a domain and a queue of its own and memory that the golden model does not watch;
 * random programs of other domains run beside it and must not notice. What has been seen in both is in nic-cover.json: a row
 * without a hit fails.
 */
#include "tb/nic/nic_channel.h"
#include "tb/nic/nic_program.h"

#include <stdio.h>
#include <string.h>

enum {
    NODES = 3,
    FMA = 6,
    DOMAIN = 9,
    QUEUE = 9,
    OTHER_QUEUE = 10,
    OFF_QUEUE = 11,
    ACTOR_AT = 8 << 20
};
/* Handles of the actor, and where they are. */
enum { HERE = 40, THERE, FAULTY, ALIEN };
enum {
    RING_AT = ACTOR_AT,
    HERE_AT = ACTOR_AT + 0x10000,
    THERE_AT = ACTOR_AT + 0x20000,
    FAULT_AT = ACTOR_AT + 0x30000
};
enum { BASE = 0, MODES = 1, EVENT = 5, OPEN = 8, CQWRITE = 9, CLOSE = 13, STATUS = 16 };
enum { RING_LOG2 = 6, PATIENCE = 20000, EPOCH = 1 << 12, NTT_AT = 100 };
enum { NONE = -1 }; /* no event */

static struct nic_bench *b;
static struct program *others;
static bool traffic;
static uint64_t tag, ring_read;
static struct nic_cover cover;
static cJSON *cover_rows;

/* ---- the actor ------------------------------------------------------------------------------------- */

static void run(unsigned clocks)
{
    while (clocks-- > 0) {
        program_clock(others, traffic);
    }
}

static void store(struct driver_burst burst)
{
    uint64_t begin = b->clock;

    driver_burst(&b->node[0].driver, &burst);
    while (!driver_idle(&b->node[0].driver) && b->clock - begin < PATIENCE) {
        program_clock(others, traffic);
    }
}

static uint64_t status_word(void)
{
    struct driver_burst read = store_word(FMA, STATUS, 0);

    read.read = true;
    driver_burst(&b->node[0].driver, &read);
    nic_bench_settle_drivers(b);
    return b->node[0].driver.answer;
}

static uint64_t counter(unsigned node, unsigned address)
{
    return nic_bench_read(b, node, (uint16_t)address);
}

/* The next event of the actor's ring: its word, or 0. */
static uint64_t take_event(unsigned clocks)
{
    uint64_t word = 0;
    uint8_t *place =
        host_memory(b->node[0].host) + RING_AT + 8 * (ring_read & ((1 << RING_LOG2) - 1));

    for (; word == 0 && clocks > 0; clocks--) {
        program_clock(others, traffic);
        memcpy(&word, place, 8);
    }
    if (word != 0) {
        memset(place, 0, 8);
        ring_read++;
        store(store_queue(QUEUE, ring_read));
    }
    return word;
}

static int event_status(uint64_t word)
{
    return word == 0 || (word & 0xFFFFFFFFFFFFFF) != tag ? NONE : (int)(word >> 59 & 15);
}

static void modes(unsigned mdh, unsigned queue, unsigned command)
{
    store(store_word(FMA, MODES,
                     mdh | (uint64_t)HERE << 12 | (uint64_t)queue << 30 | (uint64_t)command << 40));
}

static void begin_at(unsigned to, unsigned mdh, uint64_t offset)
{
    modes(mdh, QUEUE, 0);
    store(store_word(FMA, BASE, (uint64_t)to << 40 | offset));
    store(store_word(FMA, OPEN, 0));
}

static void begin(unsigned to, unsigned mdh)
{
    begin_at(to, mdh, 0);
}

static void end(uint64_t wants)
{
    store(store_word(FMA, CLOSE, ++tag | wants << 56));
}

/* A put of 8 bytes in a transaction of its own: its status. */
static int put_to(unsigned to, unsigned mdh, uint64_t offset)
{
    begin_at(to, mdh, offset);
    store(store_put(FMA, 0, (const uint8_t *)"rightful", 8));
    end(2);
    return event_status(take_event(PATIENCE));
}

static int get_from(unsigned to, unsigned mdh, uint64_t offset, uint64_t local)
{
    begin_at(to, mdh, offset);
    store(store_get(FMA, 0, local, 8, false));
    end(2);
    return event_status(take_event(PATIENCE));
}

/* ---- rows: true if what the table says happened ------------------------------------------------------ */

static bool bad_burst(void)
{
    uint64_t refused = b->node[0].driver.refused, counted = counter(0, NR_PIO_BAD_BURST);
    struct driver_burst over = store_put(FMA, 48, (const uint8_t *)"0123456789abcdef", 16);

    over.beats = 2; /* over the end of a line */
    over.strobes = 0xFFFFFFFF;
    store(over);
    return b->node[0].driver.refused == refused + 1 && counter(0, NR_PIO_BAD_BURST) == counted + 1;
}

static bool disabled_window(void)
{
    uint64_t refused = b->node[0].driver.refused;

    store(store_put(FMA + 1, 0, (const uint8_t *)"rightful", 8)); /* never enabled */
    return b->node[0].driver.refused == refused + 1;
}

static bool not_open(void)
{
    uint64_t counted = counter(0, NR_FMA_NOT_OPEN), word;

    store(store_word(FMA, STATUS, 0));
    store(store_put(FMA, 0, (const uint8_t *)"rightful", 8));
    word = status_word();
    return counter(0, NR_FMA_NOT_OPEN) == counted + 1 && (word >> 16 & 0xFFFF) == 1 &&
           (word >> 10 & 63) != 0;
}

static bool opened_twice(void)
{
    uint64_t counted = counter(0, NR_FMA_NOT_OPEN);
    bool good;

    begin(1, THERE);
    store(store_word(FMA, OPEN, 0));
    good = counter(0, NR_FMA_NOT_OPEN) == counted + 1;
    end(2);
    return event_status(take_event(PATIENCE)) == GN_OK && good;
}

static bool no_id(void)
{
    uint64_t counted = counter(0, NR_FMA_NO_ID);
    bool good = true;

    /* Two may be in flight; their answers wait behind a slow memory. */
    host_set(b->node[1].host, &(struct host_knobs){.latency = 3000});
    for (int i = 0; i < 3; i++) {
        store(store_word(FMA, OPEN, 0));
        store(store_word(FMA, MODES, THERE | (uint64_t)QUEUE << 30));
        store(store_word(FMA, BASE, (uint64_t)1 << 40));
        store(store_put(FMA, 0, (const uint8_t *)"rightful", 8));
        store(store_word(FMA, CLOSE, ++tag | (uint64_t)2 << 56));
    }
    good = counter(0, NR_FMA_NO_ID) == counted + 1;
    host_set(b->node[1].host, &(struct host_knobs){.latency = 20});
    tag--;
    good = good && (take_event(PATIENCE) & 0xFFFFFF) == tag - 1 &&
           event_status(take_event(PATIENCE)) == GN_OK;
    tag++;
    return good;
}

static bool bad_command(void)
{
    uint64_t counted = counter(0, NR_FMA_BAD_COMMAND);
    bool good;

    begin(1, THERE);
    store(store_word(FMA, 20, 1)); /* there is no such word */
    good = counter(0, NR_FMA_BAD_COMMAND) == counted + 1;
    end(2);
    return event_status(take_event(PATIENCE)) == GN_OK && good;
}

static bool long_message(void)
{
    uint8_t data[64] = {0};
    uint64_t counted = counter(0, NR_FMA_BAD_COMMAND);
    bool good;

    begin(1, THERE);
    modes(THERE, QUEUE, 1);
    store(store_put(FMA, 0, data, 57));
    good = counter(0, NR_FMA_BAD_COMMAND) == counted + 1;
    end(2);
    return event_status(take_event(PATIENCE)) == GN_OK && good;
}

/* There are no atomic operations yet: their target says so. */
static bool atomic(void)
{
    begin(1, THERE);
    modes(THERE, QUEUE, 8);
    store(store_put(FMA, 0, (const uint8_t *)"rightful", 8));
    end(2);
    return event_status(take_event(PATIENCE)) == GN_BAD_COMMAND;
}

static bool bad_alignment(void)
{
    uint64_t counted = counter(0, NR_FMA_BAD_ALIGNMENT);
    bool good;

    begin(1, THERE);
    store(store_get(FMA, 0, 2, 8, false)); /* the local offset is no multiple of 4 */
    good = counter(0, NR_FMA_BAD_ALIGNMENT) == counted + 1;
    end(2);
    return event_status(take_event(PATIENCE)) == GN_OK && good;
}

static bool no_such_pe(void)
{
    uint64_t words = (uint64_t)DOMAIN << NR_FMA_PTAG_AT | (uint64_t)2 << NR_FMA_LIMIT_AT |
                     (uint64_t)1 << NR_FMA_ENABLE_AT;
    bool good;

    nic_bench_write(b, 0, NR_NTT + NTT_AT, 1 | 1 << NR_NTT_VALID_AT);
    nic_bench_write(b, 0, NR_NTT + NTT_AT + 1, 1);
    nic_bench_write(b, 0, NR_FMA + NR_FMA_STEP * FMA,
                    words | (uint64_t)1 << NR_FMA_NTT_AT | (uint64_t)NTT_AT << NR_FMA_BASE_AT |
                        (uint64_t)2 << NR_FMA_SIZE_AT);
    good = put_to(0, THERE, 0) == GN_OK;                  /* virtual 0 is node 1 */
    good = good && put_to(1, THERE, 0) == GN_UNREACHABLE; /* its entry is not valid */
    good = good && put_to(2, THERE, 0) == GN_UNREACHABLE; /* beyond the job */
    nic_bench_write(b, 0, NR_FMA + NR_FMA_STEP * FMA, words);
    return good;
}

static bool queue_of_others(void)
{
    uint64_t domain = counter(0, NR_CQ_DOMAIN), off = counter(0, NR_CQ_DISABLED);

    begin(1, THERE);
    modes(THERE, OTHER_QUEUE, 0);
    end(2);
    run(500);
    begin(1, THERE);
    modes(THERE, OFF_QUEUE, 0);
    end(2);
    run(500);
    return counter(0, NR_CQ_DOMAIN) == domain + 1 && counter(0, NR_CQ_DISABLED) == off + 1;
}

static bool no_read_index(void)
{
    uint64_t counted = counter(0, NR_CQ_NO_INDEX);

    store(store_queue(QUEUE, ring_read + 1)); /* nothing is there to be read */
    return counter(0, NR_CQ_NO_INDEX) == counted + 1;
}

/* 63 events fill the ring of 64; the 64th and 65th are dropped, and the next one that fits says so. */
static bool full_queue(void)
{
    uint64_t full = counter(0, NR_CQ_FULL), word = 0;
    uint8_t *ring = host_memory(b->node[0].host) + RING_AT;
    bool good;

    for (int i = 0; i < 65; i++) {
        begin(1, THERE);
        end(2);
        run(100);
    }
    good = counter(0, NR_CQ_FULL) == full + 2;
    memset(ring, 0, 8 << RING_LOG2);
    ring_read += 63;
    store(store_queue(QUEUE, ring_read));
    begin(1, THERE);
    end(2);
    word = take_event(PATIENCE);
    good = good && word >> 63 == 1;
    begin(1, THERE);
    end(2);
    return good && take_event(PATIENCE) >> 63 == 0;
}

static bool wants_at_target(void)
{
    begin(1, THERE);
    end(2 | 4);
    return event_status(take_event(PATIENCE)) == GN_SEQUENCE;
}

static bool disabled_while_open(void)
{
    uint64_t words = (uint64_t)DOMAIN << NR_FMA_PTAG_AT | (uint64_t)2 << NR_FMA_LIMIT_AT, word;

    begin(1, THERE);
    nic_bench_write(b, 0, NR_FMA + NR_FMA_STEP * FMA, words);
    word = take_event(PATIENCE);
    nic_bench_write(b, 0, NR_FMA + NR_FMA_STEP * FMA, words | (uint64_t)1 << NR_FMA_ENABLE_AT);
    return (word >> 59 & 15) == GN_SEQUENCE && put_to(1, THERE, 0) == GN_OK;
}

static int cqwrite_to(unsigned to, unsigned mdh)
{
    begin(to, mdh);
    store(store_word(FMA, CQWRITE, 1));
    end(2);
    return event_status(take_event(PATIENCE));
}

static bool segments(void)
{
    return cqwrite_to(1, ALIEN) == GN_PROTECTION && put_to(1, ALIEN + 1, 0) == GN_MDD &&
           put_to(1, ALIEN, 0) == GN_PROTECTION && put_to(1, THERE, 4093) == GN_BOUNDS &&
           get_from(1, THERE, 4096, 0) == GN_BOUNDS;
}

static bool virtual_handles(void)
{
    bool good;

    nic_bench_domain(b, 1, DOMAIN, &(struct gn_domain){.valid = true, .base = THERE, .size = 1});
    good = put_to(1, 0, 0) == GN_OK && put_to(1, 1, 0) == GN_VMDH;
    nic_bench_domain(b, 1, DOMAIN, &(struct gn_domain){0});
    return good;
}

static bool wrong_local(void)
{
    return get_from(1, THERE, 0, 4096) == GN_BOUNDS && put_to(1, THERE, 0) == GN_OK;
}

static bool fault_at_target(bool poison, bool get)
{
    unsigned wanted = poison ? 10 : GN_BUS;
    bool good;

    host_add_fault(b->node[1].host, &(struct host_fault){.from = FAULT_AT,
                                                         .to = FAULT_AT + 16,
                                                         .bus_error = !poison,
                                                         .poison = poison});
    good = (get ? get_from(1, FAULTY, 0, 0) : put_to(1, FAULTY, 0)) == (int)wanted;
    host_clear_faults(b->node[1].host);
    return good && put_to(1, FAULTY, 0) == GN_OK;
}

static bool bus_error_of_put(void)
{
    return fault_at_target(false, false);
}

static bool bus_error_of_get(void)
{
    return fault_at_target(false, true);
}

static bool poison_of_get(void)
{
    return fault_at_target(true, true);
}

static bool bus_error_of_data(void)
{
    bool good;

    host_add_fault(b->node[0].host,
                   &(struct host_fault){.from = HERE_AT, .to = HERE_AT + 16, .bus_error = true});
    good = get_from(1, THERE, 0, 0) == GN_BUS;
    host_clear_faults(b->node[0].host);
    return good;
}

static bool bus_error_of_event(void)
{
    uint64_t lost = counter(0, NR_CQ_LOST);
    bool good;

    host_add_fault(
        b->node[0].host,
        &(struct host_fault){.from = RING_AT, .to = RING_AT + (8 << RING_LOG2), .bus_error = true});
    begin(1, THERE);
    end(2);
    run(500);
    good = counter(0, NR_CQ_LOST) == lost + 1;
    host_clear_faults(b->node[0].host);
    ring_read++;
    store(store_queue(QUEUE, ring_read));
    return good;
}

/* All packets are lost for a while: only with nobody beside. The id rests then for one to two epochs, and counts as in flight. */
static bool lost_packet(void)
{
    uint64_t timeouts = counter(0, NR_ORB_TIMEOUT);
    bool good;

    if (traffic) {
        return true;
    }
    channel_of(b)->knobs.loss = 1;
    good = put_to(1, THERE, 0) == GN_TIMEOUT && counter(0, NR_ORB_TIMEOUT) == timeouts + 1;
    channel_of(b)->knobs.loss = 0;
    run(EPOCH / 2);
    good = good && (status_word() & 0x1FF) == 1;
    run(5 * EPOCH);
    return good && (status_word() & 0x1FF) == 0 && put_to(1, THERE, 0) == GN_OK;
}

static bool stray_packet(void)
{
    uint64_t strays = counter(1, NR_RAT_STRAY);
    bool good;

    if (traffic) {
        return true;
    }
    nic_bench_write(b, 1, NR_NODE, 77); /* what comes now is for somebody else */
    good = put_to(1, THERE, 0) == GN_TIMEOUT && counter(1, NR_RAT_STRAY) == strays + 1;
    nic_bench_write(b, 1, NR_NODE, 1);
    run(5 * EPOCH);
    return good && put_to(1, THERE, 0) == GN_OK;
}

static bool not_enabled(void)
{
    bool good;

    if (traffic) {
        return true;
    }
    nic_bench_write(b, 1, NR_CONTROL, 0);
    good = put_to(1, THERE, 0) == GN_UNREACHABLE;
    nic_bench_write(b, 1, NR_CONTROL, 1);
    return good && put_to(1, THERE, 0) == GN_OK;
}

static const struct {
    const char *name;
    bool (*row)(void);
} rows[] = {
    {"AXI burst over a line: SLVERR, counted", bad_burst},
    {"window of a disabled descriptor: SLVERR", disabled_window},
    {"request without OPEN: dropped, STATUS and counter", not_open},
    {"opened twice: dropped, counter", opened_twice},
    {"no id left: dropped, counter", no_id},
    {"no such word: dropped, counter", bad_command},
    {"message of 57 bytes: dropped, counter", long_message},
    {"get to an odd place: dropped, counter", bad_alignment},
    {"command that is not built: BAD_COMMAND", atomic},
    {"PE without entry, PE outside of the job: UNREACHABLE", no_such_pe},
    {"queue of another domain, disabled queue: event dropped, counters", queue_of_others},
    {"read index that is none: counter", no_read_index},
    {"queue full: events dropped, the next one says overrun", full_queue},
    {"event wanted at the target: SEQUENCE", wants_at_target},
    {"descriptor disabled while open: SEQUENCE", disabled_while_open},
    {"no segment, other domain, out of bounds: MDD, PROTECTION, BOUNDS", segments},
    {"handle beyond the domain's block: VMDH", virtual_handles},
    {"data of a get beyond its local segment: BOUNDS", wrong_local},
    {"bus error of a put: BUS", bus_error_of_put},
    {"bus error of a get's read: BUS", bus_error_of_get},
    {"poison in a get's read: DATA", poison_of_get},
    {"bus error of a get's data: BUS", bus_error_of_data},
    {"bus error of an event: counter", bus_error_of_event},
    {"packet lost: TIMEOUT, and its id rests", lost_packet},
    {"packet for another node: dropped, counter, TIMEOUT", stray_packet},
    {"target not enabled: UNREACHABLE", not_enabled},
};

/* ---- together ------------------------------------------------------------------------------------------- */

static void start(struct golden_nic *golden, uint64_t seed)
{
    b = channel_bench_new(NODES, seed, golden);
    b->hidden = ACTOR_AT;
    b->hidden_end = ACTOR_AT + 0x100000;
    channel_of(b)->knobs = (struct channel_knobs){.delay = 10};
    channel_of(b)->cover = &cover;
    for (unsigned node = 0; node < NODES; node++) {
        struct gn_segment s = {.valid = true,
                               .read = true,
                               .write = true,
                               .ptag = DOMAIN,
                               .length = 4096,
                               .base = HERE_AT};

        host_set(b->node[node].host, &(struct host_knobs){.latency = 20});
        nic_bench_segment(b, node, HERE, &s);
        s.base = THERE_AT;
        nic_bench_segment(b, node, THERE, &s);
        s.base = FAULT_AT;
        nic_bench_segment(b, node, FAULTY, &s);
        s.ptag = DOMAIN + 1;
        nic_bench_segment(b, node, ALIEN, &s);
        nic_bench_write(b, node, NR_ORB_EPOCH, EPOCH);
    }
    nic_bench_queue(
        b, 0, QUEUE,
        &(struct gn_ring){.enabled = true, .base = RING_AT, .log2 = RING_LOG2, .ptag = DOMAIN});
    nic_bench_queue(
        b, 0, OTHER_QUEUE,
        &(struct gn_ring){
            .enabled = true, .base = RING_AT + 0x1000, .log2 = RING_LOG2, .ptag = DOMAIN + 1});
    nic_bench_descriptor(b, 0, FMA, DOMAIN, 2);
    others = program_new(b, seed + 1,
                         &(struct program_knobs){.processes = 3,
                                                 .most = 4,
                                                 .limit = 4,
                                                 .messages = 0.2,
                                                 .flagged = true,
                                                 .virtually = true,
                                                 .illegal = 0.1});
}

static void test(uint64_t seed, bool under_traffic)
{
    struct golden_nic *golden = gn_new(NODES, false);
    const char *where = under_traffic ? "under traffic" : "idle";
    const struct gn_count *c;

    traffic = false;
    tag = 0;
    ring_read = 0;
    start(golden, seed);
    memset(host_memory(b->node[0].host) + RING_AT, 0,
           8 << RING_LOG2); /* programs begin with noise everywhere */
    traffic = under_traffic;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        bool happened = rows[i].row();
        char name[160];

        tap_ok(happened, "row %u, %s: %s", i + 1, where, rows[i].name);
        snprintf(name, sizeof(name), "%s, %s", rows[i].name, where);
        nic_cover_row(cover_rows, name, happened);
    }
    traffic = false;
    tap_ok(program_finish(others, 100000), "%s: all NICs are drained afterwards", where);
    c = gn_finish(golden);
    tap_why("%s", c->first);
    tap_ok(c->unexplained == 0 && c->missing_events == 0 && c->missing_accesses == 0,
           "%s: %llu transactions of others did not notice", where,
           (unsigned long long)c->transactions);
    program_free(others);
    nic_bench_free(b);
    gn_free(golden);
}

int main(int argc, char **argv)
{
    uint64_t seed = test_seed(argc, argv);

    cover_rows = cJSON_CreateArray();
    test(seed, false);
    test(seed + 1, true);
    nic_cover_report(&cover, cover_rows);
    return tap_done();
}
