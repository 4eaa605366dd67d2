// SPDX-License-Identifier: Apache-2.0
/*
 * iommu.c - address translation.
 *
 * Accesses with physical addresses pass. Of any other the page of its address is numbered (clock 1), looked for among the lines that were read
 * (2) and, if it is there, the access leaves with the physical address (3); over a page's end the second address is translated before the
 * first one leaves, so an access is done as a whole or not at all. A line that is not there is walked for; meanwhile its stream stands still,
 * the other one does not.
 */
#include "nic/iommu/iommu.h"

HLS_RESET void iommu_reset(struct iommu *self)
{
    self->out = (struct iommu_out){};
    skid_reset(&self->beats);
    self->writes = (struct iommu_stream){};
    self->head = 0;
    self->word_at = 0;
    self->word_count = 0;
    self->reads = (struct iommu_stream){};
    self->first = (struct mem_read){};
    iommu_walk_reset(&self->walk);
    self->walks_write = 0;
    self->walking = 0;
    self->forgets = 0;
    self->valid = 0;
}

/* ---- tables ---------------------------------------------------------------------------------------- */

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
            wipes ? (iommu_context_word)0 : word;
    }
    self->forgets = context || in->wipe.valid || (in->reg.valid && in->reg.addr == NR_INVALIDATE);
}

static inline iommu_place place_of(const struct iommu_stream *s)
{
    return (iommu_place)((iommu_place)(s->page >> 3) ^ (iommu_place)(s->space >> 1));
}

static inline iommu_key key_of(const struct iommu_stream *s)
{
    return (iommu_key)(((iommu_key)(u4)(s->space >> 1) << 33) | (u33)(s->page >> 3));
}

/* ---- a translation ----------------------------------------------------------------------------------- */

/* What the memories have for a stream in this clock. */
struct iommu_seen {
    iommu_context_word context;
    u1 hit;
    iommu_entry entry;
    u1 walked; /* its walk is over ... */
    u2 status; /* ... so */
};

static inline struct iommu_seen seen_of(const struct iommu *self, const struct iommu_stream *s,
                                        iommu_key key, iommu_line line, iommu_context_word context,
                                        u1 walked)
{
    u9 at = (u9)(IOMMU_ENTRY_BITS * (u9)(u3)s->page);

    return (struct iommu_seen){.context = context,
                               .hit = key == key_of(s) && (u1)(self->valid >> place_of(s)),
                               .entry = (iommu_entry)(line >> at),
                               .walked = walked,
                               .status = self->walk.out.status};
}

static inline void refuse(struct iommu_stream *s, u2 fault)
{
    s->fault = fault;
    s->step = IOMMU_DROP;
}

/* The frame of an entry, and below it, of a large page, the rest of the page's address. */
static inline u48 physical(const struct iommu_stream *s, iommu_entry entry)
{
    u36 rest = (u36)(((u36)1 << (u5)(s->context.log2 - 12)) - 1);
    u36 frame = (u36)((u36)(entry >> 2) & ~rest) | ((u36)(s->addr >> 12) & rest);

    return (u48)(((u48)frame << 12) | (u12)s->addr);
}

/* One step of the address that is translated. split: there is a second one, on the next page of 4 KB. */
static inline void seek(struct iommu_stream *s, const struct iommu_seen *seen, u1 split, u1 writes)
{
    struct iommu_context context = context_of(seen->context);
    u1 there = (u1)seen->entry && (!writes || (u1)(seen->entry >> 1));

    switch (s->step) {
    case IOMMU_NUMBER:
        s->context = context;
        s->page = (u36)(s->addr >> context.log2);
        s->step = IOMMU_LOOK;
        if (!context.enable) {
            refuse(s, MEM_UNTRANSLATED);
        }
        break;
    case IOMMU_LOOK:
        if (!seen->hit) {
            s->step = IOMMU_WALK;
        } else if (!there) {
            refuse(s, MEM_UNTRANSLATED);
        } else {
            s->found[s->second] = physical(s, seen->entry);
            s->step = split && !s->second ? IOMMU_NUMBER : IOMMU_SEND;
            s->second = 1;
            s->addr = (u48)((u48)((u36)(s->addr >> 12) + 1) << 12);
        }
        break;
    case IOMMU_WALK:
        if (seen->walked && seen->status == MEM_DONE) {
            s->step = IOMMU_LOOK;
        } else if (seen->walked) {
            refuse(s, seen->status);
        }
        break;
    default:
        break;
    }
}

