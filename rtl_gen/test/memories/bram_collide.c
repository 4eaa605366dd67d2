// SPDX-License-Identifier: Apache-2.0
/*
 * bram_collide.c - a BRAM whose user may read and write one address in one clock: a bug of the
 * description that both lives must report. Also an enum that may be given what it has no name for.
 */
#include "hls.h"

enum bram_collide_mode { COLLIDE_IDLE, COLLIDE_READ, COLLIDE_WRITE, COLLIDE_LAST = 5 };

struct bram_collide_in {
    u1 write;
    u1 read;
    u2 waddr;
    u2 raddr;
    u9 wdata;
    u3 mode;
};

struct bram_collide_out {
    u9 rdata;
    enum bram_collide_mode mode_seen;
};

struct bram_collide {
    struct bram_collide_out out;
    u9 ram[4] HLS_BRAM;
};

HLS_RESET void bram_collide_reset(struct bram_collide *self)
{
    self->out.mode_seen = COLLIDE_IDLE;
}

HLS_MODULE void bram_collide(struct bram_collide *self, const struct bram_collide_in *in)
{
    if (in->read)
        self->out.rdata = self->ram[in->raddr];
    if (in->write)
        self->ram[in->waddr] = in->wdata;
    self->out.mode_seen = (enum bram_collide_mode)in->mode;
}
