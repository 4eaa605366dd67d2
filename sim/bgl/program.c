// SPDX-License-Identifier: Apache-2.0
/*
 * program.c - all-to-all, random destinations, a hot region, a hot spot; what all programs share.
 */
#include "sim/bgl/program.h"

#include <math.h>
#include <stdlib.h>

#include "sim/base/program.h"
#include "sim/bgl/hints.h"
#include "sim/bgl/program_state.h"

const char *const pattern_names[PATTERNS] = {
    "all-to-all", "random", "hot", "spot", "line", "plane", "ping-pong", "file",
};

/* ---- orders ------------------------------------------------------------------------------------- */

/* A Feistel network over the least even number of bits; numbers beyond the count are permuted again. */
uint32_t shuffled(uint32_t count, uint64_t key, uint32_t i)
{
    unsigned half = 1;
    while (UINT64_C(1) << 2 * half < count)
        half++;
    const uint32_t mask = (1u << half) - 1;
    do {
        uint32_t left = i >> half, right = i & mask;
        for (unsigned round = 0; round < 4; round++) {
            uint64_t state = key + right * UINT64_C(0x9fb21c651e98df25) + round;
            const uint32_t mixed = (uint32_t)(splitmix64(&state) >> 32) & mask;
            const uint32_t swapped = left ^ mixed;
            left = right;
            right = swapped;
        }
        i = left << half | right;
    } while (i >= count);
    return i;
}

/* Node number i of those that the lines `within` through a node have. */
static struct place member(const struct shape *s, unsigned within, struct place from, uint32_t i)
{
    for (unsigned d = 0; d < 3; d++)
        if (within >> d & 1) {
            from.at[d] = (uint8_t)(i % s->size[d]);
            i /= s->size[d];
        }
    return from;
}

/* The program's packets of a node come no faster than its pace; clocks to wait. */
static bool paced(const struct program *p, const struct seat *seat, uint32_t now, uint32_t *wait)
{
    const uint64_t then = MODEL_WINDOW + seat->index * p->config.pace;
    if (p->config.pace && now < then) {
        *wait = (uint32_t)(then - now);
        return false;
    }
    return true;
}

/* ---- programs ----------------------------------------------------------------------------------- */

static bool next_all_to_all(struct program *p, unsigned node, uint32_t now, struct call *call,
                            uint32_t *wait)
{
    const struct shape *s = &p->config.shape;
    struct seat *seat = &p->seat[node];
    const struct place from = shape_place(s, node);
    const uint32_t pairs = (p->group + p->config.share - 1) / p->config.share;
    while (seat->index < (uint64_t)pairs * p->config.packets) {
        if (!paced(p, seat, now, wait))
            return false;
        const uint32_t i =
            shuffled(p->group, p->config.seed + node, (uint32_t)(seat->index % pairs));
        const struct place to = member(s, p->config.within, from, i);
        seat->index++;
        if (shape_node(s, to) == node)
            continue;
        *call = plain_call(p, to, now);
        call->tag = (uint16_t)(node ^ seat->index << 7);
        return true;
    }
    return false;
}

/* Any node but this one. */
static struct place anywhere(const struct program *p, struct seat *seat, unsigned node)
{
    const uint32_t to = sim_below(&seat->random, p->config.shape.nodes - 1);
    return shape_place(&p->config.shape, to + (to >= node));
}

static bool next_random(struct program *p, unsigned node, uint32_t now, struct call *call,
                        uint32_t *wait)
{
    struct seat *seat = &p->seat[node];
    if (seat->time == 0)
        seat->time = MODEL_WINDOW - log(1 - sim_unit(&seat->random)) / p->rate;
    if (seat->time > now) {
        *wait = (uint32_t)(seat->time - now < 1e6 ? seat->time - now : 1e6) + 1;
        return false;
    }
    *call = plain_call(p, anywhere(p, seat, node), (uint32_t)seat->time);
    call->tag = (uint16_t)seat->index++;
    seat->time -= log(1 - sim_unit(&seat->random)) / p->rate;
    return true;
}