static inline void begin(struct iommu_stream *s, mem_space space, u48 addr)
{
    s->step = IOMMU_NUMBER;
    s->second = 0;
    s->space = space;
    s->addr = addr;
}

/* ---- writes ------------------------------------------------------------------------------------------ */

/* Says whether the front is taken. */
static inline u1 step_writes(struct iommu *self, const struct iommu_in *in,
                             const struct iommu_seen *seen)
{
    struct beat front = skid_front(&self->beats);
    struct iommu_stream *s = &self->writes;
    u1 split = BEAT_FIELD(self->head, MEM_SPLIT_AT, 1);
    u1 translated = front.head && (u1)(front.word >> MEM_SPACE_AT);
    u1 sends = 0, pops = 0;
    struct beat beat = front;

    switch (s->step) {
    case IOMMU_PASS:
        sends = front.valid && in->may_write && !translated;
        pops = sends || (front.valid && translated);
        if (front.valid && translated) {
            self->head = front.word;
            begin(s, BEAT_FIELD(front.word, MEM_SPACE_AT, 5), (u48)(front.word >> MEM_ADDR_AT));
        }
        break;
    case IOMMU_SEND:
        sends = in->may_write;
        beat =
            (struct beat){.head = 1, .word = BEAT_WITH(self->head, MEM_ADDR_AT, 48, s->found[0])};
        s->step = !sends ? IOMMU_SEND : split ? IOMMU_REST : IOMMU_PASS;
        break;
    case IOMMU_REST:
        sends = front.valid && in->may_write;
        pops = sends;
        beat.word = BEAT_WITH(front.word, MEM_ADDR_AT, 48, s->found[1]);
        s->step = sends ? IOMMU_PASS : IOMMU_REST;
        break;
    case IOMMU_DROP:
        pops = front.valid;
        s->step = front.valid && front.tail ? IOMMU_REFUSE : IOMMU_DROP;
        break;
    case IOMMU_REFUSE: /* in its turn: nothing before it is unanswered */
        if (in->idle_write && !self->out.to_write.valid && !in->answered.valid) {
            self->out.done = (struct mem_done){
                .valid = 1,
                .client = BEAT_FIELD(self->head, MEM_CLIENT_AT, 4),
                .place = BEAT_FIELD(self->head, MEM_PLACE_AT, 12),
                .status = s->fault,
            };
            s->step = IOMMU_PASS;
        }
        break;
    default:
        seek(s, seen, split, 1);
        break;
    }
    beat.valid = sends;
    self->out.to_write = beat;
    return pops;
}

/* ---- reads ------------------------------------------------------------------------------------------- */

static inline iommu_read_word pack_read(const struct mem_read *read)
{
    return (iommu_read_word)(((iommu_read_word)read->addr << 17) |
                             ((iommu_read_word)read->bytes << 11) |
                             ((iommu_read_word)read->space << 6) |
                             ((iommu_read_word)read->split << 5) |
                             ((iommu_read_word)read->fault << 3) | (iommu_read_word)read->reader);
}

/* Says whether the front is taken. */
static inline u1 step_reads(struct iommu *self, const struct iommu_in *in,
                            const struct mem_read *front, const struct iommu_seen *seen)
{
    struct iommu_stream *s = &self->reads;
    u1 translated = (u1)front->space && front->fault == MEM_DONE;
    u1 sends = 0, pops = 0;
    struct mem_read read = *front;

    switch (s->step) {
    case IOMMU_PASS:
        sends = front->valid && in->may_read && !translated;
        pops = sends || (front->valid && translated);
        if (front->valid && translated) {
            self->first = *front;
            begin(s, front->space, front->addr);
        }
        break;
    case IOMMU_SEND:
        sends = in->may_read;
        read = self->first;
        read.addr = s->found[0];
        s->step = !sends ? IOMMU_SEND : self->first.split ? IOMMU_REST : IOMMU_PASS;
        break;
    case IOMMU_REST:
        sends = front->valid && in->may_read;
        pops = sends;
        read.addr = s->found[1];
        s->step = sends ? IOMMU_PASS : IOMMU_REST;
        break;
    case IOMMU_DROP: /* its second word */
        pops = front->valid && self->first.split;
        s->step = pops || !self->first.split ? IOMMU_REFUSE : IOMMU_DROP;
        break;
    case IOMMU_REFUSE:
        sends = in->may_read;
        read = self->first;
        read.fault = s->fault;
        read.split = 0;
        s->step = sends ? IOMMU_PASS : IOMMU_REFUSE;
        break;
    default:
        seek(s, seen, self->first.split, 0);
        break;
    }
    read.valid = sends;
    self->out.to_read = read;
    return pops;
}

