// SPDX-License-Identifier: Apache-2.0
/*
 * output_mux.c - from the column buffers of a tile to its link, packet by packet.
 *
 * Call t chooses a packet, if none is open, and pops a flit; t + 1 decodes it and hands it to the link or, when
 * the link does not take what it was handed before, to a small FIFO.
 */
#include "router/output_mux.h"

#include "router/masks.h"
#include "router/rtr_ecc.h"

#define FIFO_FLITS (1 << OUTPUT_FIFO_LOG2)
#define REQUESTS   ((column_buffer_vcs)((1 << RTR_VCS / 2) - 1))
#define EVERY_TURN 3
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
        self->served_vc[r] = 0;
    }
    self->open = 0;
    self->row = 0;
    self->vc = 0;
    self->turn = 0;
    self->popped = 0;
    self->popped_head = 0;
    self->popped_tail = 0;
    self->bad = 0;
    self->rd = 0;
    self->wr = 0;
    self->waits = 0;
    self->flits = 0;
    self->served_row = 0;
}

/* ---- choice -------------------------------------------------------------------------------------- */

/* Chooses among the packets that have room: row, then VC, in rounds. */
static inline struct taken choose(struct output_mux *self, const struct output_mux_in *in)
{
    column_buffer_vcs ready[RTR_ROWS], whole[RTR_ROWS], vcs[RTR_ROWS];
    rtr_rows any_ready = 0, any_whole = 0;
    struct taken taken = {};

    for (int r = 0; r < RTR_ROWS; r++) {
        ready[r] = self->buffer[r].out.valid & in->room;
        whole[r] = ready[r] & self->whole[r].out.used;
        any_ready |= (rtr_rows)((rtr_rows)(u1)(ready[r] != 0) << r);
        any_whole |= (rtr_rows)((rtr_rows)(u1)(whole[r] != 0) << r);
    }
    u1 prefer = any_whole != 0 && self->turn != EVERY_TURN;
    rtr_rows rows = prefer ? any_whole : any_ready;
    rtr_rows row = (rtr_rows)mask_pick(rows, self->served_row);

    taken.start = rows != 0;
    taken.row = (rtr_row)mask_index(row);
    self->served_row = (rtr_rows)mask_served(rows, self->served_row, row);
    for (int r = 0; r < RTR_ROWS; r++) {
        vcs[r] = prefer ? whole[r] : ready[r];
        if ((u1)(row >> r)) {
            u8 vc = mask_pick(vcs[r], self->served_vc[r]);

            self->served_vc[r] = (column_buffer_vcs)mask_served(vcs[r], self->served_vc[r], vc);
            taken.vc = (rtr_vc)mask_index(vc);
        }
    }
    self->turn += taken.start;
    return taken;
}

/* The FIFO has room for this flit and for the one that is being decoded. */
static inline u1 fifo_has_room(const struct output_mux *self)
{
    output_place filled = self->wr - self->rd;

    return !self->waits || (filled != 0 && filled < FIFO_FLITS - 1);
}

/* The next flit of the open packet, or the head of another one; never two heads in a row. */
static inline struct taken take(struct output_mux *self, const struct output_mux_in *in)
{
    column_buffer_vcs valid[8] = {}, tail[8] = {};
    struct taken taken = {.row = self->row, .vc = self->vc};

    for (int r = 0; r < RTR_ROWS; r++) {
        valid[r] = self->buffer[r].out.valid;
        tail[r] = self->buffer[r].out.front[0];
    }
    if (fifo_has_room(self)) {
        if (self->open) {
            taken.pop = (u1)(valid[self->row] >> self->vc);
        } else if (!self->out.start.valid) {
            taken = choose(self, in);
            taken.pop = taken.start;
        }
    }
    taken.tail = (u1)(tail[taken.row] >> taken.vc);
    return taken;
}

/* ---- way out ------------------------------------------------------------------------------------- */

/* The flit popped in the call before. */
static inline struct output_flit decode(struct output_mux *self)
{
    rtr_code code[8] = {};
    u1 spoilt[8] = {};

    for (int r = 0; r < RTR_ROWS; r++) {
        code[r] = self->buffer[r].out.code;
        spoilt[r] = self->buffer[r].out.spoilt;
    }
    struct rtr_fixed fixed = rtr_decode(one_of_codes(code, self->row));
    u1 bad = self->bad || fixed.bad || spoilt[self->row];

    self->out.corrected = self->popped && fixed.corrected;
    self->out.fatal = self->popped && fixed.fatal;
    for (int r = 0; r < RTR_ROWS; r++) {
        self->out.corrected |= self->buffer[r].out.corrected;
        self->out.fatal |= self->buffer[r].out.fatal;
    }
    if (self->popped) {
        self->bad = bad && !self->popped_tail;
    }
    return (struct output_flit){
        .flit = fixed.flit,
        .head = self->popped_head,
        .tail = self->popped_tail,
        .bad = bad && self->popped_tail,
    };
}

/* To the link at once, or through the FIFO. */
static inline void hand_over(struct output_mux *self, const struct output_mux_in *in,
                             struct output_flit fresh)
{
    struct output_flit oldest = self->fifo[self->rd];
    u1 free = !self->out.valid || in->ready;
    u1 get = free && self->waits;
    u1 put = self->popped && (!free || self->waits);
    struct output_flit next = self->waits ? oldest : fresh;

    if (free) {
        self->out.valid = self->waits || self->popped;
        self->out.flit = next.flit;
        self->out.head = next.head;
        self->out.tail = next.tail;
        self->out.bad = next.bad;
    }
    if (put) {
        self->fifo[self->wr] = fresh;
    }
    self->wr += put;
    self->rd += get;
    self->waits = put || (self->waits && !(get && self->rd == self->wr));
}

/* ---- what others want to know -------------------------------------------------------------------- */

static inline void tell(struct output_mux *self, const struct output_mux_in *in,
                        const struct taken *taken)
{
    column_buffer_vcs stalled = 0;
    rtr_load waiting = self->flits > LOAD_MOST ? (rtr_load)LOAD_MOST : (rtr_load)self->flits;
    u4 arrived = 0;

    for (int r = 0; r < RTR_ROWS; r++) {
        u1 own = self->open && self->row == r;
        column_buffer_vcs body = (column_buffer_vcs)((column_buffer_vcs)own << self->vc);

        stalled |= self->buffer[r].out.valid & ~in->room & ~body;
        arrived += in->column[r].valid;
        self->out.freed[r] =
            (struct vc_note){.valid = taken->pop && taken->row == r, .vc = taken->vc};
    }
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
    struct taken taken = take(self, in);

    hand_over(self, in, decode(self));
    tell(self, in, &taken);
    buffers(self, in, &taken);

    self->popped = taken.pop;
    if (taken.pop) {
        self->popped_head = taken.start;
        self->popped_tail = taken.tail;
        self->open = !taken.tail;
        self->row = taken.row;
        self->vc = taken.vc;
    }
}
