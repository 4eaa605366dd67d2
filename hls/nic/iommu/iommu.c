// SPDX-License-Identifier: Apache-2.0
/*
 * iommu.c - address translation.
 *
 * Four seekers take turns, one a clock: of writes and of reads one that looks ahead, so that lines that are not here are read early, and one that
 * translates the access whose turn it is. A look takes eight clocks, so each seeker has two under way:
 *
 *   clock 0  access read                 clock 4  pte_cache: keys compared
 *   clock 1  decoded                     clock 5  ... entries read
 *   clock 2  its context                 clock 6  ... decoded
 *   clock 3  page numbered: the line     clock 7  verdict: it goes on, is looked for again, or is refused
 *
 * A look that has to be repeated takes the one behind it along. Accesses leave in order, translated as a whole or not at all.
 */
#include "nic/iommu/iommu.h"

#define LOOKS_WRITE_USE   0
#define LOOKS_WRITE_PROBE 1
#define LOOKS_READ_USE    2
#define LOOKS_READ_PROBE  3

HLS_RESET void iommu_reset(struct iommu *self)
{
    self->out = (struct iommu_out){};
    lane_reset(&self->writes);
    lane_reset(&self->reads);
    self->write_second = 0;
    self->read_second = 0;
    iommu_queue_reset(&self->data);
    self->step = IOMMU_HEAD;
    self->rest = 0;
    self->turn = 0;
    self->fetched = (struct iommu_fetched){};
    self->named = (struct iommu_named){};
    self->placed = (struct iommu_placed){};
    self->keyed = (struct iommu_keyed){};
    self->compared = (struct iommu_keyed){};
    self->decoded = (struct iommu_keyed){};
    self->found = (struct iommu_keyed){};
    pte_cache_reset(&self->cache);
    self->forgets = 0;
}

/* ---- contexts ---------------------------------------------------------------------------------------- */

static inline struct iommu_context context_of(iommu_context_word word)
{
    return (struct iommu_context){.root = (u36)word,
                                  .log2 = (u6)(word >> 36),
                                  .two = (u1)(word >> 42),
                                  .enable = (u1)(word >> 43)};
}

static inline void write_tables(struct iommu *self, const struct iommu_in *in)
{
    u64 data = in->reg.data;
    u16 place = (u16)(in->reg.addr - NR_IOMMU);
    u1 context = in->reg.valid && place < 16;
    u1 wipes = in->wipe.valid && in->wipe.index < 16;
    iommu_context_word word =
        (iommu_context_word)(((iommu_context_word)(u1)(data >> NR_IOMMU_ENABLE_AT) << 43) |
                             ((iommu_context_word)(u1)(data >> NR_IOMMU_LEVELS_AT) << 42) |
                             ((iommu_context_word)(u6)(data >> NR_IOMMU_LOG2_AT) << 36) |
                             (u36)(data >> NR_IOMMU_ROOT_AT));

    if (context || wipes) {
        self->contexts[wipes ? (u4)in->wipe.index : (u4)place] =
            context_ecc_encode(wipes ? (iommu_context_word)0 : word);
    }
    self->forgets = context || in->wipe.valid || (in->reg.valid && in->reg.addr == NR_INVALIDATE);
}

/* ---- looks ------------------------------------------------------------------------------------------- */

/* Clock 3: the line of the first table, of one of the second tables, of a table that is the only one. */
static inline struct iommu_keyed number(const struct iommu_placed *placed)
{
    struct iommu_context context = placed->is;
    u1 upper = placed->look.seek.upper;
    u6 more = (u6)(context.log2 - 12);
    u1 sane = context.enable && more <= 24 && (!context.two || more == 0);
    u1 lost = placed->lost;
    u5 shift = sane ? (u5)more : (u5)0;
    u36 page = upper ? (u36)(placed->page >> 9) : (u36)(placed->page >> shift);
    pte_key key = (pte_key)(((pte_key)upper << PTE_UPPER_AT) |
                            ((pte_key)placed->context << PTE_CONTEXT_AT) | (u33)(page >> 3));

    return (struct iommu_keyed){
        .look = placed->look,
        .fault = lost   ? (u2)MEM_WRONG_BITS
                 : sane ? (u2)MEM_DONE
                        : (u2)MEM_UNTRANSLATED,
        .two = context.two,
        .page = placed->page,
        .inside = (u24)(((u25)1 << shift) - 1),
        .key = key,
        .entry = (u3)page,
        .root = context.root,
        .corrected = placed->corrected && placed->look.valid,
    };
}

