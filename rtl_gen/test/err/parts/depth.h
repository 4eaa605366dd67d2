// SPDX-License-Identifier: Apache-2.0
/* A struct whose size is a macro of the file that includes it. */
#ifndef DEPTH_H
#define DEPTH_H

#include "hls.h"

struct depth_in {
    u8 d;
};
struct depth {
    struct {
        u8 q;
    } out;
    u8 stage[DEPTH];
};

HLS_RESET void depth_reset(struct depth *self);
HLS_MODULE void depth(struct depth *self, const struct depth_in *in);

#endif
