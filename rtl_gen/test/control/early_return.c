// SPDX-License-Identifier: Apache-2.0
/*
 * early_return: returns at several depths; what was assigned before a return stays assigned.
 */
#include "hls.h"

struct early_return_in {
    u1 enable;
    u4 kind;
    u8 data;
};
struct early_return_out {
    u8 seen, taken;
    u8 value;
};
struct early_return {
    struct early_return_out out;
};

HLS_RESET void early_return_reset(struct early_return *self)
{
    *self = (struct early_return){.out.value = 0xa5};
}

HLS_MODULE void early_return(struct early_return *self, const struct early_return_in *in)
{
    if (!in->enable) {
        return;
    }
    self->out.seen++;
    for (u4 k = 0; k < 5; k++) {
        if (in->kind == k) {
            self->out.value += in->data;
            if (self->out.value & 1) {
                return;
            }
            self->out.value ^= k;
        }
    }
    if (in->kind > 12) {
        self->out.value = in->data;
        return;
    }
    self->out.taken++;
    self->out.value = self->out.value << 1 | self->out.value >> 7;
}