/* Clocks 1 to 6; a seeker that looks again has no use for its other look, which is in clock 3. */
static inline void advance(struct iommu *self, const struct iommu_fetched *fetched, u1 again)
{
    struct access_ecc_result access = access_ecc_decode(self->fetched.word);
    struct context_ecc_result context = context_ecc_decode(self->contexts[self->named.context]);
    u36 page = (u36)(access.data >> 12);

    self->found = self->decoded;
    self->decoded = self->compared;
    self->compared = self->keyed;
    self->compared.addr =
        (pte_line_address)(((pte_line_address)self->keyed.root << 6) + (u33)self->keyed.key);
    self->keyed = number(&self->placed);
    self->keyed.look.valid &= !again;
    self->placed = (struct iommu_placed){.look = self->named.look,
                                         .lost = self->named.lost || context.fatal,
                                         .corrected = context.corrected,
                                         .context = self->named.context,
                                         .page = self->named.page,
                                         .is = context_of(context.data)};
    self->named = (struct iommu_named){
        .look = self->fetched.look,
        .lost = access.fatal,
        .context = (u4)(access.data >> 49),
        .page = (u36)(page + self->fetched.look.seek.half),
    };
    self->fetched = *fetched;
    if (self->forgets) {
        self->fetched.look.valid = 0;
        self->named.look.valid = 0;
        self->placed.look.valid = 0;
        self->keyed.look.valid = 0;
        self->compared.look.valid = 0;
        self->decoded.look.valid = 0;
        self->found.look.valid = 0;
    }
}

/* Clock 0: whose turn it is. */
static inline struct iommu_fetched fetch(struct iommu *self)
{
    struct iommu_lane *w = &self->writes, *r = &self->reads;
    u2 turn = self->turn;
    u1 reads = (u1)(turn >> 1), probes = (u1)turn;
    struct iommu_seek write_seek = probes ? w->probe : w->use;
    struct iommu_seek read_seek = probes ? r->probe : r->use;
    u2 w_use = w->kinds[(iommu_slot)w->use.at], w_probe = w->kinds[(iommu_slot)w->probe.at];
    u2 r_use = r->kinds[(iommu_slot)r->use.at], r_probe = r->kinds[(iommu_slot)r->probe.at];
    u2 kind = reads ? (probes ? r_probe : r_use) : (probes ? w_probe : w_use);
    access_ecc_word write = w->accesses[(iommu_slot)write_seek.at];
    access_ecc_word read = r->accesses[(iommu_slot)read_seek.at];
    u1 looks = 0;

    lane_pass(w, (u1)w->kinds[(iommu_slot)w->done], (u1)w->kinds[(iommu_slot)w->probed]);
    lane_pass(r, (u1)r->kinds[(iommu_slot)r->done], (u1)r->kinds[(iommu_slot)r->probed]);
    looks |= seek_step(&w->use, w->written, w_use, turn == LOOKS_WRITE_USE);
    looks |= seek_step(&w->probe, w->written, w_probe, turn == LOOKS_WRITE_PROBE);
    looks |= seek_step(&r->use, r->written, r_use, turn == LOOKS_READ_USE);
    looks |= seek_step(&r->probe, r->written, r_probe, turn == LOOKS_READ_PROBE);
    self->turn++;
    return (struct iommu_fetched){
        .look = {.valid = looks,
                 .reads = reads,
                 .probes = probes,
                 .seek = reads ? read_seek : write_seek,
                 .split = (u1)(kind >> 1)},
        .word = reads ? read : write,
    };
}

/* ---- verdicts ---------------------------------------------------------------------------------------- */

