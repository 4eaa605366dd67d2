// SPDX-License-Identifier: Apache-2.0
/*
 * pte_cache.c - lines of page table entries.
 *
 *   clock 0  tags of the set read              a line that is asked for:
 *   clock 1  keys compared                     clock 0  taken
 *   clock 2  two entries of the line read      clock 1  what is in its set
 *   clock 3  in a register                     clock 2  into a place, pending
 *
 * A line has its place to itself until its last beat is there. When all is forgotten the sets are cleared one by one; until then nobody looks.
 */
#include "nic/iommu/pte_cache.h"

#include "common/arbiter.h"

HLS_RESET void pte_cache_reset(struct pte_cache *self)
{
    self->out = (struct pte_cache_out){};
    self->looked = (struct pte_found){};
    self->code = 0;
    self->marked = 0;
    self->asking = (struct pte_ask){};
    self->choosing = (struct pte_ask){};
    self->turn = 0;
    self->clean = 0;
    self->clear = 0;
    for (int w = 0; w < PTE_WAYS; w++) {
        pte_way_reset(&self->ways[w]);
    }
    pte_walks_reset(&self->walks);
}

static inline pte_place place_of(u2 way, pte_set set)
{
    return (pte_place)(((pte_place)way << PTE_SETS_LOG2) | set);
}

static inline pte_beat_place beat_of(pte_place place, u2 beat)
{
    return (pte_beat_place)(((pte_beat_place)place << 2) | beat);
}

/* Clocks 2 and 3 of a look. */
static inline void find(struct pte_cache *self, const struct pte_cache_in *in)
{
    u4 hits = 0, pending = 0, busy = 0;

    for (int w = 0; w < PTE_WAYS; w++) {
        hits |= (u4)((u4)self->ways[w].out.hit << w);
        pending |= (u4)((u4)self->ways[w].out.pending << w);
        busy |= (u4)((u4)self->ways[w].out.busy << w);
    }
    struct pte_found found = {
        .hit = in->looks && hits != 0,
        .pending = pending != 0,
        .full = busy == 15,
        .place = place_of((u2)mask_index(mask_lowest(hits != 0 ? hits : pending)), in->row),
    };

    self->marked = self->out.found.place;
    self->out.found = self->looked;
    self->out.code = self->code;
    self->looked = found;
    if (found.hit) {
        self->code = self->lines[beat_of(found.place, (u2)(in->entry >> 1))];
    }
}

/* Where the line in `choosing` goes, if there is a place for it. */
struct pte_choice {
    u1 valid;
    u2 way;
};

/* In place of none, of a line that was used, or, if it must, of one that nobody has looked into yet and will be missed. */
static inline struct pte_choice choose(const struct pte_cache *self)
{
    u4 empty = 0, used = 0, ahead = 0;

    for (int w = 0; w < PTE_WAYS; w++) {
        const struct pte_way_out *way = &self->ways[w].out;

        empty |= (u4)((u4)way->empty << w);
        used |= (u4)((u4)(u1)(!way->comes && !way->unused) << w);
        ahead |= (u4)((u4)(u1)(!way->comes && self->choosing.must) << w);
    }
    u4 from = empty != 0 ? empty : used != 0 ? used : ahead;

    return (struct pte_choice){
        .valid = self->choosing.valid && from != 0,
        .way = (u2)mask_next(from, self->turn),
    };
}

/* What each way does in this clock. */
static inline struct pte_way_in to_way(const struct pte_cache *self, const struct pte_cache_in *in,
                                       const struct pte_choice *choice, u2 way)
{
    const struct pte_fill *fill = &self->walks.out.fill;

    return (struct pte_way_in){
        .look_set = in->look_set,
        .look_key = in->look_key,
        .ask_set = set_of(self->asking.key),
        .asks = choice->valid && !in->forget && choice->way == way,
        .place = set_of(self->choosing.key),
        .line = self->choosing.key,
        .fills = fill->ends && (u2)(fill->place >> PTE_SETS_LOG2) == way,
        .fill_set = (pte_set)fill->place,
        .marks = in->marks && (u2)(self->marked >> PTE_SETS_LOG2) == way,
        .mark_set = (pte_set)self->marked,
        .mark = in->mark,
        .clears = !self->clean,
        .clear_set = self->clear,
    };
}

/* Sets are cleared, after a reset too. */
static inline void clear(struct pte_cache *self, u1 forget)
{
    u1 last = self->clear == (pte_set)-1;

    if (forget) {
        self->clean = 0;
        self->clear = 0;
    } else if (!self->clean) {
        self->clean = last;
        self->clear++;
    }
    self->out.ready = self->clean;
}

HLS_MODULE void pte_cache(struct pte_cache *self, const struct pte_cache_in *in)
{
    const struct pte_fill *fill = &self->walks.out.fill;
    struct pte_choice choice = choose(self);
    struct pte_way_in to_ways[PTE_WAYS];
    struct pte_walks_in to_walks = {
        .asks = choice.valid && !in->forget,
        .key = self->choosing.key,
        .addr = self->choosing.addr,
        .place = place_of(choice.way, set_of(self->choosing.key)),
        .forget = in->forget,
        .taken = in->taken,
        .beat = in->beat,
    };
    u1 asks = self->asking.valid | self->choosing.valid | in->ask.valid;

    hls_assert(self->walks.out.waiting + self->asking.valid + self->choosing.valid +
                   self->out.room <=
               PTE_SENDS);
    hls_assume(!in->ask.valid || self->out.room);
    for (int w = 0; w < PTE_WAYS; w++) {
        to_ways[w] = to_way(self, in, &choice, (u2)w);
    }
    find(self, in);
    if (fill->valid) {
        self->lines[beat_of(fill->place, fill->beat)] = fill->code;
    }
    if (choice.valid) {
        self->turn = choice.way;
    }
    hls_cover(self->choosing.valid && !choice.valid);
    self->choosing = self->asking;
    self->asking = in->ask;
    self->asking.valid &= !in->forget;
    self->choosing.valid &= !in->forget;
    self->out.room = self->walks.out.waiting <= PTE_SENDS - 3 && !in->ask.valid;
    self->out.idle = self->walks.out.idle && !self->walks.out.fill.valid && !asks;
    self->out.stale = self->walks.out.stale;
    clear(self, in->forget);
    for (int w = 0; w < PTE_WAYS; w++) {
        pte_way(&self->ways[w], &to_ways[w]);
    }
    pte_walks(&self->walks, &to_walks);
    self->out.walk = self->walks.out.walk;
    hls_cover(!self->out.room);
}
