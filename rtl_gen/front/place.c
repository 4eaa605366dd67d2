// SPDX-License-Identifier: Apache-2.0
/* place.c - where the elements of an array stand in a memory. */
#include "front/front.h"

static unsigned rounded(unsigned n)
{
    unsigned power = 1;
    while (power < n)
        power *= 2;
    return power;
}

/* Rows begin at multiples of a power of two where that takes no more words: their address is then a row of wires. */
void leaf_place_words(struct leaf *leaf)
{
    unsigned above = leaf->count;
    leaf->words = rounded(leaf->count);
    for (unsigned d = leaf->n_dims, step = 1; d-- > 0;) {
        leaf->step[d] = step;
        above /= leaf->dims[d].count;
        step *= leaf->dims[d].count;
        if (rounded(step) * above <= leaf->words)
            step = rounded(step);
    }
}
