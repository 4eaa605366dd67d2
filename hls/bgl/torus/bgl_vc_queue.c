// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_vc_queue.c - one VC FIFO of a receiver.
 *
 * A word that finds nothing of its FIFO in the memory, and a place ahead, goes there at once, and into the memory for nobody.
 *
 * A header with two wrong bits keeps its n beside the memory: its packet leaves on no bus, and gives its chunks back.
 *
 * The packet that is still coming may be refused at its end. What has been read ahead of it is then forgotten; if it is on its way it goes
 * on with zeros to its length and a valid byte of 0x00, and counts as if it had never come: its sender repeats it.
 */
#include "bgl/torus/bgl_vc_queue.h"

HLS_RESET void bgl_vc_queue_reset(struct bgl_vc_queue *self)
{
    self->out = (struct bgl_vc_queue_out){.drained = 1};
    self->reads = 0;
    self->read_open = 0;
    self->read_head = 0;
    self->read_mark = 0;
    self->wr = 0;
    self->rd = 0;
    self->in = 0;
    self->left = 0;
    self->words = 0;
    self->cur = (struct vc_word){0};
    self->next = (struct vc_word){0};
    self->stream = (struct vc_stream){0};
    self->open = 0;
    self->open_at = 0;
}

/* ---- words ahead ----------------------------------------------------------------------------- */

/* A word goes behind what is ahead. */
static inline void put_ahead(struct bgl_vc_queue *self, const struct vc_word *got)
{
    if (got->head) {
        self->words = (u6)((u6)((u6)header_n(got->data) << 2) + 3);
    } else {
        self->words -= self->words != 0;
    }
    if (!self->cur.valid) {
        self->cur = *got;
    } else {
        self->next = *got;
    }
}

/* The word that was read in the clock before; of a header that is uncorrectable, n at least. */
static inline struct vc_word word_read(struct bgl_vc_queue *self, const struct bgl_vc_queue_in *in,
                                       mark_ecc_word mark)
{
    struct mark_ecc_result info = mark_ecc_decode(mark);
    u1 no_head = in->read_fatal && self->read_head;

    self->out.lost |= no_head && info.fatal;
    return (struct vc_word){
        .valid = 1,
        .head = self->read_head,
        .open = self->read_open,
        .bad = in->read_fatal,
        .data = no_head ? (u64)((u64)(u3)(info.data >> 1) << HEADER_N_AT) : in->read,
    };
}

static inline void store_word(struct bgl_vc_queue *self, const struct bgl_vc_queue_in *in,
                              u1 passes, mark_ecc_word mark)
{
    struct vc_word got = {.valid = 1, .head = in->first, .open = 1, .data = in->word};

    if (self->reads) {
        got = word_read(self, in, mark);
    }
    if (self->reads || passes) {
        put_ahead(self, &got);
    }
    self->reads = 0;
}

/* The word at `rd` comes out of the memory: a clock later it is stored. */
static inline void read_word(struct bgl_vc_queue *self)
{
    u8 behind = self->rd - self->open_at;
    u8 come = self->wr - self->open_at;

    self->reads = 1;
    self->read_head = self->words == 0;
    self->read_mark = (u5)(self->left + (self->stream.on && !self->stream.gone));
    self->read_open = self->open && behind < come;
    self->rd++;
}

/* ---- the stream out -------------------------------------------------------------------------- */

/* The neighbour's coordinate at a port, and the packet's in that dimension. */
static inline u1 arrives(u64 h, const struct bgl_where *at, u3 port)
{
    u8 theirs = port < 2 ? header_x(h) : port < 4 ? header_y(h) : header_z(h);
    struct bgl_place near = (u1)port ? at->minus : at->plus;
    u8 ours = port < 2 ? near.x : port < 4 ? near.y : near.z;

    return theirs == ours;
}

