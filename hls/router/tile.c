// SPDX-License-Identifier: Apache-2.0
/*
 * tile.c - one tile: the input side of its port, the subswitch where its row meets its column, and the
 * output side of its port.
 */
#include "router/tile.h"

HLS_RESET void tile_reset(struct tile *self)
{
    self->out = (struct tile_out){0};
    input_queue_reset(&self->queue);
    subswitch_reset(&self->sub);
    output_mux_reset(&self->mux);
    tile_ctl_reset(&self->ctl);
}

static inline struct input_queue_in to_input(const struct tile *self, const struct tile_in *in)
{
    struct input_queue_in to = {
        .valid = in->from_link.valid,
        .flit = in->from_link.flit,
        .bad = in->from_link.bad,
#if RTR_LENGTH_BITS == 0
        .tail = in->from_link.tail,
        .ok = in->from_link.ok,
#endif
        .load = in->load,
        .here = in->here,
        .config = self->ctl.out.config,
    };

    for (int i = 0; i < RTR_COLS; i++) {
        to.row_freed[i] = in->row_freed[i];
    }
    return to;
}

static inline struct subswitch_in to_subswitch(const struct tile_in *in)
{
    struct subswitch_in to = {.here = in->here};

    for (int i = 0; i < RTR_COLS; i++) {
        to.row[i] = in->row_in[i];
    }
    for (int i = 0; i < RTR_ROWS; i++) {
        to.column_freed[i] = in->column_freed[i];
    }
    return to;
}

/* Half of the patience with a port that takes nothing has passed. */
static inline u1 half_patience(const struct tile *self, const struct tile_in *in)
{
    u1 short_turn = (u12)in->now == 0;
    u1 middle_turn = short_turn && (u4)(in->now >> 12) == 0;
    u1 long_turn = middle_turn && (u4)(in->now >> 16) == 0;

    switch (self->ctl.out.patience) {
    case 0:
        return long_turn && in->processor;
    case 1:
        return short_turn;
    case 2:
        return middle_turn;
    default:
        return 0;
    }
}

static inline struct output_mux_in to_output(const struct tile *self, const struct tile_in *in)
{
    struct output_mux_in to = {
        .ready = in->from_link.ready,
        .room = in->from_link.room,
        .spare = in->from_link.spare,
        .first = self->ctl.out.first,
        .tick = half_patience(self, in),
        .peer_load = in->from_link.peer_load,
        .far_request = in->from_link.far_request,
        .far_response = in->from_link.far_response,
    };

    for (int i = 0; i < RTR_ROWS; i++) {
        to.column[i] = in->column_in[i];
    }
    return to;
}

static inline struct tile_ctl_in to_ctl(const struct tile *self, const struct tile_in *in)
{
    return (struct tile_ctl_in){
        .bus = in->bus,
        .here = in->here,
        .now = in->now,
        .input = self->queue.out.events,
        .stall_request = self->mux.out.stall_request,
        .stall_response = self->mux.out.stall_response,
        .corrected = self->sub.out.corrected | self->mux.out.corrected,
        .fatal = self->sub.out.fatal | self->mux.out.fatal,
        .dropped = self->mux.out.dropped,
    };
}

/* The children's registers are the tile's: of each child. */
static inline void forward_queue(struct tile *self)
{
    self->out.to_link.freed = self->queue.out.freed;
#if RTR_LENGTH_BITS == 0
    self->out.to_link.refused = self->queue.out.refused;
#endif
    self->out.row = self->queue.out.row;
#if DEV_MAINT
    self->out.busy.input = self->queue.out.busy;
#endif
}

static inline void forward_subswitch(struct tile *self)
{
    for (int i = 0; i < RTR_COLS; i++) {
        self->out.freed_row[i] = self->sub.out.freed[i];
    }
    for (int i = 0; i < RTR_ROWS; i++) {
        self->out.column[i] = self->sub.out.column[i];
    }
#if DEV_MAINT
    self->out.busy.cross = self->sub.out.busy;
#endif
}

static inline void forward_output(struct tile *self)
{
    self->out.to_link.valid = self->mux.out.valid;
    self->out.to_link.flit = self->mux.out.flit;
    self->out.to_link.head = self->mux.out.head;
    self->out.to_link.tail = self->mux.out.tail;
    self->out.to_link.bad = self->mux.out.bad;
    self->out.to_link.start = self->mux.out.start;
    self->out.load = self->mux.out.load;
#if DEV_MAINT
    self->out.busy.output = self->mux.out.busy;
#endif
    for (int i = 0; i < RTR_ROWS; i++) {
        self->out.freed_column[i] = self->mux.out.freed[i];
    }
}

HLS_MODULE void tile(struct tile *self, const struct tile_in *in)
{
    struct input_queue_in input = to_input(self, in);
    struct subswitch_in cross = to_subswitch(in);
    struct output_mux_in output = to_output(self, in);
    struct tile_ctl_in ctl = to_ctl(self, in);

    input_queue(&self->queue, &input);
    subswitch(&self->sub, &cross);
    output_mux(&self->mux, &output);
    tile_ctl(&self->ctl, &ctl);
    forward_queue(self);
    forward_subswitch(self);
    forward_output(self);
    self->out.bus = self->ctl.out.bus;
}
