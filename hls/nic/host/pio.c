// SPDX-License-Identifier: Apache-2.0
/*
 * pio.c - the host's door: AXI4 bursts to runs of bytes, answers to AXI responses.
 *
 * Call t takes a beat into the line that is filled; with its last one the line goes on to be cut, if none is there, and
 * t + 1 cuts its first run. One run is with fma or cq at a time, which keeps answers in order and is as fast as fma takes
 * them: one per two clocks.
 */
#include "nic/host/pio.h"

/* Last bytes of the words of a line. */
#define WORD_ENDS 0x8080808080808080u

HLS_RESET void pio_reset(struct pio *self)
{
    self->out = (struct pio_out){};
    self->aw = (struct pio_address){};
    self->w = (struct pio_data){};
    self->ar = (struct pio_address){};
    self->read_first = 0;
    self->fill = (struct pio_burst){};
    self->line = 0;
    self->cut = (struct pio_burst){};
    self->asked = 0;
    self->asked_last = 0;
    self->asked_read = 0;
    self->asked_id = 0;
    self->refused = 0;
    self->b_in = 0;
    self->b_out = 0;
    self->writes = 0;
    self->reads = 0;
    self->late = (struct pio_response){};
    self->rleft = 0;
}

/* ---- runs --------------------------------------------------------------------------------------- */

/* Which one of 64 it is. */
static inline u6 index_of(u64 one)
{
    u1 b0 = (one & 0xAAAAAAAAAAAAAAAA) != 0;
    u1 b1 = (one & 0xCCCCCCCCCCCCCCCC) != 0;
    u1 b2 = (one & 0xF0F0F0F0F0F0F0F0) != 0;
    u1 b3 = (one & 0xFF00FF00FF00FF00) != 0;
    u1 b4 = (one & 0xFFFF0000FFFF0000) != 0;
    u1 b5 = (one & 0xFFFFFFFF00000000) != 0;

    return (u6)((u6)b0 | (u6)((u6)b1 << 1) | (u6)((u6)b2 << 2) | (u6)((u6)b3 << 3) |
                (u6)((u6)b4 << 4) | (u6)((u6)b5 << 5));
}

struct cut {
    u6 first;
    u6 last;
    u64 rest; /* strobes behind it */
};

/* The lowest run of bytes; but for the put window it ends with its word, LAUNCH, and BASE and MODES if both are whole, with the second one. */
static inline struct cut lowest_run(const struct pio_burst *burst)
{
    u64 strobes = burst->strobes;
    fma_offset line = (fma_offset)(burst->base >> 6);
    u1 first = line == 0 && (u16)strobes == 0xFFFF;
    u1 pair = burst->region == REGION_PAGE && (line == PAGE_LAUNCH_LINE || first);
    u64 words = pair ? WORD_ENDS & ~(u64)0x80 : WORD_ENDS;
    u64 stops = burst->region == REGION_PUT ? (u64)0 : words;
    u64 ends = strobes & (~(strobes >> 1) | stops);
    u64 upto = ends ^ (ends - 1);

    return (struct cut){
        .first = index_of(strobes & ~(strobes - 1)),
        .last = index_of(ends & upto),
        .rest = strobes & ~upto,
    };
}

/* ---- responses ---------------------------------------------------------------------------------- */

/* The channels whose registers are free, or taken by the host in this call. */
static inline void host_takes(struct pio *self, const struct axi_to_sub *axi)
{
    struct axi_from_sub *out = &self->out.s_axi;

    self->writes -= out->bvalid & axi->bready;
    self->reads -= out->rvalid & axi->rready & out->rlast;
    if (axi->bready) {
        out->bvalid = 0;
    }
    if (out->rvalid && axi->rready) {
        out->rvalid = self->rleft != 0;
        out->rlast = self->rleft == 1;
        self->rleft -= self->rleft != 0;
    }
}

static inline axi_resp resp_of(u1 refused)
{
    return refused ? (axi_resp)AXI_SLVERR : (axi_resp)AXI_OKAY;
}

/* The oldest B goes out; a new one into the queue. */
static inline void respond_write(struct pio *self, const struct pio_response *r)
{
    struct axi_from_sub *out = &self->out.s_axi;
    pio_b oldest = self->b_queue[self->b_out];

    if (!out->bvalid && self->b_in != self->b_out) {
        out->bvalid = 1;
        out->bid = (axi_id)oldest;
        out->bresp = resp_of((u1)(oldest >> AXI_ID_BITS));
        self->b_out++;
    }
    if (r->valid && !r->read) {
        self->b_queue[self->b_in] = (pio_b)((pio_b)r->refused << AXI_ID_BITS | r->id);
        self->b_in++;
    }
}

