// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_credit.c - the credit accounts.
 *
 * All counts are cumulative modulo 2^LCB_CREDIT_BITS, so an update that is lost or repeated
 * changes nothing. A packet is charged in full when its head is handed over. The peer's queue
 * guarantees LCB_GUARANTEED flits to each VC; what a VC holds beyond that it borrows from the
 * shared space. One account changes per clock: a head first, the peer's count when there is none,
 * which is at the latest in the slot of the next tail.
 */
#include "link/lcb_credit.h"

#define PACKET (1 << LCB_LENGTH_BITS) /* flits of the longest packet */

HLS_RESET void lcb_credit_reset(struct lcb_credit *self)
{
    *self = (struct lcb_credit){.fits = (lcb_vcs)-1};
}

static inline lcb_vc lowest(lcb_vcs mask)
{
    lcb_vc vc = 0;

    for (int i = LCB_VCS - 1; i >= 0; i--) {
        vc = (u1)(mask >> i) ? (lcb_vc)i : vc;
    }
    return vc;
}

/* Offers the next VC whose count changed, or the next one if none did. */
static inline void offer_credit(struct lcb_credit *self, const struct lcb_credit_in *in)
{
    lcb_vcs passed = (lcb_vcs)(((lcb_vcs)-1) >> (LCB_VCS - 1 - self->out.vc));
    lcb_vcs ahead = self->due & ~passed;
    lcb_vc next =
        self->due == 0 ? (lcb_vc)(self->out.vc + 1) : lowest(ahead != 0 ? ahead : self->due);

    if (in->freed_valid) {
        self->freed[in->freed_vc]++;
    }
    if (in->sent) {
        self->out.vc = next;
        self->due &= ~(lcb_vcs)((lcb_vcs)1 << next);
    }
    if (in->freed_valid) {
        self->due |= (lcb_vcs)((lcb_vcs)1 << in->freed_vc);
    }
    self->out.count = self->freed[self->out.vc];
}

static inline lcb_credits beyond_guarantee(lcb_credits filled)
{
    return filled > LCB_GUARANTEED ? (lcb_credits)(filled - LCB_GUARANTEED) : (lcb_credits)0;
}

/* Changes the account of one VC: a packet of ours, or what the peer says it freed. */
static inline void keep_account(struct lcb_credit *self, const struct lcb_credit_in *in, u1 head)
{
    lcb_vc vc = head ? flit_vc(in->flit) : self->waiting_vc;
    lcb_credits charged = self->charged[vc];
    lcb_credits known = self->known[vc];
    lcb_credits filled = charged - known;
    lcb_credits freed = self->waiting_count - known;
    u1 believed = !head && self->waits && freed <= filled;
    lcb_length minus = flit_length(in->flit) - 1;
    lcb_credits added = head ? (lcb_credits)((lcb_credits)minus + 1) : (lcb_credits)0;
    lcb_credits now = (lcb_credits)(filled + added) - (believed ? freed : (lcb_credits)0);
    lcb_vcs bit = (lcb_vcs)1 << vc;

    self->charged[vc] = charged + added;
    self->known[vc] = believed ? self->waiting_count : known;
    self->borrowed += (lcb_credit_sum)beyond_guarantee(now);
    self->borrowed -= (lcb_credit_sum)beyond_guarantee(filled);
    self->fits = (lcb_vcs)((self->fits & ~bit) | (now <= LCB_GUARANTEED - PACKET ? bit : 0));
    self->waits &= head;
}

HLS_MODULE void lcb_credit(struct lcb_credit *self, const struct lcb_credit_in *in)
{
    u1 head = in->taken && self->left == 0;
    lcb_credit_sum space = (lcb_credit_sum)in->shared << 3;
    u1 lends = self->borrowed + (lcb_credit_sum)(2 * PACKET) <= space;
    lcb_vcs used = head ? (lcb_vcs)((lcb_vcs)1 << flit_vc(in->flit)) : (lcb_vcs)0;

    hls_assert(in->dead || in->clear || self->borrowed <= space);

    offer_credit(self, in);
    /* One clock late: the shared space has room for two packets, the VC just used waits. */
    self->out.room = in->dead || lends ? (lcb_vcs)-1 : (lcb_vcs)(self->fits & ~used);
    keep_account(self, in, head);
    if (in->taken) {
        self->left = packet_left(self->left, in->flit);
    }
    if (in->credit_valid) {
        self->waits = 1;
        self->waiting_vc = in->credit_vc;
        self->waiting_count = in->credit_count;
    }
    if (in->clear) {
        lcb_credit_reset(self);
    }
}
