// SPDX-License-Identifier: Apache-2.0
/* ss_streams.c - which messages are open at a node. */
#include "tb/golden/seastar/ss_streams.h"

enum { FIRST = 13, LAST = 12, STREAM = 14, SOURCE = 16, CLASS = 62 };

void golden_ss_streams_packet(struct golden_ss_streams *s, uint64_t head)
{
    const unsigned node = head >> SOURCE & 0x7FFF, stream = head >> STREAM & 3;
    const unsigned n = ((unsigned)(head >> CLASS & 1) * 32768 + node) * 4 + stream;
    const bool opens = (head >> FIRST & 1) && !(head >> LAST & 1);
    const bool ends = (head >> FIRST & 1) || (head >> LAST & 1);
    if (ends && s->open[n]) {
        s->open[n] = false;
        s->count--;
    }
    if (opens) {
        s->open[n] = true;
        s->count++;
        if (s->count > s->most)
            s->most = s->count;
    }
}

/* By node, then stream, then class. */
uint64_t golden_ss_streams_place(unsigned n)
{
    const unsigned class = n / (4 * 32768), node = n / 4 % 32768, stream = n % 4;
    return GOLDEN_SS_RECORD_BYTES * (uint64_t)(8 * node + 2 * stream + class);
}
