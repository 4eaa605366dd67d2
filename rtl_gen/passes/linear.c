// SPDX-License-Identifier: Apache-2.0
/*
 * linear.c - sums of bits that share terms: CRC, ECC and scramblers.
 *
 * The simplifier leaves every bit of such a function as one flat sum. Here the pair of terms that
 * most sums have in common becomes a bit of its own, again and again (Paar, ISIT 1997), as long as
 * at least LEAST_USES sums use it and its tree does not grow deeper than DEEPEST, so that the
 * longest path stays that of a balanced tree. Pairs that cost nothing come first: a choice and the
 * terms added to it are one table of LUT_INPUTS. Pairs of one depth are one vector, of which the
 * sums then are masks.
 *
 * A group of up to FEW_ROWS sums, the check bits of a code, is cut into sets of SET_ROWS instead: terms
 * that stand in the same sums of a set are added up once (the method of the four Russians).
 */
#include "passes/passes.h"
#include "graph/graph.h"
#include "graph/walk.h"

#include <stdlib.h>
#include <string.h>

#define LEAST_TERMS 8
#define LEAST_USES  2
#define LEAST_TOTAL 160
#define FEW_ROWS    8
#define FEW_TOTAL   100
#define SET_ROWS    3
#define DEEPEST     5
#define LUT_INPUTS  4

struct row {
    struct node *sum;
    unsigned group; /* rows that have no term in common are different functions */
    unsigned next;  /* 1 + number of the next row of its group; 0: none */
    unsigned *term; /* sorted numbers */
    unsigned n;
};

struct summand {
    struct node *node; /* a bit of the graph, or NULL for a pair of terms: */
    unsigned a, b;
    unsigned depth;
    unsigned inputs; /* of the table that it shares with the choice it begins with; else 1 */
    unsigned group;
    unsigned older; /* 1 + number of the term before in its group; 0: none */
};

struct pair {
    uint64_t key; /* a << 32 | b, a < b; 0: empty slot (a pair is never 0, 0) */
    unsigned count;
};

struct entry {
    bool free; /* a table that is needed anyway does it */
    unsigned count;
    uint64_t key;
};

struct linear {
    struct row *row;
    unsigned n_rows;
    struct summand *term;
    unsigned n_terms;
    unsigned *first;  /* by group: 1 + number of its first row; 0: none */
    unsigned *newest; /* by group: 1 + number of its last term; 0: none */
    struct pair *pair;
    unsigned pair_size, n_pairs;
    struct entry *heap; /* free ones first, by count, later terms first; entries may be stale */
    unsigned n_heap;
};

/* ---- how often each pair occurs -------------------------------------------------------------------- */

static struct pair *pair_slot(struct linear *l, uint64_t key)
{
    uint64_t h = key * 0x9e3779b97f4a7c15u;
    unsigned i = (unsigned)(h >> 32) & (l->pair_size - 1);
    while (l->pair[i].key && l->pair[i].key != key)
        i = (i + 1) & (l->pair_size - 1);
    return &l->pair[i];
}

static void more_pairs(struct linear *l)
{
    struct pair *old = l->pair;
    unsigned size = l->pair_size;
    l->pair_size = size ? 2 * size : 1024;
    l->pair = scratch(l->pair_size * sizeof *l->pair);
    for (unsigned i = 0; i < size; i++)
        if (old[i].key)
            *pair_slot(l, old[i].key) = old[i];
}

static bool before(const struct entry *x, const struct entry *y)
{
    if (x->free != y->free)
        return x->free;
    return x->count != y->count ? x->count > y->count : x->key > y->key;
}

static void push(struct linear *l, struct entry e)
{
    PUSH_SCRATCH(l->heap, l->n_heap, e);
    for (unsigned i = l->n_heap - 1; i > 0 && before(&l->heap[i], &l->heap[(i - 1) / 2]);
         i = (i - 1) / 2) {
        struct entry t = l->heap[i];
        l->heap[i] = l->heap[(i - 1) / 2];
        l->heap[(i - 1) / 2] = t;
    }
}

