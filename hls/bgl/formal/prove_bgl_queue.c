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

static inline u8 words_of(u3 n)
{
    return (u8)((u8)((u8)n << 2) + 4);
}

/* ---- what is where --------------------------------------------------------------------------- */

/* Words ahead of the memory; of the open packet alone, or all. */
static inline u8 ahead(const struct bgl_vc_queue *q, u1 open)
{
    return (u8)((u8)(q->cur.valid && (q->cur.open || !open)) +
                (u8)(q->next.valid && (q->next.open || !open)) +
                (u8)(q->reads && (q->read_open || !open)));
}

static inline u1 streams(const struct bgl_vc_queue *q)
{
    return q->stream.on && !q->stream.gone;
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

/* Words ahead are in the order in which they came, and no more than two. */
static inline void in_order(const struct bgl_vc_queue *q)
{
    u1 open = (q->cur.valid && q->cur.open) || (q->next.valid && q->next.open);

    prove_assert(!q->next.valid || (q->cur.valid && !q->reads));
    prove_assert(!q->out.wants || (q->rd != q->wr && !q->next.valid && !q->reads));
    prove_assert(!q->cur.valid || !q->cur.open || !q->next.valid || q->next.open);
    prove_assert(!open || !q->reads || q->read_open);
}

/* Words of the open packet are told from others'. */
static inline void open_packet(const struct prove_bgl_queue *self)
{
    const struct bgl_vc_queue *q = &self->dut;
    u8 come = q->wr - q->open_at;
    u8 seen = q->rd - q->open_at;
    u8 stored = seen <= come ? (u8)(q->wr - q->rd) : come;
    u1 leaving = streams(q) && q->left == q->in;
    u8 gone = leaving ? (u8)(u6)(q->stream.index >> 3) : (u8)0;

    prove_assert(q->open || self->out.left == 0);
    prove_assert(q->open || ahead(q, 1) == 0);
    prove_assert(q->open || !leaving);
    prove_assert(!q->open || come == (u8)(words_of(self->n) - self->out.left));
    prove_assert(!q->open || (come != 0 && self->out.left <= 31));
    prove_assert(!q->open || come == (u8)(stored + ahead(q, 1) + gone));
    prove_assert(!leaving || q->stream.pend == (u4)(q->stream.index >> 5));
}

/* ---- surroundings ---------------------------------------------------------------------------- */

static inline void surroundings(const struct prove_bgl_queue *self,
                                const struct bgl_vc_queue_in *in)
{
    const struct bgl_vc_queue *q = &self->dut;
    u1 begins = in->write && in->first;

    prove_assume(!begins || (!q->open && self->out.held + in->size + 1 <= BGL_CHUNKS));
    prove_assume(!in->write || in->first || (q->open && self->out.left != 0));
    prove_assume(!in->first || in->write);
    prove_assume(!in->done || q->open || begins);
    prove_assume(!in->done || !in->good || (q->open && self->out.left == (u8)in->write));
    prove_assume(!in->done || !in->good || in->size == self->n);
    prove_assume(!in->reads || q->out.wants);
}

static inline void follow(struct prove_bgl_queue *self, const struct bgl_vc_queue_in *in)
{
    u1 begins = in->write && in->first;
    u3 n = begins ? in->size : self->n;
    u6 taken = begins ? (u6)((u6)n + 1) : (u6)0;
    u6 refused = in->done && !in->good ? (u6)((u6)n + 1) : (u6)0;

    self->n = n;
    self->out.left = begins ? (u8)(words_of(n) - 1) : (u8)(self->out.left - in->write);
    self->out.left = in->done ? (u8)0 : self->out.left;
    self->out.held = (u6)(self->out.held + taken - refused - self->dut.out.freed);
}

PROVE_MODULE void prove_bgl_queue(struct prove_bgl_queue *self, const struct prove_bgl_queue_in *in)
{
    if (!self->out.started) {
        const struct bgl_vc_queue *q = &self->dut;

        prove_assert(!q->open && !q->cur.valid && !q->next.valid && !q->reads && !q->stream.on &&
                     !q->out.wants);
        prove_assert(q->wr == 0 && q->rd == 0 && q->in == 0 && q->left == 0);
        prove_assert(self->out.held == 0 && self->out.left == 0 && q->stream.pend == 0);
        self->out.started = 1;
        self->vc = in->vc;
    } else {
        struct bgl_vc_queue_in queue = in->queue;

        queue.vc = self->vc;
        accounted(self);
        open_packet(self);
        in_order(&self->dut);
        surroundings(self, &queue);
        bgl_vc_queue(&self->dut, &queue);
        follow(self, &queue);
        prove_cover(self->dut.out.refused);
    }
}
