// SPDX-License-Identifier: Apache-2.0
/*
 * gen_process.c - a process of a module: statements with waits among them, in ifs, switches and loops.
 *
 * No local outlives a wait: statements between two waits stand in a block. Each round of a loop ends at a wait, and so does what
 * accesses the memory of the process, which is then accessed once in a clock.
 */
#include "gen.h"

enum { DEEPEST = 3 };

/* Waits that are not yet there, but for those at the ends of the loops around. */
static unsigned left(const struct gen *g, const struct process *p)
{
    return p->n - g->waits - g->reserved;
}

/* Statements within one clock. */
static void work(struct gen *g)
{
    unsigned scope = g->n_scope;
    open_block(g, "%s", "");
    statements(g, 1 + (unsigned)draw(g, 2), 2);
    close_block(g);
    g->n_scope = scope;
}

static bool has_memory(const struct process *p)
{
    return p->log2_depth || p->log2_rom;
}

/* No index of the table is constant: that is its number and no read, and its register holds reads alone. */
static void access_memory(struct gen *g, const struct process *p)
{
    begin(g, C_MEMORY);
    if (!p->log2_depth || (p->log2_rom && chance(g, 30)))
        line(g, "self->number%s = %s_table%s[(u%u)(self->number%s %s)];", p->suffix, g->module,
             p->suffix, p->log2_rom, p->suffix,
             chance(g, 50)
                 ? fmt("+ %uu", (unsigned)draw(g, 64)) /* no sum of ints */
                 : fmt("^ ((u%u)in->go << %u)", p->log2_rom, (unsigned)draw(g, p->log2_rom)));
    else if (chance(g, 50))
        line(g, "self->word%s = self->words%s[%s];", p->suffix, p->suffix,
             index_bits(g, p->log2_depth));
    else
        line(g, "self->words%s[%s] = %s;", p->suffix, index_bits(g, p->log2_depth),
             value_for(g, p->word, 2));
    end(g);
}

/* Waits have the states in their order. */
static void wait(struct gen *g, const struct process *p)
{
    const char *state = fmt("%s_%s%u", g->module, p->state, g->waits++);
    begin(g, C_WAIT);
    if (chance(g, 30))
        line(g, "HLS_WAIT_UNTIL(%s, %s);", state, condition(g, 1).text);
    else
        line(g, "HLS_WAIT(%s);", state);
    end(g);
}

/* The other process of the module goes on behind another wait. */
static void start_other(struct gen *g)
{
    line(g, "if (%s)", condition(g, 1).text);
    line(g, "    %s%u;", g->other, (unsigned)draw(g, g->other_states));
}

static void work_and_wait(struct gen *g, const struct process *p)
{
    if (g->other && chance(g, 8))
        start_other(g);
    if (has_memory(p) && chance(g, 40))
        access_memory(g, p);
    wait(g, p);
}

static void parts(struct gen *g, const struct process *p, unsigned n, unsigned depth);

static void branch(struct gen *g, const struct process *p, unsigned depth)
{
    begin(g, C_IF);
    open_block(g, "if (%s) ", condition(g, 2).text);
    parts(g, p, 1 + (unsigned)draw(g, 2), depth);
    if (chance(g, 50)) {
        g->indent--;
        open_block(g, "} else ");
        parts(g, p, 1, depth);
    }
    close_block(g);
    end(g);
}

static void choice(struct gen *g, const struct process *p, unsigned depth)
{
    begin(g, C_SWITCH);
    open_block(g, "switch ((u2)%s) ", expr_near(g, 2, 2).text);
    for (unsigned i = 0; i < 3; i++) {
        if (i < 2)
            open_block(g, "case %u: ", i);
        else
            open_block(g, "default: ");
        parts(g, p, 1, depth);
        close_block(g);
        line(g, i == 0 && chance(g, 25) ? "    [[fallthrough]];" : "    break;");
    }
    close_block(g);
    end(g);
}

/* An end to it is always possible: what stands behind must not be dead. */
static void loop(struct gen *g, const struct process *p, unsigned depth)
{
    bool behind = chance(g, 40);
    begin(g, behind ? C_DO : C_WHILE);
    if (behind)
        open_block(g, "do ");
    else
        open_block(g, "while (in->go && %s) ", condition(g, 1).text);
    g->reserved++;
    if (chance(g, 60))
        parts(g, p, 1, depth);
    g->reserved--;
    work_and_wait(g, p);
    g->indent--;
    if (behind)
        line(g, "} while (in->go && %s);", condition(g, 1).text);
    else
        line(g, "}");
    end(g);
}

