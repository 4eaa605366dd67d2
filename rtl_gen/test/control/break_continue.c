// SPDX-License-Identifier: Apache-2.0
/*
 * break_continue: a loop over eight requests that skips some and stops at a budget.
 */
#include "hls.h"

struct break_continue_in {
    u8 request, blocked;
    u4 cost[8];
};
struct break_continue_out {
    u8 grant;
    u5 spent;
    u4 looked_at;
};
struct break_continue {
    struct break_continue_out out;
    u8 toggle;
};

HLS_RESET void break_continue_reset(struct break_continue *self)
{
    *self = (struct break_continue){0};
}

HLS_MODULE void break_continue(struct break_continue *self, const struct break_continue_in *in)
{
    u8 grant = 0;
    u5 spent = 0;
    u4 looked_at = 0;
    for (int i = 0; i < 8; i++) {
        looked_at++;
        if (!(in->request >> i & 1)) {
            continue;
        }
        if (in->blocked >> i & 1) {
            self->toggle ^= 1u << i;
            continue;
        }
        if (spent + in->cost[i] > 20) {
            break;
        }
        spent += in->cost[i];
        grant |= 1u << i;
    }
    self->out.grant = grant ^ self->toggle;
    self->out.spent = spent;
    self->out.looked_at = looked_at;
}
