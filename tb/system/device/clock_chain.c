// SPDX-License-Identifier: Apache-2.0
/*
 * clock_chain.c - devices in a row whose global clocks follow one another.
 */
#include "tb/system/device/clock_chain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ANSWER = 40, PEER_PORT = 1, OWN_PORT = 0, SNAPSHOT = 2400, ASLEEP = 5000, CALM = 20000 };

#define TIME_MASK ((UINT64_C(1) << 52) - 1)

static int64_t difference(uint64_t a, uint64_t b)
{
    return (int64_t)((a - b) << 12) >> 12;
}

static void over_cable(struct channel *c, const struct cable_out *out, struct cable_in *in)
{
    const uint16_t lane[CHANNEL_LANES] = {out->lane[0], out->lane[1], out->lane[2]};
    struct channel_symbol symbol[CHANNEL_LANES];
    channel_step(c, lane, symbol);
    *in = (struct cable_in){0};
    for (unsigned n = 0; n < CHANNEL_LANES; n++) {
        in->lane_valid |= (u3)((u3)symbol[n].valid << n);
        in->lane_up |= (u3)((u3)symbol[n].up << n);
        in->lane[n] = symbol[n].data;
    }
}

static void join_cables(struct clock_chain *c)
{
    for (unsigned i = 1; i < c->config.devices; i++) {
        struct chain_device *e = &c->end[i], *peer = &c->end[i - 1];
        over_cable(&e->up, &e->device->out.cable[OWN_PORT], &peer->in.cable_in[PEER_PORT]);
        over_cable(&e->down, &peer->device->out.cable[PEER_PORT], &e->in.cable_in[OWN_PORT]);
    }
}

static void look(struct clock_chain *c, struct chain_device *e)
{
    const struct device_time *t = &e->device->out.time;
    const uint64_t now = (uint64_t)t->now;
    e->backwards += t->locked && ((now - e->now) & TIME_MASK) > 2;
    e->lost += e->locked && !t->locked;
    e->stepped += t->stepped;
    e->holdovers += t->holdover;
    e->locked = t->locked;
    e->now = now;
    const int64_t away = difference(now, c->end[0].now);
    const uint64_t far = (uint64_t)(away < 0 ? -away : away);
    e->worst = far > e->worst ? far : e->worst;
    if (t->pulse) {
        e->pulses++;
        e->came_up = c->clock;
    }
}

/* Two pulses belong together if they are nearer than half a period of any use. */
static void compare_pulses(struct clock_chain *c)
{
    for (unsigned i = 1; i < c->config.devices; i++) {
        struct chain_device *e = &c->end[i];
        const int64_t late = (int64_t)(e->came_up - c->end[0].came_up);
        const bool both = (e->came_up == c->clock || c->end[0].came_up == c->clock) &&
                          late < 1000 && late > -1000;
        if (both && llabs(late) > llabs(e->pulse_late))
            e->pulse_late = late;
    }
}

/*
 * The registers of the LCB's wrapper, from which the clock takes the snapshot. After one that is wrong comes time enough to
 * recover: two that are wrong alike would be believed.
 */
static void tamper(struct clock_chain *c, struct chain_device *e)
{
    const struct chain_tampering *t = &c->tampering;
    struct link_port_out *o = &e->device->link[OWN_PORT].out;
    const bool may = o->peer_now_valid && c->clock >= c->calm_until;
    if (may && rng_chance(&c->rng, t->wrong)) {
        o->peer_now ^= (lcb_time)1 << rng_below(&c->rng, 52);
        c->calm_until = c->clock + CALM;
        c->tampered++;
    } else if (may && rng_chance(&c->rng, t->doubled)) {
        e->again = 1 + rng_below(&c->rng, 900);
        c->calm_until = c->clock + CALM;
        c->tampered++;
    } else if (o->peer_now_valid && rng_chance(&c->rng, t->lost)) {
        o->peer_now_valid = 0;
        c->tampered++;
    } else if (e->again != 0) {
        e->again--;
        o->peer_now_valid |= e->again == 0;
    }
}

static void step(struct clock_chain *c)
{
    join_cables(c);
    c->clock++;
    for (unsigned i = 0; i < c->config.devices; i++) {
        if (i > 0)
            tamper(c, &c->end[i]);
        device(c->end[i].device, &c->end[i].in);
        look(c, &c->end[i]);
    }
    compare_pulses(c);
}

void chain_run(struct clock_chain *c, uint64_t clocks)
{
    for (uint64_t n = 0; n < clocks; n++)
        step(c);
}

void chain_start(struct clock_chain *c, const struct chain_config *config, uint64_t seed)
{
    const struct channel_config cable = {.delay = config->delay, .ber = config->ber};
    struct rng seeds;
    rng_seed(&seeds, seed);
    memset(c, 0, sizeof *c);
    rng_seed(&c->rng, rng_next(&seeds));
    c->config = *config;
    for (unsigned i = 0; i < config->devices; i++) {
        struct chain_device *e = &c->end[i];
        e->device = calloc(1, sizeof *e->device);
        if (e->device == NULL) {
            fputs("clock_chain: out of memory\n", stderr);
            exit(1);
        }
        device_reset(e->device);
        e->in.chip = (u16)(i + 1);
        channel_start(&e->up, &cable, &e->down, rng_next(&seeds));
        channel_start(&e->down, &cable, &e->up, rng_next(&seeds));
        for (unsigned n = rng_below(&seeds, ASLEEP); n > 0; n--)
            device(e->device, &e->in);
        e->now = (uint64_t)e->device->out.time.now;
    }
    for (unsigned i = 0; i < config->devices; i++)
        chain_write(c, i, CHAIN_CLOCKS, CLK_REG_RATE, (uint64_t)config->rate[i] & 0xffff);
}

