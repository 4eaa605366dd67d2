// SPDX-License-Identifier: Apache-2.0
/*
 * subswitch.c - from the row buffers to the column busses of a tile.
 *
 * Sets of {input, VC} are one word, sets of inputs, rows or VCs a mask. A column bus stays with the
 * packet that owns it as long as that packet has a flit and credit; each other input offers a flit for one of the
 * other busses, and each of those takes one of its offers.
 */
#include "router/subswitch.h"

#include "router/masks.h"
#include "router/rtr_ecc.h"

#if RTR_COLS * CROSS_VCS > 64
#error "subswitch: more than 64 pairs of input and VC"
#endif

/* What the row buffers show: bit {input, VC}. */
struct fronts {
    cross_all valid;
    cross_all row[3]; /* bit k of the row */
    cross_all tail;
};

/* What goes in this clock. */
struct moves {
    rtr_cols to[RTR_ROWS]; /* one-hot: the input that sends to this row */
    rtr_cols starts; /* inputs that the arbiter chose, beside those that go on with their packet */
    rtr_cols pops;
    rtr_vc vc[RTR_COLS];
};

HLS_RESET void subswitch_reset(struct subswitch *self)
{
    self->out = (struct subswitch_out){};
    self->started = 0;
    self->open = 0;
    self->sends = 0;
    self->tail = 0;
    for (int i = 0; i < RTR_COLS; i++) {
        row_buffer_reset(&self->buffer[i]);
        self->vc[i] = 0;
        self->vc_after[i] = 0;
    }
    for (int r = 0; r < RTR_ROWS; r++) {
        column_credit_reset(&self->credit[r]);
        self->busy[r] = 0;
        self->holder[r] = 0;
        self->sender[r] = 0;
        self->sends_vc[r] = 0;
        self->input_after[r] = 0;
    }
#if RTR_TWO_STEP
    self->arriving = 0;
    self->lighter = 0;
    for (int r = 0; r < RTR_ROWS; r++) {
        self->load[r] = 0;
    }
    for (int i = 0; i < RTR_COLS; i++) {
        for (int v = 0; v < CROSS_VCS; v++) {
            self->row_of_packet[i][v] = 0;
        }
    }
#endif
}

/* ---- sets ------------------------------------------------------------------------------------ */

static inline cross_vcs vcs_of(cross_all set, int input)
{
    return (cross_vcs)(set >> (input << RTR_VC_BITS));
}

static inline cross_all at_input(cross_vcs vcs, int input)
{
    return (cross_all)((cross_all)vcs << (input << RTR_VC_BITS));
}

/* The same VCs of every input. */
static inline cross_all of_all_inputs(cross_vcs vcs)
{
    u64 all = vcs;

    for (int step = CROSS_VCS; step < 64; step <<= 1) {
        all |= all << step;
    }
    return (cross_all)all;
}

/* ---- which row: machines whose input queue leaves it open ------------------------------------- */

#if RTR_TWO_STEP
/* One of the rows, the same for the same hash and each for as many hashes as the others. */
static inline rtr_row row_by_hash(rtr_rows rows, u3 hash)
{
    u4 ranks[RTR_ROWS];
    u4 count = 0;
    rtr_row row = 0;

    for (int r = 0; r < RTR_ROWS; r++) {
        ranks[r] = count;
        count += (u1)(rows >> r);
    }
    u3 rank = (u3)(((u7)hash * count) >> 3);

    for (int r = 0; r < RTR_ROWS; r++) {
        row |= (u1)(rows >> r) && ranks[r] == rank ? (rtr_row)r : (rtr_row)0;
    }
    return row;
}

/* The row of a head that leaves it open; bit {row, other} of lighter: other has less load. */
HLS_KEEP static rtr_row row_of_head(rtr_rows rows, u3 hash, u1 adaptive, cross_order lighter)
{
    rtr_rows least = 0;

    for (int r = 0; r < RTR_ROWS; r++) {
        u1 in_set = (u1)(rows >> r) && (rows & (rtr_rows)(lighter >> (r * RTR_ROWS))) == 0;

        least |= (rtr_rows)((rtr_rows)in_set << r);
    }
    return row_by_hash(adaptive ? least : rows, hash);
}

