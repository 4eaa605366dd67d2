// SPDX-License-Identifier: Apache-2.0
/*
 * cq.c - completion queues.
 *
 * One operation after the other on the words of a queue; each step a clock:
 *
 *   0  chosen: a new configuration first, then an event (at most every second clock), a page, the scan; words read
 *   1  decoded, indices compared: an event has its address, a page its reply, what may raise an interrupt is noted
 *   2  head beat of the event, if its address may be written; the interrupt is raised
 *   3  its data beat
 */
#define LIST_BODY
#include "nic/event/cq.h"

#define FIELD(word, f)        ((uint(f##_BITS))((word) >> f##_AT))
#define COUNT(bit, condition) ((uint(CQ_COUNTS))((uint(CQ_COUNTS))(u1)(condition) << (bit)))

HLS_RESET void cq_reset(struct cq *self)
{
    self->out = (struct cq_out){};
    for (int i = 0; i < CQ_SOURCES; i++) {
        cq_events_reset(&self->waiting[i]);
    }
    self->set = (struct nic_write){};
    self->page = (struct page_access){};
    self->last = 0;
    self->scan = 0;
    self->timed = 0;
    self->timeout = 0;
    self->timer = 0;
    self->left = 0;
    self->op = (struct cq_op){};
    self->event = (struct cq_event){};
    self->ring = 0;
    self->config = 0;
    self->alarm = (struct cq_alarm){};
    self->head = 0;
    self->data = 0;
    self->base = 0;
    self->entry = 0;
    self->space = 0;
    self->word = 0;
}

/* ---- 0: which operation ------------------------------------------------------------------------ */

/* Sources that have an event, and the first of a set from the one behind the last on. */
static inline cq_source_set with_events(const struct cq *self)
{
    cq_source_set set = 0;

    for (int i = 0; i < CQ_SOURCES; i++) {
        set |= (cq_source_set)((cq_source_set)self->waiting[i].out.valid << i);
    }
    return set;
}

static inline cq_source next_of(cq_source_set set, cq_source last)
{
    cq_source_set behind = set & (cq_source_set)((cq_source_set) ~(cq_source_set)1 << last);
    cq_source_set from = behind != 0 ? behind : set;
    cq_source next = 0;

    for (int i = CQ_SOURCES - 1; i >= 0; i--) {
        next = (u1)(from >> i) ? (cq_source)i : next;
    }
    return next;
}

/* The value: the source whose event is taken, if any. */
static inline cq_source_set choose(struct cq *self, const struct cq_in *in)
{
    cq_source_set sources = with_events(self);
    cq_source source = next_of(sources, self->last);
    u1 go = !in->wipe.valid;
    u1 sets = go && self->set.valid;
    u1 events = go && !sets && sources != 0 && in->room_memory && self->op.kind != CQ_EVENT;
    u1 pages = go && !sets && !events && self->page.valid;
    u10 unit;

    self->event = self->waiting[source].out.front;
    unit = self->event.queue;
    unit = pages ? self->page.unit : unit;
    unit = sets ? (u10)((self->set.addr - NR_CQ) >> 2) : unit;
    if (sets) {
        self->op.kind = CQ_SET;
    } else if (events) {
        self->op.kind = CQ_EVENT;
        self->last = source;
    } else if (pages) {
        self->op.kind = CQ_PAGE;
    } else {
        self->op.kind = go ? CQ_SCAN : CQ_NOTHING;
        unit = (u10)self->scan;
        if (go && self->scan == 0) {
            self->timed = self->timeout;
            self->timeout = 0;
        }
        self->scan += go;
    }
    self->op.queue = (cq_queue)unit;
    self->op.exists = (u11)unit < NIC_CQS;
    return (cq_source_set)((cq_source_set)events << source);
}

/* The words of the queue: written by a new configuration and the wipe, when `set` is 0 yet, else read. */
static inline void look_up(struct cq *self, const struct cq_in *in)
{
    cq_queue queue = in->wipe.valid ? (cq_queue)in->wipe.index : self->op.queue;

    if (in->wipe.valid || self->op.kind == CQ_SET) {
        self->rings[queue] = cq_ring_ecc_encode((cq_ring_ecc_data)self->set.low);
        self->configs[queue] = cq_config_ecc_encode((cq_config_ecc_data)self->set.data);
    } else {
        self->ring = self->rings[queue];
        self->config = self->configs[queue];
    }
}

/* ---- 1: what it comes to ----------------------------------------------------------------------- */