/* What becomes of the look that is at its end: for the seeker, and for the cache. */
static inline struct iommu_verdict judge(const struct iommu *self, struct pte_cache_in *cache)
{
    const struct iommu_keyed *at = &self->found;
    const struct pte_found *found = &self->cache.out.found;
    const struct iommu_lane *w = &self->writes, *r = &self->reads;
    struct iommu_look look = at->look;
    u1 reads = look.reads, probes = look.probes, upper = look.seek.upper;
    u1 valid = look.valid && !self->forgets;
    u1 there = (u1)found->entry, writable = (u1)(found->entry >> 1);
    u1 unread = !there && writable;
    u1 usable = there && (upper || reads || writable);
    u1 known = at->fault != MEM_DONE;
    u1 hit = !known && found->hit, missing = !known && !found->hit && !found->pending;
    u1 refused = known || (hit && !usable);
    u1 own = missing && (!at->two || upper);    /* this line is to be read */
    u1 lower = hit && upper && there;           /* ... that of a second table */
    u1 other = (reads ? w->demand : r->demand); /* a line is read for the other lane alone */
    u1 stopped = probes ? w->demand | r->demand : other;
    u1 ahead =
        reads ? is_behind(r, look.seek.at, r->probed) : is_behind(w, look.seek.at, w->probed);
    u1 may = !stopped && (probes ? !own || !found->full : ahead || found->full);
    u1 wants = (own || lower) && may, asks = wants && self->cache.out.room;
    u1 moves = refused || (!upper && (hit || found->pending)) || (asks && (lower || !upper));
    u1 finishes = !probes && (refused || (hit && !upper));
    u36 frame = (u36)(found->entry >> 2), inside = (u36)at->inside;
    pte_key second = (pte_key)(((pte_key)(u4)(at->key >> PTE_CONTEXT_AT) << PTE_CONTEXT_AT) |
                               (u33)(at->page >> 3));

    cache->used = valid && !probes && !known;
    cache->ahead = valid && probes && !known;
    cache->drop = valid && !probes && hit && unread;
    cache->ask = (struct pte_ask){
        .valid = valid && asks,
        .must = !probes,
        .key = lower ? second : at->key,
        .addr = lower ? (pte_line_address)(((pte_line_address)frame << 6) | (u6)(at->page >> 3))
                      : at->addr,
    };
    return (struct iommu_verdict){
        .valid = valid,
        .probes = probes,
        .again = probes ? !moves : !finishes,
        .upper = at->two && ((!upper && missing) || (upper && !hit)),
        .demands = !probes && wants,
        .finishes = finishes,
        .fault = !refused ? (u2)MEM_DONE
                 : known  ? at->fault
                 : unread ? (u2)frame
                          : (u2)MEM_UNTRANSLATED,
        .frame = (u36)((frame & ~inside) | (at->page & inside)),
        .seek = look.seek,
        .split = look.split,
    };
}

/* ---- what leaves ------------------------------------------------------------------------------------- */

/* Says whether a beat of data is taken. */
static inline u1 send_write(struct iommu *self, const struct iommu_in *in,
                            const struct iommu_front *front)
{
    struct beat data = self->data.out.front;
    beat_word head = ((beat_word)front->addr << MEM_ADDR_AT) |
                     ((beat_word)front->split << MEM_SPLIT_AT) | ((beat_word)1 << MEM_WRITE_AT) |
                     ((beat_word)(u1)(front->rest >> 22) << MEM_SKIP_AT) | (u22)front->rest;
    struct beat beat = {.head = 1, .word = head};
    u1 sends = 0, pops = 0, over = 0;

    switch (self->step) {
    case IOMMU_HEAD:
        sends = front->valid && front->fault == MEM_DONE && in->may_write;
        self->step = sends ? front->split ? IOMMU_REST : IOMMU_DATA
                     : front->valid && front->fault != MEM_DONE ? IOMMU_DROP
                                                                : IOMMU_HEAD;
        over = sends && !front->split;
        break;
    case IOMMU_REST:
        sends = in->may_write;
        beat.word = BEAT_WITH(head, MEM_ADDR_AT, 48, front->behind);
        self->step = sends ? IOMMU_DATA : IOMMU_REST;
        over = sends;
        break;
    case IOMMU_DATA:
        sends = data.valid && in->may_write;
        pops = sends;
        beat = data;
        beat.head = 0;
        self->step = sends && data.tail ? IOMMU_HEAD : IOMMU_DATA;
        break;
    case IOMMU_DROP:
        pops = data.valid;
        self->step = data.valid && data.tail ? IOMMU_REFUSE : IOMMU_DROP;
        break;
    default: /* in its turn: nothing before it is unanswered */
        over = in->idle_write && !self->out.to_write.valid && !in->answered.valid;
        if (over) {
            self->out.done = (struct mem_done){
                .valid = 1,
                .client = (u4)front->rest,
                .place = (u12)(front->rest >> 4),
                .status = front->fault,
            };
            self->step = IOMMU_HEAD;
        }
        break;
    }
    beat.valid = sends;
    self->out.to_write = beat;
    self->writes.sent += over;
    return pops;
}

static inline void send_read(struct iommu *self, u1 may, const struct iommu_front *front)
{
    u2 fault = front->fault != MEM_DONE ? front->fault : (u2)(front->rest >> 6);
    u1 split = front->split && fault == MEM_DONE;
    u1 sends = front->valid && may;

    self->out.to_read = (struct mem_read){
        .valid = sends,
        .reader = (mem_reader)(front->rest >> 8),
        .fault = fault,
        .split = split,
        .bytes = (u6)front->rest,
        .addr = self->rest ? front->behind : front->addr,
    };
    self->reads.sent += sends && (!split || self->rest);
    if (sends) {
        self->rest = split && !self->rest;
    }
}

/* ---- what comes -------------------------------------------------------------------------------------- */