static inline rtr_row row_of(struct subswitch *self, const struct row_flit *flit, u1 ours,
                             int input)
{
    cross_all bit = at_input((cross_vcs)((cross_vcs)1 << flit->vc), input);
    u1 body = (self->arriving & bit) != 0;
    rtr_row head = row_of_head(flit->rows, flit->hash, flit->adaptive, self->lighter);
    rtr_row row = body ? self->row_of_packet[input][flit->vc] : head;

    if (ours) {
        self->row_of_packet[input][flit->vc] = row;
        self->arriving = flit->tail ? self->arriving & ~bit : self->arriving | bit;
    }
    return row;
}

/* Counts the flits in flight to each row, and compares the rows. */
static inline void weigh(struct subswitch *self, const struct subswitch_in *in, rtr_rows sends)
{
    for (int r = 0; r < RTR_ROWS; r++) {
        self->load[r] += (cross_load)(u1)(sends >> r) - (cross_load)in->column_freed[r].valid;
    }
    self->lighter = 0;
    for (int r = 0; r < RTR_ROWS; r++) {
        for (int other = 0; other < RTR_ROWS; other++) {
            u1 less = self->load[other] < self->load[r];

            self->lighter |= (cross_order)((cross_order)less << (r * RTR_ROWS + other));
        }
    }
}
#else
static inline rtr_row row_of(struct subswitch *self, const struct row_flit *flit, u1 ours,
                             int input)
{
    (void)self;
    (void)ours;
    (void)input;
    return flit->row;
}

static inline void weigh(struct subswitch *self, const struct subswitch_in *in, rtr_rows sends)
{
    (void)self;
    (void)in;
    (void)sends;
}
#endif

/* ---- which flits may go ----------------------------------------------------------------------------------- */

static inline struct fronts gather(const struct subswitch *self)
{
    struct fronts fronts = {};

    for (int i = 0; i < RTR_COLS; i++) {
        fronts.valid |= at_input(self->buffer[i].out.valid, i);
        fronts.tail |= at_input(self->buffer[i].out.front[ROW_BUFFER_TAIL], i);
        for (int k = 0; k < 3; k++) {
            fronts.row[k] |= at_input(self->buffer[i].out.front[k], i);
        }
    }
    return fronts;
}

/* Each flit's bit of the set that belongs to its row: a multiplexer per input and VC. */
static inline cross_all at_row(const struct fronts *fronts, const cross_vcs of_row[8])
{
    cross_all level[8];

    for (int r = 0; r < 8; r++) {
        level[r] = of_all_inputs(of_row[r]);
    }
    for (int k = 0; k < 3; k++) {
        for (int n = 0; n < 4 >> k; n++) {
            level[n] = (fronts->row[k] & level[2 * n + 1]) | (~fronts->row[k] & level[2 * n]);
        }
    }
    return level[0];
}

/* Flits that may go to one of the rows: credit, and for a head a VC that no other packet holds. */
static inline cross_all eligible(const struct subswitch *self, const struct fronts *fronts,
                                 rtr_rows rows)
{
    cross_vcs credit[8] = {}, busy[8] = {};

    for (int r = 0; r < RTR_ROWS; r++) {
        credit[r] = (u1)(rows >> r) ? (cross_vcs)~self->credit[r].out.spent : (cross_vcs)0;
        busy[r] = self->busy[r];
    }
    return fronts->valid & at_row(fronts, credit) & (self->started | ~at_row(fronts, busy));
}

/* Inputs with another flit of the packet that they sent last. */
static inline rtr_cols streaming(const struct subswitch *self, const struct fronts *fronts)
{
    rtr_cols inputs = 0;

    for (int i = 0; i < RTR_COLS; i++) {
        u1 more = (u1)(vcs_of(fronts->valid, i) >> self->vc[i]);

        inputs |= (rtr_cols)((rtr_cols)more << i);
    }
    return (rtr_cols)(inputs & self->open);
}

