// SPDX-License-Identifier: Apache-2.0
/*
 * ring_states.c - all states of a ring, breadth first.
 */
#include "tb/bgl/ring_states.h"

#include "hls/bgl/link/bgl_tokens.h"
#include "hls/bgl/torus/bgl_channel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALONG = 0, BEHIND = 1, BUBBLE = 2 };

/* A node's FIFOs: packets in front first; the dynamic one has one. */
struct fifo {
    struct ring_packet packet[RING_HELD];
    unsigned count;
};

struct state {
    struct fifo bubble[RING_MOST], dynamic[RING_MOST];
};

struct search {
    unsigned nodes;
    bool dynamic;
    enum ring_edit edit;
    uint64_t *key; /* of each state, in the order in which they were found */
    uint32_t *from;
    uint32_t *table; /* number of the state + 1, by hash of its key */
    uint64_t states, capacity, slots;
    /* what a packet asks for, by half and full packets in the next bubble FIFO, one in the dynamic one, where it comes from, whether it goes on */
    struct bgl_request asks[RING_HELD + 1][RING_HELD + 1][2][3][2];
};

enum from { FROM_BUBBLE, FROM_DYNAMIC, FROM_CORE };

/* ---- availability ---------------------------------------------------------------------------- */

static void charge(struct bgl_tokens *t, unsigned vc, unsigned chunks)
{
    const struct bgl_tokens_in in = {
        .charge = 1, .charge_vc = (u2)vc, .charge_n = (u3)(chunks - 1), .thresholds = {9, 17, 25}};
    bgl_tokens(t, &in);
}

/* Of a port whose neighbour has these packets. With the lengths edit the bubble is kept in an account that is charged as VC 0 is. */
static struct bgl_avail availability(const struct search *s, unsigned halves, unsigned fulls,
                                     bool dynamic)
{
    struct bgl_tokens t, lengths;
    bgl_tokens_reset(&t);
    bgl_tokens_reset(&lengths);
    for (unsigned i = 0; i < 4; i++)
        charge(&t, 1, RING_FULL);
    for (unsigned i = 0; i < (s->dynamic ? 3 : 4); i++)
        charge(&t, 0, RING_FULL);
    if (dynamic && s->dynamic)
        charge(&t, 0, RING_HALF);
    for (unsigned i = 0; i < 2; i++) {
        charge(&t, BUBBLE, RING_FULL);
        charge(&lengths, 0, RING_FULL);
    }
    for (unsigned i = 0; i < halves + fulls; i++)
        charge(s->edit == RING_LENGTHS ? &lengths : &t, s->edit == RING_LENGTHS ? 0 : BUBBLE,
               i < halves ? RING_HALF : RING_FULL);
    struct bgl_avail avail = {.one = t.out.one, .two = t.out.two};
    if (s->edit == RING_LENGTHS) {
        const unsigned free = 32 - (unsigned)(lengths.out.used[0] - lengths.out.told[0]);
        avail.one = (u4)((avail.one & 0xb) | (lengths.out.one & 1) << BUBBLE);
        avail.two = (u4)((avail.two & 0xb) | (u4)((free >= 2 * RING_FULL) << BUBBLE));
    } else if (s->edit == RING_ENTERS) {
        avail.two = avail.one;
    }
    return avail;
}

/* The real channel's request for a packet in front. */
static struct bgl_request ask(const struct search *s, struct bgl_avail avail, enum from from,
                              bool goes_on)
{
    struct bgl_channel c;
    struct bgl_channel_in in = {
        .front = {.valid = 1,
                  .hints = (u6)((unsigned)goes_on << ALONG),
                  .dyn = s->dynamic,
                  .vc = from == FROM_BUBBLE || !s->dynamic ? BUBBLE : 0},
        .from = from == FROM_CORE ? FROM_HOST : BEHIND,
        .bus_free = 1,
        .room = 1,
    };
    in.avail[ALONG] = avail;
    bgl_channel_reset(&c);
    bgl_channel(&c, &in);
    return c.out.request;
}