static inline struct iommu_access write_of(const struct beat *beat, u1 second)
{
    beat_word word = beat->word;

    return (struct iommu_access){
        .valid = beat->valid && beat->head && !second,
        .plain = !(u1)(word >> MEM_SPACE_AT),
        .split = BEAT_FIELD(word, MEM_SPLIT_AT, 1),
        .space = BEAT_FIELD(word, MEM_SPACE_AT, 5),
        .addr = (u48)(word >> MEM_ADDR_AT),
        .rest = (iommu_rest)(((iommu_rest)(u1)(word >> MEM_SKIP_AT) << 22) | (u22)word),
    };
}

static inline struct iommu_access read_of(const struct mem_read *read, u1 second)
{
    return (struct iommu_access){
        .valid = read->valid && !second,
        .plain = !(u1)read->space || read->fault != MEM_DONE,
        .split = read->split,
        .space = read->space,
        .addr = read->addr,
        .rest = (iommu_rest)(((iommu_rest)read->reader << 8) | ((iommu_rest)read->fault << 6) |
                             read->bytes),
    };
}

static inline u1 counted(u1 leaves, u1 what)
{
    return leaves && what;
}

/* ---- together ---------------------------------------------------------------------------------------- */

static inline u1 is_idle(const struct iommu *self)
{
    return self->writes.sent == self->writes.written && self->reads.sent == self->reads.written &&
           self->data.out.empty && self->step == IOMMU_HEAD && !self->out.to_write.valid &&
           !self->out.to_read.valid && !self->out.done.valid && self->cache.out.idle;
}

HLS_MODULE void iommu(struct iommu *self, const struct iommu_in *in)
{
    struct iommu_front write = lane_front(&self->writes), read = lane_front(&self->reads);
    struct pte_cache_in cache = {.look = {.valid = self->keyed.look.valid && !self->forgets,
                                          .key = self->keyed.key,
                                          .entry = self->keyed.entry},
                                 .forget = self->forgets,
                                 .taken = in->taken,
                                 .beat = in->beat};
    struct iommu_verdict verdict = judge(self, &cache);
    struct iommu_verdict to_writes = verdict, to_reads = verdict;
    struct iommu_access new_write = write_of(&in->write, self->write_second);
    struct iommu_access new_read = read_of(&in->read, self->read_second);
    struct iommu_queue_in data = {.push = in->write};
    iommu_count sent_writes = self->writes.sent, sent_reads = self->reads.sent;

    to_writes.valid &= !self->found.look.reads;
    to_reads.valid &= self->found.look.reads;
    self->out.done = in->answered;
    data.pop = send_write(self, in, &write);
    data.push.valid = in->write.valid && !in->write.head;
    send_read(self, in->may_read, &read);

    struct iommu_fetched fetched = fetch(self);
    u1 back = verdict.again || (!verdict.probes && verdict.fault != MEM_DONE);

    lane_take(&self->writes, &to_writes);
    lane_take(&self->reads, &to_reads);
    lane_pull(&self->writes, self->forgets);
    lane_pull(&self->reads, self->forgets);
    advance(self, &fetched, verdict.valid && back);
    if (in->write.valid && in->write.head) {
        self->write_second = BEAT_FIELD(in->write.word, MEM_SPLIT_AT, 1) && !self->write_second;
    }
    if (in->read.valid) {
        self->read_second = in->read.split && !self->read_second;
    }
    lane_push(&self->writes, &new_write);
    lane_push(&self->reads, &new_read);
    u1 corrected = self->keyed.corrected |
                   counted(self->writes.sent != sent_writes, write.corrected) |
                   counted(self->reads.sent != sent_reads, read.corrected);
    u1 lost = counted(self->writes.sent != sent_writes, write.fault == MEM_WRONG_BITS) |
              counted(self->reads.sent != sent_reads, read.fault == MEM_WRONG_BITS);

    self->out.count =
        (pte_counts)(self->cache.out.count |
                     (pte_counts)((pte_counts)(corrected | self->data.out.corrected)
                                  << PTE_CORRECTED) |
                     (pte_counts)((pte_counts)(lost | self->data.out.fatal) << PTE_FATAL));
    self->out.stale = self->forgets | self->cache.out.stale;
    self->out.idle = is_idle(self) && !in->write.valid && !in->read.valid;
    hls_cover(self->step == IOMMU_REST);
    hls_cover(self->rest);
    hls_cover(self->step == IOMMU_REFUSE);
    hls_cover(self->writes.demand);
    write_tables(self, in);
    self->out.room_write = lane_room(&self->writes) && self->data.out.fits;
    self->out.room_read = lane_room(&self->reads);
    iommu_queue(&self->data, &data);
    pte_cache(&self->cache, &cache);
    self->out.walk = self->cache.out.walk;
}
