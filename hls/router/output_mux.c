// SPDX-License-Identifier: Apache-2.0
/*
 * output_mux.c - from the column buffers of a tile to its link, packet by packet.
 *
 * Call t chooses a packet, if none is open, and pops a flit; t + 1 decodes it into the output register. When the
 * link does not take what is there, the popped flit waits in the read register of its column buffer, and
 * nothing more is popped.
 */
#include "router/output_mux.h"

#include "router/masks.h"
#include "router/packet.h"
#include "router/rtr_ecc.h"

#define REQUESTS   ((column_buffer_vcs)((1 << RTR_VCS / 2) - 1))
#define EVERY_TURN 3  /* of four: a packet need not be whole */
#define REST_TURN  15 /* of sixteen: the other rows go first */
#define LOAD_MOST  127

/* What is popped in this clock. */
struct taken {
    u1 pop;
    u1 start; /* it is the head of a packet chosen in this clock */
    u1 tail;
    rtr_row row;
    rtr_vc vc;
};

HLS_RESET void output_mux_reset(struct output_mux *self)
{
    self->out = (struct output_mux_out){};
    for (int r = 0; r < RTR_ROWS; r++) {
        column_buffer_reset(&self->buffer[r]);
        column_packets_reset(&self->whole[r]);
        self->vc_after[r] = 0;
    }
    self->open = 0;
    self->row = 0;
    self->vc = 0;
    self->turn = 0;
    self->first = 0;
    self->popped = 0;
    self->popped_head = 0;
    self->popped_tail = 0;
    self->bad = 0;
    self->cut = 0;
    self->flits = 0;
    self->row_after = 0;
    self->rest_after = 0;
    self->rest = 0;
}

/* ---- choice -------------------------------------------------------------------------------------- */

/* Rows with a packet that has room, or only those of which one such packet is whole; of them those that go first. */
static inline rtr_rows candidates(const struct output_mux *self, const struct output_mux_in *in,
                                  u1 *whole)
{
    rtr_rows ready = 0, complete = 0;

    for (int r = 0; r < RTR_ROWS; r++) {
        column_buffer_vcs vcs = self->buffer[r].out.valid & in->room;
        u1 any = vcs != 0;
        u1 any_whole = (self->whole[r].out.used & vcs) != 0;

        ready |= (rtr_rows)((rtr_rows)any << r);
        complete |= (rtr_rows)((rtr_rows)any_whole << r);
    }
    *whole = complete != 0 && (u2)self->turn != EVERY_TURN;
    rtr_rows all = *whole ? complete : ready;
    rtr_rows first = all & self->first;

    return first != 0 ? first : all;
}

/* VCs of which any row has a flit. */
static inline column_buffer_vcs waiting(const struct output_mux *self)
{
    column_buffer_vcs vcs = 0;

    for (int r = 0; r < RTR_ROWS; r++) {
        vcs |= self->buffer[r].out.valid;
    }
    return vcs;
}

/*
 * The next flit of the open packet, or the head of one that is chosen: row, then VC, in rounds. Room does not know of a
 * packet chosen in the clock before: behind it none is chosen while one waits without room to spare, so that this one is
 * not passed over.
 */
static inline struct taken take(struct output_mux *self, const struct output_mux_in *in, u1 may)
{
    column_buffer_vcs valid[8] = {}, used[8] = {}, tail[8] = {};
    column_buffer_vcs vcs_here = waiting(self);
    u1 pauses = self->out.start.valid && (vcs_here & in->room & ~in->spare) != 0;
    u1 whole;

    if (!hls_when(vcs_here != 0)) {
        return (struct taken){.vc = self->open ? self->vc : (rtr_vc)0};
    }
    rtr_rows rows = candidates(self, in, &whole);
    rtr_rows turn = (rtr_rows)mask_turn(rows, self->rest ? self->rest_after : self->row_after);
    rtr_row row = self->open ? self->row : (rtr_row)mask_index(mask_lowest(turn));
    u1 start = may && !self->open && !pauses && rows != 0;

    for (int r = 0; r < RTR_ROWS; r++) {
        valid[r] = self->buffer[r].out.valid;
        used[r] = self->whole[r].out.used;
        tail[r] = self->buffer[r].out.front[0];
    }
    column_buffer_vcs vcs = valid[row] & in->room & (whole ? used[row] : (column_buffer_vcs)-1);
    column_buffer_vcs vc_turn = (column_buffer_vcs)mask_turn(vcs, self->vc_after[row]);
    rtr_vc vc = self->open ? self->vc : (rtr_vc)mask_index(mask_lowest(vc_turn));

    if (start) {
        rtr_rows after = (rtr_rows)mask_above(turn);

        self->row_after = self->rest ? self->row_after : after;
        self->rest_after = self->rest ? after : self->rest_after;
        self->vc_after[row] = (column_buffer_vcs)mask_above(vc_turn);
        self->turn++;
    }
    return (struct taken){
        .pop = start || (may && self->open && (u1)(valid[row] >> vc)),
        .start = start,
        .tail = (u1)(tail[row] >> vc),
        .row = row,
        .vc = vc,
    };
}

