// SPDX-License-Identifier: Apache-2.0
/*
 * ss_spill.c - records to host memory and back, one at a time.
 *
 * A record goes out once its cells are here, and has gone when memory has answered all of its writes. One that is looked for is read whole; if it
 * is there, the engine gets its cells and the first word in memory becomes 0.
 */
#include "seastar/dma/ss_spill.h"

#define WORDS      (2 * SS_SPILL_CELLS)
#define OWN_WORDS  (2 * SS_RECORD_CELLS) /* of a record without an open operation */
#define PLACE_LOG2 7                     /* bytes of a record's place */
#define SCAN_EACH  63                    /* clocks from one place that is looked at to the next */

typedef uint(18) place_number;

HLS_RESET void ss_spill_reset(struct ss_spill *self)
{
    self->out = (struct ss_spill_out){};
    self->state = SS_SPILL_IDLE;
    self->step = 0;
    self->replies = 0;
    self->cell = 0;
    self->bad = 0;
    self->asked = 0;
    self->answered = 0;
    self->scan = 0;
    self->top = 0;
    self->until = 0;
}

/* Places of both classes of a stream stand side by side. */
static inline place_number place_of(ss_key key)
{
    return (place_number)((place_number)(key << 1) | (place_number)(key >> 17));
}

static inline u48 word_of(const struct ss_spill_in *in, place_number place, u4 word)
{
    return (u48)(in->base + ((u48)place << PLACE_LOG2) + ((u48)word << 3));
}

/* Address of a word of the record. */
static inline u48 word_at(const struct ss_spill_in *in, u4 word)
{
    return word_of(in, place_of(in->ask.key), word);
}

/* `was_done`: the ask that is still shown has its answer. */
static inline void begin(struct ss_spill *self, const struct ss_spill_in *in, u1 was_done)
{
    place_number place = place_of(in->ask.key);

    self->step = 0;
    self->replies = 0;
    self->bad = 0;
    if (in->ask.valid && !was_done) {
        if (!in->ask.fetch) {
            self->cell = 1;
            self->top = place > self->top ? place : self->top;
            self->state = SS_SPILL_SECOND;
        } else if (self->asked == self->answered) {
            self->cell = 0;
            self->state = SS_SPILL_READ;
        }
    } else if (in->away && self->until == 0 && in->read_room && !self->out.old.valid &&
               self->asked == self->answered) {
        self->until = SCAN_EACH;
        self->out.read_valid = 1;
        self->out.read_addr = word_of(in, self->scan, 0);
        self->state = SS_SPILL_SCAN;
    }
}

/* What stands at the place that was looked at. */
static inline void look(struct ss_spill *self, const struct ss_spill_in *in)
{
    u1 old = (u1)(in->reply >> 63) && ss_is_old(in->epoch, (ss_epoch)(in->reply >> 55));

    if (in->reply_valid) {
        self->out.old.valid = old && !in->reply_bad;
        self->out.old.key = (ss_key)((ss_key)(self->scan >> 1) | ((ss_key)(u1)self->scan << 17));
        self->scan = self->scan == self->top ? (u18)0 : (u18)(self->scan + 1);
        self->state = SS_SPILL_IDLE;
    }
}

static inline void ask_engine(struct ss_spill *self, const struct ss_spill_in *in)
{
    self->out.move = (struct ss_move){.valid = 1, .back = in->ask.fetch, .place = in->ask.place};
}

/* Words of the record go to memory. */
static inline void write_word(struct ss_spill *self, const struct ss_spill_in *in,
                              struct ss_words words)
{
    u4 last = in->ask.opened ? (u4)(WORDS - 1) : (u4)(OWN_WORDS - 1);

    if (in->write_room) {
        self->out.write = (struct ss_write){.valid = 1,
                                            .addr = word_at(in, self->step),
                                            .data = (u1)self->step ? words.high : words.low,
                                            .strb = 0xFF};
        self->asked++;
        self->state = self->step == last ? SS_SPILL_ANSWERS : SS_SPILL_WRITE;
        self->cell = (u3)((u4)(self->step + 1) >> 1);
        self->step++;
    }
}

/* The first word becomes 0. */
static inline void clear_place(struct ss_spill *self, const struct ss_spill_in *in)
{
    if (in->write_room) {
        self->out.write = (struct ss_write){.valid = 1, .addr = word_at(in, 0), .strb = 0xFF};
        self->asked++;
        self->out.done.valid = 1;
        self->state = SS_SPILL_IDLE;
    }
}

static inline void read_word(struct ss_spill *self, const struct ss_spill_in *in)
{
    if (in->read_room && self->step != WORDS) {
        self->out.read_valid = 1;
        self->out.read_addr = word_at(in, self->step);
        self->step++;
    }
    if (self->replies == WORDS) {
        self->state = SS_SPILL_FIRST;
    }
}

