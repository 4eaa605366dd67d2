// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_counts.c - a port's counters.
 */
#include "bgl/link/bgl_counts.h"

HLS_RESET void bgl_counts_reset(struct bgl_counts *self)
{
    self->out = (struct bgl_counts_out){0};
    self->slot = 0;
    self->wipes = 1;
    self->wiped = 31;
    for (int c = 0; c < BGL_COUNTERS; c++) {
        self->gathered[c] = 0;
    }
}

HLS_MODULE void bgl_counts(struct bgl_counts *self, const struct bgl_counts_in *in)
{
    u32 count = self->counts[self->slot];

    count = self->wipes ? (u32)0 : (u32)(count + self->gathered[self->slot]);
    self->out.index = self->slot;
    self->out.count = count;
    for (int c = 0; c < BGL_COUNTERS; c++) {
        u6 before = self->slot == c ? (u6)0 : self->gathered[c];

        self->gathered[c] = (u6)(before + (u6)(u1)(in->events >> c));
    }
    self->wipes = self->wipes && self->slot != self->wiped;
    if (in->clear) {
        self->wipes = 1;
        self->wiped = self->slot; /* the one that is visited again last */
    }
    self->counts[self->slot] = count;
    self->slot++;
}
