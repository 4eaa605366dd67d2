// SPDX-License-Identifier: Apache-2.0
/*
 * inst_pair: two children of different type feeding each other: each input is taken from the
 * sibling's registers before either is called.
 */
#include "hls.h"

struct inst_pair_source_in {
    u1 credit;
    u8 seed;
};
struct inst_pair_source_out {
    u1 valid;
    u8 data;
};
struct inst_pair_source {
    struct inst_pair_source_out out;
    u3 credits;
};

struct inst_pair_sink_in {
    u1 valid;
    u8 data;
    u1 stall;
};
struct inst_pair_sink_out {
    u1 credit;
    u12 sum;
};
struct inst_pair_sink {
    struct inst_pair_sink_out out;
    u3 waiting;
};

struct inst_pair_in {
    u8 seed;
    u1 stall;
};
struct inst_pair_out {
    u12 sum;
    u8 sent;
};
struct inst_pair {
    struct inst_pair_out out;
    struct inst_pair_source source;
    struct inst_pair_sink sink;
};

HLS_RESET void inst_pair_source_reset(struct inst_pair_source *self)
{
    *self = (struct inst_pair_source){.credits = 4};
}

HLS_MODULE void inst_pair_source(struct inst_pair_source *self,
                                 const struct inst_pair_source_in *in)
{
    self->out.valid = self->credits != 0 && in->seed != 0;
    self->credits = self->credits - self->out.valid + in->credit;
    if (self->out.valid) {
        self->out.data = (self->out.data << 1 ^ (self->out.data >> 7 ? 0x1d : 0)) ^ in->seed;
    }
}

HLS_RESET void inst_pair_sink_reset(struct inst_pair_sink *self)
{
    *self = (struct inst_pair_sink){0};
}

HLS_MODULE void inst_pair_sink(struct inst_pair_sink *self, const struct inst_pair_sink_in *in)
{
    self->out.credit = 0;
    if (in->valid) {
        self->waiting++;
        self->out.sum += in->data;
    }
    if (self->waiting && !in->stall) {
        self->waiting--;
        self->out.credit = 1;
    }
}

HLS_RESET void inst_pair_reset(struct inst_pair *self)
{
    self->out = (struct inst_pair_out){0};
    inst_pair_source_reset(&self->source);
    inst_pair_sink_reset(&self->sink);
}

HLS_MODULE void inst_pair(struct inst_pair *self, const struct inst_pair_in *in)
{
    struct inst_pair_source_in source_in = {.credit = self->sink.out.credit, .seed = in->seed};
    struct inst_pair_sink_in sink_in = {
        .valid = self->source.out.valid, .data = self->source.out.data, .stall = in->stall};
    self->out.sent += self->source.out.valid;
    inst_pair_source(&self->source, &source_in);
    inst_pair_sink(&self->sink, &sink_in);
    self->out.sum = self->sink.out.sum;
}
