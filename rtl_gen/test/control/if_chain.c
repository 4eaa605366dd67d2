// SPDX-License-Identifier: Apache-2.0
/*
 * if_chain: if / else if with overlapping conditions, nested ifs, and a register assigned on some
 * paths only.
 */
#include "hls.h"

struct if_chain_in {
    u8 level;
    u1 freeze, boost;
};
struct if_chain_out {
    u3 zone;
    u10 energy;
};
struct if_chain {
    struct if_chain_out out;
    u8 last;
};

HLS_RESET void if_chain_reset(struct if_chain *self)
{
    *self = (struct if_chain){.last = 128};
}

HLS_MODULE void if_chain(struct if_chain *self, const struct if_chain_in *in)
{
    if (in->freeze && self->last > 3) {
        self->out.zone = 7;
    } else if (in->level > 200) {
        self->out.zone = 3;
        if (in->boost) {
            self->out.energy += in->level;
        } else if (self->last > in->level) {
            self->out.energy += 9;
            self->out.zone = 4;
        }
    } else if (in->level > 100) {
        self->out.zone = 2;
    } else if (in->level > 50) {
        if (self->last <= 50) {
            self->out.energy -= 31;
        }
    } else {
        self->out.zone = in->boost ? 1 : 0;
        self->out.energy ^= 0x155;
    }
    self->last = in->level;
}