static struct entry pop(struct linear *l)
{
    struct entry top = l->heap[0];
    l->heap[0] = l->heap[--l->n_heap];
    for (unsigned i = 0, next; (next = 2 * i + 1) < l->n_heap; i = next) {
        if (next + 1 < l->n_heap && before(&l->heap[next + 1], &l->heap[next]))
            next++;
        if (!before(&l->heap[next], &l->heap[i]))
            break;
        struct entry t = l->heap[i];
        l->heap[i] = l->heap[next];
        l->heap[next] = t;
    }
    return top;
}

/* Of the table that one of its terms is anyway and that the other fits into, too; else 1. */
static unsigned pair_inputs(const struct linear *l, uint64_t key)
{
    unsigned a = l->term[key >> 32].inputs, b = l->term[(unsigned)key].inputs;
    return (a > 1 || b > 1) && a + b <= LUT_INPUTS ? a + b : 1;
}

static void push_pair(struct linear *l, uint64_t key, unsigned count)
{
    push(l, (struct entry){pair_inputs(l, key) > 1, count, key});
}

static void count_pair(struct linear *l, unsigned a, unsigned b, int by)
{
    unsigned depth = l->term[a].depth > l->term[b].depth ? l->term[a].depth : l->term[b].depth;
    if (depth >= DEEPEST)
        return;
    if (2 * (l->n_pairs + 1) > l->pair_size)
        more_pairs(l);
    uint64_t key = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
    struct pair *p = pair_slot(l, key);
    if (!p->key) {
        *p = (struct pair){key, 0};
        l->n_pairs++;
    }
    p->count += (unsigned)by;
    if (by > 0 && p->count >= LEAST_USES)
        push_pair(l, key, p->count);
}

/* ---- rows -------------------------------------------------------------------------------------------- */

/*
 * How many signals bit `bit` of a node is chosen from, the choices up to `deep` of each other, if one
 * table of LUT_INPUTS does it; else 1.
 */
static unsigned inputs(const struct node *n, unsigned bit, unsigned deep)
{
    if (n->op == OP_CONST)
        return 0;
    if (n->op == OP_SLICE)
        return inputs(n->args[0], n->index + bit, deep);
    if (n->op == OP_CONCAT) {
        unsigned i = n->n_args - 1;
        while (bit >= n->args[i]->width)
            bit -= n->args[i--]->width;
        return inputs(n->args[i], bit, deep);
    }
    if (n->op != OP_MUX || deep == 0)
        return 1;
    unsigned sum = 1 + inputs(n->args[1], bit, deep - 1) + inputs(n->args[2], bit, deep - 1);
    return sum <= LUT_INPUTS ? sum : 1;
}

static int by_number(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return (x > y) - (x < y);
}

static void add_row(struct linear *l, struct node *sum)
{
    struct row row = {.sum = sum};
    row.term = scratch(sum->n_args * sizeof *row.term);
    for (unsigned i = 0; i < sum->n_args; i++) {
        struct node *bit = sum->args[i];
        if (!bit->mark) {
            struct summand *term = scratch(sizeof *term);
            PUSH_SCRATCH(l->term, l->n_terms,
                         (struct summand){
                             .node = bit, .inputs = inputs(bit, 0, LUT_INPUTS - 1), .group = ~0u});
            term->a = l->n_terms; /* one more than its number */
            bit->mark = term;
        }
        row.term[row.n++] = ((struct summand *)bit->mark)->a - 1;
    }
    qsort(row.term, row.n, sizeof *row.term, by_number);
    PUSH_SCRATCH(l->row, l->n_rows, row);
}

static bool has(const struct row *row, unsigned term)
{
    return bsearch(&term, row->term, row->n, sizeof term, by_number) != NULL;
}