/* A read's response goes out, or waits for the one before. */
static inline void respond_read(struct pio *self, const struct pio_response *r)
{
    struct axi_from_sub *out = &self->out.s_axi;
    u1 waits = self->late.valid;
    u1 comes = r->valid & r->read;
    u1 busy = out->rvalid;
    struct pio_response oldest = waits ? self->late : *r;

    hls_assert(!(waits & comes & busy));
    if (!busy && (waits | comes)) {
        out->rvalid = 1;
        out->rid = oldest.id;
        out->rresp = resp_of(oldest.refused);
        out->rdata = oldest.data; /* all words that can be read have even numbers */
        out->rlast = oldest.len == 0;
        self->rleft = oldest.len;
    }
    if (comes) {
        self->late = *r;
    }
    self->late.valid = busy ? waits | comes : waits & comes;
}

/* A page or window of a descriptor without CONTROL.enable. */
static inline u1 is_shut(const struct pio *self, const struct pio_in *in)
{
    return !in->config.enable & (self->cut.region != REGION_QUEUE);
}

/* Nobody is asked: while memories are wiped, and of reads of what is shut. fma refuses the writes, and knows whose they are. */
static inline u1 is_closed(const struct pio *self, const struct pio_in *in)
{
    return !in->config.ready | (is_shut(self, in) & self->cut.read);
}

/* The burst is over without a run being asked: bad, or nothing of it is left. */
static inline struct pio_response end_burst(struct pio *self, const struct pio_in *in)
{
    struct pio_burst *burst = &self->cut;
    u1 closed = is_closed(self, in);
    u1 nothing = !(burst->read | burst->some);
    u1 ends = burst->valid & (burst->bad | closed | nothing);
    struct pio_response r = {
        .valid = ends,
        .read = burst->read,
        .id = burst->id,
        .len = burst->len,
        .refused = burst->bad | closed | self->refused,
    };

    if (ends) {
        self->out.addr = burst->addr;
        enum pio_count reason = burst->no_page ? PIO_NO_PAGE
                                : burst->bad   ? PIO_BAD_BURST
                                               : PIO_DISABLED;

        self->out.count |= (uint(PIO_COUNTS))((uint(PIO_COUNTS))(burst->bad | closed) << reason);
        self->refused = 0;
        burst->valid = 0;
    }
    return r;
}

/* The answer to the run that was asked. */
static inline struct pio_response end_run(struct pio *self, const struct pio_in *in)
{
    u1 refused = in->fma.valid ? in->fma.refused : in->cq.refused;
    u64 data = in->fma.valid ? in->fma.data : in->cq.data;
    struct pio_response r = {
        .valid = self->asked_last,
        .read = self->asked_read,
        .id = self->asked_id,
        .refused = refused | self->refused,
        .data = refused ? (u64)0 : data,
    };

    self->refused = (refused | self->refused) & !self->asked_last;
    self->out.run.valid = 0;
    self->asked = 0;
    return r;
}

/* At most one response in a call; a place for it was kept when its burst began. */
static inline void answers(struct pio *self, const struct pio_in *in)
{
    u1 answered = in->fma.valid | in->cq.valid;
    struct pio_response r = {.valid = 0};

    /* fma and cq answer what they were asked, once. */
    hls_assume(!answered || self->asked);
    hls_assume(!(in->fma.valid & in->cq.valid));

    if (answered) {
        r = end_run(self, in);
    } else if (!self->asked) {
        r = end_burst(self, in);
    }
    respond_write(self, &r);
    respond_read(self, &r);
}

/* ---- cutting ------------------------------------------------------------------------------------ */

/* The next run of the burst goes to fma or cq. */
static inline void send(struct pio *self, const struct pio_in *in)
{
    struct pio_burst *burst = &self->cut;
    struct cut cut = lowest_run(burst);
    u1 queue = burst->region == REGION_QUEUE;
    u1 shut = is_shut(self, in);
    u1 waits = in->config.drain & !burst->read & !queue & !shut;
    u1 there = burst->read | burst->some;
    u1 goes = burst->valid & there & !burst->bad & !is_closed(self, in) & !waits & !self->asked;
    u1 dropped = queue & !burst->read & ((u3)cut.first != 0 || (u3)cut.last != 7);
    u1 last = burst->read | (cut.rest == 0);
    fma_offset offset = burst->read ? burst->base : (fma_offset)(burst->base | cut.first);

    if (goes) {
        self->out.addr = burst->addr;
        self->out.count |= (uint(PIO_COUNTS))((uint(PIO_COUNTS))dropped << PIO_NO_WORD);
        self->out.run = (struct pio_run){
            .valid = !queue,
            .read = burst->read,
            .region = burst->region,
            .unit = (fma_index)burst->unit,
            .offset = offset,
            .bytes = (u6)(cut.last - cut.first),
            .line = burst->line,
            .gone = burst->gone & !burst->read,
            .shut = shut,
        };
        self->out.access = (struct page_access){
            .valid = queue & !dropped,
            .write = !burst->read,
            .unit = burst->unit,
            .word = (u9)(offset >> 3),
            .data = burst->word,
        };
        self->asked = !dropped;
        self->asked_last = last;
        self->asked_read = burst->read;
        self->asked_id = burst->id;
        burst->strobes = cut.rest;
        burst->some = cut.rest != 0;
        burst->valid = dropped | !last;
    }
}

