// SPDX-License-Identifier: Apache-2.0
/* nic_trees.c - trees of collective engines over the NICs of a bench. */
#include "tb/system/nic/reduce/nic_trees.h"

#include <string.h>

/* Words of a descriptor's page, of the driver's registers, of host memory (hls/nic/PROGRAMMING.md, hls/nic/regs/REGISTERS.md). */
enum {
    MODES = 1,
    RESULT_AT = 4,
    EVENT = 5,
    OPERAND = 6,
    JOIN = 11,
    ENGINES_AT = 0x400,
    ENGINE_STEP = 64,
    PARENT = 1,
    CHILD = 2,
    RINGS_AT = TREES * TREE_SEGMENT, /* behind the segments */
    PLACE = 48,                      /* of a process in the segment */
};

static uint8_t ptag_of(const struct trees *t, unsigned tree)
{
    return (uint8_t)(t->names.ptag + tree);
}

static uint64_t segment_at(const struct trees *t, unsigned tree)
{
    return t->names.at + (uint64_t)TREE_SEGMENT * tree;
}

static uint64_t ring_at(const struct trees *t, unsigned tree)
{
    return RINGS_AT + segment_at(t, tree);
}

/* ---- shape ---------------------------------------------------------------------------------------- */

static void add_child(struct trees *t, unsigned node, unsigned tree, struct gn_child child)
{
    struct gn_engine *e = &t->engine[node][tree];

    e->child[e->children++] = child;
}

/* Children in any order. */
static void shuffle(struct trees *t, struct gn_engine *e)
{
    for (unsigned k = e->children; k > 1; k--) {
        const unsigned other = rng_below(&t->rng, k);
        const struct gn_child child = e->child[k - 1];

        e->child[k - 1] = e->child[other];
        e->child[other] = child;
    }
}

/* Node by node, in any order, each below one of those before it; every node has a process, or several. */
static void grow(struct trees *t, unsigned tree)
{
    const bool event = rng_below(&t->rng, 4) != 0;
    unsigned order[GN_NODES];

    for (unsigned i = 0; i < t->bench->nodes; i++) {
        const unsigned at = rng_below(&t->rng, i + 1);

        order[i] = order[at];
        order[at] = i;
    }
    for (unsigned i = 0; i < t->bench->nodes; i++) {
        const unsigned node = order[i];
        struct gn_engine *e = &t->engine[node][tree];

        *e = (struct gn_engine){
            .root = i == 0, .event = event, .rounding = rng_below(&t->rng, 4), .engine = tree};
        for (unsigned k = 1 + rng_below(&t->rng, TREE_MOST); k > 0; k--) {
            add_child(t, node, tree, (struct gn_child){.endpoint = true});
        }
        if (i > 0) {
            e->node = order[rng_below(&t->rng, i)];
            add_child(t, e->node, tree, (struct gn_child){.node = node, .engine = tree});
        }
    }
    for (unsigned node = 0; node < t->bench->nodes; node++) {
        shuffle(t, &t->engine[node][tree]);
    }
}

/* ---- the driver ----------------------------------------------------------------------------------- */

static void write_engine(struct trees *t, unsigned node, unsigned tree, unsigned word,
                         uint64_t data)
{
    nic_bench_write(t->bench, node, (uint16_t)(ENGINES_AT + ENGINE_STEP * tree + word), data);
}

/* Which child of its parent an engine is. */
static unsigned place_of(const struct trees *t, unsigned node, unsigned tree)
{
    const struct gn_engine *parent = &t->engine[t->engine[node][tree].node][tree];
    unsigned k = 0;

    while (parent->child[k].endpoint || parent->child[k].node != node) {
        k++;
    }
    return k;
}

void trees_enable(struct trees *t, unsigned node, unsigned tree)
{
    const struct gn_engine *e = &t->engine[node][tree];

    write_engine(t, node, tree, 0,
                 ptag_of(t, tree) | (uint64_t)e->rounding << 8 | (uint64_t)e->event << 13 |
                     (uint64_t)1 << 14 | (uint64_t)e->children << 15 | (uint64_t)e->root << 62 |
                     (uint64_t)1 << 63);
}