/* More than a FIFO holds is asked for by nobody: its account would be more than full. */
static void make_requests(struct search *s)
{
    for (unsigned halves = 0; halves <= RING_HELD; halves++) {
        for (unsigned fulls = 0; halves + fulls <= RING_HELD; fulls++) {
            const unsigned chunks = s->edit == RING_LENGTHS ? halves * RING_HALF + fulls * RING_FULL
                                                            : (halves + fulls) * RING_FULL;
            for (unsigned i = 0; i < 12 && chunks <= 2 * RING_FULL; i++) {
                const unsigned d = i & 1, from = i / 4, on = i >> 1 & 1;
                s->asks[halves][fulls][d][from][on] =
                    ask(s, availability(s, halves, fulls, d), (enum from)from, on);
            }
        }
    }
}

static const struct bgl_request *request(const struct search *s, const struct state *now,
                                         unsigned node, enum from from, const struct ring_packet *p)
{
    const unsigned next = (node + 1) % s->nodes;
    const struct fifo *f = &now->bubble[next];
    unsigned halves = 0;
    for (unsigned i = 0; i < f->count; i++)
        halves += f->packet[i].chunks == RING_HALF;
    return &s->asks[halves][f->count - halves][now->dynamic[next].count][from][p->hops > 0];
}

/* ---- states ---------------------------------------------------------------------------------- */

/* A packet in three bits, from 1 on. */
static unsigned code_of(const struct ring_packet *p)
{
    return 1 + 2 * p->hops + (p->chunks == RING_FULL);
}

static uint64_t key_of(const struct search *s, const struct state *now)
{
    uint64_t key = 0;
    for (unsigned n = 0; n < s->nodes; n++) {
        for (unsigned i = 0; i < RING_HELD; i++)
            key = key << 3 | (i < now->bubble[n].count ? code_of(&now->bubble[n].packet[i]) : 0);
        key = key << 3 | (now->dynamic[n].count ? code_of(&now->dynamic[n].packet[0]) : 0);
    }
    return key;
}

static void put(struct fifo *f, unsigned code)
{
    if (code != 0)
        f->packet[f->count++] =
            (struct ring_packet){(code - 1) % 2 ? RING_FULL : RING_HALF, (code - 1) / 2};
}

static struct state state_of(const struct search *s, uint64_t key)
{
    struct state now = {0};
    for (unsigned n = 0; n < s->nodes; n++) {
        const uint64_t part = key >> (15 * (s->nodes - 1 - n));
        for (unsigned i = 0; i < RING_HELD; i++)
            put(&now.bubble[n], part >> (12 - 3 * i) & 7);
        put(&now.dynamic[n], part & 7);
    }
    return now;
}