/* ---- which flits go ---------------------------------------------------------------------------------- */

/* The row of the flit that an input offers. */
static inline rtr_row row_of_offer(const struct fronts *fronts, cross_vcs vc, int input)
{
    rtr_row row = 0;

    for (int k = 0; k < 3; k++) {
        u1 bit = (vcs_of(fronts->row[k], input) & vc) != 0;

        row |= (rtr_row)((rtr_row)bit << k);
    }
    return row;
}

/* Separable arbiter: each input that is free offers one flit, each row that is free takes one of the offers. */
static inline void match(struct subswitch *self, const struct fronts *fronts, rtr_rows free,
                         struct moves *moves)
{
    cross_all may = eligible(self, fronts, free);
    rtr_cols offers[RTR_ROWS] = {};
    cross_vcs turn[RTR_COLS] = {};

    for (int i = 0; i < RTR_COLS; i++) {
        cross_vcs set = vcs_of(may, i);
        u1 any = set != 0 && !(u1)(moves->pops >> i);

        if (!hls_when(any)) {
            continue;
        }
        turn[i] = (cross_vcs)mask_turn(set, self->vc_after[i]);
        rtr_row row = row_of_offer(fronts, (cross_vcs)mask_lowest(turn[i]), i);

        for (int r = 0; r < RTR_ROWS; r++) {
            offers[r] |= (rtr_cols)((rtr_cols)(u1)(any && row == r) << i);
        }
    }
    for (int r = 0; r < RTR_ROWS; r++) {
        rtr_cols inputs = (rtr_cols)mask_turn(offers[r], self->input_after[r]);

        if (inputs != 0) {
            self->input_after[r] = (rtr_cols)mask_above(inputs);
        }
        moves->to[r] |= (rtr_cols)mask_lowest(inputs);
        moves->starts |= (rtr_cols)mask_lowest(inputs);
    }
    for (int i = 0; i < RTR_COLS; i++) {
        if ((u1)(moves->starts >> i)) {
            self->vc_after[i] = (cross_vcs)mask_above(turn[i]);
            moves->vc[i] = (rtr_vc)mask_index(mask_lowest(turn[i]));
        }
    }
    moves->pops |= moves->starts;
}

/* Packets that own a column bus go on as long as they have a flit and credit; returns the rows that are free then. */
static inline rtr_rows go_on(const struct subswitch *self, const struct fronts *fronts,
                             struct moves *moves)
{
    rtr_cols more = streaming(self, fronts);
    rtr_rows free = 0;

    for (int r = 0; r < RTR_ROWS; r++) {
        u1 credit = !(u1)(self->credit[r].out.spent >> self->sends_vc[r]);

        moves->to[r] = credit ? (rtr_cols)(self->holder[r] & more) : (rtr_cols)0;
        moves->pops |= moves->to[r];
        free |= (rtr_rows)((rtr_rows)(u1)(moves->to[r] == 0) << r);
    }
    return free;
}

static inline struct moves arbitrate(struct subswitch *self, const struct fronts *fronts)
{
    struct moves moves = {};

    for (int i = 0; i < RTR_COLS; i++) {
        moves.vc[i] = self->vc[i];
    }
    if (hls_when(fronts->valid != 0)) {
        rtr_rows free = go_on(self, fronts, &moves);

        match(self, fronts, free, &moves);
    }
    return moves;
}

/* ---- registers ------------------------------------------------------------------------------ */

