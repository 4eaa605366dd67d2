// SPDX-License-Identifier: Apache-2.0
/*
 * pte_cache.c - lines of page table entries.
 *
 *   clock 0  keys of the set compared
 *   clock 1  two entries of the line read
 *   clock 2  decoded, with the key that they were looked for by
 *
 * A line that is asked for takes a place a clock later, pending, and has it to itself until its last beat is there; reads of lines are answered in the
 * order in which they were asked for. What is under way when all is forgotten is not kept.
 */
#include "nic/iommu/pte_cache.h"

#include "common/arbiter.h"

HLS_RESET void pte_cache_reset(struct pte_cache *self)
{
    self->out = (struct pte_cache_out){};
    self->looked = (struct pte_step){};
    self->read = (struct pte_step){};
    self->code = 0;
    for (int w = 0; w < PTE_WAYS; w++) {
        self->valid[w] = 0;
        self->pending[w] = 0;
        self->wanted[w] = 0;
    }
    self->turn = 0;
    self->asking = (struct pte_ask){};
    self->asked = 0;
    self->sent = 0;
    self->filled = 0;
    self->stale = 0;
    self->beat = 0;
    self->got = (struct mem_walked){};
}

/* The set of a line: first tables apart from others, contexts from each other. */
static inline pte_set set_of(pte_key key)
{
    u4 context = (u4)(key >> PTE_CONTEXT_AT);
    u1 upper = (u1)(key >> PTE_UPPER_AT);

    return (pte_set)((pte_set)key ^ (pte_set)(key >> PTE_SETS_LOG2) ^ (pte_set)context ^
                     (pte_set)((pte_set)upper << (PTE_SETS_LOG2 - 1)));
}

static inline pte_place place_of(u2 way, pte_set set)
{
    return (pte_place)(((pte_place)way << PTE_SETS_LOG2) | set);
}

static inline pte_beat_place beat_of(pte_place place, u2 beat)
{
    return (pte_beat_place)(((pte_beat_place)place << 2) | beat);
}

static inline u4 ways_of(const pte_sets *sets, pte_set set)
{
    u4 ways = 0;

    for (int w = 0; w < PTE_WAYS; w++) {
        ways |= (u4)((u4)(u1)(sets[w] >> set) << w);
    }
    return ways;
}

static inline void mark(pte_sets *sets, pte_place place, u1 value)
{
    pte_sets bit = (pte_sets)((pte_sets)1 << (pte_set)place);

    for (int w = 0; w < PTE_WAYS; w++) {
        if ((u2)(place >> PTE_SETS_LOG2) == w) {
            sets[w] = value ? sets[w] | bit : sets[w] & ~bit;
        }
    }
}

/* ---- looks ------------------------------------------------------------------------------------------- */

/* Clock 0. */
static inline struct pte_step compare(const struct pte_cache *self, const struct pte_look *look)
{
    pte_set set = set_of(look->key);
    u4 same =
        (u4)((u4)(self->keys0[set] == look->key) | (u4)((u4)(self->keys1[set] == look->key) << 1) |
             (u4)((u4)(self->keys2[set] == look->key) << 2) |
             (u4)((u4)(self->keys3[set] == look->key) << 3));
    u4 pending = ways_of(self->pending, set);
    u4 hits = same & ways_of(self->valid, set);
    u1 asking = self->asking.valid && self->asking.key == look->key;

    return (struct pte_step){
        .valid = look->valid,
        .look = *look,
        .hit = hits != 0,
        .pending = (same & pending) != 0 || asking,
        .full = (u4)(pending | ways_of(self->wanted, set)) == 15,
        .place = place_of((u2)mask_index(mask_lowest(hits)), set),
    };
}

/* What an entry and its half of the key are. */
static inline struct pte_ecc_result entry_at(pte_code code, uint(19) half)
{
    pte_ecc_word word = (pte_ecc_word)(((pte_ecc_word)(u7)(code >> 38) << 57) |
                                       ((pte_ecc_word)half << 38) | (pte_entry)code);

    return pte_ecc_decode(word);
}

/* Clock 2. A single-bit error in the key means another line than the one that was looked for. */
static inline void find(struct pte_cache *self)
{
    const struct pte_step *step = &self->read;
    uint(19) low = (uint(19))step->look.key, high = (uint(19))(step->look.key >> 19);
    struct pte_ecc_result first = entry_at((pte_code)self->code, low);
    struct pte_ecc_result second = entry_at((pte_code)(self->code >> 45), high);
    u1 fatal = first.fatal || second.fatal;
    u1 other = (uint(19))(first.data >> 38) != low || (uint(19))(second.data >> 38) != high;
    u1 corrected = !fatal && (first.corrected || second.corrected);
    u1 looks = step->valid && step->hit;
    u1 hit = looks && !fatal && !other;

    self->out.found = (struct pte_found){
        .hit = hit,
        .pending = step->valid && !step->hit && step->pending,
        .full = step->full,
        .entry = (pte_entry)((u1)step->look.entry ? second.data : first.data),
        .place = step->place,
    };
    self->out.count = (pte_counts)((pte_counts)((pte_counts)(looks && corrected) << PTE_CORRECTED) |
                                   (pte_counts)((pte_counts)(looks && fatal) << PTE_FATAL));
    if (looks && !hit) {
        mark(self->valid, step->place, 0);
    }
}

/* ---- lines that come --------------------------------------------------------------------------------- */

static inline pte_entry entry_of(u64 word, u2 status)
{
    pte_entry unread = (pte_entry)(((pte_entry)status << 2) | 2);
    pte_entry whole = (pte_entry)(((pte_entry)(u36)(word >> 12) << 2) | (u2)word);

    return status != MEM_DONE ? unread : (u1)word ? whole : (pte_entry)0;
}

