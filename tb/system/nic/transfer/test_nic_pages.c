// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_pages.c - segments with translated addresses: puts and gets through page tables of one level and of two, over pages' ends, beside
 * segments of physical addresses; pages that are not there or not writable; tables that change.
 *
 * The bench makes page tables in the host memory of node 1 and looks at its pages where they lie.
 *
 * Built for proto: san.
 */
#include "tb/system/nic/nic_channel.h"

#include <string.h>

enum {
    DOMAIN = 3,
    QUEUE = 1,
    FMA = 2,
    RING_AT = 0x10000,
    RING_LOG2 = 10,
    HERE = 5, /* node 0: physical */
    HERE_AT = 0x40000,
    PHYSICAL = 6, /* node 1 */
    PHYSICAL_AT = 0x40000,
    ONE = 7,  /* ... of one level */
    TWO = 8,  /* ... of two */
    BARE = 9, /* ... of a context without a table */
    PAGE = 4096,
    PAGES = 64,
    ONE_TABLE = 0x80000, /* page tables: entries of pages 0 to 63 */
    TWO_TABLE = 0x90000,
    LOWER_TABLE = 0xA0000,
    FRAMES = 0x100000, /* the pages of ONE, then of TWO */
    EPOCH = 1 << 14,
    WANTS_GLOBAL = 2,
};

enum { BASE = 0, MODES = 1, OPEN = 8, CLOSE = 13 };

#define ONE_VA UINT64_C(0)
#define TWO_VA (UINT64_C(5) << 21) /* the second table is that of entry 5 */

static struct nic_bench *bench;
static struct misses wrong;
static unsigned source_read;
static unsigned frame_of[2][PAGES]; /* which frame a page lies in */

static uint8_t *memory(unsigned node)
{
    return host_memory(bench->node[node].host);
}

static void set_entry(unsigned table, unsigned n, uint64_t entry)
{
    memcpy(memory(1) + table + 8 * n, &entry, 8);
}

/* A page of ONE or TWO. */
static void map(unsigned which, unsigned page, unsigned rights)
{
    uint64_t frame = FRAMES / PAGE + PAGES * which + frame_of[which][page];

    set_entry(which == 0 ? ONE_TABLE : LOWER_TABLE, page, frame << 12 | rights);
}

static uint8_t *byte_at(unsigned segment, uint64_t offset)
{
    unsigned which = segment == TWO;

    if (segment == PHYSICAL) {
        return memory(1) + PHYSICAL_AT + offset;
    }
    return memory(1) + FRAMES + PAGE * (PAGES * which + frame_of[which][offset / PAGE]) +
           offset % PAGE;
}

static void post(struct driver_burst burst)
{
    driver_burst(&bench->node[0].driver, &burst);
}

/* The status with which the transaction ends. */
static unsigned end(void)
{
    uint64_t word = 0;
    uint8_t *at = memory(0) + RING_AT + 8 * (source_read % (1 << RING_LOG2));

    post(store_word(FMA, CLOSE, (uint64_t)WANTS_GLOBAL << 56 | 1));
    for (unsigned i = 0; i < 4 * EPOCH && word == 0; i++) {
        nic_bench_clock(bench);
        memcpy(&word, at, 8);
    }
    memset(at, 0, 8);
    source_read++;
    if (source_read % 64 == 0) {
        post(store_queue(QUEUE, source_read));
    }
    must(&wrong, word != 0, "a transaction does not end");
    return (unsigned)(word >> 59) & 15;
}

static void begin(unsigned segment)
{
    post(store_word(FMA, MODES, segment | (uint64_t)HERE << 12 | (uint64_t)QUEUE << 30));
    post(store_word(FMA, OPEN, 0));
}

/* So many bytes into a segment, in packets of up to 64; what is there afterwards, if it ends OK. */
static unsigned put(unsigned segment, uint64_t offset, unsigned bytes)
{
    uint8_t data[256];

    begin(segment);
    for (unsigned i = 0; i < bytes; i++) {
        data[i] = (uint8_t)rng_next(&bench->rng);
    }
    for (unsigned i = 0; i < bytes;) {
        unsigned n = bytes - i < 64 ? bytes - i : 64;

        post(store_word(FMA, BASE, (uint64_t)1 << 40 | (offset + i)));
        post(store_put(FMA, 0, data + i, n));
        i += n;
    }
    unsigned status = end();

    for (unsigned i = 0; status == STATUS_OK && i < bytes; i++) {
        must_equal(&wrong, *byte_at(segment, offset + i), data[i], "segment %u, byte %#llx",
                   segment, (unsigned long long)(offset + i));
    }
    return status;
}

