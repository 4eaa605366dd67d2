// SPDX-License-Identifier: Apache-2.0
/*
 * iommu_looks.c - looks at page tables, of four seekers in turn: of writes and of reads one that looks ahead, so that lines that are not here are
 * read early, and one that translates the access whose turn it is.
 *
 *   clock 1  chosen                        clock 7   pte_cache: keys compared
 *   clock 2  decoded                       clock 8   ... entries read
 *   clock 3  its context read              clock 9   ... in a register
 *   clock 4  ... decoded                   clock 10  ... decoded
 *   clock 5  page numbered: the line       clock 11  verdict: it goes on, is looked for again, or is refused
 *   clock 6  pte_cache: tags read
 */
#include "nic/iommu/iommu_looks.h"

HLS_RESET void iommu_looks_reset(struct iommu_looks *self)
{
    self->out = (struct iommu_looks_out){};
    self->chosen = (struct iommu_chosen){};
    self->named = (struct iommu_named){};
    self->placed = (struct iommu_named){};
    self->numbered = (struct iommu_named){};
    self->keyed = (struct iommu_keyed){};
    self->tagged = (struct iommu_keyed){};
    self->compared = (struct iommu_keyed){};
    self->fetched = (struct iommu_keyed){};
    self->behind = (struct iommu_keyed){};
    self->found = (struct iommu_keyed){};
    self->seen = (struct iommu_seen){};
    self->turns = 0;
    self->demand = 0;
    for (int i = 0; i < IOMMU_RECENT; i++) {
        self->asked[i] = 0;
        self->recent[i] = 0;
    }
    iommu_contexts_reset(&self->contexts);
    pte_cache_reset(&self->cache);
}

/* ---- looks ------------------------------------------------------------------------------------------- */

/* Clock 5: the line of the first table, of one of the second tables, of a table that is the only one. */
static inline struct iommu_keyed number(const struct iommu_named *named,
                                        const struct iommu_contexts_out *context)
{
    u1 upper = named->look.upper;
    u6 more = (u6)(context->log2 - 12);
    u1 sane = context->enable && more <= 24 && (!context->two || more == 0);
    u5 shift = sane ? (u5)more : (u5)0;
    u5 by = upper ? (u5)9 : shift; /* two levels: shift is 0 */
    u36 page = (u36)(named->page >> by);
    pte_key key = (pte_key)(((pte_key)upper << PTE_UPPER_AT) |
                            ((pte_key)named->context << PTE_CONTEXT_AT) | (u33)(page >> 3));

    return (struct iommu_keyed){
        .reads = named->reads,
        .look = named->look,
        .fault = named->lost || context->lost ? (u2)MEM_WRONG_BITS
                 : sane                       ? (u2)MEM_DONE
                                              : (u2)MEM_UNTRANSLATED,
        .two = context->two,
        .shift = shift,
        .page = named->page,
        .key = key,
        .entry = (u3)page,
        .root = context->root,
    };
}

/* Clock 10: an entry and its half of the key, whose check bits are `key`. */
static inline struct pte_ecc_result entry_at(pte_code code, u7 key)
{
    pte_ecc_word word =
        (pte_ecc_word)(((pte_ecc_word)((u7)(code >> 38) ^ key) << 57) | (pte_entry)code);

    return pte_ecc_decode(word);
}

/* A single-bit error in the key means another line than the one that was looked for. */
static inline struct iommu_seen see(const struct iommu_looks *self)
{
    const struct iommu_keyed *at = &self->behind;
    const struct pte_found *line = &self->cache.out.found;
    struct pte_ecc_result first = entry_at((pte_code)self->cache.out.code, at->low);
    struct pte_ecc_result second = entry_at((pte_code)(self->cache.out.code >> 45), at->high);
    u1 fatal = first.fatal || second.fatal;
    u1 other = (pte_half)(first.data >> 38) != 0 || (pte_half)(second.data >> 38) != 0;

    return (struct iommu_seen){
        .line = *line,
        .broken = fatal || other,
        .corrected = !fatal && (first.corrected || second.corrected),
        .entry = (pte_entry)((u1)at->entry ? second.data : first.data),
    };
}

