// SPDX-License-Identifier: Apache-2.0
/*
 * emit_verilog.c - every file of a run: Verilog, JSON, shim and bench of each module, and file
 * lists with children before parents.
 */
#include "emit/emit_all.h"
#include "base/output.h"
#include "emit/dialect.h"
#include "graph/walk.h"

#include <string.h>

static void write_text(const char *name, const struct text *t)
{
    fputs(t->s, output_open(name));
}

static void write_module(struct module *m)
{
    struct text verilog = {0}, header = {0}, shim = {0}, raw = {0}, bench = {0};
    emit_module(&verilog, m);
    write_text(format("%s.%s", m->verilog, dialect_of(m)->ending), &verilog);
    if (m->keep)
        return;
    emit_json(output_open(format("%s.json", m->verilog)), m);
    emit_shim_h(&header, m);
    write_text(format("%s_shim.h", m->verilog), &header);
    emit_shim_c(&shim, m);
    write_text(format("%s_shim.c", m->verilog), &shim);
    emit_raw(&raw, m);
    write_text(format("%s_raw.cpp", m->verilog), &raw);
    if (m->package) /* Icarus 11 has no struct ports */
        return;
    emit_bench(&bench, m);
    write_text(format("%s_tb.v", m->verilog), &bench);
}

/* Every module under m once, leaves first. */
static void list_files(FILE *f, const struct module *m, const struct module ***seen, unsigned *n)
{
    for (unsigned i = 0; i < *n; i++)
        if ((*seen)[i] == m)
            return;
    for (unsigned i = 0; i < m->n_keeps; i++)
        if (!m->keeps[i]->function)
            list_files(f, m->keeps[i], seen, n);
    for (unsigned i = 0; i < m->n_inst; i++)
        list_files(f, m->inst[i].module, seen, n);
    PUSH_SCRATCH(*seen, *n, m);
    fprintf(f, "%s.%s\n", m->verilog, dialect_of(m)->ending);
}

/* Tools read files in this order, and a package before what uses it. */
static void write_list(const struct module *m)
{
    const struct module **seen = NULL;
    unsigned n = 0;
    FILE *f = output_open(format("%s.f", m->verilog));
    if (m->package)
        fprintf(f, "%s.sv\n", m->package);
    list_files(f, m, &seen, &n);
}

bool emit_all(const struct design *design)
{
    if (design->package) {
        struct text package = {0};
        sv_package(&package, design);
        write_text(format("%s.sv", design->package), &package);
    }
    for (unsigned i = 0; i < design->n; i++) {
        struct module *m = design->module[i];
        graph_budget(m);
        write_module(m);
        if (!m->keep)
            write_list(m);
        scratch_end();
    }
    return true;
}
