// SPDX-License-Identifier: Apache-2.0
/* A memory of structs with an array, between whose rows something else stands. */
#include "hls.h"

struct memory_rows_apart_in {
    u1 go;
};
struct memory_rows_apart_out {
    u8 y;
};
struct memory_rows_apart {
    struct memory_rows_apart_out out;
    HLS_LUTRAM(1) struct {
        u8 byte[8];
        u1 last;
    } buffer[64];
};

HLS_RESET void memory_rows_apart_reset(struct memory_rows_apart *self)
{
    self->out = (struct memory_rows_apart_out){0};
}

HLS_MODULE void memory_rows_apart(struct memory_rows_apart *self,
                                  const struct memory_rows_apart_in *in)
{
    self->out.y += in->go;
}