static unsigned get(unsigned segment, uint64_t offset, unsigned bytes)
{
    begin(segment);
    post(store_word(FMA, BASE, (uint64_t)1 << 40 | offset));
    post(store_get(FMA, 0, 0, bytes, false));
    unsigned status = end();

    for (unsigned i = 0; status == STATUS_OK && i < bytes; i++) {
        must_equal(&wrong, memory(0)[HERE_AT + i], *byte_at(segment, offset + i),
                   "segment %u, byte %#llx that was read", segment,
                   (unsigned long long)(offset + i));
    }
    return status;
}

static void segment(unsigned node, unsigned mdh, uint64_t base, uint64_t length, unsigned tc,
                    bool mmu)
{
    nic_bench_write(bench, node, (uint16_t)(NR_MDD + NR_MDD_STEP * mdh),
                    base | (uint64_t)tc << NR_MDD_TC_AT | UINT64_C(3) << NR_MDD_READ_AT |
                        (uint64_t)mmu << NR_MDD_MMU_AT | UINT64_C(1) << NR_MDD_VALID_AT);
    nic_bench_write(bench, node, (uint16_t)(NR_MDD + NR_MDD_STEP * mdh + 1),
                    length << NR_MDD1_LENGTH_AT | (uint64_t)DOMAIN << NR_MDD1_PTAG_AT);
}

static void context(unsigned n, unsigned table, unsigned log2, bool two)
{
    nic_bench_write(bench, 1, (uint16_t)(NR_IOMMU + n),
                    table / PAGE | (uint64_t)log2 << NR_IOMMU_LOG2_AT |
                        (uint64_t)two << NR_IOMMU_LEVELS_AT | UINT64_C(1) << NR_IOMMU_ENABLE_AT);
}

static void start(uint64_t seed)
{
    bench = channel_bench_new(2, seed, NULL);
    for (unsigned node = 0; node < 2; node++) {
        host_set(bench->node[node].host, &(struct host_knobs){.latency = 30, .latency_extra = 40});
        nic_bench_queue(
            bench, node, QUEUE,
            &(struct gn_ring){.enabled = true, .base = RING_AT, .log2 = RING_LOG2, .ptag = DOMAIN});
        nic_bench_descriptor(bench, node, FMA, DOMAIN, 4);
        nic_bench_write(bench, node, NR_ORB_EPOCH, EPOCH);
    }
    for (unsigned which = 0; which < 2; which++) {
        for (unsigned page = 0; page < PAGES; page++) { /* any order of frames */
            unsigned other = rng_below(&bench->rng, page + 1);

            frame_of[which][page] = frame_of[which][other];
            frame_of[which][other] = page;
        }
        for (unsigned page = 0; page < PAGES; page++) {
            map(which, page, 3);
        }
    }
    set_entry(TWO_TABLE, 5, (uint64_t)LOWER_TABLE | 3);
    segment(0, HERE, HERE_AT, PAGE, 0, false);
    segment(1, PHYSICAL, PHYSICAL_AT, PAGES * PAGE, 0, false);
    segment(1, ONE, ONE_VA, PAGES * PAGE, 2, true);
    segment(1, TWO, TWO_VA, PAGES * PAGE, 9, true);
    segment(1, BARE, 0, PAGES * PAGE, 11, true);
    context(2, ONE_TABLE, 12, false);
    context(9, TWO_TABLE, 12, true);
    nic_bench_settle_drivers(bench);
}

static void test_put(unsigned segment, const char *what)
{
    must_equal(&wrong, put(segment, 5 * PAGE + 17, 100), STATUS_OK, "status");
    must_equal(&wrong, put(segment, 9 * PAGE - 30, 64), STATUS_OK, "status over a page's end");
    must_equal(&wrong, get(segment, 9 * PAGE - 32, 64), STATUS_OK, "status of a get");
    tap_misses(&wrong, "a put, one over a page's end, a get: %s", what);
    wrong = (struct misses){0};
}

