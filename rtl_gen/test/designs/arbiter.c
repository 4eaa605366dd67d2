// SPDX-License-Identifier: Apache-2.0
/*
 * arbiter: round-robin among eight requests by masks: first the requests above the last grant,
 * then all; a grant stays while its request does, at most four clocks.
 */
#include "hls.h"

struct arbiter_in {
    u8 request;
    u1 stall;
};
struct arbiter_out {
    u8 grant; /* one-hot or zero */
    u3 index;
    u1 valid;
};
struct arbiter {
    struct arbiter_out out;
    u8 above; /* requests with precedence */
    u2 held;
};

static u8 lowest(u8 x)
{
    return x & -x;
}

HLS_RESET void arbiter_reset(struct arbiter *self)
{
    *self = (struct arbiter){0};
}

HLS_MODULE void arbiter(struct arbiter *self, const struct arbiter_in *in)
{
    if (in->stall) {
        return;
    }
    if ((self->out.grant & in->request) && self->held != 0) {
        self->held--;
        return;
    }
    u8 grant = lowest(in->request & self->above);
    if (grant == 0) {
        grant = lowest(in->request);
    }
    self->out.grant = grant;
    self->out.valid = grant != 0;
    self->held = 3;
    if (grant != 0) {
        self->above = ~(grant | (grant - 1));
    }
    for (int i = 0; i < 8; i++) {
        if (grant >> i & 1) {
            self->out.index = i;
        }
    }
}
