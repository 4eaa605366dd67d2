// SPDX-License-Identifier: Apache-2.0
/*
 * gen.c - fuzzgen: random programs in the dialect, one per seed.
 *
 * Alone: the program of that seed on stdout. With COUNT and DIR: DIR/f<seed>.c for COUNT seeds from
 * SEED on; which constructs stand in which others on stdout. Same seed, same bytes. Module and file-level names begin with f<seed>, so that any number
 * of programs can be compiled and simulated together.
 */
#include "gen.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/args.h"
#include "sim/base/program.h"

static void choose_features(struct gen *g)
{
    static const unsigned percent[N_FEATURES] = {
        [WITH_WIDE] = 25,    [WITH_SIGNED] = 65,   [WITH_PLAIN] = 55,     [WITH_ENUM] = 35,
        [WITH_RECORDS] = 50, [WITH_ARRAYS] = 65,   [WITH_ARRAYS_2D] = 30, [WITH_TABLES] = 35,
        [WITH_LOOPS] = 60,   [WITH_SWITCH] = 50,   [WITH_HELPERS] = 60,   [WITH_KEEP] = 25,
        [WITH_LUTRAM] = 25,  [WITH_BRAM] = 20,     [WITH_CHILDREN] = 30,  [WITH_MULTIPLY] = 35,
        [WITH_DIVIDE] = 25,  [WITH_RETURN] = 45,   [WITH_GOTO] = 12,      [WITH_BUILTINS] = 20,
        [WITH_CHECKS] = 20,  [WITH_LITERALS] = 25, [WITH_PROCESS] = 50,
    };
    for (unsigned i = 0; i < N_FEATURES; i++)
        g->on[i] = chance(g, percent[i]);
    g->multiplies = g->on[WITH_MULTIPLY] ? 4 : 0;
    g->divides = g->on[WITH_DIVIDE] ? 2 : 0;
}

static void make_enum(struct gen *g)
{
    struct enumeration *e = &g->enumeration[g->n_enum];
    unsigned value = 0;
    *e = (struct enumeration){.name = fmt("%s_e%u", g->prefix, g->n_enum), .width = 1};
    bool dense = chance(g, 60);
    e->n = dense ? 2u << draw(g, 3) : 2 + (unsigned)draw(g, 6);
    open_block(g, "enum %s ", e->name);
    for (unsigned i = 0; i < e->n; i++) {
        e->label[i] = fmt("%s_E%u_%u", g->prefix, g->n_enum, i);
        if (dense || i == 0)
            line(g, "%s,", e->label[i]);
        else
            line(g, "%s = %u,", e->label[i], value += 1 + (unsigned)draw(g, 5));
    }
    g->indent--;
    line(g, "};");
    value = dense ? e->n - 1 : value;
    while (value >> e->width)
        e->width++;
    e->dense = dense;
    g->n_enum++;
}

static void make_record(struct gen *g)
{
    struct record *r = &g->record[g->n_record];
    r->name = fmt("%s_r%u", g->prefix, g->n_record);
    r->n = 2 + (unsigned)draw(g, 3);
    for (unsigned i = 0; i < r->n; i++)
        do /* inputs have any value, and are copied as a whole */
            random_field(g, &r->field[i], fmt("f%u", i), chance(g, 80));
        while (r->field[i].type.kind == TYPE_ENUM && !r->field[i].type.e->dense);
    declare_record(g, r);
    g->n_record++;
}

/* clang 19 places elements of a constant table of such structs further apart than where it reads them. */
static bool is_misplaced(const struct record *r)
{
    bool wide = false;
    for (unsigned i = 0; i < r->n; i++)
        wide |= r->field[i].rec
                    ? is_misplaced(r->field[i].rec)
                    : r->field[i].type.kind == TYPE_BITINT && r->field[i].type.width > 128;
    return wide;
}