/* ---- a descriptor that is disabled --------------------------------------------------------------- */

/* The descriptor whose page or window an address lies in. */
static inline fma_index unit_of(uint(AXI_BAR_BITS) addr)
{
    u1 window = (u1)(addr >> (AXI_BAR_BITS - 1));

    return window ? (fma_index)(addr >> NIC_WINDOW_LOG2) : (fma_index)(addr >> PAGE_BITS);
}

/*
 * What was stored for its owner and waits here is nobody's any more: marked where it waits, so no count can wrap. A burst of a
 * queue's page, or of none, may be marked with it: its mark is not looked at.
 */
static inline void mark_gone(struct pio *self, const struct nic_write *write)
{
    u1 disables = write->valid &&
                  write->addr >> (NIC_FMA_LOG2 + 2) == NR_FMA >> (NIC_FMA_LOG2 + 2) &&
                  (u2)write->addr == 0 && !(u1)(write->data >> NR_FMA_ENABLE_AT);
    fma_index unit = (fma_index)(write->addr >> 2);

    self->out.run.gone |= disables & !self->out.run.read & (self->out.run.unit == unit);
    self->cut.gone |= disables & ((fma_index)self->cut.unit == unit);
    self->fill.gone |= disables & ((fma_index)self->fill.unit == unit);
    self->aw.gone |= disables & (unit_of(self->aw.addr) == unit);
}

/* ---- bursts ------------------------------------------------------------------------------------- */

static inline u1 is_legal(const struct pio_address *a, u1 read)
{
    u2 chunk = (u2)(a->addr >> 4);
    u1 single = a->len == 0;
    u1 line = a->len <= 3 && (u3)((u3)a->len + chunk) <= 3 && a->size == AXI_SIZE16;
    u1 window = (u1)(a->addr >> (AXI_BAR_BITS - 1));

    return a->burst == AXI_INCR && a->size <= AXI_SIZE16 && (single || (line & !read)) &&
           !(read & window);
}

static inline void begin(struct pio *self, const struct pio_address *a, u1 read)
{
    u2 region = (u2)(a->addr >> (AXI_BAR_BITS - 2));
    u1 page = (u1)(region >> 1) == 0;
    uint(AXI_BAR_BITS - 2 - PAGE_BITS) number =
        (uint(AXI_BAR_BITS - 2 - PAGE_BITS))(a->addr >> PAGE_BITS);
    u1 exists = !page || (region == REGION_PAGE ? number < NIC_FMAS : number < NIC_CQS);
    u1 legal = is_legal(a, read);
    fma_offset mask = page ? (fma_offset)((1 << PAGE_BITS) - 1) : (fma_offset)-1;
    fma_offset line = read ? (fma_offset)-1 : (fma_offset)~63;

    self->fill = (struct pio_burst){
        .valid = 1,
        .whole = read,
        .read = read,
        .bad = !legal | !exists,
        .no_page = legal & !exists,
        .gone = a->gone,
        .id = a->id,
        .addr = a->addr,
        .len = a->len,
        .region = region,
        .unit = page ? (u10)number : (u10)unit_of(a->addr),
        .base = (fma_offset)a->addr & mask & line,
        .line = self->line,
        .chunk = (u2)(a->addr >> 4),
    };
}

/* A beat of a write; wlast ends it, wherever it comes. */
static inline void add(struct pio *self, const struct pio_data *w)
{
    struct pio_burst *fill = &self->fill;
    u1 wrong = (fill->len == 0) != w->last;
    u1 queue = fill->region == REGION_QUEUE;

    fill->bad |= wrong;
    fill->no_page &= !wrong;
    fill->strobes |= (u64)w->strobes << ((u6)fill->chunk << 4);
    fill->some |= w->strobes != 0;
    fill->whole = w->last;
    if (fill->chunk == 0) {
        fill->word = (u32)w->data;
    }
    self->out.chunk = (struct pio_chunk){
        .valid = !(fill->bad | queue),
        .place = (pio_place)(((pio_place)fill->line << 2) | fill->chunk),
        .data = w->data,
    };
    fill->chunk++;
    fill->len -= fill->len != 0;
    self->line += fill->whole & fill->some & !(fill->bad | queue);
}

