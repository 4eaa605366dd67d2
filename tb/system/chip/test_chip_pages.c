// SPDX-License-Identifier: Apache-2.0
/*
 * test_chip_pages.c - spaces of addresses by the driver (sim/host) between two chips: block transfers into pages that lie anywhere, what is
 * refused, pages that are unmapped and used otherwise while transfers go on, spaces that end.
 *
 * Built for proto: fast.
 */
#include <string.h>

#include "sim/host/driver_pages.h"
#include "tb/system/chip/chip_driver.h"

enum {
    JOB = 7,
    RING_LOG2 = 3,
    CHANNEL = 0,
    PAGES = 16, /* of the space */
    BYTES = PAGES * DRV_PAGE,
    HERE_BYTES = 1 << 13,
    TABLES = 5,
    PATIENCE = 60000,
    ROUNDS = 20,
};

#define BASE                                                                                       \
    (UINT64_C(3) * DRV_TABLE_SPAN - 4 * DRV_PAGE) /* over the end of a second table's addresses */

static struct nic_bench *b;
static struct rng rng;
static struct misses wrong;
static struct ptags ptags;
static struct drv *driver[CHIPS];
static struct drv_process *process[CHIPS];
static struct drv_pages *pages;
static struct drv_tables tables = {.addresses = 8 * DRV_TABLE_SPAN, .count = TABLES};
static uint64_t here, there; /* places: what is sent, pages of the space */
static unsigned here_mdh, there_mdh;
static unsigned page_of[PAGES]; /* which page of `there` a page of the space is */

static void start_driver(unsigned chip)
{
    driver[chip] = chip_driver(b, chip, &ptags);
    given(drv_process(driver[chip], JOB, &process[chip]));
}

static void start(uint64_t seed)
{
    const struct channel_config cable = {.delay = 12, .ber = 1e-6};
    struct drv_ring ring = {.log2 = RING_LOG2, .transactions = 4};
    struct drv_segment segment = {.bytes = HERE_BYTES, .read = true, .write = true};

    b = chip_bench_new(seed, NULL, &cable, NULL);
    ptags_start(&ptags);
    for (unsigned i = 0; i < CHIPS; i++) {
        start_driver(i);
    }
    given(drv_kernel_memory(driver[0], 64 << RING_LOG2, &ring.place));
    ring.memory = chip_memory(b, 0, ring.place);
    given(drv_ring(driver[0], CHANNEL, &ring));
    given(drv_memory(process[0], 0, HERE_BYTES, &here));
    segment.place = here;
    given(drv_segment(process[0], NAMES_ANY, &segment, &here_mdh));
    given(drv_memory(process[1], 0, 2 * BYTES, &there));
    given(drv_kernel_memory(driver[1], TABLES * DRV_PAGE, &tables.place));
    tables.memory = chip_memory(b, 1, tables.place);
    for (unsigned i = 0; i < PAGES; i++) {
        page_of[i] = i;
    }
}

static enum drv_result map(unsigned page)
{
    return drv_map(pages, BASE + (uint64_t)page * DRV_PAGE,
                   there + (uint64_t)page_of[page] * DRV_PAGE, DRV_PAGE, true);
}

static void open_space(void)
{
    struct drv_segment segment = {.place = BASE, .bytes = BYTES, .read = true, .write = true};

    given(drv_pages(process[1], &tables, &pages));
    segment.pages = pages;
    given(drv_segment(process[1], NAMES_ANY, &segment, &there_mdh));
    for (unsigned i = 0; i < PAGES; i++) { /* in any order */
        unsigned other = rng_below(&rng, i + 1), page = page_of[i];

        page_of[i] = page_of[other];
        page_of[other] = page;
    }
    for (unsigned i = 0; i < PAGES; i++) {
        given(map(i));
    }
}

/* ---- transfers --------------------------------------------------------------------------------------- */

static enum drv_result post(uint64_t offset, uint64_t bytes)
{
    return drv_post(process[0], CHANNEL,
                    &(struct drv_transfer){.pe = b->node[CHIP_NICS].address,
                                           .mdh = there_mdh,
                                           .offset = offset,
                                           .local_mdh = here_mdh,
                                           .bytes = bytes});
}

/* The status of the next transfer that is over. */
static unsigned await(void)
{
    struct drv_over over = {0};
    bool is_over = false;

    for (unsigned n = 0; n < PATIENCE && !is_over; n += 16) {
        for (unsigned i = 0; i < 16; i++) {
            nic_bench_clock(b);
        }
        is_over = drv_over(driver[0], &over);
    }
    must(&wrong, is_over, "a transfer does not end");
    return over.status;
}

static uint8_t *byte_at(uint64_t offset)
{
    return chip_memory(b, 1,
                       there + (uint64_t)page_of[offset / DRV_PAGE] * DRV_PAGE + offset % DRV_PAGE);
}

static unsigned put(uint64_t offset, uint64_t bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        *chip_memory(b, 0, here + i) = (uint8_t)rng_next(&rng);
    }
    given(post(offset, bytes));
    unsigned status = await();

    for (unsigned i = 0; status == 0 && i < bytes; i++) {
        must_equal(&wrong, *byte_at(offset + i), *chip_memory(b, 0, here + i),
                   "byte %llu of the space", (unsigned long long)(offset + i));
    }
    return status;
}

/* ---- tests ------------------------------------------------------------------------------------------- */

static void test_puts(void)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        uint64_t bytes = 1 + rng_below(&rng, HERE_BYTES);

        must_equal(&wrong, put(rng_below(&rng, (uint32_t)(BYTES - bytes)), bytes), 0, "status");
    }
    tap_taken(&wrong, "%u transfers over pages that lie anywhere", ROUNDS);
}

