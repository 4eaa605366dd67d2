// SPDX-License-Identifier: Apache-2.0
/*
 * output_mux.c - from the column buffers of a tile to its link, packet by packet.
 *
 * Each row has a candidate in registers: the VC whose packet it would send next. Call t chooses one of the rows, if no
 * packet is open, and pops a flit; t + 1 takes it from the read registers of the column buffers into one register, t + 2
 * decodes it into the output register. When the link does not take what is there, each flit waits where it is, and
 * nothing more is popped.
 *
 * At a port that takes nothing for too long the valve is shut: packets without room go as if they had some, and are dropped where they are popped.
 */
#include "router/output/output_mux.h"

#include "router/flit/masks.h"
#include "router/flit/packet.h"
#include "router/flit/rtr_ecc.h"

#define REQUESTS   ((column_buffer_vcs)((1 << RTR_VCS / 2) - 1))
#define EVERY_TURN 3  /* of four: not enough of a packet need be here */
#define REST_TURN  15 /* of sixteen: the other rows go first */
#define LOAD_MOST  127

/* What the candidates of the rows are. */
struct fronts {
    rtr_rows here;   /* it has a flit */
    rtr_rows enough; /* and its tail, or enough of it without */
    rtr_rows tail;   /* its flit is a tail */
    rtr_rows
        may; /* its VC has room at the other end, also with what was chosen in the call before */
};

/* What is popped in this clock. */
struct taken {
    u1 pop;
    u1 start;      /* it is the head of a packet chosen in this clock */
    rtr_rows rows; /* one-hot: from this row */
    u1 tail;
    rtr_vc vc[RTR_ROWS]; /* of each row's candidate */
};

HLS_RESET void output_mux_reset(struct output_mux *self)
{
    self->out = (struct output_mux_out){};
    for (int r = 0; r < RTR_ROWS; r++) {
        column_buffer_reset(&self->buffer[r]);
        self->candidate[r] = (struct output_candidate){
            .one = 1,
            .after = (column_buffer_vcs)-2,
        };
        self->older[r] = 0;
    }
    self->open = 0;
    self->wins = 0;
    self->better = 0;
    self->better_enough = 0;
    self->turn = 0;
    self->turned = 0;
    for (int c = 0; c < 2; c++) {
        self->waited[c] = 0;
    }
    self->shut = 0;
    self->drops = 0;
    self->popped = (struct output_flit){};
    self->row = 0;
    self->next = (struct output_flit){};
    self->next_code = 0;
    self->next_bad = 0;
    self->next_vc = 0;
    self->bad = 0;
#if RTR_LENGTH_BITS != 0
    self->cut = 0;
#endif
    self->flits = 0;
}

/* ---- choice -------------------------------------------------------------------------------------- */

/* VCs of which any row has a flit. */
static inline column_buffer_vcs waiting(const struct output_mux *self)
{
    column_buffer_vcs vcs = 0;

    for (int r = 0; r < RTR_ROWS; r++) {
        vcs |= self->buffer[r].out.valid;
    }
    return vcs;
}

/* It is the turn of packets of which not enough is here, too. */
static inline u1 of_any(const struct output_mux *self)
{
    return (u2)self->turn == EVERY_TURN;
}

static inline rtr_rows at_row(u1 bit, int r)
{
    return (rtr_rows)((rtr_rows)bit << r);
}

static inline struct fronts look(const struct output_mux *self, const struct output_mux_in *in)
{
    rtr_vcs may = self->out.start.valid ? in->spare : in->room;
    struct fronts fronts = {};

    for (int r = 0; r < RTR_ROWS; r++) {
        const struct column_buffer_out *buffer = &self->buffer[r].out;
        rtr_vc vc = self->candidate[r].vc;

        if (!hls_when(buffer->valid != 0)) {
            continue;
        }
        fronts.here |= at_row((u1)(buffer->valid >> vc), r);
        fronts.enough |= at_row((u1)(buffer->enough >> vc), r);
        fronts.tail |= at_row((u1)(buffer->front[0] >> vc), r);
        fronts.may |= at_row((u1)(may >> vc), r);
    }
    return fronts;
}

/*
 * One of the rows that ask: of those that are better, or if none of these asks of all, the one that was served before the
 * others. Who was served before whom is an order, so there is always one.
 */