/* The state's number; it is new if that is the last one. */
static void add(struct search *s, const struct state *now, uint32_t from)
{
    const uint64_t key = key_of(s, now);
    uint64_t slot = (key * 0x9e3779b97f4a7c15u) % s->slots;
    for (; s->table[slot] != 0; slot = (slot + 1) % s->slots)
        if (s->key[s->table[slot] - 1] == key)
            return;
    if (s->states == s->capacity) {
        fprintf(stderr, "ring_states: more than %u states\n", (unsigned)s->capacity);
        exit(1);
    }
    s->key[s->states] = key;
    s->from[s->states] = from;
    s->table[slot] = (uint32_t)++s->states;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static void take_front(struct fifo *f)
{
    f->count--;
    memmove(f->packet, f->packet + 1, f->count * sizeof *f->packet);
}

/* Does what the hardware asks for; whether anything moves. */
static bool apply(const struct search *s, struct state *now, const struct ring_step *step)
{
    const bool injects = step->act == RING_INJECT;
    const bool dynamic = step->act == RING_GO_DYNAMIC || step->act == RING_ARRIVE_DYNAMIC;
    struct fifo *f = dynamic ? &now->dynamic[step->node] : &now->bubble[step->node];
    struct ring_packet p = step->packet;
    if (!injects) {
        if (f->count == 0)
            return false;
        p = f->packet[0];
    }
    const struct bgl_request *r = request(s, now, step->node,
                                          injects   ? FROM_CORE
                                          : dynamic ? FROM_DYNAMIC
                                                    : FROM_BUBBLE,
                                          &p);
    const bool arrives = step->act == RING_ARRIVE || step->act == RING_ARRIVE_DYNAMIC;
    if (!r->valid || r->here != arrives)
        return false;
    if (!injects)
        take_front(f);
    if (!r->here) {
        const unsigned next = (step->node + 1) % s->nodes;
        struct fifo *to = r->vc == BUBBLE ? &now->bubble[next] : &now->dynamic[next];
        p.hops--;
        to->packet[to->count++] = p;
    }
    return true;
}

/* Every step from a state on; whether one that is not an injection moves something, or nothing is there. */
static bool each_step(struct search *s, uint32_t number,
                      void (*found)(struct search *s, const struct state *now, uint32_t number,
                                    const struct ring_step *step))
{
    const struct state now = state_of(s, s->key[number]);
    bool moves = false, empty = true;
    for (unsigned n = 0; n < s->nodes; n++) {
        empty = empty && now.bubble[n].count + now.dynamic[n].count == 0;
        for (unsigned act = RING_GO; act <= RING_ARRIVE_DYNAMIC; act++) {
            const struct ring_step step = {.act = (enum ring_act)act, .node = n};
            struct state next = now;
            if (apply(s, &next, &step)) {
                moves = true;
                found(s, &next, number, &step);
            }
        }
        for (unsigned type = 0; type < 2 * (s->nodes - 1); type++) {
            const struct ring_step step = {
                .act = RING_INJECT,
                .node = n,
                .packet = {type % 2 ? RING_FULL : RING_HALF, 1 + type / 2}};
            struct state next = now;
            if (apply(s, &next, &step))
                found(s, &next, number, &step);
        }
    }
    return moves || empty;
}

static void found_state(struct search *s, const struct state *now, uint32_t number,
                        const struct ring_step *step)
{
    (void)step;
    add(s, now, number);
}

/* The step that leads to the state that is looked for. */
static uint64_t wanted_key;
static struct ring_step wanted_step;

static void found_step(struct search *s, const struct state *now, uint32_t number,
                       const struct ring_step *step)
{
    (void)number;
    if (key_of(s, now) == wanted_key)
        wanted_step = *step;
}

static void way_to(struct search *s, uint32_t number, struct ring_found *found)
{
    struct ring_step back[sizeof found->way / sizeof *found->way];
    unsigned steps = 0;
    for (; number != 0; number = s->from[number]) {
        if (steps == sizeof back / sizeof *back) {
            fprintf(stderr, "ring_states: the way has more than %u steps\n", steps);
            exit(1);
        }
        wanted_key = s->key[number];
        each_step(s, s->from[number], found_step);
        back[steps++] = wanted_step;
    }
    found->steps = steps;
    for (unsigned i = 0; i < steps; i++)
        found->way[i] = back[steps - 1 - i];
}

struct ring_found ring_explore(unsigned nodes, bool dynamic, enum ring_edit edit, bool all)
{
    struct search *s = calloc(1, sizeof *s);
    struct ring_found found = {0};
    const struct state none = {0};
    uint32_t stuck = 0;
    if (!s)
        exit(1);
    *s = (struct search){.nodes = nodes, .dynamic = dynamic, .edit = edit};
    s->capacity = nodes == RING_MOST ? 6000000 : 1200000;
    s->slots = 2 * s->capacity + 1;
    s->key = malloc(s->capacity * sizeof *s->key);
    s->from = malloc(s->capacity * sizeof *s->from);
    s->table = calloc(s->slots, sizeof *s->table);
    if (!s->key || !s->from || !s->table) {
        fprintf(stderr, "ring_states: no memory for %u states\n", (unsigned)s->capacity);
        exit(1);
    }
    make_requests(s);
    add(s, &none, 0);
    for (uint32_t i = 0; i < s->states && (all || found.stuck == 0); i++) {
        if (!each_step(s, i, found_state)) {
            stuck = found.stuck == 0 ? i : stuck;
            found.stuck++;
        }
    }
    found.states = s->states;
    if (found.stuck > 0)
        way_to(s, stuck, &found);
    free(s->key);
    free(s->from);
    free(s->table);
    free(s);
    return found;
}