/* Replace the two terms of a row by their sum, keeping the counts of pairs right. */
static void replace(struct linear *l, struct row *row, unsigned a, unsigned b, unsigned sum)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < row->n; i++) {
        unsigned t = row->term[i];
        if (t == a || t == b)
            continue;
        count_pair(l, a, t, -1);
        count_pair(l, b, t, -1);
        row->term[kept++] = t;
    }
    count_pair(l, a, b, -1);
    for (unsigned i = 0; i < kept; i++)
        count_pair(l, row->term[i], sum, 1);
    row->term[kept++] = sum; /* the highest number: stays sorted */
    row->n = kept;
}

/* The sums of a group, up to FEW_ROWS + 1 of them. */
static unsigned rows_of(struct linear *l, unsigned group, struct row *rows[FEW_ROWS + 1])
{
    unsigned n = 0;
    for (unsigned r = l->first[group]; r && n <= FEW_ROWS; r = l->row[r - 1].next)
        rows[n++] = &l->row[r - 1];
    return n;
}

/* The terms of all sums of a group. */
static unsigned total(const struct linear *l, unsigned group)
{
    unsigned sum = 0;
    for (unsigned r = l->first[group]; r; r = l->row[r - 1].next)
        sum += l->row[r - 1].n;
    return sum;
}

static void extract(struct linear *l)
{
    bool *pays = scratch(l->n_rows);
    struct row *rows[FEW_ROWS + 1];
    for (unsigned group = 0; group < l->n_rows; group++)
        pays[group] = total(l, group) >= LEAST_TOTAL && rows_of(l, group, rows) > FEW_ROWS;
    for (unsigned r = 0; r < l->n_rows; r++)
        for (unsigned i = 0; pays[l->row[r].group] && i < l->row[r].n; i++)
            for (unsigned k = i + 1; k < l->row[r].n; k++)
                count_pair(l, l->row[r].term[i], l->row[r].term[k], 1);
    while (l->n_heap) {
        struct entry e = pop(l);
        unsigned count = pair_slot(l, e.key)->count;
        if (count != e.count) {
            if (count >= LEAST_USES && count < e.count)
                push_pair(l, e.key, count);
            continue;
        }
        unsigned a = (unsigned)(e.key >> 32), b = (unsigned)e.key, sum = l->n_terms;
        unsigned depth = l->term[a].depth > l->term[b].depth ? l->term[a].depth : l->term[b].depth;
        PUSH_SCRATCH(l->term, l->n_terms,
                     (struct summand){.a = a,
                                      .b = b,
                                      .depth = depth + 1,
                                      .inputs = pair_inputs(l, e.key),
                                      .group = l->term[a].group});
        for (unsigned r = l->first[l->term[a].group]; r; r = l->row[r - 1].next)
            if (has(&l->row[r - 1], a) && has(&l->row[r - 1], b))
                replace(l, &l->row[r - 1], a, b, sum);
    }
}

/* ---- groups: sums that hang together by common terms ------------------------------------------------- */

/* Rows while they are put together; the number of a group is kept at its root. */
struct forest {
    unsigned *up; /* a row of the same group, at the root itself */
    unsigned *size, *group;
};

static unsigned root_of(struct forest *f, unsigned row)
{
    while (f->up[row] != row)
        row = f->up[row] = f->up[f->up[row]];
    return row;
}

/* The group of row `from` becomes part of that of row `into`. */
static void merge(struct forest *f, unsigned from, unsigned into)
{
    unsigned a = root_of(f, from), b = root_of(f, into), group = f->group[b];
    if (a == b)
        return;
    unsigned top = f->size[a] > f->size[b] ? a : b;
    f->up[a] = f->up[b] = top;
    f->size[top] = f->size[a] + f->size[b];
    f->group[top] = group;
}

