// SPDX-License-Identifier: Apache-2.0
/*
 * gen_util.c - random numbers, text, and C's types with their conversion rules.
 */
#include "gen.h"
#include "sim/base/random.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- random numbers ------------------------------------------------------------------------- */

uint64_t draw(struct gen *g, uint64_t n)
{
    const uint64_t word = splitmix64(&g->random);
    return n ? word % n : word;
}

bool chance(struct gen *g, unsigned percent)
{
    return draw(g, 100) < percent;
}

unsigned pick(struct gen *g, unsigned n, const unsigned *weight)
{
    unsigned sum = 0, i = 0;
    for (unsigned k = 0; k < n; k++)
        sum += weight[k];
    unsigned at = (unsigned)draw(g, sum);
    while (at >= weight[i])
        at -= weight[i++];
    return i;
}

/* ---- text ------------------------------------------------------------------------------------- */

static void *get_memory(void *old, size_t bytes)
{
    void *p = realloc(old, bytes);
    if (p == NULL) {
        fputs("fuzzgen: out of memory\n", stderr);
        exit(1);
    }
    return p;
}

static void add_list(struct buffer *b, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    size_t n = (size_t)vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (b->n + n + 1 > b->room)
        b->s = get_memory(b->s, b->room = 2 * b->room + n + 1);
    vsnprintf(b->s + b->n, n + 1, format, args);
    b->n += n;
}

void add(struct buffer *b, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_list(b, format, args);
    va_end(args);
}

char *fmt(const char *format, ...)
{
    struct buffer b = {0};
    va_list args;
    va_start(args, format);
    add_list(&b, format, args);
    va_end(args);
    return b.s;
}

void line(struct gen *g, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(g->out, "%*s", (int)(4 * g->indent), "");
    add_list(g->out, format, args);
    add(g->out, "\n");
    va_end(args);
}

void open_block(struct gen *g, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(g->out, "%*s", (int)(4 * g->indent), "");
    add_list(g->out, format, args);
    add(g->out, "{\n");
    va_end(args);
    g->indent++;
}

void close_block(struct gen *g)
{
    g->indent--;
    line(g, "}");
}

const char *fresh(struct gen *g, const char *stem)
{
    return fmt("%s%u", stem, g->counter++);
}

/* ---- types -------------------------------------------------------------------------------------- */

struct type bitint(bool is_signed, unsigned width)
{
    if (is_signed && width < 2)
        width = 2;
    return (struct type){.kind = TYPE_BITINT, .is_signed = is_signed, .width = width};
}

struct type plain(bool is_signed, unsigned width)
{
    return (struct type){.kind = TYPE_PLAIN, .is_signed = is_signed, .width = width};
}

static unsigned random_width(struct gen *g)
{
    static const unsigned odd[] = {31, 32, 33, 63, 64, 8, 16, 1};
    unsigned weight[] = {14, 36, 18, 16, 10, 8, g->on[WITH_WIDE] ? 14 : 0};
    switch (pick(g, 7, weight)) {
    case 0:
        return 1;
    case 1:
        return 2 + (unsigned)draw(g, 7);
    case 2:
        return 9 + (unsigned)draw(g, 8);
    case 3:
        return 17 + (unsigned)draw(g, 17);
    case 4:
        return 34 + (unsigned)draw(g, 31);
    case 5:
        return odd[draw(g, sizeof odd / sizeof *odd)];
    default:
        return chance(g, 70) ? 65 + (unsigned)draw(g, 96) : 65 + (unsigned)draw(g, 448);
    }
}

struct type random_unsigned(struct gen *g)
{
    return bitint(false, random_width(g));
}

struct type random_type(struct gen *g)
{
    static const unsigned plain_width[] = {32, 32, 32, 64, 16, 8};
    if (g->on[WITH_PLAIN] && chance(g, 12))
        return plain(chance(g, 50), plain_width[draw(g, 6)]);
    if (g->n_enum && chance(g, 5)) {
        const struct enumeration *e = &g->enumeration[draw(g, g->n_enum)];
        return (struct type){.kind = TYPE_ENUM, .width = 32, .e = e};
    }
    if (chance(g, 4))
        return (struct type){.kind = TYPE_BOOL, .width = 1};
    return bitint(g->on[WITH_SIGNED] && chance(g, 30), random_width(g));
}

const char *type_name(struct type t)
{
    static const char *const names[2][4] = {
        {"unsigned char", "unsigned short", "unsigned", "unsigned long"},
        {"signed char", "short", "int", "long"}};
    switch (t.kind) {
    case TYPE_BITINT:
        return fmt(t.is_signed ? "sint(%u)" : t.width <= 64 ? "u%u" : "uint(%u)", t.width);
    case TYPE_PLAIN:
        return names[t.is_signed][t.width == 8 ? 0 : t.width == 16 ? 1 : t.width == 32 ? 2 : 3];
    case TYPE_BOOL:
        return "bool";
    default:
        return fmt("enum %s", t.e->name);
    }
}

bool same_type(struct type a, struct type b)
{
    return a.kind == b.kind && a.is_signed == b.is_signed && a.width == b.width && a.e == b.e;
}

/* C23 6.3.1.1: integer promotions leave bit-precise types alone. An enum here is an unsigned. */
struct type promoted(struct type t)
{
    if (t.kind == TYPE_BITINT)
        return t;
    if (t.kind == TYPE_ENUM)
        return plain(false, 32);
    return t.kind == TYPE_BOOL || t.width < 32 ? plain(true, 32) : t;
}

static unsigned rank(struct type t)
{
    return 2 * t.width + (t.kind == TYPE_PLAIN);
}

/* C23 6.3.1.8: usual arithmetic conversions. */
struct type common_type(struct type a, struct type b)
{
    a = promoted(a);
    b = promoted(b);
    if (a.is_signed == b.is_signed)
        return rank(a) >= rank(b) ? a : b;
    struct type s = a.is_signed ? a : b, u = a.is_signed ? b : a;
    if (rank(u) >= rank(s))
        return u;
    if (s.width > u.width)
        return s;
    s.is_signed = false;
    return s;
}

/* ---- scope ---------------------------------------------------------------------------------------- */

void scope_add(struct gen *g, struct entry e)
{
    if (e.suffix == NULL)
        e.suffix = "";
    if (g->n_scope < MAX_SCOPE)
        g->scope[g->n_scope++] = e;
}

void scope_scalar(struct gen *g, const char *name, struct type type, bool writable)
{
    scope_add(g, (struct entry){.text = name, .type = type, .writable = writable});
}

/* The members of a struct: path is "self->out." or the like. */
void scope_fields(struct gen *g, const char *path, const struct record *rec, bool writable)
{
    for (unsigned i = 0; i < rec->n; i++) {
        const struct field *f = &rec->field[i];
        if (f->forwarded)
            continue;
        struct entry e = {.text = fmt("%s%s", path, f->name),
                          .type = f->type,
                          .rec = f->rec,
                          .n_dims = f->n_dims,
                          .dim = {f->dim[0], f->dim[1]},
                          .writable = writable};
        scope_add(g, e);
    }
}