/* Each look goes on by a clock. */
static inline void advance(struct iommu_looks *self, const struct iommu_looks_in *in)
{
    struct page_ecc_result page = page_ecc_decode(self->chosen.word);
    u1 reads = in->look_read.valid;

    self->seen = see(self);
    self->found = self->behind;
    self->behind = self->fetched;
    self->fetched = self->compared;
    self->compared = self->tagged;
    self->tagged = self->keyed;
    self->tagged.addr =
        (pte_line_address)(((pte_line_address)self->keyed.root << 6) + (u33)self->keyed.key);
    self->tagged.low = key_check((pte_half)self->keyed.key);
    self->tagged.high = key_check((pte_half)(self->keyed.key >> 19));
    self->keyed = number(&self->numbered, &self->contexts.out);
    self->keyed.set = set_of(self->keyed.key);
    self->numbered = self->placed;
    self->placed = self->named;
    self->named = (struct iommu_named){
        .reads = self->chosen.reads,
        .look = self->chosen.look,
        .lost = page.fatal,
        .corrected = page.corrected,
        .context = (u4)(page.data >> 36),
        .page = (u36)page.data,
    };
    self->chosen = (struct iommu_chosen){
        .reads = reads,
        .look = reads ? in->look_read : in->look_write,
        .word = reads ? in->page_read : in->page_write,
    };
}

/* After page tables have changed none of them counts. */
static inline void stop(struct iommu_looks *self)
{
    self->chosen.look.valid = 0;
    self->named.look.valid = 0;
    self->placed.look.valid = 0;
    self->numbered.look.valid = 0;
    self->keyed.look.valid = 0;
    self->tagged.look.valid = 0;
    self->compared.look.valid = 0;
    self->fetched.look.valid = 0;
    self->behind.look.valid = 0;
    self->found.look.valid = 0;
    self->turns = 0;
    self->demand = 0;
}

/* ---- verdicts ---------------------------------------------------------------------------------------- */

/* A line was asked for, of the set of this look, that it may not have seen. */
static inline u1 is_recent(const struct iommu_looks *self, pte_set set)
{
    u1 recent = 0;

    for (int i = 0; i < IOMMU_RECENT; i++) {
        recent |= self->asked[i] && self->recent[i] == set;
    }
    return recent;
}

static inline u36 frame_of(const struct iommu_keyed *at, pte_entry entry)
{
    u36 inside = (u36)(((u36)1 << at->shift) - 1);

    return (u36)(((u36)(entry >> 2) & ~inside) | (at->page & inside));
}

/* The line to be read: the one that was looked for, or of a second table, which the first one names. */
static inline struct pte_ask ask_for(const struct iommu_keyed *at, u1 lower, u36 frame, u1 must)
{
    u4 context = (u4)(at->key >> PTE_CONTEXT_AT);
    pte_key second = (pte_key)(((pte_key)context << PTE_CONTEXT_AT) | (u33)(at->page >> 3));

    return (struct pte_ask){
        .must = must,
        .key = lower ? second : at->key,
        .addr = lower ? (pte_line_address)(((pte_line_address)frame << 6) | (u6)(at->page >> 3))
                      : at->addr,
    };
}

/* What becomes of the look that is at its end: for its lane, and for the cache. */
static inline struct iommu_verdict judge(struct iommu_looks *self, u1 forget,
                                         struct pte_cache_in *cache)
{
    const struct iommu_keyed *at = &self->found;
    const struct iommu_seen *seen = &self->seen;
    u1 reads = at->reads, probes = at->look.probes, upper = at->look.upper;
    u2 seeker = (u2)((u2)((u2)reads << 1) | probes);
    u1 valid = at->look.valid && at->look.turn == (u1)(self->turns >> seeker) && !forget;
    u1 there = (u1)seen->entry, writable = (u1)(seen->entry >> 1);
    u1 unread = !there && writable, usable = there && (upper || reads || writable);
    u1 known = at->fault != MEM_DONE;
    u1 unsure = !known && is_recent(self, at->set);
    u1 looks = !known && !unsure;
    u1 broken = seen->line.hit && seen->broken;
    u1 hit = looks && seen->line.hit && !broken;
    u1 pending = looks && seen->line.pending, missing = looks && !hit && !pending;
    u1 refused = known || (hit && !usable);
    u1 own = missing && (!at->two || upper); /* this line is to be read */
    u1 lower = hit && upper && there;        /* ... that of a second table */
    u1 others = (u1)(self->demand >> !reads), mine = (u1)(self->demand >> reads);
    u1 stopped = others || (probes && mine);
    u1 may = !stopped &&
             (probes ? !own || !seen->line.full : at->look.passed || seen->line.full || mine);
    u1 wants = (own || lower) && may, asks = valid && wants && self->cache.out.room;
    u1 moves = refused || (!upper && (hit || pending)) || (asks && (lower || !upper));
    u1 finishes = refused || (hit && !upper);
    u1 again = probes ? !moves : !finishes, drops = broken || unread;
    u1 demands = (mine || wants) && !finishes;
    u1 late = probes && at->look.passed; /* the use that it looks ahead for may be over */
    u1 counts = seen->line.hit ? !late : pending && probes && !upper && !late;

