// SPDX-License-Identifier: Apache-2.0
/*
 * test_ce_errors.c - what is not as it should be: joins that are refused, children and packets that do not come, or twice, owners that
 * change, words that cannot be written, wrong bits, and trees that are wrong in any word. Whoever joined hears of it, and the engines are
 * whole afterwards.
 *
 * Built for aries: fast.
 */
#include "tb/blocks/nic/ce/ce_tree.h"

#include <stdlib.h>

enum {
    IADD_64 = 0x15,
    UNCORRECTABLE = 1,
    BAD_COMMAND = 2,
    PROTECTION = 6,
    SEQUENCE = 8,
    TIMEOUT = 9,
    DATA = 10,
    BUS = 13,
    CE = 14,
};

static struct ce_bench *fresh(unsigned nodes, uint64_t seed)
{
    struct ce_bench *b = calloc(1, sizeof *b);

    if (b == NULL) {
        abort();
    }
    ce_bench_start(b, nodes, seed);
    return b;
}

static struct ce_party *party(struct ce_bench *b, unsigned node, unsigned child)
{
    return &b->node[node].party[child];
}

/* Engine 0 of node 0 with two endpoints and engine 0 of node 1 with two more. */
static void tree_of_two(struct ce_bench *b, struct ce_tree *t, unsigned ptag, unsigned timeout)
{
    ce_tree_root(b, 0, 0, ptag);
    b->node[0].tree[0].timeout = timeout;
    ce_tree_endpoint(b, 0, 0);
    ce_tree_endpoint(b, 0, 0);
    ce_tree_child_engine(b, 0, 0, 1, 0);
    ce_tree_endpoint(b, 1, 0);
    ce_tree_endpoint(b, 1, 0);
    ce_tree_start(t, b, 0, 0);
}

static void steps(struct ce_bench *b, unsigned clocks)
{
    for (unsigned i = 0; i < clocks; i++) {
        ce_bench_step(b);
    }
}

/* The last control word and event of a child say this, and it has had so many of them. */
static void heard(struct ce_bench *b, unsigned node, unsigned child, unsigned status,
                  unsigned reason, unsigned times)
{
    const struct ce_party *p = party(b, node, child);

    must_equal(&b->wrong, p->controls, times, "control words of child %u of node %u", child, node);
    must_equal(&b->wrong, p->events, times, "events of child %u of node %u", child, node);
    must_equal(&b->wrong, p->control & 15, status, "status of child %u of node %u", child, node);
    must_equal(&b->wrong, p->control >> 8 & 3, reason, "reason of child %u of node %u", child,
               node);
    must_equal(&b->wrong, p->word >> 59 & 15, status, "status in the event of child %u of node %u",
               child, node);
}

static void forget(struct ce_bench *b)
{
    for (unsigned i = 0; i < b->nodes; i++) {
        for (unsigned k = 0; k < CE_BENCH_PLACES; k++) {
            b->node[i].party[k].controls = b->node[i].party[k].events = 0;
        }
    }
}

static void join(struct ce_bench *b, unsigned node, unsigned child, unsigned id, unsigned operation)
{
    ce_bench_join(b, node, 0, child, id, operation, (struct gn_ce_value){1, 0, 0});
}

/* Reductions go as they should. */
static void is_whole(struct ce_tree *t, unsigned id)
{
    for (unsigned i = 0; i < 3 && t->bench->wrong.count == 0; i++) {
        ce_tree_reduce(t, id + i, ce_tree_operation(&t->bench->rng), 20);
    }
    ce_bench_drain(t->bench, 10000);
}

static void finish(struct ce_bench *b, const char *name)
{
    tap_misses(&b->wrong, "%s", name);
    free(b);
}

/* ---- joins ---------------------------------------------------------------------------------------- */