/* All that is known of the queue of `op`. */
struct cq_state {
    u1 enabled;
    u1 lost; /* a double-bit error in its words */
    u1 corrected;
    nic_ptag ptag;
    u5 irq;
    u16 threshold;
    u20 mask; /* entries of the ring - 1 */
    struct cq_written written;
    u32 read;
    u20 unread; /* at most mask: the ring is never fuller */
};

static inline struct cq_state state_of(const struct cq *self)
{
    struct cq_config_ecc_result config = cq_config_ecc_decode(self->config);
    u5 log2 = FIELD(config.data, NR_CQ1_LOG2);
    u16 threshold = FIELD(config.data, NR_CQ1_THRESHOLD);
    struct cq_written written = self->written[self->op.queue];
    u32 read = self->read[self->op.queue];

    return (struct cq_state){
        .enabled = self->op.exists && !config.fatal && FIELD(config.data, NR_CQ1_ENABLE),
        .lost = self->op.exists && config.fatal,
        .corrected = config.corrected,
        .ptag = FIELD(config.data, NR_CQ1_PTAG),
        .irq = FIELD(config.data, NR_CQ1_IRQ),
        .threshold = threshold == 0 ? (u16)1 : threshold,
        .mask = (u20)(((u32)1 << log2) - 1),
        .written = written,
        .read = read,
        .unread = (u20)((u20)written.index - (u20)read),
    };
}

/* What became of an event. */
struct cq_posted {
    u1 fits;
    u1 full; /* its ring was, so it is dropped */
};

static inline struct cq_posted post(struct cq *self, const struct cq_state *q)
{
    struct cq_ring_ecc_result ring = cq_ring_ecc_decode(self->ring);
    u1 event = self->op.kind == CQ_EVENT;
    u1 belongs = event && q->enabled && q->ptag == self->event.ptag && !ring.fatal;
    u1 full = q->unread == q->mask;
    u1 fits = belongs && !full;

    self->base = FIELD(ring.data, NR_CQ_ADDRESS);
    self->entry = q->mask & (u20)q->written.index;
    self->space =
        (mem_space)(((mem_space)FIELD(ring.data, NR_CQ_TC) << 1) | FIELD(ring.data, NR_CQ_MMU));
    /* Its data beat goes out two clocks later: until then it stays. */
    self->word = event ? ((u64)q->written.overrun << 63) | self->event.word : self->word;
    self->head = fits;
    self->out.count |= COUNT(CQ_EVENTS, fits) | COUNT(CQ_FULL, belongs && full) |
                       COUNT(CQ_DISABLED, event && !q->enabled && !q->lost) |
                       COUNT(CQ_DOMAIN, event && q->enabled && q->ptag != self->event.ptag) |
                       COUNT(CQ_LOST, event && (q->lost || (q->enabled && ring.fatal))) |
                       COUNT(CQ_CORRECTED, event && (q->corrected || ring.corrected));
    return (struct cq_posted){fits, belongs && full};
}

/* A process reads or writes word 0 of its page; the value says that its read index is taken. */
static inline u1 answer_page(struct cq *self, const struct cq_state *q)
{
    u1 page = self->op.kind == CQ_PAGE;
    u1 refused = !q->enabled || self->page.word != 0;
    u1 writes = page && !refused && self->page.write;
    u1 between = (u32)((u32)self->page.data - q->read) <= q->unread;

    self->out.reply = (struct page_reply){
        .valid = page,
        .refused = refused,
        .data = ((u64)q->enabled << 33) | ((u64)q->written.overrun << 32) | q->written.index,
    };
    self->out.count |= COUNT(CQ_NO_INDEX, writes && !between);
    return writes && between;
}

static inline void operate(struct cq *self, const struct cq_in *in)
{
    struct cq_state state = state_of(self);
    struct cq_posted posted = post(self, &state);
    u1 moves = answer_page(self, &state);
    u1 clears = self->op.kind == CQ_SET || in->wipe.valid;
    cq_queue queue = in->wipe.valid ? (cq_queue)in->wipe.index : self->op.queue;
    u32 next = state.written.index + 1;

    if (clears || self->op.kind == CQ_EVENT) {
        self->written[queue] = (struct cq_written){
            .index = clears ? (u32)0 : (posted.fits ? next : state.written.index),
            .overrun = !clears && !posted.fits && (state.written.overrun || posted.full),
        };
    }
    if (clears || moves) {
        self->read[queue] = clears ? (u32)0 : (u32)self->page.data;
    }
    self->alarm = (struct cq_alarm){
        .fits = posted.fits,
        .scans = self->op.kind == CQ_SCAN && state.enabled,
        .timed = self->timed,
        .unread = state.unread,
        .threshold = state.threshold,
        .irq = state.irq,
    };
}

