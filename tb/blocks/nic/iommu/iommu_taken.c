// SPDX-License-Identifier: Apache-2.0
/*
 * iommu_taken.c - each frame that a page ever had is used once, so that an access tells by its address of which time its translation is.
 */
#include "tb/blocks/nic/iommu/iommu_taken.h"

#include <stdlib.h>
#include <string.h>

enum {
    PAGES = 64,   /* of each of two contexts */
    CONTEXTS = 2, /* of one level, of two */
    LOWER = 4,    /* second tables, each of PAGES / LOWER pages */
    ROOT_AT = 0x10000,
    ROOT_TWO_AT = 0x20000,
    TABLES_AT = 0x40000, /* second tables, each at a place of its own */
    TABLES = (IB_TABLES - TABLES_AT) / IB_FRAME,
    FIRST_FRAME = 1 << 20,
};

/* What is known of a page: versions count its changes. */
struct page {
    unsigned version, frame;
    unsigned since;   /* version at the last INVALIDATE */
    unsigned missing; /* last version without a frame, 0: none */
};

struct frame {
    unsigned page; /* of both contexts */
    unsigned version;
    bool taken; /* away, and that has settled */
};

static struct page pages[CONTEXTS * PAGES];
static struct frame *frames;
static unsigned frame_count, table_count;
static unsigned table_of[LOWER];
static bool table_taken[TABLES];
static bool torn_down;   /* no context has a table any more */
static unsigned gone_by; /* accesses that were refused for that */

/* ---- tables ------------------------------------------------------------------------------------------ */

static unsigned number_of(unsigned context, uint64_t address)
{
    uint64_t page = address / IB_FRAME;

    return context * PAGES +
           (unsigned)(context == 0 ? page : page / 512 * (PAGES / LOWER) + page % 512);
}

static uint64_t entry_at(unsigned n)
{
    unsigned page = n % PAGES, each = PAGES / LOWER;

    return n < PAGES ? ROOT_AT + 8 * page
                     : TABLES_AT + IB_FRAME * (uint64_t)table_of[page / each] + 8 * (page % each);
}

/* The page has another frame from now on, or none. */
static void change(unsigned n, bool gone)
{
    struct page *page = &pages[n];

    page->version++;
    page->frame = gone ? 0 : frame_count;
    if (gone) {
        page->missing = page->version;
        ib_set_entry(entry_at(n), 0);
    } else {
        frames[frame_count] = (struct frame){.page = n, .version = page->version};
        ib_set_entry(entry_at(n), (FIRST_FRAME + (uint64_t)frame_count) * IB_FRAME | 3);
        frame_count++;
    }
}

/* Second table k moves to another page; where it was nobody may look any more once that has settled. */
static unsigned move_table(unsigned k)
{
    unsigned old = table_of[k], next = table_count++ % TABLES;
    uint64_t from = TABLES_AT + IB_FRAME * (uint64_t)old,
             to = TABLES_AT + IB_FRAME * (uint64_t)next;

    table_taken[next] = false;
    memcpy(ib.tables + to, ib.tables + from, IB_FRAME);
    table_of[k] = next;
    ib_set_entry(ROOT_TWO_AT + 8 * k, to | 1);
    return old;
}

static bool is_forbidden(uint64_t address)
{
    return torn_down || (address >= TABLES_AT && address < IB_TABLES &&
                         table_taken[(address - TABLES_AT) / IB_FRAME]);
}

/* ---- accesses ---------------------------------------------------------------------------------------- */

static void make_access(struct ib_access *a, bool write)
{
    unsigned context = a->space / 2, page = rng_below(&ib.rng, PAGES), each = PAGES / LOWER;
    uint64_t number = context == 0 ? page : page / each * 512 + page % each;
    uint64_t inside = a->address % (IB_FRAME + 1 - a->bytes);

    (void)write;
    a->split = a->bytes > 1 && page % each != each - 1 && rng_below(&ib.rng, 4) == 0;
    a->address = number * IB_FRAME + (a->split ? IB_FRAME - 1 : inside);
    for (unsigned i = 0; i < 1u + a->split; i++) {
        a->since[i] = pages[number_of(context, a->address + i)].since;
    }
}

static bool was_missing(const struct ib_access *a, unsigned half)
{
    const struct page *page = &pages[number_of(a->space / 2, a->address + half)];

    return page->missing != 0 && page->missing >= a->since[half];
}

/* Of a time since the INVALIDATE before it was made, and of a frame that is not taken away. */
static bool is_right(const struct ib_access *a, bool write, enum gp_status status,
                     const uint64_t *to)
{
    bool right = true;

    (void)write;
    if (status != GP_DONE) {
        return status == GP_NO_PAGE && (was_missing(a, 0) || (a->split && was_missing(a, 1)));
    }
    for (unsigned i = 0; i < 1u + a->split; i++) {
        uint64_t frame = to[i] / IB_FRAME - FIRST_FRAME;

        right &= frame < frame_count && to[i] % IB_FRAME == (a->address + i) % IB_FRAME &&
                 frames[frame].page == number_of(a->space / 2, a->address + i) &&
                 frames[frame].version >= a->since[i] && !frames[frame].taken;
    }
    return right;
}

