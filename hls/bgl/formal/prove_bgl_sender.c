// SPDX-License-Identifier: Apache-2.0
/*
 * prove_bgl_sender.c - no packet is begun without tokens for it, and one that enters a ring on VC 2 or 3 leaves those of a full packet; a grant
 * that lapses has changed nothing.
 *
 * The sender with the accounts of its link. A receiver's offer stands on what the sender announced two clocks ago, an injection FIFO's on what it
 * announced to these a clock ago: for a packet that enters, tokens of two. Between there may have been a grant to another. The bus
 * of the source brings anything, but one first byte a packet, and nothing before it. Acks say anything, epochs end at any time. A link that drops, or has done so in the
 * four clocks before, does not say that the wire is free. Proved by induction.
 */
#include "common/prove.h"

/* That the account has what is charged is proved here. */
#undef hls_assume
#define hls_assume(c) prove_assert(c)
#include "bgl/link/bgl_tokens.c"
#include "bgl/torus/bgl_sender.c"

struct prove_bgl_sender_in {
    struct bgl_sender_in sender;
    struct bgl_tokens_in tokens;
    u16 enters; /* of each source: its packet enters a ring */
};

struct prove_bgl_sender_out {
    u1 entered; /* what was granted does */
    u7 used;    /* of its VC when it was granted */
    u2 vc;
    u1 epoch; /* one began since */
};

/* What was announced. */
struct announced {
    u4 one;
    u4 two;
};

struct prove_bgl_sender {
    struct prove_bgl_sender_out out;
    struct bgl_sender sender;
    struct bgl_tokens tokens;
    struct announced before[2]; /* a clock ago, two */
    struct announced inject;    /* a clock ago */
    u4 drops;                   /* the link did: bit 0 a clock ago */
};

PROVE_RESET void prove_bgl_sender_reset(struct prove_bgl_sender *self)
{
    self->out = (struct prove_bgl_sender_out){0};
    bgl_sender_reset(&self->sender);
    bgl_tokens_reset(&self->tokens);
    self->before[0] = (struct announced){0};
    self->before[1] = (struct announced){0};
    self->inject = (struct announced){0};
    self->drops = 0;
}

static inline u6 free_tokens(const struct prove_bgl_sender *self, int v)
{
    return (u6)(BGL_CHUNKS - account(&self->tokens, v));
}

/* ---- what the surroundings keep to ----------------------------------------------------------- */

static inline u1 stands_on(const struct announced *seen, u2 vc, u1 enters)
{
    return (u1)((enters && vc >= 2 ? seen->two : seen->one) >> vc);
}

static inline void sources(const struct prove_bgl_sender *self,
                           const struct prove_bgl_sender_in *in)
{
    for (int s = 0; s < BGL_PORTS; s++) {
        const struct bgl_offer *o = &in->sender.offer[s];

        prove_assume(!o->valid || stands_on(&self->before[1], o->vc, (u1)(in->enters >> s)));
    }
    for (int f = 0; f < BGL_INJECTION; f++) {
        const struct bgl_request *r = &in->sender.inject[f];

        prove_assume(!r->valid || stands_on(&self->inject, r->vc, 1));
        prove_assume((u1)(in->enters >> (BGL_PORTS + f)));
    }
    u2 ctl = select_byte(&self->sender, &in->sender).ctl;

    prove_assume(!self->sender.coming || !self->sender.first || ctl != BUS_FIRST);
    prove_assume(!self->sender.coming || self->sender.first || ctl < BUS_INNER);
}

/* ---- invariants ------------------------------------------------------------------------------ */

/* What was announced still holds, or a grant since then keeps all others off. */
static inline void holds(const struct prove_bgl_sender *self, const struct announced *seen,
                         u1 dropped, u4 least)
{
    const struct bgl_sender *s = &self->sender;
    u1 kept_off = s->hold >= least;
    u1 nothing = !s->coming && s->hold == 0 && s->out.tx.ctl != BUS_FIRST;
    u1 any = (seen->one | seen->two) != 0 && !dropped;

    prove_assert(!any || kept_off || nothing);
    for (int v = 0; v < BGL_VCS; v++) {
        u1 one = (u1)(seen->one >> v) && !dropped && !kept_off;
        u1 two = (u1)(seen->two >> v) && !dropped && !kept_off;

        prove_assert(!one || free_tokens(self, v) >= BGL_FULL);
        prove_assert(!two || free_tokens(self, v) >= 2 * BGL_FULL);
    }
}

