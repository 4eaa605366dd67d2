// SPDX-License-Identifier: Apache-2.0
/*
 * when: hls_when() leaves no condition in the Verilog, hls_seldom() stays one.
 */
#include "hls.h"

struct when_in {
    u1 valid;
    u8 data;
};
struct when_out {
    u8 sum;
    u8 last;
};
struct when {
    struct when_out out;
};

HLS_RESET void when_reset(struct when *self)
{
    *self = (struct when){};
}

HLS_MODULE void when(struct when *self, const struct when_in *in)
{
    u8 more = in->valid ? in->data : (u8)0;

    if (hls_when(in->valid)) {
        self->out.sum += more;
    }
    if (hls_seldom(in->valid)) {
        self->out.last = in->data;
    }
}