static inline rtr_rows serve(const struct output_mux *self, rtr_rows asks, rtr_rows ahead)
{
    rtr_rows served = 0;

    for (int r = 0; r < RTR_ROWS; r++) {
        u1 goes = (u1)(asks >> r);

        if (!hls_when(goes)) {
            continue;
        }
        for (int other = 0; other < RTR_ROWS; other++) {
            u1 older = other < r ? (u1)(self->older[r] >> other) : !(u1)(self->older[other] >> r);
            u1 better = (u1)(ahead >> other);
            u1 before = better == (u1)(ahead >> r) ? older : better;

            goes &= other == r || !((u1)(asks >> other) && before);
        }
        served |= at_row(goes, r);
    }
    return served;
}

/*
 * Who is better in the next clock: rows with enough of a packet, except in every fourth turn; of them those that go first. It
 * is an opinion of this clock and holds nobody up: who is better and has nothing to send is passed over.
 */
static inline void rank(struct output_mux *self, const struct fronts *fronts, rtr_rows first)
{
    rtr_rows ready = fronts->here & fronts->may, enough = fronts->enough & fronts->may;
    u1 by_enough = enough != 0 && !of_any(self);
    rtr_rows all = by_enough ? enough : ready;
    rtr_rows ahead = all & (self->turn == REST_TURN ? (rtr_rows)~first : first);

    self->better = ahead != 0 ? ahead : all;
    self->better_enough = by_enough;
}

/*
 * The next flit of the open packet, or the head of one that is chosen. Room does not know of a packet chosen in the clock
 * before: behind it none is chosen while one waits without room to spare, so that this one is not passed over.
 */
static inline void take(const struct output_mux *self, const struct output_mux_in *in,
                        const struct fronts *fronts, u1 may, struct taken *taken)
{
    u1 pauses = self->out.start.valid && (waiting(self) & in->room & ~in->spare) != 0;
    rtr_rows ahead = self->better_enough ? self->better & fronts->enough : self->better;
    rtr_rows asks = fronts->here & fronts->may, goes_on = self->open & fronts->here;
    u1 open = self->open != 0;

    taken->start = may && !open && !pauses && asks != 0;
    taken->pop = (may && goes_on != 0) || taken->start;
    taken->rows = open ? goes_on : pauses ? (rtr_rows)0 : serve(self, asks, ahead);
    taken->rows = may ? taken->rows : (rtr_rows)0;
    taken->tail = (taken->rows & fronts->tail) != 0;
}

/*
 * Candidates for the next clock. A row turns to the next VC with a flit, also one that comes now, and room when the tail
 * of a packet is popped, or when its candidate cannot be sent or not enough of it is here and of another is, as far as the clock before
 * knew.
 */
static inline void prepare(struct output_mux *self, const struct output_mux_in *in,
                           const struct fronts *fronts, const struct taken *taken)
{
    rtr_rows won = 0;

    for (int r = 0; r < RTR_ROWS; r++) {
        struct output_candidate *own = &self->candidate[r];
        const struct column_flit *flit = &in->column[r];

        if (!hls_when(self->buffer[r].out.valid != 0 || flit->valid)) {
            continue;
        }
        column_buffer_vcs comes = (column_buffer_vcs)((column_buffer_vcs)flit->valid << flit->vc);
        column_buffer_vcs others =
            (self->buffer[r].out.valid | comes) & (column_buffer_vcs)in->room & ~own->one;
        column_buffer_vcs enough = others & self->buffer[r].out.enough;
        u1 wins = (u1)(self->wins >> r);
        column_buffer_vcs set = wins ? enough : others;
        column_buffer_vcs turn = (column_buffer_vcs)mask_turn(set, own->after);
        u1 sendable = (u1)(fronts->here >> r) && (self->out.start.valid || (u1)(fronts->may >> r));
        u1 stays = sendable && !(wins && !(u1)(fronts->enough >> r));
        u1 turns =
            (u1)(taken->rows >> r) ? (u1)(fronts->tail >> r) : !(u1)(self->open >> r) && !stays;

        won |= at_row(enough != 0 && !of_any(self), r);
        if (turns && set != 0) {
            own->after = (column_buffer_vcs)mask_above(turn);
            own->one = turn & ~own->after;
            own->vc = (rtr_vc)mask_index(own->one);
        }
    }
    self->wins = won;
}

/*
 * What is known of the packet that is sent. Of packets chosen in consecutive clocks, for which ranks are a clock old, every
 * second counts as a turn.
 */
