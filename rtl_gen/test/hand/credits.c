// SPDX-License-Identifier: Apache-2.0
/*
 * credits: credit counters of eight virtual channels. A counter holds credits + 127 in eight bits,
 * so its top bit, the port `ready`, says whether there are any. The contract is in README.md.
 */
#include "hls.h"

enum { CREDITS_START = 64 };

struct credits_in {
    u1 spend; /* one credit of channel spend_vc; counts when that one is ready */
    u3 spend_vc;
    u8 back; /* one credit comes back, per channel */
};
struct credits_out {
    u8 ready;   /* the channel has credits */
    u1 refused; /* last clock's spend came to a channel without credits */
};
struct credits {
    struct credits_out out;
    u7 low[8]; /* of the counter below its top bit */
};

HLS_RESET void credits_reset(struct credits *self)
{
    *self = (struct credits){.out.ready = 0xff};
    for (int i = 0; i < 8; i++) {
        self->low[i] = CREDITS_START - 1;
    }
}

HLS_MODULE void credits(struct credits *self, const struct credits_in *in)
{
    u8 spends = (u8)in->spend << in->spend_vc & self->out.ready;
    u8 ready = 0;

    for (int i = 0; i < 8; i++) {
        u8 count = (u8)(u1)(self->out.ready >> i) << 7 | self->low[i];
        u1 less = (u1)(spends >> i);
        u1 more = (u1)(in->back >> i);

        if (less != more) {
            count += less ? (u8)0xff : (u8)1;
        }
        self->low[i] = (u7)count;
        ready |= (u8)(u1)(count >> 7) << i;
    }
    self->out.ready = ready;
    self->out.refused = in->spend && spends == 0;
}
