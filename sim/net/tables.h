// SPDX-License-Identifier: Apache-2.0
/*
 * tables.h - the routing memories of every tile of a network: computed from the topology, or from a file.
 *
 * A file is text, one line per tile and memory or destination, numbers hexadecimal but for the first ones:
 *
 *     heddle-tables 2 dragonfly:2x1x4x2
 *     ROUTER PORT minimal|nonminimal global|local INDEX  WORD WORD WORD WORD     one for each draw
 *     ROUTER PORT map  WORD ...                                                  the whole VC map
 *
 * Entries that are not in the file are zero: no route. Every tile in use has its map.
 */
#ifndef SIM_TABLES_H
#define SIM_TABLES_H

#include "sim/net/topology.h"

enum { TABLES_MAP = 256, TABLES_ERROR = 400 };

struct tables {
    const struct topology *topology;
    unsigned indices[2]; /* of the global and the local tables */
    uint64_t *entries;   /* of a file: [router][port][nonminimal][local][index][draw], else NULL */
    uint8_t *map;        /* [router][port][TABLES_MAP] */
};

struct tables tables_computed(const struct topology *t);
bool tables_read(struct tables *tables, const struct topology *t, const char *path,
                 char error[TABLES_ERROR]);
bool tables_write(const struct tables *tables, const char *path, char error[TABLES_ERROR]);
void tables_free(struct tables *tables);

/* Words of one table for {local, index}, one for each draw; sub in the question is ignored. */
void tables_entries(const struct tables *tables, const struct question *q,
                    uint64_t words[MACHINE_DRAWS]);

/* A word of the VC map of a tile. */
uint64_t tables_map(const struct tables *tables, unsigned router, unsigned port, unsigned index);

#endif
