// SPDX-License-Identifier: Apache-2.0
/*
 * emit_function.c - Verilog functions: helpers of the C that a module calls more than once.
 *
 * A function stands in each module that uses it, because Verilog-2005 has no other place for it, and
 * after the functions that it calls itself.
 */
#include "emit/emit.h"
#include "graph/graph.h"

static void emit_function(struct text *t, const struct function *function)
{
    struct module *f = function->module;
    struct text declared = {0}, body = {0}, tables = {0};
    f->plan = function->plan;
    emit_statements(&body, f, &declared, &tables);
    emit_unused_variables(&body, f, &declared);
    put_line(&body, 12, format("%s = " ALIGN "%s;", function->name, scalar(f, f->result)), NULL);
    if (tables.n)
        put(t, "%s", tables.s);
    if (f->doc)
        put_comment(t, 4, f->doc);
    put_line(t, 4, format("function %s%s;", range(f->result_width), function->name), place(f->loc));
    for (unsigned i = 0; i < f->in.n; i++)
        put_line(t, 8, format("input %s%s;", range(f->in.leaf[i].width), f->plan->in[i]), NULL);
    if (f->plan->uses_integer)
        put(t, "        integer %s;\n", f->plan->integer);
    if (declared.n)
        put(t, "%s", declared.s);
    put(t, "        begin\n%s        end\n    endfunction\n\n", body.s);
}

void emit_functions(struct text *t, const struct module *m)
{
    for (unsigned i = 0; i < m->plan->n_functions; i++)
        emit_function(t, m->plan->function[i]);
}
