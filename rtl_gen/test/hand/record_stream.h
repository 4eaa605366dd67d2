// SPDX-License-Identifier: Apache-2.0
/*
 * record_stream.h - traffic through a block with an input and an output of word_stream, whose C is included before: both ends have rates
 * that change, so that it fills, empties and runs at full speed; a beat that is offered stays until it is taken.
 */
#ifndef RECORD_STREAM_H
#define RECORD_STREAM_H

#include "record.h"

/* What is offered and taken in a clock; ready: what the block's input said before it. */
static void stream_stimulus(unsigned long clock, u1 ready, struct word_stream_forward *offer,
                            struct word_stream_back *take)
{
    static const unsigned rate[4] = {100, 500, 900, 1024};
    static u1 held; /* the beat of the clock before was not taken */

    if (!held) {
        offer->tvalid = record_chance(rate[clock / 512 % 4]);
        offer->tdata = (u16)record_draw();
        offer->tlast = (u1)record_draw();
    }
    take->tready = record_chance(rate[clock / 2048 % 4]);
    held = offer->tvalid && !ready;
}

/* A beat as its ports stand in a line. */
static void stream_beat(const struct word_stream_forward *beat)
{
    record_put(beat->tdata, 16);
    record_put(beat->tlast, 1);
    record_put(beat->tvalid, 1);
}

/* The ports of both ends, inputs first. */
static void stream_record(const struct word_stream_forward *offer,
                          const struct word_stream_back *take, const struct word_stream_back *ready,
                          const struct word_stream_forward *out)
{
    stream_beat(offer);
    record_put(take->tready, 1);
    putchar(' ');
    record_put(ready->tready, 1);
    stream_beat(out);
}

#endif
