// SPDX-License-Identifier: Apache-2.0
/*
 * router_traffic.c - sources and sinks around a router; router_traffic.h says how they behave.
 */
#include "tb/system/router/router_traffic.h"

#include <string.h>

/* ---- credits ----------------------------------------------------------------------------------- */

static unsigned above(unsigned used, unsigned guaranteed)
{
    return used > guaranteed ? used - guaranteed : 0;
}

unsigned credit_room(const struct credit_account *a, unsigned vc)
{
    return above(a->guaranteed, a->used[vc]) + above(a->shared, a->shared_used);
}

void credit_take(struct credit_account *a, unsigned vc, unsigned flits)
{
    a->wrong += flits > credit_room(a, vc);
    a->shared_used -= above(a->used[vc], a->guaranteed);
    a->used[vc] += flits;
    a->shared_used += above(a->used[vc], a->guaranteed);
}

void credit_give(struct credit_account *a, unsigned vc, unsigned flits)
{
    if (a->used[vc] < flits) {
        a->wrong++;
        return;
    }
    a->shared_used -= above(a->used[vc], a->guaranteed);
    a->used[vc] -= flits;
    a->shared_used += above(a->used[vc], a->guaranteed);
}

unsigned credit_used(const struct credit_account *a)
{
    unsigned used = 0;
    for (unsigned v = 0; v < PLAN_VCS; v++)
        used += a->used[v];
    return used;
}

/* ---- source ------------------------------------------------------------------------------------ */

void source_begin(struct port_source *s, unsigned port, const struct golden_machine *m,
                  const struct source_config *config, uint64_t seed)
{
    *s = (struct port_source){
        .config = *config,
        .machine = m,
        .port = port,
        .credits = {.guaranteed = config->guaranteed, .shared = config->shared},
    };
    rng_seed(&s->rng, seed);
}

/* Where to: a destination, or for source-routed packets a list of hops whose first is {row, column}. */
static uint64_t draw_place(struct port_source *s, unsigned mode)
{
    if (mode == PACKET_SOURCE) {
        const unsigned port = rng_bit(&s->rng, s->config.hops);
        const unsigned hop = port / s->machine->cols << 3 | port % s->machine->cols;
        return (rng_next(&s->rng) & ~UINT64_C(63)) | hop;
    }
    const struct traffic_place *p = &s->config.place[rng_below(&s->rng, s->config.places)];
    return rng_chance(&s->rng, 0.25) ? p->place | (rng_next(&s->rng) & p->any) : p->place;
}

/* VCs with credit for a packet of this length. */
static unsigned vcs_with_room(const struct port_source *s, unsigned length)
{
    unsigned vcs = 0;
    for (unsigned v = 0; v < s->machine->vcs; v++)
        vcs |= (unsigned)(credit_room(&s->credits, v) >= length) << v;
    return vcs & s->config.vcs;
}

static uint64_t make_head(struct port_source *s, unsigned vc)
{
    const struct golden_machine *m = s->machine;
    const unsigned mode = rng_bit(&s->rng, s->config.modes & m->modes);
    uint64_t head = packet_set(m, 0, PACKET_OWN, rng_next(&s->rng));
    head = packet_set(m, head, PACKET_VC, vc);
    head = packet_set(m, head, PACKET_LENGTH, s->length);
    head = packet_set(m, head, PACKET_PHASE, rng_bit(&s->rng, s->config.phases));
    head = packet_set(m, head, PACKET_HASH, rng_below(&s->rng, s->config.hashes) * 37);
    if (mode == PACKET_SOURCE && packet_by_end(m)) {
        head = packet_set(m, head, PACKET_LIST, draw_place(s, mode) & 0xfff);
        head = packet_set(m, head, PACKET_HOPS, 1 + rng_below(&s->rng, 2));
    } else {
        head = packet_set(m, head, PACKET_PLACE, draw_place(s, mode));
    }
    return packet_set_mode(m, head, mode);
}

/*
 * A length over the longest, or a VC that the machine does not have, whose credits count like the others'; where the end frames such a
 * length, or a mode that is none.
 */
