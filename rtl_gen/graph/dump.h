// SPDX-License-Identifier: Apache-2.0
/*
 * dump.h - a module's graph in text.
 */
#ifndef DUMP_H
#define DUMP_H

#include "design/module.h"

#include <stdio.h>

/* -d: the nodes that the module needs, and what needs them */
void dump_module(FILE *f, const struct module *m);

#endif
