// SPDX-License-Identifier: Apache-2.0
/*
 * ss_send.c - what sends: reads the data of messages ahead and cuts messages into packets.
 *
 * Beats of eight bytes are asked for, message after message, while there are places for them. A packet leaves without a gap, once the
 * router has credit for all of it and its data are here; a flit is put together of two beats. A read that fails makes the rest of the
 * message zeros and inverts its CRC, so that the other side ends it at once. What has all in its header is not sent then; a reply goes
 * without data, with its status.
 */
#include "seastar/dma/ss_send.h"

#define PLACES (1 << SS_REPLIES_LOG2)
#define BEATS  8 /* of a packet */

typedef uint(128) beat_pair;
typedef uint(65) marked_beat; /* bad, above its eight bytes */
typedef uint(SS_MESSAGES_LOG2) message_index;

HLS_RESET void ss_send_reset(struct ss_send *self)
{
    self->out = (struct ss_send_out){.room = 3, .idle = 1};
    for (int c = 0; c < 2; c++) {
        self->flow[c] = (struct ss_flow){};
        self->used[c] = 0;
        self->put[c] = 0;
        self->fetched[c] = 0;
        self->sent[c] = 0;
        self->fetches[c] = 0;
        self->fetch[c] = (struct ss_fetch){};
        self->asked[c] = 0;
        self->held[c] = 0;
        self->reply_put[c] = 0;
        self->reply_get[c] = 0;
    }
    self->sends = 0;
    self->class = 0;
    self->flit = 0;
    self->flits = 0;
    self->first = 0;
    self->last = 0;
    self->turns = 0;
    self->fetch_turn = 0;
    self->order_put = 0;
    self->order_get = 0;
}

/* ---- messages -------------------------------------------------------------------------------- */

static inline u38 beats_of(u3 shift, ss_length bytes)
{
    u38 beats = (u38)((u41)((u41)bytes + shift + 7) >> 3);

    return bytes == 0 ? (u38)0 : beats;
}

static inline void take_message(struct ss_send *self, const struct ss_send_push *push)
{
    u3 shift = (u3)push->addr;
    struct ss_waiting waiting = {.dst = push->dst,
                                 .shift = shift,
                                 .bytes = push->bytes,
                                 .teller = push->teller,
                                 .who = push->who};
    struct ss_fetch fetch = {.addr = push->addr & ~(u48)7, .beats = beats_of(shift, push->bytes)};

    for (int w = 0; w < 6; w++) {
        waiting.header |= (uint(384))push->header[w] << (64 * w);
    }
    if (push->valid && !push->class) {
        self->waiting0[(message_index)self->put[0]] = waiting;
        self->fetch0[(message_index)self->put[0]] = fetch;
    }
    if (push->valid && push->class) {
        self->waiting1[(message_index)self->put[1]] = waiting;
        self->fetch1[(message_index)self->put[1]] = fetch;
    }
    self->put[0] += push->valid && !push->class;
    self->put[1] += push->valid && push->class;
}

/* ---- what is read ahead ---------------------------------------------------------------------- */

/* The next message's data are asked for when those of the one before have been. */
static inline void next_fetch(struct ss_send *self, int c, struct ss_fetch next)
{
    if (!self->fetches[c] && self->fetched[c] != self->put[c]) {
        self->fetch[c] = next;
        self->fetches[c] = next.beats != 0;
        self->fetched[c]++;
    }
}

/* Asks for a beat of the class whose turn it is, or of the other, if there is a place for it. */
static inline void ask(struct ss_send *self, const struct ss_send_in *in)
{
    u1 zero = self->fetches[0] && self->asked[0] != PLACES;
    u1 one = self->fetches[1] && self->asked[1] != PLACES;
    u1 class = self->fetch_turn ? one : !zero;
    u1 asks = in->read_room && (zero || one);

    self->out.read_valid = asks;
    self->out.read_addr = class ? self->fetch[1].addr : self->fetch[0].addr;
    if (asks) {
        self->order[self->order_put] = class;
        self->order_put++;
        self->fetch_turn = !class;
    }
    for (int c = 0; c < 2; c++) {
        u1 mine = asks && class == (u1)c;

        self->asked[c] += mine;
        self->fetch[c].addr += mine ? (u48)8 : (u48)0;
        self->fetch[c].beats -= mine;
        self->fetches[c] = self->fetch[c].beats != 0 && self->fetches[c];
    }
}

