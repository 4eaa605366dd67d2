// SPDX-License-Identifier: Apache-2.0
/*
 * enum_sparse: enumerators with gaps, aliases and values given by expressions; as register, in
 * arithmetic, and as result of a helper.
 */
#include "hls.h"

enum enum_sparse_level {
    LEVEL_OFF = 0,
    LEVEL_LOW = 1,
    LEVEL_MIDDLE = LEVEL_LOW << 2,
    LEVEL_HIGH = LEVEL_MIDDLE + 5,
    LEVEL_TOP = LEVEL_HIGH,
};

struct enum_sparse_in {
    u6 demand;
    u1 step;
};
struct enum_sparse_out {
    enum enum_sparse_level level;
    u10 total;
    u1 top;
};
struct enum_sparse {
    struct enum_sparse_out out;
    enum enum_sparse_level history[3];
};

static enum enum_sparse_level level_of(u6 demand)
{
    return demand > 50   ? LEVEL_TOP
           : demand > 30 ? LEVEL_MIDDLE
           : demand > 9  ? LEVEL_LOW
                         : LEVEL_OFF;
}

HLS_RESET void enum_sparse_reset(struct enum_sparse *self)
{
    *self = (struct enum_sparse){.out.level = LEVEL_LOW, .history = {LEVEL_HIGH, LEVEL_OFF}};
}

HLS_MODULE void enum_sparse(struct enum_sparse *self, const struct enum_sparse_in *in)
{
    if (in->step) {
        self->history[2] = self->history[1];
        self->history[1] = self->history[0];
        self->history[0] = self->out.level;
    }
    switch (self->history[2]) {
    case LEVEL_OFF:
        self->out.level = level_of(in->demand);
        break;
    case LEVEL_LOW:
    case LEVEL_MIDDLE:
        self->out.level = self->out.level == LEVEL_TOP ? LEVEL_OFF : level_of(in->demand ^ 5);
        break;
    case LEVEL_TOP:
        self->out.level = level_of(~in->demand);
        break;
    }
    self->out.total += self->out.level * 3 + self->history[1];
    self->out.top = self->out.level == LEVEL_TOP;
}