static void add_process(struct trees *t, unsigned node, unsigned tree, unsigned child, unsigned fma)
{
    t->process[t->processes++] = (struct tree_process){.node = node,
                                                       .engine = tree,
                                                       .child = child,
                                                       .fma = fma,
                                                       .result = (uint64_t)PLACE * child + 8};
    nic_bench_descriptor(t->bench, node, fma, ptag_of(t, tree), 1);
    write_engine(t, node, tree, CHILD + child, (uint64_t)1 << 20 | (uint64_t)fma << 22);
}

static void plant_engine(struct trees *t, unsigned node, unsigned tree)
{
    const struct gn_engine *e = &t->engine[node][tree];
    struct nic_bench *b = t->bench;
    unsigned fma = t->names.fma + TREE_MOST * tree;

    if (!e->root) {
        write_engine(t, node, tree, PARENT,
                     b->node[e->node].address | (uint64_t)tree << 18 |
                         (uint64_t)place_of(t, node, tree) << 20);
    }
    for (unsigned k = 0; k < e->children; k++) {
        if (e->child[k].endpoint) {
            add_process(t, node, tree, k, fma++);
        } else {
            write_engine(t, node, tree, CHILD + k,
                         b->node[e->child[k].node].address | (uint64_t)tree << 18 |
                             (uint64_t)2 << 20);
        }
    }
    gn_engine(b->golden, node, tree, e);
    trees_enable(t, node, tree);
}

void trees_plant(struct trees *t, struct nic_bench *b, const struct tree_names *names,
                 uint64_t seed)
{
    *t = (struct trees){.bench = b, .names = *names, .seed = seed};
    rng_seed(&t->rng, seed);
    for (unsigned tree = 0; tree < TREES; tree++) {
        grow(t, tree);
        for (unsigned node = 0; node < b->nodes; node++) {
            const uint8_t ptag = ptag_of(t, tree);

            memset(host_memory(b->node[node].host) + ring_at(t, tree), 0, 8 << TREE_RING);
            nic_bench_segment(b, node, names->mdh + tree,
                              &(struct gn_segment){.valid = true,
                                                   .write = true,
                                                   .base = segment_at(t, tree),
                                                   .length = TREE_SEGMENT,
                                                   .ptag = ptag});
            nic_bench_queue(
                b, node, names->queue + tree,
                &(struct gn_ring){
                    .enabled = true, .base = ring_at(t, tree), .log2 = TREE_RING, .ptag = ptag});
            plant_engine(t, node, tree);
        }
    }
}

/* ---- processes ------------------------------------------------------------------------------------ */

static void store(struct trees *t, const struct tree_process *p, unsigned word, uint64_t value)
{
    const struct driver_burst burst = store_word(p->fma, word, value);

    driver_burst(&t->bench->node[p->node].driver, &burst);
}

static uint8_t *place_in_memory(const struct trees *t, const struct tree_process *p)
{
    return host_memory(t->bench->node[p->node].host) + segment_at(t, p->engine) + p->result;
}

void trees_join(struct trees *t, struct tree_process *p, unsigned operation,
                struct gn_ce_value value)
{
    const bool two = value.second != 0 || rng_below(&t->rng, 2) != 0;
    struct gn_join join = {
        .engine = p->engine,
        .child = p->child,
        .id = ++p->id & 0x7FFF,
        .operation = operation,
        .value = value,
        .ptag = ptag_of(t, p->engine),
        .mdh = (uint16_t)(t->names.mdh + p->engine),
        .offset = p->result | rng_below(&t->rng, 8), /* its low bits count as 0 */
        .queue = (uint16_t)(t->names.queue + p->engine),
        .event = rng_next(&t->rng) >> 8 | 1, /* none is 0 */
    };

