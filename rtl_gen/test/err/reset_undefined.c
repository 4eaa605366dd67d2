// SPDX-License-Identifier: Apache-2.0
/* A reset value that C does not define: the table has no such element. */
#include "hls.h"

struct reset_undefined_in {
    u1 enable;
};
struct reset_undefined_out {
    u8 level;
};
struct reset_undefined {
    struct reset_undefined_out out;
    u8 step[4];
};

static const u8 reset_undefined_steps[4] = {1, 2, 4, 8};

HLS_RESET void reset_undefined_reset(struct reset_undefined *self)
{
    self->out.level = 0;
    for (int i = 0; i < 4; i++) {
        self->step[i] = reset_undefined_steps[i + 1];
    }
}

HLS_MODULE void reset_undefined(struct reset_undefined *self, const struct reset_undefined_in *in)
{
    self->out.level += in->enable ? self->step[self->out.level & 3] : 0;
}
