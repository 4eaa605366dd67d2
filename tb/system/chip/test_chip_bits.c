// SPDX-License-Identifier: Apache-2.0
/*
 * test_chip_bits.c - wrong bits in every memory of NIC and netlink that has a code, under traffic of puts, gets, messages and
 * queue writes between two chips. One in a word is corrected, counted, and nobody else notices. Two are reported: no host
 * memory gets a wrong byte, no transaction ends OK without being done, and afterwards both NICs are whole.
 *
 * A flip hits a word just written, most of which are still to be read (those of event_codes for messages alone); of tables, a
 * word in use. Memories without a code are named, too
 * (hls/nic/README.md says what a wrong bit does there): one that is in neither list fails.
 *
 * Built for proto: fast.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/base/info.h"
#include "tb/system/chip/chip_bench.h"
#include "tb/system/nic/nic_program.h"

enum { WARM = 2000, GAP = 97, EPOCH = 1 << 15, PATIENCE = 200000, TABLE_FLIPS = 2, FEW = 5 };

/* What of a memory is flipped; ADDRESSES: a stream of accesses, but not of events, as one that is lost leaves its place in the ring empty;
 * LOOKED: what is read next. */
enum use { STREAM, ADDRESSES, LOOKED, TABLE, OPEN_SEGMENTS, LOCAL_SEGMENTS };

/* A memory of NIC or netlink with a code. */
struct memory {
    const char *path; /* in struct chip */
    size_t offset, stride;
    unsigned count, parts, bits; /* words; codes of a word, side by side; bits of each */
    enum use use;
};

/* Bits of an unsigned type. */
#define BITS_OF(type)                                                                              \
    ({                                                                                             \
        unsigned bits_ = 0;                                                                        \
        for (type ones_ = (type) - 1; ones_ != 0; ones_ >>= 1) {                                   \
            bits_++;                                                                               \
        }                                                                                          \
        bits_;                                                                                     \
    })
#define AT(path)    (((struct chip *)0)->path)
#define WORDS(path) (sizeof(AT(path)) / sizeof(AT(path)[0]))
#define MEMORY(p, n, u)                                                                            \
    {.path = #p,                                                                                   \
     .offset = offsetof(struct chip, p),                                                           \
     .stride = sizeof(AT(p)[0]),                                                                   \
     .count = WORDS(p),                                                                            \
     .parts = (n),                                                                                 \
     .bits = BITS_OF(typeof(AT(p)[0])) / (n),                                                      \
     .use = (u)}

enum { MEMORIES = 40 };
static struct memory memories[MEMORIES];

static void name_memories(void)
{
    const struct memory all[MEMORIES] = {
        MEMORY(netlink[0].send.entry[0].codes, 3, STREAM),
        MEMORY(netlink[0].send.entry[1].codes, 3, STREAM),
        MEMORY(netlink[0].send.entry[0].marks, 1, STREAM),
        MEMORY(netlink[0].send.entry[1].marks, 1, STREAM),
        MEMORY(netlink[0].send.pack[0].queue.codes, 3, STREAM),
        MEMORY(netlink[0].receive.unpack[0].store.codes, 3, STREAM),
        MEMORY(nic[0].initiator.fma.bases, 1, STREAM),
        MEMORY(nic[0].initiator.fma.modes, 1, STREAM),
        MEMORY(nic[0].initiator.fma.packet.modes, 1, STREAM),
        MEMORY(nic[0].initiator.fma.packet.places, 1, TABLE),
        MEMORY(nic[0].initiator.fma.packet.events, 1, STREAM),
        MEMORY(nic[0].initiator.fma.packet.operands_a, 1, STREAM),
        MEMORY(nic[0].initiator.fma.packet.operands_b, 1, STREAM),
        MEMORY(nic[0].initiator.tarb.queue.codes, 3, STREAM),
        MEMORY(nic[0].initiator.ntt.entries, 1, TABLE),
        MEMORY(nic[0].initiator.ssid.cold_data, 1, STREAM),
        MEMORY(nic[0].initiator.ssid.cold_where, 1, STREAM),
        MEMORY(nic[0].initiator.orb.entries.cold_where, 1, STREAM),
        MEMORY(nic[0].initiator.orb.entries.cold_what, 1, STREAM),
        MEMORY(nic[0].target.rat_local.mdds, 3, LOCAL_SEGMENTS),
        MEMORY(nic[0].target.rat_net.queue.codes, 3, STREAM),
        MEMORY(nic[0].target.rat_net.mdds, 3, OPEN_SEGMENTS),
        MEMORY(nic[0].target.rat_net.vmdhs, 1, TABLE),
        MEMORY(nic[0].target.npt.put_codes, 1, STREAM),
        MEMORY(nic[0].target.npt.event_codes, 1, STREAM),
        MEMORY(nic[0].target.npt.get_codes, 1, STREAM),
        MEMORY(nic[0].target.amo.queue.codes, 3, STREAM),
        MEMORY(nic[0].target.amo.answer.codes, 2, STREAM),
        MEMORY(nic[0].target.cq.rings, 1, TABLE),
        MEMORY(nic[0].target.cq.configs, 1, TABLE),
        MEMORY(nic[0].target.memory.parb.codes, 1, STREAM),
        MEMORY(nic[0].target.memory.parb.queue.queue.codes, 3, STREAM),
        MEMORY(nic[0].target.memory.iommu.writes.addresses, 1, ADDRESSES),
        MEMORY(nic[0].target.memory.iommu.writes.places, 1, STREAM),
        MEMORY(nic[0].target.memory.iommu.writes.frames, 1, STREAM),
        MEMORY(nic[0].target.memory.iommu.reads.addresses, 1, STREAM),
        MEMORY(nic[0].target.memory.iommu.looks.contexts.contexts, 1, TABLE),
        MEMORY(nic[0].target.memory.iommu.looks.cache.lines, 2, LOOKED),
        MEMORY(nic[0].target.memory.axi.write.flying, 1, STREAM),
        MEMORY(nic[0].target.memory.axi.read.data, 3, STREAM),
    };

    memcpy(memories, all, sizeof(all));
    for (unsigned i = 0; i < MEMORIES; i++) {
        if (strstr(memories[i].path, "flying") != NULL) {
            memories[i].bits = FLYING_AGAIN_AT; /* behind the code stands a copy */
        }
    }
}

