// SPDX-License-Identifier: Apache-2.0
/*
 * prove_bgl_bubble.c - a VC FIFO of VC 2 or 3 is never written beyond its end: each packet inside has a full packet's tokens, so there are four at most.
 *
 * One such FIFO, and beside it the lengths of the packets inside, the oldest first. The peer begins a packet for which there are tokens. Words come in any
 * clock; a packet ends in any, but is accepted only when all its words have come. What is in front may be started while nothing leaves. Assumed, as checked in
 * every native run: a header says the length of its packet; a word of the packet that leaves is there when its first byte is due, and no other packet's; the
 * packet was accepted before its valid byte is due. Proved by induction.
 */
#include "common/prove.h"

#include "bgl/torus/bgl_vc_queue.c"

#include "bgl/formal/bgl_queue_words.h"

#define PACKETS 4 /* for which the peer has tokens */

struct prove_bgl_bubble_in {
    struct bgl_vc_queue_in queue;
    u1 high; /* VC 3 */
};

struct prove_bgl_bubble_out {
    u1 started;
    u3 held; /* packets whose tokens were not given back */
    u8 left; /* words of the open packet, to come */
};

struct prove_bgl_bubble {
    struct prove_bgl_bubble_out out;
    u1 high;
    u3 n[PACKETS]; /* chunks - 1 */
    struct bgl_vc_queue dut;
};

PROVE_RESET void prove_bgl_bubble_reset(struct prove_bgl_bubble *self)
{
    self->out = (struct prove_bgl_bubble_out){0};
    self->high = 0;
    for (int i = 0; i < PACKETS; i++) {
        self->n[i] = 0;
    }
    bgl_vc_queue_reset(&self->dut);
}

/* ---- invariants ------------------------------------------------------------------------------ */

/* Every word of the packets inside is somewhere, or has left. */
static inline void accounted(const struct prove_bgl_bubble *self)
{
    const struct bgl_vc_queue *q = &self->dut;
    u9 words = (u9)((u9)(u8)(q->wr - q->rd) + self->out.left);
    u9 all = 0;

    for (int i = 0; i < PACKETS; i++) {
        all += i < self->out.held ? words_of(self->n[i]) : (u8)0;
    }
    prove_assert(words <= 128);
    words += ahead(q, 0);
    words += streams(q) ? (u6)(q->stream.index >> 3) : (u6)0;
    prove_assert(words == all);
    prove_assert(self->out.held <= PACKETS);
    prove_assert((u6)(q->in - q->left) == (u6)((u6)self->out.held - q->open));
    prove_assert(q->stream.pend == 0);
}

static inline void stream_is_first(const struct prove_bgl_bubble *self)
{
    const struct vc_stream *s = &self->dut.stream;

    prove_assert(!streams(&self->dut) || (self->out.held != 0 && s->n == self->n[0]));
    prove_assert(!s->on || s->index <= (u9)((u9)((u9)s->n << 5) + 32));
}

/* ---- surroundings ---------------------------------------------------------------------------- */

/* The length of the newest packet. */
static inline u3 newest(const struct prove_bgl_bubble *self)
{
    u3 n = 0;

    for (int i = 0; i < PACKETS; i++) {
        n = self->out.held == i + 1 ? self->n[i] : n;
    }
    return n;
}

static inline void surroundings(const struct prove_bgl_bubble *self,
                                const struct bgl_vc_queue_in *in)
{
    prove_assume(!in->write || !in->first || self->out.held < PACKETS);
    words_come(&self->dut, in, newest(self), self->out.left);
}

static inline void follow(struct prove_bgl_bubble *self, const struct bgl_vc_queue_in *in)
{
    u1 freed = self->dut.out.freed != 0;
    u3 held = (u3)(self->out.held - freed);
    u1 begins = in->write && in->first;

    prove_assert(!freed || self->dut.out.freed == BGL_FULL);
    for (int i = 0; i < PACKETS; i++) {
        u3 next = i + 1 < PACKETS ? self->n[(i + 1) % PACKETS] : (u3)0;

        self->n[i] = freed ? next : self->n[i];
        self->n[i] = begins && held == i ? in->size : self->n[i];
    }
    self->out.left = words_left(in, self->out.left);
    self->out.held = (u3)(held + begins - (in->done && !in->good));
}

PROVE_MODULE void prove_bgl_bubble(struct prove_bgl_bubble *self,
                                   const struct prove_bgl_bubble_in *in)
{
    if (!self->out.started) {
        nothing_inside(&self->dut);
        prove_assert(self->out.held == 0 && self->out.left == 0);
        self->out.started = 1;
        self->high = in->high;
    } else {
        struct bgl_vc_queue_in queue = in->queue;
        u1 streamed = self->dut.stream.on;

        queue.vc = (u2)(2 | self->high);
        accounted(self);
        stream_is_first(self);
        open_packet(&self->dut, newest(self), self->out.left);
        in_order(&self->dut);
        surroundings(self, &queue);
        bgl_vc_queue(&self->dut, &queue);
        follow(self, &queue);
        prove_assume(streamed || !streams(&self->dut) || self->dut.stream.n == self->n[0]);
        prove_cover(self->dut.out.refused);
        prove_cover(self->out.held == PACKETS);
    }
}
