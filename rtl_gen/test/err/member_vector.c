// SPDX-License-Identifier: Apache-2.0
/* A vector type as a register. */
#include "hls.h"

typedef unsigned char bytes __attribute__((vector_size(8)));

struct member_vector_in {
    u1 go;
};
struct member_vector_out {
    u8 y;
};
struct member_vector {
    struct member_vector_out out;
    bytes lane;
};

HLS_RESET void member_vector_reset(struct member_vector *self)
{
    *self = (struct member_vector){0};
}

HLS_MODULE void member_vector(struct member_vector *self, const struct member_vector_in *in)
{
    self->out.y += in->go;
}