static void test_random(unsigned rounds)
{
    static const unsigned segments[] = {PHYSICAL, ONE, TWO};

    for (unsigned i = 0; i < rounds; i++) {
        unsigned of = segments[rng_below(&bench->rng, 3)], n = 1 + rng_below(&bench->rng, 200);
        uint64_t at =
            PAGE * (1 + rng_below(&bench->rng, PAGES - 2)) + rng_below(&bench->rng, 256) - 128;

        must_equal(&wrong, put(of, at, n), STATUS_OK, "status of a put");
        must_equal(&wrong, get(of, at / 4 * 4, 4 * (1 + rng_below(&bench->rng, 16))), STATUS_OK,
                   "status of a get");
    }
    /* holds iommu.pages */
    tap_misses(&wrong, "%u puts and gets of any length near pages' ends, in three segments",
               rounds);
    wrong = (struct misses){0};
}

/* A write that must not be done: nothing of it is, on neither page. */
static void refused(unsigned segment, uint64_t offset, const char *what)
{
    uint8_t before[64];

    for (unsigned i = 0; i < 64; i++) {
        before[i] = *byte_at(segment, offset - 32 + i);
    }
    must_equal(&wrong, put(segment, offset, 8), STATUS_TRANSLATION, "status of a put: %s", what);
    for (unsigned i = 0; i < 64; i++) {
        must_equal(&wrong, *byte_at(segment, offset - 32 + i), before[i], "byte %u: %s", i, what);
    }
}

static void invalidate(void)
{
    nic_bench_write(bench, 1, NR_INVALIDATE, 1);
    nic_bench_settle_driver(bench, 1);
}

static void test_refused(void)
{
    map(0, 20, 0);
    map(0, 22, 1);
    map(1, 20, 0);
    invalidate();
    refused(ONE, 20 * PAGE + 100, "no page");
    refused(ONE, 20 * PAGE - 4, "no second page");
    refused(ONE, 22 * PAGE + 100, "a page that is not writable");
    refused(TWO, 20 * PAGE - 4, "no second page of two levels");
    must_equal(&wrong, get(ONE, 22 * PAGE + 100, 8), STATUS_OK, "status of a get");
    must_equal(&wrong, get(ONE, 20 * PAGE - 4, 8), STATUS_TRANSLATION, "status of a get");
    must_equal(&wrong, put(PHYSICAL, 20 * PAGE, 8), STATUS_OK, "status of another's");
    set_entry(TWO_TABLE, 5, 0);
    invalidate();
    refused(TWO, 3 * PAGE + 100, "no second table");
    begin(BARE);
    post(store_word(FMA, BASE, (uint64_t)1 << 40));
    post(store_put(FMA, 0, (const uint8_t *)"12345678", 8));
    must_equal(&wrong, end(), STATUS_TRANSLATION, "status where there is no table");
    set_entry(TWO_TABLE, 5, (uint64_t)LOWER_TABLE | 3);
    map(0, 20, 3);
    map(0, 22, 3);
    map(1, 20, 3);
    invalidate();
    must_equal(&wrong, put(ONE, 20 * PAGE - 4, 8), STATUS_OK, "status when the page is there");
    must_equal(&wrong, put(TWO, 3 * PAGE + 100, 8), STATUS_OK, "status when the table is there");
    /* holds iommu.refused */
    tap_misses(&wrong, "pages that are not there or not writable: TRANSLATION, not a byte touched");
    wrong = (struct misses){0};
}

/* A page moves: what comes after the invalidation goes to the new place. */
static void test_moved(unsigned rounds)
{
    for (unsigned i = 0; i < rounds; i++) {
        unsigned which = rng_below(&bench->rng, 2), a = rng_below(&bench->rng, PAGES);
        unsigned b = rng_below(&bench->rng, PAGES), frame = frame_of[which][a];

        put(which == 0 ? ONE : TWO, a * PAGE + 8, 8);
        frame_of[which][a] = frame_of[which][b];
        frame_of[which][b] = frame;
        map(which, a, 3);
        map(which, b, 3);
        invalidate();
        must_equal(&wrong, put(which == 0 ? ONE : TWO, a * PAGE + 16, 8), STATUS_OK, "status");
    }
    /* holds iommu.moved */
    tap_misses(&wrong, "%u pages are exchanged: behind INVALIDATE each put goes to the new place",
               rounds);
    wrong = (struct misses){0};
}

int main(int argc, char **argv)
{
    start(test_seed(argc, argv));
    test_put(PHYSICAL, "physical");
    test_put(ONE, "one level");
    test_put(TWO, "two levels");
    test_random(200);
    test_refused();
    test_moved(100);
    must(&wrong, nic_bench_drain(bench, 100000), "not drained: %s", bench->unrest.first);
    must(&wrong, nic_bench_whole(bench), "not whole: %s", bench->unrest.first);
    tap_misses(&wrong, "all is back");
    nic_bench_free(bench);
    return tap_done();
}
