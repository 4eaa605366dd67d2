// SPDX-License-Identifier: Apache-2.0
/*
 * test_link_port.c - two link ports joined by a cable without errors; the bench stands in for the routers behind them.
 *
 * What goes in at one end comes out at the other, the fill of the input queue is reported to the peer, packets announced count
 * against room, a link that dies reports what it did not deliver, and a restart brings it back.
 *
 * Built for proto: san. Recorded for link_port.
 */
#include "chip/link_port.h"
#include "tb/base/harness.h"
#include "tb/blocks/router/input/input_bench.h"
#include "link/lcb_regs.h"

#include <string.h>

enum {
    UP = 20000,
    DEATH = 200000,
    SETTLE = 2000,
    KEPT = 1 << 12,
    DELAY = 4,
    FRAME = 6,
    VC0 = 0,
    VC1 = 1
};

struct sent {
    uint64_t flit;
    bool bad;
};

/* One direction: what was handed over and what came of it. */
struct flow {
    struct sent sent[KEPT];
    unsigned in, out, closed;
    unsigned reported, reports;          /* up to which, how many */
    unsigned vc, left, packets, longest; /* being handed over; packets still to be */
    struct misses wrong;
};

static struct link_port port[2];
static struct link_port_in in[2];
static struct flow flow[2]; /* from end i */
static struct cable_out cable[2][DELAY];
static bool looped;                        /* each end hears itself */
static unsigned lanes[2];                  /* from end i: lanes that carry a signal */
static unsigned held[2];                   /* flits in the queue of end i, */
static unsigned held_vc[2][VCS], vc_of[2]; /* by the VC on which all come at the time */
static bool frees[2];
static struct rng r;
static uint64_t clocks;

/* ---- the routers ----------------------------------------------------------------------------------- */

/* The next flit, which stands until it is taken; a packet is begun when there is room. */
static void offer(unsigned i)
{
    struct flow *f = &flow[i];
    struct port_out *out = &in[i].from_router;
    const bool head = f->left == 0;

    if (out->valid || f->in == KEPT ||
        (head && (f->packets == 0 || !(port[i].out.to_router.room >> f->vc & 1))))
        return;
    if (head) {
        f->left = 1 + rng_below(&r, f->longest);
        f->packets--;
    }
    const struct head h = {.vc = f->vc, .length = f->left, .rest = (unsigned)rng_next(&r)};
    out->valid = 1;
    out->flit = (rtr_flit)(head ? put_head(&h) : rng_next(&r));
    out->bad = f->left == 1 && rng_below(&r, 4) == 0;
}

static void taken(unsigned i)
{
    struct flow *f = &flow[i];
    struct port_out *out = &in[i].from_router;

    f->sent[f->in++] = (struct sent){(uint64_t)out->flit, out->bad};
    f->left--;
    out->valid = 0;
}

/* Flit number n of the flow, as it came or was reported. */
static void must_be_sent(struct flow *f, unsigned n, rtr_flit flit, bool bad)
{
    const struct sent *want = &f->sent[n % KEPT];
    must(&f->wrong, n < f->in, "flit %u, and %u were sent from end %u", n, f->in, f == &flow[1]);
    must_equal(&f->wrong, flit, want->flit, "flit %u from end %u", n, f == &flow[1]);
    must_equal(&f->wrong, bad, want->bad, "mark of flit %u from end %u", n, f == &flow[1]);
}

/* A flit that comes out of the link, at end i; a dead link closes the packet that it cut with a flit of 0, marked bad. */
static void take(unsigned i)
{
    const struct port_in *to = &port[i].out.to_router;
    struct flow *f = &flow[1 - i];

    in[i].from_router.freed.valid = 0;
    if (to->valid) {
        const bool closes = lanes[1 - i] == 0 && to->flit == 0;
        if (!closes)
            must_be_sent(f, f->out, to->flit, to->bad);
        f->out += !closes;
        f->closed += closes && to->bad;
        held[i]++;
        held_vc[i][vc_of[i]]++;
    }
    for (unsigned v = 0; v < VCS && frees[i]; v++)
        if (held_vc[i][v] > 0) {
            in[i].from_router.freed = (struct head_vc_note){1, (head_vc_field)v};
            held_vc[i][v]--;
            held[i]--;
            break;
        }
}

/* Reported: all flits from the first on that the peer did not acknowledge, one after the other. */
static void take_report(unsigned i)
{
    const struct link_report *report = &port[i].out.report;
    struct flow *f = &flow[i];

    if (!report->valid)
        return;
    while (f->reports == 0 && f->reported < f->out && report->flit != f->sent[f->reported].flit)
        f->reported++;
    must_be_sent(f, f->reported, report->flit, report->bad);
    f->reported++;
    f->reports++;
}

