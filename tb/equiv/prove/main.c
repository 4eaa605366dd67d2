// SPDX-License-Identifier: Apache-2.0
/*
 * main.c - proves that the Verilog of one module computes what its C says.
 */
#include "sim/base/args.h"
#include "sim/base/program.h"
#include "terms/arena.h"
#include "solve/blast.h"
#include "solve/check.h"
#include "read/front.h"
#include "solve/linear.h"
#include "read/module.h"
#include "solve/smt.h"
#include "solve/cases.h"
#include "solve/sweep.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct options {
    const char *module, *netlist, *out, *json, *set;
    unsigned seconds, limit; /* of processor time, for one target, for all */
    const char **flag;       /* for clang */
    unsigned n_flags;
    const char **file;
    unsigned n_files;
    uint64_t check; /* UINT64_MAX: no */
};

struct tally {
    unsigned same, cases, proved, assumed, differ, timeout, error;
    unsigned waiting;  /* asked once, to be asked again */
    const char *first; /* the first target that is not proved */
    struct sweep_tally parts;
};

enum { QUICK = 1, PATIENCE = 2 }; /* seconds, the first time; so often */

/* ---- options ----------------------------------------------------------------------------------- */

/* What clang gets, as -I and -D say. */
static void flag(void *to, const char *name, const char *value)
{
    struct options *o = to;
    PUSH(o->flag, o->n_flags, arena_printf("%s%s", name, value));
}

static struct options parse(int argc, char **argv)
{
    struct options o = {.seconds = 60, .limit = 600, .set = "", .check = UINT64_MAX};
    static const char *const fixed[] = {"-std=c23", "-DHLS_RTLGEN", "-ffreestanding",
                                        "-fno-builtin"};
    o.file = arena((size_t)argc * sizeof *o.file);
    const struct args_option rows[] = {
        args_text("--module", "NAME", &o.module, "the module, which the first file describes"),
        args_text("--netlist", "FILE.json", &o.netlist, "its Verilog, as Yosys' write_json has it"),
        args_text("--out", "DIR", &o.out, "where questions to z3 go"),
        args_unsigned("--timeout", &o.seconds, 1, UINT_MAX,
                      "seconds of processor time for one register or port"),
        args_unsigned("--limit", &o.limit, 0, UINT_MAX,
                      "seconds of processor time for all of them"),
        args_text("--json", "FILE", &o.json, "the report"),
        args_text("--set", "NAME", &o.set, "machine, for the report"),
        args_by("-I", "DIR", flag, &o, "search DIR for #include"),
        args_by("-D", "NAME=VALUE", flag, &o, "define a macro"),
        args_number("--check", &o.check, 0, UINT64_MAX - 1,
                    "check terms against what they mean, from this seed, and nothing else"),
        args_end()};
    const struct args args = {.about = "Proves that the Verilog of a module computes what its C "
                                       "says. Exit status 0: proved, 1: a difference was found, "
                                       "2: not understood, 3: time ran out.",
                              .option = rows,
                              .word = "FILE.c",
                              .words = o.file,
                              .most = (unsigned)argc};
    for (unsigned i = 0; i < sizeof fixed / sizeof *fixed; i++)
        PUSH(o.flag, o.n_flags, fixed[i]);
    program_invocation_short_name = (char *)"prove";
    sim_fail_status = 2;
    o.n_files = args_read(&args, argc, argv);
    PUSH(o.flag, o.n_flags, NULL);
    if (o.check == UINT64_MAX && (!o.module || !o.netlist || !o.out || !o.n_files))
        sim_fail("--module, --netlist, --out and files are wanted; see --help");
    return o;
}

/* ---- targets ----------------------------------------------------------------------------------- */

/* Without any assumption first: what holds always needs none. */
static enum answer decide(const struct module *m, const struct target *t, const char *file,
                          unsigned seconds, bool *needs, const char **example)
{
    struct question q = {.a = t->c, .b = t->verilog};
    struct model model;
    enum answer answer = smt_ask(file, &q, seconds, &model);
    *needs = answer != ANSWER_EQUAL && t->n_assumed > 0;
    if (*needs) {
        q.assumed = m->exec.assumed + t->assumed;
        q.n_assumed = t->n_assumed;
        answer = smt_ask(file, &q, seconds, &model);
    }
    if (answer == ANSWER_DIFFER)
        *example = smt_describe(&q, &model);
    return answer;
}

/* By the values of a symbol, without assumptions but for those that exclude a value. */
static bool case_by_case(const struct module *m, const struct target *t, const char *file,
                         unsigned seconds, struct tally *tally)
{
    struct cases cases;
    struct model model;
    const term *assumed = t->n_assumed ? m->exec.assumed + t->assumed : NULL;

    if (!by_cases(t->c, t->verilog, assumed, t->n_assumed, &cases))
        return false;
    for (unsigned i = 0; i < cases.n; i++) {
        struct question q = {.a = cases.a[i], .b = cases.b[i]};
        if (smt_ask(file, &q, seconds, &model) != ANSWER_EQUAL)
            return false;
    }
    tally->cases++;
    tally->assumed += cases.assuming;
    return true;
}

static void tell(const struct options *o, const struct module *m, const struct target *t,
                 const char *file, enum answer answer, const char *example, struct tally *tally)
{
    tally->differ += answer == ANSWER_DIFFER;
    tally->timeout += answer == ANSWER_TIMEOUT;
    tally->error += answer == ANSWER_ERROR;
    if (answer == ANSWER_DIFFER)
        printf("# %s: %s differs: %s\n", m->name, t->name, example);
    else if (answer == ANSWER_TIMEOUT)
        printf("# %s: %s: no answer within %u s (%s)\n", m->name, t->name, o->seconds, file);
    else
        printf("# %s: %s: z3 failed, see %s.out\n", m->name, t->name, file);
    if (!tally->first)
        tally->first = t->name;
    fflush(stdout);
}

