// SPDX-License-Identifier: Apache-2.0
/*
 * lane_rx.c - the receiving side of the lanes.
 *
 * A start frame says on each lane where the data of that lane begins, so the data words of all lanes are written to their
 * deskew buffers from address 0 on and read together, whatever the skew. Three stages: deskew buffer; words; descrambled and
 * joined into out.
 */
#include "link/lane/lane_rx.h"

#include "link/lane/lanes.h"

typedef uint(DESKEW_LOG2) deskew_index;

HLS_RESET void lane_rx_reset(struct lane_rx *self)
{
    self->out = (struct lane_rx_out){};
    self->counts = 0;
    self->read = 0;
    self->fetched = 0;
    self->phase = 0;
    self->at = (struct lane_places){};
    self->rest = 0;
    for (int lane = 0; lane < LANES; lane++) {
        self->words[lane] = 0;
        self->remaining[lane] = 0;
        self->write[lane] = 0;
        self->scrambler[lane] = 0;
        lane_train_reset(&self->train[lane]);
    }
}

/* The contents of the frames, and whether all good lanes agree about them. */
static inline void compare_frames(struct lane_rx *self)
{
    lcb_lanes good = 0;
    u1 same = 1;
    u16 info0 = 0;
    u16 info1 = 0;
    struct link_identity identity = {};
    u10 echo = 0;

    for (int lane = 0; lane < LANES; lane++) {
        const struct lane_train_out *train = &self->train[lane].out;

        if (train->good) {
            same &= good == 0 || (train->info0 == info0 && train->info1 == info1 &&
                                  identity_same(train->identity, identity) && train->echo == echo);
            info0 = train->info0;
            info1 = train->info1;
            identity = train->identity;
            echo = train->echo;
            good |= (lcb_lanes)(1 << lane);
        }
    }
    self->out.good = good;
    self->out.agreed = same && good != 0;
    self->out.info0 = info0;
    self->out.info1 = info1;
    self->out.echo = echo;
    if (good != 0) {
        self->out.identity = identity;
    }
}

/* Words of so many frames. Products are large where there are no multipliers. */
static inline u7 words_of(frame_counts frames)
{
    static_assert(FRAME_WORDS == 6);
    return (u7)((u7)((u7)frames << 2) + (u7)((u7)frames << 1));
}

/* Lanes whose word of this clock is data; counts the words until then. */
static inline lcb_lanes data_lanes(struct lane_rx *self, lcb_lanes valid)
{
    lcb_lanes early = 0;

    for (int lane = 0; lane < LANES; lane++) {
        const struct lane_train_out *train = &self->train[lane].out;

        u1 waits = train->start ? train->count != 0 : self->remaining[lane] != 0;

        if (train->start) {
            self->remaining[lane] = words_of(train->count);
            self->counts |= (lcb_lanes)(1 << lane);
        }
        early |= (lcb_lanes)((lcb_lanes)waits << lane);
        self->remaining[lane] -= waits && (u1)(valid >> lane);
    }
    return valid & self->counts & ~early;
}

/* Where the chunks of the next clock go, once `phase` is that clock's. */
#if LANES == 4

static inline struct lane_places places(u4 map, u2 phase)
{
    u3 lanes = lanes_number(map);

    return (struct lane_places){
        .lanes = lanes,
        .kept = lanes == 4   ? (u2)0
                : lanes == 3 ? (u2)(0 - phase)
                : lanes == 2 ? (u2)2
                             : (u2)3,
        .ends = lanes_end(map, phase),
    };
}

/* Joins the chunks of one clock, descrambled, highest lane first, into words. */
static inline void join(struct lane_rx *self, u4 map)
{
    u64 chunks = 0; /* left-justified */
    u48 rest = self->rest;
    u3 above = 0;

    for (int lane = LANES - 1; lane >= 0; lane--) {
        u16 word = self->words[lane] ^ scrambler_word(self->scrambler[lane]);
        u1 used = (u1)(map >> lane);
        u64 top = (u64)((u64)word << 48);

        chunks |= !used        ? (u64)0
                  : above == 0 ? top
                  : above == 1 ? (u64)(top >> 16)
                  : above == 2 ? (u64)(top >> 32)
                               : (u64)(top >> 48);
        above += used;
        self->scrambler[lane] = scrambler_step(self->scrambler[lane]);
    }
    self->out.valid = self->at.ends;
    switch (self->at.kept) {
    case 0:
        self->out.word = chunks;
        break;
    case 1:
        self->out.word = (u64)(((u64)rest << 48) | (chunks >> 16));
        break;
    case 2:
        self->out.word = (u64)(((u64)rest << 32) | (chunks >> 32));
        break;
    case 3:
        self->out.word = (u64)(((u64)rest << 16) | (chunks >> 48));
        break;
    }
    self->rest = self->at.lanes == 3   ? (u48)(chunks >> 16)
                 : self->at.lanes == 2 ? (u48)(chunks >> 32)
                                       : (u48)(((u48)(rest << 16)) | (u16)(chunks >> 48));
}