static inline void begin_stream(struct bgl_vc_queue *self, const struct bgl_vc_queue_in *in)
{
    const struct bgl_start *start = &in->start;
    u64 head = self->cur.data;
    u1 there = self->cur.valid && self->cur.head && !self->stream.on;
    u1 bad = there && self->cur.bad;
    u1 last = start->out && arrives(head, &in->where, start->port);

    hls_assume(!start->go || !self->stream.on); /* what is in front is offered once */
    if ((start->go && there) || bad) {
        self->stream = (struct vc_stream){
            .on = 1,
            .out = start->out && !bad,
            .bus = start->bus,
            .here = start->here && !bad,
            .group = header_group(head),
            .n = header_n(head),
            .clear = last ? (u8)((u8)0x80 >> start->port) : (u8)0,
        };
        self->out.bypassed = in->write && in->first;
    }
    self->out.lapsed = start->go && !there;
}

static inline u1 is_last(const struct vc_stream *s)
{
    return s->index == (u9)((u9)((u9)s->n << 5) + 32);
}

/* The next byte: its word has it on top. */
static inline struct bgl_byte stream_byte(struct bgl_vc_queue *self, u1 valid, u1 last)
{
    struct vc_stream *s = &self->stream;
    struct vc_word *cur = &self->cur;
    u8 byte = (u8)(cur->data >> 56);

    /* words of a packet that comes are eight clocks apart, and what is ahead is this packet's */
    hls_assume(last || s->gone || (cur->valid && cur->open == (self->left == self->in)));
    if (!s->zero && !last) {
        s->zero = cur->bad;
    }
    if (s->zero) {
        byte = 0;
    }
    if (last) {
        byte = valid && !s->zero ? (u8)BGL_GOOD : (u8)BGL_BAD;
    }
    if (!last && !s->gone) {
        cur->data <<= 8;
        if ((u3)s->index == 7) {
            *cur = self->next;
            self->next.valid = 0;
        }
    }
    return bus_byte(byte, s->index == 0 ? BUS_FIRST : last ? BUS_LAST : BUS_INNER);
}

/* What a byte that leaves frees: chunk by chunk on VCs 0 and 1, eight at the end on 2 and 3, nothing before the packet is accepted. */
static inline void free_chunks(struct bgl_vc_queue *self, u2 vc, u1 on, u1 last)
{
    struct vc_stream *s = &self->stream;
    u1 accepted = self->left != self->in;
    u4 pend = s->pend + (u4)(on && !s->gone && (u5)s->index == 31);

    if (vc >= 2) {
        self->out.freed = last && !s->gone ? (u4)BGL_FULL : (u4)0;
    } else {
        self->out.freed = accepted ? pend : (u4)0;
        s->pend = accepted ? (u4)0 : pend;
    }
}

/* A copy for this node keeps the header as it came, what goes on loses the hint of the port taken. */
static inline void send(struct bgl_vc_queue *self, struct bgl_byte byte)
{
    const struct vc_stream *s = &self->stream;
    const struct bgl_byte none = {0};
    u8 clear = s->index == 1 ? s->clear : (u8)0;

    self->out.on = s->out ? bus_byte(byte.data & (u8)~clear, byte.ctl) : none;
    self->out.here = s->here ? byte : none;
    self->out.by = s->bus;
    self->out.to_group = s->group;
}

/* A clock of the stream. */
static inline void run_stream(struct bgl_vc_queue *self, u2 vc, mark_ecc_word mark)
{
    struct vc_stream *s = &self->stream;
    struct mark_ecc_result info = mark_ecc_decode(mark);
    u1 on = s->on;
    u1 last = on && is_last(s);
    struct bgl_byte byte = {0};

    if (on) {
        byte = stream_byte(self, (u1)info.data, last);
    }
    send(self, byte);
    free_chunks(self, vc, on, last);
    self->out.corrected = last && !s->gone && info.corrected;
    if (last) {
        hls_assume(s->gone || (self->left != self->in && (info.fatal || info.data >> 1 == s->n)));
        self->out.lost |= !s->gone && info.fatal;
        self->left += !s->gone;
        s->on = 0;
    }
    s->index += on;
}