/* One target; unless it is the last time, one that takes long may wait. */
static void count(const struct options *o, const struct module *m, struct target *t,
                  unsigned number, struct tally *tally, bool last)
{
    bool needs = false;
    const char *example = "", *file = arena_printf("%s/%u.smt2", o->out, number);
    t->done = true;
    if (t->c == t->verilog) {
        tally->same++;
        return;
    }
    if (case_by_case(m, t, file, last ? o->seconds : QUICK, tally))
        return;
    enum answer answer = ANSWER_TIMEOUT;
    if (seconds_used() < o->limit && (last || tally->waiting < PATIENCE))
        answer = decide(m, t, file, last ? o->seconds : QUICK, &needs, &example);
    if (answer == ANSWER_EQUAL) {
        tally->proved++;
        tally->assumed += needs;
    } else if (answer == ANSWER_TIMEOUT && !last) {
        t->done = false;
        tally->waiting++;
    } else {
        tell(o, m, t, file, answer, example, tally);
    }
}

/* Sums of bits into one form. */
static void normalise(struct module *m)
{
    for (unsigned i = 0; i < m->n_targets; i++) {
        struct target *t = &m->target[i];
        if (t->c != t->verilog) {
            t->c = linear_form(t->c);
            t->verilog = linear_form(t->verilog);
        }
    }
}

/* Equal parts of what is not proved yet, as bits; half of the time that is left is for them. */
static void find_parts(const struct options *o, struct module *m, struct tally *tally)
{
    unsigned now = seconds_used(), left = o->limit > now ? o->limit - now : 0, n = 0;
    struct sweep_options so = {arena_printf("%s/sweep.smt2", o->out), 4, now + left / 2};
    term *root = NULL;
    for (unsigned i = 0; i < m->n_targets; i++) {
        struct target *t = &m->target[i];
        if (t->done || t->c == t->verilog)
            continue;
        t->c = blast(t->c);
        t->verilog = blast(t->verilog);
        PUSH(root, n, t->c);
        PUSH(root, n, t->verilog);
    }
    tally->parts = sweep(root, n, &so);
    normalise(m);
}

/* All as they are with little time for each, then with equal parts found, with all of the time. */
static void prove(const struct options *o, struct module *m, struct tally *tally)
{
    normalise(m);
    for (unsigned i = 0; i < m->n_targets; i++)
        count(o, m, &m->target[i], i, tally, false);
    if (tally->waiting)
        find_parts(o, m, tally);
    for (unsigned i = 0; i < m->n_targets; i++)
        if (!m->target[i].done)
            count(o, m, &m->target[i], i, tally, true);
}

static const char *result_of(const struct tally *t)
{
    return t->differ ? "different" : t->error ? "error" : t->timeout ? "timeout" : "proved";
}

static void write_json(const struct options *o, const struct module *m, const struct tally *t,
                       unsigned seconds)
{
    FILE *f = o->json ? fopen(o->json, "w") : NULL;
    if (!f)
        return;
    fprintf(
        f,
        "{\"module\": \"%s\", \"machine\": \"%s\", \"method\": \"equivalence\", \"proved\": %s, ",
        m->name, o->set, strcmp(result_of(t), "proved") == 0 ? "true" : "false");
    fprintf(f,
            "\"result\": \"%s\", \"registers\": %u, \"dropped\": %u, \"memories\": %u, "
            "\"instances\": %u, ",
            result_of(t), m->n_registers, m->n_dropped, m->exec.n_memories, m->n_instances);
    fprintf(f,
            "\"targets\": %u, \"alike\": %u, \"by_cases\": %u, \"solved\": %u, \"assuming\": %u, "
            "\"different\": %u, ",
            m->n_targets, t->same, t->cases, t->proved, t->assumed, t->differ);
    fprintf(f, "\"parts_by_table\": %u, \"parts_solved\": %u, \"timed_out\": %u, ",
            t->parts.by_table, t->parts.by_solver, t->timeout);
    fprintf(f, "\"first_not_proved\": \"%s\", \"seconds\": %u}\n", t->first ? t->first : "",
            seconds);
    fclose(f);
}

int main(int argc, char **argv)
{
    struct options o = parse(argc, argv);
    if (o.check != UINT64_MAX)
        return check_terms(o.check) ? 0 : 1;
    struct module m = {.name = o.module, .file = o.file[0], .flags = o.flag};
    struct tally tally = {0};
    m.netlist = netlist_read(o.netlist, o.module);
    for (unsigned i = 0; i < o.n_files; i++)
        PUSH(m.exec.module, m.exec.n_modules, front_compile(o.file[i], o.flag));
    if (!m.exec.module)
        return 2;
    m.exec.data = LLVMGetModuleDataLayout(m.exec.module[0]);
    module_build(&m);
    prove(&o, &m, &tally);
    unsigned seconds = seconds_used();
    printf("%s: %s, %u targets: %u alike, %u by cases, %u by z3 (%u assuming defined behaviour), "
           "%u different, %u out of time; %u s\n",
           m.name, result_of(&tally), m.n_targets, tally.same, tally.cases, tally.proved,
           tally.assumed, tally.differ, tally.timeout, seconds);
    if (tally.waiting)
        printf("# %s: equal parts: %u by truth table, %u by z3; %u refuted, %u open\n", m.name,
               tally.parts.by_table, tally.parts.by_solver, tally.parts.refuted, tally.parts.open);
    write_json(&o, &m, &tally, seconds);
    return tally.differ ? 1 : tally.error ? 2 : tally.timeout ? 3 : 0;
}