/* ---- all memories that there are ------------------------------------------------------------------- */

/* Without a code; what a name begins with. */
static const char *const uncoded[] = {
    "nic[0].bte.",
    "nic[0].receive.",
    "nic[0].hpet.",
    "nic[0].initiator.fma.limits", /* has a code, as bases; with a double-bit error a descriptor opens nothing (test_nic_fma) */
    "nic[0].initiator.fma.packet.flag", /* flags, flag_offsets have codes, as events; this traffic writes none (test_nic_fma) */
    "nic[0].initiator.fma.chunks",
    "nic[0].initiator.fma.packet.chunks",
    "nic[0].initiator.fma.gates",
    "nic[0].initiator.fma.open",
    "nic[0].initiator.fma.freed",
    "nic[0].initiator.fma.faults",
    "nic[0].initiator.fma.failed",
    "nic[0].initiator.fma.seen",
    "nic[0].initiator.ssid.current",
    "nic[0].initiator.ssid.seqs",
    "nic[0].initiator.ssid.cold_to",
    "nic[0].initiator.ssid.sent",
    "nic[0].initiator.ssid.answered",
    "nic[0].initiator.ssid.birth",
    "nic[0].initiator.ssid.gone",
    "nic[0].initiator.ssid.channel",
    "nic[0].initiator.ssid.free.",
    "nic[0].initiator.ssid.limits",
    "nic[0].initiator.ssid.passed",
    "nic[0].initiator.ssid.returned",
    "nic[0].target.memory.order.",
    "nic[0].initiator.ssid.closed.",
    "nic[0].initiator.ssid.over.",
    "nic[0].initiator.ssid.stale.",
    "nic[0].initiator.orb.given",
    "nic[0].initiator.orb.returned",
    "nic[0].initiator.orb.flagged",
    "nic[0].initiator.orb.free.",
    "nic[0].initiator.orb.quarantine",
    "nic[0].initiator.orb.refusals",
    "nic[0].initiator.orb.flags",
    "nic[0].initiator.orb.entries.cold_began",
    "nic[0].initiator.pio.",
    "nic[0].target.rat_local.vmdhs", /* nobody reads them */
    "nic[0].initiator.tarb.of_bte.", /* has a code, as tarb.queue; this traffic has no block transfer */
    "nic[0].initiator.orb.responses.", /* has a code, as tarb.queue; memory that takes so many accesses hardly ever lets it fill */
    "nic[0].target.rat_local.queue.", /* has a code, as rat_net's; memory that takes so many accesses hardly ever lets it fill */
    "nic[0].target.npt.seq_codes", /* has a code; this traffic has no transaction that reads it */
    "nic[0].target.npt.flag_",     /* has codes, which test_npt flips; this traffic has no flag */
    "nic[0].target.npt.counted",
    "nic[0].target.rmt.",
    "nic[0].target.npt.queued_",
    "nic[0].target.npt.plain_",
    "nic[0].target.amo.numbers",
    "nic[0].target.amo.lines.",
    "nic[0].target.amo.tags",
    "nic[0].target.amo.ops",
    "nic[0].target.amo.variables",
    "nic[0].target.amo.last",
    "nic[0].target.amo.fetches",
    "nic[0].target.amo.came",
    "nic[0].target.amo.readies",
    "nic[0].target.amo.statuses",
    "nic[0].target.amo.writes",
    "nic[0].target.amo.answer.readies",
    "nic[0].target.amo.answer.statuses",
    "nic[0].target.amo.lazy.",
    "nic[0].target.cq.written",
    "nic[0].target.cq.read",
    "nic[0].target.cq.waiting",
    "nic[0].target.memory.parb.queue.lines.",
    "nic[0].target.memory.parb.lines.",
    "nic[0].target.memory.parb.orders",
    "nic[0].target.memory.parb.of_",
    "nic[0].target.memory.parb.event_",
    "nic[0].target.memory.parb.words.",
    "nic[0].target.memory.parb.backs.",
    "nic[0].target.memory.iommu.writes.rests",
    "nic[0].target.memory.iommu.reads.rests",
    "nic[0].target.memory.iommu.reads.places", /* have codes, as those of writes */
    "nic[0].target.memory.iommu.reads.frames",
    "nic[0].target.memory.iommu.data.", /* has a code, as parb's queue; events wait there, too */
    "nic[0].target.memory.iommu.looks.cache.ways", /* keys are under the code of lines */
    "nic[0].target.memory.iommu.looks.cache.walks.",
    "nic[0].target.memory.axi.write.skid",
    "nic[0].target.memory.axi.read.shapes",
    "nic[0].target.memory.axi.read.statuses",
    "nic[0].regs.",
};

