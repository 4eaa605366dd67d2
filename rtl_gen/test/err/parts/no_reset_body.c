// SPDX-License-Identifier: Apache-2.0
/* The reset function is only declared. */
#include "hls.h"

struct no_reset_body_in {
    u8 d;
};
struct no_reset_body {
    struct {
        u8 q;
    } out;
};

HLS_RESET void no_reset_body_reset(struct no_reset_body *self);

HLS_MODULE void no_reset_body(struct no_reset_body *self, const struct no_reset_body_in *in)
{
    self->out.q = in->d;
}
