// SPDX-License-Identifier: Apache-2.0
/*
 * families.h - the kinds of networks and their names.
 *
 * A name is "FAMILY:SIZES", as "torus:4x4x4". Each family stands in a file of its own and in the table of families.c; nothing else
 * has to know of it.
 */
#ifndef SIM_FAMILIES_H
#define SIM_FAMILIES_H

#include "sim/net/topology.h"

enum { FAMILY_SIZES = 5 };

/* What stands behind the colon. */
struct family_sizes {
    unsigned rank; /* in halves, 2 to 7, of a family that has ranks */
    unsigned count, size[FAMILY_SIZES];
};

struct family {
    const char *name; /* before the colon */
    const char *help; /* whole lines */
    bool ranked;      /* a rank stands before the sizes: 1, 1.5, ... 3.5 */
    unsigned most;    /* sizes */

    /* The network; NULL, with one line in error, if there is none of these sizes. */
    struct topology *(*make)(const struct family_sizes *sizes, char error[TOPO_ERROR]);
};

extern const struct family family_dragonfly, family_dragonfly16, family_torus, family_clos;

/*
 * Builds the network that text names: of one of the families, "xc:GROUPS", or one of the presets. NULL, with one line in error,
 * if it does not fit.
 */
struct topology *topo_parse(const char *text, char error[TOPO_ERROR]);

/* Prints what topo_parse takes, a line for each form. */
void topo_help(void);

#endif
