// SPDX-License-Identifier: Apache-2.0
/*
 * main.c - rtlgen: hardware descriptions in C to Verilog. The pipeline, one call per stage.
 */
#include "base/budget.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/output.h"
#include "emit/emit_all.h"
#include "exec/build.h"
#include "front/front.h"
#include "graph/dump.h"
#include "graph/walk.h"
#include "passes/passes.h"
#include "plan/plan.h"

static void dump(const struct options *opt, const char *stage, const struct design *design)
{
    if (!options_dump(opt, stage))
        return;
    printf("== %s\n", stage);
    for (unsigned i = 0; i < design->n; i++)
        dump_module(stdout, design->module[i]);
}

static bool lower(const struct options *opt, struct design *design, struct unit *unit)
{
    budget_set(opt->memory, opt->steps);
    if (!compile(opt, unit))
        return false;
    if (options_dump(opt, "compile"))
        dump_compiled(stdout, unit, opt->n_file);

    if (!declare(opt, design))
        return false;
    if (options_dump(opt, "declare"))
        dump_declared(stdout, design);

    if (!build(design, unit, opt->n_file))
        return false;
    compile_end(unit, opt->n_file);
    dump(opt, "build", design);

    if (!check(design))
        return false;

    for (unsigned i = 0; i < design->n; i++) {
        graph_budget(design->module[i]);
        narrow(design->module[i]);
    }
    dump(opt, "narrow", design);

    for (unsigned i = 0; i < design->n; i++) {
        graph_budget(design->module[i]);
        name_nets(design->module[i]);
    }
    dump(opt, "name", design);

    if (!emit_all(design) || diag_errors() != 0)
        return false;
    for (unsigned i = 0; opt->report && i < design->n; i++)
        report_module(stdout, design->module[i]);
    budget_set(UINT32_MAX, UINT64_MAX); /* not amid the files */
    return output_printed() && output_commit(opt);
}

int main(int argc, char **argv)
{
    struct options opt;
    struct design design = {0};
    if (!options_read(&opt, argc, argv))
        return 1;
    return lower(&opt, &design, arena(opt.n_file * sizeof(struct unit))) ? 0 : 1;
}
