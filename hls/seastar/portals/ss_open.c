// SPDX-License-Identifier: Apache-2.0
/*
 * ss_open.c - operations that are open: what begins is kept, its START told; what has ended is told by its END.
 *
 * The cells of a place are written while the next header is walked, and those of an END are read behind its descriptor. Each of their clocks has a
 * cell, which is a part of the event.
 */
#include "seastar/portals/ss_open.h"

#define SMALL_REQUESTS                                                                             \
    (SS_PLACES - SS_RECORDS - 2) /* places of messages of class 0 in one packet */
#define KIND_PUT   (SS_EVENT_PUT / 2)
#define KIND_REPLY (SS_EVENT_REPLY / 2)

typedef uint(SS_PLACES) place_set;

HLS_RESET void ss_open_reset(struct ss_open *self)
{
    self->out = (struct ss_open_out){.room = 3};
    self->owes = 0;
    self->starts = 0;
    self->answers = 0;
    self->start = 0;
    self->ends = 0;
    self->end = 0;
    self->place = 0;
    self->status = 0;
    self->now = (struct ss_kept){};
    self->md = (struct ss_md){};
    self->taken = 0;
    self->tells = 0;
    self->moves = 0;
    self->move = 0;
}

static inline place_set place_bit(ss_place p)
{
    return (place_set)((place_set)1 << p);
}

/* ---- what is kept ---------------------------------------------------------------------------------- */

static inline ss_cell kept_bits(const struct ss_kept *k)
{
    return (ss_cell)k->at | ((ss_cell)k->pending << 12) | ((ss_cell)k->kind << 24) |
           ((ss_cell)k->ack << 26) | ((ss_cell)k->generic << 27);
}

static inline struct ss_kept kept_of(ss_cell bits)
{
    return (struct ss_kept){.at = (ss_entry_index)bits,
                            .pending = (ss_pending_index)(bits >> 12),
                            .kind = (u2)(bits >> 24),
                            .ack = (u1)(bits >> 26),
                            .generic = (u1)(bits >> 27)};
}

static inline struct ss_kept kept_of_begin(const struct ss_begin *b)
{
    return (struct ss_kept){.at = b->at,
                            .pending = b->pending,
                            .kind = (u2)(b->type >> 1),
                            .ack = b->ack,
                            .generic = b->generic};
}

/* An operation begins, or comes back with its last cell. */
static inline void keep(struct ss_open *self, const struct ss_open_in *in)
{
    u1 begins = in->begin[0].valid || in->begin[1].valid;
    struct ss_begin b = in->begin[in->begin[1].valid];
    u1 back = self->moves && in->cell_back.valid && self->move == SS_OPEN_CELLS - 1;
    ss_place place = begins ? b.place : in->move.place;

    if (begins || back) {
        self->out.busy |= place_bit(place);
        self->kept[place] = begins ? kept_of_begin(&b) : kept_of(in->cell_back.cell >> 64);
    }
}

/* ---- START --------------------------------------------------------------------------------------- */

/* Words 2 step and 2 step + 1 of START. */
static inline ss_cell start_words(const struct ss_begin *b, const struct ss_ask *ask, u2 step)
{
    u16 md = (u16)((u16)b->at | ((u16)b->use << 12));
    u64 first = event_first(b->type, b->status, (u6)(ask->flit[0] >> 8), 0, md, b->link);
    u64 from = (u64)ask->node | ((u64)(u16)(ask->flit[0] >> 32) << 16) | (ask->flit[5] >> 32 << 32);
    u64 user = (u64)(u32)ask->flit[5] | ((u64)b->threshold << 32);
    u64 data = b->type == SS_EVENT_PUT ? ask->flit[2] : (u64)0;

    switch (step) {
    case 0:
        return (ss_cell)first | ((ss_cell)from << 64);
    case 1:
        return (ss_cell)user | ((ss_cell)ask->flit[1] << 64);
    case 2:
        return (ss_cell)data | ((ss_cell)b->requested << 64);
    default:
        return (ss_cell)b->manipulated | ((ss_cell)b->offset << 64);
    }
}