static inline pte_code code_of(pte_entry entry, uint(19) half)
{
    pte_ecc_word word =
        pte_ecc_encode((pte_ecc_data)(((pte_ecc_data)half << 38) | (pte_ecc_data)entry));

    return (pte_code)(((pte_code)(u7)(word >> 57) << 38) | (pte_entry)word);
}

/* A beat goes to its place; with the last one the line is there, unless it has been forgotten. */
static inline void fill(struct pte_cache *self)
{
    pte_walk at = (pte_walk)self->filled;
    pte_key key = self->walk_keys[at];
    pte_place place = self->walk_places[at];
    pte_code low = code_of(entry_of((u64)self->got.data, self->got.status), (uint(19))key);
    pte_code high =
        code_of(entry_of((u64)(self->got.data >> 64), self->got.status), (uint(19))(key >> 19));
    u1 last = self->got.valid && self->beat == 3;
    u1 stale = self->stale != 0;

    if (self->got.valid) {
        self->lines[beat_of(place, self->beat)] = (pte_beat)(((pte_beat)high << 45) | low);
        self->beat++;
    }
    if (last) {
        mark(self->pending, place, 0);
        self->filled++;
        self->stale -= (pte_walks)stale;
    }
    if (last && !stale) {
        mark(self->valid, place, 1);
    }
}

/* ---- lines that are asked for ------------------------------------------------------------------------ */

/* A line that was asked for takes a place if there is one for it. */
static inline void ask(struct pte_cache *self, const struct pte_ask *ask)
{
    pte_set set = set_of(ask->key);
    u4 pending = ways_of(self->pending, set);
    u4 kept = ways_of(self->valid, set);
    u4 wanted = ask->must ? (u4)0 : ways_of(self->wanted, set);
    u4 empty = (u4) ~(u4)(kept | pending), old = (u4) ~(u4)(wanted | pending);
    u2 way = (u2)(empty != 0 ? mask_next(empty, self->turn) : mask_next(old, self->turn));
    u1 asks = ask->valid && (empty | old) != 0;
    pte_place place = place_of(way, set);
    pte_walk at = (pte_walk)self->asked;

    if (asks) {
        self->addresses[at] = ask->addr;
        self->walk_keys[at] = ask->key;
        self->walk_places[at] = place;
        self->asked++;
        self->turn = way;
        mark(self->valid, place, 0);
        mark(self->pending, place, 1);
        mark(self->wanted, place, 1);
    }
    if (asks && way == 0) {
        self->keys0[set] = ask->key;
    }
    if (asks && way == 1) {
        self->keys1[set] = ask->key;
    }
    if (asks && way == 2) {
        self->keys2[set] = ask->key;
    }
    if (asks && way == 3) {
        self->keys3[set] = ask->key;
    }
    hls_cover(ask->valid && !asks);
}

/* The next line that is asked for goes to axi_read. */
static inline void send(struct pte_cache *self, u1 taken)
{
    pte_line_address addr = self->addresses[(pte_walk)self->sent];
    u1 more = self->asked != self->sent;

    self->out.walk.valid = self->out.walk.valid && !taken;
    if (!self->out.walk.valid && more) {
        self->out.walk.valid = 1;
        self->out.walk.addr = (u48)((u48)addr << 6);
        self->sent++;
    }
}

/* ---- together ---------------------------------------------------------------------------------------- */

/* What the registers say of each other. */
static inline void assert_state(const struct pte_cache *self)
{
    pte_walks waiting = (pte_walks)(self->asked - self->filled);

    hls_assert(waiting + self->asking.valid <= PTE_WALKS);
    hls_assert((pte_walks)(self->asked - self->sent) <= waiting);
    hls_assert(self->stale <= waiting);
    for (int w = 0; w < PTE_WAYS; w++) {
        hls_assert((self->valid[w] & self->pending[w]) == 0);
    }
}

HLS_MODULE void pte_cache(struct pte_cache *self, const struct pte_cache_in *in)
{
    pte_walks under_way = (pte_walks)(self->sent - self->out.walk.valid - self->filled);
    pte_place found = self->out.found.place;
    u1 found_hit = self->out.found.hit;
    struct pte_step looked = compare(self, &in->look);

    assert_state(self);
    hls_assume(!in->ask.valid || self->out.room);
    hls_assume(!in->beat.valid || (under_way != 0 && !(self->got.valid && under_way == 1 &&
                                                       self->beat == 3))); /* axi_read's */
    find(self);
    self->read = self->looked;
    if (self->looked.valid && self->looked.hit) {
        self->code = self->lines[beat_of(self->looked.place, (u2)(self->looked.look.entry >> 1))];
    }
    self->looked = looked;
    if ((in->used || in->ahead) && found_hit) {
        mark(self->wanted, found, in->ahead);
    }
    if (in->drop && found_hit) {
        mark(self->valid, found, 0);
    }
    send(self, in->taken);
    fill(self);
    ask(self, &self->asking);
    self->asking = in->ask;
    if (in->forget) {
        for (int w = 0; w < PTE_WAYS; w++) {
            self->valid[w] = 0;
            self->wanted[w] = 0;
        }
        self->stale = (pte_walks)(self->asked - self->filled);
    }
    self->got = in->beat;
    self->out.room = (pte_walks)(self->asked - self->filled + self->asking.valid) != PTE_WALKS;
    self->out.stale = self->stale != 0;
    self->out.idle = self->asked == self->filled && !self->asking.valid;
    hls_cover(self->stale != 0);
    hls_cover(!self->out.room);
}