static inline void invariants(const struct prove_bgl_sender *self)
{
    const struct bgl_sender *s = &self->sender;
    const struct announced now = {.one = s->out.avail.one, .two = s->out.avail.two};
    u6 needs = self->out.entered && self->out.vc >= 2 ? (u6)(2 * BGL_FULL) : (u6)BGL_FULL;
    u1 granted = s->coming && !s->first && !s->throws;
    u1 begins = s->out.tx.ctl == BUS_FIRST;

    for (int v = 0; v < BGL_VCS; v++) {
        u7 out = account(&self->tokens, v);

        prove_assert(out <= BGL_CHUNKS);
        prove_assert((u1)(self->tokens.out.one >> v) == (out <= BGL_CHUNKS - BGL_FULL));
        prove_assert((u1)(self->tokens.out.two >> v) ==
                     (v >= 2 && out <= BGL_CHUNKS - 2 * BGL_FULL));
    }
    /* from the grant to the first byte its tokens are there */
    prove_assert(!(granted || begins) ||
                 (s->out.tx_vc == self->out.vc && free_tokens(self, self->out.vc) >= needs));
    prove_assert(!(s->coming && !s->first) || (s->hold >= LATE && !begins));
    prove_assert(!begins || (s->first && s->hold >= LATE - 1));
    prove_assert(!s->coming || s->hold == 0 || s->out.avail.one == 0);
    holds(self, &now, (u1)self->drops, HOLD);
    holds(self, &self->before[0], (u1)(self->drops >> 1), HOLD);
    holds(self, &self->before[1], (u1)(self->drops >> 2), HOLD - 1);
    holds(self, &self->inject, (u1)(self->drops >> 1), HOLD);
    prove_assert((s->out.avail_inject.one & ~s->out.avail.one) == 0);
    prove_assert((s->out.avail_inject.two & ~s->out.avail.two) == 0);
    prove_assert((self->inject.one & ~self->before[0].one) == 0);
    prove_assert((self->inject.two & ~self->before[0].two) == 0);
}

/* What a grant that lapses leaves: no account has changed, no byte was sent, and the port is free. */
static inline void lapse(const struct prove_bgl_sender *self)
{
    const struct bgl_sender *s = &self->sender;
    u1 same = self->tokens.out.used[self->out.vc] == self->out.used;

    prove_assert(!(s->coming && !s->first) || self->out.epoch || same);
    prove_assert(!s->out.lapsed || self->out.epoch || same);
    prove_assert(!s->out.lapsed || (!s->coming && s->hold == 0 && s->out.tx.ctl == BUS_NONE));
}

PROVE_MODULE void prove_bgl_sender(struct prove_bgl_sender *self,
                                   const struct prove_bgl_sender_in *in)
{
    struct bgl_sender_in sender = in->sender;
    struct bgl_tokens_in tokens = in->tokens;
    u16 source = 0;

    sender.one = self->tokens.out.one;
    sender.two = self->tokens.out.two;
    tokens.charge = self->sender.out.tx.ctl == BUS_FIRST;
    tokens.charge_vc = self->sender.out.tx_vc;
    tokens.charge_n = self->sender.out.tx_n;
    sources(self, in);
    prove_assume(!sender.soon || (!sender.drop && self->drops == 0));
    self->before[1] = self->before[0];
    self->before[0] =
        (struct announced){.one = self->sender.out.avail.one, .two = self->sender.out.avail.two};
    self->inject = (struct announced){.one = self->sender.out.avail_inject.one,
                                      .two = self->sender.out.avail_inject.two};
    bgl_sender(&self->sender, &sender);
    bgl_tokens(&self->tokens, &tokens);
    self->drops = (u4)((u4)(self->drops << 1) | sender.drop);
    self->out.epoch |= tokens.clear;
    source =
        (u16)((u16)self->sender.out.grant | (u16)((u16)self->sender.out.grant_inject << BGL_PORTS));
    if (source != 0) {
        self->out.entered = (source & in->enters) != 0;
        self->out.vc = self->sender.out.tx_vc;
        self->out.used = self->tokens.out.used[self->out.vc];
        self->out.epoch = 0;
    }
    invariants(self);
    lapse(self);
    prove_cover(self->sender.out.lapsed);
    prove_cover(self->sender.out.tx.ctl == BUS_FIRST && self->out.entered);
}
