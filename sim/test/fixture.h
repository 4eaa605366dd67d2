// SPDX-License-Identifier: Apache-2.0
/*
 * fixture.h - what several tests of networks begin with: a topology by its name, a file without some of its lines.
 */
#ifndef SIM_TEST_FIXTURE_H
#define SIM_TEST_FIXTURE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/net/families.h"

/* The network of this name; one that cannot be ends the test. The caller frees it. */
static inline struct topology *build(const char *name)
{
    char error[TOPO_ERROR];
    struct topology *t = topo_parse(name, error);
    if (!t) {
        fprintf(stderr, "%s\n", error);
        exit(EXIT_FAILURE);
    }
    return t;
}

/* Copies a text file without the lines of which drop says so; one that cannot be opened gives no copy. */
static inline void copy_without(const char *from, const char *to, bool (*drop)(const char *line))
{
    FILE *in = fopen(from, "r"), *out = fopen(to, "w");
    char *line = NULL;
    size_t size = 0;
    while (in && out && getline(&line, &size, in) > 0)
        if (!drop(line))
            fputs(line, out);
    free(line);
    if (in)
        fclose(in);
    if (out)
        fclose(out);
}

#endif
