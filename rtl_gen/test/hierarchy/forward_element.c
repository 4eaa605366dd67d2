// SPDX-License-Identifier: Apache-2.0
/*
 * forward_element: outputs of single elements of an instance array forwarded, and those of all of
 * them into an output array by a loop.
 */
#include "hls.h"

struct forward_element_acc_in {
    u5 x;
    u2 scale;
};
struct forward_element_acc_out {
    u11 sum;
    u1 carry;
};
struct forward_element_acc {
    struct forward_element_acc_out out;
};

struct forward_element_in {
    u5 x[3];
};
struct forward_element_out {
    u11 sum[3];
    u1 last_carry;
    u11 first;
};
struct forward_element {
    struct forward_element_out out;
    struct forward_element_acc acc[3];
};

HLS_RESET void forward_element_acc_reset(struct forward_element_acc *self)
{
    *self = (struct forward_element_acc){.out.sum = 50};
}

HLS_MODULE void forward_element_acc(struct forward_element_acc *self,
                                    const struct forward_element_acc_in *in)
{
    u12 sum = (u12)self->out.sum + ((u12)in->x << in->scale);
    self->out.sum = (u11)sum;
    self->out.carry = sum >> 11;
}

HLS_RESET void forward_element_reset(struct forward_element *self)
{
    self->out = (struct forward_element_out){.sum = {50, 50, 50}, .first = 50};
    for (int i = 0; i < 3; i++) {
        forward_element_acc_reset(&self->acc[i]);
    }
}

HLS_MODULE void forward_element(struct forward_element *self, const struct forward_element_in *in)
{
    for (int i = 0; i < 3; i++) {
        struct forward_element_acc_in acc_in = {.x = in->x[i], .scale = i};
        forward_element_acc(&self->acc[i], &acc_in);
        self->out.sum[i] = self->acc[i].out.sum;
    }
    self->out.last_carry = self->acc[2].out.carry;
    self->out.first = self->acc[0].out.sum;
}