static void part(struct gen *g, const struct process *p, unsigned depth)
{
    bool waits = left(g, p) > 0, deep = waits && depth;
    unsigned weight[] = {5, waits ? 4 : 0, deep ? 3 : 0, deep ? 1 : 0, deep ? 3 : 0};
    switch (pick(g, sizeof weight / sizeof *weight, weight)) {
    case 0:
        work(g);
        break;
    case 1:
        work_and_wait(g, p);
        break;
    case 2:
        branch(g, p, depth - 1);
        break;
    case 3:
        choice(g, p, depth - 1);
        break;
    default:
        loop(g, p, depth - 1);
    }
}

static void parts(struct gen *g, const struct process *p, unsigned n, unsigned depth)
{
    for (unsigned i = 0; i < n; i++)
        part(g, p, depth);
}

/* ---- the processes, their enums, their members --------------------------------------------------------- */

static void choose_process(struct gen *g, struct process *p)
{
    p->n = chance(g, 4) ? 10 + (unsigned)draw(g, 31) : 2 + (unsigned)draw(g, 8);
    if (chance(g, 20)) {
        p->lanes = 2 + (unsigned)draw(g, 3);
        p->n = min(p->n, 5);
        p->count = bitint(false, 1 + (unsigned)draw(g, 16));
        return;
    }
    p->log2_depth = chance(g, 35) ? 1 + (unsigned)draw(g, 5) : 0;
    p->word = bitint(false, 1 + (unsigned)draw(g, 40));
    p->log2_rom = chance(g, 20) ? 1 + (unsigned)draw(g, 6) : 0;
    p->number = bitint(false, 2 + (unsigned)draw(g, 31));
}

void choose_processes(struct gen *g, struct module *m)
{
    m->n_process = chance(g, 25) ? 2 : 1;
    for (unsigned i = 0; i < m->n_process; i++) {
        m->process[i] = (struct process){.suffix = i ? "_b" : "", .state = i ? "V" : "W"};
        choose_process(g, &m->process[i]);
    }
    m->in.field[m->in.n++] = (struct field){.name = "go", .type = bitint(false, 1)};
}

static void declare_enum(struct gen *g, const struct module *m, const struct process *p)
{
    bool sparse = chance(g, 15), narrow = chance(g, 15);
    unsigned value = (unsigned)draw(g, 4);
    open_block(g, "enum %s_at%s%s ", m->name, p->suffix, narrow ? " : unsigned char" : "");
    for (unsigned i = 0; i < p->n; i++, value += 1 + (unsigned)draw(g, 4))
        if (sparse)
            line(g, "%s_%s%u = %u,", m->name, p->state, i, value);
        else
            line(g, "%s_%s%u,", m->name, p->state, i);
    g->indent--;
    line(g, "};");
}

/* The elements that are not listed are zero. */
static void declare_rom(struct gen *g, const struct module *m, const struct process *p)
{
    struct buffer b = {0};
    const unsigned n = 1u << p->log2_rom, given = n - (unsigned)draw(g, n / 2 + 1);
    for (unsigned i = 0; i < given; i++)
        add(&b, "%s%s", i ? ", " : "", constant_for(g, p->number));
    line(g, "HLS_ROM static const %s %s_table%s[%u] = {%s};", type_name(p->number), m->name,
         p->suffix, n, b.s);
}

void declare_states(struct gen *g, const struct module *m)
{
    for (unsigned i = 0; i < m->n_process; i++) {
        declare_enum(g, m, &m->process[i]);
        if (m->process[i].log2_rom)
            declare_rom(g, m, &m->process[i]);
    }
}

static void declare_process(struct gen *g, const struct module *m, const struct process *p)
{
    if (p->lanes) {
        open_block(g, "struct ");
        line(g, "enum %s_at%s at;", m->name, p->suffix);
        line(g, "%s count;", type_name(p->count));
        g->indent--;
        line(g, "} lane%s[%u];", p->suffix, p->lanes);
        return;
    }
    line(g, "enum %s_at%s at%s;", m->name, p->suffix, p->suffix);
    if (p->log2_depth) {
        line(g, "HLS_BRAM_READ_FIRST %s words%s[%u];", type_name(p->word), p->suffix,
             1u << p->log2_depth);
        line(g, "%s word%s;", type_name(p->word), p->suffix);
    }
    if (p->log2_rom)
        line(g, "%s number%s;", type_name(p->number), p->suffix);
}