/* An operation that begins has a cell written in each of five clocks, and with the first four START told. */
static inline void start(struct ss_open *self, const struct ss_open_in *in)
{
    u1 begins = in->begin[0].valid || in->begin[1].valid;
    u1 answers = begins ? in->begin[1].valid : self->answers;
    struct ss_begin b = in->begin[answers];
    ss_cell words = start_words(&b, &in->ask, (u2)self->start);
    struct ss_kept kept = kept_of_begin(&b);
    ss_cell rest =
        (ss_cell)b.addr | ((ss_cell)(u16)(in->ask.flit[0] >> 48) << 48) | (kept_bits(&kept) << 64);
    u1 last = self->start == 4;

    self->answers = answers;
    if (begins || self->starts) {
        work_write_third(&self->out.work, open_at(b.place, self->start), last ? rest : words);
        self->out.event =
            event_part(b.tells && !last, b.queue, (u2)self->start, (u64)words, (u64)(words >> 64));
        self->owes |= last && b.type == SS_EVENT_GET ? place_bit(b.place) : (place_set)0;
        self->starts = !last;
        self->start = last ? (u3)0 : (u3)(self->start + 1);
    }
}

/* ---- END ----------------------------------------------------------------------------------------- */

/* The first cell, and the descriptor: what it loses with the operation, and the first part of END. */
static inline void judge(struct ss_open *self, const struct ss_open_in *in)
{
    struct ss_md md = ss_cells_md(in->cells.pair);
    u64 first = (u64)in->cells.third, from = (u64)(in->cells.third >> 64);
    u4 type = (u4)(((u4)self->now.kind << 1) | 1);
    u1 replies = self->now.kind == KIND_REPLY;

    self->status = self->status != SS_OK ? self->status : (ss_status)(first >> 4);
    if (!self->now.generic) {
        md.pending--;
        u1 unlinked = md.ends && md.pending == 0;

        first = (first & ~(u64)0xFF) | (u64)type | ((u64)self->status << 4) | ((u64)unlinked << 15);
        work_write_md(&self->out.work, self->now.at, md);
        self->tells = md_tells(&md, SS_MD_END_OFF);
        self->out.event = event_part(self->tells, md.queue, 0, first, from);
        self->out.unlink =
            (struct ss_unlink){.valid = unlinked, .at = self->now.at, .link = (u32)(first >> 32)};
        self->out.done = !replies;
    }
    self->md = md;
    if (self->now.ack) {
        work_write_third(&self->out.work, open_at(self->place, 0),
                         (ss_cell)first | ((ss_cell)from << 64));
        self->owes |= place_bit(self->place);
    } else {
        self->out.busy &= ~place_bit(self->place);
    }
}

/* The other cells: parts 1 to 3. */
static inline void tell_rest(struct ss_open *self, const struct ss_open_in *in)
{
    u64 low = (u64)in->cells.third, high = (u64)(in->cells.third >> 64);

    self->taken = (ss_length)low;
    self->out.event = event_part(self->tells && !self->now.generic, self->md.queue,
                                 (u2)(self->end - 3), low, high);
    self->ends = self->end != 6 || self->now.kind == KIND_REPLY;
}

/* The pending of a reply is freed. Of the reply to a GET of the driver the ring hears. */
static inline void end_reply(struct ss_open *self, const struct ss_open_in *in)
{
    struct ss_pending pending = ss_cells_pending(in->cells.third, 0);
    u16 tag = (u16)((u16)self->now.pending | ((u16)pending.use << 12));

    work_write_third(&self->out.work, pending_at(self->now.pending, 0), pending_freed(pending.use));
    self->out.frees_pending = 1;
    self->out.pending = self->now.pending;
    self->out.held.slot = self->md.slot;
    self->out.held.pending_less = !self->now.generic;
    self->out.tell.valid = self->now.generic;
    self->out.tell.kind = SS_KIND_REPLY;
    self->out.tell.status = self->status;
    self->out.tell.word[0] = (u64)pending.ticket | ((u64)tag << 18);
    self->out.tell.word[1] = (u64)self->taken;
    self->out.done = 1;
    self->ends = 0;
}