static void step(void)
{
    for (unsigned i = 0; i < 2; i++) {
        const unsigned on = lanes[1 - i];
        const struct cable_out *from = &cable[looped ? i : 1 - i][clocks % DELAY];
        in[i].cable_in = (struct cable_in){.lane_valid = 7, .lane_up = (u3)on};
        for (unsigned l = 0; l < LANES; l++)
            in[i].cable_in.lane[l] = on >> l & 1 ? from->lane[l] : (u16)0;
        in[i].now = (lcb_time)clocks;
    }
    for (unsigned i = 0; i < 2; i++) {
        offer(i);
        take(i);
        cable[i][clocks % DELAY] = port[i].out.cable;
        const bool ready = port[i].out.to_router.ready;
        link_port(&port[i], &in[i]);
        in[i].restart = 0;
        if (in[i].from_router.valid && ready)
            taken(i);
    }
    clocks++;
    take_report(0);
    take_report(1);
}

static void run(unsigned n)
{
    while (n-- > 0)
        step();
}

static bool await(enum link_state state, unsigned limit)
{
    while (limit-- > 0 && (port[0].out.state != state || port[1].out.state != state))
        step();
    return port[0].out.state == state && port[1].out.state == state;
}

static void start(void)
{
    memset(in, 0, sizeof in);
    memset(flow, 0, sizeof flow);
    memset(held, 0, sizeof held);
    memset(held_vc, 0, sizeof held_vc);
    for (unsigned i = 0; i < 2; i++) {
        link_port_reset(&port[i]);
        lanes[i] = 7;
        frees[i] = true;
        vc_of[i] = VC0;
        flow[i].longest = RTR_PACKET;
    }
    tap_ok(await(LINK_RUN, UP), "port: the link comes up");
}

/* Sends packets of VC v from end i until they are through or there is no room. */
static void send(unsigned i, unsigned v, unsigned packets)
{
    flow[i].vc = vc_of[1 - i] = v;
    flow[i].packets = packets;
    run(SETTLE);
}

static unsigned lost(unsigned i)
{
    return flow[i].in - flow[i].out;
}

/* ---- registers -------------------------------------------------------------------------------------- */

static uint64_t bus(unsigned i, struct reg_request request)
{
    in[i].bus = request;
    for (unsigned n = 0; n < 40 && (n == 0 || !port[i].out.bus.ready); n++)
        step();
    const uint64_t value = (uint64_t)port[i].out.bus.rdata;
    in[i].bus = (struct reg_request){};
    step();
    return value;
}

static uint64_t read_register(unsigned i, unsigned reg)
{
    return bus(i, (struct reg_request){.valid = 1, .addr = (u16)reg});
}

static void test_registers(void)
{
    start();
    for (unsigned i = 0; i < 2; i++)
        bus(i, (struct reg_request){
                   .valid = 1, .write = 1, .addr = LCB_REG_LIMITS, .wdata = 0x123456 + i});
    const uint64_t limits[2] = {read_register(0, LCB_REG_LIMITS), read_register(1, LCB_REG_LIMITS)};
    const unsigned status = (unsigned)read_register(0, LCB_REG_STATUS);
    const unsigned trip = status >> 16 & 0xfff;
    tap_ok(limits[0] == 0x123456 && limits[1] == 0x123457, "port: each has its registers");
    tap_ok((status & 7) == LINK_RUN && (status >> 3 & 0x1ff) == 0x1ff,
           "port: STATUS: running, all lanes");
    tap_ok(trip >= 2 * DELAY + FRAME && trip < 100, "port: STATUS: a round trip of %u clocks",
           trip);
}

/* ---- data ------------------------------------------------------------------------------------------- */

static void test_packets(void)
{
    start();
    for (unsigned v = 0; v < VCS; v++)
        for (unsigned i = 0; i < 2; i++)
            send(i, v, 40);
    tap_ok(misses_why(&flow[0].wrong) && misses_why(&flow[1].wrong) && lost(0) + lost(1) == 0 &&
               flow[0].out > 200 && flow[1].out > 200,
           "port: %u and %u flits come as they were sent", flow[0].out, flow[1].out);
}

/*
 * What waits at end 0, in fours, is what the router at end 1 hears; what that estimates of packets on VC v alone is no more, and
 * less by no more than a cable of the round trip holds. Of the other class it estimates nothing.
 */
