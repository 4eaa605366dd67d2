// SPDX-License-Identifier: Apache-2.0
/* A volatile register. */
#include "hls.h"

struct member_volatile_in {
    u1 go;
};
struct member_volatile_out {
    u8 y;
};
struct member_volatile {
    struct member_volatile_out out;
    volatile u8 status;
};

HLS_RESET void member_volatile_reset(struct member_volatile *self)
{
    *self = (struct member_volatile){0};
}

HLS_MODULE void member_volatile(struct member_volatile *self, const struct member_volatile_in *in)
{
    self->out.y += in->go;
}