    cache->marks = valid && looks && (broken || counts);
    cache->mark = drops && (broken || !probes) ? PTE_BROKEN : probes ? PTE_AHEAD : PTE_USED;
    cache->ask = ask_for(at, lower, (u36)(seen->entry >> 2), !probes);
    cache->ask.valid = asks;
    if (valid && !probes) {
        self->demand = (u2)((self->demand & ~(u2)((u2)1 << reads)) | (u2)((u2)demands << reads));
    }
    self->turns ^= (u4)((u4)(u1)(valid && again) << seeker);
    self->out.count =
        (pte_counts)(((pte_counts)(u1)(cache->marks && broken) << PTE_FATAL) |
                     ((pte_counts)(u1)(valid && looks && seen->line.hit && seen->corrected)
                      << PTE_CORRECTED));
    return (struct iommu_verdict){
        .valid = valid,
        .probes = probes,
        .again = again,
        .upper = unsure ? upper : at->two && (upper ? !hit && (probes || demands) : missing),
        .passed = at->look.passed,
        .at = at->look.at,
        .fault = !refused ? (u2)MEM_DONE
                 : known  ? at->fault
                 : unread ? (u2)(seen->entry >> 2)
                          : (u2)MEM_UNTRANSLATED,
        .frame = frame_of(at, seen->entry),
    };
}

/* ---- together ---------------------------------------------------------------------------------------- */

static inline void remember(struct iommu_looks *self, const struct pte_ask *ask)
{
    for (int i = IOMMU_RECENT - 1; i > 0; i--) {
        self->asked[i] = self->asked[i - 1];
        self->recent[i] = self->recent[i - 1];
    }
    self->asked[0] = ask->valid;
    self->recent[0] = set_of(ask->key);
}

HLS_MODULE void iommu_looks(struct iommu_looks *self, const struct iommu_looks_in *in)
{
    struct pte_cache_in cache = {.look_set = self->keyed.set,
                                 .look_key = self->tagged.key,
                                 .looks = self->compared.look.valid,
                                 .row = self->compared.set,
                                 .entry = self->compared.entry,
                                 .forget = in->forget,
                                 .taken = in->taken,
                                 .beat = in->beat};
    struct iommu_contexts_in contexts = {
        .number = self->named.context, .reg = in->reg, .wipe = in->wipe};
    u1 corrected =
        self->numbered.look.valid && (self->numbered.corrected || self->contexts.out.corrected);

    hls_assume(!in->look_write.valid || !in->look_read.valid);
    self->out.reads = self->found.reads;
    self->out.verdict = judge(self, in->forget, &cache);
    self->out.count |= (pte_counts)((pte_counts)corrected << PTE_CORRECTED);
    remember(self, &cache.ask);
    advance(self, in);
    if (in->forget) {
        stop(self);
    }
    self->out.ready = self->cache.out.ready && !in->forget;
    self->out.stale = self->cache.out.stale;
    self->out.idle = self->cache.out.idle;
    hls_cover(self->demand != 0);
    iommu_contexts(&self->contexts, &contexts);
    pte_cache(&self->cache, &cache);
    self->out.walk = self->cache.out.walk;
}
