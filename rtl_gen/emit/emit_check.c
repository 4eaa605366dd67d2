// SPDX-License-Identifier: Apache-2.0
/*
 * emit_check.c - assertions: a message and the end in simulation, statements for proofs.
 *
 * One macro makes either of the same line. Wires that only checks need stand inside the ifdef.
 */
#include "emit/dialect.h"
#include "graph/graph.h"

#include <string.h>

#define LONGEST_MESSAGE 80

/* As much of the text as fits a line. */
const char *check_message(const struct check *c)
{
    const char *what = c->kind == CHECK_ASSUME ? "hls_assume" : "hls_assert", *at = place(c->loc);
    char *s = escaped(c->implied ? format("%s: %s", at ? at : "", c->text)
                                 : format("%s: %s failed: %s", at ? at : "", what, c->text));
    size_t end = strlen(s);
    if (end <= LONGEST_MESSAGE)
        return s;
    end = LONGEST_MESSAGE - 3;
    while (s[end - 1] == '\\')
        end--;
    return format("%.*s...", (int)end, s);
}

bool check_repeated(const struct module *m, unsigned i)
{
    for (unsigned k = 0; k < i; k++)
        if (m->check[k].kind == m->check[i].kind && m->check[k].cond == m->check[i].cond &&
            m->check[k].loc.line == m->check[i].loc.line)
            return true;
    return false;
}

static void emit_held(struct text *t, struct module *m)
{
    static const char *const kind[] = {"assert", "assume"};
    for (unsigned i = 0; i < m->n_check; i++) {
        const struct check *c = &m->check[i];
        if (c->kind != CHECK_COVER && !is_ones(c->cond) && !check_repeated(m, i))
            put_line(t, 12,
                     format("`HLS_CHECK(%s," SOFT "%s," CHAIN "\"%s\")", kind[c->kind],
                            scalar(m, c->cond), check_message(c)),
                     NULL);
    }
}

static void emit_covers(struct text *t, struct module *m)
{
    struct text lines = {0};
    for (unsigned i = 0; i < m->n_check; i++)
        if (m->check[i].kind == CHECK_COVER)
            put_line(&lines, 12, format("cover (%s);", scalar(m, m->check[i].cond)),
                     place(m->check[i].loc));
    if (lines.n)
        put(t, "`ifdef FORMAL\n%s`endif\n", lines.s);
}

void emit_checks(struct text *t, struct module *m)
{
    struct plan *p = m->plan;
    const bool *loops = p->uses_genvar;
    struct text rows = {0}, nets = {0}, covers = {0};
    emit_held(&rows, m);
    emit_covers(&rows, m);
    if (rows.n == 0)
        return;
    emit_nets(&nets, m, IN_CHECKS);
    emit_unused(&nets, m, IN_CHECKS, NULL);
    emit_nets(&covers, m, IN_COVERS);
    emit_unused(&covers, m, IN_COVERS, NULL);
    put(t, "\n`ifdef HLS_ASSERT\n`ifdef FORMAL\n"
           "`define HLS_CHECK(kind, held, text) kind (held);\n"
           "`else\n"
           "`define HLS_CHECK(kind, held, text) \\\n"
           "    if (!(held)) begin $display(\"%%m: %%s\", text); $finish; end\n"
           "`endif\n");
    emit_declarations(t, p, IN_CHECKS, !loops[IN_MODULE] && (loops[IN_CHECKS] || loops[IN_COVERS]));
    put(t, "%s", nets.n ? nets.s : "");
    if (covers.n)
        put(t, "`ifdef FORMAL\n%s`endif\n", covers.s);
    put(t, "    always @(posedge clk)\n        if (!rst) begin\n%s        end\n", rows.s);
    put(t, "`undef HLS_CHECK\n`endif\n");
}
