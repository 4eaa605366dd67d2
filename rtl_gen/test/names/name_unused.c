// SPDX-License-Identifier: Apache-2.0
/*
 * name_unused: ports with the names of the wires that gather bits nobody reads; each of the three is there.
 */
#include "hls.h"

struct name_unused_in {
    u8 unused;
    u4 seen;
};
struct name_unused_out {
    u8 unused_by_checks;
};
struct name_unused {
    struct name_unused_out out;
};

HLS_RESET void name_unused_reset(struct name_unused *self)
{
    *self = (struct name_unused){0};
}

HLS_MODULE void name_unused(struct name_unused *self, const struct name_unused_in *in)
{
    u8 sum = (u8)(in->unused * 3 + in->seen);
    u4 square = in->seen * in->seen;

    self->out.unused_by_checks += in->unused & 3;
    hls_assert((square & 2) == 0); /* squares are 0 or 1 modulo 4 */
    hls_cover((sum & 12) == 4);
}
