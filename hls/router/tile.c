// SPDX-License-Identifier: Apache-2.0
/*
 * tile.c - one tile: the input side of its port, the subswitch where its row meets its column, and the
 * output side of its port.
 */
#include "router/tile.h"

HLS_RESET void tile_reset(struct tile *self)
{
    self->out = (struct tile_out){0};
    input_queue_reset(&self->input);
    subswitch_reset(&self->subswitch);
    output_mux_reset(&self->output);
    tile_ctl_reset(&self->ctl);
}

static inline struct input_queue_in to_input(const struct tile *self, const struct tile_in *in)
{
    struct input_queue_in to = {
        .valid = in->port.valid,
        .flit = in->port.flit,
        .bad = in->port.bad,
        .load = in->load,
        .dead = in->dead,
        .here = in->here,
        .config = self->ctl.out.config,
    };

    for (int i = 0; i < RTR_COLS; i++) {
        to.freed[i] = in->freed_row[i];
    }
    return to;
}

static inline struct subswitch_in to_subswitch(const struct tile_in *in)
{
    struct subswitch_in to = {.here = in->here};

    for (int i = 0; i < RTR_COLS; i++) {
        to.row[i] = in->row[i];
    }
    for (int i = 0; i < RTR_ROWS; i++) {
        to.freed[i] = in->freed_column[i];
    }
    return to;
}

static inline struct output_mux_in to_output(const struct tile_in *in)
{
    struct output_mux_in to = {
        .ready = in->port.ready,
        .room = in->port.room,
        .peer_load = in->port.peer_load,
    };

    for (int i = 0; i < RTR_ROWS; i++) {
        to.column[i] = in->column[i];
    }
    return to;
}

static inline struct tile_ctl_in to_ctl(const struct tile *self, const struct tile_in *in)
{
    return (struct tile_ctl_in){
        .bus = in->bus,
        .here = in->here,
        .now = in->now,
        .input = self->input.out.events,
        .stall_request = self->output.out.stall_request,
        .stall_response = self->output.out.stall_response,
        .corrected = self->subswitch.out.corrected | self->output.out.corrected,
        .fatal = self->subswitch.out.fatal | self->output.out.fatal,
    };
}

/* The children's registers are the tile's. */
static inline void forward(struct tile *self)
{
    self->out.port.freed = self->input.out.freed;
    self->out.port.valid = self->output.out.valid;
    self->out.port.flit = self->output.out.flit;
    self->out.port.head = self->output.out.head;
    self->out.port.tail = self->output.out.tail;
    self->out.port.bad = self->output.out.bad;
    self->out.port.start = self->output.out.start;
    self->out.row = self->input.out.row;
    self->out.load = self->output.out.load;
    self->out.bus = self->ctl.out.bus;
    for (int i = 0; i < RTR_COLS; i++) {
        self->out.freed_row[i] = self->subswitch.out.freed[i];
    }
    for (int i = 0; i < RTR_ROWS; i++) {
        self->out.column[i] = self->subswitch.out.column[i];
        self->out.freed_column[i] = self->output.out.freed[i];
    }
}

HLS_MODULE void tile(struct tile *self, const struct tile_in *in)
{
    struct input_queue_in input = to_input(self, in);
    struct subswitch_in cross = to_subswitch(in);
    struct output_mux_in output = to_output(in);
    struct tile_ctl_in ctl = to_ctl(self, in);

    input_queue(&self->input, &input);
    subswitch(&self->subswitch, &cross);
    output_mux(&self->output, &output);
    tile_ctl(&self->ctl, &ctl);
    forward(self);
}
