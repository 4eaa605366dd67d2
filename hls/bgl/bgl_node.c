// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_node.c - a node's torus unit: its parts and the wires between them.
 *
 *     cores: 2 x AXI4                 injection, 8 channels            6 x out
 *       |  ^                                |
 *       |  |   bgl_axi ----> bgl_inject ----+--> bgl_port.sender --> resend --> framer --> lane_tx
 *       |  |                                ^        ^ 8 + 2 x 6 busses   ^ ack, tokens
 *       |  |                          offers|        |                    |
 *       +--+-- bgl_reception <------ bgl_port.vc_fifo <-- pipe <-- deframer <-- lane_rx
 */
#include "bgl/bgl_node.h"

#include "bgl/torus/bgl_pick.h"

HLS_RESET void bgl_node_reset(struct bgl_node *self)
{
    self->out = (struct bgl_node_out){0};
    for (int c = 0; c < BGL_CORES; c++) {
        self->out.s_axi[c] = (struct bgl_axi_from_sub){.awready = 1, .arready = 1};
        bgl_axi_reset(&self->axi[c]);
    }
    for (int p = 0; p < BGL_PORTS; p++) {
        bgl_port_reset(&self->port[p]);
    }
    for (int f = 0; f < BGL_INJECTION; f++) {
        bgl_channel_reset(&self->channel[f]);
    }
    bgl_inject_reset(&self->inject);
    bgl_reception_reset(&self->reception);
    bgl_watch_reset(&self->watch);
    bgl_counts_reset(&self->counts);
    bgl_regs_reset(&self->regs);
    axil_regs_reset(&self->axil);
    bgl_random_reset(&self->random);
    self->turn = 0;
    self->pops = 0;
}

/* ---- injection ------------------------------------------------------------------------------- */

/* Injection FIFOs that a sender has granted a port. */
static inline u8 granted_inject(const struct bgl_node *self)
{
    u8 set = 0;

    for (int p = 0; p < BGL_PORTS; p++) {
        set |= self->port[p].out.grant_inject;
    }
    return set;
}

static inline struct bgl_channel_in inject_channel(const struct bgl_node *self, u8 granted, int f)
{
    struct bgl_channel_in channel = {
        .front = self->inject.out.front[f],
        .from = FROM_HOST,
        .bus_free = 1,
        .room = 1, /* a broadcast leaves no copy at its own node */
        .picked = self->channel[f].out.request.valid,
        .granted = (u1)(granted >> f),
        .random = (u4)(self->random.out.bits >> (4 + 5 * f)),
    };

    for (int p = 0; p < BGL_PORTS; p++) {
        channel.avail[p] = self->port[p].out.avail_inject;
    }
    return channel;
}

static inline struct bgl_inject_in inject_inputs(const struct bgl_node *self, u8 granted)
{
    struct bgl_inject_in inject = {
        .push = self->axi[0].out.push.valid ? self->axi[0].out.push : self->axi[1].out.push,
        .reset = self->regs.out.clear_injection,
        .at = self->regs.out.where,
        .clear_sums = self->regs.out.clear_sums,
    };

    for (int f = 0; f < BGL_INJECTION; f++) {
        u3 port = 0;

        for (int p = 0; p < BGL_PORTS; p++) {
            port |= (u1)(self->port[p].out.grant_inject >> f) ? (u3)p : (u3)0;
        }
        inject.start[f] = (struct bgl_start){.go = (u1)(granted >> f), .out = 1, .port = port};
    }
    return inject;
}

/* ---- reception ------------------------------------------------------------------------------- */

static inline struct bgl_reception_in reception_inputs(const struct bgl_node *self)
{
    struct bgl_reception_in reception = {
        .pop = self->axi[0].out.pop.valid ? self->axi[0].out.pop : self->axi[1].out.pop,
        .reset = self->regs.out.clear_reception,
    };

    for (int p = 0; p < BGL_PORTS; p++) {
        const struct bgl_port_out *port = &self->port[p].out;

        reception.normal[p] = port->normal;
        reception.high[p] = port->high;
        reception.normal_group |= (u6)((u6)port->normal_group << p);
        reception.high_group |= (u6)((u6)port->high_group << p);
    }
    return reception;
}

/* ---- ports ----------------------------------------------------------------------------------- */