static void test_refused(uint64_t seed)
{
    struct ce_bench *b = fresh(2, seed);
    struct ce_tree t;

    tree_of_two(b, &t, 9, 0);
    ce_tree_reduce(&t, 6, IADD_64, 0);
    forget(b);
    join(b, 0, 0, 6, IADD_64); /* over already */
    steps(b, 200);
    heard(b, 0, 0, CE, CE_WRONG_ID, 1);
    join(b, 0, 0, 7, IADD_64);
    join(b, 0, 1, 8, IADD_64);
    steps(b, 200);
    heard(b, 0, 1, CE, CE_WRONG_ID, 1);
    join(b, 0, 1, 7, IADD_64 - 1);
    steps(b, 200);
    heard(b, 0, 1, CE, CE_WRONG_OPERATION, 2);
    join(b, 0, 0, 7, IADD_64);
    steps(b, 200);
    heard(b, 0, 0, CE, CE_TWICE, 2);
    join(b, 0, 1, 7, IADD_64);
    join(b, 1, 0, 7, IADD_64);
    join(b, 1, 1, 7, IADD_64);
    steps(b, 500);
    heard(b, 0, 0, 0, 0, 3);
    heard(b, 1, 1, 0, 0, 1);
    must_equal(&b->wrong, party(b, 1, 1)->first, 4, "sum, with nothing of what was refused");
    b->whatever = true; /* a whole engine may come with the wrong number */
    join(b, 0, 0, 9, IADD_64);
    join(b, 1, 0, 10, IADD_64);
    join(b, 1, 1, 10, IADD_64);
    steps(b, 500);
    heard(b, 1, 0, CE, 0, 2);
    heard(b, 1, 1, CE, 0, 2);
    /* holds ce.refused */
    finish(b, "joins of another reduction or operation, or twice: told to that child alone");
}

static void test_unknown(uint64_t seed)
{
    struct ce_bench *b = fresh(1, seed);
    unsigned unknown = 0;
    struct ce_tree t;

    ce_tree_root(b, 0, 0, 9);
    ce_tree_endpoint(b, 0, 0);
    ce_tree_start(&t, b, 0, 0);
    for (unsigned operation = 0; operation < 64; operation++) {
        if (!gn_ce_exists(operation)) {
            join(b, 0, 0, operation, operation);
            steps(b, 150);
            heard(b, 0, 0, BAD_COMMAND, 0, ++unknown);
        }
    }
    must_be(&b->wrong, unknown, 38);
    is_whole(&t, 100);
    finish(b, "38 operations that are none");
}

/* A join that differs in one thing from what the driver wrote. */
static void test_foreign(uint64_t seed)
{
    struct ce_bench *b = fresh(2, seed);
    struct ce_tree t;

    tree_of_two(b, &t, 9, 0);
    for (unsigned i = 0; i < 6; i++) {
        struct ce_party p = *party(b, 0, 0);
        struct ce_join j = {.party = p, .id = 5, .operation = IADD_64};

        j.party.ptag ^= i == 0 ? 1 << rng_below(&b->rng, 8) : 0;
        j.party.fma ^= i == 1 ? 1 << rng_below(&b->rng, 7) : 0;
        j.child = i == 2 ? 2 : i == 3 ? 3 + rng_below(&b->rng, 29) : 0; /* an engine; nobody */
        j.engine = i == 4 ? 1 : 0;                                      /* not enabled */
        j.bad_data = i == 5;
        party(b, 0, 0)->ptag = j.party.ptag;
        ce_bench_post(b, 0, &j);
        steps(b, 200);
        if (i == 4) { /* its engine was never told that errors have events */
            must_equal(&b->wrong, party(b, 0, 0)->control & 15, PROTECTION, "status, no engine");
            party(b, 0, 0)->events++;
            continue;
        }
        heard(b, 0, 0, i == 5 ? DATA : PROTECTION, 0, i + 1);
        *party(b, 0, 0) = (struct ce_party){.mdh = p.mdh,
                                            .queue = p.queue,
                                            .fma = p.fma,
                                            .ptag = p.ptag,
                                            .offset = p.offset,
                                            .controls = i + 1,
                                            .events = i + 1};
    }
    ce_bench_post(b, 0, &(struct ce_join){.party = *party(b, 0, 0), .bad_head = true});
    steps(b, 200);
    must_equal(&b->wrong, b->node[0].counts[CE_FATAL], 2, "uncorrectable joins are counted");
    must_equal(&b->wrong, b->node[0].counts[CE_REFUSED], 7, "refused joins are counted");
    is_whole(&t, 50);
    /* holds ce.foreign */
    finish(b, "joins of another domain, descriptor, child or engine, with wrong bits");
}

/* ---- what does not come --------------------------------------------------------------------------- */

static void test_dead(uint64_t seed)
{
    struct ce_bench *b = fresh(2, seed);
    struct ce_tree t;

    b->epoch = 1000;
    b->whatever = true;
    tree_of_two(b, &t, 9, 3);
    join(b, 0, 0, 5, IADD_64);
    join(b, 1, 0, 5, IADD_64);
    join(b, 1, 1, 5, IADD_64);
    steps(b, 1900);
    heard(b, 0, 0, 0, 0, 0);
    steps(b, 1300); /* three ends of epochs and two latencies at most */
    heard(b, 0, 0, TIMEOUT, 0, 1);
    heard(b, 1, 0, TIMEOUT, 0, 1);
    heard(b, 0, 1, 0, 0, 0);
    join(b, 0, 1, 5, IADD_64);
    steps(b, 200);
    heard(b, 0, 1, CE, CE_WRONG_ID, 1); /* too late */
    is_whole(&t, 6);
    /* holds ce.timeout */
    finish(b, "a child that never joins: the others hear TIMEOUT, the next reduction goes on");
}