static void spoil_head(struct port_source *s)
{
    const struct golden_machine *m = s->machine;
    if (packet_by_end(m)) {
        static const unsigned none[] = {3, 4, 5, 6};
        if (rng_chance(&s->rng, 0.5))
            s->head = packet_set(m, s->head, PACKET_MODE, none[rng_below(&s->rng, 4)]);
        else
            s->length = m->longest + 1 + rng_below(&s->rng, PACKET_LONGEST - m->longest);
        return;
    }
    const unsigned codes = 1u << m->field[PACKET_VC].width;
    const unsigned vc = m->vcs < codes ? m->vcs + rng_below(&s->rng, codes - m->vcs) : s->vc;
    if (vc != s->vc && rng_chance(&s->rng, 0.5) && credit_room(&s->credits, vc) >= s->length) {
        s->head = packet_set(m, s->head, PACKET_VC, vc);
        s->vc = vc;
    } else {
        s->length = m->longest + 1 + rng_below(&s->rng, packet_most(m) - m->longest);
        s->head = packet_set(m, s->head, PACKET_LENGTH, s->length);
    }
}

static unsigned draw_length(struct port_source *s)
{
    const struct source_config *c = &s->config;
    if (c->shorts > 0)
        return rng_chance(&s->rng, c->shorts) ? c->min_length : c->max_length;
    return c->min_length + rng_below(&s->rng, c->max_length - c->min_length + 1);
}

static double mean_length(const struct source_config *c)
{
    const double shorts = c->shorts > 0 ? c->shorts : 0.5;
    return shorts * c->min_length + (1 - shorts) * c->max_length;
}

/* Length and legality of the next packet are drawn once, however long it waits for credits. */
static void draw_packet(struct port_source *s)
{
    const struct source_config *c = &s->config;
    s->illegal = c->illegal > 0 && rng_chance(&s->rng, c->illegal);
    s->length = draw_length(s);
    s->drawn = true;
}

/* Flits for which there must be credit on a VC. */
static unsigned needed(const struct port_source *s)
{
    const unsigned *by_vc = s->config.vc_length;
    unsigned any = 0;
    for (unsigned v = 0; v < PLAN_VCS; v++)
        any |= by_vc[v];
    return s->illegal ? packet_most(s->machine) : any ? s->machine->longest : s->length;
}

/* A copy with a transmit error goes before the packet, on the same credit: any part of it, with an end. */
static void draw_copy(struct port_source *s)
{
    const struct source_config *c = &s->config;
    const unsigned most = s->length < s->machine->longest ? s->length : s->machine->longest;
    s->copy = c->cut > 0 && rng_chance(&s->rng, c->cut) ? 2 + rng_below(&s->rng, most - 1) : 0;
    s->damage = 0;
    if (s->copy > 0 && c->wrong > 0 && rng_chance(&s->rng, c->wrong))
        for (unsigned bits = 1 + rng_below(&s->rng, 2); bits > 0; bits--)
            s->damage |= UINT64_C(1) << rng_below(&s->rng, s->machine->flit_bits);
    s->left = s->copy > 0 ? s->copy : s->length;
    s->copies += s->copy > 0;
}

static bool begin_packet(struct port_source *s)
{
    const struct source_config *c = &s->config;
    if (!s->drawn)
        draw_packet(s);
    const unsigned vcs = vcs_with_room(s, needed(s));
    if (vcs == 0)
        return false;
    s->drawn = false;
    s->vc = rng_bit(&s->rng, vcs);
    if (c->vc_length[s->vc] && !s->illegal)
        s->length = c->vc_length[s->vc];
    s->head = make_head(s, s->vc);
    if (s->illegal)
        spoil_head(s);
    s->left = s->length;
    if (packet_by_end(s->machine)) {
        draw_copy(s);
        credit_take(&s->credits, s->vc, s->length);
    }
    s->bad_at = c->bad > 0 && rng_chance(&s->rng, c->bad) ? 1 + rng_below(&s->rng, s->length) : 0;
    s->packets++;
    return true;
}

/* Idle clocks between packets make up for load below 1. */
static bool waits(struct port_source *s)
{
    const double idle =
        mean_length(&s->config) * (1 - s->config.load); /* clocks of each load * (mean + idle) */
    return s->config.load < 1 && !rng_chance(&s->rng, s->config.load / (s->config.load + idle));
}

/* A number mixed over the flit: odd multiplication and folding lose nothing. */
static uint64_t body_flit(const struct port_source *s)
{
    const unsigned bits = s->machine->flit_bits;
    const uint64_t mask = (UINT64_C(1) << bits) - 1;
    uint64_t n = (s->flits * PLAN_PORTS + s->port + 1) * 0x9E3779B97F4B & mask;
    n ^= n >> bits / 2;
    n = n * 0xC2B2AE3D27D5 & mask;
    return n ^ n >> bits / 2;
}

