// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_queue_words.h - where the words of a VC FIFO are: what its provers have in common.
 */
#ifndef BGL_QUEUE_WORDS_H
#define BGL_QUEUE_WORDS_H

static inline u8 words_of(u3 n)
{
    return (u8)((u8)((u8)n << 2) + 4);
}

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

/* ---- invariants ------------------------------------------------------------------------------ */

/* Words ahead are in the order in which they came, and no more than two. */
static inline void in_order(const struct bgl_vc_queue *q)
{
    u1 open = (q->cur.valid && q->cur.open) || (q->next.valid && q->next.open);

    prove_assert(!q->next.valid || (q->cur.valid && !q->reads));
    prove_assert(!q->out.wants || (q->rd != q->wr && !q->next.valid && !q->reads));
    prove_assert(!q->cur.valid || !q->cur.open || !q->next.valid || q->next.open);
    prove_assert(!open || !q->reads || q->read_open);
}

/* Words of the open packet are told from others'; it has n + 1 chunks, of which `left` words are to come. */
static inline void open_packet(const struct bgl_vc_queue *q, u3 n, u8 left)
{
    u8 come = q->wr - q->open_at;
    u8 seen = q->rd - q->open_at;
    u8 stored = seen <= come ? (u8)(q->wr - q->rd) : come;
    u1 leaving = streams(q) && q->left == q->in;
    u8 gone = leaving ? (u8)(u6)(q->stream.index >> 3) : (u8)0;

    prove_assert(q->open || left == 0);
    prove_assert(q->open || ahead(q, 1) == 0);
    prove_assert(q->open || !leaving);
    prove_assert(!q->open || come == (u8)(words_of(n) - left));
    prove_assert(!q->open || (come != 0 && left <= 31));
    prove_assert(!q->open || come == (u8)(stored + ahead(q, 1) + gone));
}

/* Before the first clock. */
static inline void nothing_inside(const struct bgl_vc_queue *q)
{
    prove_assert(!q->open && !q->cur.valid && !q->next.valid && !q->reads && !q->stream.on &&
                 !q->out.wants);
    prove_assert(q->wr == 0 && q->rd == 0 && q->in == 0 && q->left == 0);
    prove_assert(q->stream.pend == 0);
}

/* ---- surroundings ---------------------------------------------------------------------------- */

/* Words of a packet come until all have, or it is refused. */
static inline void words_come(const struct bgl_vc_queue *q, const struct bgl_vc_queue_in *in, u3 n,
                              u8 left)
{
    u1 begins = in->write && in->first;

    prove_assume(!begins || !q->open);
    prove_assume(!in->write || in->first || (q->open && left != 0));
    prove_assume(!in->first || in->write);
    prove_assume(!in->done || q->open || begins);
    prove_assume(!in->done || !in->good || (q->open && left == (u8)in->write));
    prove_assume(!in->done || !in->good || in->size == n);
    prove_assume(!in->reads || q->out.wants);
}

/* Words that are to come after this clock. */
static inline u8 words_left(const struct bgl_vc_queue_in *in, u8 left)
{
    u1 begins = in->write && in->first;
    u8 then = begins ? (u8)(words_of(in->size) - 1) : (u8)(left - in->write);

    return in->done ? (u8)0 : then;
}

#endif
