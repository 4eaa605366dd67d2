// SPDX-License-Identifier: Apache-2.0
/*
 * sv_raw.c - the inputs of a Verilated model whose ports are structs: words of the shim, in which one scalar of the C follows another
 * from the lowest bit on, into the packed struct, of which the first member is the highest.
 */
#include "emit/dialect.h"

struct walk {
    struct text *t;
    const struct leaf *leaf; /* the next one */
    unsigned word_lsb;       /* of it, in the words */
    unsigned n_loops;        /* around it */
    unsigned count[MAX_DIMS], step[MAX_DIMS];
};

static unsigned elements(const struct member *m)
{
    unsigned n = 1;
    for (unsigned d = 0; d < m->n_dims; d++)
        n *= m->count[d];
    return n;
}

static unsigned element_bits(const struct member *m)
{
    return m->record ? record_bits(m->record) : m->width;
}

/* "12 + 8 * i0" of the struct and of the words. */
static void put_move(struct walk *w, unsigned lsb)
{
    struct text to = {0}, from = {0};
    unsigned below = leaf_bits(w->leaf), indent = 4;
    put(&to, "%u", lsb);
    put(&from, "%u", w->word_lsb);
    for (unsigned i = 0; i < w->n_loops; i++, indent += 4) {
        below /= w->count[i];
        put(&to, " + %u * i%u", w->step[i], i);
        put(&from, " + %u * i%u", below, i);
        put(w->t, "%*sfor (unsigned i%u = 0; i%u < %u; i%u++)\n", (int)indent, "", i, i,
            w->count[i], i);
    }
    put(w->t, "%*smove(in, %s, w, %s, %u);\n", (int)indent, "", to.s, from.s, below);
    w->word_lsb += leaf_bits(w->leaf++);
}

/* The members' bits end below `end`. */
static void walk(struct walk *w, const struct record *r, unsigned end)
{
    for (unsigned i = 0; i < r->n; i++) {
        const struct member *m = &r->member[i];
        unsigned bits = elements(m) * element_bits(m), outer = w->n_loops;
        end -= bits;
        for (unsigned d = 0; m->record && d < m->n_dims; d++) {
            w->count[w->n_loops] = m->count[d];
            w->step[w->n_loops++] = bits /= m->count[d];
        }
        if (m->record)
            walk(w, m->record, end + bits);
        else
            put_move(w, end);
        w->n_loops = outer;
    }
}

static const char move_part[] =
    "    auto move = [](uint32_t *to, unsigned at, const uint32_t *from, unsigned lsb, unsigned n) "
    "{\n"
    "        for (unsigned width; n > 0; at += width, lsb += width, n -= width) {\n"
    "            width = n < 32 - at % 32 ? n : 32 - at % 32;\n"
    "            to[at / 32] |= (uint32_t)get(from, lsb, width) << at % 32;\n"
    "        }\n"
    "    };\n";

void sv_set_inputs(struct text *t, const struct module *m)
{
    struct walk w = {.t = t, .leaf = m->in.leaf};
    if (input_rst(m) == 0) {
        put(t, "    r->top->rst = get(w, 0, 1);\n");
        w.word_lsb = leaf_bits(w.leaf++);
    }
    if (m->in.record) {
        unsigned bits = record_bits(m->in.record), words = (bits + 31) / 32;
        put(t, "%s    uint32_t in[%u] = {};\n", move_part, words);
        walk(&w, m->in.record, bits);
        if (bits <= 64)
            put(t, "    r->top->in = in[0]%s;\n", bits > 32 ? " | (uint64_t)in[1] << 32" : "");
        else
            put(t, "    memcpy(r->top->in.data(), in, sizeof in);\n");
    } else {
        put(t, "    (void)w;\n");
    }
    put(t, "    r->context.fatalOnError(false); // $error ends the clock, not the program\n"
           "    r->top->eval(); // what assertions sample is there before the edge\n");
}