/* ---- words in -------------------------------------------------------------------------------- */

static inline void take_word(struct bgl_vc_queue *self, u1 first, u1 passes)
{
    if (first) {
        hls_assume(!self->open); /* the pipe ends a packet before it begins one */
        self->open = 1;
        self->open_at = self->wr;
    }
    hls_assume((u8)(self->wr - self->rd) < 128); /* the peer's tokens */
    self->wr++;
    if (passes) {
        self->rd = self->wr;
    }
}

/* The packet that came is accepted. */
static inline void accept(struct bgl_vc_queue *self)
{
    self->in++;
    self->cur.open = 0;
    self->next.open = 0;
    self->read_open = 0;
}

/* It is refused: as if it had never come. */
static inline void refuse(struct bgl_vc_queue *self)
{
    u8 come = self->wr - self->open_at;
    u8 seen = self->rd - self->open_at;
    u1 leaving = self->stream.on && self->left == self->in;

    self->wr = self->open_at;
    if (seen <= come) {
        self->rd = self->open_at;
        self->words = 0;
    }
    self->reads = self->reads && !self->read_open;
    self->cur.valid = self->cur.valid && !self->cur.open;
    self->next.valid = self->next.valid && !self->next.open;
    if (leaving) {
        self->stream.zero = 1;
        self->stream.gone = 1;
        self->stream.pend = 0;
        self->out.refused = 1;
    }
}

static inline void end_packet(struct bgl_vc_queue *self, const struct bgl_vc_queue_in *in)
{
    u1 ends = in->done && in->good;
    mark_ecc_data mark =
        (mark_ecc_data)((mark_ecc_data)((mark_ecc_data)in->size << 1) | (u1)(ends && in->valid));

    if (ends || (in->write && in->first)) {
        self->marks[(u5)self->in] = mark_ecc_encode(mark);
    }
    hls_assume(!in->done || self->open);
    if (ends) {
        accept(self);
    } else if (in->done) {
        refuse(self);
    }
    self->open = self->open && !in->done;
}

/* ---- what others see ------------------------------------------------------------------------- */

static inline void show(struct bgl_vc_queue *self, const struct bgl_vc_queue_in *in)
{
    const struct vc_word *cur = &self->cur;
    const struct vc_stream *s = &self->stream;
    u1 empty = self->wr == self->rd && !cur->valid && !self->reads;

    self->out.front = in->early.valid && empty && !s->on
                          ? in->early
                          : front_of(cur->data, header_hints(cur->data),
                                     cur->valid && cur->head && !cur->bad && !s->on);
    self->out.front.vc = in->vc;
    self->out.wants = self->rd != self->wr && !self->next.valid && !self->reads;
    self->out.read_at = (u7)self->rd;
    self->out.write_at = (u7)self->wr;
    self->out.leaves = s->on && s->out;
    self->out.arrives = s->on && s->here;
    self->out.held = (u6)((u8)(self->wr - self->rd) >> 2);
    self->out.drained = !self->open && empty && !s->on;
}

HLS_MODULE void bgl_vc_queue(struct bgl_vc_queue *self, const struct bgl_vc_queue_in *in)
{
    mark_ecc_word head_mark = self->marks[self->read_mark];
    mark_ecc_word mark = self->marks[(u5)self->left];
    u1 passes = in->write && self->rd == self->wr && !self->next.valid && !self->reads;

    self->out.lost = 0;
    self->out.refused = 0;
    self->out.bypassed = 0;
    store_word(self, in, passes, head_mark);
    begin_stream(self, in);
    run_stream(self, in->vc, mark);
    if (in->reads) {
        read_word(self);
    }
    if (in->write) {
        take_word(self, in->first, passes);
    }
    /* of which the word may be the last, or, where the framing is lost, the first */
    end_packet(self, in);
    show(self, in);
    hls_cover(self->out.refused);
    hls_cover(self->out.bypassed);
    hls_cover(self->out.lapsed);
}
