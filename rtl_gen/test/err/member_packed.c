// SPDX-License-Identifier: Apache-2.0
/* A packed struct. */
#include "hls.h"

struct __attribute__((packed)) header {
    u8 kind;
    u32 length;
};

struct member_packed_in {
    u1 go;
};
struct member_packed_out {
    u8 y;
};
struct member_packed {
    struct member_packed_out out;
    struct header header;
};

HLS_RESET void member_packed_reset(struct member_packed *self)
{
    *self = (struct member_packed){0};
}

HLS_MODULE void member_packed(struct member_packed *self, const struct member_packed_in *in)
{
    self->out.y += in->go;
}
