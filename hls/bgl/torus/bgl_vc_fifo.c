// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_vc_fifo.c - the four VC FIFOs of a receiver.
 *
 * A header with two wrong bits keeps its n beside the memory: its packet leaves on no bus, and gives its chunks back.
 *
 * The packet that is still coming may be refused at its end. What has been read ahead of it is then forgotten; if it is on its way it goes
 * on with zeros to its length and a valid byte of 0x00, and counts as if it had never come: its sender repeats it.
 */
#include "bgl/torus/bgl_vc_fifo.h"

HLS_RESET void bgl_vc_fifo_reset(struct bgl_vc_fifo *self)
{
    self->out = (struct bgl_vc_fifo_out){.drained = 1};
    self->read = 0;
    self->reads = 0;
    self->read_vc = 0;
    self->read_open = 0;
    self->read_head = 0;
    self->read_mark = 0;
    self->slot = 0;
    self->open = 0;
    self->open_vc = 0;
    self->open_at = 0;
    for (int k = 0; k < BGL_VCS; k++) {
        self->wr[k] = 0;
        self->rd[k] = 0;
        self->in[k] = 0;
        self->left[k] = 0;
        self->words[k] = 0;
        self->cur[k] = (struct vc_word){0};
        self->next[k] = (struct vc_word){0};
        self->stream[k] = (struct vc_stream){0};
    }
}

/* ---- words in -------------------------------------------------------------------------------- */

static inline void take_word(struct bgl_vc_fifo *self, const struct bgl_vc_fifo_in *in, u1 passes)
{
    u8 at = self->wr[in->vc];

    if (in->first) {
        self->open = 1;
        self->open_vc = in->vc;
        self->open_at = at;
    }
    hls_assume((u8)(at - self->rd[in->vc]) < 128); /* the peer's tokens */
    self->memory[(u9)((u9)((u9)in->vc << 7) | (u7)at)] = bgl_ecc_word(in->word);
    self->wr[in->vc] = (u8)(at + 1);
    if (passes) {
        self->rd[in->vc] = (u8)(at + 1);
    }
}

/* The packet that came is accepted. */
static inline void accept(struct bgl_vc_fifo *self, int k)
{
    self->in[k]++;
    self->cur[k].open = 0;
    self->next[k].open = 0;
    self->read_open = self->read_open && self->read_vc != k;
}

/* It is refused: as if it had never come. */
static inline void refuse(struct bgl_vc_fifo *self, int k)
{
    u8 come = self->wr[k] - self->open_at;
    u8 seen = self->rd[k] - self->open_at;
    u1 leaving = self->stream[k].on && self->left[k] == self->in[k];

    self->wr[k] = self->open_at;
    if (seen <= come) {
        self->rd[k] = self->open_at;
        self->words[k] = 0;
    }
    self->reads = self->reads && !(self->read_open && self->read_vc == k);
    self->cur[k].valid = self->cur[k].valid && !self->cur[k].open;
    self->next[k].valid = self->next[k].valid && !self->next[k].open;
    if (leaving) {
        self->stream[k].zero = 1;
        self->stream[k].gone = 1;
        self->stream[k].pend = 0;
        self->out.refused = 1;
    }
}

static inline void end_packet(struct bgl_vc_fifo *self, const struct bgl_vc_fifo_in *in)
{
    u1 ends = in->done && in->good;
    mark_ecc_data mark =
        (mark_ecc_data)((mark_ecc_data)((mark_ecc_data)in->size << 1) | (u1)(ends && in->valid));

    if (ends || (in->write && in->first)) {
        self->marks[(u7)((u7)((u7)in->vc << 5) | (u5)self->in[in->vc])] = mark_ecc_encode(mark);
    }
    for (int k = 0; k < BGL_VCS; k++) {
        if (in->done && in->vc == k) {
            if (in->good) {
                accept(self, k);
            } else {
                refuse(self, k);
            }
        }
    }
    self->open = self->open && !in->done;
}