static void begin(unsigned rounds)
{
    ib_begin();
    free(frames);
    frames = calloc(2 * rounds + CONTEXTS * PAGES + 2, sizeof(*frames));
    memset(pages, 0, sizeof(pages));
    memset(table_taken, 0, sizeof(table_taken));
    frame_count = 1; /* 0 is none */
    table_count = LOWER;
    for (unsigned k = 0; k < LOWER; k++) {
        table_of[k] = k;
        ib_set_entry(ROOT_TWO_AT + 8 * k, (TABLES_AT + IB_FRAME * (uint64_t)k) | 1);
    }
    for (unsigned n = 0; n < CONTEXTS * PAGES; n++) {
        change(n, false);
    }
    ib_context(0, &(struct gp_context){true, 1, 12, ROOT_AT});
    ib_context(1, &(struct gp_context){true, 2, 12, ROOT_TWO_AT});
    ib.make = make_access;
    ib.judge = is_right;
    ib.forbidden = is_forbidden;
}

/* The driver waits for STATUS.settled. */
static void settle(void)
{
    uint64_t writes = ib.writes.made, reads = ib.reads.made;
    unsigned clocks = 0;

    do {
        ib_step();
    } while ((!ib_over(writes, reads) || ib.dut.out.stale) && clocks++ < 100000);
    must_at_most(&ib.wrong, clocks, 100000, "clocks until it has settled");
}

/* The contexts' tables go, all at once; what is under way may still be done, or is refused. */
static void tear_down(void)
{
    struct gp_context contexts[CONTEXTS] = {ib.context[0], ib.context[1]};
    struct gp_context none = {0};

    ib_invalidate(); /* so that lines are read */
    ib_run(rng_below(&ib.rng, 60));
    for (unsigned n = 0; n < CONTEXTS; n++) {
        ib_context(n, &none);
    }
    settle();
    torn_down = true;
    ib_run(rng_below(&ib.rng, 100));
    torn_down = false;
    for (unsigned n = 0; n < CONTEXTS; n++) {
        ib_context(n, &contexts[n]);
    }
    ib_run(200);
}

static bool is_right_or_gone(const struct ib_access *a, bool write, enum gp_status status,
                             const uint64_t *to)
{
    gone_by += status == GP_NO_PAGE;
    return status == GP_NO_PAGE || (!torn_down && is_right(a, write, status, to));
}

void test_teardown(unsigned rounds)
{
    begin(1);
    ib.judge = is_right_or_gone;
    ib.load = (struct ib_load){
        .write = 0, .read = 0.05, .ready = 1, .latency = 60, .contexts = CONTEXTS, .spread = 1};
    gone_by = 0;
    for (unsigned i = 0; i < rounds && ib.wrong.count == 0; i++) {
        tear_down();
    }
    ib_drain();
    must_at_least(&ib.wrong, gone_by, rounds, "accesses refused");
    tap_misses(&ib.wrong, "%u times contexts lose their tables: behind settled none is read",
               rounds);
}

static void take_away(void)
{
    unsigned n = rng_below(&ib.rng, CONTEXTS * PAGES), k = rng_below(&ib.rng, LOWER);
    unsigned old = pages[n].frame, table = TABLES;
    bool moves = rng_below(&ib.rng, 3) == 0;

    if (rng_below(&ib.rng, 2)) { /* so that lines are read while the tables change */
        ib_invalidate();
        ib_run(rng_below(&ib.rng, 60));
    }
    change(n, pages[n].frame != 0 && rng_below(&ib.rng, 3) == 0);
    if (moves) {
        table = move_table(k);
    }
    ib_run(rng_below(&ib.rng, 20));
    if (rng_below(&ib.rng, 4) == 0) {
        struct gp_context one = ib.context[0], two = ib.context[1];

        ib_context(0, &one);
        ib_context(1, &two);
    } else {
        ib_invalidate();
    }
    for (unsigned i = 0; i < CONTEXTS * PAGES; i++) {
        pages[i].since = pages[i].version;
    }
    settle();
    frames[old].taken = true;
    if (table != TABLES) {
        table_taken[table] = true;
    }
    ib_run(rng_below(&ib.rng, 100));
}

void test_taken(unsigned rounds)
{
    uint64_t accesses;

    begin(rounds);
    ib.load = (struct ib_load){
        .write = 0.5, .read = 0.5, .ready = 1, .latency = 40, .contexts = CONTEXTS, .spread = 1};
    for (unsigned i = 0; i < rounds && ib.wrong.count == 0; i++) {
        ib.load.latency = i % 2 == 0 ? 40 : 5;
        ib.load.ready = i % 3 == 0 ? 0.5 : 1;
        take_away();
    }
    ib_drain();
    accesses = ib.writes.made + ib.reads.made;
    must_at_least(&ib.wrong, accesses, 10 * (uint64_t)rounds, "accesses");
    /* holds iommu.moved, iommu.settled */
    tap_misses(&ib.wrong,
               "%u times a page or a table is taken away from %llu accesses: none comes to it",
               rounds, (unsigned long long)accesses);
    free(frames);
    frames = NULL;
}
