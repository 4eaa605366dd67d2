// SPDX-License-Identifier: Apache-2.0
/*
 * subswitch.c - from the row buffers to the column busses of a tile.
 *
 * Sets of {input, VC} are one word, sets of inputs, rows or VCs a mask. A column bus stays with the
 * packet it sends while that may go; the other busses choose among the other inputs, an input chosen by several
 * takes one, and then one of its VCs for that row.
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
    rtr_cols to[RTR_ROWS]; /* the input that sends to this row, if any */
    rtr_cols starts;       /* inputs whose VC is still to be chosen */
    rtr_cols pops;
    rtr_vc vc[RTR_COLS];
};

HLS_RESET void subswitch_reset(struct subswitch *self)
{
    *self = (struct subswitch){};
    for (int i = 0; i < RTR_COLS; i++) {
        row_buffer_reset(&self->buffer[i]);
    }
    for (int r = 0; r < RTR_ROWS; r++) {
        column_credit_reset(&self->credit[r]);
    }
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

/* Inputs that have any VC in the set. */
static inline rtr_cols inputs_of(cross_all set)
{
    rtr_cols inputs = 0;

    for (int i = 0; i < RTR_COLS; i++) {
        inputs |= vcs_of(set, i) != 0 ? (rtr_cols)((rtr_cols)1 << i) : (rtr_cols)0;
    }
    return inputs;
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

static inline rtr_row row_of_head(const struct subswitch *self, const struct row_flit *flit)
{
    rtr_rows least = 0;

    for (int r = 0; r < RTR_ROWS; r++) {
        u1 in_set = (u1)(flit->rows >> r) && (flit->rows & self->lighter[r]) == 0;

        least |= (rtr_rows)((rtr_rows)in_set << r);
    }
    return row_by_hash(flit->adaptive ? least : flit->rows, flit->hash);
}

static inline rtr_row row_of(struct subswitch *self, const struct row_flit *flit, int input)
{
    cross_all bit = at_input((cross_vcs)((cross_vcs)1 << flit->vc), input);
    u1 body = (self->arriving & bit) != 0;
    rtr_row row = body ? self->way[input][flit->vc] : row_of_head(self, flit);

    if (flit->valid) {
        self->way[input][flit->vc] = row;
        self->arriving = flit->tail ? self->arriving & ~bit : self->arriving | bit;
    }
    return row;
}

/* Flits under way to each row, and how the rows compare. */
static inline void weigh(struct subswitch *self, const struct subswitch_in *in, rtr_rows sends)
{
    for (int r = 0; r < RTR_ROWS; r++) {
        self->load[r] += (cross_load)(u1)(sends >> r) - (cross_load)in->column_freed[r].valid;
    }
    for (int r = 0; r < RTR_ROWS; r++) {
        self->lighter[r] = 0;
        for (int other = 0; other < RTR_ROWS; other++) {
            u1 less = self->load[other] < self->load[r];

            self->lighter[r] |= (rtr_rows)((rtr_rows)less << other);
        }
    }
}
#else
static inline rtr_row row_of(struct subswitch *self, const struct row_flit *flit, int input)
{
    (void)self;
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

/* ---- who may ----------------------------------------------------------------------------------- */

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

/* Flits that may go to row r: credit, and for a head a VC that no other packet holds. */
static inline cross_all eligible(const struct subswitch *self, const struct fronts *fronts, int r)
{
    cross_vcs spent = self->credit[r].out.spent;
    cross_all body = of_all_inputs((cross_vcs)~spent);
    cross_all head = of_all_inputs((cross_vcs) ~(spent | self->busy[r]));
    cross_all set = fronts->valid & ((self->started & body) | (~self->started & head));

    for (int k = 0; k < 3; k++) {
        set &= (u1)(r >> k) ? fronts->row[k] : ~fronts->row[k];
    }
    return set;
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

/* ---- who does ---------------------------------------------------------------------------------- */

static inline rtr_rows rows_that_chose(const rtr_cols choice[RTR_ROWS], int input)
{
    rtr_rows rows = 0;

    for (int r = 0; r < RTR_ROWS; r++) {
        rows |= (rtr_rows)((rtr_rows)(u1)(choice[r] >> input) << r);
    }
    return rows;
}

/* Column busses without a packet choose inputs that have none, and these take one bus each. */
static inline void match(struct subswitch *self, const cross_all may[RTR_ROWS], struct moves *moves)
{
    rtr_cols choice[RTR_ROWS];
    rtr_cols wanted[RTR_ROWS];
    rtr_cols chosen = 0;

    for (int r = 0; r < RTR_ROWS; r++) {
        rtr_cols free = moves->to[r] != 0 ? (rtr_cols)0 : (rtr_cols)~moves->pops;

        wanted[r] = inputs_of(may[r]) & free;
        choice[r] = (rtr_cols)mask_pick(wanted[r], self->served_input[r]);
        chosen |= choice[r];
    }
    for (int i = 0; i < RTR_COLS; i++) {
        rtr_rows rows = rows_that_chose(choice, i);
        rtr_rows row = (rtr_rows)mask_pick(rows, self->served_row[i]);

        self->served_row[i] = (rtr_rows)mask_served(rows, self->served_row[i], row);
        for (int r = 0; r < RTR_ROWS; r++) {
            choice[r] &= (u1)(row >> r) ? (rtr_cols)-1 : (rtr_cols) ~((rtr_cols)1 << i);
        }
    }
    for (int r = 0; r < RTR_ROWS; r++) {
        if (choice[r] != 0) {
            self->served_input[r] =
                (rtr_cols)mask_served(wanted[r], self->served_input[r], choice[r]);
            moves->to[r] = choice[r];
        }
    }
    moves->starts = chosen;
    moves->pops |= chosen;
}

/* The VC of an input that was chosen for a row. */
static inline rtr_vc choose_vc(struct subswitch *self, const cross_all may[RTR_ROWS],
                               const struct moves *moves, int input)
{
    cross_vcs set = 0;

    for (int r = 0; r < RTR_ROWS; r++) {
        set |= (u1)(moves->to[r] >> input) ? vcs_of(may[r], input) : (cross_vcs)0;
    }
    cross_vcs vc = (cross_vcs)mask_pick(set, self->served_vc[input]);

    self->served_vc[input] = (cross_vcs)mask_served(set, self->served_vc[input], vc);
    return (rtr_vc)mask_index(vc);
}

static inline struct moves arbitrate(struct subswitch *self, const struct fronts *fronts)
{
    cross_all may[RTR_ROWS];
    struct moves moves = {};
    rtr_cols more = streaming(self, fronts);

    for (int r = 0; r < RTR_ROWS; r++) {
        u1 credit = !(u1)(self->credit[r].out.spent >> self->sends_vc[r]);

        may[r] = eligible(self, fronts, r);
        moves.to[r] = credit ? (rtr_cols)(self->from[r] & more) : (rtr_cols)0;
        moves.pops |= moves.to[r];
    }
    match(self, may, &moves);
    for (int i = 0; i < RTR_COLS; i++) {
        moves.vc[i] = self->vc[i];
        if ((u1)(moves.starts >> i)) {
            moves.vc[i] = choose_vc(self, may, &moves, i);
        }
    }
    return moves;
}

/* ---- what follows ------------------------------------------------------------------------------ */

/* Column busses: the flits popped in the call before. */
static inline void drive(struct subswitch *self)
{
    rtr_code code[8] = {};
    u1 spoilt[8] = {};

    for (int i = 0; i < RTR_COLS; i++) {
        code[i] = self->buffer[i].out.code;
        spoilt[i] = self->buffer[i].out.spoilt;
    }
    for (int r = 0; r < RTR_ROWS; r++) {
        rtr_code mark = spoilt[self->sender[r]] ? rtr_encode(0, 1) : (rtr_code)0;

        self->out.column[r] = (struct column_flit){
            .valid = (u1)(self->sends >> r),
            .vc = self->sends_vc[r],
            .tail = (u1)(self->tail >> r),
            .code = one_of_codes(code, self->sender[r]) ^ mark,
        };
    }
}

/* Packets begin and end: who holds which VC, and where each input and bus stands. */
static inline void follow(struct subswitch *self, const struct fronts *fronts,
                          const struct moves *moves)
{
    rtr_cols tails = 0;

    for (int i = 0; i < RTR_COLS; i++) {
        cross_vcs vc = (cross_vcs)((cross_vcs)(u1)(moves->pops >> i) << moves->vc[i]);
        u1 tail = (vcs_of(fronts->tail, i) & vc) != 0;

        self->vc[i] = moves->vc[i];
        self->started |= at_input(vc, i);
        self->started &= tail ? ~at_input(vc, i) : (cross_all)-1;
        tails |= (rtr_cols)((rtr_cols)tail << i);
    }
    self->open = (rtr_cols)((self->open | moves->pops) & ~tails);
    self->sends = 0;
    self->tail = 0;
    for (int r = 0; r < RTR_ROWS; r++) {
        rtr_cols to = moves->to[r];
        u1 tail = (to & tails) != 0;
        u3 sender = mask_index(to);

        self->from[r] = (rtr_cols)(self->from[r] & ~moves->pops);
        if (to != 0) {
            cross_vcs vc = (cross_vcs)((cross_vcs)1 << moves->vc[sender]);

            self->from[r] = to;
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
            .push_control = (row_buffer_control)((row_buffer_control)row_of(self, flit, i) |
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
