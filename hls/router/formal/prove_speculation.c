// SPDX-License-Identifier: Apache-2.0
/*
 * prove_speculation.c - the input queue behind a link in packet mode, whose flits are stored before their packet is believed.
 *
 * Any flits may come, with wrong VCs too, in packets of at most RTR_PACKET flits, as the receiver cuts longer ones. A packet that ends good or soft is one for
 * which its sender had credit when it began: the longest fitted into what its VC is lent. Then, whatever copies with transmit errors come between,
 *
 *     no flit is written over another
 *     what a VC is charged with = its flits that will give credit, read or not, and the credit that is to go back
 *     good packets are stored whole, and none is refused
 *     of a truncated copy at most RTR_PACKET flits stand in a VC, and they stand in front
 *
 * What the memory returns is left open. Proved by induction.
 */
#define MACHINE_PROTO24 1

#include "common/prove.h"

#include "config/machine.h"

/* Smaller, so that a solver can: the longest packet has 4 flits, a VC's part 16. */
#undef RTR_PACKET
#define RTR_PACKET 4
#undef RTR_INQ_LOG2
#define RTR_INQ_LOG2 5
#undef RTR_STAGE_LOG2
#define RTR_STAGE_LOG2 2

/* Counts become registers, of which an invariant may read all at once. */
#undef HLS_LUTRAM
#define HLS_LUTRAM(reads)

#include "router/input/inq_store.c"
#include "router/input/vc_room.c"

#define PART (1 << INQ_COUNT_BITS) /* flits of a VC in the store */

typedef uint(INQ_COUNT_BITS + 1) inq_flits;

struct prove_speculation_in {
    struct inq_store_in store;
};

struct prove_speculation_out {
    inq_flits charged[RTR_VCS]; /* phits of packets that were believed, less credit given back */
    u1 has_credit;              /* for the longest packet, when the one that comes in began */
};

struct prove_speculation {
    struct prove_speculation_out out;
    struct inq_store dut;
};

PROVE_RESET void prove_speculation_reset(struct prove_speculation *self)
{
    self->out = (struct prove_speculation_out){};
    inq_store_reset(&self->dut);
    for (int v = 0; v < INQ_PLACES; v++) {
        self->dut.wr[v] = 0;
        self->dut.rd[v] = 0;
        self->dut.staging.used[v] = 0;
        self->dut.staging.known[v] = 0;
    }
}

/* ---- what the registers say ---------------------------------------------------------------------- */

/* Whether the flit read in the clock before was of this VC. */
static inline u1 just_read(const struct inq_store *dut, int v)
{
    return dut->out.read && dut->out.vc == v;
}

/* Flits of a VC that were not read. */
static inline inq_flits unread(const struct inq_store *dut, int v)
{
    inq_count count = dut->wr[v] - dut->rd[v];
    u1 some = (u1)(dut->filled >> v) && !just_read(dut, v);

    return count == 0 && some ? (inq_flits)PART : (inq_flits)count;
}

/* The packet that comes in stands in this VC, as far as it is stored. */
static inline u1 comes_in(const struct inq_store *dut, int v)
{
    return dut->packet.open && dut->packet.stored && dut->packet.vc == v;
}

/* Of it what was not read. */
static inline rtr_length rest(const struct inq_store *dut)
{
    return (rtr_length)(dut->packet.inside - dut->mine);
}

/* Unread flits of packets that came before. */
static inline inq_flits older(const struct inq_store *dut, int v)
{
    return (inq_flits)(unread(dut, v) - (comes_in(dut, v) ? rest(dut) : (rtr_length)0));
}

/* ---- the invariant ------------------------------------------------------------------------------- */

