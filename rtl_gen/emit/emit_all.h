// SPDX-License-Identifier: Apache-2.0
/*
 * emit_all.h - the last stages: every file of a run, and its report.
 */
#ifndef EMIT_ALL_H
#define EMIT_ALL_H

#include "design/module.h"

#include <stdio.h>

/* emit_verilog.c: every file of a run */
bool emit_all(const struct design *design);

/* report.c: --report */
void report_module(FILE *f, struct module *m); /* children first */

#endif