/* ---- together ---------------------------------------------------------------------------------------- */

/* Whose walk is next, and the line that one has brought. */
static inline void step_walk(struct iommu *self, iommu_place place, iommu_key key)
{
    u1 done = self->walk.out.done;
    u1 brings = done && self->walk.out.status == MEM_DONE;
    u1 reads = self->reads.step == IOMMU_WALK, writes = self->writes.step == IOMMU_WALK;

    if (brings) {
        self->keys[place] = key;
        self->lines[place] = self->walk.out.entries;
        self->valid |= (uint(IOMMU_LINES))((uint(IOMMU_LINES))1 << place);
    }
    if (self->forgets) {
        self->valid = 0;
    }
    if (self->walking) {
        self->walking = !done;
    } else {
        self->walking = reads || writes;
        self->walks_write = !reads;
    }
}

HLS_MODULE void iommu(struct iommu *self, const struct iommu_in *in)
{
    iommu_place read_place = place_of(&self->reads), write_place = place_of(&self->writes);
    iommu_place walk_place = self->walks_write ? write_place : read_place;
    iommu_key walk_key = self->walks_write ? key_of(&self->writes) : key_of(&self->reads);
    u1 done = self->walk.out.done;
    struct iommu_seen for_reads =
        seen_of(self, &self->reads, self->keys[read_place], self->lines[read_place],
                self->contexts[(u4)(self->reads.space >> 1)], done && !self->walks_write);
    struct iommu_seen for_writes =
        seen_of(self, &self->writes, self->keys[write_place], self->lines[write_place],
                self->contexts[(u4)(self->writes.space >> 1)], done && self->walks_write);
    struct iommu_walk_in to_walk = {.asks = self->walking,
                                    .context = self->walks_write ? self->writes.context
                                                                 : self->reads.context,
                                    .line = (u33)walk_key,
                                    .forget = self->forgets,
                                    .taken = in->taken,
                                    .beat = in->beat};
    iommu_read_word word = self->words[self->word_at];
    struct mem_read front = {.valid = self->word_count != 0,
                             .reader = (mem_reader)word,
                             .fault = (u2)(word >> 3),
                             .split = (u1)(word >> 5),
                             .space = (mem_space)(word >> 6),
                             .bytes = (u6)(word >> 11),
                             .addr = (u48)(word >> 17)};

    self->out.done = in->answered;
    step_walk(self, walk_place, walk_key);

    u1 beat_taken = step_writes(self, in, &for_writes);
    u1 word_taken = step_reads(self, in, &front, &for_reads);

    self->out.room_write = skid_step(&self->beats, &in->write, beat_taken);
    hls_assume(!in->read.valid || self->word_count != 4 || word_taken); /* parb heeds room */
    if (in->read.valid) {
        self->words[(u2)(self->word_at + self->word_count)] = pack_read(&in->read);
    }
    self->word_at += word_taken;
    self->word_count = (u3)(self->word_count + in->read.valid - word_taken);
    self->out.room_read = self->word_count <= 2;
    write_tables(self, in);
    iommu_walk(&self->walk, &to_walk);
    self->out.walk = self->walk.out.read;
    self->out.idle = self->beats.count == 0 && self->word_count == 0 &&
                     self->writes.step == IOMMU_PASS && self->reads.step == IOMMU_PASS &&
                     !self->out.to_write.valid && !self->out.to_read.valid && !self->out.done.valid;
    hls_cover(self->writes.step == IOMMU_REST);
    hls_cover(self->reads.step == IOMMU_REST);
    hls_cover(self->writes.step == IOMMU_REFUSE);
}
