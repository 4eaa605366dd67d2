// SPDX-License-Identifier: Apache-2.0
/*
 * unpack24.c - from phits to beats: what is whole and right goes on, all else is forgotten at its end.
 *
 * A beat is written in the clock behind the phit that fills it. Acks that share a packet become packets of a beat each, kept or dropped
 * together.
 */
#include "nic/netlink/unpack.h"

#define LAST_PHIT 2 /* of 8 bytes */

HLS_RESET void unpack_reset(struct unpack *self)
{
    self->out = (struct unpack_out){};
    beat_store_reset(&self->store);
    self->cls = 0;
    self->in_head = 0;
    self->at = 0;
    self->groups = 0;
    self->beats = 0;
    self->acks = 0;
    self->misshaped = 0;
    self->crc = 0;
    self->word = 0;
    self->first = 0;
    self->push = 0;
    self->push_head = 0;
    self->ends = 0;
    self->bad = 0;
    self->good = 0;
    self->fits = 0;
    self->keep = 0;
    self->drop = 0;
    self->ended = 0;
}

/* ---- what a head beat says of its packet --------------------------------------------------------- */

struct shape {
    u1 legal;
    u4 groups; /* of 8 bytes, */
    u3 beats;  /* and of 16, that follow */
};

static inline struct shape request_shape(beat_word word)
{
    u7 bytes = req_payload(word);

    /* PUT_MSG has up to 72 bytes by its fields; a packet has 64. */
    return (struct shape){.legal = req_reserved_ok(word) && bytes <= 64,
                          .groups = payload_groups(bytes),
                          .beats = (u3)(((u8)bytes + 15) >> 4)};
}

static inline struct shape response_shape(beat_word word)
{
    rsp_length length = BEAT_FIELD(word, REQ_LENGTH_AT, RSP_LENGTH_BITS);
    u1 data = !rsp_err(word) && length > RSP_LENGTH_WORDS;
    u5 words = data ? (u5)(length - RSP_LENGTH_WORDS) : (u5)0;

    return (struct shape){
        .legal = 1, .groups = (u4)((u5)(words + 1) >> 1), .beats = (u3)((u5)(words + 3) >> 2)};
}

/* ---- beats ----------------------------------------------------------------------------------------- */

/* A head beat as it goes on: of a GET the place of the ssid is empty. */
static inline beat_word head_of(const struct unpack *self)
{
    u1 get = !self->cls && req_cmd(self->word) == CMD_GET;

    return get ? BEAT_WITH(self->word, REQ_Y_AT, 16, (u16)0) : self->word;
}

/* The beat that was filled in the clock before. A packet that ends with it is judged; the store hears of that a clock later. */
static inline struct beat_store_in write(struct unpack *self)
{
    struct beat_store_in to = {
        .push_class = self->cls,
        .end_class = self->ended,
        .keep = self->keep,
        .drop = self->drop,
    };
    u1 full = (u1)(self->store.out.beats[self->cls] >> 5);
    struct shape request = request_shape(self->word);
    struct shape response = response_shape(self->word);
    u1 head = self->push && self->push_head;

    if (head) {
        struct shape shape = self->cls ? response : request;

        self->groups = shape.groups;
        self->beats = shape.beats;
        self->misshaped |= !shape.legal;
    }
    if (head || (self->ends && self->in_head)) {
        self->out.info = (nic_info)self->word;
    }
    to.push = (struct beat){
        .valid = self->push && !full,
        .tail = self->beats == 0,
        .word = head ? head_of(self) : self->word,
    };
    self->misshaped |= self->push && full;
    self->keep = self->ends && self->good && !self->bad && self->fits && !self->misshaped;
    self->drop = self->ends && !self->keep;
    self->ended = self->cls;
    self->out.marked = self->ends && self->bad;
    self->out.wrong = self->ends && !self->bad && !self->good;
    self->out.misshaped = self->drop && !self->bad && self->good;
    return to;
}

