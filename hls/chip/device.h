// SPDX-License-Identifier: Apache-2.0
/*
 * device.h - ports and registers of the device: a router and its links.
 */
#ifndef DEVICE_H
#define DEVICE_H

#include "config/machine.h"

#if !LCB_PACKET
#include "chip/global_clock.h"
#endif
#include "chip/link_port.h"
#if DEV_TAPS
#include "chip/maint/maint_tap.h"
#endif
#if DEV_MAINT
#include "chip/maint/supervisor.h"
#endif
#include "router/router.h"

#define DEV_PROCESSORS (RTR_PORTS - RTR_LINKS)

#if !DEV_MAINT
/* What management does with one link. */
struct link_manage {
    u1 restart; /* for one clock: begin a new epoch */
    struct reg_request bus;
};
#endif

struct link_status {
    enum link_state state;
    u3 tx_map;
    u3 rx_map;
    struct link_report report;
#if !DEV_MAINT
    struct reg_reply bus;
#endif
};

/*
 * The global time, for what stands around the device (global_clock.h). Links in packet mode exchange none: a device has its own, the clocks since
 * its reset.
 */
struct device_time {
    lcb_time now;
    u1 pulse;
    u1 locked;
    u1 stepped;
    u1 holdover;
};

struct device_in {
    struct cable_in cable_in[RTR_LINKS];
#if !DEV_MAINT
    struct link_manage manage[RTR_LINKS];
#endif
#if DEV_PROCESSORS
    struct port_in from_processor[DEV_PROCESSORS]; /* element i: the i-th port of RTR_PROCESSORS */
#endif
#if DEV_MAINT
#if DEV_PROCESSORS
    u1 nics_quiet; /* no NIC has a request that is unanswered */
#endif
    struct maint_request
        maint; /* to any unit of the chip (maint/maint_bus.h), held until the reply comes */
#else
    struct reg_request bus; /* of the router */
#endif
#if !LCB_PACKET
    struct reg_request clock_bus; /* of the global clock */
#endif
    u16 chip; /* which one of the system this is, 0 for none; links exchange it */
};

struct device_out {
    struct cable_out cable[RTR_LINKS];
    struct link_status status[RTR_LINKS];
#if DEV_PROCESSORS
    struct port_out to_processor[DEV_PROCESSORS];
#endif
#if DEV_MAINT
    struct maint_reply maint;
    u1 irq;     /* of the supervisor */
    u1 quiesce; /* NICs begin no request */
#else
    struct reg_reply bus;
#endif
#if !LCB_PACKET
    struct reg_reply clock_bus;
#endif
    struct device_time time;
};

struct device {
    struct device_out out;
#if !LCB_PACKET
    struct global_clock clock;
#endif
    struct router router;
    struct link_port link[RTR_LINKS];
#if DEV_TAPS
    struct maint_tap tap[DEV_TAPS];
#endif
#if DEV_MAINT
    struct maint_bus maintenance;
    struct supervisor supervisor;
#endif
};

HLS_RESET void device_reset(struct device *self);
HLS_MODULE void device(struct device *self, const struct device_in *in);

#endif
