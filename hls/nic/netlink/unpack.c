// SPDX-License-Identifier: Apache-2.0
/*
 * unpack.c - from flits to beats: what is whole and right goes on, all else is forgotten at its tail.
 *
 * A flit is three lanes of 16 bits, a beat eight of payload (a head nine). A beat is written in the clock behind the flit
 * that fills it; lanes that are too many wait in `over`. Only a last flit can fill one beat and begin another: then the one
 * is written in its own clock, with the lane that it brings.
 */
#include "nic/netlink/unpack.h"

HLS_RESET void unpack_reset(struct unpack *self)
{
    self->out = (struct unpack_out){};
    beat_store_reset(&self->store);
    self->cls = 0;
    self->in_head = 0;
    self->at = 0;
    self->flits = 0;
    self->length = 0;
    self->beats = 0;
    self->misshaped = 0;
    self->crc = 0;
    for (int i = 0; i < 8; i++) {
        self->lane[i] = 0;
    }
    self->over[0] = 0;
    self->over[1] = 0;
    self->push = 0;
    self->push_head = 0;
    self->ends = 0;
    self->bad = 0;
    self->good = 0;
    self->checked = 0;
    self->fits = 0;
    self->keep = 0;
    self->drop = 0;
    self->ended = 0;
}

/* ---- what a head says of its packet -------------------------------------------------------------- */

struct shape {
    u1 legal;
    u3 beats; /* of data, at most 4 are taken */
};

/* A list of hops in the place of the node: a NIC never sends one, and none may make it answer by one. */
static inline u1 is_source(beat_word word)
{
    return req_mode(word) == MODE_SOURCE;
}

static inline struct shape request_shape(beat_word word, rtr_length length)
{
    return (struct shape){.legal = req_flits(word) == length && req_reserved_ok(word) &&
                                   !is_source(word),
                          .beats = (u3)(((u8)req_payload(word) + 15) >> 4)};
}

static inline struct shape response_shape(beat_word word, rtr_length length)
{
    u1 err = rsp_err(word);
    u3 beats = length >= 10 ? (u3)4 : (length >= 8 ? (u3)3 : (length >= 5 ? (u3)2 : (u3)1));

    u1 sound = !err || (length == 2 && BEAT_FIELD(word, RTR_FLIT_BITS, 10) == 0);

    return (struct shape){.legal = sound && !is_source(word),
                          .beats = err || length == 1 ? (u3)0 : beats};
}

/* ---- beats ----------------------------------------------------------------------------------------- */

static inline beat_word word_of(const struct unpack *self)
{
    beat_word beat = self->push_head && !self->cls ? (beat_word)self->over[0] << 128 : (beat_word)0;

    for (int i = 0; i < 8; i++) {
        beat |= (beat_word)self->lane[i] << (16 * i);
    }
    return beat;
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
    beat_word beat = word_of(self);
    struct shape request = request_shape(beat, self->length);
    struct shape response = response_shape(beat, self->length);

    if (self->push && self->push_head) {
        struct shape shape = self->cls ? response : request;

        self->beats = shape.beats;
        self->misshaped = !shape.legal;
    }
    if (self->push_head || (self->ends && self->in_head)) {
        self->out.info = (nic_info)beat;
    }
    u1 legal = !self->misshaped && self->fits;

    to.push = (struct beat){.valid = self->push && !full, .tail = self->beats == 0, .word = beat};
    self->misshaped |= self->push && full;
    self->keep = self->ends && self->good && !self->bad && legal && !full;
    self->drop = self->ends && !self->keep;
    self->ended = self->cls;
    self->out.marked = self->ends && self->bad;
    self->out.wrong = self->ends && !self->bad && !self->good;
    self->out.misshaped = self->drop && !self->bad && self->good;
    return to;
}

/* ---- flits ----------------------------------------------------------------------------------------- */