#else

static inline struct lane_places places(u3 map, u2 phase)
{
    return (struct lane_places){
        .three = lanes_three(map),
        .one = lanes_one(map),
        .top_two = (u1)(map >> 2),
        .top_one = (u1)(map >> 1),
        .middle_one = (u1)(map >> 2) && (u1)(map >> 1),
        .second = phase == 1,
        .ends = lanes_end(map, phase),
    };
}

/* Joins the chunks of one clock, descrambled, highest lane first, into words. */
static inline void join(struct lane_rx *self, u3 map)
{
    struct lane_places at = self->at;
    u16 word[LANES];

    (void)map;

    for (int lane = 0; lane < LANES; lane++) {
        word[lane] = self->words[lane] ^ scrambler_word(self->scrambler[lane]);
        self->scrambler[lane] = scrambler_step(self->scrambler[lane]);
    }
    u16 top = at.top_two ? word[2] : at.top_one ? word[1] : word[0];
    u16 middle = at.middle_one ? word[1] : word[0];
    u32 pair = (u32)((u32)top << 16) | middle;

    self->out.valid = at.ends;
    if (at.three) {
        self->out.word = (u48)((u48)pair << 16) | word[0];
    } else if (at.one || at.second) {
        self->out.word = (u48)((u48)self->rest << 16) | top;
    } else {
        self->out.word = (u48)((u48)self->rest << 32) | pair;
    }
    self->rest = at.one ? (u32)((u32)(self->rest << 16) | top) : at.second ? middle : pair;
}

#endif

/* Reads a word of each lane if all lanes of the map have one. */
static inline void fetch(struct lane_rx *self, lcb_lanes map, lcb_lanes filled)
{
    self->words[0] = self->deskew0[self->read];
    self->words[1] = self->deskew1[self->read];
    self->words[2] = self->deskew2[self->read];
#if LANES == 4
    self->words[3] = self->deskew3[self->read];
#endif
    self->fetched = map != 0 && (map & ~filled) == 0;
    self->read += self->fetched;
}

static inline void disarm(struct lane_rx *self)
{
    self->out.valid = 0;
    self->out.started = 0;
    self->counts = 0;
    self->read = 0;
    self->fetched = 0;
    self->phase = 0;
    for (int lane = 0; lane < LANES; lane++) {
        self->write[lane] = 0;
    }
}

/* Writes this clock's data words, each lane at its own address. */
static inline void write_words(struct lane_rx *self, const struct lane_rx_in *in, lcb_lanes data)
{
    if ((u1)data) {
        self->deskew0[self->write[0]] = in->lane[0];
    }
    if ((u1)(data >> 1)) {
        self->deskew1[self->write[1]] = in->lane[1];
    }
    if ((u1)(data >> 2)) {
        self->deskew2[self->write[2]] = in->lane[2];
    }
#if LANES == 4
    if ((u1)(data >> 3)) {
        self->deskew3[self->write[3]] = in->lane[3];
    }
#endif
    for (int lane = 0; lane < LANES; lane++) {
        self->write[lane] += (u1)(data >> lane);
    }
}

HLS_MODULE void lane_rx(struct lane_rx *self, const struct lane_rx_in *in)
{
    lcb_lanes data = data_lanes(self, in->arm ? in->lane_valid & in->lane_map : (lcb_lanes)0);
    lcb_lanes filled = 0;
    lcb_lanes full = 0;

    if (!self->fetched && !self->out.started) {
        for (int lane = 0; lane < LANES; lane++) {
            self->scrambler[lane] = scrambler_start(lane, self->out.identity);
        }
    }
    compare_frames(self);
    for (int lane = 0; lane < LANES; lane++) {
        deskew_index fill = self->write[lane] - self->read;

        filled |= (lcb_lanes)((lcb_lanes)(fill != 0) << lane);
        full |= (lcb_lanes)((lcb_lanes)(fill == (1 << DESKEW_LOG2) - 1) << lane);
    }
    self->out.overflow = (full & data) != 0;
    self->out.valid = 0;
    if (self->fetched) {
        join(self, in->lane_map);
        self->out.started = 1;
        self->phase = lanes_next(self->phase);
    }
    fetch(self, in->lane_map, filled);
    write_words(self, in, data);
    if (!in->arm) {
        disarm(self);
    }
    self->at = places(in->lane_map, self->phase);

    struct lane_train_in train = {
        .hunt = in->hunt, .arm = in->arm, .lane_map = in->lane_map, .epoch = in->epoch};

    for (int lane = 0; lane < LANES; lane++) {
        train.valid = (u1)((in->lane_valid & in->lane_up) >> lane);
        train.word = in->lane[lane];
        train.sync = frame_sync[lane];
        lane_train(&self->train[lane], &train);
    }
}