/* The next flit of a packet that ends with a mark, or of a copy of it, and behind a copy the same packet or another copy. */
static bool step_by_end(struct port_source *s, bool *bad)
{
    const bool copy = s->copy > 0, head = s->left == (copy ? s->copy : s->length);
    s->flit = head ? s->head ^ (copy ? s->damage : 0) : body_flit(s);
    *bad = !copy && s->left == s->bad_at;
    s->left--;
    s->flits++;
    s->tail = s->left == 0;
    s->cut = copy && s->tail;
    if (s->cut)
        draw_copy(s);
    return true;
}

bool source_step(struct port_source *s, bool *bad)
{
    if (s->left == 0) {
        if (s->stopped || s->config.load <= 0 || (!s->drawn && waits(s)) || !begin_packet(s))
            return false;
    } else if (s->config.bubble > 0 && rng_chance(&s->rng, s->config.bubble)) {
        return false;
    }
    if (packet_by_end(s->machine))
        return step_by_end(s, bad);
    s->flit = s->left == s->length ? s->head : body_flit(s);
    *bad = s->left == s->bad_at;
    credit_take(&s->credits, s->vc, 1);
    s->left--;
    s->flits++;
    return true;
}

/* ---- sink -------------------------------------------------------------------------------------- */

/* VCs with room for so many packets. */
static unsigned vcs_with_space(const struct port_sink *s, unsigned packets)
{
    unsigned vcs = 0;
    for (unsigned v = 0; v < s->machine->vcs; v++)
        vcs |= (unsigned)(credit_room(&s->charged, v) >= packets * s->machine->longest) << v;
    return vcs;
}

/* Two of one VC fit: then one fits besides another that is of this VC or takes shared room. */
static void find_room(struct port_sink *s)
{
    s->room = vcs_with_space(s, 1);
    s->spare = vcs_with_space(s, 2);
}

void sink_begin(struct port_sink *s, const struct golden_machine *m,
                const struct sink_config *config, uint64_t seed)
{
    *s = (struct port_sink){
        .config = *config,
        .machine = m,
        .charged = {.guaranteed = config->guaranteed, .shared = config->shared},
    };
    rng_seed(&s->rng, seed);
    find_room(s);
    s->room_before = s->room;
    s->spare_before = s->spare;
    s->ready = true;
}

void sink_started(struct port_sink *s, unsigned vc)
{
    credit_take(&s->charged, vc, s->machine->longest);
    if (s->starts == SINK_STARTS)
        s->unannounced++;
    else
        s->start[s->starts++] = vc;
}

/* The head of the oldest packet that was announced: its real length is known now, or when its end comes. */
static void sink_head(struct port_sink *s, uint64_t head)
{
    const unsigned longest = s->machine->longest;
    s->left = packet_by_end(s->machine) ? longest : packet_length(s->machine, head);
    s->vc = (unsigned)packet_get(s->machine, head, PACKET_VC);
    if (s->starts == 0 || s->start[0] != s->vc || s->left > longest) {
        s->unannounced++;
        return;
    }
    memmove(&s->start[0], &s->start[1], (SINK_STARTS - 1) * sizeof s->start[0]);
    s->starts--;
    credit_give(&s->charged, s->vc, longest - s->left);
}

void sink_takes(struct port_sink *s, uint64_t flit, bool tail)
{
    if (s->left == 0)
        sink_head(s, flit);
    s->left--;
    if (packet_by_end(s->machine) && tail) {
        credit_give(&s->charged, s->vc, s->left);
        s->left = 0;
    }
    s->queued[s->vc]++;
    s->total++;
    s->flits++;
}

void sink_step(struct port_sink *s)
{
    s->room_before = s->room;
    s->spare_before = s->spare;
    if (s->total > 0 && (s->config.drain >= 1 || rng_chance(&s->rng, s->config.drain))) {
        while (s->queued[s->next] == 0)
            s->next = (s->next + 1) % PLAN_VCS;
        s->queued[s->next]--;
        s->total--;
        credit_give(&s->charged, s->next, 1);
        s->next = (s->next + 1) % PLAN_VCS;
    }
    find_room(s);
    s->ready = s->config.ready >= 1 || rng_chance(&s->rng, s->config.ready);
}