/* The lanes with a flit that begins at lane `at`; below 3 it begins a new beat. */
static inline void fill(struct unpack *self, const u16 flit[3], u3 at)
{
    u16 over[2] = {self->over[0], self->over[1]};

    for (int i = 0; i < 8; i++) {
        u16 base = at >= 3 ? self->lane[i] : (u16)0;

        if (i < 2) {
            base = at < 3 && at > i ? over[i] : base;
        }
        for (int k = 0; k < 3; k++) {
            base = i >= k && at == i - k ? flit[k] : base;
        }
        self->lane[i] = base;
    }
    self->over[0] = at == 7 ? flit[1] : flit[2];
    self->over[1] = flit[2];
}

/*
 * A last flit of payload that ends one beat and is the next. Before `write`: in a clock that writes a head none is, as the
 * first flit behind it begins at lane 0.
 */
static inline u1 fills_two(const struct unpack *self, const struct unpack_in *in)
{
    return !self->in_head && !in->head && in->tail && self->at == 7 && self->beats == 2;
}

/* A flit: its lanes, its codes, and what the next clock writes. */
static inline void take(struct unpack *self, const struct unpack_in *in, u1 both,
                        struct beat_store_in *to)
{
    u1 first = in->head;
    u1 cls = first ? (u1)(head_vc(in->flit) >= RTR_VCS / 2) : self->cls;
    u3 at = first ? (u3)0 : self->at;
    u1 in_head = first | self->in_head;
    u1 crc_here = in->tail && !first;
    u16 flit[3] = {(u16)in->flit, (u16)(in->flit >> 16),
                   crc_here ? (u16)0 : (u16)(in->flit >> NIC_CRC_AT)};
    u1 err = rsp_err((beat_word)in->flit);
    u1 head_done = in_head && (cls ? !(first && err) : at == 6);
    u1 filled = in_head ? head_done : at >= 5;
    u1 data = !in_head && self->beats != 0;
    rtr_flit covered = first ? nic_covered(in->flit) : in->flit;
    nic_crc crc = nic_crc_step(first ? (nic_crc)NIC_CRC_START : self->crc, covered);
    u1 chk = nic_chk((rtr_flit)(covered & ~(rtr_flit)0xF)) == (u4)in->flit;

    self->cls = cls;
    self->flits = first ? (u4)1 : (u4)(self->flits + (u1)(self->flits != 15));
    self->length = first ? head_length(in->flit) : self->length;
    self->checked = first ? (u1)(!cls || chk) : self->checked;
    self->crc = crc;

    if (both) {
        to->push.valid = 1;
        to->push.word = word_of(self) | ((beat_word)flit[0] << 112);
        to->push.tail = 0;
        self->beats = 1;
    }
    fill(self, flit, at);
    if (both) {
        self->lane[0] = flit[1];
        for (int i = 1; i < 8; i++) {
            self->lane[i] = 0;
        }
    }
    self->push_head = head_done;
    self->push = head_done || (data && (filled || in->tail));
    if (data && (filled || in->tail)) {
        self->beats--;
    }
    self->in_head = in_head && !head_done;
    self->at = head_done ? (u3)0 : (u3)(at + 3);
    self->ends = in->tail;
    self->bad = in->bad;
    self->good = self->checked && (first ? cls : crc == 0);
    self->fits = self->flits == self->length && !self->in_head;
}

HLS_MODULE void unpack(struct unpack *self, const struct unpack_in *in)
{
    u1 both = fills_two(self, in);
    struct beat_store_in to = write(self);

    to.pop = in->pop;
    to.ahead = in->ahead;
    self->push = 0;
    self->push_head = 0;
    self->ends = 0;
    if (in->valid) {
        take(self, in, both, &to);
    }
    self->out.load = (u7)((u7)self->store.out.beats[0] + self->store.out.beats[1]);
    self->out.corrected = self->store.out.corrected;
    self->out.fatal = self->store.out.fatal;
    hls_cover(self->out.marked);
    hls_cover(self->out.wrong);
    hls_cover(self->out.misshaped);
    hls_cover(self->store.out.front[0].valid && self->store.out.front[1].valid);
    beat_store(&self->store, &to);
    for (int c = 0; c < 2; c++) {
        self->out.front[c] = self->store.out.front[c];
        self->out.room[c] = self->store.out.room[c];
    }
}
