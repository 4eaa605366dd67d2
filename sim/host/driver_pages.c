// SPDX-License-Identifier: Apache-2.0
/*
 * driver_pages.c - page tables of two levels: pages of a space are mapped, unmapped, and the space ends.
 */
#include "sim/host/driver_pages.h"
#include "sim/host/driver_inside.h"

#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 512, VALID = 1, WRITABLE = 2 };

static bool is_aligned(uint64_t n, uint64_t to)
{
    return n % to == 0;
}

/* ---- tables ------------------------------------------------------------------------------------------ */

static uint64_t *table_at(const struct drv_pages *s, unsigned n)
{
    return (uint64_t *)s->tables.memory + (size_t)n * ENTRIES;
}

static uint64_t *root_entry(const struct drv_pages *s, uint64_t address)
{
    return table_at(s, 0) + address / DRV_TABLE_SPAN;
}

/* The second table that an address is in, or 0: pages of the first one are in front. */
static unsigned table_of(const struct drv_pages *s, uint64_t address)
{
    const uint64_t entry = *root_entry(s, address);
    return entry == 0 ? 0 : (unsigned)((entry - VALID - s->tables.place) / DRV_PAGE);
}

static uint64_t *entry_of(const struct drv_pages *s, uint64_t address)
{
    const unsigned table = table_of(s, address);
    return table == 0 ? NULL : table_at(s, table) + address / DRV_PAGE % ENTRIES;
}

static unsigned unused(const struct drv_pages *s)
{
    unsigned n = s->first;
    while (n < s->tables.count && s->used[n])
        n++;
    return n;
}

/* How many second tables are missing. */
static unsigned missing(const struct drv_pages *s, uint64_t address, uint64_t bytes)
{
    unsigned n = 0;
    for (uint64_t at = address / DRV_TABLE_SPAN; at <= (address + bytes - 1) / DRV_TABLE_SPAN; at++)
        n += *root_entry(s, at * DRV_TABLE_SPAN) == 0;
    return n;
}

static unsigned left(const struct drv_pages *s)
{
    unsigned n = 0;
    for (unsigned i = s->first; i < s->tables.count; i++)
        n += !s->used[i];
    return n;
}

static void make_table(struct drv_pages *s, uint64_t address)
{
    const unsigned n = unused(s);
    s->used[n] = true;
    memset(table_at(s, n), 0, DRV_PAGE);
    *root_entry(s, address) = (s->tables.place + (uint64_t)n * DRV_PAGE) | VALID;
}

static bool is_empty(const uint64_t *table)
{
    bool empty = true;
    for (unsigned i = 0; i < ENTRIES; i++)
        empty = empty && table[i] == 0;
    return empty;
}

/* ---- what the NIC keeps of them ---------------------------------------------------------------------- */

static enum drv_result forget(struct drv *d)
{
    return drv_write(d, NR_INVALIDATE, 1) ? drv_settle(d) : DRV_REFUSED;
}

/* ---- spaces ------------------------------------------------------------------------------------------ */

static bool are_tables(const struct drv *d, const struct drv_tables *want)
{
    if (want->addresses == 0 || want->addresses > UINT64_C(1) << 48 ||
        !is_aligned(want->addresses, DRV_TABLE_SPAN) || !is_aligned(want->place, DRV_PAGE) ||
        want->memory == NULL || want->count == 0)
        return false;
    const struct span *span = spans_at(&d->spans, want->place, (uint64_t)want->count * DRV_PAGE);
    return span != NULL && span->owner == d && span->from == want->place;
}

enum drv_result drv_pages(struct drv_process *p, const struct drv_tables *want,
                          struct drv_pages **pages)
{
    struct drv *d = p->drv;
    const uint64_t most = UINT64_C(1) << 30;
    const unsigned first = (unsigned)((want->addresses + most - 1) / most);
    unsigned context = 0;
    *pages = NULL;
    if (!are_tables(d, want) || first > want->count)
        return DRV_WRONG;
    while (context < DRV_SPACES && d->space[context] != NULL)
        context++;
    if (context == DRV_SPACES)
        return DRV_FULL;
    struct drv_pages *s = calloc(1, sizeof *s);
    bool *used = calloc(want->count, sizeof *used);
    if (s == NULL || used == NULL) {
        free(s);
        free(used);
        return DRV_MEMORY;
    }
    *s = (struct drv_pages){
        .owner = p, .context = context, .first = first, .tables = *want, .used = used};
    memset(want->memory, 0, (size_t)first * DRV_PAGE);
    d->space[context] = s;
    *pages = s;
    const uint64_t word = FIELD(IOMMU, ROOT, want->place / DRV_PAGE) | FIELD(IOMMU, LOG2, 12) |
                          FIELD(IOMMU, LEVELS, 1) | FIELD(IOMMU, ENABLE, 1);
    return drv_write(d, NR_IOMMU + context, word) ? DRV_OK : DRV_REFUSED;
}