static bool is_named(const char *path)
{
    bool named = false;

    for (unsigned i = 0; i < MEMORIES; i++) {
        named |= strcmp(memories[i].path, path) == 0;
    }
    for (unsigned i = 0; i < sizeof(uncoded) / sizeof(uncoded[0]); i++) {
        named |= strncmp(uncoded[i], path, strlen(uncoded[i])) == 0;
    }
    return named;
}

/* Memories of a module at a path, and of what it instantiates there; the first that nobody named. */
static unsigned look_for(const char *module, const char *path, char unnamed[256])
{
    char place[256];
    unsigned found = 0;
    const cJSON *item;
    cJSON *json;

    snprintf(place, sizeof(place), "build/rtl/proto/%s.json", module);
    json = info_read(place);
    cJSON_ArrayForEach(item, info_list(json, "memories"))
    {
        const char *c = info_text(item, "c");

        snprintf(place, sizeof(place), "%s.%.*s", path, (int)strcspn(c, "["), c);
        found++;
        if (!is_named(place) && unnamed[0] == '\0') {
            memcpy(unnamed, place, sizeof(place));
        }
    }
    cJSON_ArrayForEach(item, info_list(json, "instances"))
    {
        snprintf(place, sizeof(place), "%s.%s%s", path, info_text(item, "name"),
                 info_number(item, "count") > 1 ? "[0]" : "");
        found += look_for(info_text(item, "module"), place, unnamed);
    }
    cJSON_Delete(json);
    return found;
}

static void test_all_named(void)
{
    char unnamed[256] = "";
    unsigned found =
        look_for("nic", "nic[0]", unnamed) + look_for("netlink", "netlink[0]", unnamed);

    tap_why("%s; build/rtl/proto is made by make rtl MACHINE=proto", unnamed);
    tap_ok(found > MEMORIES && unnamed[0] == '\0', "each of the %u memories is named here", found);
}

/* ---- flips --------------------------------------------------------------------------------------- */

static struct nic_bench *b;
static struct rng rng;
static uint8_t *before[CHIPS]; /* a memory as it was a clock ago */
static bool *hit[CHIPS];       /* words of a table */
static unsigned flips;

static uint8_t *words_of(const struct memory *m, unsigned chip)
{
    return (uint8_t *)chip_network(b)->end[chip].dut.self + m->offset;
}

static void remember(const struct memory *m)
{
    for (unsigned i = 0; i < CHIPS; i++) {
        memcpy(before[i], words_of(m, i), m->count * m->stride);
    }
}

