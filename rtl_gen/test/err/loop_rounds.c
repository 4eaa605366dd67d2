// SPDX-License-Identifier: Apache-2.0
/* More rounds than a loop may have. */
#include "hls.h"

struct loop_rounds_in {
    u8 a;
};
struct loop_rounds_out {
    u8 y;
};
struct loop_rounds {
    struct loop_rounds_out out;
};

HLS_RESET void loop_rounds_reset(struct loop_rounds *self)
{
    *self = (struct loop_rounds){0};
}

HLS_MODULE void loop_rounds(struct loop_rounds *self, const struct loop_rounds_in *in)
{
    for (int i = 0; i < 10000; i++) {
        self->out.y += in->a;
    }
}
