// SPDX-License-Identifier: Apache-2.0
/*
 * ss_link_port.c - an LCB joined to a port of the router.
 *
 * The LCB's registers drive the router's port directly. A dead link reports every packet that is still sent to it, so the
 * router's output drains; packets that come for a dead port are dropped by the router.
 */
#include "seastar/link/ss_link_port.h"

HLS_RESET void ss_link_port_reset(struct ss_link_port *self)
{
    self->out = (struct ss_link_port_out){.state = LINK_TRAIN};
    self->held = 0;
    self->load = 0;
    lcb_reset(&self->lcb);
}

/* Flits in the router's input: what the LCB handed up less what the router passed on. */
static inline void keep_load(struct ss_link_port *self, const struct ss_link_port_in *in)
{
    self->held += self->lcb.out.rx_valid;
    /* ss_input gives each flit back once. */
    hls_assume(self->held != 0 || !in->from_router.freed.valid);
    self->held -= in->from_router.freed.valid;
    self->load = self->held >> 2 < 127 ? (u7)(self->held >> 2) : (u7)127;
}

static inline void forward(struct ss_link_port *self)
{
    self->out.to_router.valid = self->lcb.out.rx_valid;
    self->out.to_router.flit = self->lcb.out.rx_flit;
    self->out.to_router.bad = self->lcb.out.rx_bad;
    self->out.to_router.whole = self->lcb.out.rx_whole;
    self->out.to_router.ready = self->lcb.out.flit_ready;
    self->out.to_router.room = (ss_vcs)self->lcb.out.room;
    for (int lane = 0; lane < LANES; lane++) {
        self->out.cable.lane[lane] = self->lcb.out.tx_lane[lane];
    }
    self->out.report.valid = self->lcb.out.report_valid;
    self->out.report.bad = self->lcb.out.report_bad;
    self->out.report.flit = self->lcb.out.report_flit;
    self->out.state = self->lcb.out.state;
    self->out.bus = self->lcb.out.bus;
}

HLS_MODULE void ss_link_port(struct ss_link_port *self, const struct ss_link_port_in *in)
{
    struct lcb_in to = {
        .flit_valid = in->from_router.valid,
        .flit_bad = in->from_router.bad,
        .flit = in->from_router.flit,
        .start_valid = in->from_router.start.valid,
        .start_vc = in->from_router.start.vc,
        .freed_valid = in->from_router.freed.valid,
        .freed_vc = in->from_router.freed.vc,
        .load = self->load,
        .now = in->now,
        .restart = in->restart,
        .identity = in->identity,
        .rx_lane_valid = in->cable_in.lane_valid,
        .rx_lane_up = in->cable_in.lane_up,
        .rx_lane = {in->cable_in.lane[0], in->cable_in.lane[1], in->cable_in.lane[2],
                    in->cable_in.lane[3]},
        .bus = in->bus,
    };
    enum link_state state = self->lcb.out.state;

    self->out.to_router.dead = state == LINK_DEAD || state == LINK_FLUSH || state == LINK_LOOP;
    keep_load(self, in);
    lcb(&self->lcb, &to);
    forward(self);
}
