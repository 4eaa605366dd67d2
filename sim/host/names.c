// SPDX-License-Identifier: Apache-2.0
/*
 * names.c - names that are free, used, or rest.
 */
#include "sim/host/names.h"

#include <stdlib.h>

void set_add(struct names_set *set, unsigned descriptor)
{
    set->bits[descriptor / 64] |= UINT64_C(1) << descriptor % 64;
}

void set_remove(struct names_set *set, unsigned descriptor)
{
    set->bits[descriptor / 64] &= ~(UINT64_C(1) << descriptor % 64);
}

bool set_has(const struct names_set *set, unsigned descriptor)
{
    return set->bits[descriptor / 64] >> descriptor % 64 & 1;
}

static bool set_empty(const struct names_set *set)
{
    uint64_t any = set->transfers;
    for (unsigned i = 0; i < NAMES_DESCRIPTORS / 64; i++)
        any |= set->bits[i];
    return any == 0;
}

bool names_start(struct names *n, unsigned count)
{
    *n = (struct names){.count = count, .name = calloc(count, sizeof *n->name)};
    return n->name != NULL;
}

void names_free(struct names *n)
{
    free(n->name);
    n->name = NULL;
}

static int refusal(const struct names *n, int wanted)
{
    bool rests = false;
    for (unsigned i = 0; i < n->count; i++)
        rests |= n->name[i].state == NAME_RESTS && (wanted == NAMES_ANY || i == (unsigned)wanted);
    return rests ? NAMES_RESTS : NAMES_NONE;
}

int names_take(struct names *n, int wanted, const void *owner, uint8_t ptag)
{
    for (unsigned i = 0; i < n->count; i++) {
        const unsigned at = wanted == NAMES_ANY ? (n->next + i) % n->count : i;
        if ((wanted == NAMES_ANY || at == (unsigned)wanted) && n->name[at].state == NAME_FREE) {
            n->name[at] = (struct name){.state = NAME_USED, .owner = owner, .ptag = ptag};
            n->next = (at + 1) % n->count;
            return (int)at;
        }
    }
    return refusal(n, wanted);
}

bool names_owned(const struct names *n, unsigned name, const void *owner)
{
    return name < n->count && n->name[name].state == NAME_USED && n->name[name].owner == owner;
}

void names_give_back(struct names *n, unsigned name, const struct names_set *until)
{
    struct name *entry = &n->name[name];
    entry->owner = NULL;
    entry->waits = *until;
    entry->state = set_empty(until) ? NAME_FREE : NAME_RESTS;
}

void names_idle(struct names *n, unsigned descriptor)
{
    for (unsigned i = 0; i < n->count; i++) {
        struct name *entry = &n->name[i];
        if (entry->state == NAME_RESTS) {
            set_remove(&entry->waits, descriptor);
            entry->state = set_empty(&entry->waits) ? NAME_FREE : NAME_RESTS;
        }
    }
}

void names_over(struct names *n, uint64_t number)
{
    for (unsigned i = 0; i < n->count; i++) {
        struct name *entry = &n->name[i];
        if (entry->state == NAME_RESTS && entry->waits.transfers <= number) {
            entry->waits.transfers = 0;
            entry->state = set_empty(&entry->waits) ? NAME_FREE : NAME_RESTS;
        }
    }
}

void names_waits(const struct names *n, struct names_set *left)
{
    for (unsigned i = 0; i < n->count; i++)
        for (unsigned w = 0; w < NAMES_DESCRIPTORS / 64 && n->name[i].state == NAME_RESTS; w++)
            left->bits[w] |= n->name[i].waits.bits[w];
}

unsigned names_of(const struct names *n, uint8_t ptag)
{
    unsigned count = 0;
    for (unsigned i = 0; i < n->count; i++)
        count += n->name[i].state != NAME_FREE && n->name[i].ptag == ptag;
    return count;
}