static void test_load(unsigned v, bool response)
{
    const struct port_in *knows = &port[1].out.to_router;
    struct misses wrong = {0};
    unsigned most = 0, guess = 0;

    start();
    frees[0] = false;
    for (unsigned n = 0; n < 6; n++) {
        send(1, v, 3);
        const unsigned trip = (unsigned)port[1].lcb.link.out.round_trip;
        most = held[0];
        guess = most > trip ? (most - trip) / 4 : 0;
        must_equal(&wrong, knows->peer_load, most / 4, "peer_load, %u flits wait", most);
        must_equal(&wrong, knows->far_request, response ? 0 : guess, "far_request, %u wait", most);
        must_equal(&wrong, knows->far_response, response ? guess : 0, "far_response, %u wait",
                   most);
    }
    frees[0] = true;
    run(SETTLE);
    tap_ok(misses_why(&wrong) && most > 40 && guess > 0 && knows->peer_load == 0 && held[0] == 0 &&
               knows->far_request == 0 && knows->far_response == 0,
           "port: up to %u flits of %s wait, the peer knows of them in fours, of %u by itself",
           most, response ? "responses" : "requests", guess);
}

/* The shared space is lent: a packet announced on another VC takes the room that belongs to that one. */
static void test_announced(void)
{
    start();
    frees[1] = false;
    send(0, VC0, KEPT);
    flow[0].packets = 0;
    const unsigned before = (unsigned)port[0].out.to_router.room & 3;
    in[0].from_router.start = (struct vc_note){1, VC1};
    step();
    in[0].from_router.start.valid = 0;
    run(8);
    const unsigned after = (unsigned)port[0].out.to_router.room & 3;
    frees[1] = true;
    run(SETTLE);
    tap_ok(before == 2 && after == 0 && (port[0].out.to_router.room & 3) == 3 && lost(0) == 0,
           "port: a packet announced takes its room, until flits are freed (%u, %u)", before,
           after);
}

/* ---- lanes, death, restart --------------------------------------------------------------------------- */

static void test_lane(void)
{
    start();
    const uint64_t from = clocks;
    lanes[0] = 5;
    run(SETTLE);
    tap_ok(await(LINK_RUN, UP), "port: it goes on with two lanes");
    send(0, VC1, 40);
    tap_ok(port[0].out.tx_map == 5 && port[1].out.rx_map == 5 && port[0].out.rx_map == 7 &&
               port[1].out.tx_map == 7 && lost(0) == 0 && misses_why(&flow[0].wrong),
           "port: a lane is lost, both ends say which, nothing else is");
    const uint64_t time = read_register(1, LCB_REG_FIRST_TIME);
    tap_ok(read_register(1, LCB_REG_FIRST_ERROR) >> 63 == 1 && time >= from && time < from + SETTLE,
           "port: and when that was");
}

static void test_death(void)
{
    unsigned late = 0, limit = DEATH;

    start();
    flow[0].vc = VC0;
    flow[0].longest = 2;
    flow[0].packets = KEPT;
    run(200);
    lanes[0] = lanes[1] = 0;
    while (limit-- > 0 && (port[0].out.state != LINK_DEAD || port[1].out.state != LINK_DEAD)) {
        const bool was = port[0].out.state == LINK_DEAD || port[0].out.state == LINK_FLUSH;
        step();
        late += port[0].out.to_router.dead != was;
    }
    flow[0].packets = 0;
    run(SETTLE);
    tap_ok(port[0].out.state == LINK_DEAD && late == 0 && port[0].out.to_router.dead,
           "port: without a signal the link dies, and says so (%u)", late);
    tap_ok(misses_why(&flow[0].wrong) && flow[0].reported == flow[0].in && lost(0) > 0 &&
               flow[0].reports >= lost(0),
           "port: %u flits came, %u did not, %u are reported", flow[0].out, lost(0),
           flow[0].reports);
    lanes[0] = lanes[1] = 7;
    in[0].restart = in[1].restart = 1;
    const bool up = await(LINK_RUN, UP);
    flow[0].out = flow[0].in;
    send(0, VC1, 40);
    tap_ok(up && !port[0].out.to_router.dead && lost(0) == 0 && misses_why(&flow[0].wrong) &&
               held[1] == 0,
           "port: a restart brings it back");
}

/* Both hear themselves; then each other. */
static void test_loop(void)
{
    start();
    for (unsigned i = 0; i < 2; i++)
        in[i].identity = (struct link_identity){.chip = 7, .port = (u6)i};
    in[0].restart = in[1].restart = 1;
    step();
    looped = true;
    run(SETTLE);
    const bool loop = port[0].out.state == LINK_LOOP && port[1].out.state == LINK_LOOP;
    const bool dead = port[0].out.to_router.dead && port[1].out.to_router.dead;
    looped = false;
    const bool up = await(LINK_RUN, UP);
    send(0, VC1, 40);
    tap_ok(loop && dead, "port: a plug from us to us: routes avoid it");
    tap_ok(up && !port[0].out.to_router.dead && lost(0) == 0 && misses_why(&flow[0].wrong),
           "port: with the right cable it carries packets");
}

int main(int argc, char **argv)
{
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &clocks;
    test_registers();
    test_packets();
    test_load(VC0, false);
    test_load(VCS - 1, true);
    test_announced();
    test_lane();
    test_death();
    test_loop();
    return tap_done();
}