/* ---- flits ----------------------------------------------------------------------------------------- */

/* The first flit of a packet. */
static inline void take_first(struct unpack *self, rtr_flit flit)
{
    self->cls = head_vc(flit) >= RTR_VCS / 2;
    self->first = head_on(flit, 0, 0);
    self->word = head_beat(flit);
    self->in_head = 1;
    self->at = 1;
    self->acks = 0;
    self->groups = 0;
    self->misshaped = !pkt_head_ok(flit);
}

/* A flit of the head beat, or the word of a response. */
static inline void take_head(struct unpack *self, rtr_flit flit)
{
    u1 done = self->cls || self->at == PKT_HEAD_PHITS - 1;
    u1 more = self->cls && word_more(flit);
    beat_word base = self->cls ? head_beat(self->first) : self->word;
    u1 legal = self->cls ? word_ok(flit) : !done || (u18)flit == 0;

    self->word = base | (self->cls ? response_fields(flit) : request_fields(flit, self->at));
    self->misshaped |=
        !legal ||
        (self->cls && (self->acks == ACKS_MOST || (self->acks != 0 && !word_is_ack(flit))));
    self->acks++;
    self->push = done;
    self->push_head = done;
    self->in_head = !done || more;
    self->at = done ? (u3)0 : (u3)(self->at + 1);
}

/* A flit of data. */
static inline void take_data(struct unpack *self, rtr_flit flit)
{
    u1 group_done = (u2)self->at == LAST_PHIT;
    u64 part = (u64)flit << 44;

    part = (u2)self->at == 1 ? (u64)flit << 22 : part;
    part = (u2)self->at == 0 ? (u64)flit : part;

    beat_word placed = (u1)(self->at >> 2) ? (beat_word)part << 64 : (beat_word)part;

    self->word = self->at == 0 ? placed : (self->word | placed);
    if (group_done) {
        self->groups--;
        self->push = (u1)(self->at >> 2) || self->groups == 0;
    }
    self->beats = (u3)(self->beats - self->push);
    self->at = group_done ? (u3)((u3)(u1) ~(u1)(self->at >> 2) << 2) : (u3)(self->at + 1);
}

static inline void take(struct unpack *self, const struct unpack_in *in)
{
    u1 head = in->head;
    u1 expects_end = !head && !self->in_head && self->groups == 0;

    self->ends = in->tail;
    self->bad = in->bad;
    self->good = !head && core_end(self->crc) == (pkt_crc)in->flit;
    self->fits = expects_end;
    if (head) {
        take_first(self, in->flit);
        self->crc = core_step(0, self->first);
    } else {
        if (!in->tail && self->in_head) {
            take_head(self, in->flit);
        } else if (!in->tail && !expects_end) {
            take_data(self, in->flit);
        } else if (!in->tail) {
            self->misshaped = 1; /* longer than it says */
        }
        self->crc = core_step(self->crc, in->flit);
    }
}

HLS_MODULE void unpack(struct unpack *self, const struct unpack_in *in)
{
    struct beat_store_in to = write(self);

    to.pop = in->pop;
    to.ahead = in->ahead;
    self->push = 0;
    self->push_head = 0;
    self->ends = 0;
    if (in->valid) {
        take(self, in);
    }
    self->out.load = (u7)((u7)self->store.out.beats[0] + self->store.out.beats[1]);
    self->out.corrected = self->store.out.corrected;
    self->out.fatal = self->store.out.fatal;
    hls_cover(self->out.marked);
    hls_cover(self->out.wrong);
    hls_cover(self->out.misshaped);
    hls_cover(self->keep && self->acks == ACKS_MOST);
    hls_cover(self->store.out.front[0].valid && self->store.out.front[1].valid);
    beat_store(&self->store, &to);
    for (int c = 0; c < 2; c++) {
        self->out.front[c] = self->store.out.front[c];
        self->out.room[c] = self->store.out.room[c];
    }
}