static void make_table(struct gen *g, unsigned number)
{
    struct entry e = {
        .text = fmt("%s_table%u", g->prefix, number), .type = random_type(g), .n_dims = 1};
    struct buffer b = {0};
    if (g->n_record && chance(g, 30))
        e.rec = &g->record[draw(g, g->n_record)];
    if (e.rec && is_misplaced(e.rec))
        e.rec = NULL;
    e.dim[0] = 2 + (unsigned)draw(g, 15);
    bool two = !e.rec && chance(g, 25);
    if (two)
        e.n_dims = 2, e.dim[0] = 2 + (unsigned)draw(g, 3), e.dim[1] = 2 + (unsigned)draw(g, 4);
    for (unsigned i = 0; i < e.dim[0]; i++) {
        add(&b, i ? ", " : "");
        for (unsigned k = 0; two && k < e.dim[1]; k++)
            add(&b, "%s%s", k ? ", " : "{", constant_for(g, e.type));
        add(&b, "%s", two ? "}" : e.rec ? record_literal(g, e.rec, true) : constant_for(g, e.type));
    }
    line(g, "static const %s %s[%u]%s = {%s};",
         e.rec ? fmt("struct %s", e.rec->name) : type_name(e.type), e.text, e.dim[0],
         two ? fmt("[%u]", e.dim[1]) : "", b.s);
    scope_add(g, e);
}

static void make_helpers(struct gen *g)
{
    unsigned n = g->on[WITH_HELPERS] ? 1 + (unsigned)draw(g, 3) : 0;
    unsigned kept = g->on[WITH_KEEP] ? 1 + chance(g, 30) : 0;
    while (n + kept > 0) { /* each may call those before it */
        unsigned weight[] = {4, 0, 4, g->n_record ? 4 : 0, g->n_record ? 4 : 0, 0};
        if (draw(g, n + kept) < kept)
            kept--, generate_helper(g, HELPER_KEEP, NULL);
        else
            n--, generate_helper(g, (enum helper_kind)pick(g, N_HELPER_KINDS, weight), NULL);
    }
}

static char *generate(uint64_t seed)
{
    struct gen *g = calloc(1, sizeof *g);
    struct buffer text = {0};
    if (g == NULL)
        abort();
    g->random = seed * UINT64_C(0xd1342543de82ef95) + 1;
    g->out = &text;
    g->prefix = fmt("f%llu", (unsigned long long)seed);
    g->trips = 1;
    choose_features(g);
    line(g, "/* fuzzgen %llu */", (unsigned long long)seed);
    line(g, "#include \"hls.h\"");
    line(g, "%s", "");
    for (unsigned i = 0; g->on[WITH_ENUM] && i < 1 + draw(g, 2); i++)
        make_enum(g);
    for (unsigned i = 0; g->on[WITH_RECORDS] && i < 1 + draw(g, 3); i++)
        make_record(g);
    for (unsigned i = 0; g->on[WITH_TABLES] && i < 1 + draw(g, 2); i++)
        make_table(g, i);
    make_helpers(g);
    generate_module(g, g->prefix, 2);
    take_marks(text.s);
    return text.s;
}

int main(int argc, char **argv)
{
    uint64_t seed, programs = 0;
    const char *folder = ".";
    const struct args_option rows[] = {args_number("--programs", &programs, 1, UINT64_MAX,
                                                   "so many, from this seed on, f<seed>.c each; "
                                                   "without it the one of this seed is printed"),
                                       args_text("--folder", "DIR", &folder, "where they go"),
                                       args_end()};
    const struct args args = {
        .about = "Makes random C that rtlgen takes.", .option = rows, .seed = &seed};
    (void)args_read(&args, argc, argv);
    if (programs == 0) {
        fputs(generate(seed), stdout);
        return 0;
    }
    for (uint64_t n = programs; n > 0; n--, seed++) {
        const char *name = fmt("%s/f%llu.c", folder, (unsigned long long)seed);
        FILE *f = fopen(name, "w");
        if (f == NULL || fputs(generate(seed), f) < 0 || fclose(f) != 0)
            sim_fail("cannot write %s: %s", name, strerror(errno));
    }
    print_pairs();
    return 0;
}
