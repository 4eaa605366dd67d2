// SPDX-License-Identifier: Apache-2.0
/* abort() ends a program. */
#include "hls.h"
#include <stdlib.h>

struct program_abort_in {
    u8 data;
};
struct program_abort_out {
    u8 last;
};
struct program_abort {
    struct program_abort_out out;
};

HLS_RESET void program_abort_reset(struct program_abort *self)
{
    self->out = (struct program_abort_out){0};
}

HLS_MODULE void program_abort(struct program_abort *self, const struct program_abort_in *in)
{
    if (in->data == 7)
        abort();
    self->out.last = in->data;
}