/* What was read is a record, or nothing. */
static inline void judge(struct ss_spill *self, struct ss_words words)
{
    ss_cell first = self->out.done.cell[0];

    self->out.done.cell[1] = (ss_cell)words.low | ((ss_cell)words.high << 64);
    self->out.done.there = (u1)(first >> 63) && !self->bad;
    self->out.done.fail = self->bad;
    if (!self->out.done.there) {
        self->out.done.valid = 1;
        self->state = SS_SPILL_IDLE;
    } else {
        self->state = ss_cell_opened(first) ? SS_SPILL_TURN : SS_SPILL_CLEAR;
    }
    self->cell = SS_RECORD_CELLS;
}

static inline void step(struct ss_spill *self, const struct ss_spill_in *in, struct ss_words words,
                        u1 was_done)
{
    switch (self->state) {
    case SS_SPILL_IDLE:
        begin(self, in, was_done);
        break;
    case SS_SPILL_SECOND:
        self->cell = in->ask.opened ? (u3)SS_RECORD_CELLS : (u3)0;
        self->state = in->ask.opened ? SS_SPILL_TAKE : SS_SPILL_WRITE;
        if (in->ask.opened) {
            ask_engine(self, in);
        }
        break;
    case SS_SPILL_TAKE:
        if (in->cell_gone.valid) {
            self->cell++;
            if (self->cell == SS_SPILL_CELLS) {
                self->cell = 0;
                self->state = SS_SPILL_WRITE;
            }
        }
        break;
    case SS_SPILL_WRITE:
        write_word(self, in, words);
        break;
    case SS_SPILL_ANSWERS:
        if (self->asked == self->answered) {
            self->out.done = (struct ss_spill_done){.valid = !self->bad, .fail = self->bad};
            self->state = self->bad ? SS_SPILL_CLEAR : SS_SPILL_IDLE;
        }
        break;
    case SS_SPILL_READ:
        read_word(self, in);
        break;
    case SS_SPILL_FIRST:
        self->out.done.cell[0] = (ss_cell)words.low | ((ss_cell)words.high << 64);
        self->cell = 1;
        self->state = SS_SPILL_JUDGE;
        break;
    case SS_SPILL_JUDGE:
        judge(self, words);
        break;
    case SS_SPILL_TURN:
        ask_engine(self, in);
        if (in->moves) {
            self->state = SS_SPILL_GIVE;
        }
        break;
    case SS_SPILL_GIVE:
        self->out.cell_back.valid = 1;
        self->out.cell_back.cell = (ss_cell)words.low | ((ss_cell)words.high << 64);
        self->cell++;
        if (self->cell == SS_SPILL_CELLS) {
            self->state = SS_SPILL_CLEAR;
        }
        break;
    case SS_SPILL_CLEAR:
        clear_place(self, in);
        break;
    case SS_SPILL_SCAN:
        look(self, in);
        break;
    }
}

/* What is kept in this clock: a cell of ss_receive or of the engine, or a word that memory gives. */
static inline void keep(struct ss_spill *self, const struct ss_spill_in *in, u1 second, u1 begins)
{
    u1 cell = begins || second || in->cell_gone.valid;
    ss_cell taken = begins ? in->ask.cell[0] : second ? in->ask.cell[1] : in->cell_gone.cell;
    u3 at = begins ? (u3)0 : second ? (u3)1 : cell ? self->cell : (u3)(self->replies >> 1);
    u64 low = cell ? (u64)taken : in->reply, high = cell ? (u64)(taken >> 64) : in->reply;

    if (cell || (in->reply_valid && !(u1)self->replies)) {
        self->low[at] = low;
    }
    if (cell || (in->reply_valid && (u1)self->replies)) {
        self->high[at] = high;
    }
}

HLS_MODULE void ss_spill(struct ss_spill *self, const struct ss_spill_in *in)
{
    struct ss_words words = {.low = self->low[self->cell], .high = self->high[self->cell]};
    u1 was_done = self->out.done.valid;
    u1 begins = self->state == SS_SPILL_IDLE && in->ask.valid && !in->ask.fetch && !was_done;

    self->until -= self->until != 0;
    self->out.done.valid = 0;
    self->out.write.valid = 0;
    self->out.read_valid = 0;
    self->out.cell_back.valid = 0;
    keep(self, in, self->state == SS_SPILL_SECOND, begins);
    step(self, in, words, was_done);
    if (in->moves) {
        self->out.move.valid = 0;
    }
    if (self->state == SS_SPILL_READ && in->ask.key == self->out.old.key) {
        self->out.old.valid = 0;
    }
    self->bad = self->bad || (in->done && in->fail) || (in->reply_valid && in->reply_bad);
    self->answered += in->done;
    self->replies += in->reply_valid;
}
