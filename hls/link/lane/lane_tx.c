// SPDX-License-Identifier: Apache-2.0
/*
 * lane_tx.c - the sending side of the lanes.
 *
 * Repeats discovery frames until lcb_link says start, counts down in sixteen more, with four lanes in eight, and then sends
 * the words of lcb_tx. A word arrives three clocks after it was requested (advance, go, word), which
 * is the period of three lanes, so requests and words share a phase counter; with four lanes words are one phase ahead.
 */
#include "link/lane/lane_tx.h"

#include "link/lane/lanes.h"

#define FRAME_ASK                                                                                  \
    (FRAME_LAST - 2) /* word of the last frame in which the first data word is asked for */

HLS_RESET void lane_tx_reset(struct lane_tx *self)
{
    *self = (struct lane_tx){};
}

/* A word that all lanes send; its sum so far is its check. */
static inline u16 frame_word(const struct lane_tx *self, const struct lane_tx_in *in)
{
    switch (self->index) {
    case 1:
        return self->info0;
    case 2:
        return self->info1;
    case 3:
        return in->identity.chip;
    case 4:
        return frame_port_word(in->identity.port, in->echo);
    default:
        return self->check;
    }
}

/* The next word of the discovery frame, on all lanes. */
static inline void send_frame(struct lane_tx *self, const struct lane_tx_in *in)
{
    u16 common = frame_word(self, in);
    u16 sum = self->index == 1 ? (u16)0xFFFF : self->check;

    for (int lane = 0; lane < LANES; lane++) {
        self->out.lane[lane] = self->index == 0 ? frame_sync[lane] : common;
        self->scrambler[lane] = scrambler_start(lane, in->identity);
    }
    if (self->index == 0) {
        self->count = self->counts ? (frame_counts)(self->count - 1) : (frame_counts)-1;
        self->counts = in->start;
        self->info0 =
            in->info0 | frame_info0(0, 0, 0, in->start, in->start ? self->count : (frame_counts)0);
        self->info1 = in->info1;
    }
    self->check = frame_check(sum, common);
    self->out.data = self->counts && self->count == 0 && self->index == FRAME_LAST;
    self->index = self->index == FRAME_LAST ? (u3)0 : (u3)(self->index + 1);
}

#if LANES == 4

/* A word comes three clocks after it was asked for, one less than a period: its phase is one ahead of `phase`. */
static inline u2 phase_of_data(u2 phase)
{
    return (u2)(phase + 1);
}

static inline struct lane_split split_of(u4 map, u2 phase)
{
    return (struct lane_split){
        .lanes = lanes_number(map),
        .begin = lanes_begin(map, phase),
        .joined = lanes_joined(map, phase),
    };
}

typedef uint(2 * LCB_WORD_BITS - 32) lane_stream;

/* What is left of words that came, left-justified, and a word behind it. */
static inline lane_stream join_words(const struct lane_tx *self, lcb_word word)
{
    lane_stream rest = (lane_stream)((lane_stream)self->rest << 48),
                comes = (lane_stream)((lane_stream)word << 32);

    switch (self->split.joined) {
    case 1:
        return (lane_stream)(rest & ((lane_stream)0xFFFF << 80)) | (lane_stream)(comes >> 16);
    case 2:
        return (lane_stream)(rest & ((lane_stream)0xFFFFFFFF << 64)) | (lane_stream)(comes >> 32);
    default:
        return self->split.begin ? comes : rest;
    }
}