static void group_rows(struct linear *l)
{
    struct forest f = {scratch(l->n_rows * sizeof *f.up), scratch(l->n_rows * sizeof *f.size),
                       scratch(l->n_rows * sizeof *f.group)};
    for (unsigned r = 0; r < l->n_rows; r++) {
        f.up[r] = f.group[r] = r;
        f.size[r] = 1;
    }
    for (unsigned r = 0; r < l->n_rows; r++)
        for (unsigned i = 0; i < l->row[r].n; i++) {
            struct summand *term = &l->term[l->row[r].term[i]];
            if (term->group == ~0u)
                term->group = r;
            else
                merge(&f, r, term->group);
        }
    for (unsigned r = 0; r < l->n_rows; r++)
        l->row[r].group = f.group[root_of(&f, r)];
    for (unsigned t = 0; t < l->n_terms; t++)
        l->term[t].group = f.group[root_of(&f, l->term[t].group)];
}

static void list_rows(struct linear *l)
{
    l->first = scratch(l->n_rows * sizeof *l->first);
    for (unsigned r = l->n_rows; r-- > 0;) {
        l->row[r].next = l->first[l->row[r].group];
        l->first[l->row[r].group] = r + 1;
    }
}

static void list_terms(struct linear *l)
{
    l->newest = scratch(l->n_rows * sizeof *l->newest);
    for (unsigned t = 0; t < l->n_terms; t++) {
        l->term[t].older = l->newest[l->term[t].group];
        l->newest[l->term[t].group] = t + 1;
    }
}

/* What the group's bits are taken from, and what its sums are: "crc_pairs", "word_fours". */
static const char *group_name(const struct module *m, const struct linear *l, unsigned group,
                              const char *what)
{
    const char *first = NULL;
    for (unsigned t = l->newest[group]; t > 0; t = l->term[t - 1].older) {
        const struct node *n = l->term[t - 1].node;
        if (l->term[t - 1].depth || !n)
            continue;
        if (n->op == OP_SLICE)
            n = n->args[0];
        const struct leaf *leaf = leaf_of(m, n);
        const char *name = leaf ? leaf->name : n->name ? n->name : n->hint;
        first = name ? name : first;
    }
    return first ? format("%s_%s", first, what) : what;
}

/* ---- back to the graph ---------------------------------------------------------------------------------- */

static struct node *sum_of(struct graph *g, struct node **bit, unsigned n)
{
    if (n == 1)
        return bit[0];
    sort_nodes(bit, n);
    return node_intern(g, (struct node){.op = OP_XOR, .width = 1, .n_args = n, .args = bit});
}

/* Sums that become a vector, and the numbers of the terms that they are. */
struct parts {
    struct node **sum;
    unsigned *term;
    unsigned n, n_terms;
};

static void add_part(struct parts *p, struct node *sum, unsigned term)
{
    PUSH_SCRATCH(p->sum, p->n, sum);
    PUSH_SCRATCH(p->term, p->n_terms, term);
}

/* Each term is a bit of the vector; the slices are made directly: mk_slice would see through the vector again. */
static void make_vector(struct graph *g, struct linear *l, const struct parts *p, const char *name)
{
    if (p->n == 1)
        l->term[p->term[0]].node = p->sum[0];
    if (p->n < 2)
        return;
    struct node *vector = node_intern(
        g, (struct node){.op = OP_CONCAT, .width = p->n, .n_args = p->n, .args = p->sum});
    vector->hint = name;
    for (unsigned i = 0; i < p->n; i++)
        l->term[p->term[i]].node = node_intern(
            g,
            (struct node){
                .op = OP_SLICE, .width = 1, .index = p->n - 1 - i, .n_args = 1, .args = &vector});
}

/* The pairs of one depth in one group. */
static void make_pairs(struct module *m, struct linear *l, unsigned group, unsigned depth)
{
    static const char *const many[DEEPEST + 1] = {"",       "pairs",    "fours",
                                                  "eights", "sixteens", "most"};
    struct parts parts = {.n = 0};
    for (unsigned i = l->newest[group]; i > 0; i = l->term[i - 1].older) {
        const struct summand *t = &l->term[i - 1];
        if (t->depth == depth)
            add_part(&parts, mk_xor(&m->graph, l->term[t->a].node, l->term[t->b].node), i - 1);
    }
    if (parts.n)
        make_vector(&m->graph, l, &parts, group_name(m, l, group, many[depth]));
}