/* ---- 2: interrupts ------------------------------------------------------------------------------ */

static inline void raise(struct cq *self)
{
    const struct cq_alarm *alarm = &self->alarm;
    u20 unread = (u20)(alarm->unread + alarm->fits);
    u1 any = alarm->scans && alarm->timed && unread != 0;
    u1 raises = (alarm->fits || alarm->scans) && (unread >= alarm->threshold || any);

    self->out.raised = raises ? (u32)((u32)1 << alarm->irq) : (u32)0;
    hls_cover(raises && !alarm->fits && alarm->timed);
}

/* ---- 2, 3: the way to memory ------------------------------------------------------------------- */

/* Physical addresses lie in the window that the driver allowed. */
static inline u1 may_write(u48 addr, mem_space space, const struct nic_config *config)
{
    u49 end = (u49)((u49)config->phys_base + config->phys_size);

    return (u1)space || (addr >= config->phys_base && (u49)((u49)addr + 8) <= end);
}

static inline void write_out(struct cq *self, const struct nic_config *config)
{
    u48 addr = (u48)(self->base + ((u48)self->entry << 3));
    u1 may = may_write(addr, self->space, config);
    beat_word head = MEM_CQ;

    head = BEAT_WITH(head, MEM_BYTES_AT, 6, 7);
    head = BEAT_WITH(head, MEM_WRITE_AT, 1, 1);
    head = BEAT_WITH(head, MEM_SPACE_AT, 5, self->space);
    head = BEAT_WITH(head, MEM_ADDR_AT, 48, addr);
    self->out.count |= COUNT(CQ_LOST, self->head && !may);
    self->out.memory = (struct beat){
        .valid = (self->head & may) | self->data,
        .head = self->head,
        .tail = self->data,
        .word = self->head ? head : (beat_word)self->word,
    };
    self->data = self->head & may;
}

/* ---- a clock ----------------------------------------------------------------------------------- */

/* The interrupt timer; when it ran out, the next scan from queue 0 on is for any unread event. */
static inline void run_timer(struct cq *self, const struct cq_in *in)
{
    u1 out = self->timer != 0 && self->left == 0;

    self->timeout |= out;
    self->left = out ? (u32)(self->timer - 1) : (u32)(self->left - 1);
    if (in->write.valid && in->write.addr == NR_IRQ_TIMER) {
        self->timer = (u32)in->write.data;
        self->left = 0;
    }
}

/* Configurations and accesses to pages that come. */
static inline void take(struct cq *self, const struct cq_in *in)
{
    u16 place = (u16)(in->write.addr - NR_CQ);

    /* pio waits for the reply before it brings the next one. */
    hls_assume(!in->page.valid || !self->page.valid);

    if (in->page.valid) {
        self->page = in->page;
    } else if (self->op.kind == CQ_PAGE) {
        self->page.valid = 0;
    }
    self->set = in->write;
    self->set.valid = in->write.valid && place < NIC_CQS * NR_CQ_STEP && (u2)place == 1;
}

HLS_MODULE void cq(struct cq *self, const struct cq_in *in)
{
    cq_source_set posted = 0;

    self->out.count =
        COUNT(CQ_LOST, in->done.valid && in->done.client == MEM_CQ && in->done.status != MEM_DONE);
    self->out.idle = self->op.kind != CQ_EVENT && !self->head;
    for (int i = 0; i < CQ_SOURCES; i++) {
        self->out.room[i] = self->waiting[i].out.count <= 12;
        self->out.idle &= self->waiting[i].out.count == 0 && !in->event[i].valid;
        posted |= (cq_source_set)((cq_source_set)self->waiting[i].out.valid << i);
    }
    write_out(self, &in->config);
    raise(self);
    operate(self, in);
    run_timer(self, in);

    cq_source_set taken = choose(self, in);

    look_up(self, in);
    take(self, in);
    hls_cover((u1)(self->out.count >> CQ_FULL));
    hls_cover(self->head && (u1)(self->word >> 63)); /* overrun */
    hls_cover(taken != 0 && posted == (cq_source_set) ~(cq_source_set)0);
    for (int i = 0; i < CQ_SOURCES; i++) {
        struct cq_events_in to = {
            .push = in->event[i].valid,
            .word = {in->event[i].queue, in->event[i].ptag, in->event[i].word},
            .pop = (u1)(taken >> i),
        };

        cq_events(&self->waiting[i], &to);
    }
}