/* The next chunk of data, one word of 16 bits per lane of the map. */
static inline void send_data(struct lane_tx *self, const struct lane_tx_in *in)
{
    lane_stream stream = join_words(self, in->word);
    u3 above = 0; /* lanes of the map that are higher */

    /* lcb_tx: its run is our start, and its words follow advance. */
    hls_assume(in->valid == lanes_begin(in->lane_map, phase_of_data(self->phase)) || !in->start);
    for (int lane = LANES - 1; lane >= 0; lane--) {
        u1 used = (u1)(in->lane_map >> lane);
        u16 word = above == 0   ? (u16)(stream >> 80)
                   : above == 1 ? (u16)(stream >> 64)
                   : above == 2 ? (u16)(stream >> 48)
                                : (u16)(stream >> 32);

        self->out.lane[lane] = used ? (u16)(word ^ scrambler_word(self->scrambler[lane])) : (u16)0;
        self->scrambler[lane] = scrambler_step(self->scrambler[lane]);
        above += used;
    }
    self->rest = self->split.lanes == 1   ? (lane_rest)(stream >> 32)
                 : self->split.lanes == 2 ? (lane_rest)(stream >> 16)
                                          : (lane_rest)stream;
}

#else

static inline u2 phase_of_data(u2 phase)
{
    return phase;
}

/* How the chunk of the next clock is put together, once `phase` is that clock's. */
static inline struct lane_split split_of(u3 map, u2 phase)
{
    u1 one = lanes_one(map);

    return (struct lane_split){
        .one = one,
        .begin = lanes_begin(map, phase),
        .join = !lanes_three(map) && !one && phase == 1,
    };
}

/* The next chunk of data, one word of 16 bits per lane of the map. */
static inline void send_data(struct lane_tx *self, const struct lane_tx_in *in)
{
    struct lane_split split = self->split;
    u48 held = (u48)self->rest << 16;
    u48 chunk = split.join    ? (u48)((held & 0xFFFF00000000) | (in->word >> 16))
                : split.begin ? in->word
                              : held;
    u16 top = (u16)(chunk >> 32);
    u16 middle = (u16)(chunk >> 16);
    u16 bottom = (u16)chunk;
    u1 above1 = (u1)(in->lane_map >> 2); /* of lane 1: a higher lane is in the map */
    u1 above0 = above1 || (u1)(in->lane_map >> 1);

    /* lcb_tx: its run is our start, and its words follow advance. */
    hls_assume(in->valid == lanes_begin(in->lane_map, self->phase) || !in->start);
    self->rest = split.join ? (u32)in->word : split.one ? (u32)chunk : (u32)(chunk << 16);
    u16 word[LANES] = {
        above0 ? (lanes_three(in->lane_map) ? bottom : middle) : top,
        above1 ? middle : top,
        top,
    };
    for (int lane = 0; lane < LANES; lane++) {
        u16 scrambled = word[lane] ^ scrambler_word(self->scrambler[lane]);

        self->out.lane[lane] = (u1)(in->lane_map >> lane) ? scrambled : (u16)0;
        self->scrambler[lane] = scrambler_step(self->scrambler[lane]);
    }
}

#endif

/* Whether the lanes get a word in this clock. */
static inline u1 has_word(struct lane_tx *self)
{
#if LANE_PACE > 1
    self->out.lane_valid = !self->out.lane_valid;
    return self->out.lane_valid;
#else
    (void)self;
    return 1;
#endif
}

HLS_MODULE void lane_tx(struct lane_tx *self, const struct lane_tx_in *in)
{
    u1 last = self->counts && self->count == 0;

    if (has_word(self)) {
        self->asks |= last && self->index == FRAME_ASK;
        self->out.advance = in->start && self->asks && lanes_begin(in->lane_map, self->phase);
        if (self->out.data) {
            send_data(self, in);
        } else {
            send_frame(self, in);
        }
        self->phase = self->asks ? lanes_next(self->phase) : (u2)0;
        self->split = split_of(in->lane_map, phase_of_data(self->phase));
    } else {
        self->out.advance = 0;
    }

    if (!in->start) {
        self->out.data = 0;
        self->counts = 0;
        self->asks = 0;
    }
    if (in->quiet) {
        for (int lane = 0; lane < LANES; lane++) {
            self->out.lane[lane] = 0;
        }
    }
}