void chain_free(struct clock_chain *c)
{
    for (unsigned i = 0; i < c->config.devices; i++)
        free(c->end[i].device);
}

bool chain_await_links(struct clock_chain *c)
{
    bool up = false;
    for (unsigned n = 0; n < CHAIN_UP && !up; n += 100) {
        chain_run(c, 100);
        up = true;
        for (unsigned i = 1; i < c->config.devices; i++)
            up &= c->end[i].device->out.status[OWN_PORT].state == LINK_RUN &&
                  c->end[i - 1].device->out.status[PEER_PORT].state == LINK_RUN;
    }
    return up;
}

bool chain_await_lock(struct clock_chain *c, uint64_t limit)
{
    for (uint64_t n = 0; n < limit && !chain_locked(c); n += 1000)
        chain_run(c, 1000);
    return chain_locked(c);
}

static uint64_t request(struct clock_chain *c, unsigned i, unsigned link, struct reg_request r)
{
    struct chain_device *e = &c->end[i];
    const bool clocks = link == CHAIN_CLOCKS;
    struct reg_request *bus = clocks ? &e->in.clock_bus : &e->in.manage[link].bus;
    const struct reg_reply *reply =
        clocks ? &e->device->out.clock_bus : &e->device->out.status[link].bus;
    *bus = r;
    for (unsigned n = 0; n < ANSWER && (n == 0 || !reply->ready); n++)
        step(c);
    const uint64_t value = reply->ready && !reply->error ? (uint64_t)reply->rdata : UINT64_MAX;
    *bus = (struct reg_request){0};
    chain_run(c, 2);
    return value;
}

uint64_t chain_read(struct clock_chain *c, unsigned device, unsigned link, unsigned reg)
{
    return request(c, device, link, (struct reg_request){.valid = 1, .addr = (u16)reg});
}

void chain_write(struct clock_chain *c, unsigned device, unsigned link, unsigned reg,
                 uint64_t value)
{
    request(c, device, link,
            (struct reg_request){.valid = 1, .write = 1, .addr = (u16)reg, .wdata = value});
}

/* A snapshot that a port got: sent and came are of one and the same. */
static void read_pair(struct clock_chain *c, unsigned device, unsigned link, uint64_t *sent,
                      uint64_t *came)
{
    uint64_t again;
    do {
        *sent = chain_read(c, device, link, LCB_REG_PEER_SENT);
        *came = chain_read(c, device, link, LCB_REG_PEER_CAME);
        again = chain_read(c, device, link, LCB_REG_PEER_SENT);
    } while (again != *sent);
}

uint64_t chain_measure(struct clock_chain *c, unsigned device)
{
    enum { PAIRS = 8 };
    uint64_t sum = 0; /* of halves */
    for (unsigned n = 0; n < PAIRS; n++) {
        uint64_t sent_up, came_up, sent_down, came_down;
        chain_run(c, SNAPSHOT);
        read_pair(c, device - 1, PEER_PORT, &sent_up, &came_up);
        read_pair(c, device, OWN_PORT, &sent_down, &came_down);
        sum += (uint64_t)difference(came_down - sent_down + came_up - sent_up, 0);
    }
    return sum * 256 / 2 / PAIRS;
}

void chain_restart(struct clock_chain *c, unsigned device)
{
    c->end[device].in.manage[OWN_PORT].restart = 1;
    step(c);
    c->end[device].in.manage[OWN_PORT].restart = 0;
    chain_run(c, 200);
}

void chain_reset_root(struct clock_chain *c)
{
    device_reset(c->end[0].device);
    c->end[0].now = 0;
    chain_run(c, 200);
}

void chain_adjust(struct clock_chain *c, unsigned device)
{
    chain_write(c, device, CHAIN_CLOCKS, CLK_REG_DELAY, chain_measure(c, device));
}

void chain_follow(struct clock_chain *c)
{
    for (unsigned i = 1; i < c->config.devices; i++)
        chain_adjust(c, i);
    for (unsigned i = 0; i < c->config.devices; i++)
        chain_write(c, i, CHAIN_CLOCKS, CLK_REG_CLOCK,
                    i == 0 ? 1 << CLK_REG_CLOCK_VALID_AT | 1 << CLK_REG_CLOCK_ROOT_AT
                           : 1 << CLK_REG_CLOCK_VALID_AT | OWN_PORT);
}

void chain_forget(struct clock_chain *c)
{
    for (unsigned i = 0; i < c->config.devices; i++) {
        c->end[i].worst = 0;
        c->end[i].pulse_late = 0;
    }
}

uint64_t chain_worst(const struct clock_chain *c)
{
    uint64_t worst = 0;
    for (unsigned i = 1; i < c->config.devices; i++)
        worst = c->end[i].worst > worst ? c->end[i].worst : worst;
    return worst;
}

bool chain_locked(const struct clock_chain *c)
{
    bool locked = true;
    for (unsigned i = 1; i < c->config.devices; i++)
        locked &= c->end[i].locked;
    return locked;
}

uint64_t chain_lost(const struct clock_chain *c)
{
    uint64_t sum = 0;
    for (unsigned i = 1; i < c->config.devices; i++)
        sum += c->end[i].lost;
    return sum;
}

uint64_t chain_backwards(const struct clock_chain *c)
{
    uint64_t sum = 0;
    for (unsigned i = 1; i < c->config.devices; i++)
        sum += c->end[i].backwards;
    return sum;
}

uint64_t chain_steps(const struct clock_chain *c)
{
    uint64_t sum = 0;
    for (unsigned i = 1; i < c->config.devices; i++)
        sum += c->end[i].stepped;
    return sum;
}