static inline void note(struct output_mux *self, const struct taken *taken)
{
    rtr_vc vc = 0;

    for (int r = 0; r < RTR_ROWS; r++) {
        if (!hls_when(taken->start)) {
            break;
        }
        vc |= (u1)(taken->rows >> r) ? taken->vc[r] : (rtr_vc)0;
        if (taken->start) {
            self->older[r] =
                (u1)(taken->rows >> r) ? (rtr_rows)((1 << r) - 1) : self->older[r] & ~taken->rows;
        }
    }
    self->turned = taken->start && !self->turned;
    self->turn = (u4)(self->turn + self->turned);
    if (taken->start) {
        self->out.start.vc = vc;
    }
    if (taken->pop) {
        self->open = taken->tail ? (rtr_rows)0 : taken->rows;
    }
}

/* A flit that is popped and not dropped is on its way to the output register. */
static inline void follow(struct output_mux *self, const struct taken *taken)
{
    if (taken->pop && !self->drops) {
        self->popped.head = taken->start;
        self->popped.tail = taken->tail;
        self->row = mask_index(taken->rows);
    }
}

/* ---- valve -------------------------------------------------------------------------------------------- */

static inline column_buffer_vcs of_class(int c)
{
    return c == 0 ? REQUESTS : (column_buffer_vcs)~REQUESTS;
}

/* VCs of the classes whose valve is shut. */
static inline rtr_vcs let_through(const struct output_mux *self)
{
    column_buffer_vcs vcs = 0;

    for (int c = 0; c < 2; c++) {
        vcs |= (u1)(self->shut >> c) ? of_class(c) : (column_buffer_vcs)0;
    }
    return (rtr_vcs)vcs;
}

/*
 * A class is shut when some of its packets wait, none has been sent for two ticks and there is no room on any of its VCs; open with the
 * first room.
 */
static inline void watch(struct output_mux *self, const struct output_mux_in *in)
{
    column_buffer_vcs wait = waiting(self);
    column_buffer_vcs sent =
        (column_buffer_vcs)((column_buffer_vcs)self->out.start.valid << self->out.start.vc);

    for (int c = 0; c < 2; c++) {
        column_buffer_vcs ours = of_class(c);
        u1 stays = (wait & ours) != 0 && (sent & ours) == 0;
        u1 full = ((column_buffer_vcs)in->room & ours) == 0, late = self->waited[c] == 2;
        u2 bit = (u2)(1 << c);

        self->shut =
            full && (late || (self->shut & bit) != 0) ? self->shut | bit : self->shut & ~bit;
        self->waited[c] = stays ? (u2)(self->waited[c] + (u1)(in->tick && !late)) : (u2)0;
    }
    hls_cover(self->shut != 0);
}

/* ---- both -------------------------------------------------------------------------------------------- */

/* Without packets that are here or come nobody is chosen, and nobody is better. */
static inline struct taken choose(struct output_mux *self, const struct output_mux_in *in, u1 may)
{
    struct taken taken = {};
    u1 works = waiting(self) != 0 || (self->better | self->wins) != 0 || self->turned;

    for (int r = 0; r < RTR_ROWS; r++) {
        works |= in->column[r].valid;
        taken.vc[r] = self->candidate[r].vc;
    }
    self->out.dropped = 0;
    if (hls_when(works)) {
        rtr_vcs room = self->out.start.valid ? in->spare : in->room;
        struct output_mux_in seen = *in;

        seen.room |= let_through(self);
        seen.spare |= let_through(self);
        struct fronts fronts = look(self, &seen);

        take(self, &seen, &fronts, may, &taken);
        rank(self, &fronts, in->first);
        prepare(self, &seen, &fronts, &taken);
        note(self, &taken);
        if (taken.start) {
            self->drops = !(u1)(room >> self->out.start.vc);
            self->out.dropped = self->drops;
        }
        follow(self, &taken);
    }
    self->out.start.valid = taken.start && !self->drops;
    return taken;
}

/* ---- output register ------------------------------------------------------------------------------------- */

/* The flit popped last, from the read register of its column buffer. */
static inline void fetch(struct output_mux *self)
{
    rtr_code code[8] = {};
    u1 uncorrectable[8] = {};

    for (int r = 0; r < RTR_ROWS; r++) {
        code[r] = self->buffer[r].out.code;
        uncorrectable[r] = self->buffer[r].out.uncorrectable;
    }
    self->next.head = self->popped.head;
    self->next.tail = self->popped.tail;
    self->next_code = one_of_codes(code, self->row);
    self->next_bad = uncorrectable[self->row];
    self->next_vc = self->out.start.vc;
}

