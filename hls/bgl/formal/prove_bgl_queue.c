// SPDX-License-Identifier: Apache-2.0
/*
 * prove_bgl_queue.c - a VC FIFO of a dynamic VC is never written beyond its end: every token of its sender stands for a word that is somewhere.
 *
 * One VC FIFO on VC 0 or 1, and its peer's tokens. The peer begins a packet for which tokens are left. Words come in any clock; a packet ends in any, but is
 * accepted only when all its words have come. What is in front may be started while nothing leaves. Assumed, as checked in every native run: a word of the
 * packet that leaves is there when its first byte is due, and no other packet's; the packet was accepted before its valid byte is due. Proved by induction.
 */
#include "common/prove.h"

#include "bgl/torus/bgl_vc_queue.c"

#include "bgl/formal/bgl_queue_words.h"

struct prove_bgl_queue_in {
    struct bgl_vc_queue_in queue;
    u1 vc;
};

struct prove_bgl_queue_out {
    u1 started;
    u6 held; /* chunks of the peer's tokens that came and were not given back */
    u8 left; /* words of the open packet, to come */
};

struct prove_bgl_queue {
    struct prove_bgl_queue_out out;
    u1 vc;
    u3 n; /* of the open packet, chunks - 1 */
    struct bgl_vc_queue dut;
};

PROVE_RESET void prove_bgl_queue_reset(struct prove_bgl_queue *self)
{
    self->out = (struct prove_bgl_queue_out){0};
    self->vc = 0;
    self->n = 0;
    bgl_vc_queue_reset(&self->dut);
}

/* Words that have left and whose tokens have not been given back. */
static inline u8 unreturned(const struct prove_bgl_queue *self)
{
    const struct vc_stream *s = &self->dut.stream;
    u8 part = (u8)(u2)(s->index >> 3);
    u8 pend = (u8)((u8)s->pend << 2);

    if (!streams(&self->dut)) {
        part = 0;
    }
    return (u8)(part + pend);
}

/* ---- invariants ------------------------------------------------------------------------------ */

/* Every token stands for a word that is somewhere. */
static inline void accounted(const struct prove_bgl_queue *self)
{
    const struct bgl_vc_queue *q = &self->dut;
    u9 words = (u9)((u9)(u8)(q->wr - q->rd) + self->out.left);
    u9 tokens = (u9)((u9)self->out.held << 2);

    prove_assert(self->out.held <= BGL_CHUNKS);
    prove_assert(words <= 128);
    words += (u9)(ahead(q, 0) + unreturned(self));
    prove_assert(words == tokens);
    prove_assert(q->stream.pend <= 8 && (streams(q) || q->stream.pend == 0));
    prove_assert(!q->stream.on || q->stream.index <= (u9)((u9)((u9)q->stream.n << 5) + 32));
}

/* Of the open packet chunks that have left are not given back. */
static inline void unaccepted(const struct bgl_vc_queue *q)
{
    u1 leaving = streams(q) && q->left == q->in;

    prove_assert(!leaving || q->stream.pend == (u4)(q->stream.index >> 5));
}

/* ---- surroundings ---------------------------------------------------------------------------- */

static inline void surroundings(const struct prove_bgl_queue *self,
                                const struct bgl_vc_queue_in *in)
{
    u1 begins = in->write && in->first;

    prove_assume(!begins || self->out.held + in->size + 1 <= BGL_CHUNKS);
    words_come(&self->dut, in, self->n, self->out.left);
}

static inline void follow(struct prove_bgl_queue *self, const struct bgl_vc_queue_in *in)
{
    u1 begins = in->write && in->first;
    u3 n = begins ? in->size : self->n;
    u6 taken = begins ? (u6)((u6)n + 1) : (u6)0;
    u6 refused = in->done && !in->good ? (u6)((u6)n + 1) : (u6)0;

    self->n = n;
    self->out.left = words_left(in, self->out.left);
    self->out.held = (u6)(self->out.held + taken - refused - self->dut.out.freed);
}

PROVE_MODULE void prove_bgl_queue(struct prove_bgl_queue *self, const struct prove_bgl_queue_in *in)
{
    if (!self->out.started) {
        nothing_inside(&self->dut);
        prove_assert(self->out.held == 0 && self->out.left == 0);
        self->out.started = 1;
        self->vc = in->vc;
    } else {
        struct bgl_vc_queue_in queue = in->queue;

        queue.vc = self->vc;
        accounted(self);
        unaccepted(&self->dut);
        open_packet(&self->dut, self->n, self->out.left);
        in_order(&self->dut);
        surroundings(self, &queue);
        bgl_vc_queue(&self->dut, &queue);
        follow(self, &queue);
        prove_cover(self->dut.out.refused);
    }
}