static inline struct bgl_port_in port_inputs(const struct bgl_node *self,
                                             const struct bgl_node_in *in, int p)
{
    struct bgl_port_in port = {
        .own_port = (u3)p,
        .rx_up = (u1)(in->rx_up >> p),
        .rx_valid = (u1)(in->rx_valid >> p),
        .rx = in->rx[p],
        .control = self->regs.out.control[p],
        .identity = {.chip = self->regs.out.chip,
                     .port = (u6)((u6)((u6)self->regs.out.upper << 3) | p)},
        .at = self->regs.out.where,
        .arbitration = self->regs.out.arbitration,
        .slq = self->random.out.slq_clock,
        .random = (u16)(self->random.out.bits >> (7 * p)),
        .room = (u2)((u2)(u1)(self->reception.out.room[0] >> p) |
                     (u2)((u2)(u1)(self->reception.out.room[1] >> p) << 1)),
        .room_high = (u2)((u2)(u1)(self->reception.out.room_high[0] >> p) |
                          (u2)((u2)(u1)(self->reception.out.room_high[1] >> p) << 1)),
    };

    for (int o = 0; o < BGL_PORTS; o++) {
        const struct bgl_port_out *other = &self->port[o].out;

        port.avail[o] = other->sender_avail;
        port.offers[o] = other->offer;
        port.bus[o][0] = other->to_sender[0];
        port.bus[o][1] = other->to_sender[1];
        port.granted |= (u1)(other->grant >> p);
    }
    for (int f = 0; f < BGL_INJECTION; f++) {
        port.inject[f] = self->channel[f].out.request;
        port.inject_fullness[f] =
            pick_range(self->inject.out.held[f], self->regs.out.arbitration.fullness);
        port.inject_bus[f] = self->inject.out.bus[f];
    }
    return port;
}

/* ---- registers, errors, interrupts ----------------------------------------------------------- */

static inline struct bgl_watch_in watch_inputs(const struct bgl_node *self)
{
    const struct bgl_regs_out *regs = &self->regs.out;
    u1 core = !self->axi[0].out.write_full;
    u1 reader = !self->axi[0].out.read_empty;
    struct bgl_watch_in watch = {
        .full = self->reception.out.full,
        .watermark = {regs->watermark[0], regs->watermark[1]},
        .refused = self->inject.out.refused,
        .refused_fifo = self->inject.out.refused_fifo,
        .write_full = self->axi[0].out.write_full || self->axi[1].out.write_full,
        .write_fifo = core ? self->axi[1].out.push.fifo : self->axi[0].out.push.fifo,
        .read_empty = self->axi[0].out.read_empty || self->axi[1].out.read_empty,
        .read_fifo = reader ? self->axi[1].out.pop.fifo : self->axi[0].out.pop.fifo,
        .inject_corrected = self->inject.out.corrected,
        .inject_fatal = self->inject.out.fatal,
        .inject_fifo = self->inject.out.fatal_fifo,
        .reception_corrected = self->reception.out.corrected,
        .reception_fatal = self->reception.out.spoiled,
        .reception_fifo = self->reception.out.fifo,
        .taken_back = self->reception.out.refused,
        .random_wrong = self->random.out.wrong,
        .clear_link = regs->clear_link,
        .clear_error = regs->clear_error,
        .clear_first = regs->clear_first,
        .mask = {regs->mask[0], regs->mask[1]},
    };

    for (int p = 0; p < BGL_PORTS; p++) {
        watch.port[p] = self->port[p].out.errors;
        watch.state[p] = self->port[p].out.shown.state;
    }
    for (int f = 0; f < BGL_INJECTION; f++) {
        watch.held_injection[f] = self->inject.out.held[f];
    }
    for (int r = 0; r < BGL_RECEPTION; r++) {
        watch.held_reception[r] = self->reception.out.held[r];
    }
    return watch;
}

