// SPDX-License-Identifier: Apache-2.0
/* The assert() of programs. */
#include "hls.h"
#include <assert.h>

struct program_assert_in {
    u8 data;
};
struct program_assert_out {
    u8 last;
};
struct program_assert {
    struct program_assert_out out;
};

HLS_RESET void program_assert_reset(struct program_assert *self)
{
    self->out = (struct program_assert_out){0};
}

HLS_MODULE void program_assert(struct program_assert *self, const struct program_assert_in *in)
{
    assert(in->data != 7);
    self->out.last = in->data;
}