/* The packet that comes in: where it began, what was read of it, what is held. */
static inline void packet_right(const struct prove_speculation *self)
{
    const struct inq_store *dut = &self->dut;
    const struct inq_packet *p = &dut->packet;
    inq_count before = p->began - dut->rd[p->vc];
    u1 stored = p->open && p->stored;

    prove_assert(!p->refused);
    prove_assert(!dut->refund.valid);
    prove_assert(!p->open || (p->number != 0 && p->number < RTR_PACKET));
    prove_assert(!p->begun || stored || !p->open);
    prove_assert(stored || (p->inside == 0 && p->held == 0 && !dut->mine));
    prove_assert(p->inside >= dut->mine);
    prove_assert(!dut->mine || (p->begun && dut->out.read && dut->out.vc == p->vc));
    prove_assert(!stored || p->inside + p->held <= p->number);
    prove_assert(!stored || p->stopped || p->inside + p->held == p->number);
    prove_assert(!stored || p->begun == (dut->mine || p->held != 0));
    prove_assert(!stored || p->begun || rest(dut) != 0);
    prove_assert(!stored || !p->begun || older(dut, p->vc) == 0);
    prove_assert(!stored || p->begun || older(dut, p->vc) == before);
    prove_assert(!stored || unread(dut, p->vc) < PART);
    prove_assert(!stored ||
                 (inq_count)(dut->wr[p->vc] - p->began) == (inq_count)(p->inside + p->held));
    prove_assert(!p->open || !self->out.has_credit || (p->stored && !p->stopped));
    prove_assert(!p->open || !self->out.has_credit ||
                 self->out.charged[p->vc] + RTR_PACKET <= RTR_INQ_CREDIT_VC);
}

/* Each VC: what stands in it, and what goes back. */
static inline void accounts_right(const struct prove_speculation *self)
{
    const struct inq_store *dut = &self->dut;
    u8 owed = 0;

    for (int v = 0; v < RTR_VCS; v++) {
        u1 read = just_read(dut, v) && !dut->mine;
        inq_flits gives = (inq_flits)(older(dut, v) - dut->mute[v] + read + dut->owed[v]);

        owed += dut->owed[v];
        prove_assert(unread(dut, v) == 0 || (u1)(dut->filled >> v));
        prove_assert(!just_read(dut, v) || unread(dut, v) < PART);
        prove_assert(older(dut, v) <= PART && older(dut, v) + read >= dut->mute[v]);
        prove_assert(dut->mute[v] <= RTR_PACKET);
        prove_assert(self->out.charged[v] == gives);
        prove_assert(self->out.charged[v] <= RTR_INQ_CREDIT_VC);
    }
    prove_assert(owed + dut->packet.held + dut->out.read <= RTR_PACKET + 2);
}

/* ---- a clock ------------------------------------------------------------------------------------- */

PROVE_MODULE void prove_speculation(struct prove_speculation *self,
                                    const struct prove_speculation_in *p)
{
    const struct inq_store_in *in = &p->store;
    struct inq_store *dut = &self->dut;
    const struct inq_packet was = dut->packet;
    rtr_vc vc = was.open ? was.vc : (rtr_vc)head_vc(in->flit);
    rtr_length number = was.open ? (rtr_length)(was.number + 1) : (rtr_length)1;
    u1 fits = self->out.charged[vc] + RTR_PACKET <= RTR_INQ_CREDIT_VC;
    u1 credit = was.open ? self->out.has_credit : fits;
    u1 believed = in->valid && in->tail && in->ok != OK_CUT;
    inq_count count = dut->wr[vc];

    prove_assume(!in->wipe); /* the counts begin at 0 here */
    prove_assume(!in->valid || in->tail || number < RTR_PACKET);
    prove_assume(!in->valid || !in->tail || was.open); /* an end is a flit of its own */
    prove_assume(!believed || credit);
    inq_store(dut, in);
    self->out.has_credit = credit && (was.open || in->valid);
    if (believed) {
        self->out.charged[vc] += number;
    }
    if (dut->out.freed.valid) {
        self->out.charged[(rtr_vc)dut->out.freed.vc]--;
    }
    prove_assert(!dut->out.refused && !dut->out.illegal);
    prove_assert(!believed || (inq_count)(dut->wr[vc] - count) == 1);
    packet_right(self);
    accounts_right(self);
    prove_cover(dut->mute[0] == 2 && dut->packet.open);
    prove_cover(self->out.charged[1] == 4 && dut->owed[1] == 0);
}