static bool is_stream(const struct memory *m)
{
    return m->use == STREAM || m->use == ADDRESSES || m->use == LOOKED;
}

/* The beat of a line of page table entries that is read in the next clock. */
static bool is_looked(unsigned chip, unsigned at)
{
    const struct chip *c = chip_network(b)->end[chip].dut.self;
    const struct iommu_looks *looks = &c->nic[0].target.memory.iommu.looks;
    unsigned way = at / 4 >> PTE_SETS_LOG2, set = at / 4 % (1u << PTE_SETS_LOG2);

    return looks->compared.look.valid && looks->cache.ways[way].out.hit &&
           set == (unsigned)looks->compared.set && at % 4 == (unsigned)looks->compared.entry / 2;
}

/* Rings are in front of all segments. */
static bool is_event(const uint8_t *access)
{
    uint64_t address = 0;

    memcpy(&address, access, 6);
    return address < PROGRAM_SEGMENTS_AT;
}

/* Whether a word has been written in the last clock, or, of a table, is in use: not as the last one, which nobody uses. */
static bool may_flip(const struct memory *m, unsigned chip, unsigned at)
{
    const uint8_t *word = words_of(m, chip) + at * m->stride;
    const uint8_t *last = words_of(m, chip) + (m->count - 1) * m->stride;
    unsigned segment = at % PROGRAM_SEGMENTS;

    if (m->use == LOOKED) {
        return is_looked(chip, at) && !hit[chip][at];
    }
    if (is_stream(m)) {
        return memcmp(word, before[chip] + at * m->stride, m->stride) != 0 &&
               (m->use != ADDRESSES || !is_event(word));
    }
    return memcmp(word, last, m->stride) != 0 && !hit[chip][at] &&
           (m->use != OPEN_SEGMENTS || segment == SEGMENT_OPEN) &&
           (m->use != LOCAL_SEGMENTS || segment == SEGMENT_LOCAL);
}

/* Says whether there was a word. */
static bool flip(const struct memory *m, bool two)
{
    unsigned chip = rng_below(&rng, CHIPS), at = rng_below(&rng, m->count), seen = 0;
    unsigned first = rng_below(&rng, m->bits), base = rng_below(&rng, m->parts) * m->bits;
    unsigned second = (first + 1 + rng_below(&rng, m->bits - 1)) % m->bits;
    uint8_t *word;

    while (seen < m->count && !may_flip(m, chip, at)) {
        at = (at + 1) % m->count;
        seen++;
    }
    if (seen == m->count) {
        return false;
    }
    word = words_of(m, chip) + at * m->stride;
    word[(base + first) / 8] ^= (uint8_t)(1 << (base + first) % 8);
    if (two) {
        word[(base + second) / 8] ^= (uint8_t)(1 << (base + second) % 8);
    }
    hit[chip][at] = true;
    flips++;
    return true;
}

/* ---- runs ---------------------------------------------------------------------------------------- */

static uint64_t sum(const uint16_t *counters, unsigned n)
{
    uint64_t all = 0;

    for (unsigned i = 0; i < n; i++) {
        for (unsigned node = 0; node < b->nodes; node++) {
            all += nic_bench_read(b, node, counters[i]);
        }
    }
    return all;
}
#define SUM(...)                                                                                   \
    sum((const uint16_t[]){__VA_ARGS__}, sizeof((const uint16_t[]){__VA_ARGS__}) / sizeof(uint16_t))

static uint64_t count_uncorrectable(void)
{
    return SUM(NR_TARB_UNCORRECTABLE, NR_NTT_UNCORRECTABLE, NR_SSID_EVENT_LOST, NR_ORB_HEAD_LOST,
               NR_ORB_LOST, NR_CQ_LOST, NR_RAT_LOST, NR_RAT_UNCORRECTABLE, NR_LOCAL_LOST,
               NR_LOCAL_REFUSED, NR_NPT_LOST, NR_NPT_DATA, NR_AMO_LOST, NR_AMO_DATA,
               NR_MEMORY_UNCORRECTABLE, NR_NETLINK_HEAD_LOST, NR_NETLINK_UNCORRECTABLE);
}

static struct program *start(uint64_t seed, struct golden_nic *golden, bool two)
{
    const struct channel_config cable = {.delay = 12};
    const struct program_knobs knobs = {.processes = 4,
                                        .most = 16,
                                        .limit = 8,
                                        .messages = 0.3,
                                        .atomics = 0.2,
                                        .flagged = !two,
                                        .ordered = true,
                                        .virtually = true,
                                        .paged = true,
                                        .events_lost = two};

