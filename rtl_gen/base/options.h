// SPDX-License-Identifier: Apache-2.0
/*
 * options.h - the command line.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#define RTLGEN_VERSION "0.1"

/* How the states of a process are executed: exec/process.c, exec/group.c; chosen: the smaller of both. */
enum states { STATES_CHOSEN, STATES_ARMS, STATES_GROUP };

struct options {
    const char **include; /* full arguments "-Idir", for clang */
    unsigned n_include;
    const char **define; /* full arguments "-Dname=value" */
    unsigned n_define;
    const char **file; /* the .c files */
    unsigned n_file;
    const char *out_dir; /* "." without -o */
    const char *top;     /* --top, or NULL: every module of the files */
    const char *prefix;  /* --prefix: in front of the name of every module; "" without */
    const char *package; /* --sv: SystemVerilog, and the package of the ports' types; or NULL */
    const char *dump;    /* -d: names of stages with commas between, or NULL */
    bool report;
    enum states states; /* --states */
    unsigned memory;    /* --memory: megabytes for a run */
    uint64_t steps;     /* --steps: for a module */
};

/* options.c: false after a diagnostic; --help and --version print and exit. */
bool options_read(struct options *opt, int argc, char **argv);
/* Verilog and C can say the name of the file, in comments and in #include. */
bool name_is_plain(const char *name);
/* Was `-d` given this stage? */
bool options_dump(const struct options *opt, const char *stage);

#endif
