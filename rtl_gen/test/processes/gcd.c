// SPDX-License-Identifier: Apache-2.0
/*
 * gcd: a process of two states: the greatest common divisor by subtraction, a step a clock.
 */
#include "gcd.h"

HLS_RESET void gcd_reset(struct gcd *self)
{
    *self = (struct gcd){.at = GCD_IDLE, .out.ready = 1};
}

HLS_MODULE void gcd(struct gcd *self, const struct gcd_in *in)
{
    HLS_PROCESS(self->at, GCD_IDLE, GCD_RUN);
    for (;;) {
        HLS_WAIT_UNTIL(GCD_IDLE, in->valid);
        self->out.ready = self->out.done = 0;
        self->a = in->a;
        self->b = in->b;
        while (self->b != 0) {
            if (self->a < self->b) {
                u16 t = self->a;
                self->a = self->b;
                self->b = t;
            } else {
                self->a -= self->b;
            }
            HLS_WAIT(GCD_RUN);
        }
        self->out.result = self->a;
        self->out.ready = self->out.done = 1;
    }
}
