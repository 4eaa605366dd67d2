// SPDX-License-Identifier: Apache-2.0
/*
 * A predictor and quantiser as a process: of each sample the difference to what the last two of them promise is found in a table
 * of steps, one entry a clock, and the decoder's sample becomes the next one's past.
 */
#include "hls.h"

enum predictor_at { PREDICTOR_IDLE, PREDICTOR_PREDICT, PREDICTOR_SEARCH, PREDICTOR_UPDATE };

struct predictor_in {
    u1 valid;
    u16 sample; /* two's complement */
};

struct predictor_out {
    u1 ready, done;
    u4 code; /* sign and step */
    u16 decoded;
};

struct predictor {
    struct predictor_out out;
    enum predictor_at at;
    u16 sample, past, older;
    u16 miss; /* of the prediction */
    u1 below;
    u8 scale;
    u3 step;
};

HLS_RESET void predictor_reset(struct predictor *self)
{
    *self = (struct predictor){.at = PREDICTOR_IDLE, .out.ready = 1, .scale = 16};
}

static const u8 predictor_step[8] = {1, 3, 6, 11, 19, 32, 53, 87};

/* In 1/16, by step. */
static const u8 predictor_growth[8] = {13, 14, 15, 16, 17, 20, 24, 28};

/* Twice the last one less the one before, an eighth towards zero. */
static u16 predictor_next(u16 past, u16 older)
{
    const u24 line = (u24)(((u24)past * 30) - ((u24)older * 15));
    return (u16)(line >> 4);
}

static u8 predictor_scaled(u8 scale, u3 step)
{
    const u16 next = (u16)(((u16)scale * predictor_growth[step]) >> 4);
    return next < 4 ? 4 : next > 200 ? 200 : (u8)next;
}

HLS_MODULE void predictor(struct predictor *self, const struct predictor_in *in)
{
    HLS_PROCESS(self->at, PREDICTOR_IDLE, PREDICTOR_PREDICT, PREDICTOR_SEARCH, PREDICTOR_UPDATE);
    for (;;) {
        HLS_WAIT_UNTIL(PREDICTOR_IDLE, in->valid);
        self->out.ready = self->out.done = 0;
        self->sample = in->sample;
        HLS_WAIT(PREDICTOR_PREDICT);
        u16 miss = self->sample - predictor_next(self->past, self->older);
        self->below = miss >> 15;
        self->miss = self->below ? (u16)(0 - miss) : miss;
        self->step = 0;
        do {
            HLS_WAIT(PREDICTOR_SEARCH);
            if ((u16)((u16)self->scale * predictor_step[self->step]) >= self->miss)
                break;
            self->step++;
        } while (self->step != 7);
        HLS_WAIT(PREDICTOR_UPDATE);
        u16 moved = (u16)((u16)self->scale * predictor_step[self->step]);
        u16 promised = predictor_next(self->past, self->older);
        u16 decoded = self->below ? promised - moved : promised + moved;
        self->older = self->past;
        self->past = decoded;
        self->scale = predictor_scaled(self->scale, self->step);
        self->out.code = (u4)((u4)self->below << 3 | self->step);
        self->out.decoded = decoded;
        self->out.ready = self->out.done = 1;
    }
}
