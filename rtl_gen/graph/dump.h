// SPDX-License-Identifier: Apache-2.0
/*
 * dump.h - a module's graph in text.
 */
#ifndef DUMP_H
#define DUMP_H

#include "design/module.h"

#include <stdio.h>

/* The net that a node is, or NULL. */
typedef const char *net_fn(const struct module *m, const struct node *n);

/* -d: the nodes that the module needs, and what needs them; `net` is NULL before there are any. */
void dump_module(FILE *f, const struct module *m, net_fn *net);

#endif
