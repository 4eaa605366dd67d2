// SPDX-License-Identifier: Apache-2.0
/* printf() has no place in a clock. */
#include "hls.h"
#include <stdio.h>

struct program_printf_in {
    u8 data;
};
struct program_printf_out {
    u8 last;
};
struct program_printf {
    struct program_printf_out out;
};

HLS_RESET void program_printf_reset(struct program_printf *self)
{
    self->out = (struct program_printf_out){0};
}

HLS_MODULE void program_printf(struct program_printf *self, const struct program_printf_in *in)
{
    printf("%d\n", (int)in->data);
    self->out.last = in->data;
}