/* Clock by clock: descriptor and cells are asked for, and the pending; each is here three clocks later. */
static inline void end(struct ss_open *self, const struct ss_open_in *in, struct ss_kept kept)
{
    self->out.unlink.valid = self->ends && self->now.kind == KIND_REPLY && self->out.unlink.valid;
    if (in->turn) {
        self->ends = 1;
        self->end = 1;
        self->place = in->place;
        self->status = in->status;
        self->now = kept;
        work_read_md(&self->out.work, kept.at);
        work_read_third(&self->out.work, open_at(in->place, 0));
    } else if (self->ends) {
        if (self->end <= 3) {
            work_read_third(&self->out.work, open_at(self->place, (u3)self->end));
        } else if (self->end == 4) {
            work_read_third(&self->out.work, pending_at(self->now.pending, 0));
        }
        if (self->end == 3) {
            judge(self, in);
        } else if (self->end > 3 && self->end < 7) {
            tell_rest(self, in);
        } else if (self->end == 7) {
            end_reply(self, in);
        }
        self->end++;
    }
}

/* ---- records to host memory and back --------------------------------------------------------------- */

/* Cells are asked for, a clock each, and leave three clocks later. */
static inline void move_out(struct ss_open *self, const struct ss_open_in *in)
{
    if (self->move < SS_OPEN_CELLS) {
        work_read_third(&self->out.work, open_at(in->move.place, self->move));
    }
    if (self->move >= 3) {
        self->out.cell_gone = (struct ss_moved_cell){.valid = 1, .cell = in->cells.third};
    }
    if (self->move == 7) {
        self->out.busy &= ~place_bit(in->move.place);
        self->out.done = 1;
        self->moves = 0;
    }
    self->move++;
}

static inline void move_back(struct ss_open *self, const struct ss_open_in *in)
{
    if (in->cell_back.valid) {
        work_write_third(&self->out.work, open_at(in->move.place, self->move), in->cell_back.cell);
        self->out.done = self->move == SS_OPEN_CELLS - 1;
        self->moves = self->move != SS_OPEN_CELLS - 1;
        self->move++;
    }
}

static inline void move(struct ss_open *self, const struct ss_open_in *in)
{
    if (in->move_turn) {
        self->moves = 1;
        self->move = 0;
    }
    if (self->moves && in->move.back) {
        move_back(self, in);
    } else if (self->moves) {
        move_out(self, in);
    }
}

/* ---- places ---------------------------------------------------------------------------------------- */

/* The lowest of a set that is not empty. */
static inline ss_place lowest(place_set set)
{
    ss_place at = 0;

    for (int p = SS_PLACES - 1; p >= 0; p--) {
        at = (u1)(set >> p) ? (ss_place)p : at;
    }
    return at;
}

static inline void show_places(struct ss_open *self)
{
    place_set requests = (place_set)(((1 << SMALL_REQUESTS) - 1) << SS_RECORDS);
    place_set zero = requests & ~self->out.busy;
    place_set one = (place_set)(3 << (SS_PLACES - 2)) & ~self->out.busy;

    self->out.room = (u2)((u2)(zero != 0) | (u2)((u2)(one != 0) << 1));
    self->out.free[0] = lowest(zero);
    self->out.free[1] = lowest(one);
    self->out.owes = self->owes != 0;
    self->out.owed = lowest(self->owes);
}

HLS_MODULE void ss_open(struct ss_open *self, const struct ss_open_in *in)
{
    struct ss_kept kept = self->kept[in->place];

    /* The engine does one thing at a time, and what begins is kept before another ends. */
    hls_assume(!(in->begin[0].valid && in->begin[1].valid));
    hls_assume(!(self->starts && (in->begin[0].valid || in->begin[1].valid || self->end == 3)));
    hls_assume(!(self->ends && (in->turn || in->begin[0].valid || in->begin[1].valid)));
    hls_assume(!((self->moves || in->move_turn) && (in->turn || self->ends || self->starts ||
                                                    in->begin[0].valid || in->begin[1].valid)));
    work_rest(&self->out.work);
    self->out.event.valid = 0;
    self->out.done = 0;
    self->out.cell_gone.valid = 0;
    self->out.frees_pending = 0;
    self->out.held = (struct ss_held){};
    self->out.tell.valid = 0;
    if (in->owed_turn) {
        self->owes &= ~place_bit(self->out.owed);
    }
    if (in->freed) {
        self->out.busy &= ~place_bit(in->freed_place);
    }
    keep(self, in);
    end(self, in, kept);
    start(self, in);
    move(self, in);
    show_places(self);
    self->out.reads = self->ends;
    self->out.writes = self->starts;
}
