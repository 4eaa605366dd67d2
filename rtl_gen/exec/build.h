// SPDX-License-Identifier: Apache-2.0
/*
 * build.h - the stage that executes a design symbolically.
 */
#ifndef BUILD_H
#define BUILD_H

#include "base/options.h"
#include "front/front.h"

struct build_options {
    void (*passes)(
        struct module
            *); /* for the body of a helper, before it is decided whether it is worth a function */
    unsigned (*measure)(
        struct module *); /* through all passes: its LUT4; UINT32_MAX: it is wrong */
    enum states states;
};

/* Fills every module of the design from the IR; false after a diagnostic. */
bool build(struct design *design, const struct unit *unit, unsigned n_units,
           const struct build_options *options);

#endif