static void test_refused(void)
{
    struct drv_pages *none;
    struct drv_tables few = tables;
    struct drv_segment outside = {.place = tables.addresses - 64, .bytes = 128, .pages = pages};
    unsigned mdh;

    must_equal(&wrong, map(3), DRV_WRONG, "a page is mapped twice");
    must_equal(&wrong, drv_map(pages, BASE + 64, there, DRV_PAGE, true), DRV_WRONG, "no page");
    must_equal(&wrong, drv_map(pages, 0, here + BENCH_MEMORY, DRV_PAGE, true), DRV_WRONG,
               "not its memory");
    must_equal(&wrong, drv_map(pages, tables.addresses, there, DRV_PAGE, true), DRV_WRONG,
               "no address of the space");
    must_equal(&wrong, drv_unmap(pages, BASE, 100), DRV_WRONG, "no page");
    must_equal(&wrong, drv_segment(process[1], NAMES_ANY, &outside, &mdh), DRV_WRONG,
               "a handle over the end");
    must_equal(&wrong, drv_memory_end(process[1], there), DRV_WRONG, "memory that is mapped");
    must_equal(&wrong, drv_pages_end(pages), DRV_WRONG, "a space with a handle");
    few.count = 0;
    must_equal(&wrong, drv_pages(process[1], &few, &none), DRV_WRONG, "no tables");
    must_equal(&wrong, drv_map(pages, 0, there + BYTES, DRV_PAGE, true), DRV_OK, "a third table");
    must_equal(&wrong, drv_map(pages, 5 * DRV_TABLE_SPAN, there + BYTES, DRV_PAGE, true), DRV_OK,
               "a fourth table");
    must_equal(&wrong, drv_map(pages, 6 * DRV_TABLE_SPAN, there + BYTES, DRV_PAGE, true), DRV_FULL,
               "a table too many");
    must_equal(&wrong, drv_unmap(pages, 0, 2 * DRV_TABLE_SPAN), DRV_OK, "unmapped");
    must_equal(&wrong, drv_map(pages, 6 * DRV_TABLE_SPAN, there + BYTES, DRV_PAGE, true), DRV_OK,
               "a table that was given back");
    must_equal(&wrong, put(0, 100), 0, "status");
    tap_taken(&wrong, "what is refused; tables are used again");
}

/* Under transfers a page is unmapped, and belongs to somebody else at once. */
static void test_unmapped(void)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        unsigned page = rng_below(&rng, PAGES - 2);
        uint64_t offset = (uint64_t)page * DRV_PAGE + rng_below(&rng, DRV_PAGE);
        uint8_t *memory = byte_at((uint64_t)page * DRV_PAGE), mine = (uint8_t)(0x40 + i);
        bool touched = false;

        memset(chip_memory(b, 0, here), 0x80 + (int)i, HERE_BYTES);
        given(post(offset, HERE_BYTES));
        given(post(offset, HERE_BYTES));
        for (unsigned n = rng_below(&rng, 2000); n != 0; n--) {
            nic_bench_clock(b);
        }
        must_equal(&wrong, drv_unmap(pages, BASE + (uint64_t)page * DRV_PAGE, DRV_PAGE), DRV_OK,
                   "unmapped");
        memset(memory, mine, DRV_PAGE);
        unsigned first = await(), second = await();

        must(&wrong, first == 0 || first == STATUS_TRANSLATION, "status %u", first);
        must(&wrong, second == 0 || second == STATUS_TRANSLATION, "status %u", second);
        for (unsigned k = 0; k < DRV_PAGE; k++) {
            touched = touched || memory[k] != mine;
        }
        must(&wrong, !touched, "round %u: a page that was unmapped is written", i);
        must_equal(&wrong, put(offset, 16), STATUS_TRANSLATION, "status without a page");
        given(map(page));
        must_equal(&wrong, put(offset, 16), 0, "status when it is mapped again");
    }
    tap_taken(&wrong, "%u pages are unmapped under transfers: not a byte comes behind it", ROUNDS);
}

static void test_end(void)
{
    given(post(0, HERE_BYTES));
    must_equal(&wrong, drv_segment_end(process[1], there_mdh), DRV_OK, "the handle ends");
    must_equal(&wrong, drv_pages_end(pages), DRV_OK, "the space ends");
    memset(chip_memory(b, 1, tables.place), 0xFF,
           TABLES * DRV_PAGE); /* tables are memory like any other */
    memset(chip_memory(b, 1, there), 0x11, BYTES);
    await();
    for (unsigned i = 0; i < BYTES; i++) {
        must_equal(&wrong, *chip_memory(b, 1, there + i), 0x11, "byte %u behind the end", i);
    }
    open_space();
    must_equal(&wrong, put(100, 5000), 0, "status in a new space");
    must_equal(&wrong, drv_process_end(process[1]), DRV_OK, "its process ends");
    memset(chip_memory(b, 1, tables.place), 0xFF, TABLES * DRV_PAGE);
    must(&wrong, put(100, 5000) != 0, "a transfer to a process that has ended is OK");
    tap_taken(&wrong, "spaces end, by themselves and with their process");
}

int main(int argc, char **argv)
{
    uint64_t seed = test_seed(argc, argv);

    rng_seed(&rng, seed);
    start(seed);
    open_space();
    test_puts();
    test_refused();
    test_unmapped();
    test_end();
    tap_ok(drv_ring_end(driver[0], CHANNEL) == DRV_OK, "the ring ends");
    for (unsigned i = 0; i < CHIPS; i++) {
        tap_ok(drv_stop(driver[i]) == DRV_OK, "NIC %u stops", i);
    }
    nic_bench_free(b);
    return tap_done();
}