static inline void take_reply(struct ss_send *self, const struct ss_send_in *in, u1 class)
{
    marked_beat beat = (marked_beat)in->reply | ((marked_beat)in->reply_bad << 64);

    if (in->reply_valid && !class) {
        self->replies0[self->reply_put[0]] = beat;
    }
    if (in->reply_valid && class) {
        self->replies1[self->reply_put[1]] = beat;
    }
    for (int c = 0; c < 2; c++) {
        u1 mine = in->reply_valid && class == (u1)c;

        self->reply_put[c] += mine;
        self->held[c] += mine;
    }
    self->order_get += in->reply_valid;
}

/* ---- packets --------------------------------------------------------------------------------- */

static inline void use_beat(struct ss_send *self, int c, u1 uses, marked_beat beat)
{
    self->flow[c].bad = self->flow[c].bad || (uses && (u1)(beat >> 64));
    self->reply_get[c] += uses;
    self->held[c] -= uses;
    self->asked[c] -= uses;
    self->flow[c].beats -= uses;
}

/* Eight bytes of the data, of the beat that is next and the one before, if there are so many. */
static inline ss_flit data_flit(struct ss_send *self, int c, u3 shift, marked_beat next,
                                ss_length most)
{
    struct ss_flow *f = &self->flow[c];
    ss_length bytes = f->left < most ? f->left : most;
    u1 uses = f->beats != 0 && bytes != 0;
    u64 beat = uses ? (u64)next : (u64)0;
    beat_pair pair = (beat_pair)(((beat_pair)beat << 64) | f->before);
    u64 word = shift == 0 ? beat : (u64)(pair >> (u6)((u6)shift << 3));

    f->before = beat;
    use_beat(self, c, uses, next);
    f->left -= bytes < 8 ? bytes : (ss_length)8;
    return f->bad ? (ss_flit)0 : word & ss_bytes_mask(bytes);
}

/* ---- the message of a class -------------------------------------------------------------------- */

static inline u1 in_header(ss_length bytes)
{
    return bytes <= SS_IN_HEADER;
}

static inline void begin_message(struct ss_send *self, int c, const struct ss_waiting *w)
{
    struct ss_flow *f = &self->flow[c];

    *f = (struct ss_flow){.left = w->bytes,
                          .beats = beats_of(w->shift, w->bytes),
                          .state = w->bytes == 0         ? SS_FLOW_HEADER
                                   : w->shift != 0       ? SS_FLOW_BEGIN
                                   : in_header(w->bytes) ? SS_FLOW_GATHER
                                                         : SS_FLOW_HEADER};
}

/* Up to twelve bytes, before the header begins: so it is known whether memory has failed. */
static inline void gather(struct ss_send *self, int c, const struct ss_waiting *w, marked_beat beat)
{
    struct ss_flow *f = &self->flow[c];
    u1 needs = f->beats != 0 && f->left != 0;

    if (self->held[c] != 0 || !needs) {
        u1 second = f->second;
        u64 word = data_flit(self, c, w->shift, beat, second ? (ss_length)4 : (ss_length)8);

        f->small[second] = word;
        f->second = 1;
        if (second) {
            f->state = f->bad && c == 0 ? SS_FLOW_DRAIN : SS_FLOW_HEADER;
        }
    }
}

static inline void leave(struct ss_send *self, int c, const struct ss_waiting *w)
{
    struct ss_flow *f = &self->flow[c];
    u1 tells = w->teller != SS_TELLS_NOBODY;

    if (tells && !self->out.left[c].valid) {
        self->out.left[c] =
            (struct ss_left){.valid = 1,
                             .teller = w->teller,
                             .who = w->who,
                             .status = f->bad ? (ss_status)SS_MEMORY : (ss_status)SS_OK};
        tells = 0;
    }
    if (!tells) {
        self->sent[c]++;
        f->state = SS_FLOW_IDLE;
    }
}