void declare_processes(struct gen *g, const struct module *m)
{
    for (unsigned i = 0; i < m->n_process; i++)
        declare_process(g, m, &m->process[i]);
}

static void reset_process(struct gen *g, const struct module *m, const struct process *p)
{
    if (p->lanes) {
        open_block(g, "for (int i = 0; i < %u; i++) ", p->lanes);
        line(g, "self->lane%s[i].at = %s_%s0;", p->suffix, m->name, p->state);
        line(g, "self->lane%s[i].count = %s;", p->suffix, constant_for(g, p->count));
        close_block(g);
        return;
    }
    line(g, "self->at%s = %s_%s0;", p->suffix, m->name, p->state);
    if (p->log2_depth)
        line(g, "self->word%s = %s;", p->suffix, constant_for(g, p->word));
    if (p->log2_rom)
        line(g, "self->number%s = %s;", p->suffix, constant_for(g, p->number));
}

void reset_processes(struct gen *g, const struct module *m)
{
    for (unsigned i = 0; i < m->n_process; i++)
        reset_process(g, m, &m->process[i]);
}

static const char *register_of(const struct process *p)
{
    return p->lanes ? fmt("self->lane%s[lane].at", p->suffix) : fmt("self->at%s", p->suffix);
}

static void process_body(struct gen *g, const struct process *p)
{
    struct buffer states = {0};
    if (chance(g, 30))
        statements(g, 1, 1); /* in every clock */
    for (unsigned i = 0; i < p->n; i++)
        add(&states, ", %s_%s%u", g->module, p->state, i);
    line(g, "HLS_PROCESS(%s%s);", register_of(p), states.s);
    g->may_return = g->on[WITH_RETURN] && chance(g, 40) ? RETURN_VOID : RETURN_NO;
    if (chance(g, 30))
        wait(g, p); /* above the loop: comes once, and nothing comes to what stands before it */
    begin(g, C_WHILE);
    open_block(g, "for (;;) ");
    do {
        work_and_wait(g, p);
        parts(g, p, 1 + (unsigned)draw(g, 3), DEEPEST);
    } while (left(g, p) > 0);
    close_block(g);
    end(g);
}

/* As a helper of the module's, whose registers and inputs it uses. */
static void generate_process(struct gen *g, const struct module *m, const struct process *p)
{
    const struct process *other = m->n_process < 2 ? NULL : &m->process[p == m->process];
    unsigned scope = g->n_scope;
    open_block(g, "static void %s_process%s(struct %s *self, const struct %s *in%s)\n", m->name,
               p->suffix, m->name, m->in.name, p->lanes ? ", unsigned lane" : "");
    scope_fields(g, "self->out.", &m->out, true);
    scope_fields(g, "self->", &m->priv, true);
    scope_fields(g, "in->", &m->in, false);
    if (p->lanes)
        scope_scalar(g, fmt("self->lane%s[lane].count", p->suffix), p->count, true);
    if (p->log2_depth)
        scope_scalar(g, fmt("self->word%s", p->suffix), p->word, false);
    if (p->log2_rom)
        scope_scalar(g, fmt("self->number%s", p->suffix), p->number, false);
    g->module = m->name;
    g->in_process = true;
    g->other = other && !other->lanes
                   ? fmt("self->at%s = %s_%s", other->suffix, m->name, other->state)
                   : NULL;
    g->other_states = other ? other->n : 0;
    g->budget = 8 + p->n + (unsigned)draw(g, 10);
    g->trips = max(2, p->lanes);
    g->in_loop = g->waits = g->reserved = 0;
    g->may_return = RETURN_NO;
    process_body(g, p);
    close_block(g);
    line(g, "%s", "");
    g->module = g->other = NULL;
    g->in_process = false;
    g->trips = 1;
    g->n_scope = scope;
}

void generate_processes(struct gen *g, const struct module *m)
{
    for (unsigned i = 0; i < m->n_process; i++)
        generate_process(g, m, &m->process[i]);
}

/* In every clock, or under a clock enable; each lane under its own. */
void call_processes(struct gen *g, const struct module *m)
{
    for (unsigned i = 0; i < m->n_process; i++) {
        const struct process *p = &m->process[i];
        if (p->lanes)
            line(g, "for (unsigned i = 0; i < %u; i++)", p->lanes);
        g->indent += p->lanes > 0;
        if (chance(g, 40))
            line(g, "if (%s)", condition(g, 1).text);
        line(g, "%s_process%s(self, in%s);", m->name, p->suffix, p->lanes ? ", i" : "");
        g->indent -= p->lanes > 0;
    }
}
