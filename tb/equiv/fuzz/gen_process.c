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

static void access_memory(struct gen *g, const struct process *p)
{
    begin(g, C_MEMORY);
    if (chance(g, 50))
        line(g, "self->word = self->words[%s];", index_bits(g, p->log2_depth));
    else
        line(g, "self->words[%s] = %s;", index_bits(g, p->log2_depth), value_for(g, p->word, 2));
    end(g);
}

/* Waits have the states in their order. */
static void wait(struct gen *g)
{
    const char *state = fmt("%s_W%u", g->module, g->waits++);
    begin(g, C_WAIT);
    if (chance(g, 30))
        line(g, "HLS_WAIT_UNTIL(%s, %s);", state, condition(g, 1).text);
    else
        line(g, "HLS_WAIT(%s);", state);
    end(g);
}

static void work_and_wait(struct gen *g, const struct process *p)
{
    if (p->log2_depth && chance(g, 40))
        access_memory(g, p);
    wait(g);
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

/* ---- the process, its enum, its members -------------------------------------------------------------- */

void choose_process(struct gen *g, struct module *m)
{
    struct process *p = &m->process;
    p->n = chance(g, 4) ? 10 + (unsigned)draw(g, 31) : 2 + (unsigned)draw(g, 8);
    p->log2_depth = chance(g, 35) ? 1 + (unsigned)draw(g, 5) : 0;
    p->word = bitint(false, 1 + (unsigned)draw(g, 40));
    m->in.field[m->in.n++] = (struct field){.name = "go", .type = bitint(false, 1)};
}

void declare_states(struct gen *g, const struct module *m)
{
    bool sparse = chance(g, 15), narrow = chance(g, 15);
    unsigned value = (unsigned)draw(g, 4);
    open_block(g, "enum %s_at%s ", m->name, narrow ? " : unsigned char" : "");
    for (unsigned i = 0; i < m->process.n; i++, value += 1 + (unsigned)draw(g, 4))
        if (sparse)
            line(g, "%s_W%u = %u,", m->name, i, value);
        else
            line(g, "%s_W%u,", m->name, i);
    g->indent--;
    line(g, "};");
}

void declare_process(struct gen *g, const struct module *m)
{
    const struct process *p = &m->process;
    line(g, "enum %s_at at;", m->name);
    if (p->log2_depth == 0)
        return;
    line(g, "HLS_BRAM_READ_FIRST %s words[%u];", type_name(p->word), 1u << p->log2_depth);
    line(g, "%s word;", type_name(p->word));
}

void reset_process(struct gen *g, const struct module *m)
{
    line(g, "self->at = %s_W0;", m->name);
    if (m->process.log2_depth)
        line(g, "self->word = %s;", constant_for(g, m->process.word));
}

static void process_body(struct gen *g, const struct module *m)
{
    const struct process *p = &m->process;
    struct buffer states = {0};
    if (chance(g, 30))
        statements(g, 1, 1); /* in every clock */
    for (unsigned i = 0; i < p->n; i++)
        add(&states, ", %s_W%u", m->name, i);
    line(g, "HLS_PROCESS(self->at%s);", states.s);
    g->may_return = g->on[WITH_RETURN] && chance(g, 40) ? RETURN_VOID : RETURN_NO;
    if (chance(g, 30))
        wait(g); /* above the loop: comes once, and nothing comes to what stands before it */
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
void generate_process(struct gen *g, const struct module *m)
{
    unsigned scope = g->n_scope;
    open_block(g, "static void %s_process(struct %s *self, const struct %s *in)\n", m->name,
               m->name, m->in.name);
    scope_fields(g, "self->out.", &m->out, true);
    scope_fields(g, "self->", &m->priv, true);
    scope_fields(g, "in->", &m->in, false);
    if (m->process.log2_depth)
        scope_scalar(g, "self->word", m->process.word, false);
    g->module = m->name;
    g->in_process = true;
    g->budget = 8 + m->process.n + (unsigned)draw(g, 10);
    g->trips = 2;
    g->in_loop = g->waits = g->reserved = 0;
    g->may_return = RETURN_NO;
    process_body(g, m);
    close_block(g);
    line(g, "%s", "");
    g->module = NULL;
    g->in_process = false;
    g->trips = 1;
    g->n_scope = scope;
}

/* In every clock, or under a clock enable. */
void call_process(struct gen *g, const struct module *m)
{
    if (chance(g, 40))
        line(g, "if (%s)", condition(g, 1).text);
    line(g, "%s_process(self, in);", m->name);
}
