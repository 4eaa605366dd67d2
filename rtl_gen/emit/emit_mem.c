// SPDX-License-Identifier: Apache-2.0
/*
 * emit_mem.c - memories, in the templates that synthesis tools map to LUTRAM and block RAM.
 *
 * Content is zero at power-up. A clock with reset neither writes nor reads: the C is not called
 * then either. HLS_BRAM promises never to read and write one address in one clock, so no bypass
 * is wanted; HLS_BRAM_READ_FIRST wants the old value, which is what the plain template means.
 */
#include "emit/emit.h"
#include "graph/graph.h"

#include <string.h>

static unsigned address_of(const struct leaf *leaf, unsigned element)
{
    unsigned address = 0;
    for (unsigned d = leaf->n_dims; d-- > 0; element /= leaf->dims[d].count)
        address += element % leaf->dims[d].count * leaf->step[d];
    return address;
}

static const char *zero(unsigned width)
{
    return format("%u'%s0", width, width == 1 ? "b" : "d");
}

/* Words of a ROM, as many as fit into a line; those without an element are zero. */
static void emit_content(struct text *t, struct module *m, unsigned i)
{
    const struct leaf *leaf = &m->self.leaf[i];
    const char *line = "";
    put(t, "    initial begin\n");
    for (unsigned a = 0, e = 0; a < leaf->words; a++) {
        const bool here = e < leaf->count && address_of(leaf, e) == a;
        const char *word = format("%s[%u] = %s;", m->plan->reg[i], a,
                                  here ? constant(leaf->content[e]) : zero(leaf->width));
        e += here;
        const char *more = *line ? format("%s %s", line, word) : word;
        if (strlen(more) <= 90) {
            line = more;
            continue;
        }
        put(t, "        %s\n", line);
        line = word;
    }
    put(t, "        %s\n    end\n", line);
}

/* All in one block, with one variable; memories that are as deep in one loop if that fits into a line. */
static void emit_zeros(struct text *t, struct module *m)
{
    bool *done = scratch(m->self.n);
    begin_loops(t, m->plan, 4, "initial", m->plan->zeros);
    for (unsigned i = 0; i < m->self.n; i++) {
        if (!is_memory(&m->self.leaf[i]) || done[i] || m->self.leaf[i].storage == STORE_ROM)
            continue;
        const char *head = loop_head(m->plan, false, m->self.leaf[i].words), *body = "";
        unsigned n = 0;
        for (unsigned k = i; k < m->self.n; k++) {
            const struct leaf *leaf = &m->self.leaf[k];
            if (!is_memory(leaf) || done[k] || leaf->storage == STORE_ROM ||
                leaf->words != m->self.leaf[i].words)
                continue;
            const char *zeroes =
                format("%s[%s] = %s;", m->plan->reg[k], m->plan->integer, zero(leaf->width));
            const char *more = n > 0 ? format("%s %s", body, zeroes) : zeroes;
            if (n > 0 && strlen(head) + strlen(more) + strlen("begin end") > 89)
                continue;
            body = more;
            done[k] = true;
            n++;
        }
        put_line(t, 8, format(n > 1 ? "%s begin %s end" : "%s %s", head, body), NULL);
    }
    put(t, "    end\n");
}

void emit_memories(struct text *t, struct module *m)
{
    static const char *const attribute[] = {
        "", "(* ram_style = \"distributed\" *) ", "(* ram_style = \"block\", no_rw_check *) ",
        "(* ram_style = \"block\" *) ", "(* rom_style = \"block\" *) "};
    for (unsigned i = 0; i < m->self.n; i++) {
        const struct leaf *leaf = &m->self.leaf[i];
        if (!is_memory(leaf))
            continue;
        put_line(t, 4,
                 format("%sreg %s%s [0:%u];", attribute[leaf->storage], range(leaf->width),
                        m->plan->reg[i], leaf->words - 1),
                 leaf->doc);
    }
    if (m->plan->zeros)
        emit_zeros(t, m);
    for (unsigned i = 0; i < m->self.n; i++)
        if (m->self.leaf[i].storage == STORE_ROM)
            emit_content(t, m, i);
}

/* "if (a && b) " with the parts that are no constant */
static const char *condition(struct module *m, bool not_reset, struct node *enable)
{
    bool always = enable == NULL || is_ones(enable);
    if (always)
        return not_reset ? "if (!rst) " : "";
    struct scope s = {.m = m, .n = 1};
    return not_reset ? format("if (!rst && %s)" CHAIN, expr(&s, &enable, AND_AND))
                     : format("if (%s)" CHAIN, scalar(m, enable));
}

static void emit_write(struct text *t, struct module *m, unsigned i, bool *follows)
{
    const struct mem_write *w = &m->reg[i].write;
    if (w->enable == NULL || is_zero(w->enable))
        return;
    const char *head = "always @(posedge clk)", *at = place(m->self.leaf[i].loc);
    const char *body = format("%s%s[%s] <= " ALIGN "%s;", condition(m, true, w->enable),
                              m->plan->reg[i], scalar(m, w->addr), scalar(m, w->data));
    if (flat_length(head) + flat_length(body) + 5 <= 100) { /* rows of them need no space */
        if (!*follows)
            put(t, "\n");
        *follows = true;
        put_line(t, 4, format("%s %s", head, body), at);
        return;
    }
    put(t, "\n");
    *follows = false;
    put_line(t, 4, head, NULL);
    put_line(t, 8, body, at);
}

static void emit_read(struct text *t, struct module *m, const struct bram_read *b)
{
    const char *reg = m->plan->reg[b->reg];
    struct node *reset = m->reg[b->reg].reset;
    const unsigned above = m->self.leaf[b->reg].width - m->self.leaf[b->mem].width; /* of a ROM */
    const char *word = format("%s[%s]", m->plan->reg[b->mem], scalar(m, b->addr));
    if (above > 0)
        word = format("{%s, %s}", zero(above), word);
    put(t, "\n    always @(posedge clk)\n");
    if (reset) {
        put_line(t, 8, "if (rst)", NULL);
        put_line(t, 12, format("%s <= %s;", reg, constant(reset)), NULL);
        put_line(t, 8, "else", NULL);
    }
    put_line(t, reset ? 12 : 8,
             format("%s%s <= " ALIGN "%s;", condition(m, reset == NULL, b->enable), reg, word),
             NULL);
}

void emit_memory_ports(struct text *t, struct module *m, unsigned leaf, bool *follows)
{
    if (is_memory(&m->self.leaf[leaf])) {
        emit_write(t, m, leaf, follows);
    } else if (m->reg[leaf].bram_read >= 0) {
        emit_read(t, m, &m->bram[m->reg[leaf].bram_read]);
        *follows = false;
    }
}
