// SPDX-License-Identifier: Apache-2.0
/*
 * credit_bank: eight credit counters, spent one at a time, returned in groups, and the mask of
 * those that may send.
 */
#include "hls.h"

enum { CREDIT_BANK_MAX = 20 };

struct credit_bank_in {
    u1 spend;
    u3 vc;
    u8 back; /* one credit returned per bit */
    u3 bulk; /* and so many for bulk_vc */
    u3 bulk_vc;
};
struct credit_bank_out {
    u8 ready;
    u1 refused;
    u5 credits[8];
};
struct credit_bank {
    struct credit_bank_out out;
};

HLS_RESET void credit_bank_reset(struct credit_bank *self)
{
    *self = (struct credit_bank){.out.ready = 0xff};
    for (int i = 0; i < 8; i++) {
        self->out.credits[i] = CREDIT_BANK_MAX;
    }
}

HLS_MODULE void credit_bank(struct credit_bank *self, const struct credit_bank_in *in)
{
    self->out.refused = in->spend && self->out.credits[in->vc] == 0;
    if (in->spend && !self->out.refused) {
        u5 cost = self->out.credits[in->vc] > 9 ? 9 : self->out.credits[in->vc];
        self->out.credits[in->vc] -= cost;
    }
    u8 ready = 0;
    for (int i = 0; i < 8; i++) {
        u5 sum = self->out.credits[i] + (in->back >> i & 1) + (in->bulk_vc == i ? in->bulk : (u3)0);
        self->out.credits[i] = sum > CREDIT_BANK_MAX ? (u5)CREDIT_BANK_MAX : sum;
        ready |= (u8)(self->out.credits[i] > 2) << i;
    }
    self->out.ready = ready;
}
