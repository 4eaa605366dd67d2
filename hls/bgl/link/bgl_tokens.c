// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_tokens.c - token accounts of one link.
 */
#include "bgl/link/bgl_tokens.h"

HLS_RESET void bgl_tokens_reset(struct bgl_tokens *self)
{
    *self = (struct bgl_tokens){.out = {.one = 0xF, .two = 0xC, .ranges = {3, 3}, .home = 1}};
}

/* What the sum of VC v in an ack says. */
static inline u7 ack_freed(u56 ack, int v)
{
    return (u7)(ack >> (37 - 7 * v));
}

/* How many of the thresholds a number reaches. */
static inline u2 range_of(u6 number, const u6 range[3])
{
    return (u2)((u2)(number >= range[0]) + (u2)(number >= range[1]) + (u2)(number >= range[2]));
}

/* Tokens that are not at home. */
static inline u7 account(const struct bgl_tokens *self, int v)
{
    return self->out.used[v] - self->out.told[v];
}

static inline void take_told(struct bgl_tokens *self, const struct bgl_tokens_in *in, int v)
{
    u7 owed = self->out.used[v] - self->out.told[v];
    u7 back = ack_freed(in->ack_bytes, v) - self->out.told[v];
    u1 right = back <= owed;

    if (in->ack) {
        self->out.told[v] = right ? ack_freed(in->ack_bytes, v) : self->out.told[v];
        self->out.wrong |= !right;
    }
}

HLS_MODULE void bgl_tokens(struct bgl_tokens *self, const struct bgl_tokens_in *in)
{
    self->out.wrong = 0;
    self->out.due = 0;
    self->out.home = 1;
    for (int v = 0; v < BGL_VCS; v++) {
        u4 chunks = v >= 2 ? (u4)BGL_FULL : (u4)((u4)in->charge_n + 1);

        hls_assume(!(in->charge && in->charge_vc == v) || account(self, v) + chunks <= BGL_CHUNKS);
        take_told(self, in, v);
        self->out.used[v] += in->charge && in->charge_vc == v ? chunks : (u4)0;
        self->out.freed[v] += in->leaves[v];
        self->out.due |= in->leaves[v] != 0;
        if (in->clear) {
            self->out.used[v] = 0;
            self->out.told[v] = 0;
            self->out.freed[v] = 0;
        }
        u7 out = account(self, v);
        u6 free = (u6)(BGL_CHUNKS - (u6)out);
        u1 one = free >= BGL_FULL;
        u1 two = v >= 2 && free >= 2 * BGL_FULL;

        self->out.one = (u4)((self->out.one & (u4) ~(1 << v)) | (u4)((u4)one << v));
        self->out.two = (u4)((self->out.two & (u4) ~(1 << v)) | (u4)((u4)two << v));
        if (v < 2) {
            self->out.ranges[v] = range_of(free, in->thresholds);
        }
        self->out.home &= out == 0;
        hls_assert(out <= BGL_CHUNKS);
    }
}
