// SPDX-License-Identifier: Apache-2.0
/*
 * router.c - the matrix of tiles: wires, the turn of the loads, the configuration bus.
 */
#include "router/router.h"

HLS_RESET void router_reset(struct router *self)
{
    self->out = (struct router_out){0};
    self->bus = (struct reg_request){0};
    self->busy = 0;
    self->patience = 0;
    self->now = 0;
    self->turn = 0;
    self->load = (struct load_note){0};
    for (int i = 0; i < RTR_PORTS; i++) {
        tile_reset(&self->tile[i]);
    }
}

/* What tile (row, col) gets from its own port, its row and its column. */
static inline struct tile_in wires(const struct router *self, const struct router_in *in, int row,
                                   int col)
{
    struct tile_in to = {
        .from_link = in->from_link[row * RTR_COLS + col],
        .load = self->load,
        .here = {.row = (rtr_row)row, .col = (rtr_col)col},
        .processor = is_processor(row * RTR_COLS + col),
        .now = self->now,
        .bus = self->bus,
    };

    for (int c = 0; c < RTR_COLS; c++) {
        const struct tile_out *other = &self->tile[row * RTR_COLS + c].out;

        to.row_in[c] = other->row;
        to.row_freed[c] = other->freed_row[col];
    }
    for (int r = 0; r < RTR_ROWS; r++) {
        const struct tile_out *other = &self->tile[r * RTR_COLS + col].out;

        to.column_in[r] = other->column[row];
        to.column_freed[r] = other->freed_column[row];
    }
    return to;
}

/* A load as it is broadcast. */
static inline rtr_told saturate(rtr_load load)
{
    return (u1)(load >> 6) ? (rtr_told)-1 : (rtr_told)load;
}

/* One column after the other broadcasts to all tiles which of its ports are dead, and their loads. */
static inline void take_turns(struct router *self, const struct router_in *in)
{
    self->load.col = self->turn;
    self->load.dead = 0;
    for (int row = 0; row < RTR_ROWS; row++) {
        struct load_pair load[8] = {};
        u8 dead = 0;

        for (int col = 0; col < RTR_COLS; col++) {
            load[col] = self->tile[row * RTR_COLS + col].out.load;
            dead |= (u8)((u8)in->from_link[row * RTR_COLS + col].dead << col);
        }
        self->load.dead |= (rtr_rows)((rtr_rows)(u1)(dead >> self->turn) << row);
        self->load.request[row] = saturate(load[self->turn].of_requests);
        self->load.response[row] = saturate(load[self->turn].of_responses);
    }
    self->turn = self->turn == RTR_COLS - 1 ? (rtr_col)0 : (rtr_col)(self->turn + 1);
}

/* One request at a time; a tile that does not exist never answers, so the router does when patience is 0. */
static inline void configuration(struct router *self, const struct router_in *in)
{
    struct reg_reply reply = {0};
    uint(RTR_PORTS) ready = 0, error = 0;
    u1 begins = in->bus.valid && !self->busy && !self->out.bus.ready;

    for (int i = 0; i < RTR_PORTS; i++) {
        ready |= (uint(RTR_PORTS))self->tile[i].out.bus.ready << i;
        error |= (uint(RTR_PORTS))self->tile[i].out.bus.error << i;
        reply.rdata |= self->tile[i].out.bus.rdata;
    }
    reply.ready = self->busy && (ready != 0 || self->patience == 0);
    reply.error = error != 0 || (reply.ready && ready == 0);
    self->bus = in->bus;
    self->bus.valid = begins;
    self->busy = begins || (self->busy && !reply.ready);
    self->patience = begins ? (u6)63 : (u6)(self->patience - (self->patience != 0));
    self->out.bus = reply;
}

#if DEV_MAINT
static inline u1 any_busy(const struct router *self)
{
    uint(RTR_PORTS) busy = 0;

    for (int i = 0; i < RTR_PORTS; i++) {
        const struct tile_busy *tile = &self->tile[i].out.busy;

        busy |= (uint(RTR_PORTS))(u1)(tile->input | tile->cross | tile->output) << i;
    }
    return busy != 0;
}
#endif

HLS_MODULE void router(struct router *self, const struct router_in *in)
{
    struct tile_in to[RTR_PORTS];

    for (int i = 0; i < RTR_PORTS; i++) {
        to[i] = wires(self, in, i / RTR_COLS, i % RTR_COLS);
    }
    configuration(self, in);
    take_turns(self, in);
#if DEV_MAINT
    self->out.busy = any_busy(self);
#endif
    self->now++;
    for (int i = 0; i < RTR_PORTS; i++) {
        tile(&self->tile[i], &to[i]);
    }
    for (int i = 0; i < RTR_PORTS; i++) {
        self->out.to_link[i] = self->tile[i].out.to_link;
    }
}
