// SPDX-License-Identifier: Apache-2.0
/* mean.c - an accelerator on streams: of each frame of samples one word, their mean. */
#define LIB_BODY
#include "lib/stream.h"

HLS_STREAM(sample, u16, tdata, u1, tlast);
HLS_STREAM_PORTS(mean, sample, sample);

#define SKID        mean_skid
#define SKID_STREAM sample
#include "lib/skid.inc"

#define DIV   mean_div
#define DIV_N 32
#include "lib/div.inc"

enum mean_at { MEAN_ADD, MEAN_DIVIDE };

struct mean {
    struct mean_out out;
    enum mean_at at;
    u32 sum, samples;
    struct mean_div div;
    struct mean_skid skid;
};

HLS_RESET void mean_reset(struct mean *self)
{
    *self = (struct mean){.at = MEAN_ADD, .out.s_axis.tready = 1};
    mean_div_reset(&self->div);
    mean_skid_reset(&self->skid);
}

static void mean_process(struct mean *self, const struct sample_forward *s, struct mean_div_in *div,
                         struct sample_forward *m)
{
    HLS_PROCESS(self->at, MEAN_ADD, MEAN_DIVIDE);
    for (;;) {
        do {
            HLS_WAIT_UNTIL(MEAN_ADD, s->tvalid);
            self->sum += s->tdata;
            self->samples++;
        } while (!s->tlast);
        self->out.s_axis.tready = 0;
        *div = (struct mean_div_in){.go = 1, .n = self->sum, .d = self->samples};
        self->sum = self->samples = 0;
        HLS_WAIT_UNTIL(MEAN_DIVIDE, !self->div.out.busy && self->skid.out.s_axis.tready);
        *m = sample_offer((struct sample){.tdata = (u16)self->div.out.quotient, .tlast = 1});
        self->out.s_axis.tready = 1;
    }
}

HLS_MODULE void mean(struct mean *self, const struct mean_in *in)
{
    struct mean_div_in div = {};
    struct mean_skid_in skid = {.m_axis = in->m_axis};

    mean_process(self, &in->s_axis, &div, &skid.s_axis);
    mean_div(&self->div, &div);
    mean_skid(&self->skid, &skid);
    self->out.m_axis = self->skid.out.m_axis;
}
