// SPDX-License-Identifier: Apache-2.0
/*
 * subband: a loop as speech coders write it: a filter of two halves whose delay line is read forwards by one pointer and
 * shifted by two that go back.
 */
#include "hls.h"

enum { TAPS = 8 };

struct subband_in {
    u1 strobe;
    sint(10) first, second; /* two samples */
};
struct subband_out {
    u1 valid;
    sint(16) low, high;
};
struct subband {
    struct subband_out out;
    sint(10) delay[TAPS];
};

HLS_RESET void subband_reset(struct subband *self)
{
    *self = (struct subband){0};
}

/* Even taps and odd taps make the two halves. */
static void split(sint(10) * delay, sint(10) first, sint(10) second, sint(16) * low,
                  sint(16) * high)
{
    const sint(10) *tap = delay;
    int even = *tap++, odd = *tap++;
    for (int i = 0; i < TAPS / 2 - 1; i++) {
        even += *tap++;
        odd += *tap++;
    }
    *low = (sint(16))((even + odd) >> 2);
    *high = (sint(16))((even - odd) >> 2);

    const sint(10) *from = tap - 3;
    sint(10) *to = delay + TAPS - 1;
    for (int i = 0; i < TAPS - 2; i++) {
        *to-- = *from--;
    }
    *to-- = second;
    *to = first;
}

HLS_MODULE void subband(struct subband *self, const struct subband_in *in)
{
    self->out.valid = in->strobe;
    if (in->strobe) {
        split(self->delay, in->first, in->second, &self->out.low, &self->out.high);
    }
}
