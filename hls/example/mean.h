// SPDX-License-Identifier: Apache-2.0
/* mean.h - an accelerator on streams: of each frame of samples one word, their mean, rounded down. */
#ifndef MEAN_H
#define MEAN_H

#include "lib/stream.h"

HLS_STREAM(sample, u16, tdata, u1, tlast);
HLS_STREAM_PORTS(mean, sample, sample); /* in: 1 to 65,536 samples a frame; out: one */

#define SKID        mean_skid
#define SKID_STREAM sample
#include "lib/skid.inc"

#define DIV   mean_div
#define DIV_N 32
#include "lib/div.inc"

enum mean_at { MEAN_ADD, MEAN_DIVIDE };

struct mean {
    struct mean_out out;
    enum mean_at at;
    u32 sum, samples; /* of the frame that comes in */
    struct mean_skid s, m;
    struct mean_div div;
};

HLS_RESET void mean_reset(struct mean *self);
HLS_MODULE void mean(struct mean *self, const struct mean_in *in);

#endif
