// SPDX-License-Identifier: Apache-2.0
/*
 * device_episode_bench.c - two devices, their cables and plugs; all that crosses in a step is taken from registers.
 */
#include "tb/system/device/episode/device_episode_bench.h"

#include <string.h>

enum { FLITS = 1 << 24 }; /* numbers of flits that one device may use up */

/* Both ends as device_bench leaves them, but with links that are just powered. */
static struct device_episode_end configured[2];

static void configure(void)
{
    static struct device_bench b;
    struct device_bench_config config = device_bench_defaults();
    config.min_length = 2;
    device_bench_start(&b, &config, 1);
    for (unsigned i = 0; i < 2; i++) {
        struct device_episode_end *e = &configured[i];
        memset(e, 0, sizeof *e);
        e->device = *b.end[i].device;
        for (unsigned l = 0; l < EPISODE_LINKS; l++)
            link_port_reset(&e->device.link[l]);
        memcpy(e->source, b.end[i].source, sizeof e->source);
        memcpy(e->sink, b.end[i].sink, sizeof e->sink);
        for (unsigned p = 0; p < EPISODE_PORTS; p++)
            e->source[p].flits = (uint64_t)i * FLITS;
    }
    device_bench_free(&b);
}

/* ---- one clock ------------------------------------------------------------------------------- */

static const struct device_plug straight = {.lane = {0, 1, 2}};

static struct channel_symbol hear_lane(struct device_episode *ep, const struct device_plug *p,
                                       const struct channel_symbol symbol[CHANNEL_LANES],
                                       unsigned l)
{
    struct channel_symbol s = symbol[p->lane[l]];
    if (p->noisy)
        s.data = (uint16_t)rng_next(&ep->rng);
    if (p->flaps) {
        const uint64_t coins = rng_next(&ep->rng);
        s.valid &= coins & 1;
        s.up &= coins >> 1 & 1;
    }
    return s;
}

static void hear(struct device_episode *ep, unsigned i, unsigned link)
{
    const struct device_plug *p = &ep->end[i].plug[link];
    const struct channel_symbol *from = ep->end[p->loop ? i : 1 - i].leaving[link];
    struct cable_in *in = &ep->end[i].in.cable_in[link];
    *in = (struct cable_in){0};
    for (unsigned l = 0; l < CHANNEL_LANES; l++) {
        const struct channel_symbol s = hear_lane(ep, p, from, l);
        in->lane_valid |= (u3)((u3)s.valid << l);
        in->lane_up |= (u3)((u3)s.up << l);
        in->lane[l] = s.data;
    }
}

static unsigned receiver(unsigned end, unsigned processor)
{
    return 2 + end * EPISODE_PORTS + processor;
}
_Static_assert(2 + EPISODE_SOURCES <= LEDGER_ENDS, "each processor is a receiver of its own");

static void drive_processor(struct device_episode *ep, unsigned i, unsigned p)
{
    struct device_episode_end *e = &ep->end[i];
    struct port_in *in = &e->in.from_processor[p];
    const struct port_out *out = &e->device.out.to_processor[p];
    struct port_source *source = &e->source[p];
    const bool head = source->left == 0;
    bool bad = false;
    in->valid = source_step(source, &bad);
    in->flit = (rtr_flit)source->flit;
    in->bad = bad;
    in->ready = e->sink[p].ready;
    in->room = (rtr_vcs)e->sink[p].room_before;
    in->spare = (rtr_vcs)e->sink[p].spare_before;
    if (in->valid && !head) {
        ledger_taken(&ep->ledger, i, source->flit, false);
        ep->ledger.flit[ep->ledger.count - 1].packet =
            (uint32_t)(source->packets * EPISODE_SOURCES + i * EPISODE_PORTS + p);
    }
    if (out->valid && in->ready) {
        const struct golden_arrival a = {
            .flit = out->flit, .head = out->head, .tail = out->tail, .bad = out->bad};
        sink_takes(&e->sink[p], out->flit, out->tail);
        ledger_arrived(&ep->ledger, receiver(i, p), &a);
    }
}

static void after_step(struct device_episode *ep, unsigned i)
{
    struct device_episode_end *e = &ep->end[i];
    for (unsigned p = 0; p < EPISODE_PORTS; p++) {
        const struct port_out *out = &e->device.out.to_processor[p];
        if (out->freed.valid)
            credit_give(&e->source[p].credits, out->freed.vc, 1);
        if (out->start.valid)
            sink_started(&e->sink[p], out->start.vc);
        sink_step(&e->sink[p]);
    }
    for (unsigned l = 0; l < EPISODE_LINKS; l++) {
        const struct link_report *r = &e->device.out.status[l].report;
        if (r->valid)
            ledger_reported(&ep->ledger, i, r->flit, r->bad);
        e->crossed[l] += e->device.link[l].lcb.out.rx_valid;
        e->in.manage[l].restart = 0;
    }
}

