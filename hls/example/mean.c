// SPDX-License-Identifier: Apache-2.0
/* mean.c - adds the samples of a frame, divides, gives the quotient. */
#define LIB_BODY
#include "example/mean.h"

HLS_RESET void mean_reset(struct mean *self)
{
    *self = (struct mean){.at = MEAN_ADD, .out.s_axis.tready = 1};
    mean_skid_reset(&self->s);
    mean_skid_reset(&self->m);
    mean_div_reset(&self->div);
}

/* Takes from the skid s, asks the divider and gives to the skid m: what it sets there holds for this clock. */
static void mean_process(struct mean *self, struct mean_skid_in *s, struct mean_skid_in *m,
                         struct mean_div_in *div)
{
    HLS_PROCESS(self->at, MEAN_ADD, MEAN_DIVIDE);
    for (;;) {
        do {
            HLS_WAIT_UNTIL(MEAN_ADD, self->s.out.m_axis.tvalid);
            s->m_axis.tready = 1;
            self->sum += self->s.out.m_axis.tdata;
            self->samples++;
        } while (!self->s.out.m_axis.tlast);
        *div = (struct mean_div_in){.go = 1, .n = self->sum, .d = self->samples};
        self->sum = self->samples = 0;
        HLS_WAIT_UNTIL(MEAN_DIVIDE, !self->div.out.busy && self->m.out.s_axis.tready);
        m->s_axis = sample_offer((struct sample){.tdata = (u16)self->div.out.quotient, .tlast = 1});
    }
}

HLS_MODULE void mean(struct mean *self, const struct mean_in *in)
{
    struct mean_skid_in s = {.s_axis = in->s_axis}, m = {.m_axis = in->m_axis};
    struct mean_div_in div = {};

    mean_process(self, &s, &m, &div);
    mean_skid(&self->s, &s);
    mean_skid(&self->m, &m);
    mean_div(&self->div, &div);
    self->out = (struct mean_out){.s_axis = self->s.out.s_axis, .m_axis = self->m.out.m_axis};
}