/* ---- words ahead ----------------------------------------------------------------------------- */

/* The word that comes has nothing of its FIFO before it but what is ahead, and a place there. */
static inline u1 passes(const struct bgl_vc_fifo *self, const struct bgl_vc_fifo_in *in)
{
    u1 empty = 0;

    for (int k = 0; k < BGL_VCS; k++) {
        u1 idle = self->rd[k] == self->wr[k] && !self->next[k].valid;

        empty |= in->vc == k && idle && !(self->reads && self->read_vc == k);
    }
    return in->write && empty;
}

/* The word that was read in the clock before, corrected; of a header that cannot be, n at least. */
static inline struct vc_word word_read(struct bgl_vc_fifo *self, mark_ecc_word mark)
{
    struct word_ecc_result word = word_decode(self->read);
    struct mark_ecc_result info = mark_ecc_decode(mark);
    u1 no_head = word.fatal && self->read_head;

    self->out.corrected |= word.corrected;
    self->out.fatal |= word.fatal;
    self->out.lost |= no_head && info.fatal;
    return (struct vc_word){
        .valid = 1,
        .head = self->read_head,
        .open = self->read_open,
        .bad = word.fatal,
        .data = no_head ? (u64)((u64)(u3)(info.data >> 1) << HEADER_N_AT) : word.data,
    };
}

/* A word goes behind what its FIFO has ahead. */
static inline void put_ahead(struct bgl_vc_fifo *self, const struct vc_word *got, u2 vc)
{
    for (int k = 0; k < BGL_VCS; k++) {
        if (vc == k) {
            self->words[k] = got->head ? (u6)((u6)((u6)header_n(got->data) << 2) + 3)
                                       : (u6)(self->words[k] - (self->words[k] != 0));
            if (!self->cur[k].valid) {
                self->cur[k] = *got;
            } else {
                self->next[k] = *got;
            }
        }
    }
}

/* Where one passes, what was read waits for a clock. */
static inline void store_word(struct bgl_vc_fifo *self, const struct bgl_vc_fifo_in *in, u1 passes,
                              mark_ecc_word mark)
{
    if (passes) {
        struct vc_word got = {.valid = 1, .head = in->first, .open = 1, .data = in->word};

        put_ahead(self, &got, in->vc);
    } else if (self->reads) {
        struct vc_word got = word_read(self, mark);

        put_ahead(self, &got, self->read_vc);
        self->reads = 0;
    }
}

/* In each fourth clock a FIFO reads, if a word is there and a place for it: two clocks later it is stored. */
static inline void read_word(struct bgl_vc_fifo *self)
{
    u2 k = self->slot;
    u8 at = self->rd[k];
    u8 behind = at - self->open_at;
    u8 come = self->wr[k] - self->open_at;

    if (!self->reads && at != self->wr[k] && !self->next[k].valid) {
        self->read = self->memory[(u9)((u9)((u9)k << 7) | (u7)at)];
        self->reads = 1;
        self->read_vc = k;
        self->read_head = self->words[k] == 0;
        self->read_mark = (u5)(self->left[k] + (self->stream[k].on && !self->stream[k].gone));
        self->read_open = self->open && self->open_vc == k && behind < come;
        self->rd[k] = (u8)(at + 1);
    }
    self->slot++;
}

/* ---- streams out ----------------------------------------------------------------------------- */

/* The neighbour's coordinate at a port, and the packet's in that dimension. */
static inline u1 arrives(u64 h, const struct bgl_where *at, u3 port)
{
    u8 theirs = port < 2 ? header_x(h) : port < 4 ? header_y(h) : header_z(h);
    struct bgl_place near = (u1)port ? at->minus : at->plus;
    u8 ours = port < 2 ? near.x : port < 4 ? near.y : near.z;

    return theirs == ours;
}