/* Column busses: the flits popped in the call before. */
static inline void drive(struct subswitch *self)
{
    rtr_code code[8] = {};
    u1 uncorrectable[8] = {};

    for (int r = 0; r < RTR_ROWS; r++) {
        self->out.column[r].valid = (u1)(self->sends >> r);
    }
    if (!hls_when(self->sends != 0)) {
        return;
    }
    for (int i = 0; i < RTR_COLS; i++) {
        code[i] = self->buffer[i].out.code;
        uncorrectable[i] = self->buffer[i].out.uncorrectable;
    }
    for (int r = 0; r < RTR_ROWS; r++) {
        rtr_code mark = uncorrectable[self->sender[r]] ? rtr_encode(0, 1) : (rtr_code)0;

        if (self->out.column[r].valid) {
            self->out.column[r].vc = self->sends_vc[r];
            self->out.column[r].tail = (u1)(self->tail >> r);
            self->out.column[r].code = one_of_codes(code, self->sender[r]) ^ mark;
        }
    }
}

/* Packets begin and end: who holds which VC, and where each input and bus stands. */
static inline void follow(struct subswitch *self, const struct fronts *fronts,
                          const struct moves *moves)
{
    cross_all popped = 0;
    rtr_cols tails = 0;

    self->sends = 0;
    self->tail = 0;
    if (!hls_when(moves->pops != 0)) {
        return;
    }
    for (int i = 0; i < RTR_COLS; i++) {
        cross_vcs vc = (cross_vcs)((cross_vcs)(u1)(moves->pops >> i) << moves->vc[i]);
        u1 tail = (vcs_of(fronts->tail, i) & vc) != 0;

        self->vc[i] = moves->vc[i];
        popped |= at_input(vc, i);
        tails |= (rtr_cols)((rtr_cols)tail << i);
    }
    self->started = (self->started & ~popped) | (popped & ~fronts->tail);
    self->open = (rtr_cols)((self->open | moves->pops) & ~tails);
    for (int r = 0; r < RTR_ROWS; r++) {
        rtr_cols to = moves->to[r];
        u1 tail = (to & tails) != 0;
        u3 sender = mask_index(to);

        self->holder[r] = (rtr_cols)(self->holder[r] & ~moves->pops);
        if (to != 0) {
            cross_vcs vc = (cross_vcs)((cross_vcs)1 << moves->vc[sender]);

            self->holder[r] = to;
            self->sender[r] = sender;
            self->sends_vc[r] = moves->vc[sender];
            self->busy[r] = tail ? self->busy[r] & ~vc : self->busy[r] | vc;
        }
        self->sends |= (rtr_rows)((rtr_rows)(u1)(to != 0) << r);
        self->tail |= (rtr_rows)((rtr_rows)tail << r);
    }
}

/* The children: flits in, flits out, credits. */
static inline void move(struct subswitch *self, const struct subswitch_in *in,
                        const struct moves *moves)
{
    self->out.corrected = 0;
    self->out.fatal = 0;
    for (int i = 0; i < RTR_COLS; i++) {
        const struct row_flit *flit = &in->row[i];
        u1 pop = (u1)(moves->pops >> i);
        u1 ours = flit->valid && flit->col == in->here.col;
        struct row_buffer_in to = {
            .push = ours,
            .push_vc = flit->vc,
            .push_control = (row_buffer_control)((row_buffer_control)row_of(self, flit, ours, i) |
                                                 (row_buffer_control)((u4)flit->tail << 3)),
            .push_code = flit->code,
            .pop = pop,
            .pop_vc = moves->vc[i],
        };

        self->out.freed[i] = (struct vc_note){.valid = pop, .vc = moves->vc[i]};
        self->out.corrected |= self->buffer[i].out.corrected;
        self->out.fatal |= self->buffer[i].out.fatal;
        row_buffer(&self->buffer[i], &to);
    }
    for (int r = 0; r < RTR_ROWS; r++) {
        struct column_credit_in to = {
            .taken = {.valid = (u1)(self->sends >> r), .vc = self->sends_vc[r]},
            .given = in->column_freed[r],
        };

        column_credit(&self->credit[r], &to);
    }
}

HLS_MODULE void subswitch(struct subswitch *self, const struct subswitch_in *in)
{
    struct fronts fronts = gather(self);
    struct moves moves = arbitrate(self, &fronts);

    drive(self);
    follow(self, &fronts, &moves);
    weigh(self, in, self->sends);
    move(self, in, &moves);
}
