// SPDX-License-Identifier: Apache-2.0
/*
 * prove_pkt_window.c - the window of pkt_tx: base <= resend <= next, and no phit that waits for its ack is overwritten.
 *
 * Any acknowledgements, any pace, any flits. A small replay buffer of registers, with packets of at most 4 phits: where packets
 * end is what stands in it, so an invariant about resend is one about its words. What comes out of it is what it has at the position of the packet on the wire.
 * lcb_link's part: run falls for four clocks at least, flush only while the link is down, after a flush a new epoch before data,
 * a new epoch only while nothing is sent. Proved by induction.
 */
#define MACHINE_PROTO24 1

#include "common/prove.h"

#include "config/machine.h"

#undef LCB_WINDOW_LOG2
#define LCB_WINDOW_LOG2 3
#undef LCB_SEQ_BITS
#define LCB_SEQ_BITS 4
#undef RTR_PACKET
#define RTR_PACKET 4

/* The replay buffer becomes registers. */
#undef HLS_BRAM
#define HLS_BRAM

#include "link/packet/pkt_tx.c"

struct prove_pkt_window_in {
    struct pkt_tx_in tx;
};

struct prove_pkt_window_out {
    u1 flushed;  /* a flush has begun and no new epoch since */
    u1 reported; /* and with it all was reported */
    u1 some;     /* a packet was stored in this epoch */
};

struct prove_pkt_window {
    struct prove_pkt_window_out out;
    lcb_seq began; /* where the packet on the wire stands in the replay buffer */
    struct pkt_tx dut;
};

PROVE_RESET void prove_pkt_window_reset(struct prove_pkt_window *self)
{
    self->out = (struct prove_pkt_window_out){};
    self->began = 0;
    pkt_tx_reset(&self->dut);
    for (int i = 0; i < WINDOW; i++) {
        self->dut.buffer[i] = 0;
    }
}

static inline u2 kind_at(const struct pkt_tx *dut, lcb_seq position)
{
    return phit_load(dut->buffer[(tx_entry)position]).phit.kind;
}

/* The window. */
static inline void window_right(const struct pkt_tx *dut)
{
    lcb_seq held = dut->next - dut->base;

    prove_assert((u5)held + dut->filled <= WINDOW);
    prove_assert((lcb_seq)(dut->resend - dut->base) == dut->sent);
    prove_assert(dut->sent <= held);
    prove_assert(dut->filled <= LCB_CLIP);
    prove_assert(!dut->heard.came || dut->heard.step == (lcb_seq)(dut->heard.ack - dut->base));
    prove_assert(!dut->heard.came || dut->heard.span <= held);
    prove_assert(dut->busy ? dut->fed || dut->open : dut->count == 0);
    prove_assert(!dut->dump || dut->closed);
    prove_assert(!dut->closed || (!dut->busy && !dut->go));
}

/* What was read, or is being read, are the words from `at` on, in order, and none behind the last that is stored. */
static inline void reads_right(const struct pkt_tx *dut, lcb_seq at)
{
    lcb_seq ahead = (lcb_seq)(dut->next + dut->filled - at);
    lcb_seq read = (lcb_seq)(dut->fetch - 1);
    lcb_seq fixed = (lcb_seq)(dut->fetch - 1 - dut->read_valid);
    lcb_seq fetched = (lcb_seq)((lcb_seq)dut->ready + dut->read_valid);

    prove_assert(ahead <= WINDOW && fetched <= ahead);
    prove_assert((lcb_seq)(dut->fetch - at) == fetched);
    prove_assert(!dut->read_valid || dut->read == dut->buffer[(tx_entry)read]);
    prove_assert(!dut->ready || dut->fixed.phit.kind == kind_at(dut, fixed));
}

/* The packet on the wire: where it stands, and that it ends where resend goes. */
static inline void wire_right(const struct prove_pkt_window *self)
{
    const struct pkt_tx *dut = &self->dut;
    lcb_seq held = dut->next - dut->base;
    lcb_seq at = (lcb_seq)(self->began + dut->count);
    lcb_seq rest = dut->next - at; /* of packets that are whole */
    u1 stays = dut->busy && !dut->moved;
    u1 whole = dut->fed && rest != 0 && (u8)((u8)rest + dut->count) <= WINDOW;
    u1 newest = self->began == dut->next && dut->count <= dut->filled && dut->open;

    prove_assert(!dut->busy || (dut->count != 0 && dut->count <= WINDOW));
    prove_assert(!dut->busy || (whole && self->out.some) || newest);
    prove_assert(!dut->busy || dut->fed || dut->count == dut->filled);
    prove_assert(!stays || self->began == dut->resend);
    prove_assert(!stays || newest || (u5)dut->sent + dut->count < held);
    prove_assert(!dut->aim || (dut->busy && dut->moved));
    prove_assert(!dut->busy || !dut->fed || !dut->moved || dut->aim);
    if (dut->busy && (dut->fed || !dut->moved)) {
        reads_right(dut, at);
    } else if (!dut->aim) {
        reads_right(dut, dut->resend);
    }
}

/* The packet that the router hands over. */
static inline void intake_right(const struct prove_pkt_window *self)
{
    const struct pkt_tx *dut = &self->dut;
    lcb_seq held = dut->next - dut->base, used = (lcb_seq)(held + dut->filled);
    u1 begins = (dut->out.flit_ready && !dut->drop) || dut->fits;

    prove_assert(dut->open == (dut->filled != 0));
    prove_assert(!dut->open || dut->filled < LCB_CLIP);
    prove_assert(!dut->open || held <= WINDOW - LCB_CLIP);
    prove_assert(!begins || dut->busy || dut->closed || used <= WINDOW - LCB_CLIP);
    prove_assert(held == 0 || self->out.some);
    prove_assert(!self->out.some || kind_at(dut, (lcb_seq)(dut->next - 1)) == PHIT_END);
    for (int i = 0; i < LCB_CLIP; i++) {
        prove_assert(dut->filled <= i || kind_at(dut, (lcb_seq)(dut->next + i)) != PHIT_END);
    }
}

PROVE_MODULE void prove_pkt_window(struct prove_pkt_window *self,
                                   const struct prove_pkt_window_in *p)
{
    struct pkt_tx *dut = &self->dut;
    const struct pkt_tx_in *in = &p->tx;
    u1 busy = dut->busy;
    lcb_seq resend = dut->resend;

    prove_assume(!in->run || !(in->flush || in->clear || self->out.flushed));
    prove_assume(!in->clear || !(in->flush || in->run || dut->go || dut->dump));
    prove_assume(!in->clear || self->out.reported);
    prove_assume(in->clip >= 2 && in->clip <= LCB_CLIP);
    prove_assume(!in->advance || !dut->go || dut->second);

    pkt_tx(dut, in);
    self->out.reported = (dut->dump || self->out.reported) && !in->clear;
    self->out.flushed = (in->flush || self->out.flushed) && !in->clear;
    if (!busy && dut->busy) {
        self->began = resend;
    }
    self->out.some = !in->clear && (self->out.some || (dut->out.made != 0 && !dut->dump));

    window_right(dut);
    prove_assert(!(dut->dump || self->out.reported) || self->out.flushed);
    prove_assert(!self->out.reported || !dut->second);
    prove_assert(!self->out.reported || (dut->closed && !dut->busy && !dut->go && !dut->aim));
    prove_assert(!self->out.reported || dut->dump || !(dut->open || dut->drop || is_pending(dut)));
    if (!self->out.reported) {
        wire_right(self);
        intake_right(self);
    }
    prove_cover(dut->out.replayed);
}