static inline void begin_stream(struct bgl_vc_fifo *self, const struct bgl_vc_fifo_in *in, int k)
{
    const struct bgl_start *start = &in->start[k];
    u64 head = self->cur[k].data;
    u1 there = self->cur[k].valid && self->cur[k].head && !self->stream[k].on;
    u1 bad = there && self->cur[k].bad;
    u1 last = start->out && arrives(head, &in->at, start->port);

    hls_assume(!start->go || !self->stream[k].on); /* what is in front is offered once */
    if ((start->go && there) || bad) {
        self->stream[k] = (struct vc_stream){
            .on = 1,
            .out = start->out && !bad,
            .bus = start->bus,
            .here = start->here && !bad,
            .group = header_group(head),
            .n = header_n(head),
            .clear = last ? (u8)((u8)0x80 >> start->port) : (u8)0,
        };
        self->out.bypassed |= in->write && in->first && in->vc == k;
    }
    self->out.lapsed |= start->go && !there;
}

/* The next byte of a stream: of what index it is, its word has it on top. */
static inline struct bgl_byte stream_byte(struct bgl_vc_fifo *self, u1 valid, int k)
{
    struct vc_stream *s = &self->stream[k];
    struct vc_word *cur = &self->cur[k];
    u1 last = s->index == (u9)((u9)((u9)s->n << 5) + 32);
    u8 byte = (u8)(cur->data >> 56);

    if (!s->zero && !last) {
        hls_assume(cur->valid); /* words of a packet that comes are eight clocks apart */
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
            *cur = self->next[k];
            self->next[k].valid = 0;
        }
    }
    return bus_byte(byte, s->index == 0 ? BUS_FIRST : last ? BUS_LAST : BUS_INNER);
}

/* What a byte that leaves frees: chunk by chunk on VCs 0 and 1, eight at the end on 2 and 3, nothing before the packet is accepted. */
static inline void free_chunks(struct bgl_vc_fifo *self, u1 byte, u1 last, int k)
{
    struct vc_stream *s = &self->stream[k];
    u1 accepted = self->left[k] != self->in[k];

    self->out.freed[k] = 0;
    if (k >= 2) {
        self->out.freed[k] = last && !s->gone ? (u4)BGL_FULL : (u4)0;
    } else {
        u4 pend = s->pend + (u4)(byte && !s->gone && (u5)s->index == 31);

        self->out.freed[k] = accepted ? pend : (u4)0;
        s->pend = accepted ? (u4)0 : pend;
    }
}

/* The byte of the one stream of a set, if there is one. */
static inline struct bgl_byte merge(const struct bgl_byte *byte, u4 set)
{
    u8 data = 0;
    u2 ctl = 0;

    for (int k = 0; k < BGL_VCS; k++) {
        data |= (u1)(set >> k) ? byte[k].data : (u8)0;
        ctl |= (u1)(set >> k) ? byte[k].ctl : (u2)0;
    }
    return bus_byte(data, ctl);
}

/* Streams onto their busses. A copy for this node keeps the header as it came, what goes on loses the hint of the port taken. */
static inline void send(struct bgl_vc_fifo *self, const struct bgl_byte *byte,
                        const struct bgl_byte *on)
{
    u4 first = 0;
    u4 second = 0;
    u4 here = 0;

    for (int k = 0; k < BGL_VCS; k++) {
        const struct vc_stream *s = &self->stream[k];

        first |= (u4)((u4)(s->out && s->bus == 0) << k);
        second |= (u4)((u4)(s->out && s->bus == 1) << k);
        here |= (u4)((u4)s->here << k);
        if (s->here && k != 3 && byte[k].ctl != BUS_NONE) {
            self->out.normal_group = s->group;
        }
    }
    self->out.bus[0] = merge(on, first);
    self->out.bus[1] = merge(on, second);
    self->out.normal = merge(byte, here & 7);
    self->out.high = merge(byte, here & 8);
    self->out.high_group = self->stream[3].group;
}

