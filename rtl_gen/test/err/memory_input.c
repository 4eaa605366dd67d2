// SPDX-License-Identifier: Apache-2.0
/* A memory among the inputs. */
#include "hls.h"

struct memory_input_in {
    u1 go;
    u48 buffer[64] HLS_BRAM;
};
struct memory_input_out {
    u8 y;
};
struct memory_input {
    struct memory_input_out out;
};

HLS_RESET void memory_input_reset(struct memory_input *self)
{
    *self = (struct memory_input){0};
}

HLS_MODULE void memory_input(struct memory_input *self, const struct memory_input_in *in)
{
    self->out.y += in->go;
}
