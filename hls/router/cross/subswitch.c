// SPDX-License-Identifier: Apache-2.0
/*
 * subswitch.c - from the row buffers to the column busses of a tile.
 *
 * Sets of {input, VC} are one word, sets of inputs, rows or VCs a mask. A column bus stays with the
 * packet that owns it as long as that packet has a flit and credit; each other input offers a flit for one of the
 * other busses, and each of those takes one of its offers.
 */
#include "router/cross/subswitch.h"

#include "router/flit/masks.h"
#include "router/flit/rtr_ecc.h"

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
    rtr_cols pops;
    rtr_cols tails; /* inputs whose flit, if it goes, is a tail */
    cross_vcs busy
        [8]; /* VCs of this row that a packet holds; not one that is on its way: its VC is free when its row is */
    cross_vcs free[8]; /* VCs of this row for which flits may be offered for the next clock */
};

HLS_RESET void subswitch_reset(struct subswitch *self)
{
    self->out = (struct subswitch_out){};
    self->may = 0;
    self->started = 0;
    self->offers = 0;
    self->offers_tail = 0;
    self->offers_first = 0;
    self->after = 0;
    for (int v = 0; v < CROSS_VCS; v++) {
        self->token[v] = 1;
    }
    for (int i = 0; i < RTR_COLS; i++) {
        row_buffer_reset(&self->buffer[i]);
        self->vc[i] = 0;
        self->row[i] = 0;
    }
    for (int r = 0; r < RTR_ROWS; r++) {
        column_credit_reset(&self->credit[r]);
        self->bus[r] = (struct column_state){};
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
static inline void weigh(struct subswitch *self, const struct subswitch_in *in)
{
    for (int r = 0; r < RTR_ROWS; r++) {
        self->load[r] += (cross_load)self->bus[r].sends - (cross_load)in->column_freed[r].valid;
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

static inline void weigh(struct subswitch *self, const struct subswitch_in *in)
{
    (void)self;
    (void)in;
}
#endif

/* ---- which flits may go ----------------------------------------------------------------------------------- */

static inline struct fronts gather(const struct subswitch *self)
{
    struct fronts fronts = {};

    for (int i = 0; i < RTR_COLS; i++) {
        if (!hls_when(self->buffer[i].out.valid != 0)) {
            continue;
        }
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

/* Flits that could go if their row is free and has credit: those of a packet that has begun, and heads whose VC no packet holds. */
static inline cross_all eligible(const struct subswitch *self, const struct fronts *fronts,
                                 const cross_vcs busy[8])
{
    cross_all blocked = 0;

    if (hls_when((fronts->valid & ~self->started) != 0)) {
        blocked = at_row(fronts, busy);
    }
    return fronts->valid & (self->started | ~blocked);
}

/* ---- which flits go ---------------------------------------------------------------------------------- */

/* Inputs with another flit of the VC that they sent last. */
static inline rtr_cols going_on(const struct subswitch *self)
{
    rtr_cols inputs = 0;

    for (int i = 0; i < RTR_COLS; i++) {
        inputs |= (rtr_cols)((rtr_cols)self->buffer[i].out.more << i);
    }
    return inputs;
}

/* Of those whose flit was a tail: inputs whose next packet is for the same row. */
static inline rtr_cols following(const struct subswitch *self)
{
    rtr_cols inputs = 0;

    for (int i = 0; i < RTR_COLS; i++) {
        if (!hls_when(self->buffer[i].out.more)) {
            continue;
        }
        u1 same = (rtr_row)self->buffer[i].out.behind == self->row[i];

        inputs |= (rtr_cols)((rtr_cols)same << i);
    }
    return inputs & ~self->offers;
}

/* Of those whose flit was not a tail: inputs whose packet goes on behind that other flit. */
static inline rtr_cols running(const struct subswitch *self)
{
    rtr_cols inputs = 0;

    for (int i = 0; i < RTR_COLS; i++) {
        if (!hls_when(self->buffer[i].out.more)) {
            continue;
        }
        u1 runs = self->buffer[i].out.more && !(u1)(self->buffer[i].out.behind >> ROW_BUFFER_TAIL);

        inputs |= (rtr_cols)((rtr_cols)runs << i);
    }
    return inputs;
}

/* Inputs whose flit is a tail: the one that is offered, or the one behind that sent last. */
static inline rtr_cols tails_of(const struct subswitch *self)
{
    rtr_cols tails = self->offers & self->offers_tail;

    for (int i = 0; i < RTR_COLS; i++) {
        if (!hls_when(self->buffer[i].out.more)) {
            continue;
        }
        u1 behind = (u1)(self->buffer[i].out.behind >> ROW_BUFFER_TAIL);

        tails |= (rtr_cols)((rtr_cols)(behind && !(u1)(self->offers >> i)) << i);
    }
    return tails;
}

/* Inputs whose offer is for this row. */
static inline rtr_cols asks_for(const struct subswitch *self, int r)
{
    rtr_cols asks = 0;

    for (int i = 0; i < RTR_COLS; i++) {
        u1 same = self->row[i] == (rtr_row)r;

        asks |= (rtr_cols)((rtr_cols)same << i);
    }
    return asks & self->offers;
}

/*
 * Each row stays with its packet as long as that has a flit and credit; else it takes one of its offers, of the first class if
 * there is one; and without one the next packet of the same VC. Whether it is free in the next clock is known before the choice is made: a packet that goes
 * on says so, and of a row that no packet is in the middle of it is supposed. What was offered to a row that is not free
 * after all waits: it takes none.
 */
static inline struct moves arbitrate(struct subswitch *self)
{
    struct moves moves = {.tails = tails_of(self)};
    rtr_cols more = going_on(self), follows = more & following(self), runs = running(self);

    for (int r = 0; r < RTR_ROWS; r++) {
        const struct column_credit_out *credit = &self->credit[r].out;
        struct column_state *bus = &self->bus[r];

        moves.free[r] = ~credit->few;
        moves.busy[r] = bus->busy;
        if (!hls_when(self->offers != 0 || bus->holder != 0)) {
            continue;
        }
        cross_vcs last = (cross_vcs)((cross_vcs)1 << bus->vc);
        rtr_cols asks = asks_for(self, r), first = asks & self->offers_first;
        u1 few = (u1)(credit->few >> bus->vc);
        u1 resumed = bus->stayed ? bus->resumed : (bus->busy & last) != 0;
        u1 fair = !few && !(bus->stayed && bus->few) && !resumed;
        u1 dry = bus->stayed && credit->spent;
        rtr_cols body = dry ? (rtr_cols)0 : bus->holder & more;
        rtr_cols head = bus->holder & follows;
        u1 asked = asks != 0, stalls = bus->inside && body == 0;
        u1 ends = !bus->inside || dry || (bus->holder & runs) == 0;
        rtr_cols stays = bus->inside ? body : fair && !asked ? head : (rtr_cols)0;
        rtr_cols taken =
            bus->inside ? (rtr_cols)0 : (rtr_cols)mask_serve(first != 0 ? first : asks, bus->after);

        if (taken != 0) {
            bus->after = (rtr_cols)mask_above(taken);
        }
        moves.to[r] = stays | taken;
        moves.pops |= moves.to[r];
        moves.free[r] = ends ? ~(credit->few | (stalls ? last : (cross_vcs)0)) : (cross_vcs)0;
        moves.busy[r] = !bus->sends ? bus->busy : stalls ? bus->busy | last : bus->busy & ~last;
        if (bus->sends) {
            bus->busy = bus->inside ? bus->busy | last : bus->busy & ~last;
            bus->resumed = resumed;
            bus->few = few;
        }
        bus->stayed = stays != 0;
    }
    return moves;
}

/* Of each input one flit, in bit {input, 0} of each set. */
struct choice {
    cross_all valid;
    cross_all ahead;  /* it is behind the VC served last */
    cross_all row[3]; /* bit k of its row */
    cross_all tail;
    cross_all vc[RTR_VC_BITS]; /* bit k of its VC */
};

static inline cross_all either(cross_all right, cross_all set, int step)
{
    return (right & (set >> step)) | (~right & set);
}

/* What inputs may offer: of the first class, or, where there is nothing of that, anything. */
struct offerable {
    cross_all set;
    rtr_cols first; /* inputs with something of the first class */
};

static inline struct offerable best_class(cross_all may, cross_all first)
{
    struct offerable best = {};

    for (int i = 0; i < RTR_COLS; i++) {
        cross_vcs ours = vcs_of(may & first, i);
        u1 any = ours != 0;

        best.first |= (rtr_cols)((rtr_cols)any << i);
        best.set |= at_input(any ? ours : vcs_of(may, i), i);
    }
    return best;
}

/*
 * Round robin by a tree, for all inputs beside each other: of two subtrees that which has a VC behind the one served last,
 * else the left one, if it has any. Row and VC go along with the winner.
 */
static inline struct choice choose(const struct fronts *fronts, cross_all may, cross_all after)
{
    struct choice best = {.valid = may, .ahead = may & after, .tail = fronts->tail};

    for (int k = 0; k < 3; k++) {
        best.row[k] = fronts->row[k];
    }
    for (int level = 0; level < RTR_VC_BITS; level++) {
        int step = 1 << level;
        cross_all right = ~best.valid | ((best.ahead >> step) & ~best.ahead);

        for (int k = 0; k < 3; k++) {
            best.row[k] = either(right, best.row[k], step);
        }
        for (int k = 0; k < level; k++) {
            best.vc[k] = either(right, best.vc[k], step);
        }
        best.vc[level] = right;
        best.tail = either(right, best.tail, step);
        best.valid |= best.valid >> step;
        best.ahead |= best.ahead >> step;
    }
    return best;
}

static inline u1 of_input(cross_all set, int input)
{
    return (u1)(set >> (input << RTR_VC_BITS));
}

/* The offer of an input for the next clock. */
static inline void prepare(struct subswitch *self, const struct choice *best, int input)
{
    rtr_cols bit = (rtr_cols)((rtr_cols)1 << input);
    rtr_vc vc = 0;
    rtr_row row = 0;

    for (int k = 0; k < RTR_VC_BITS; k++) {
        vc |= (rtr_vc)((rtr_vc)of_input(best->vc[k], input) << k);
    }
    for (int k = 0; k < 3; k++) {
        row |= (rtr_row)((rtr_row)of_input(best->row[k], input) << k);
    }
    self->vc[input] = vc;
    self->row[input] = row;
    self->offers_tail =
        of_input(best->tail, input) ? self->offers_tail | bit : self->offers_tail & ~bit;
}

/* {input, VC} of the first class: packets that have begun, and heads with the token of their VC. */
static inline cross_all first_class(const struct subswitch *self)
{
    cross_all first = self->started;

    for (int v = 0; v < CROSS_VCS; v++) {
        for (int i = 0; i < RTR_COLS; i++) {
            first |= at_input((cross_vcs)((cross_vcs)(u1)(self->token[v] >> i) << v), i);
        }
    }
    return first;
}

/*
 * The token of a VC stays with an input whose head waits, until that goes; else it goes on to the next input, one a clock while there are
 * flits of this VC.
 */
static inline void pass_tokens(struct subswitch *self, cross_all valid, cross_all waits)
{
    for (int v = 0; v < CROSS_VCS; v++) {
        rtr_cols token = self->token[v], waiting = 0, here = 0;

        for (int i = 0; i < RTR_COLS; i++) {
            here |= (rtr_cols)((rtr_cols)(u1)(vcs_of(valid, i) >> v) << i);
            waiting |= (rtr_cols)((rtr_cols)(u1)(vcs_of(waits, i) >> v) << i);
        }
        if (here != 0 && (token & waiting) == 0) {
            self->token[v] = (rtr_cols)(token << 1) | (rtr_cols)(token >> (RTR_COLS - 1));
        }
    }
}

/*
 * What each input offers in the next clock, if it is not in the middle of a packet then: the same as in this one, if that was not taken
 * and may still go, so that no other VC of the input takes its turn; else another, because this one is on its way.
 */
static inline void offer(struct subswitch *self, const struct fronts *fronts,
                         const struct moves *moves, cross_all seen)
{
    cross_all may = 0, own = 0;

    if (hls_when(seen != 0)) {
        may = seen & at_row(fronts, moves->free);
    }
    if (!hls_when(may != 0 || self->offers != 0)) {
        return;
    }
    rtr_cols inside = moves->pops & ~moves->tails, starts = moves->pops & self->offers;

    for (int i = 0; i < RTR_COLS; i++) {
        own |= at_input((cross_vcs)((cross_vcs)(u1)(self->offers >> i) << self->vc[i]), i);
    }
    cross_all first = first_class(self);
    struct offerable others = best_class(may & ~own, first);
    struct choice best = choose(fronts, others.set, self->after);
    rtr_cols offers_first = 0;

    for (int i = 0; i < RTR_COLS; i++) {
        rtr_cols bit = (rtr_cols)((rtr_cols)1 << i);
        u1 any = of_input(best.valid, i), mine = vcs_of(own & first, i) != 0;
        u1 still = vcs_of(may & own, i) != 0 && (moves->pops & bit) == 0;
        u1 again = still && (mine || !any);
        u1 another = any && (inside & bit) == 0 && !again;

        if ((starts & bit) != 0) {
            cross_all behind = at_input((cross_vcs)((cross_vcs)-2 << self->vc[i]), i);

            self->after = (self->after & ~at_input((cross_vcs)-1, i)) | behind;
        }
        if (another) {
            prepare(self, &best, i);
        }
        u1 is_first = another ? (u1)(others.first >> i) : again && mine;

        offers_first |= (rtr_cols)((rtr_cols)is_first << i);
        self->offers = another || again ? self->offers | bit : self->offers & ~bit;
    }
    self->offers_first = offers_first;
}

/* ---- registers ------------------------------------------------------------------------------ */

/* Column busses: the flits popped in the call before. */
static inline void drive(struct subswitch *self)
{
    rtr_code code[8] = {};
    u1 uncorrectable[8] = {};
    u1 any = 0;

    for (int r = 0; r < RTR_ROWS; r++) {
        self->out.column[r].valid = self->bus[r].sends;
        any |= self->bus[r].sends;
    }
    if (!hls_when(any)) {
        return;
    }
    for (int i = 0; i < RTR_COLS; i++) {
        code[i] = self->buffer[i].out.code;
        uncorrectable[i] = self->buffer[i].out.uncorrectable;
    }
    for (int r = 0; r < RTR_ROWS; r++) {
        const struct column_state *bus = &self->bus[r];

        if (!hls_when(bus->sends)) {
            continue;
        }
        rtr_code mark = uncorrectable[bus->sender] ? rtr_encode(0, 1) : (rtr_code)0;

        if (bus->sends) {
            self->out.column[r].vc = bus->vc;
            self->out.column[r].tail = !bus->inside;
            self->out.column[r].code = one_of_codes(code, bus->sender) ^ mark;
        }
    }
}

/* The VC of one of the inputs, one-hot. */
static inline rtr_vc vc_of(const struct subswitch *self, rtr_cols one)
{
    rtr_vc vc = 0;

    for (int i = 0; i < RTR_COLS; i++) {
        vc |= (u1)(one >> i) ? self->vc[i] : (rtr_vc)0;
    }
    return vc;
}

/* What becomes of the fronts, and what each bus carries in the next clock. */
static inline void keep(struct subswitch *self, const struct fronts *fronts,
                        const struct moves *moves, cross_all may)
{
    cross_all popped = 0;

    for (int i = 0; i < RTR_COLS; i++) {
        popped |= at_input((cross_vcs)((cross_vcs)(u1)(moves->pops >> i) << self->vc[i]), i);
    }
    self->may = may & ~popped;
    pass_tokens(self, fronts->valid, fronts->valid & ~self->started & ~popped);
    self->started = (self->started & ~popped) | (popped & ~fronts->tail);
    for (int r = 0; r < RTR_ROWS; r++) {
        struct column_state *bus = &self->bus[r];
        rtr_cols to = moves->to[r];

        if (!hls_when(to != 0 || bus->holder != 0)) {
            continue;
        }
        u1 tail = (to & moves->tails) != 0;
        u3 sender = mask_index(to);

        bus->holder = to;
        bus->sends = to != 0;
        bus->inside = bus->sends && !tail;
        if (bus->sends) {
            bus->sender = sender;
            bus->vc = vc_of(self, to);
        }
    }
}

/* The children: flits in, flits out, credits. */
static inline void move(struct subswitch *self, const struct subswitch_in *in, rtr_cols pops)
{
    self->out.corrected = 0;
    self->out.fatal = 0;
    for (int i = 0; i < RTR_COLS; i++) {
        const struct row_flit *flit = &in->row[i];
        u1 pop = (u1)(pops >> i);
        u1 ours = flit->valid && flit->col == in->here.col;

        self->out.freed[i] = (struct vc_note){.valid = pop, .vc = self->vc[i]};
        if (!hls_when(ours || pop || self->buffer[i].out.more)) {
            continue;
        }
        struct row_buffer_in to = {
            .push = ours,
            .push_vc = flit->vc,
            .push_control = (row_buffer_control)((row_buffer_control)row_of(self, flit, ours, i) |
                                                 (row_buffer_control)((u4)flit->tail << 3)),
            .push_code = flit->code,
            .pop = pop,
            .pop_vc = self->vc[i],
        };

        self->out.corrected |= self->buffer[i].out.corrected;
        self->out.fatal |= self->buffer[i].out.fatal;
        row_buffer(&self->buffer[i], &to);
    }
}

/* The flits that the column busses carry are charged. */
static inline void charge(struct subswitch *self, const struct subswitch_in *in)
{
    for (int r = 0; r < RTR_ROWS; r++) {
        if (!hls_when(self->bus[r].sends || in->column_freed[r].valid)) {
            continue;
        }
        struct column_credit_in to = {
            .taken = {.valid = self->bus[r].sends, .vc = self->bus[r].vc},
            .given = in->column_freed[r],
        };

        column_credit(&self->credit[r], &to);
    }
}

HLS_MODULE void subswitch(struct subswitch *self, const struct subswitch_in *in)
{
    struct fronts fronts = gather(self);
    struct moves moves = {};
    cross_all may = 0;
    u1 works = fronts.valid != 0 || self->may != 0 || self->offers != 0;

    for (int r = 0; r < RTR_ROWS; r++) {
        works |= self->bus[r].sends;
    }
    if (hls_when(works)) {
        moves = arbitrate(self);
        may = eligible(self, &fronts, moves.busy);
    }
    drive(self);
    charge(self, in);
    move(self, in, moves.pops);
    weigh(self, in);
    if (hls_when(works)) {
        cross_all seen = self->may;

        keep(self, &fronts, &moves, may);
        offer(self, &fronts, &moves, seen);
    }
}
