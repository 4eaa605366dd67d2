// SPDX-License-Identifier: Apache-2.0
/*
 * prove_bgl_valid.c - what a VC FIFO passes on ends with a good valid byte only if it was accepted with one.
 *
 * One VC FIFO, and of its packets that of one place, J, of those that are kept beside the memory. Words, ends, reads and starts come in any order.
 * Assumed, as checked in every native run: a packet is accepted before its valid byte is due. Proved by induction.
 */
#include "common/prove.h"

/* The marks are registers, of which an invariant may read any in any clock. */
#undef HLS_LUTRAM
#define HLS_LUTRAM(reads)

#include "bgl/torus/bgl_vc_queue.c"

struct prove_bgl_valid_in {
    struct bgl_vc_queue_in queue;
    u5 j;
};

struct prove_bgl_valid_out {
    u1 started;
    u1 good; /* the packet of place J was accepted with a good valid byte */
};

struct prove_bgl_valid {
    struct prove_bgl_valid_out out;
    u5 j;
    struct bgl_vc_queue dut;
};

PROVE_RESET void prove_bgl_valid_reset(struct prove_bgl_valid *self)
{
    self->out = (struct prove_bgl_valid_out){0};
    self->j = 0;
    bgl_vc_queue_reset(&self->dut);
    for (int i = 0; i < 32; i++) {
        self->dut.marks[i] = 0;
    }
}

/* J's mark says how its packet was accepted; a refused packet is nothing but zeros. */
static inline void marked(const struct prove_bgl_valid *self)
{
    const struct vc_stream *s = &self->dut.stream;
    mark_ecc_word word = self->dut.marks[self->j];
    struct mark_ecc_result info = mark_ecc_decode(word);

    prove_assert(word == mark_ecc_encode(info.data));
    prove_assert((u1)info.data == self->out.good);
    prove_assert(!s->gone || !s->on || s->zero);
}

static inline void follow(struct prove_bgl_valid *self, const struct bgl_vc_queue_in *in, u6 number)
{
    u1 accepted = in->done && in->good;

    if ((u5)number == self->j && ((in->write && in->first) || accepted)) {
        self->out.good = accepted && in->valid;
    }
}

/* A good end of the packet with this number. */
static inline void ends_right(const struct prove_bgl_valid *self, u6 number, u1 refused)
{
    const struct bgl_vc_queue_out *out = &self->dut.out;
    u1 good = (out->on.ctl == BUS_LAST && out->on.data == BGL_GOOD) ||
              (out->here.ctl == BUS_LAST && out->here.data == BGL_GOOD);

    prove_assert(!good || !refused);
    prove_assert(!good || (u5)number != self->j || self->out.good);
}

PROVE_MODULE void prove_bgl_valid(struct prove_bgl_valid *self, const struct prove_bgl_valid_in *in)
{
    if (!self->out.started) {
        prove_assert(!self->out.good && self->dut.marks[self->j] == 0 && !self->dut.stream.on);
        prove_assume(self->dut.marks[in->j] == 0); /* as all are */
        self->out.started = 1;
        self->j = in->j;
    } else {
        u6 coming = self->dut.in;
        u6 leaving = self->dut.left;
        u1 refused = self->dut.stream.on && self->dut.stream.gone;

        marked(self);
        bgl_vc_queue(&self->dut, &in->queue);
        ends_right(self, leaving, refused);
        follow(self, &in->queue, coming);
        prove_cover(self->dut.out.refused);
        prove_cover(self->out.good);
    }
}
