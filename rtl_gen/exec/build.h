// SPDX-License-Identifier: Apache-2.0
/*
 * build.h - the stage that executes a design symbolically.
 */
#ifndef BUILD_H
#define BUILD_H

#include "front/front.h"

/*
 * Fills every module of the design from the IR; false after a diagnostic. The body of a helper goes through the given
 * passes before it is decided whether it is worth a function.
 */
bool build(struct design *design, const struct unit *unit, unsigned n_units,
           void (*passes)(struct module *));

#endif