/* Nodes of half of each dimension, from the first on. */
static struct place in_hot(const struct program *p, struct seat *seat)
{
    struct place to;
    for (unsigned d = 0; d < 3; d++)
        to.at[d] = (uint8_t)sim_below(&seat->random, (p->config.shape.size[d] + 1) / 2);
    return to;
}

static bool next_hot(struct program *p, unsigned node, uint32_t now, struct call *call,
                     uint32_t *wait)
{
    struct seat *seat = &p->seat[node];
    struct place to;
    (void)wait;
    do {
        to = sim_unit(&seat->random) < p->config.hot ? in_hot(p, seat) : anywhere(p, seat, node);
    } while (shape_node(&p->config.shape, to) == node);
    *call = plain_call(p, to, now);
    call->tag = (uint16_t)seat->index++;
    return true;
}

bool program_hot(const void *program, struct place at)
{
    const struct program *p = program;
    const unsigned cube = p->config.cube;
    for (unsigned d = 0; d < 3; d++) {
        const unsigned edge =
            p->config.pattern == PATTERN_SPOT ? cube : (p->config.shape.size[d] + 1) / 2;
        if (at.at[d] >= edge)
            return false;
    }
    return true;
}

/* Hints of a shortest way; of two that are as short one at random, as one destination sees no balance of the fixed ones. */
static unsigned either_way(const struct shape *s, struct seat *seat, struct place from,
                           struct place to)
{
    unsigned hints = shape_hints(s, from, to);
    const uint64_t random = sim_random(&seat->random);
    for (unsigned d = 0; d < 3; d++)
        if (2u * (unsigned)abs(to.at[d] - from.at[d]) == s->size[d] && random >> d & 1)
            hints ^= 3u << 2 * d;
    return hints;
}

static bool next_spot(struct program *p, unsigned node, uint32_t now, struct call *call,
                      uint32_t *wait)
{
    const unsigned cube = p->config.cube, receivers = cube * cube * cube;
    struct seat *seat = &p->seat[node];
    if (program_hot(p, shape_place(&p->config.shape, node)) ||
        seat->index == (uint64_t)receivers * p->config.packets || !paced(p, seat, now, wait))
        return false;
    const uint32_t i =
        shuffled(receivers, p->config.seed + node, (uint32_t)(seat->index % receivers));
    const struct place to = {
        {(uint8_t)(i % cube), (uint8_t)(i / cube % cube), (uint8_t)(i / cube / cube)}};
    *call = plain_call(p, to, now);
    call->hints =
        (uint8_t)either_way(&p->config.shape, seat, shape_place(&p->config.shape, node), to);
    call->tag = (uint16_t)(node ^ seat->index++ << 7);
    return true;
}

/* ---- what all share ----------------------------------------------------------------------------- */

struct program *program_new(const struct program_config *config)
{
    static bool (*const next[PATTERNS])(struct program *, unsigned, uint32_t, struct call *,
                                        uint32_t *) = {
        next_all_to_all, next_random, next_hot,       next_spot,
        next_fill,       next_fill,   next_ping_pong, next_flow,
    };
    struct program *p = sim_alloc(1, sizeof *p);
    p->config = *config;
    p->next = next[config->pattern];
    p->group = 1;
    for (unsigned d = 0; d < 3; d++)
        p->group *= config->within >> d & 1 ? config->shape.size[d] : 1;
    p->seat = sim_alloc(config->shape.nodes, sizeof *p->seat);
    for (unsigned i = 0; i < config->shape.nodes; i++)
        p->seat[i].random = sim_random_of(config->seed, i);
    if (config->pattern == PATTERN_LINE || config->pattern == PATTERN_PLANE)
        p->arrived = arrived_fill;
    else if (config->pattern == PATTERN_PING_PONG)
        p->arrived = arrived_ping_pong;
    else if (config->pattern == PATTERN_FILE)
        flows_read(p);
    if (config->dead) {
        p->dead = hints_read_dead(&p->config.shape, config->dead);
        p->plain = p->next;
        p->next = next_round;
        p->arrived = arrived_round;
    }
    p->rate = config->load * program_peak(p);
    return p;
}