/* The line that is whole goes on. */
static inline void pass(struct pio *self)
{
    self->cut = self->fill;
    self->fill.valid = 0;
}

/* What came and could not be taken waits in a register, and nothing more is let in. */
static inline void take(struct pio *self, const struct axi_to_sub *axi, u1 cut_free)
{
    struct axi_from_sub *out = &self->out.s_axi;
    struct pio_address aw = self->aw, ar = self->ar;
    struct pio_data w = self->w;
    u1 passes = self->fill.valid & self->fill.whole & cut_free;
    u1 inside = self->fill.valid & !self->fill.whole;
    u1 free = !self->fill.valid | passes;

    if (!self->aw.valid) {
        aw = (struct pio_address){
            .valid = axi->awvalid & out->awready,
            .id = axi->awid,
            .addr = axi->awaddr,
            .len = axi->awlen,
            .size = axi->awsize,
            .burst = axi->awburst,
        };
    }
    if (!self->ar.valid) {
        ar = (struct pio_address){
            .valid = axi->arvalid & out->arready,
            .id = axi->arid,
            .addr = axi->araddr,
            .len = axi->arlen,
            .size = axi->arsize,
            .burst = axi->arburst,
        };
    }
    if (!self->w.valid) {
        w = (struct pio_data){
            .valid = axi->wvalid & out->wready,
            .data = axi->wdata,
            .strobes = axi->wstrb,
            .last = axi->wlast,
        };
    }
    u1 may_write = free & aw.valid & w.valid;
    u1 held = self->aw.valid & self->w.valid; /* a store that was taken before this call */
    u1 first = self->ar.valid ? self->read_first : (u1)!held;
    u1 read = free & ar.valid & (first | !may_write);
    u1 write = may_write & !read;
    u1 beat = (inside & w.valid) | write;
    struct pio_address from = read ? ar : aw;

    if (passes) {
        pass(self);
    }
    if (read | write) {
        begin(self, &from, read);
    }
    self->read_first = first | write; /* what is stored next came behind it */
    if (beat) {
        add(self, &w);
    }
    if (self->fill.valid && self->fill.whole && cut_free && !passes) {
        pass(self);
    }
    self->aw = aw;
    self->ar = ar;
    self->w = w;
    self->writes += axi->awvalid & out->awready;
    self->reads += axi->arvalid & out->arready;
    self->aw.valid = aw.valid & !write;
    self->ar.valid = ar.valid & !read;
    self->w.valid = w.valid & !beat;
    /* only what has a place for its response is taken: so what was taken never waits for the host */
    out->awready = !self->aw.valid & !(u1)(self->writes >> PIO_WRITES_LOG2);
    out->arready = !self->ar.valid & (self->reads != PIO_READS);
    out->wready = !self->w.valid;
}

/* What the registers say of each other. */
static inline void assert_state(const struct pio *self)
{
    const struct axi_from_sub *out = &self->out.s_axi;

    hls_assert(!out->awready || !self->aw.valid);
    hls_assert(!out->arready || !self->ar.valid);
    hls_assert(!out->wready || !self->w.valid);
    hls_assert(out->rvalid ? out->rlast == (self->rleft == 0) : self->rleft == 0);
    hls_assert(!self->out.run.valid || self->asked);
    hls_assert(!self->cut.valid || self->cut.whole);
    hls_assert(self->cut.some == (self->cut.strobes != 0));
    hls_assert(self->fill.some == (self->fill.strobes != 0));
    hls_assert(!self->fill.no_page || self->fill.bad);
    hls_assert(self->writes <= 1 << PIO_WRITES_LOG2);
    hls_assert(self->reads <= PIO_READS);
}

HLS_MODULE void pio(struct pio *self, const struct pio_in *in)
{
    u1 cut_free = !self->cut.valid;

    assert_state(self);
    self->out.count = 0;
    self->out.chunk.valid = 0;
    self->out.access.valid = 0;
    mark_gone(self, &in->write);
    host_takes(self, &in->s_axi);
    answers(self, in);
    send(self, in);
    take(self, &in->s_axi, cut_free);

    hls_cover(self->aw.valid && self->w.valid && self->ar.valid); /* all wait */
    hls_cover(self->late.valid);
    hls_cover(self->refused && self->asked && !self->asked_last);
    hls_cover(self->rleft != 0);
    hls_cover(self->aw.gone && self->aw.valid && self->fill.gone && self->cut.gone);
}
