// SPDX-License-Identifier: Apache-2.0
/* A child module of its own file. */
#ifndef CHILD_H
#define CHILD_H

#include "hls.h"

struct child_in {
    u4 d;
};
struct child_out {
    u4 q;
};
struct child {
    struct child_out out;
    u4 hidden;
};

HLS_RESET void child_reset(struct child *self);
HLS_MODULE void child(struct child *self, const struct child_in *in);

#endif