/* A clock of a stream; its byte, as it came and as it goes on. */
static inline void run_stream(struct bgl_vc_fifo *self, mark_ecc_word mark, struct bgl_byte *byte,
                              struct bgl_byte *goes, int k)
{
    struct vc_stream *s = &self->stream[k];
    struct mark_ecc_result info = mark_ecc_decode(mark);
    u1 on = s->on;
    u1 last = on && s->index == (u9)((u9)((u9)s->n << 5) + 32);

    *byte = bus_byte(0, BUS_NONE);
    if (on) {
        *byte = stream_byte(self, (u1)info.data, k);
    }
    *goes = *byte;
    if (s->index == 1) {
        goes->data &= (u8)~s->clear;
    }
    free_chunks(self, on, last, k);
    if (last) {
        hls_assume(s->gone || self->left[k] != self->in[k]);
        self->out.corrected |= !s->gone && info.corrected;
        self->out.lost |= !s->gone && info.fatal;
        self->left[k] += !s->gone;
        s->on = 0;
    }
    s->index += on;
}

/* ---- what others see ------------------------------------------------------------------------- */

static inline void show(struct bgl_vc_fifo *self, const struct bgl_vc_fifo_in *in)
{
    u1 low = 1;

    for (int k = 0; k < BGL_VCS; k++) {
        low &= self->out.held[k] < in->bypass[k];
    }
    self->out.busy = 0;
    self->out.normal_busy = 0;
    self->out.high_busy = 0;
    self->out.drained = !self->open;
    for (int k = 0; k < BGL_VCS; k++) {
        const struct vc_stream *s = &self->stream[k];
        const struct vc_word *cur = &self->cur[k];
        u1 empty =
            self->wr[k] == self->rd[k] && !cur->valid && !(self->reads && self->read_vc == k);
        u1 early = in->early.valid && in->early.vc == k && empty && !s->on && low;

        self->out.front[k] = early ? in->early
                                   : front_of(cur->data, header_hints(cur->data),
                                              cur->valid && cur->head && !cur->bad && !s->on);
        self->out.front[k].vc = (u2)k;
        self->out.busy |= (u2)((u2)(s->on && s->out) << s->bus);
        self->out.normal_busy |= s->on && s->here && k != 3;
        self->out.high_busy |= s->on && s->here && k == 3;
        self->out.held[k] = (u6)((u8)(self->wr[k] - self->rd[k]) >> 2);
        self->out.drained &= empty && !s->on;
    }
}

HLS_MODULE void bgl_vc_fifo(struct bgl_vc_fifo *self, const struct bgl_vc_fifo_in *in)
{
    mark_ecc_word mark[BGL_VCS];
    mark_ecc_word head_mark = self->marks[(u7)((u7)((u7)self->read_vc << 5) | self->read_mark)];
    u1 through = passes(self, in);
    struct bgl_byte byte[BGL_VCS];
    struct bgl_byte goes[BGL_VCS];

    for (int k = 0; k < BGL_VCS; k++) {
        mark[k] = self->marks[(u7)((u7)((u7)k << 5) | (u5)self->left[k])];
    }
    self->out.corrected = 0;
    self->out.fatal = 0;
    self->out.lost = 0;
    self->out.refused = 0;
    self->out.bypassed = 0;
    self->out.lapsed = 0;
    for (int k = 0; k < BGL_VCS; k++) {
        run_stream(self, mark[k], &byte[k], &goes[k], k);
    }
    send(self, byte, goes);
    store_word(self, in, through, head_mark);
    for (int k = 0; k < BGL_VCS; k++) {
        begin_stream(self, in, k);
    }
    read_word(self);
    if (in->write) {
        take_word(self, in, through);
    }
    end_packet(
        self, in); /* of which the word may be the last, or, where the framing is lost, the first */
    show(self, in);
    hls_cover(self->out.refused);
    hls_cover(self->out.bypassed);
    hls_cover(self->out.lapsed);
}
