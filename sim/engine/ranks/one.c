// SPDX-License-Identifier: Apache-2.0
/*
 * one.c - a single process: nobody to talk to.
 */
#include <stdlib.h>

#include "sim/engine/ranks/ranks.h"

static void swap(struct ranks *ranks, const struct parcel *out, struct parcel *in)
{
    (void)ranks, (void)out, (void)in;
}

static void reduce(uint64_t *value, size_t count)
{
    (void)value, (void)count;
}

static struct ranks one = {
    .count = 1, .beside = 1, .swap = swap, .sum = reduce, .most = reduce, .abandon = exit};

struct ranks *ranks_start(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    return &one;
}

void ranks_end(struct ranks *ranks)
{
    (void)ranks;
}
