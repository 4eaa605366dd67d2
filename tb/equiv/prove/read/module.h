// SPDX-License-Identifier: Apache-2.0
/*
 * module.h - one module on both sides: the same symbols for inputs, registers and instances, and what has to be
 * equal after one clock.
 */
#ifndef PROVE_MODULE_H
#define PROVE_MODULE_H

#include "read/exec.h"
#include "read/netlist.h"

/* Equal, or the Verilog is wrong. */
struct target {
    const char *name; /* "next count", "reset out.stable", "port rx.valid" */
    term c, verilog;
    unsigned assumed; /* of exec.assumed: those of the same run */
    unsigned n_assumed;
    bool done; /* an answer was found */
};

struct module {
    const char *name, *file;
    const char *const *flags;
    struct netlist *netlist;
    struct exec exec;
    struct layout self, in;
    struct target *target;
    unsigned n_targets;
    unsigned n_registers, n_dropped,
        n_instances; /* dropped: registers that the Verilog does without */
};

/* Runs both functions of the module and lists the targets. */
void module_build(struct module *m);

#endif