static inline struct bgl_regs_in register_inputs(const struct bgl_node *self)
{
    struct bgl_regs_in regs = {
        .bus = self->axil.out.bus,
        .stopped = self->inject.out.stopped,
        .index = self->port[0].out.index,
        .node_count = self->counts.out.count,
        .sum_fifo = self->inject.out.sum_fifo,
        .sum = self->inject.out.sum,
        .status = self->watch.out.status,
        .error = self->watch.out.error,
        .place = self->watch.out.place,
        .vc = self->watch.out.vc,
        .clock = self->watch.out.clock,
    };

    for (int p = 0; p < BGL_PORTS; p++) {
        regs.port[p] = self->port[p].out.shown;
        regs.count[p] = self->port[p].out.count;
        for (int v = 0; v < BGL_VCS; v++) {
            regs.held[p][v] = self->port[p].out.held[v];
        }
    }
    return regs;
}

/* ---- cores ----------------------------------------------------------------------------------- */

static inline struct bgl_axi_in core_inputs(const struct bgl_node *self,
                                            const struct bgl_node_in *in, int c)
{
    const struct bgl_axi_out *other = &self->axi[1 - c].out;
    struct bgl_axi_in axi = {
        .s_axi = in->s_axi[c],
        .turn = self->turn == c,
        .full = self->inject.out.full,
        .popped = self->reception.out.popped && (u1)(self->pops >> 1) == c,
        .none = self->reception.out.none,
        .spoiled = self->reception.out.spoiled,
        .quad = self->reception.out.quad,
        .other_writing = other->writing,
        .other_reading = other->reading,
    };

    for (int f = 0; f < BGL_INJECTION; f++) {
        axi.held_injection[f] = self->inject.out.held[f];
    }
    for (int r = 0; r < BGL_RECEPTION; r++) {
        axi.held_reception[r] = self->reception.out.held[r];
    }
    return axi;
}

static inline void forward_outputs(struct bgl_node *self)
{
    for (int p = 0; p < BGL_PORTS; p++) {
        self->out.tx[p] = self->port[p].out.tx;
    }
    for (int c = 0; c < BGL_CORES; c++) {
        self->out.s_axi[c] = self->axi[c].out.s_axi;
    }
    self->out.s_axil = self->axil.out.s_axil;
    self->out.irq = self->watch.out.irq;
}

HLS_MODULE void bgl_node(struct bgl_node *self, const struct bgl_node_in *in)
{
    u8 granted = granted_inject(self);
    struct bgl_port_in port[BGL_PORTS];
    struct bgl_channel_in channel[BGL_INJECTION];
    struct bgl_inject_in inject = inject_inputs(self, granted);
    struct bgl_reception_in reception = reception_inputs(self);
    struct bgl_axi_in axi[BGL_CORES];
    struct bgl_watch_in watch = watch_inputs(self);
    struct bgl_counts_in counts = {.clear = self->regs.out.clear_counts,
                                   .events = self->watch.out.events};
    struct bgl_regs_in regs = register_inputs(self);
    struct axil_regs_in axil = {.s_axil = in->s_axil, .bus = self->regs.out.reply};
    struct bgl_random_in random = {
        .slq = self->regs.out.arbitration.slq,
        .random = self->regs.out.arbitration.random,
        .seed = self->regs.out.arbitration.seed,
        .load = self->regs.out.arbitration.load,
    };

    for (int p = 0; p < BGL_PORTS; p++) {
        port[p] = port_inputs(self, in, p);
    }
    for (int f = 0; f < BGL_INJECTION; f++) {
        channel[f] = inject_channel(self, granted, f);
    }
    for (int c = 0; c < BGL_CORES; c++) {
        axi[c] = core_inputs(self, in, c);
    }
    self->pops = (u2)((u2)(self->pops << 1) | self->axi[1].out.pop.valid);
    self->turn = !self->turn;
    for (int p = 0; p < BGL_PORTS; p++) {
        bgl_port(&self->port[p], &port[p]);
    }
    for (int f = 0; f < BGL_INJECTION; f++) {
        bgl_channel(&self->channel[f], &channel[f]);
    }
    bgl_inject(&self->inject, &inject);
    bgl_reception(&self->reception, &reception);
    for (int c = 0; c < BGL_CORES; c++) {
        bgl_axi(&self->axi[c], &axi[c]);
    }
    bgl_watch(&self->watch, &watch);
    bgl_counts(&self->counts, &counts);
    bgl_regs(&self->regs, &regs);
    axil_regs(&self->axil, &axil);
    bgl_random(&self->random, &random);
    forward_outputs(self);
}
