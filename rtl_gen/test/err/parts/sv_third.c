// SPDX-License-Identifier: Apache-2.0
/* A struct that another file has, too. */
#include "hls.h"

enum third_mode { THIRD_OFF, THIRD_ON };
struct item {
    u9 value;
    enum third_mode mode;
};

struct sv_third_in {
    struct item item;
};
struct sv_third_out {
    u8 value;
};
struct sv_third {
    struct sv_third_out out;
};

HLS_RESET void sv_third_reset(struct sv_third *self)
{
    *self = (struct sv_third){0};
}

HLS_MODULE void sv_third(struct sv_third *self, const struct sv_third_in *in)
{
    self->out.value = (u8)(in->item.mode == THIRD_ON ? in->item.value : 0);
}
