// SPDX-License-Identifier: Apache-2.0
/* ce_tree.c - trees of engines, and what their reductions should give. */
#include "tb/blocks/nic/ce/ce_tree.h"

#include <string.h>

enum { CLOCKS = 200000, FLOATING_FROM = 0x18 };

/* ---- trees ---------------------------------------------------------------------------------------- */

void ce_tree_root(struct ce_bench *b, unsigned node, unsigned engine, unsigned ptag)
{
    b->node[node].tree[engine] =
        (struct ce_tree_engine){.root = true, .event = true, .errors = true, .ptag = ptag};
}

unsigned ce_tree_endpoint(struct ce_bench *b, unsigned node, unsigned engine)
{
    struct ce_tree_engine *t = &b->node[node].tree[engine];

    t->child[t->children] =
        (struct ce_tree_child){.kind = 1, .node = node, .fma = rng_below(&b->rng, 128)};
    return t->children++;
}

unsigned ce_tree_child_engine(struct ce_bench *b, unsigned node, unsigned engine, unsigned child,
                              unsigned child_engine)
{
    struct ce_tree_engine *t = &b->node[node].tree[engine];
    struct ce_tree_engine *c = &b->node[child].tree[child_engine];

    *c = *t;
    c->root = false;
    c->children = 0;
    c->parent = node;
    c->parent_engine = engine;
    c->as = t->children;
    t->child[t->children] =
        (struct ce_tree_child){.kind = 2, .node = child, .engine = child_engine};
    return t->children++;
}

static void find_leaves(struct ce_tree *t, unsigned node, unsigned engine)
{
    const struct ce_tree_engine *e = &t->bench->node[node].tree[engine];

    ce_bench_configure(t->bench, node, engine);
    for (unsigned k = 0; k < e->children; k++) {
        if (e->child[k].kind == 2) {
            find_leaves(t, e->child[k].node, e->child[k].engine);
        } else {
            t->order[t->leaves] = t->leaves;
            t->leaf[t->leaves++] = (struct ce_leaf){.node = node, .engine = engine, .child = k};
        }
    }
}

void ce_tree_start(struct ce_tree *t, struct ce_bench *b, unsigned node, unsigned engine)
{
    t->bench = b;
    t->node = node;
    t->engine = engine;
    t->leaves = 0;
    find_leaves(t, node, engine);
}

/* ---- operands ------------------------------------------------------------------------------------- */

/* A number of floating point: with an exponent near the middle, near an end, or what is no finite number. */
static uint64_t some_number(struct rng *r, bool wide)
{
    const unsigned bits = wide ? 52 : 23;
    const uint64_t most = wide ? 0x7FF : 0xFF, any = rng_next(r);
    const uint64_t sign = (any >> 63) << (wide ? 63 : 31);
    uint64_t exponent = most / 2 + rng_below(r, 60) - 30, fraction = any & ((1ull << bits) - 1);

    switch (rng_below(r, 16)) {
    case 0:
        exponent = 0;
        break;
    case 1:
        exponent = most - 1 - rng_below(r, 2);
        break;
    case 2:
        exponent = rng_below(r, 2) * rng_below(r, 2) ? most : most / 2;
        fraction = rng_below(r, 2) ? fraction : 0;
        break;
    case 3:
        fraction = 0;
        break;
    case 4: /* zeros, and one beside another */
        exponent = 0;
        fraction = rng_below(r, 2);
        break;
    default:
        break;
    }
    return sign | exponent << bits | fraction;
}

struct gn_ce_value ce_tree_draw(struct rng *r, unsigned operation)
{
    const bool wide = operation & 1, floating = (operation & 0x1E) >= FLOATING_FROM;
    const bool sums = (operation & 0x1E) == 0x1C;
    const uint64_t junk = wide ? 0 : rng_next(r) << 32;
    struct gn_ce_value v = {rng_next(r), rng_next(r), 0};

    if (floating) {
        v.first = some_number(r, wide) | junk;
        v.second = sums ? some_number(r, wide) | junk : v.second;
    } else if (rng_below(r, 2)) { /* equal ones */
        v.first = rng_below(r, 4) - UINT64_C(2);
    }
    if (!sums && rng_below(r, 2)) {
        v.second = rng_below(r, 8);
    }
    v.exceptions = rng_below(r, 8) == 0 ? rng_below(r, 16) : 0;
    return v;
}

unsigned ce_tree_operation(struct rng *r)
{
    unsigned operation;

    do {
        operation = rng_below(r, 64);
    } while (!gn_ce_exists(operation));
    return operation;
}

