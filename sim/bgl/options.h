// SPDX-License-Identifier: Apache-2.0
/*
 * options.h - the command line of bglsim.
 */
#ifndef SIM_BGL_OPTIONS_H
#define SIM_BGL_OPTIONS_H

#include "sim/bgl/program.h"

struct bgl_options {
    struct program_config program;
    struct model_config model;
    uint64_t clocks, warmup; /* of patterns without an end */
    const char *torus, *json;
    unsigned ranks; /* to be started by us, or 0 */
};

/* Reads them, as one of these ranks; ends the program with one line at what is wrong. */
struct bgl_options bgl_options_read(int argc, char **argv, struct ranks *ranks);

#endif