/* What a message does while no packet of it leaves. */
static inline void advance(struct ss_send *self, int c, const struct ss_waiting *w,
                           marked_beat beat)
{
    struct ss_flow *f = &self->flow[c];
    u1 some = self->held[c] != 0;

    switch (f->state) {
    case SS_FLOW_IDLE:
        if (self->sent[c] != self->put[c]) {
            begin_message(self, c, w);
        }
        break;
    case SS_FLOW_BEGIN:
        if (some) {
            f->before = (u64)beat;
            use_beat(self, c, 1, beat);
            f->state = in_header(w->bytes) ? SS_FLOW_GATHER : SS_FLOW_HEADER;
        }
        break;
    case SS_FLOW_GATHER:
        gather(self, c, w, beat);
        break;
    case SS_FLOW_DRAIN:
        if (f->beats == 0) {
            f->state = SS_FLOW_LEFT;
        } else {
            use_beat(self, c, some, beat);
        }
        break;
    case SS_FLOW_LEFT:
        leave(self, c, w);
        break;
    default:
        break;
    }
}

/* ---- packets that leave ------------------------------------------------------------------------- */

/* Flits of the packet that comes next. */
static inline u4 next_flits(const struct ss_flow *f)
{
    u1 last = f->state == SS_FLOW_DATA && f->left <= SS_LAST_BYTES;

    return last ? (u4)(ss_last_flits((u7)f->left) + 1) : (u4)SS_LONGEST;
}

/* It may go: the router has credit for all of it, and its data are here. */
static inline u1 may_go(const struct ss_send *self, int c)
{
    const struct ss_flow *f = &self->flow[c];
    u1 credit = (u8)(self->used[c] + next_flits(f)) <= SS_CREDIT;
    u1 here = self->held[c] >= BEATS || self->held[c] >= f->beats;

    return credit && (f->state == SS_FLOW_HEADER || (f->state == SS_FLOW_DATA && here));
}

/* Responses before requests, and every fourth time the other way round. */
static inline void choose(struct ss_send *self)
{
    u1 zero = may_go(self, 0), one = may_go(self, 1);
    u1 class = one && !(zero && self->turns == 3);
    const struct ss_flow *f = &self->flow[class];

    if (zero || one) {
        self->sends = 1;
        self->class = class;
        self->turns = class ? (u2)(self->turns + (self->turns != 3)) : (u2)0;
        self->first = f->state == SS_FLOW_HEADER;
        self->last = f->state == SS_FLOW_DATA && f->left <= SS_LAST_BYTES;
        self->flits = next_flits(f);
        self->flit = 0;
    }
}

/* Flit 1 to 6. */
static inline ss_flit message_flit(const struct ss_waiting *w, u4 flit)
{
    ss_flit word = 0;

    for (int i = 0; i < 6; i++) {
        word |= flit == (u4)(i + 1) ? (ss_flit)(w->header >> (64 * i)) : (ss_flit)0;
    }
    return word;
}

/* A flit for the message; a reply whose data memory did not give says so. */
static inline ss_flit header_flit(const struct ss_flow *f, const struct ss_waiting *w, u4 flit,
                                  u1 class)
{
    u1 failed = f->bad && class && in_header(w->bytes);
    ss_flit word = flit == 7 ? f->small[0] : flit == 8 ? f->small[1] : message_flit(w, flit);

    if (failed && flit == 4) {
        word = word >> 40 << 40;
    } else if (failed && flit == 5) {
        word |= (ss_flit)SS_MEMORY << 40;
    } else if (failed && flit >= 7) {
        word = 0;
    }
    return word;
}

