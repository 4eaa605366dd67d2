// SPDX-License-Identifier: Apache-2.0
/*
 * link_port.c - an LCB joined to a port of the router.
 *
 * The LCB's registers drive the router's port directly. A dead link reports every packet that is still sent to
 * it, so the router's output drains; ports that route must avoid are marked dead one clock later.
 */
#include "chip/link_port.h"

HLS_RESET void link_port_reset(struct link_port *self)
{
    self->out = (struct link_port_out){.state = LINK_TRAIN};
    self->held = 0;
    self->load = 0;
#if LCB_PACKET
    self->coming = 0;
#endif
    lcb_reset(&self->lcb);
}

/*
 * Flits in the input queue: what the LCB handed up less what the router passed on. A packet counts with its end, as the router gives
 * nothing back before, and not at all if that says that it comes again.
 */
static inline void keep_load(struct link_port *self, const struct link_port_in *in)
{
#if LCB_PACKET
    const struct lcb_out *lcb = &self->lcb.out;
    u1 ends = lcb->rx_valid && lcb->rx_tail;
    lcb_phits came = (lcb_phits)(self->coming + lcb->rx_valid);

    self->held += ends && lcb->rx_ok != OK_CUT ? came : (lcb_phits)0;
    self->coming = ends ? (lcb_phits)0 : came;
#else
    self->held += self->lcb.out.rx_valid;
#endif
    /* inq_store gives each flit back once. */
    hls_assume(self->held != 0 || !in->from_router.freed.valid);
    self->held -= in->from_router.freed.valid;
    self->load = self->held >> 2 < 127 ? (u7)(self->held >> 2) : (u7)127;
}

static inline void forward(struct link_port *self)
{
    self->out.to_router.valid = self->lcb.out.rx_valid;
    self->out.to_router.flit = self->lcb.out.rx_flit;
#if LCB_PACKET
    self->out.to_router.tail = self->lcb.out.rx_tail;
    self->out.to_router.ok = self->lcb.out.rx_ok;
#else
    self->out.to_router.bad = self->lcb.out.rx_bad;
#endif
    self->out.to_router.ready = self->lcb.out.flit_ready;
    self->out.to_router.room = (rtr_vcs)self->lcb.out.room;
    self->out.to_router.spare = (rtr_vcs)self->lcb.out.spare;
    self->out.to_router.peer_load = self->lcb.out.peer_load;
    self->out.to_router.far_request = self->lcb.out.far_request;
    self->out.to_router.far_response = self->lcb.out.far_response;
#if LANE_PACE > 1
    self->out.cable.lane_valid = self->lcb.out.tx_lane_valid;
#endif
    for (int lane = 0; lane < LANES; lane++) {
        self->out.cable.lane[lane] = self->lcb.out.tx_lane[lane];
    }
    self->out.report.valid = self->lcb.out.report_valid;
    self->out.report.bad = self->lcb.out.report_bad;
    self->out.report.flit = self->lcb.out.report_flit;
#if LCB_PACKET
    self->out.report.head = self->lcb.out.report_head;
    self->out.report.tail = self->lcb.out.report_tail;
#else
    self->out.peer_now_valid = self->lcb.out.peer_now_valid;
    self->out.peer_now = self->lcb.out.peer_now;
    self->out.peer_age = self->lcb.out.peer_age;
#endif
    self->out.state = self->lcb.out.state;
    self->out.tx_map = self->lcb.out.tx_map;
    self->out.rx_map = self->lcb.out.rx_map;
    self->out.bus = self->lcb.out.bus;
#if DEV_MAINT
    self->out.waits = self->lcb.out.waits;
#endif
}

HLS_MODULE void link_port(struct link_port *self, const struct link_port_in *in)
{
    struct lcb_in to = {
        .flit_valid = in->from_router.valid,
        .flit_bad = in->from_router.bad,
#if LCB_PACKET
        .flit_head = in->from_router.head,
        .flit_tail = in->from_router.tail,
        .refused = in->from_router.refused,
#else
        .now = in->now,
#endif
        .flit = in->from_router.flit,
        .start_valid = in->from_router.start.valid,
        .start_vc = in->from_router.start.vc,
        .freed_valid = in->from_router.freed.valid,
        .freed_vc = in->from_router.freed.vc,
        .load = self->load,
        .restart = in->restart,
        .identity = in->identity,
        .rx_lane_valid = in->cable_in.lane_valid,
        .rx_lane_up = in->cable_in.lane_up,
        .rx_lane = {in->cable_in.lane[0], in->cable_in.lane[1], in->cable_in.lane[2]},
        .bus = in->bus,
    };

    enum link_state state = self->lcb.out.state;

    self->out.to_router.dead = state == LINK_DEAD || state == LINK_FLUSH || state == LINK_LOOP;
    keep_load(self, in);
    lcb(&self->lcb, &to);
    forward(self);
}