static void look_after_dead(struct device_episode *ep)
{
    for (unsigned n = 0; n < 2 * EPISODE_LINKS; n++) {
        struct device_episode_end *e = &ep->end[n / EPISODE_LINKS];
        if (e->device.out.status[n % EPISODE_LINKS].state == LINK_DEAD) {
            e->in.manage[n % EPISODE_LINKS].restart = 1;
            ep->restarts++;
        }
    }
}

static void step(struct device_episode *ep)
{
    if (ep->keeper && ep->clock % ep->keeper == 0)
        look_after_dead(ep);
    for (unsigned n = 0; n < 2 * EPISODE_LINKS; n++) {
        struct device_episode_end *e = &ep->end[n / EPISODE_LINKS];
        const u16 *out = e->device.out.cable[n % EPISODE_LINKS].lane;
        const uint16_t lane[CHANNEL_LANES] = {out[0], out[1], out[2]};
        channel_step(&e->cable[n % EPISODE_LINKS], lane, e->leaving[n % EPISODE_LINKS]);
    }
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned l = 0; l < EPISODE_LINKS; l++)
            hear(ep, i, l);
        for (unsigned p = 0; p < EPISODE_PORTS; p++)
            drive_processor(ep, i, p);
    }
    for (unsigned i = 0; i < 2; i++) {
        device(&ep->end[i].device, &ep->end[i].in);
        after_step(ep, i);
    }
    ep->clock++;
}

void device_episode_go(struct device_episode *ep, uint64_t clocks)
{
    while (clocks-- > 0)
        step(ep);
}

void device_episode_write(struct device_episode *ep, unsigned i, unsigned l, unsigned addr,
                          uint64_t data)
{
    enum { BUS_CLOCKS = 16 };
    struct device_episode_end *e = &ep->end[i];
    e->in.manage[l].bus =
        (struct reg_request){.valid = 1, .write = 1, .addr = (u16)addr, .wdata = data};
    for (unsigned n = 0; n < BUS_CLOCKS && (n == 0 || !e->device.out.status[l].bus.ready); n++)
        step(ep);
    e->in.manage[l].bus = (struct reg_request){0};
    step(ep);
}

/* ---- start and reset ------------------------------------------------------------------------- */

static void seed_traffic(struct device_episode_end *e, struct rng *r)
{
    for (unsigned p = 0; p < EPISODE_PORTS; p++) {
        rng_seed(&e->source[p].rng, rng_next(r));
        rng_seed(&e->sink[p].rng, rng_next(r));
    }
}

void device_episode_start(struct device_episode *ep, const struct channel_config *good)
{
    if (!configured[0].source[0].machine)
        configure();
    ep->ledger.devices = true;
    ledger_start(&ep->ledger);
    ep->clock = 0;
    harness_clock = &ep->clock;
    ep->good = *good;
    ep->resets = ep->restarts = ep->dropped = 0;
    for (unsigned i = 0; i < 2; i++) {
        struct device_episode_end *e = &ep->end[i];
        *e = configured[i];
        e->in.chip = (u16)(i + 1);
        seed_traffic(e, &ep->rng);
        for (unsigned l = 0; l < EPISODE_LINKS; l++) {
            e->plug[l] = straight;
            channel_start(&e->cable[l], good, &ep->end[1 - i].cable[l], rng_next(&ep->rng));
        }
    }
}

static uint64_t no_route(const struct device_episode_end *e)
{
    uint64_t sum = 0;
    for (unsigned p = 0; p < RTR_PORTS; p++)
        sum += e->device.router.tile[p].ctl.counter[RTR_NO_ROUTE];
    return sum;
}

void device_episode_reset(struct device_episode *ep, unsigned i)
{
    struct device_episode_end *e = &ep->end[i];
    ep->dropped += no_route(e);
    e->device = configured[i].device;
    for (unsigned p = 0; p < EPISODE_PORTS; p++) {
        const uint64_t flits = e->source[p].flits;
        e->source[p] = configured[i].source[p];
        e->source[p].flits = flits;
        e->sink[p] = configured[i].sink[p];
        ep->ledger.end[receiver(i, p)].left = 0;
        ep->ledger.end[receiver(i, p)].filler = 0;
    }
    seed_traffic(e, &ep->rng);
    ledger_forget_all(&ep->ledger);
    ep->resets++;
}

uint64_t device_episode_dropped(const struct device_episode *ep)
{
    return ep->dropped + no_route(&ep->end[0]) + no_route(&ep->end[1]);
}

void device_episode_heal(struct device_episode *ep)
{
    for (unsigned n = 0; n < 2 * EPISODE_LINKS; n++) {
        struct device_episode_end *e = &ep->end[n / EPISODE_LINKS];
        struct channel *cable = &e->cable[n % EPISODE_LINKS];
        e->plug[n % EPISODE_LINKS] = straight;
        channel_change(cable, &ep->good);
        for (unsigned l = 0; l < CHANNEL_LANES; l++)
            channel_lane(cable, l, LANE_GOOD);
    }
}
