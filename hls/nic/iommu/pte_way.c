// SPDX-License-Identifier: Apache-2.0
/* pte_way.c - a way of pte_cache: pte_way.h. */
#include "nic/iommu/pte_way.h"

HLS_RESET void pte_way_reset(struct pte_way *self)
{
    self->out = (struct pte_way_out){};
    self->tag = (struct pte_tag){};
    self->last = 0;
}

static inline u1 is_there(pte_serial asked, pte_serial filled, pte_serial broken)
{
    return asked == filled && asked != broken;
}

/* Clock 1: the key that was looked for, against what was read of its set. */
static inline void compare(struct pte_way *self, pte_key key)
{
    const struct pte_tag *tag = &self->tag;
    u1 same = tag->key == key, pending = tag->asked != tag->filled;
    u1 there = is_there(tag->asked, tag->filled, tag->broken);

    self->out.hit = same && there;
    self->out.pending = same && pending;
    self->out.busy = pending || (there && tag->asked != tag->used);
}

/* Whether a line may be read in place of the one of this set. */
static inline void offer(struct pte_way *self, pte_set set)
{
    pte_serial asked = self->asked[set], filled = self->filled[set];
    u4 seen = self->seen[set];

    self->out.empty = asked == filled && asked == (pte_serial)(seen >> 2);
    self->out.comes = asked != filled;
    self->out.unused = asked != (pte_serial)seen;
    self->last = asked;
}

static inline void read_tag(struct pte_way *self, pte_set set)
{
    u4 seen = self->seen[set];

    self->tag = (struct pte_tag){
        .key = self->keys[set],
        .asked = self->asked[set],
        .filled = self->filled[set],
        .used = (pte_serial)seen,
        .broken = (pte_serial)(seen >> 2),
    };
}

/* Serial numbers of use of a line with this one, by those that it has: two further it will be used once more, one further at least twice.
 * What is broken stays so. */
static inline u4 seen_of(pte_serial asked, u4 seen, enum pte_mark mark)
{
    pte_serial once = (pte_serial)(asked + 2), twice = (pte_serial)(asked + 1);
    pte_serial is = (pte_serial)seen;
    pte_serial more = is == asked ? once : twice, fewer = is == twice ? once : asked;
    pte_serial used = mark == PTE_AHEAD ? more : fewer;
    u1 broken = mark == PTE_BROKEN || (pte_serial)(seen >> 2) == asked;

    return (u4)((u4)((u4)(broken ? asked : once) << 2) | used);
}

HLS_MODULE void pte_way(struct pte_way *self, const struct pte_way_in *in)
{
    pte_serial filled = self->asked[in->fill_set], marked = self->asked[in->mark_set];
    u4 seen = self->seen[in->mark_set];
    /* of a number that no use of the line before it is taken for one of this one's */
    pte_serial next = (pte_serial)(self->last + (self->out.unused ? (pte_serial)3 : (pte_serial)1));

    compare(self, in->look_key);
    read_tag(self, in->look_set);
    offer(self, in->ask_set);
    if (in->asks) {
        self->keys[in->place] = in->line;
    }
    if (in->asks || in->clears) {
        self->asked[in->clears ? in->clear_set : in->place] = in->clears ? (pte_serial)0 : next;
    }
    if (in->fills || in->clears) {
        self->filled[in->clears ? in->clear_set : in->fill_set] =
            in->clears ? (pte_serial)0 : filled;
    }
    if (in->marks || in->clears) {
        self->seen[in->clears ? in->clear_set : in->mark_set] =
            in->clears ? (u4)0 : seen_of(marked, seen, in->mark);
    }
}