void program_free(struct program *p)
{
    for (unsigned i = 0; i < p->config.shape.nodes; i++)
        free(p->seat[i].relay);
    free(p->seat);
    free(p->dead);
    free(p->flow);
    free(p->first);
    free(p);
}

static bool call_next(void *self, unsigned node, uint32_t now, struct call *call, uint32_t *wait)
{
    struct program *p = self;
    struct seat *seat = &p->seat[node];
    if (!seat->kept)
        return p->next(p, node, now, call, wait);
    *call = seat->call;
    seat->kept = false;
    return true;
}

static void call_again(void *self, unsigned node, const struct call *call)
{
    struct program *p = self;
    p->seat[node].call = *call;
    p->seat[node].kept = true;
}

static void call_arrived(void *self, unsigned node, uint32_t now, const struct packet *packet)
{
    struct program *p = self;
    p->arrived(p, node, now, packet);
}

struct program_calls program_calls(struct program *p)
{
    return (struct program_calls){p, call_next, call_again, p->arrived ? call_arrived : NULL};
}

/* Links into a cube from outside. */
static double entries(const struct shape *s, unsigned cube)
{
    double links = 0;
    for (unsigned d = 0; d < 3; d++)
        if (cube < s->size[d])
            links += 2.0 * cube * cube;
    return links;
}

double program_peak(const struct program *p)
{
    const double slot = program_slot(p->config.chunks);
    const double nodes = p->config.shape.nodes;
    return (nodes - 1) / (shape_fullest(&p->config.shape, 7) * slot);
}

double program_ideal(const struct program *p)
{
    const struct program_config *c = &p->config;
    const double slot = program_slot(c->chunks), packets = c->packets;
    const double receivers = (double)c->cube * c->cube * c->cube;
    switch (c->pattern) {
    case PATTERN_ALL_TO_ALL:
        return shape_fullest(&c->shape, c->within) * packets / c->share * slot;
    case PATTERN_SPOT:
        return (c->shape.nodes - receivers) * receivers * packets * slot /
               entries(&c->shape, c->cube);
    case PATTERN_LINE:
        return packets / 2 * slot;
    case PATTERN_PLANE:
        return packets / 4 * slot;
    default:
        return 0;
    }
}

uint64_t program_relayed(const struct program *p, uint64_t *lost)
{
    uint64_t count[2] = {0};
    for (unsigned i = 0; i < p->config.shape.nodes; i++) {
        count[0] += p->seat[i].relayed;
        count[1] += p->seat[i].lost;
    }
    p->config.ranks->sum(count, 2);
    *lost = count[1];
    return count[0];
}

const uint8_t *program_dead(const struct program *p)
{
    return p->dead;
}

/* All-to-all of the living; each packet over a relay is delivered twice. */
static uint64_t round_packets(const struct program *p)
{
    uint64_t living = 0, lost;
    for (unsigned i = 0; i < p->config.shape.nodes; i++)
        living += !p->dead[i];
    const uint64_t relayed = program_relayed(p, &lost);
    return living * (living - 1) * p->config.packets + relayed - lost;
}

uint64_t program_packets(const struct program *p)
{
    const struct program_config *c = &p->config;
    const uint64_t nodes = c->shape.nodes, receivers = (uint64_t)c->cube * c->cube * c->cube;
    switch (c->pattern) {
    case PATTERN_ALL_TO_ALL:
        if (c->share > 1)
            return 0;
        return p->dead ? round_packets(p) : nodes * (p->group - 1) * c->packets;
    case PATTERN_SPOT:
        return (nodes - receivers) * receivers * c->packets;
    case PATTERN_LINE:
        return (uint64_t)(c->shape.size[0] - 1) * c->packets;
    case PATTERN_PLANE:
        return (uint64_t)(c->shape.size[0] * c->shape.size[1] - 1) * c->packets;
    default:
        return 0;
    }
}