/* ---- reductions ----------------------------------------------------------------------------------- */

static struct ce_party *party_of(const struct ce_tree *t, const struct ce_leaf *leaf)
{
    return &t->bench->node[leaf->node].party[CE_BENCH_CHILDREN * leaf->engine + leaf->child];
}

/* Of one engine, whose leaves come in the order of find_leaves from *at on. */
static struct gn_ce_value expected(const struct ce_tree *t, unsigned node, unsigned engine,
                                   unsigned *at)
{
    const struct ce_tree_engine *e = &t->bench->node[node].tree[engine];
    struct gn_ce_value values[CE_BENCH_CHILDREN];

    for (unsigned k = 0; k < e->children; k++) {
        values[k] = e->child[k].kind == 2 ? expected(t, e->child[k].node, e->child[k].engine, at)
                                          : t->leaf[(*at)++].value;
    }
    return gn_ce_fold(t->operation, e->rounding, values, e->children);
}

void ce_tree_begin(struct ce_tree *t, unsigned id, unsigned operation, unsigned within)
{
    struct rng *r = &t->bench->rng;
    unsigned at = 0;

    t->id = id & 0x7FFF;
    t->operation = operation;
    t->next = 0;
    t->seen = 0;
    for (unsigned i = 0; i < t->leaves; i++) {
        struct ce_leaf *leaf = &t->leaf[i];
        const struct ce_party *p = party_of(t, leaf);
        const unsigned other = i + rng_below(r, t->leaves - i), swapped = t->order[i];

        leaf->value = ce_tree_draw(r, operation);
        leaf->joins = ce_now + (within == 0 ? 0 : rng_below(r, within));
        leaf->joined = false;
        leaf->controls = p->controls;
        leaf->events = p->events;
        t->order[i] = t->order[other];
        t->order[other] = swapped;
    }
    t->result = expected(t, t->node, t->engine, &at);
}

void ce_tree_go_on(struct ce_tree *t)
{
    for (unsigned i = t->next; i < t->leaves; i++) {
        const unsigned number = t->order[i];
        struct ce_leaf *leaf = &t->leaf[number];

        if (ce_now < leaf->joins) {
            continue;
        }
        t->order[i] = t->order[t->next];
        t->order[t->next++] = number;
        leaf->joined = true;
        ce_bench_join(t->bench, leaf->node, leaf->engine, leaf->child, t->id, t->operation,
                      leaf->value);
    }
}

bool ce_tree_over(const struct ce_tree *t)
{
    for (unsigned i = 0; i < t->leaves; i++) {
        if (party_of(t, &t->leaf[i])->events == t->leaf[i].events) {
            return false;
        }
    }
    return true;
}

void ce_tree_check(struct ce_tree *t)
{
    struct misses *wrong = &t->bench->wrong;
    const char *name = gn_ce_name(t->operation);

    for (unsigned i = 0; i < t->leaves; i++) {
        const struct ce_leaf *leaf = &t->leaf[i];
        const struct ce_party *p = party_of(t, leaf);

        must_equal(wrong, p->controls - leaf->controls, 1, "control words, leaf %u", i);
        must_equal(wrong, p->events - leaf->events, 1, "events, leaf %u", i);
        must_equal(wrong, p->control,
                   UINT64_C(1) << 63 | (uint64_t)t->id << 16 | t->result.exceptions << 4,
                   "control, leaf %u, %s", i, name);
        must_equal(wrong, p->first, t->result.first, "first result, leaf %u, %s", i, name);
        must_equal(wrong, p->second, t->result.second, "second result, leaf %u, %s", i, name);
        must_equal(wrong, p->word, UINT64_C(4) << 56 | p->event, "event, leaf %u", i);
    }
}

uint64_t ce_tree_reduce(struct ce_tree *t, unsigned id, unsigned operation, unsigned within)
{
    uint64_t last = 0;

    ce_tree_begin(t, id, operation, within);

    const uint64_t end = ce_now + within + CLOCKS;

    while (!ce_tree_over(t) && ce_now < end && t->bench->wrong.count == 0) {
        ce_tree_go_on(t);
        ce_bench_step(t->bench);
    }
    must(&t->bench->wrong, ce_now < end, "a reduction takes more than %u clocks", CLOCKS);
    ce_tree_check(t);
    for (unsigned i = 0; i < t->leaves; i++) {
        const struct ce_party *p = party_of(t, &t->leaf[i]);

        last = p->done > last ? p->done : last;
    }
    return last - t->bench->joined;
}