static void test_lost(uint64_t seed)
{
    struct ce_bench *b = fresh(2, seed);
    struct ce_tree t;

    b->epoch = 1000;
    b->whatever = true;
    tree_of_two(b, &t, 9, 4);
    for (unsigned i = 0; i < 60; i++) {
        forget(b);
        b->loss = i % 3 == 0 ? 1 : 0.3;
        b->answer_loss = i % 3 == 1 ? 1 : 0.2;
        for (unsigned k = 0; k < 4; k++) {
            join(b, k / 2, k % 2, 100 + i, IADD_64);
        }
        steps(b, 9000);
        for (unsigned k = 0; k < 4; k++) {
            const struct ce_party *p = party(b, k / 2, k % 2);

            must_equal(&b->wrong, p->controls, 1, "control words with losses, child %u", k);
            must_equal(&b->wrong, p->events, 1, "events with losses, child %u", k);
            must(&b->wrong, (p->control & 15) == TIMEOUT || (p->control & 15) == 0,
                 "status with losses: %u", (unsigned)(p->control & 15));
            must(&b->wrong, (p->control & 15) != 0 || p->first == 4, "a result of less than all");
        }
    }
    b->loss = b->answer_loss = 0;
    steps(b, 5000);
    is_whole(&t, 1000);
    /* holds ce.lost */
    finish(b, "lost packets and answers: each endpoint hears once, the result or TIMEOUT");
}

static void test_repeated(uint64_t seed)
{
    struct ce_bench *b = fresh(3, seed);
    struct ce_tree t;

    b->repeat = 0.5;
    b->spread = 60;
    b->whatever = true;
    tree_of_two(b, &t, 9, 0);
    for (unsigned i = 0; i < 300 && b->wrong.count == 0; i++) {
        ce_tree_reduce(&t, 0x7FF0 + i, ce_tree_operation(&b->rng), 30);
    }
    must(&b->wrong, b->refused > 50, "copies that were refused: %llu",
         (unsigned long long)b->refused);
    /* holds ce.repeated */
    finish(b, "packets that come twice, and numbers that wrap: no operand counts twice");
}

/* ---- owners --------------------------------------------------------------------------------------- */

static void test_owners(uint64_t seed)
{
    struct ce_bench *b = fresh(2, seed);
    struct ce_tree t;

    b->whatever = true;
    for (unsigned i = 0; i < 30; i++) {
        tree_of_two(b, &t, 9 + i, 0);
        if (i % 2) {
            is_whole(&t, 5);
        }
        forget(b);
        for (unsigned k = 0; k < 3; k++) {
            join(b, k / 2, k % 2, 77, IADD_64);
        }
        steps(b, rng_below(&b->rng, 60));
        if (i % 3) { /* and what is left of it where another one has it now */
            ce_bench_disable(b, 0, 0);
            ce_bench_disable(b, 1, 0);
        } else {
            ce_bench_disable(b, 1, 0);
            ce_bench_disable(b, 0, 0);
        }
        ce_bench_drain(b, 10000);
        for (unsigned k = 0; k < 3; k++) {
            const struct ce_party *p = party(b, k / 2, k % 2);
            const unsigned status = (unsigned)(p->control & 15);

            must_equal(&b->wrong, p->controls, 1, "control words of the old owner, child %u", k);
            must(&b->wrong, status == SEQUENCE || status == PROTECTION, "status %u", status);
        }
        must_equal(&b->wrong, ce_bench_status(b, 0, 0) & 7, 0, "state, disabled");
    }
    tree_of_two(b, &t, 100, 0);
    is_whole(&t, 77);
    /* holds ce.owners */
    finish(b, "an engine is disabled in the middle: SEQUENCE; its next owner finds it whole");
}

