// SPDX-License-Identifier: Apache-2.0
/*
 * ss_streams.h - which messages are open at a node: written from what packets say, a set of {class, source, stream}. A header whose data follow opens
 * one, the last packet of its stream ends it, and so does the next header of that stream.
 */
#ifndef GOLDEN_SS_STREAMS_H
#define GOLDEN_SS_STREAMS_H

#include <stdbool.h>
#include <stdint.h>

enum { GOLDEN_SS_STREAMS = 1 << 18, GOLDEN_SS_RECORD_BYTES = 128 };

struct golden_ss_streams {
    bool open[GOLDEN_SS_STREAMS];
    unsigned count, most;
};

/* A packet has come whole: its head. */
void golden_ss_streams_packet(struct golden_ss_streams *s, uint64_t head);

/* Where the record of stream n of `open` is in the area for those that have no place on the chip. */
uint64_t golden_ss_streams_place(unsigned n);

#endif
