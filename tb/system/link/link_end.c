// SPDX-License-Identifier: Apache-2.0
/*
 * link_end.c - an LCB and a plain upper side; link_end.h says what for.
 *
 * A flit has its sender's name in bits 40 and 39 and its number below; in a head VC and length are above.
 */
#include "tb/system/link/link_end.h"

#include <string.h>

enum { NAME_LSB = 39, LENGTH_LSB = 41, VC_LSB = 45, LONGEST = 16 };
#define NUMBER_MASK ((UINT64_C(1) << NAME_LSB) - 1)

void link_end_start(struct link_end *e, unsigned name, uint64_t seed)
{
    memset(e, 0, sizeof *e);
    e->name = name;
    rng_seed(&e->rng, seed + name);
    e->in.identity = (struct link_identity){(u16)(name + 1), (u6)name};
    link_end_reset(e);
}

void link_end_reset(struct link_end *e)
{
    lcb_reset(&e->lcb);
    e->left = e->held = e->rx_left = 0;
}

/* The flit to be offered: the same until it is taken. */
static u48 flit_of(const struct link_end *e)
{
    const uint64_t flit = (uint64_t)e->name << NAME_LSB | (e->sent & NUMBER_MASK);
    const uint64_t mix = (e->sent + e->name + 1) * UINT64_C(0x9e3779b97f4a7c15);
    const uint64_t head = (mix >> 61) << VC_LSB | (mix >> 40 & 15) << LENGTH_LSB;
    return (u48)(flit | (e->left ? 0 : head));
}

static unsigned length_of(u48 head)
{
    const unsigned length = (unsigned)(head >> LENGTH_LSB) & 15;
    return length ? length : LONGEST;
}

static void send(struct link_end *e)
{
    const struct lcb_out *o = &e->lcb.out;
    const u48 flit = flit_of(e);
    e->in.flit = flit;
    e->in.flit_valid = e->left != 0 || (!e->stopped && (o->room >> (unsigned)(flit >> VC_LSB) & 1));
    if (!e->in.flit_valid || !o->flit_ready)
        return;
    e->left = (e->left ? e->left : length_of(flit)) - 1;
    e->sent++;
}

static void count(struct link_end *e, uint64_t flit)
{
    const unsigned from = flit >> NAME_LSB & 3;
    const uint64_t number = flit & NUMBER_MASK;
    e->got++;
    e->twice += number < e->next[from];
    if (number < e->next[from])
        return;
    e->came[from]++;
    e->next[from] = number + 1;
}

/* A packet that a dead link has cut ends with filler: zeros, the last one marked. */
static void take(struct link_end *e)
{
    const struct lcb_out *o = &e->lcb.out;
    e->reported += o->report_valid;
    if (!o->rx_valid)
        return;
    if (o->rx_head) {
        e->coming = (u3)(o->rx_flit >> VC_LSB);
        e->rx_left = length_of(o->rx_flit);
    }
    e->rx_left--;
    e->vc[(e->first + e->held++) % 1024] = e->coming;
    if (o->rx_flit != 0 || o->rx_head)
        count(e, (uint64_t)o->rx_flit);
}

void link_end_inputs(struct link_end *e, uint64_t now)
{
    send(e);
    e->in.freed_valid = e->held > 0 && !e->holds;
    e->in.freed_vc = e->vc[e->first % 1024];
    e->first += e->in.freed_valid;
    e->held -= e->in.freed_valid;
    e->in.now = (lcb_time)now;
    e->in.load = (u7)now;
    e->in.rx_lane_valid = e->in.rx_lane_up = 7;
}

void link_end_hear(struct link_end *e, const struct lcb *from)
{
    for (unsigned l = 0; l < LANES; l++)
        e->in.rx_lane[l] = from ? from->out.tx_lane[l] : (u16)0;
}

void link_end_step(struct link_end *e)
{
    lcb(&e->lcb, &e->in);
    take(e);
    e->in.restart = 0;
    if (e->lcb.out.bus.ready)
        e->in.bus.valid = 0;
}