/* What the driver writes while an engine is enabled, or not over yet, has no effect. */
static void test_writes(uint64_t seed)
{
    struct ce_bench *b = fresh(2, seed);
    struct ce_tree t;

    tree_of_two(b, &t, 9, 0);
    for (unsigned i = 0; i < 36; i++) {
        if (i != 34) {
            ce_bench_write(b, i % 2, 0x400 + i, rng_next(&b->rng) | UINT64_C(1) << 63);
        }
    }
    is_whole(&t, 5);
    ce_bench_disable(b, 0, 0);
    b->node[0].tree[0].children = 33;
    ce_bench_configure(b, 0, 0);
    must_equal(&b->wrong, ce_bench_status(b, 0, 0) & 1, 0, "enabled with 33 children");
    b->node[0].tree[0].children = 3;
    b->node[0].tree[0].mode = 7;
    ce_bench_configure(b, 0, 0);
    must_equal(&b->wrong, ce_bench_status(b, 0, 0) & 1, 0, "enabled with mode SOURCE");
    b->node[0].tree[0].mode = 0;
    ce_bench_configure(b, 0, 0);
    is_whole(&t, 50);
    /* holds ce.writes */
    finish(b, "writes to an engine that is enabled, more than 32 children, mode SOURCE: no effect");
}

/* ---- memory --------------------------------------------------------------------------------------- */

static void test_words(uint64_t seed)
{
    struct ce_bench *b = fresh(2, seed);
    struct ce_tree t;

    tree_of_two(b, &t, 9, 0);
    party(b, 0, 1)->mdh |= CE_REFUSED_MDH;
    party(b, 1, 0)->mdh |= CE_BROKEN_MDH;
    for (unsigned k = 0; k < 4; k++) {
        join(b, k / 2, k % 2, 5, IADD_64);
    }
    steps(b, 600);
    heard(b, 0, 0, 0, 0, 1);
    heard(b, 1, 1, 0, 0, 1);
    must_equal(&b->wrong, party(b, 0, 1)->controls + party(b, 1, 0)->controls, 0, "control words");
    must_equal(&b->wrong, party(b, 0, 1)->word >> 59, PROTECTION, "status of a refused word");
    must_equal(&b->wrong, party(b, 1, 0)->word >> 59, BUS, "status of a word that is not written");
    must_equal(&b->wrong, b->node[0].counts[CE_UNTOLD] + b->node[1].counts[CE_UNTOLD], 2,
               "words that were not written");
    finish(b, "words that cannot be written: the event says so, the others have theirs");
}

/* ---- trees that are wrong ------------------------------------------------------------------------- */

/* One thing of one engine is another one than the tree needs. */
static void spoil(struct ce_bench *b, unsigned node, unsigned word)
{
    struct ce_tree_engine *t = &b->node[node].tree[0];
    struct ce_tree_child *c = &t->child[rng_below(&b->rng, t->children)];

    switch (word) {
    case 0:
        t->ptag ^= 1 << rng_below(&b->rng, 8);
        break;
    case 1:
        t->root = !t->root;
        break;
    case 2:
        t->children = rng_below(&b->rng, 34);
        break;
    case 3:
        t->parent = rng_below(&b->rng, 3);
        break;
    case 4:
        t->parent_engine = rng_below(&b->rng, 4);
        break;
    case 5:
        t->as = rng_below(&b->rng, 32);
        break;
    case 6:
        c->node = rng_below(&b->rng, 3);
        break;
    case 7:
        c->engine = rng_below(&b->rng, 4);
        break;
    case 8:
        c->kind = rng_below(&b->rng, 4);
        break;
    default:
        c->fma ^= 1u << rng_below(&b->rng, 7);
        break;
    }
}

static void test_trees(uint64_t seed, unsigned rounds)
{
    struct ce_bench *b = fresh(3, seed);
    struct ce_tree t;

    b->epoch = 500;
    b->timeout = 500;
    for (unsigned i = 0; i < rounds && b->wrong.count == 0; i++) {
        b->whatever = true;
        tree_of_two(b, &t, 20, 2);
        for (unsigned n = 0; n < 2; n++) {
            ce_bench_disable(b, n, 0);
            if (n == i / 10 % 2) {
                spoil(b, n, i % 10);
            }
            ce_bench_configure(b, n, 0);
        }
        forget(b);
        for (unsigned k = 0; k < 4; k++) {
            party(b, k / 2, k % 2)->fma = t.bench->node[k / 2].tree[0].child[k % 2].fma;
            ce_bench_join(b, k / 2, 0, k % 2, 5, IADD_64, (struct gn_ce_value){1, 0, 0});
        }
        steps(b, 2500);
        for (unsigned n = 0; n < 2; n++) {
            ce_bench_disable(b, n, 0);
        }
        ce_bench_drain(b, 5000);
        b->whatever = false;
        tree_of_two(b, &t, 20, 0);
        is_whole(&t, 5);
        for (unsigned n = 0; n < 2; n++) {
            ce_bench_disable(b, n, 0);
        }
    }
    /* holds ce.trees */
    finish(b, "trees that are wrong in any word: the engines are whole afterwards");
}

/* ---- wrong bits ----------------------------------------------------------------------------------- */

