// SPDX-License-Identifier: Apache-2.0
/* An enum of whose enumerators another file has two. */
#include "hls.h"

enum second_mode { MODE_ON = 1, MODE_OFF = 0 };
struct thing {
    u8 value;
    enum second_mode mode;
};

struct sv_second_in {
    struct thing item;
};
struct sv_second_out {
    u8 value;
};
struct sv_second {
    struct sv_second_out out;
};

HLS_RESET void sv_second_reset(struct sv_second *self)
{
    *self = (struct sv_second){0};
}

HLS_MODULE void sv_second(struct sv_second *self, const struct sv_second_in *in)
{
    self->out.value = in->item.mode == MODE_ON ? in->item.value : 0;
}
