// SPDX-License-Identifier: Apache-2.0
/*
 * errors_pages.c - rows of the table of errors: page tables that do not lead to a page.
 */
#include "tb/system/nic/errors/errors.h"

#include <string.h>

/* A context that nobody else has, and its table, behind the actor's segments. */
enum { CONTEXT = 9, TABLE_AT = ACTOR_AT + 0xA8000, PAGE = 4096 };

/* Of the table's eight pages at the place of ACTOR_TRANSLATED: 0 is as it is, 1 is read only, 2 is none, the rest beyond it. */
static void map(struct actor *a)
{
    const uint64_t frame = actor_place(ACTOR_TRANSLATED) / PAGE;
    const uint64_t entries[] = {frame << 12 | 3, frame << 12 | 1, 0};
    const uint16_t at = NR_MDD + NR_MDD_STEP * ACTOR_TRANSLATED;

    memset(host_memory(a->bench->node[1].host) + TABLE_AT, 0, PAGE);
    memcpy(host_memory(a->bench->node[1].host) + TABLE_AT, entries, sizeof entries);
    nic_bench_write(a->bench, 1, NR_IOMMU + CONTEXT,
                    TABLE_AT / PAGE | (uint64_t)12 << NR_IOMMU_LOG2_AT |
                        (uint64_t)1 << NR_IOMMU_ENABLE_AT);
    nic_bench_write(a->bench, 1, at,
                    (uint64_t)CONTEXT << NR_MDD_TC_AT | (uint64_t)3 << NR_MDD_READ_AT |
                        (uint64_t)1 << NR_MDD_MMU_AT | (uint64_t)1 << NR_MDD_VALID_AT);
    nic_bench_write(a->bench, 1, at + 1,
                    (uint64_t)(8 * PAGE) << NR_MDD1_LENGTH_AT | (uint64_t)ACTOR_DOMAIN
                                                                    << NR_MDD1_PTAG_AT);
}

static void unmap(struct actor *a)
{
    nic_bench_write(a->bench, 1, NR_IOMMU + CONTEXT, 0);
    nic_bench_segment(a->bench, 1, ACTOR_TRANSLATED,
                      &(struct gn_segment){.valid = true,
                                           .read = true,
                                           .write = true,
                                           .atomic = true,
                                           .translated = true,
                                           .ptag = ACTOR_DOMAIN,
                                           .length = ACTOR_BYTES,
                                           .base = actor_place(ACTOR_TRANSLATED),
                                           .queue = ACTOR_QUEUE,
                                           .event = true});
}

static bool no_page(struct actor *a)
{
    bool good;

    map(a);
    good = actor_put(a, 1, ACTOR_TRANSLATED, 0) == GN_OK;
    good = actor_put(a, 1, ACTOR_TRANSLATED, PAGE) == GN_TRANSLATION && good;
    good = actor_get(a, 1, ACTOR_TRANSLATED, PAGE, 0) == GN_OK && good;
    good = actor_put(a, 1, ACTOR_TRANSLATED, 2 * PAGE) == GN_TRANSLATION && good;
    good = actor_get(a, 1, ACTOR_TRANSLATED, 2 * PAGE, 0) == GN_TRANSLATION && good;
    good = actor_put(a, 1, ACTOR_TRANSLATED, 2 * PAGE - 4) == GN_TRANSLATION && good; /* half */
    unmap(a);
    return actor_put(a, 1, ACTOR_TRANSLATED, 0) == GN_TRANSLATION && good;
}

static bool table_unreadable(struct actor *a)
{
    int put, get;
    bool good;

    actor_fault(a, 1, TABLE_AT, 64, false);
    map(a);
    put = actor_put(a, 1, ACTOR_TRANSLATED, 0);
    get = actor_get(a, 1, ACTOR_TRANSLATED, 0, 0);
    good = put == GN_BUS && get == GN_BUS;
    if (!good) {
        tap_note("a put ends %d, a get %d, expected %d", put, get, GN_BUS);
    }
    actor_heal(a, 1);
    nic_bench_write(a->bench, 1, NR_INVALIDATE, 1); /* a line that failed may be kept */
    good = actor_put(a, 1, ACTOR_TRANSLATED, 0) == GN_OK && good;
    unmap(a);
    return good;
}

const struct error_row errors_pages[] = {
    {"page that is missing or read only, context that is off: TRANSLATION", no_page, NR_SSID_FAILED,
     0},
    {"bus error of a page table: BUS", table_unreadable, NR_READ_ERROR, 1},
    {0},
};