/*
 * The flit behind the output register goes into it. The link charges the head's VC: a head with a double-bit error gets that of its buffer.
 * Where the link frames by its length it is sent alone, marked bad, and nothing of its packet follows; else the packet goes on, poisoned.
 */
static inline void drive(struct output_mux *self)
{
    struct rtr_fixed fixed = rtr_decode(self->next_code);
    u1 bad = self->bad || fixed.bad || self->next_bad;
#if RTR_LENGTH_BITS == 0
    u1 mends = self->next.head && fixed.fatal;

    self->out.valid = 1;
    self->out.flit = mends ? head_on(fixed.flit, self->next_vc, 0) : fixed.flit;
    self->out.tail = self->next.tail;
    self->out.bad = bad && self->next.tail;
    self->bad = bad && !self->next.tail;
#else
    u1 cut = self->next.head && fixed.fatal;
    u1 tail = self->next.tail || cut;

    self->out.valid = !self->cut;
    self->out.flit = cut ? head_cut(fixed.flit, self->next_vc) : fixed.flit;
    self->out.tail = tail;
    self->out.bad = bad && tail;
    self->bad = bad && !tail;
    self->cut = (self->cut || cut) && !self->next.tail;
#endif
    self->out.head = self->next.head;
    self->out.corrected = fixed.corrected;
    self->out.fatal = fixed.fatal;
}

/* ---- load, stalls, credits -------------------------------------------------------------------- */

/* VCs with a packet that waits for room. */
static inline void stalls(struct output_mux *self, const struct output_mux_in *in)
{
    column_buffer_vcs sent =
        (column_buffer_vcs)((column_buffer_vcs)(self->open != 0) << self->out.start.vc);
    column_buffer_vcs stalled = waiting(self) & ~(column_buffer_vcs)in->room & ~sent;

    self->out.stall_request = (stalled & REQUESTS) != 0;
    self->out.stall_response = (stalled & ~REQUESTS) != 0;
}

static inline void report(struct output_mux *self, const struct output_mux_in *in,
                          const struct taken *taken)
{
    rtr_load waiting = self->flits > LOAD_MOST ? (rtr_load)LOAD_MOST : (rtr_load)self->flits;
    u4 arrived = 0;

    for (int r = 0; r < RTR_ROWS; r++) {
        arrived += in->column[r].valid;
        if (hls_when(self->buffer[r].out.more)) {
            self->out.corrected |= self->buffer[r].out.corrected;
            self->out.fatal |= self->buffer[r].out.fatal;
        }
        self->out.freed[r] = (struct vc_note){.valid = (u1)(taken->rows >> r), .vc = taken->vc[r]};
    }
    self->out.load = output_load(waiting, in->peer_load, in->far_request, in->far_response);
    self->flits = (uint(RTR_VC_BITS + RTR_COL_LOG2 + 4))(self->flits + arrived - taken->pop);
}

static inline void buffers(struct output_mux *self, const struct output_mux_in *in,
                           const struct taken *taken)
{
    for (int r = 0; r < RTR_ROWS; r++) {
        const struct column_flit *flit = &in->column[r];
        u1 pop = (u1)(taken->rows >> r);

        if (!hls_when(flit->valid || pop || self->buffer[r].out.more)) {
            continue;
        }
        struct column_buffer_in to = {
            .push = flit->valid,
            .push_vc = flit->vc,
            .push_control = flit->tail,
            .push_code = flit->code,
            .pop = pop,
            .pop_vc = taken->vc[r],
        };

        column_buffer(&self->buffer[r], &to);
    }
}

HLS_MODULE void output_mux(struct output_mux *self, const struct output_mux_in *in)
{
    u1 free = !self->out.valid || in->ready, moves = !self->next.valid || free;
    u1 may = !self->popped.valid || moves;

#if DEV_MAINT
    self->out.busy = self->flits != 0 || self->out.valid;
#endif
    self->out.corrected = 0;
    self->out.fatal = 0;
    if (free) {
        self->out.valid = 0;
    }
    if (self->next.valid && free) {
        drive(self);
    }
    if (self->popped.valid && moves) {
        fetch(self);
    }
    if (moves) {
        self->next.valid = self->popped.valid;
    }
    stalls(self, in);
    struct taken taken = choose(self, in, may);

    watch(self, in);
    self->popped.valid = (taken.pop && !self->drops) || (self->popped.valid && !moves);
    report(self, in, &taken);
    buffers(self, in, &taken);
}
