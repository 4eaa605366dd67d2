// SPDX-License-Identifier: Apache-2.0
/* An enumerator that is a keyword, members that are called alike. */
#include "hls.h"

enum words_mode { logic, bit };

struct sv_alike_in {
    enum words_mode mode;
    struct {
        u4 local, local_;
    } part;
};
struct sv_alike_out {
    u1 equal;
};
struct sv_alike {
    struct sv_alike_out out;
};

HLS_RESET void sv_alike_reset(struct sv_alike *self)
{
    *self = (struct sv_alike){0};
}

HLS_MODULE void sv_alike(struct sv_alike *self, const struct sv_alike_in *in)
{
    self->out.equal = in->mode == bit && in->part.local == in->part.local_;
}
