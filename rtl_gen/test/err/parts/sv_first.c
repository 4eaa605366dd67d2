// SPDX-License-Identifier: Apache-2.0
/* A struct and an enum that another file has, too. */
#include "hls.h"

enum first_mode { MODE_OFF, MODE_ON };
struct item {
    u8 value;
    enum first_mode mode;
};

struct sv_first_in {
    struct item item;
};
struct sv_first_out {
    u8 value;
};
struct sv_first {
    struct sv_first_out out;
};

HLS_RESET void sv_first_reset(struct sv_first *self)
{
    *self = (struct sv_first){0};
}

HLS_MODULE void sv_first(struct sv_first *self, const struct sv_first_in *in)
{
    self->out.value = in->item.mode == MODE_ON ? in->item.value : 0;
}
