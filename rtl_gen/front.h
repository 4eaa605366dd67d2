// SPDX-License-Identifier: Apache-2.0
/*
 * front.h - the command line, the stages that main.c calls in order, and where output goes.
 */
#ifndef FRONT_H
#define FRONT_H

#include "rtlgen.h"

#define RTLGEN_VERSION "0.1"

struct options {
    const char **include; /* full arguments "-Idir", for clang */
    unsigned n_include;
    const char **define; /* full arguments "-Dname=value" */
    unsigned n_define;
    const char **file; /* the .c files */
    unsigned n_file;
    const char *out_dir; /* "." without -o */
    const char *top;     /* --top, or NULL: every module of the files */
    const char *dump;    /* -d: names of stages with commas between, or NULL */
    bool report;
    unsigned memory; /* --memory: megabytes for a run */
    uint64_t steps;  /* --steps: for a module */
};

/* One per .c file: its LLVM IR. */
struct unit {
    const char *file;
    struct LLVMOpaqueModule *ir; /* an LLVMModuleRef */
};

/* options.c: false after a diagnostic; --help and --version print and exit. */
bool options_read(struct options *opt, int argc, char **argv);
/* Verilog and C can say the name of the file, in comments and in #include. */
bool name_is_plain(const char *name);
/* Was `-d` given this stage? */
bool options_dump(const struct options *opt, const char *stage);

/* compile.c: clang -O0 on every file; its messages go through unchanged. One unit per file. */
bool compile(const struct options *opt, struct unit *unit);
/* Frees what LLVM holds: nothing after build looks at the IR. */
void compile_end(struct unit *unit, unsigned n_units);
void dump_compiled(FILE *f, const struct unit *unit, unsigned n_units);

/*
 * declare.c: fills design->module with every module of the files (with --top: those under it) and
 * every HLS_KEEP function that has a body; layouts, instances, resets; children before parents,
 * keeps first.
 */
bool declare(const struct options *opt, struct design *design);
void dump_declared(FILE *f, const struct design *design);
/* By the name of the C function, or NULL. */
struct module *design_find(const struct design *design, const char *function_name);
/* declare_names.c: words that C leaves free and Verilog or SystemVerilog does not. */
bool verilog_keyword(const char *name);

/*
 * budget.c: the end of a run that takes too much. While m is worked on (NULL: all of them), tell(data) adds
 * notes about what eats it to the message; without it the line that most operations come from is named.
 */
void budget_set(unsigned megabytes, uint64_t steps);
void budget_of(const struct module *m, void (*tell)(void *), void *data);

/* exec*.c, check.c, narrow.c */
bool build(struct design *design, const struct unit *unit, unsigned n_units);
bool check(struct design *design);
void narrow(struct module *m);

/* name.c, emit_*.c, dump.c, report.c */
void name_nets(struct module *m);
bool emit_all(const struct design *design, const struct options *opt);
void dump_module(FILE *f, const struct module *m);
void report_module(FILE *f, struct module *m); /* children first */

/*
 * output.c: files appear all together or not at all. output_open gives a stream for the file
 * `name` (without directory) that is held in memory; do not close it. output_commit writes them
 * into opt->out_dir under temporary names and renames them when all are written; what it finds there
 * stays as it is when one of them cannot be.
 */
FILE *output_open(const char *name);
bool output_commit(const struct options *opt);
/* Whether all that went to standard output arrived; false after a diagnostic. */
bool output_printed(void);

#endif