    b = chip_bench_new(seed, golden, &cable, NULL);
    for (unsigned i = 0; i < b->nodes; i++) {
        host_set(b->node[i].host, &(struct host_knobs){.latency = 100,
                                                       .latency_extra = 100,
                                                       .stall = 0.1,
                                                       .pause = 0.001,
                                                       .pause_clocks = 1000,
                                                       .holes = two});
        nic_bench_write(b, i, NR_ORB_EPOCH, EPOCH);
    }
    rng_seed(&rng, seed + 2);
    return program_new(b, seed + 1, &knobs);
}

static void forget(const struct memory *m)
{
    for (unsigned i = 0; i < CHIPS; i++) {
        before[i] = realloc(before[i], m->count * m->stride);
        hit[i] = realloc(hit[i], m->count * sizeof(bool));
        if (before[i] == NULL || hit[i] == NULL) {
            abort();
        }
        memset(hit[i], 0, m->count * sizeof(bool));
    }
    flips = 0;
}

static unsigned least_flips(const struct memory *m)
{
    return is_stream(m) ? FEW : TABLE_FLIPS;
}

/* Traffic until somebody has read one of the few words of a table that are wrong. */
static void wait_for_report(struct program *p)
{
    for (unsigned n = 0; n < PATIENCE / WARM && count_uncorrectable() == 0; n++) {
        for (unsigned i = 0; i < WARM; i++) {
            program_clock(p, true);
        }
    }
}

/* Traffic with flips; then no more of either, and all that is under way ends. True if the NICs are whole then. */
static bool run(const struct memory *m, struct program *p, bool two, uint64_t clocks)
{
    unsigned few = least_flips(m);
    unsigned most = two && !is_stream(m) ? few : UINT_MAX; /* a word of a table stays wrong */
    uint64_t next = 0;

    forget(m);
    for (unsigned i = 0; i < WARM; i++) {
        program_clock(p, true);
    }
    for (uint64_t i = 0; i < clocks || (flips < few && i < PATIENCE); i++) {
        remember(m);
        program_clock(p, true);
        if (i >= next && flips < most && flip(m, two)) {
            next = i + GAP;
        }
    }
    if (two && !is_stream(m)) {
        wait_for_report(p);
    }
    program_finish(p, PATIENCE);
    return nic_bench_drain(b, PATIENCE);
}

static void judge_one(const struct memory *m, const struct gn_count *c, uint64_t failed)
{
    uint64_t corrected = SUM(NR_MEMORY_CORRECTED), uncorrectable = count_uncorrectable();

    struct misses noticed = {0}, silent = {0};

    must(&noticed, c->missing_accesses + c->missing_events == 0, "%s", c->first);
    must_equal(&noticed, failed, 0, "transactions that failed");
    must_equal(&noticed, uncorrectable, 0, "counted as uncorrectable");
    tap_misses(&noticed, "%s: a single-bit error changes nothing", m->path);
    must_at_least(&silent, flips, least_flips(m), "words that were hit");
    must_at_least(&silent, 4 * corrected, flips, "four times memory_corrected");
    tap_misses(&silent, "%s: one is corrected and counted: %" PRIu64 " of %u words", m->path,
               corrected, flips);
}

static void judge_two(const struct memory *m, const struct gn_count *c, uint64_t failed)
{
    uint64_t lost = SUM(NR_SSID_EVENT_LOST, NR_CQ_LOST, NR_SSID_HEAD_LOST);
    uint64_t uncorrectable = count_uncorrectable(), unopened = SUM(NR_SSID_NO_ID);

    struct misses missing = {0}, silent = {0};

    /* A transaction whose OPEN was lost does nothing, and its descriptor says so; nor does a packet whose head was, and it is counted. */
    must(&missing, c->missing_accesses <= SUM(NR_SSID_HEAD_LOST) || unopened != 0, "%s", c->first);
    must_at_most(&missing, c->missing_events, lost, "missing events: %s", c->first);
    tap_misses(&missing,
               "%s: nothing is missing but %" PRIu64 " events, %" PRIu64 " counted as lost",
               m->path, c->missing_events, lost);
    if (strstr(m->path, "receive") != NULL) {
        tap_at_least(SUM(NR_NETLINK_HEAD_LOST), 1, "%s: the netlink itself drops bad heads",
                     m->path);
    }
    must_at_least(&silent, flips, least_flips(m), "words that were hit");
    must_at_least(&silent, 2 * (uncorrectable + failed), flips, "twice what is reported");
    tap_misses(&silent,
               "%s: two are reported: %u words, %" PRIu64 " counted, %" PRIu64 " of %" PRIu64
               " transactions failed",
               m->path, flips, uncorrectable, failed, c->transactions);
}