/* ---- output register ------------------------------------------------------------------------------------- */

/*
 * The flit popped last goes to the output register. The link frames by the head's length and charges its VC: a head with
 * two wrong bits is sent alone, marked bad, on the VC of its buffer, and nothing of its packet follows.
 */
static inline void drive(struct output_mux *self)
{
    rtr_code code[8] = {};
    u1 uncorrectable[8] = {};

    for (int r = 0; r < RTR_ROWS; r++) {
        code[r] = self->buffer[r].out.code;
        uncorrectable[r] = self->buffer[r].out.uncorrectable;
    }
    struct rtr_fixed fixed = rtr_decode(one_of_codes(code, self->row));
    u1 bad = self->bad || fixed.bad || uncorrectable[self->row];
    u1 cut = self->popped_head && fixed.fatal;
    u1 tail = self->popped_tail || cut;

    self->out.valid = !self->cut;
    self->out.flit = cut ? head_cut(fixed.flit, self->vc) : fixed.flit;
    self->out.head = self->popped_head;
    self->out.tail = tail;
    self->out.bad = bad && tail;
    self->bad = bad && !tail;
    self->cut = (self->cut || cut) && !self->popped_tail;
    self->out.corrected = fixed.corrected;
    self->out.fatal = fixed.fatal;
}

/* ---- load, stalls, credits -------------------------------------------------------------------- */

static inline void report(struct output_mux *self, const struct output_mux_in *in,
                          const struct taken *taken)
{
    column_buffer_vcs stalled = 0;
    rtr_load waiting = self->flits > LOAD_MOST ? (rtr_load)LOAD_MOST : (rtr_load)self->flits;
    u4 arrived = 0;

    for (int r = 0; r < RTR_ROWS; r++) {
        stalled |= self->buffer[r].out.valid;
        arrived += in->column[r].valid;
        self->out.corrected |= self->buffer[r].out.corrected;
        self->out.fatal |= self->buffer[r].out.fatal;
        self->out.freed[r] =
            (struct vc_note){.valid = taken->pop && taken->row == r, .vc = taken->vc};
    }
    stalled &= ~in->room & ~(column_buffer_vcs)((column_buffer_vcs)self->open << self->vc);
    self->out.stall_request = (stalled & REQUESTS) != 0;
    self->out.stall_response = (stalled & ~REQUESTS) != 0;
    self->out.start = (struct vc_note){.valid = taken->start, .vc = taken->vc};
    self->out.load = (rtr_load)(((unsigned)waiting + in->peer_load) >> 1);
    self->flits = (uint(RTR_VC_BITS + RTR_COL_LOG2 + 4))(self->flits + arrived - taken->pop);
}

static inline void buffers(struct output_mux *self, const struct output_mux_in *in,
                           const struct taken *taken)
{
    for (int r = 0; r < RTR_ROWS; r++) {
        const struct column_flit *flit = &in->column[r];
        u1 pop = taken->pop && taken->row == r;
        u1 counted = (u1)(self->whole[r].out.used >> taken->vc);
        struct column_buffer_in to = {
            .push = flit->valid,
            .push_vc = flit->vc,
            .push_control = flit->tail,
            .push_code = flit->code,
            .pop = pop,
            .pop_vc = taken->vc,
        };
        struct column_packets_in tails = {
            .taken = {.valid = flit->valid && flit->tail, .vc = flit->vc},
            .given = {.valid = pop && taken->tail && counted, .vc = taken->vc},
        };

        column_buffer(&self->buffer[r], &to);
        column_packets(&self->whole[r], &tails);
    }
}

HLS_MODULE void output_mux(struct output_mux *self, const struct output_mux_in *in)
{
    u1 free = !self->out.valid || in->ready;
    struct taken taken = take(self, in, !self->popped || free);

    self->rest = self->turn == REST_TURN && in->first != 0;
    self->first = self->rest ? (rtr_rows)~in->first : in->first;
    self->out.corrected = 0;
    self->out.fatal = 0;
    if (free) {
        self->out.valid = 0;
    }
    if (self->popped && free) {
        drive(self);
    }
    report(self, in, &taken);
    buffers(self, in, &taken);

    self->popped = taken.pop || (self->popped && !free);
    if (taken.pop) {
        self->popped_head = taken.start;
        self->popped_tail = taken.tail;
        self->open = !taken.tail;
        self->row = taken.row;
        self->vc = taken.vc;
    }
}
