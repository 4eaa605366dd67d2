// SPDX-License-Identifier: Apache-2.0
/*
 * sv_check.c - assertions of SystemVerilog: concurrent ones, at the clock, of what the values were before it.
 *
 * A property is as an immediate check of Verilog-2005 if it does not look at `rst` after the edge: an assertion that is evaluated
 * when the edge has taken effect would hold in the first clock behind reset what was there in the last one of it.
 */
#include "emit/dialect.h"
#include "graph/graph.h"

/* "hls_assert_378", for reports and waivers; of several of one line the later ones have a number. */
static const char *label_of_check(struct names *labels, const char *verb, const struct check *c)
{
    const char *name = format("hls_%s_%u", verb, c->loc.line), *label = name;
    for (unsigned k = 2; names_find(labels, label); k++)
        label = format("%s_%u", name, k);
    names_set(labels, label, labels);
    return label;
}

static void put_check(struct text *t, struct module *m, const struct check *c, struct names *labels)
{
    static const char *const verbs[] = {"assert", "assume", "cover"};
    const char *verb = verbs[c->kind];
    put_line(t, 4,
             format("%s: %s property (@(posedge clk) disable iff ($sampled(rst))",
                    label_of_check(labels, verb, c), verb),
             c->kind == CHECK_ASSERT ? NULL : place(c->loc));
    put_line(t, 8, format(ALIGN "%s)%s", scalar(m, c->cond), c->kind == CHECK_ASSERT ? "" : ";"),
             NULL);
    if (c->kind == CHECK_ASSERT)
        put_line(t, 8, format("else $error(" ALIGN "\"%s\");", check_message(c)), NULL);
}

void sv_checks(struct text *t, struct module *m)
{
    struct plan *p = m->plan;
    const bool *loops = p->uses_genvar;
    struct text rows = {0}, nets = {0};
    struct names labels = {0};
    for (unsigned i = 0; i < m->n_check; i++) {
        const struct check *c = &m->check[i];
        bool held = c->kind == CHECK_ASSERT || c->kind == CHECK_ASSUME;
        if (c->kind == CHECK_COVER || (held && !is_ones(c->cond) && !check_repeated(m, i)))
            put_check(&rows, m, c, &labels);
    }
    if (rows.n == 0)
        return;
    for (enum section s = IN_CHECKS; s <= IN_COVERS; s++) {
        emit_nets(&nets, m, s);
        emit_unused(&nets, m, s, NULL);
    }
    put(t, "\n`ifdef HLS_ASSERT\n");
    emit_declarations(t, p, IN_CHECKS, !loops[IN_MODULE] && (loops[IN_CHECKS] || loops[IN_COVERS]));
    put(t, "%s%s`endif\n", nets.n ? nets.s : "", rows.s);
}
