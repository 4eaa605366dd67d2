// SPDX-License-Identifier: Apache-2.0
/* A read of a variable element after some elements' calls. */
#include "hls.h"

struct child_in {
    u4 d;
};
struct child_out {
    u4 q;
};
struct child {
    struct child_out out;
};

HLS_RESET void child_reset(struct child *self)
{
    self->out.q = 0;
}

HLS_MODULE void child(struct child *self, const struct child_in *in)
{
    self->out.q ^= in->d;
}

struct child_variable_read_in {
    u2 at;
};
struct child_variable_read_out {
    u4 y;
};
struct child_variable_read {
    struct child_variable_read_out out;
    struct child one[4];
};

HLS_RESET void child_variable_read_reset(struct child_variable_read *self)
{
    self->out.y = 0;
    for (unsigned i = 0; i < 4; i++) {
        child_reset(&self->one[i]);
    }
}

HLS_MODULE void child_variable_read(struct child_variable_read *self,
                                    const struct child_variable_read_in *in)
{
    u4 seen = 0;
    for (unsigned i = 4; i-- > 0;) {
        seen ^= self->one[in->at].out.q;
        child(&self->one[i], &(struct child_in){in->at});
    }
    self->out.y = seen;
}
