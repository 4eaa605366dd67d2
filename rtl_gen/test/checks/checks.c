// SPDX-License-Identifier: Apache-2.0
/*
 * checks: assertions that hold, an assumption that the inputs always fulfil, and covers that are
 * reached soon; some under a condition, one in a helper, one in a loop.
 */
#include "hls.h"

struct checks_in {
    u1 push, pop;
    u4 data;
};
struct checks_out {
    u3 level;
    u7 sum;
};
struct checks {
    struct checks_out out;
    u4 slot[4];
    u2 rd;
};

static u2 wrap_add(u2 at, u3 n)
{
    hls_assert(n <= 4);
    return at + n;
}

HLS_RESET void checks_reset(struct checks *self)
{
    *self = (struct checks){0};
}

HLS_MODULE void checks(struct checks *self, const struct checks_in *in)
{
    hls_assume((in->push & in->pop) <= in->push);
    hls_assert(self->out.level <= 4);
    hls_cover(self->out.level == 4 && in->push);
    bool push = in->push && self->out.level < 4;
    bool pop = in->pop && self->out.level > 0;
    if (push) {
        hls_assert(self->out.level != 4);
        self->slot[wrap_add(self->rd, self->out.level)] = in->data;
    }
    if (pop) {
        hls_cover(self->slot[self->rd] == 13);
        self->rd++;
    }
    self->out.level += push - pop;
    u7 sum = 0;
    for (u3 i = 0; i < 4; i++) {
        if (i < self->out.level) {
            sum += self->slot[wrap_add(self->rd, i)];
            hls_assert(sum <= 15 * (i + 1));
        }
    }
    self->out.sum = sum;
}
