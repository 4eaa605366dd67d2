// SPDX-License-Identifier: Apache-2.0
/*
 * device.c - a router and its links: wires, and the time that the links exchange.
 */
#include "chip/device.h"

#if DEV_MAINT
#include "chip/maint/device_join.inc"
#endif

HLS_RESET void device_reset(struct device *self)
{
    self->out = (struct device_out){0};
#if !LCB_PACKET
    global_clock_reset(&self->clock);
#endif
    router_reset(&self->router);
#if DEV_MAINT
    maint_bus_reset(&self->maintenance);
    supervisor_reset(&self->supervisor);
#endif
#if DEV_TAPS
    for (int t = 0; t < DEV_TAPS; t++) {
        maint_tap_reset(&self->tap[t]);
    }
#endif
    for (int i = 0; i < RTR_LINKS; i++) {
        self->out.status[i].state = LINK_TRAIN;
        link_port_reset(&self->link[i]);
    }
}

static inline struct router_in to_router(const struct device *self, const struct device_in *in)
{
#if DEV_MAINT
    struct router_in to = {.bus = unit_request(self, UNIT_ROUTER)};
#else
    struct router_in to = {.bus = in->bus};
#endif

    for (int p = 0, i = 0; p < RTR_PORTS; p++) {
        if (!is_processor(p)) {
            to.from_link[p] = self->link[i].out.to_router;
            i++;
        }
    }
#if DEV_PROCESSORS
    for (int p = 0, i = 0; p < RTR_PORTS; p++) {
        if (is_processor(p)) {
            to.from_link[p] = in->from_processor[i];
            i++;
        }
    }
#else
    (void)in; /* all ports have links */
#endif
    return to;
}

/* What link i gets, at port p of the router. */
static inline struct link_port_in to_link(const struct device *self, const struct device_in *in,
                                          int i, int p)
{
    return (struct link_port_in){
        .from_router = self->router.out.to_link[p],
        .cable_in = in->cable_in[i],
#if !LCB_PACKET
        .now = self->clock.out.now,
#endif
#if DEV_MAINT
        .restart = (u1)(self->supervisor.out.restart >> i),
        .identity = {.chip = chip_number(self, in), .port = (u6)i},
        .bus = unit_request(self, UNIT_LINKS + i),
#else
        .restart = in->manage[i].restart,
        .identity = {.chip = in->chip, .port = (u6)i},
        .bus = in->manage[i].bus,
#endif
    };
}

#if !LCB_PACKET
static inline struct global_clock_in to_clock(const struct device *self, const struct device_in *in)
{
    struct global_clock_in to = {.bus = in->clock_bus};

    for (int i = 0; i < RTR_LINKS; i++) {
        to.port[i] = (struct clock_snapshot){
            .run = self->link[i].out.state == LINK_RUN,
            .valid = self->link[i].out.peer_now_valid,
            .sent = self->link[i].out.peer_now,
            .age = self->link[i].out.peer_age,
        };
    }
    return to;
}
#endif

static inline void forward(struct device *self)
{
#if DEV_MAINT
    self->out.maint = self->maintenance.out.to[DEV_TAPS];
    self->out.irq = self->supervisor.out.irq;
    self->out.quiesce = self->supervisor.out.quiesce;
#else
    self->out.bus = self->router.out.bus;
#endif
#if LCB_PACKET
    self->out.time.now++;
#else
    self->out.clock_bus = self->clock.out.bus;
    self->out.time = (struct device_time){
        .now = self->clock.out.now,
        .pulse = self->clock.out.pulse,
        .locked = self->clock.out.locked,
        .stepped = self->clock.out.stepped,
        .holdover = self->clock.out.holdover,
    };
#endif
#if DEV_PROCESSORS
    for (int p = 0, i = 0; p < RTR_PORTS; p++) {
        if (is_processor(p)) {
            self->out.to_processor[i] = self->router.out.to_link[p];
            i++;
        }
    }
#endif
    for (int i = 0; i < RTR_LINKS; i++) {
        self->out.cable[i] = self->link[i].out.cable;
        self->out.status[i].state = self->link[i].out.state;
        self->out.status[i].tx_map = self->link[i].out.tx_map;
        self->out.status[i].rx_map = self->link[i].out.rx_map;
        self->out.status[i].report = self->link[i].out.report;
#if !DEV_MAINT
        self->out.status[i].bus = self->link[i].out.bus;
#endif
    }
}

HLS_MODULE void device(struct device *self, const struct device_in *in)
{
    struct router_in router_wires = to_router(self, in);
#if !LCB_PACKET
    struct global_clock_in clock_wires = to_clock(self, in);
#endif
    struct link_port_in link_wires[RTR_LINKS];

    for (int p = 0, i = 0; p < RTR_PORTS; p++) {
        if (!is_processor(p)) {
            link_wires[i] = to_link(self, in, i, p);
            i++;
        }
    }
#if DEV_MAINT
    struct maint_wires maint = to_maint(self, in);

#if DEV_TAPS
    tap_router(self, &maint, &router_wires);
    tap_links(self, &maint, link_wires);
#endif
    step_maint(self, &maint);
#endif
#if !LCB_PACKET
    global_clock(&self->clock, &clock_wires);
#endif
    router(&self->router, &router_wires);
    for (int i = 0; i < RTR_LINKS; i++) {
        link_port(&self->link[i], &link_wires[i]);
    }
    forward(self);
}
