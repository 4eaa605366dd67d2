// SPDX-License-Identifier: Apache-2.0
/*
 * subswitch.c - from the row buffers to the column busses of a tile.
 *
 * Sets of {input, VC} are one word, sets of inputs, rows or VCs a mask. A column bus stays with the
 * packet that owns it as long as that packet has a flit and credit; each other input offers a flit for one of the
 * other busses, and each of those takes one of its offers.
 */
#include "router/cross/subswitch_offer.h"
#include "router/cross/subswitch_row.h"
#include "router/flit/rtr_ecc.h"

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
 * Each row stays with its packet as long as that has a flit and credit; else it takes one of its offers.
 *
 *   the bus is        credit       behind the last flit    offers   goes                      free in the next clock
 *   in a packet       left         a body flit             any      that flit                 no
 *   in a packet       left         its tail                any      the tail                  yes
 *   in a packet       left         nothing                 any      nothing: it stalls        for other VCs
 *   in a packet       spent        any                     any      nothing: it stalls        for other VCs
 *   between packets   any          any                     some     one, of the first class   yes
 *                                                                   if it has one
 *   between packets   any          a head for this row     none     that head, if the turn    yes
 *                                                                   is fair
 *   between packets   any          else                    none     nothing                   yes
 *
 * Free is said of VCs with room for more than a few flits. It is known before the choice is made: what was offered to a row that is
 * not free after all waits. A turn is fair where the VC has room, and the row did not only resume a packet or stay with few places.
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
#if DEV_MAINT
    self->out.busy = fronts.valid != 0;
#endif
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