/* Up to three wrong bits in a flit that a netlink gets, one in a packet of one flit: what its CRC and chk always detect. */
static bool flip_wire(void)
{
    struct chip *c = chip_network(b)->end[rng_below(&rng, CHIPS)].dut.self;
    struct port_out *port = &c->device.out.to_processor[rng_below(&rng, DEV_PROCESSORS)];
    unsigned bits = port->head && port->tail ? 1 : 1 + rng_below(&rng, 3), wrong = 0;

    if (!port->valid) {
        return false;
    }
    for (unsigned i = 0; i < bits; i++) {
        wrong = (wrong + 1 + rng_below(&rng, RTR_FLIT_BITS / 3)) % RTR_FLIT_BITS;
        port->flit ^= (rtr_flit)1 << wrong;
    }
    return true;
}

/* Wrong bits between router and netlink, where no code of the router's is. */
static void test_wires(uint64_t seed, uint64_t clocks)
{
    struct golden_nic *golden = gn_new(CHIPS * CHIP_NICS, true);
    struct program *p = start(seed, golden, false);
    const struct gn_count *c;
    uint64_t wrong, next = 0;
    struct misses silent = {0};
    bool whole;

    flips = 0;
    for (uint64_t i = 0; i < clocks; i++) {
        program_clock(p, true);
        if (i >= next && flip_wire()) {
            flips++;
            next = i + GAP;
        }
    }
    program_finish(p, PATIENCE);
    whole = nic_bench_drain(b, PATIENCE);
    wrong = SUM(NR_NETLINK_WRONG, NR_NETLINK_MISSHAPED);
    c = gn_finish(golden);
    tap_why("%s", c->first);
    tap_ok(c->unexplained == 0, "flits into netlinks, wrong bits: no wrong byte, no wrong event");
    misses_why(&b->unrest);
    tap_ok(whole, "flits into netlinks, wrong bits: both NICs are whole afterwards");
    must_at_least(&silent, flips, 21, "flits with wrong bits");
    must_at_least(&silent, 10 * wrong, 9 * flips, "ten times the packets dropped");
    tap_misses(&silent,
               "flits into netlinks: %u with wrong bits, %" PRIu64 " packets dropped for that",
               flips, wrong);
    program_free(p);
    nic_bench_free(b);
    gn_free(golden);
}

static void test(const struct memory *m, bool two, uint64_t seed, uint64_t clocks)
{
    struct golden_nic *golden = gn_new(CHIPS * CHIP_NICS, false);
    const char *bits = two ? "a double-bit error" : "a single-bit error";
    const struct gn_count *c;
    struct program *p;
    bool whole;

    if (two) {
        gn_allow_wrong_bits(golden);
    }
    p = start(seed, golden, two);
    whole = run(m, p, two, clocks);
    c = gn_finish(golden);
    tap_why("%s", c->first);
    tap_ok(c->unexplained == 0, "%s, %s: no wrong byte, no wrong event", m->path, bits);
    misses_why(&b->unrest);
    tap_ok(whole, "%s, %s: both NICs are whole afterwards", m->path, bits);
    (two ? judge_two : judge_one)(m, c, SUM(NR_SSID_FAILED));
    program_free(p);
    nic_bench_free(b);
    gn_free(golden);
}

int main(int argc, char **argv)
{
    uint64_t seed, clocks = 1500;
    unsigned every = 2;
    const char *only = "";

    test_options(argc, argv, &seed,
                 args_number("--clocks", &clocks, 1, UINT64_MAX, "clocks of each memory"),
                 args_unsigned("--every", &every, 1, UINT_MAX, "of so many memories one, 1: all"),
                 args_text("--only", "NAME", &only, "memories with this in their name, or wires"));
    name_memories();
    test_all_named();
    if (strstr("wires", only) != NULL) {
        test_wires(seed, 4 * clocks);
    }
    for (unsigned i = 0; i < MEMORIES; i++) {
        if (i % every == 0 && strstr(memories[i].path, only) != NULL) {
            test(&memories[i], false, seed + i, clocks);
            test(&memories[i], true, seed + i, clocks);
        }
    }
    return tap_done();
}
