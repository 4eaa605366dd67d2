// SPDX-License-Identifier: Apache-2.0
/*
 * spans.c - an address space, dealt out.
 */
#include "sim/host/spans.h"

#include <stdlib.h>
#include <string.h>

void spans_start(struct spans *s, uint64_t from, uint64_t bytes)
{
    const uint64_t first = (from + SPANS_PAGE - 1) / SPANS_PAGE * SPANS_PAGE;
    *s = (struct spans){.from = first, .to = from + bytes};
}

void spans_free(struct spans *s)
{
    free(s->span);
    s->span = NULL;
}

/* The end of a span, up to the next page. */
static uint64_t end_of(const struct span *span)
{
    return (span->from + span->bytes + SPANS_PAGE - 1) / SPANS_PAGE * SPANS_PAGE;
}

/* Another span, before the one with this number. */
static bool insert(struct spans *s, unsigned at, const struct span *span)
{
    if (s->count == s->room) {
        const unsigned room = s->room == 0 ? 16 : 2 * s->room;
        struct span *more = realloc(s->span, room * sizeof *more);
        if (more == NULL)
            return false;
        s->span = more;
        s->room = room;
    }
    memmove(&s->span[at + 1], &s->span[at], (s->count - at) * sizeof *s->span);
    s->span[at] = *span;
    s->count++;
    return true;
}

uint64_t spans_take(struct spans *s, const void *owner, uint64_t address, uint64_t bytes)
{
    const uint64_t within = address % SPANS_PAGE;
    uint64_t page = s->from;
    for (unsigned i = 0; i <= s->count && bytes != 0; i++) {
        const uint64_t to = i < s->count ? s->span[i].from / SPANS_PAGE * SPANS_PAGE : s->to;
        const struct span span = {
            .from = page + within, .bytes = bytes, .owner = owner, .address = address};
        if (page <= to && to - page >= within && to - page - within >= bytes)
            return insert(s, i, &span) ? span.from : UINT64_MAX;
        page = i < s->count ? end_of(&s->span[i]) : page;
    }
    return UINT64_MAX;
}

const struct span *spans_at(const struct spans *s, uint64_t from, uint64_t bytes)
{
    unsigned low = 0, high = s->count; /* the last one that begins at or before `from` */
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        if (s->span[middle].from <= from)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return NULL;
    const struct span *span = &s->span[low - 1];
    const uint64_t in = from - span->from;
    return in < span->bytes && span->bytes - in >= bytes ? span : NULL;
}

bool spans_give_back(struct spans *s, const void *owner, uint64_t from)
{
    for (unsigned i = 0; i < s->count; i++)
        if (s->span[i].from == from && s->span[i].owner == owner) {
            s->count--;
            memmove(&s->span[i], &s->span[i + 1], (s->count - i) * sizeof *s->span);
            return true;
        }
    return false;
}

void spans_give_back_all(struct spans *s, const void *owner)
{
    unsigned left = 0;
    for (unsigned i = 0; i < s->count; i++)
        if (s->span[i].owner != owner)
            s->span[left++] = s->span[i];
    s->count = left;
}

void spans_die(struct spans *s, const void *owner)
{
    for (unsigned i = 0; i < s->count; i++)
        s->span[i].dead |= s->span[i].owner == owner;
}
