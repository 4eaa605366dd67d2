// SPDX-License-Identifier: Apache-2.0
/*
 * area.h - how many tables of four inputs a module takes, roughly: for choosing between two ways to build it.
 */
#ifndef AREA_H
#define AREA_H

#include "design/module.h"

/* LUT4 of the module's operations, without its children. */
unsigned area_of(struct module *m);

#endif
