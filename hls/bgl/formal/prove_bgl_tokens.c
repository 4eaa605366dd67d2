// SPDX-License-Identifier: Apache-2.0
/*
 * prove_bgl_tokens.c - the chunks of each VC of a link are always where one of five says: free, charged for a packet that the receiver has not
 * accepted, held there, or freed and not reported to the sender.
 *
 * The accounts of both ends. The sender begins a packet on a VC that its account announces. The receiver accepts what is under way, and chunks that it
 * holds leave in any order. Acks carry the receiver's sums of some clock before, not older than the one that came last: any of them may be lost or
 * repeated. Both ends begin a new epoch together, with nothing under way. Proved by induction.
 */
#include "common/prove.h"

/* That the account has what is charged is proved here. */
#undef hls_assume
#define hls_assume(c) prove_assert(c)
#include "bgl/link/bgl_tokens.c"

struct prove_bgl_tokens_in {
    struct bgl_tokens_in sender;
    u5 leaves[BGL_VCS]; /* chunks, at the receiver */
    u1 accept;          /* it accepts a packet */
    u2 accept_vc;
    u3 accept_n;
};

struct prove_bgl_tokens_out {
    u6 under_way[BGL_VCS]; /* chunks charged and not accepted */
    u6 held[BGL_VCS];
};

struct prove_bgl_tokens {
    struct prove_bgl_tokens_out out;
    struct bgl_tokens sender;
    struct bgl_tokens receiver;
};

PROVE_RESET void prove_bgl_tokens_reset(struct prove_bgl_tokens *self)
{
    bgl_tokens_reset(&self->sender);
    bgl_tokens_reset(&self->receiver);
    for (int v = 0; v < BGL_VCS; v++) {
        self->out.under_way[v] = 0;
        self->out.held[v] = 0;
    }
}

static inline u4 chunks_of(u3 n, int v)
{
    return v >= 2 ? (u4)BGL_FULL : (u4)((u4)n + 1);
}

/* What the two ends' neighbours do. */
static inline void surroundings(const struct prove_bgl_tokens *self,
                                const struct prove_bgl_tokens_in *in)
{
    prove_assume(!in->sender.charge || (u1)(self->sender.out.one >> in->sender.charge_vc));
    for (int v = 0; v < BGL_VCS; v++) {
        u7 told = self->sender.out.told[v];
        u7 newer = ack_freed(in->sender.ack_bytes, v) - told;
        u7 newest = self->receiver.out.freed[v] - told;
        u1 accepts = in->accept && in->accept_vc == v;

        prove_assume(!in->sender.ack || newer <= newest);
        prove_assume(!accepts || chunks_of(in->accept_n, v) <= self->out.under_way[v]);
        prove_assume(in->leaves[v] <= self->out.held[v]);
        prove_assume(in->sender.leaves[v] == 0);
    }
}

static inline void follow(struct prove_bgl_tokens *self, const struct prove_bgl_tokens_in *in)
{
    for (int v = 0; v < BGL_VCS; v++) {
        u1 charged = in->sender.charge && in->sender.charge_vc == v;
        u1 accepted = in->accept && in->accept_vc == v;

        self->out.under_way[v] += charged ? chunks_of(in->sender.charge_n, v) : (u4)0;
        self->out.under_way[v] -= accepted ? chunks_of(in->accept_n, v) : (u4)0;
        self->out.held[v] += accepted ? chunks_of(in->accept_n, v) : (u4)0;
        self->out.held[v] -= in->leaves[v];
        if (in->sender.clear) {
            self->out.under_way[v] = 0;
            self->out.held[v] = 0;
        }
    }
}

static inline void invariants(const struct prove_bgl_tokens *self)
{
    u1 nothing = 1;

    for (int v = 0; v < BGL_VCS; v++) {
        u7 unknown = self->receiver.out.freed[v] - self->sender.out.told[v];
        u7 out = account(&self->sender, v);

        prove_assert(out <= BGL_CHUNKS);
        prove_assert(unknown <= BGL_CHUNKS);
        prove_assert((u8)out == (u8)self->out.under_way[v] + self->out.held[v] + unknown);
        prove_assert((u1)(self->sender.out.one >> v) == (out <= BGL_CHUNKS - BGL_FULL));
        prove_assert(v < 2 ||
                     (u1)(self->sender.out.two >> v) == (out <= BGL_CHUNKS - 2 * BGL_FULL));
        nothing &= out == 0;
    }
    prove_assert(self->sender.out.home == nothing);
    prove_assert(!self->sender.out.wrong);
}

PROVE_MODULE void prove_bgl_tokens(struct prove_bgl_tokens *self,
                                   const struct prove_bgl_tokens_in *in)
{
    struct bgl_tokens_in receiver = {.clear = in->sender.clear};

    for (int v = 0; v < BGL_VCS; v++) {
        receiver.leaves[v] = in->leaves[v];
    }
    surroundings(self, in);
    bgl_tokens(&self->sender, &in->sender);
    bgl_tokens(&self->receiver, &receiver);
    follow(self, in);
    invariants(self);
    prove_cover(self->out.held[0] == BGL_CHUNKS);
    prove_cover(self->out.held[2] == BGL_CHUNKS);
}