enum { OPERANDS, RECORDS, CHILDREN_SEND, CHILDREN_GATHER, MEMORIES };

static const char *const memories[] = {"operands", "records", "children of ce_send",
                                       "children of ce_gather"};

/* A bit of the word of child 1, in a memory of so many bits to a code. */
static void flip(struct ce *dut, unsigned memory, unsigned bit)
{
    switch (memory) {
    case OPERANDS:
        dut->fold.operands[1] ^= (ce_operands)1 << bit;
        break;
    case RECORDS: /* of either turn */
        dut->members.records[1] ^= (ce_record)1 << bit;
        dut->members.records[129] ^= (ce_record)1 << bit;
        break;
    case CHILDREN_SEND:
        dut->members.children[1] ^= (child_ecc_word)((child_ecc_word)1 << bit);
        break;
    default:
        dut->gather.children[1] ^= (child_ecc_word)((child_ecc_word)1 << bit);
        break;
    }
}

/* One reduction of three, child 0 last, with so many wrong bits of one code. */
static void reduce_wrong(struct ce_bench *b, unsigned memory, unsigned wrong)
{
    static const unsigned code[MEMORIES] = {72, 67, 36, 36};
    struct ce_node *n = &b->node[0];
    const unsigned first = rng_below(&b->rng, code[memory]);
    const unsigned second = (first + 1 + rng_below(&b->rng, code[memory] - 1)) % code[memory];
    struct ce_tree t;

    ce_tree_root(b, 0, 0, 9);
    for (unsigned k = 0; k < 3; k++) {
        ce_tree_endpoint(b, 0, 0);
    }
    ce_tree_start(&t, b, 0, 0);
    forget(b);
    b->node[0].counts[CE_CORRECTED] = b->node[0].counts[CE_FATAL] = n->counts[CE_UNTOLD] = 0;
    for (unsigned turn = 0; turn < 2; turn++) {
        if (turn == (memory != CHILDREN_GATHER)) { /* these are read with the join */
            flip(&n->dut, memory, first);
            if (wrong == 2) {
                flip(&n->dut, memory, second);
            }
        }
        join(b, 0, turn == 0 ? 1 : 2, 5, IADD_64);
        steps(b, 200);
        if (turn == 1) {
            join(b, 0, 0, 5, IADD_64);
            steps(b, 300);
        }
    }
}

static void test_bits(uint64_t seed)
{
    struct ce_bench *b = fresh(1, seed);

    for (unsigned i = 0; i < 200; i++) {
        const unsigned memory = i % MEMORIES, wrong = 1 + i / MEMORIES % 2;
        const bool untold = memory == RECORDS || memory == CHILDREN_SEND;
        const unsigned *counts = b->node[0].counts;
        const struct ce_party *p = party(b, 0, 2);

        reduce_wrong(b, memory, wrong);
        if (wrong == 1) {
            must_at_least(&b->wrong, counts[CE_CORRECTED], 1, "corrected: %s", memories[memory]);
            must(&b->wrong, (p->control & 15) == 0 && p->first == 3,
                 "a result with a wrong bit: %s", memories[memory]);
        } else if (untold) {
            must_equal(&b->wrong, counts[CE_UNTOLD], 1, "child without result: %s",
                       memories[memory]);
            must(&b->wrong, (p->control & 15) == 0 && p->first == 3, "result of another child");
        } else if (memory == OPERANDS) {
            must_equal(&b->wrong, p->control & 15, UNCORRECTABLE, "status, operands");
            must_equal(&b->wrong, counts[CE_FATAL], 1, "two wrong bits of operands");
        } else {
            must_equal(&b->wrong, party(b, 0, 1)->control & 15, UNCORRECTABLE, "status, child");
            must_equal(&b->wrong, counts[CE_FATAL], 1, "two wrong bits of a child");
        }
        ce_bench_disable(b, 0, 0);
        ce_bench_drain(b, 1000);
    }
    /* holds ce.bits */
    finish(b, "one wrong bit in a memory is corrected; of two, and of nothing else, is told");
}

int main(int argc, char **argv)
{
    unsigned rounds = 100;
    uint64_t seed = 0;

    test_options(argc, argv, &seed,
                 args_unsigned("--trees", &rounds, 1, 1000000, "trees that are wrong"));
    harness_clock = &ce_now;
    test_refused(seed);
    test_unknown(seed);
    test_foreign(seed);
    test_dead(seed);
    test_lost(seed);
    test_repeated(seed);
    test_owners(seed);
    test_writes(seed);
    test_words(seed);
    test_bits(seed);
    test_trees(seed, rounds);
    return tap_done();
}