    memset(place_in_memory(t, p), 0, 24);
    store(t, p, MODES,
          (uint64_t)join.mdh << 12 | (uint64_t)join.queue << 30 | (uint64_t)operation << 40);
    store(t, p, RESULT_AT, join.offset);
    store(t, p, EVENT, join.event);
    store(t, p, OPERAND, value.first);
    store(t, p, OPERAND + 1, two ? value.second : rng_next(&t->rng));
    gn_join(t->bench->golden, p->node, &join);
    store(t, p, JOIN,
          join.id | (uint64_t)p->child << 16 | (uint64_t)p->engine << 21 | (uint64_t)two << 23 |
              (uint64_t)value.exceptions << 24);
    p->waits = true;
}

uint64_t trees_control(const struct trees *t, const struct tree_process *p)
{
    uint64_t control;

    memcpy(&control, place_in_memory(t, p), sizeof(control));
    return control;
}

/* ---- reductions ----------------------------------------------------------------------------------- */

/* Reductions of a tree: the operation of each is the same for all its processes. */
static unsigned operation_of(const struct trees *t, unsigned tree, unsigned id)
{
    struct rng r;
    unsigned operation;

    rng_seed(&r, t->seed + 1000003 * tree + id);
    do {
        operation = rng_below(&r, 64);
    } while (!gn_ce_exists(operation));
    return operation;
}

/* Operands: any bits, small ones, numbers of floating point that are near each other. */
static struct gn_ce_value draw(struct rng *r, unsigned operation)
{
    const uint64_t one = operation & 1 ? 0x3FF0000000000000 : 0x3F800000;
    struct gn_ce_value v = {rng_next(r), rng_next(r), 0};

    switch (rng_below(r, 3)) {
    case 0:
        v.first >>= 60;
        v.second = rng_below(r, 2) ? 0 : v.second >> 60;
        break;
    case 1:
        v.first = one ^ v.first >> 10 % 64;
        v.second = one ^ v.second >> 44;
        break;
    default:
        break;
    }
    v.exceptions = rng_below(r, 8) == 0 ? rng_below(r, 16) : 0;
    return v;
}

/* The next event of a tree's queue on a node: the golden model knows whether it is right. */
static void read_event(struct trees *t, unsigned node, unsigned tree)
{
    unsigned *read = &t->read[node][tree];
    uint8_t *place =
        host_memory(t->bench->node[node].host) + ring_at(t, tree) + 8 * (*read % (1 << TREE_RING));
    static const uint8_t none[8];

    if (memcmp(place, none, 8) != 0) {
        memset(place, 0, 8);
        if (++*read % 64 == 0) {
            const struct driver_burst index = store_queue(t->names.queue + tree, *read);

            driver_burst(&t->bench->node[node].driver, &index);
        }
    }
}

bool trees_step(struct trees *t, unsigned reductions, double hurry)
{
    bool joins = false;

    for (unsigned node = 0; node < t->bench->nodes; node++) {
        read_event(t, node, rng_below(&t->rng, TREES));
    }
    for (unsigned i = 0; i < t->processes; i++) {
        struct tree_process *p = &t->process[i];

        p->waits = p->waits && trees_control(t, p) == 0;
        if (!p->waits && p->id < reductions && rng_chance(&t->rng, hurry)) {
            const unsigned operation = operation_of(t, p->engine, p->id + 1);

            trees_join(t, p, operation, draw(&t->rng, operation));
            joins = true;
        }
    }
    return joins;
}

bool trees_rest(const struct trees *t, unsigned reductions)
{
    for (unsigned i = 0; i < t->processes; i++) {
        if (t->process[i].waits || t->process[i].id < reductions) {
            return false;
        }
    }
    return true;
}

unsigned trees_joined(const struct trees *t)
{
    unsigned most = 0;

    for (unsigned i = 0; i < t->processes; i++) {
        most = t->process[i].id > most ? t->process[i].id : most;
    }
    return most;
}
