// SPDX-License-Identifier: Apache-2.0
/*
 * test_device_peer.c - a device whose peer uses all VCs and lengths that a head can name, also those that the device refuses.
 *
 * The peer is an LCB with a plain upper side. All that it sends is counted as illegal or dropped for want of a way; the peer gets
 * every credit back, and a restart of the link ends, as it waits for the input queue to pass on what it got.
 *
 * Built for proto: san.
 */
#include "hls/chip/device.h"
#include "link/lcb_regs.h"
#include "tb/system/link/link_end.h"
#include "router/rtr_regs.h"

#include <string.h>

enum { UP = 20000, CLOCKS = 8000, SETTLE = 4000, LINK = 0, CHIP = 9 };

static struct device dev;
static struct device_in in;
static struct link_end peer;
static uint64_t clocks, illegal;
static unsigned vcs; /* a bit for each VC that the peer has used */

/* A head that the peer hands over in this clock, if there is one. */
static void note_head(bool first)
{
    const unsigned vc = (unsigned)(peer.in.flit >> 45) & 7;
    const unsigned length = (unsigned)(peer.in.flit >> 41) & 15;

    if (!first || !peer.in.flit_valid || !peer.lcb.out.flit_ready)
        return;
    vcs |= 1u << vc;
    illegal += vc >= RTR_VCS || length == 0 || length > RTR_PACKET;
}

static void step(void)
{
    const bool first = peer.left == 0;

    link_end_inputs(&peer, clocks);
    note_head(first);
    in.cable_in[LINK] = (struct cable_in){.lane_valid = 7, .lane_up = 7};
    for (unsigned l = 0; l < LANES; l++) {
        peer.in.rx_lane[l] = dev.out.cable[LINK].lane[l];
        in.cable_in[LINK].lane[l] = peer.lcb.out.tx_lane[l];
    }
    link_end_step(&peer);
    device(&dev, &in);
    in.manage[LINK].restart = 0;
    clocks++;
}

static void run(unsigned n)
{
    while (n-- > 0)
        step();
}

static bool await(enum link_state state)
{
    unsigned limit = UP;

    while (limit-- > 0 &&
           (dev.out.status[LINK].state != state || peer.lcb.out.state != (uint64_t)state))
        step();
    return dev.out.status[LINK].state == state && peer.lcb.out.state == state;
}

static uint64_t read_counter(unsigned counter)
{
    in.bus = (struct reg_request){.valid = 1, .addr = (u16)(RTR_REG_COUNTERS + counter)};
    for (unsigned n = 0; n < 40 && (n == 0 || !dev.out.bus.ready); n++)
        step();
    const uint64_t value = (uint64_t)dev.out.bus.rdata;
    in.bus = (struct reg_request){};
    step();
    return value;
}

/* Credits that the peer has not got back, of each VC in whole steps, and flits that the device's link believes in its queue. */
static unsigned missing(void)
{
    const struct lcb_credit *c = &peer.lcb.credit;
    unsigned flits = (unsigned)c->committed;

    for (unsigned v = 0; v < LCB_VCS; v++)
        flits += (unsigned)(lcb_steps)((c->charged[v] >> LCB_STEP_LOG2) - c->known[v]);
    return flits + (unsigned)dev.link[LINK].held + (unsigned)dev.link[LINK].lcb.credit.held;
}

/* Traffic for a while; then all is taken off. */
static void traffic(const char *when)
{
    const uint64_t before = peer.sent;

    peer.stopped = false;
    run(CLOCKS);
    peer.stopped = true;
    run(SETTLE);
    /* holds store.stranger */
    tap_ok(peer.sent - before > CLOCKS / 4 && vcs == (1u << LCB_VCS) - 1 && missing() == 0,
           "peer: %s it sends %llu flits on all VCs and gets every credit back (%u missing)", when,
           (unsigned long long)(peer.sent - before), missing());
    const uint64_t counted = read_counter(RTR_ILLEGAL);
    tap_ok(counted == illegal && illegal > 0, "peer: %llu illegal heads, %llu counted",
           (unsigned long long)illegal, (unsigned long long)counted);
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);

    harness_clock = &clocks;
    device_reset(&dev);
    memset(&in, 0, sizeof in);
    in.chip = CHIP;
    link_end_start(&peer, 0, seed);
    tap_ok(await(LINK_RUN), "peer: the link comes up");
    traffic("as it comes up");
    for (unsigned n = 0; n < 2; n++) {
        in.manage[LINK].restart = n == 0;
        peer.in.restart = n == 1;
        run(10);
        tap_ok(await(LINK_RUN), "peer: a restart %s ends",
               n == 0 ? "of the device" : "of the peer");
        traffic("after it");
    }
    return tap_done();
}