/* The terms of those sums of a set of which `which` has a bit, and of no others. */
static unsigned common(const struct linear *l, struct row *const *set, unsigned n_set,
                       unsigned which, struct node **bit)
{
    const struct row *first = set[__builtin_ctz(which)];
    unsigned n = 0;
    for (unsigned i = 0; i < first->n; i++) {
        unsigned in = 0;
        for (unsigned k = 0; k < n_set; k++)
            in |= (unsigned)has(set[k], first->term[i]) << k;
        if (in == which)
            bit[n++] = l->term[first->term[i]].node;
    }
    return n;
}

/* The sums of a set in terms of what some of them have in common. */
static void split_set(struct graph *g, struct linear *l, struct row *const *set, unsigned n_set,
                      struct parts *parts)
{
    unsigned number[1 << SET_ROWS] = {0}; /* one more than the term's */
    for (unsigned which = (1u << n_set) - 1; which > 0; which--) {
        struct node **bit = scratch(set[__builtin_ctz(which)]->n * sizeof *bit);
        unsigned n = common(l, set, n_set, which, bit);
        if (n == 0)
            continue;
        add_part(parts, sum_of(g, bit, n), l->n_terms);
        PUSH_SCRATCH(l->term, l->n_terms, (struct summand){.group = set[0]->group});
        number[which] = l->n_terms;
    }
    for (unsigned k = 0; k < n_set; k++) {
        set[k]->n = 0;
        for (unsigned which = 1; which < 1u << n_set; which++)
            if (which >> k & 1 && number[which])
                set[k]->term[set[k]->n++] = number[which] - 1;
    }
}

/* A group of few sums, set by set. One that is left over stays as it is. */
static void make_sets(struct module *m, struct linear *l, unsigned group)
{
    struct row *rows[FEW_ROWS + 1];
    struct parts parts = {.n = 0};
    unsigned n = rows_of(l, group, rows);
    if (n > FEW_ROWS || total(l, group) < FEW_TOTAL)
        return;
    for (unsigned s = 0; s + 1 < n; s += SET_ROWS)
        split_set(&m->graph, l, &rows[s], n - s < SET_ROWS ? n - s : SET_ROWS, &parts);
    if (parts.n)
        make_vector(&m->graph, l, &parts, group_name(m, l, group, "sums"));
}

static struct node *make_sum(struct graph *g, struct linear *l, struct row *row)
{
    struct node **arg = scratch(row->n * sizeof *arg);
    for (unsigned i = 0; i < row->n; i++)
        arg[i] = l->term[row->term[i]].node;
    g->here = row->sum->loc;
    struct node *sum = sum_of(g, arg, row->n);
    if (row->n > 1)
        take_name(sum, row->sum);
    return sum;
}

void linear(struct module *m)
{
    struct graph *g = &m->graph;
    struct linear l = {.n_rows = 0};
    pass_live(m);
    for (unsigned i = 0; i < g->n; i++)
        if (g->node[i]->live && g->node[i]->op == OP_XOR && g->node[i]->n_args >= LEAST_TERMS)
            add_row(&l, g->node[i]);
    for (unsigned t = 0; t < l.n_terms; t++)
        l.term[t].node->mark = NULL;
    if (l.n_rows < LEAST_USES)
        return;
    group_rows(&l);
    list_rows(&l);
    extract(&l);
    list_terms(&l);
    struct map map = pass_map(m);
    for (unsigned group = 0; group < l.n_rows; group++) {
        make_sets(m, &l, group);
        for (unsigned depth = 1; depth <= DEEPEST; depth++)
            make_pairs(m, &l, group, depth);
    }
    for (unsigned r = 0; r < l.n_rows; r++)
        map.to[l.row[r].sum->id] = make_sum(g, &l, &l.row[r]);
    pass_replace(m, map);
}
