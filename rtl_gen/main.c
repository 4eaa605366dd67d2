// SPDX-License-Identifier: Apache-2.0
/*
 * main.c - rtlgen: hardware descriptions in C to Verilog. The pipeline: every stage, and every pass within it.
 */
#include "base/budget.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/output.h"
#include "base/util.h"
#include "emit/emit_all.h"
#include "exec/build.h"
#include "front/front.h"
#include "graph/area.h"
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
        dump_module(stdout, design->module[i], design->module[i]->plan ? net_of : NULL);
}

/* One step on one module; in test builds the graph that it leaves must be sound. */
static void run(struct module *m, void (*pass)(struct module *), const char *name)
{
    pass(m);
    scratch_end();
#ifdef RTLGEN_CHECK
    graph_sound(m, name);
    scratch_end();
#else
    (void)name;
#endif
}
#define RUN(pass, m) run((m), (pass), #pass)

/* The rules that only a finished graph can answer. */
static bool check(struct module *m)
{
    if (!check_leaks(m) || !check_undef(m))
        return false;
    RUN(undef_drop, m);
    if (!check_reset(m))
        return false;
    RUN(check_enums, m);
    return true;
}

/* From what the C says to what the hardware needs; also for the body of a function, before it is one. */
static void rewrite(struct module *m)
{
    unsigned before, after = pass_live(m);
    for (int round = 0; round < 4; round++) {
        before = after;
        RUN(narrow, m);
        RUN(context, m);
        after = pass_live(m);
        if (after >= before && round > 0)
            break;
    }
    RUN(linear, m);
    RUN(inverse, m);
    RUN(pad, m);
    RUN(cases, m);
}

/* LUT4 of a module that is thrown away then. */
static unsigned measure(struct module *m)
{
    const char *name;
    struct loc loc;
    const struct wait *wait;
    if (undef_seen(m, &name, &loc, &wait))
        return UINT32_MAX;
    RUN(undef_drop, m);
    rewrite(m);
    return area_of(m);
}

/* How the module, or a function in it, is written down. */
static void plan(struct module *m)
{
    name_leaves(m);
    set_leaf_nets(m);
    plan_values(m);
    count_expressions(m);
    find_vectors(m);
    plan_subjects(m);
    plan_blocks(m);
    plan_choices(m);
    set_leaf_nets(m); /* also on what the steps between have made */
    count_text(m);
    choose_nets(m);
    give_names(m);
    plan_loops(m);
    plan_tables(m);
    plan_labels(m, IN_MODULE);
    plan_functions(m);
    plan_labels(m, IN_CHECKS);
    plan_labels(m, IN_COVERS);
    plan_enums(m);
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

    const struct build_options options = {rewrite, measure, opt->states};
    if (!build(design, unit, opt->n_file, &options))
        return false;
    compile_end(unit, opt->n_file);
    dump(opt, "build", design);

    bool good = true;
    for (unsigned i = 0; i < design->n; i++)
        good &= check(design->module[i]);
    if (!good)
        return false;

    for (unsigned i = 0; i < design->n; i++) {
        graph_budget(design->module[i]);
        rewrite(design->module[i]);
        RUN(states, design->module[i]);
    }
    unread(design);
    dump(opt, "narrow", design);

    for (unsigned i = 0; i < design->n; i++) {
        graph_budget(design->module[i]);
        plan_begin(design->module[i], plan);
        RUN(plan, design->module[i]);
    }
    plans_close(design);
    dump(opt, "name", design);

    names_warn(design);
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