/* Flit `flit` of the packet that leaves, with its CRC if it is the last one. */
static inline ss_flit next_flit(struct ss_send *self, const struct ss_send_in *in,
                                const struct ss_waiting *w, marked_beat beat)
{
    struct ss_flow *f = &self->flow[self->class];
    u1 ends = self->flit == (u4)(self->flits - 1);
    u1 sums = ends && (self->first || self->last);
    u1 whole = self->first && in_header(w->bytes);
    ss_flit flit;

    if (self->flit == 0) {
        flit = ss_head_make(w->dst, in->node, self->flits, self->class, 0, self->first,
                            self->last || whole);
    } else if (self->first) {
        flit = header_flit(f, w, self->flit, self->class);
    } else {
        flit = data_flit(self, self->class, w->shift, beat, sums ? (ss_length)4 : (ss_length)8);
    }
    u32 before = self->first && self->flit == 0 ? (u32)-1 : f->crc;
    ss_flit covered = self->flit == 0 ? ss_head_covered(flit) : flit;
    u32 half = ss_crc_half(before, sums ? (u32)covered : (u32)(covered >> 32));
    u32 both = ss_crc_half(half, (u32)covered);
    u1 counts = self->first || self->flit != 0;

    f->crc = !counts ? f->crc : sums ? half : both;
    if (sums) {
        u32 sum = f->bad && self->last ? ~half : half;

        flit |= (ss_flit)sum << 32;
    }
    return flit;
}

static inline void send_flit(struct ss_send *self, const struct ss_send_in *in,
                             const struct ss_waiting *w, marked_beat beat)
{
    u1 ends = self->flit == (u4)(self->flits - 1);
    u1 over = self->last || (self->first && in_header(w->bytes));

    self->out.valid = 1;
    self->out.whole = self->flit == 0;
    self->out.flit = next_flit(self, in, w, beat);
    self->flit++;
    if (ends) {
        self->flow[self->class].state = over ? SS_FLOW_DRAIN : SS_FLOW_DATA;
        self->sends = 0;
    }
}

static inline void count_credit(struct ss_send *self, const struct ss_send_in *in)
{
    u1 freed0 = in->freed.valid && !(u1)(in->freed.vc >> 1);
    u1 freed1 = in->freed.valid && (u1)(in->freed.vc >> 1);
    u1 sent = self->out.valid;

    hls_assume(self->used[0] != 0 || !freed0);
    hls_assume(self->used[1] != 0 || !freed1);
    self->used[0] += (u8)(sent && !self->class) - (u8)freed0;
    self->used[1] += (u8)(sent && self->class) - (u8)freed1;
}

static inline void show_room(struct ss_send *self)
{
    u2 room = 0;
    u1 idle = !self->sends;

    for (int c = 0; c < 2; c++) {
        ss_messages waiting = self->put[c] - self->sent[c];

        /* The engine heeds `room`. */
        hls_assume(waiting <= 1 << SS_MESSAGES_LOG2);
        room |= (u2)((u2)(waiting <= (1 << SS_MESSAGES_LOG2) - 3) << c);
        idle = idle && waiting == 0 && !self->out.left[c].valid;
    }
    self->out.room = room;
    self->out.idle = idle;
}

HLS_MODULE void ss_send(struct ss_send *self, const struct ss_send_in *in)
{
    struct ss_waiting zero = self->waiting0[(message_index)self->sent[0]];
    struct ss_waiting one = self->waiting1[(message_index)self->sent[1]];
    struct ss_fetch fetch0 = self->fetch0[(message_index)self->fetched[0]];
    struct ss_fetch fetch1 = self->fetch1[(message_index)self->fetched[1]];
    marked_beat beat0 = self->replies0[self->reply_get[0]];
    marked_beat beat1 = self->replies1[self->reply_get[1]];
    struct ss_waiting mine = self->class ? one : zero;
    u1 replies_to = self->order[self->order_get];

    self->out.valid = 0;
    self->out.whole = 0;
    for (int c = 0; c < 2; c++) {
        self->out.left[c].valid = self->out.left[c].valid && !(u1)(in->left_taken >> c);
    }
    next_fetch(self, 0, fetch0);
    next_fetch(self, 1, fetch1);
    ask(self, in);
    advance(self, 0, &zero, beat0);
    advance(self, 1, &one, beat1);
    if (self->sends) {
        send_flit(self, in, &mine, self->class ? beat1 : beat0);
    } else {
        choose(self);
    }
    take_reply(self, in, replies_to);
    take_message(self, &in->push);
    count_credit(self, in);
    show_room(self);
    hls_assert(self->held[0] <= self->asked[0] && self->held[1] <= self->asked[1]);
}
