// SPDX-License-Identifier: Apache-2.0
/*
 * input_queue.c - the input side of a tile: store, route, staging, and the row bus with its credits.
 *
 * Flits stay in staging by the VC on which they came. The row bus takes one per clock from the VCs that may send
 * and stays with a packet as long as that can go on. In a row buffer packets of one VC are never mixed: a head
 * waits while another packet to the same column and VC is under way.
 */
#include "router/input_queue.h"

HLS_RESET void input_queue_reset(struct input_queue *self)
{
    self->out = (struct input_queue_out){};
    inq_store_reset(&self->store);
    route_reset(&self->route);
    stage_queue_reset(&self->stage);
    for (int i = 0; i < RTR_COLS; i++) {
        vc_credit_reset(&self->credit[i]);
    }
    self->wipes = 1;
    self->wiped = 0;
    self->current = 0;
    self->inside = 0;
}

static inline rtr_vcs vc_bit(rtr_vc vc)
{
    return (rtr_vcs)((rtr_vcs)1 << vc);
}

static inline rtr_vc lowest(rtr_vcs mask)
{
    rtr_vc vc = 0;

    for (int i = RTR_VCS - 1; i >= 0; i--) {
        vc = (u1)(mask >> i) ? (rtr_vc)i : vc;
    }
    return vc;
}

/* VCs whose front may go: there is credit, and no other packet stands in the way of a head. */
static inline rtr_vcs may_send(const struct input_queue *self)
{
    rtr_vcs may = 0;

    for (int i = 0; i < RTR_VCS; i++) {
        struct row_flit front = stage_unpack(self->stage.out.front[i]);
        struct vc_credit_out account = self->credit[front.col].out;
        u1 credit = (u1)(account.credit >> front.vc);
        u1 held = (u1)(account.held >> front.vc);
        u1 goes = credit && (!held || (u1)(self->inside >> i));

        may |= (rtr_vcs)((rtr_vcs)goes << i);
    }
    return may & (rtr_vcs)self->stage.out.valid;
}

/* The VC to send: that of the packet under way, or the next one. */
static inline rtr_vc choose(const struct input_queue *self, rtr_vcs may)
{
    rtr_vcs passed = (rtr_vcs)((rtr_vcs)-1 >> (RTR_VCS - 1 - self->current));
    rtr_vcs ahead = may & ~passed;
    u1 stays = (u1)((may & self->inside) >> self->current);

    return stays ? self->current : lowest(ahead != 0 ? ahead : may);
}

HLS_MODULE void input_queue(struct input_queue *self, const struct input_queue_in *in)
{
    rtr_vcs may = self->route.out.dropped ? (rtr_vcs)0 : may_send(self);
    u1 sends = may != 0;
    rtr_vc vc = choose(self, may);
    struct row_flit flit = stage_unpack(self->stage.out.front[vc]);
    struct inq_store_in store = {
        .valid = in->valid,
        .flit = in->flit,
        .bad = in->bad,
        .hold = self->route.out.hold,
        .left = {sends || self->route.out.dropped,
                 self->route.out.dropped ? self->route.out.came_on : vc},
        .wipe = self->wipes,
        .wipe_vc = self->wiped,
    };
    struct route_in route_in = {
        .valid = self->store.out.read,
        .vc = self->store.out.vc,
        .code = (rtr_code)self->store.out.word,
        .tail = (inq_tail)(self->store.out.word >> RTR_CODE_BITS),
        .load = in->load,
        .dead = in->dead,
        .here = in->here,
        .config = in->config,
    };
    struct stage_queue_in stage = {
        .push = self->route.out.flit.valid,
        .push_vc = self->route.out.came_on,
        .push_control = stage_pack(&self->route.out.flit),
        .push_code = self->route.out.flit.code,
        .pop = sends,
        .pop_vc = vc,
    };

    for (int i = 0; i < RTR_COLS; i++) {
        struct vc_credit_in credit = {
            .freed = in->row_freed[i],
            .sent = sends && flit.col == i,
            .sent_vc = flit.vc,
            .tail = flit.tail,
            .wipe = self->wipes,
            .wipe_vc = self->wiped,
        };

        vc_credit(&self->credit[i], &credit);
    }

    self->out.events.row_bus_stall = self->stage.out.valid != 0 && !sends;
    self->out.events.corrected =
        self->store.out.corrected || self->route.out.corrected || self->stage.out.corrected;
    self->out.events.fatal =
        self->store.out.fatal || self->route.out.fatal || self->stage.out.fatal;
    self->out.row.valid = sends;
    if (sends) {
        self->out.row.col = flit.col;
        self->out.row.vc = flit.vc;
        self->out.row.tail = flit.tail;
#if RTR_TWO_STEP
        self->out.row.rows = flit.rows;
        self->out.row.hash = flit.hash;
        self->out.row.adaptive = flit.adaptive;
#else
        self->out.row.row = flit.row;
#endif
        self->current = vc;
        self->inside = flit.tail ? self->inside & ~vc_bit(vc) : self->inside | vc_bit(vc);
    }
    if (self->wipes) {
        self->wipes = self->wiped != (rtr_vc)-1;
        self->wiped++;
    }

    inq_store(&self->store, &store);
    route(&self->route, &route_in);
    stage_queue(&self->stage, &stage);
    self->out.freed = self->store.out.freed;
    self->out.events.incoming = self->store.out.incoming;
    self->out.events.illegal = self->store.out.illegal;
    self->out.events.no_way = self->route.out.no_way;
    self->out.events.nonminimal = self->route.out.nonminimal;
    self->out.row.code = self->stage.out.code;
}