static bool is_inside(const struct drv_pages *s, uint64_t address, uint64_t bytes)
{
    return bytes != 0 && is_aligned(address, DRV_PAGE) && is_aligned(bytes, DRV_PAGE) &&
           address < s->tables.addresses && bytes <= s->tables.addresses - address;
}

enum drv_result drv_map(struct drv_pages *s, uint64_t address, uint64_t place, uint64_t bytes,
                        bool writable)
{
    struct drv *d = s->owner->drv;
    const struct span *span = spans_at(&d->spans, place, bytes);
    if (!is_inside(s, address, bytes) || !is_aligned(place, DRV_PAGE) || span == NULL ||
        span->owner != s->owner)
        return DRV_WRONG;
    for (uint64_t at = 0; at < bytes; at += DRV_PAGE) {
        const uint64_t *entry = entry_of(s, address + at);
        if (entry != NULL && *entry != 0)
            return DRV_WRONG;
    }
    if (missing(s, address, bytes) > left(s))
        return DRV_FULL;
    for (uint64_t at = 0; at < bytes; at += DRV_PAGE) {
        if (table_of(s, address + at) == 0)
            make_table(s, address + at);
        *entry_of(s, address + at) = (place + at) | VALID | (writable ? WRITABLE : 0);
    }
    return forget(d);
}

enum drv_result drv_unmap(struct drv_pages *s, uint64_t address, uint64_t bytes)
{
    if (!is_inside(s, address, bytes))
        return DRV_WRONG;
    for (uint64_t at = 0; at < bytes; at += DRV_PAGE) {
        uint64_t *entry = entry_of(s, address + at);
        if (entry != NULL)
            *entry = 0;
    }
    for (uint64_t at = address / DRV_TABLE_SPAN; at <= (address + bytes - 1) / DRV_TABLE_SPAN;
         at++) {
        const unsigned n = table_of(s, at * DRV_TABLE_SPAN);
        if (n != 0 && is_empty(table_at(s, n))) {
            *root_entry(s, at * DRV_TABLE_SPAN) = 0;
            s->empty++;
        }
    }
    const enum drv_result result = forget(s->owner->drv);
    if (result != DRV_OK || s->empty == 0)
        return result;
    /* Nobody reads a table any more that the first one does not name. */
    memset(s->used, 0, s->tables.count * sizeof *s->used);
    for (uint64_t at = 0; at < s->tables.addresses; at += DRV_TABLE_SPAN)
        s->used[table_of(s, at)] = true;
    s->empty = 0;
    return DRV_OK;
}

/* Whether a page of a span is mapped in a space of its process. */
bool drv_is_mapped(const struct drv_process *p, const struct span *span)
{
    bool mapped = false;
    for (unsigned c = 0; c < DRV_SPACES; c++) {
        const struct drv_pages *s = p->drv->space[c];
        if (s == NULL || s->owner != p)
            continue;
        for (unsigned n = s->first * ENTRIES; n < s->tables.count * ENTRIES; n++) {
            const uint64_t entry = s->used[n / ENTRIES] ? table_at(s, 0)[n] : 0;
            const uint64_t place = entry / DRV_PAGE * DRV_PAGE;
            mapped = mapped || (entry != 0 && place + DRV_PAGE > span->from &&
                                place < span->from + span->bytes);
        }
    }
    return mapped;
}

void drv_free_space(struct drv_pages *s)
{
    s->owner->drv->space[s->context] = NULL;
    free(s->used);
    free(s);
}

enum drv_result drv_disable_space(const struct drv_pages *s)
{
    return drv_write(s->owner->drv, NR_IOMMU + s->context, 0) ? DRV_OK : DRV_REFUSED;
}

enum drv_result drv_pages_end(struct drv_pages *s)
{
    struct drv *d = s->owner->drv;
    for (unsigned i = 0; i < d->mdds.count; i++)
        if (names_owned(&d->mdds, i, s->owner) && d->mdd[i].pages == s)
            return DRV_WRONG;
    enum drv_result result = drv_disable_space(s);
    result = result == DRV_OK ? drv_settle(d) : result;
    if (result == DRV_OK)
        drv_free_space(s);
    return result;
}
