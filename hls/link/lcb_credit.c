// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_credit.c - the credit accounts.
 *
 * All counts are cumulative modulo 2^LCB_CREDIT_BITS, so an update that is lost or repeated
 * changes nothing. A packet is charged in full when its head is handed over. The peer's queue
 * guarantees LCB_GUARANTEED flits to each VC; what a VC holds beyond that it borrows from the
 * shared space. One account changes per clock: a head first, the peer's count when there is none,
 * which is at the latest in the slot of the next tail.
 *
 * The counts are in memories, which a new epoch wipes word by word. No data flows meanwhile: lanes are trained first
 * (lane_rx needs 32 frames of six words, lane_tx counts sixteen down). A link that is killed meanwhile takes flits at
 * once, but what a dead link takes is not charged.
 */
#include "link/lcb_credit.h"

#include "arbiter.h"

#define PACKET (1 << LCB_LENGTH_BITS) /* flits of the longest packet */
#define AHEAD  15                     /* packets that may be announced at a time */

HLS_RESET void lcb_credit_reset(struct lcb_credit *self)
{
    self->out = (struct lcb_credit_out){.drained = 1};
    self->wipes = 1;
    self->wiped = 0;
    self->due = 0;
    self->held = 0;
    self->fits = (lcb_vcs)-1;
    self->borrowed = 0;
    self->started = 0;
    self->begun = 0;
    self->left = 0;
    self->waits = 0;
    self->waiting_vc = 0;
    self->waiting_count = 0;
}

static inline lcb_vcs vc_bit(lcb_vc vc)
{
    return (lcb_vcs)((lcb_vcs)1 << vc);
}

/* The VC to offer after this one: the next whose count changed, or the next if none did. */
static inline lcb_vc next_due(const struct lcb_credit *self)
{
    return self->due == 0 ? (lcb_vc)(self->out.vc + 1) : (lcb_vc)mask_next(self->due, self->out.vc);
}

/* Our input queue: counts what it frees and offers the counts in turn. */
static inline void count_freed(struct lcb_credit *self, const struct lcb_credit_in *in)
{
    lcb_vc place = self->wipes ? self->wiped : in->freed_vc;
    lcb_credits more = self->freed[in->freed_vc] + 1;

    if (in->sent) {
        self->out.vc = next_due(self);
        self->due &= ~vc_bit(self->out.vc);
    }
    self->due |= in->freed_valid ? vc_bit(in->freed_vc) : (lcb_vcs)0;
    self->out.count = self->freed[self->out.vc];
    if (self->wipes || in->freed_valid) {
        self->freed[place] = self->wipes ? (lcb_credits)0 : more;
    }

    /* The input queue passes on what it got, each flit once. */
    hls_assume(self->held != 0 || in->handed || !in->freed_valid);
    self->held += in->handed;
    self->held -= in->freed_valid;
    self->out.drained = self->held == 0;
}

static inline lcb_credits beyond_guarantee(lcb_credits filled)
{
    return filled > LCB_GUARANTEED ? (lcb_credits)(filled - LCB_GUARANTEED) : (lcb_credits)0;
}

/* The peer's input queue: charges one VC for a packet that was taken, or credits it with what the peer freed. */
static inline void keep_account(struct lcb_credit *self, const struct lcb_credit_in *in, u1 head)
{
    lcb_vc vc = head ? flit_vc(in->flit) : self->waiting_vc;
    lcb_vc place = self->wipes ? self->wiped : vc;
    lcb_credits charged = self->charged[vc];
    lcb_credits known = self->known[vc];
    lcb_credits filled = charged - known;
    lcb_credits freed = self->waiting_count - known;
    u1 believed = !head && self->waits && freed <= filled;
    lcb_length others = flit_length(in->flit) - 1;
    lcb_credits length = (lcb_credits)others + 1;
    lcb_credits now = head ? filled + length : believed ? filled - freed : filled;

    self->borrowed += (lcb_credit_sum)beyond_guarantee(now);
    self->borrowed -= (lcb_credit_sum)beyond_guarantee(filled);
    self->fits &= ~vc_bit(vc);
    /* while the accounts are being wiped, what they hold is of the old epoch */
    self->fits |= self->wipes || now <= LCB_GUARANTEED - PACKET ? vc_bit(vc) : (lcb_vcs)0;
    self->waits &= head;
    if (self->wipes || head) {
        self->charged[place] = self->wipes ? (lcb_credits)0 : (lcb_credits)(charged + length);
    }
    if (self->wipes || believed) {
        self->known[place] = self->wipes ? (lcb_credits)0 : self->waiting_count;
    }
}

/* Forgets all but what our queue still holds. */
static inline void new_epoch(struct lcb_credit *self)
{
    self->wipes = 1;
    self->due = 0;
    self->fits = (lcb_vcs)-1;
    self->borrowed = 0;
    self->left = 0;
    self->waits = 0;
}

/* Packets that are announced and whose head was not yet taken. The head may be taken in the clock of its announcement. */
static inline void keep_started(struct lcb_credit *self, const struct lcb_credit_in *in, u1 head)
{
    u1 comes = head && (self->started != 0 || in->start_valid);

    /* The router announces where there was room, and there is none for more (below). */
    hls_assume(self->started != AHEAD || comes || !in->start_valid);
    self->started += in->start_valid;
    self->started -= comes;
    self->begun |= in->start_valid ? vc_bit(in->start_vc) : (lcb_vcs)0;
    self->begun &= self->started != 0 ? (lcb_vcs)-1 : (lcb_vcs)0;
}

/*
 * Room for a packet, and for two. These are registers, so one clock late: the shared space keeps room for one packet more
 * than is promised, and the VC that was just used waits a clock. What is only announced to a dead link needs room in the
 * next epoch.
 */
static inline void promise(struct lcb_credit *self, const struct lcb_credit_in *in, lcb_vcs used)
{
    lcb_credit_sum space = (lcb_credit_sum)in->shared << 3;
    lcb_credit_sum borrowed = in->dead ? (lcb_credit_sum)0 : self->borrowed;
    lcb_vcs fits = in->dead ? (lcb_vcs)-1 : self->fits & ~used;
    u1 lends = borrowed + (((lcb_credit_sum)self->started + 2) << LCB_LENGTH_BITS) <= space;
    u1 lends_two = borrowed + (((lcb_credit_sum)self->started + 3) << LCB_LENGTH_BITS) <= space;

    u1 more = self->started < AHEAD - 1;

    self->out.room = !more ? (lcb_vcs)0 : lends ? (lcb_vcs)-1 : (lcb_vcs)(fits & ~self->begun);
    self->out.short_of = self->left == 0 && self->fits != (lcb_vcs)-1 &&
                         self->borrowed + ((lcb_credit_sum)2 << LCB_LENGTH_BITS) > space;
    self->out.spare = more && lends_two ? (lcb_vcs)-1 : (lcb_vcs)0;
}

HLS_MODULE void lcb_credit(struct lcb_credit *self, const struct lcb_credit_in *in)
{
    u1 head = in->taken && self->left == 0;
    u1 charged = head && !in->dead; /* what a dead link takes gets reported: it needs no room */
    lcb_credit_sum space = (lcb_credit_sum)in->shared << 3;
    lcb_vcs used = head ? vc_bit(flit_vc(in->flit)) : (lcb_vcs)0;

    /* lcb_link: an epoch begins when our queue is empty, and with training. */
    hls_assume(!self->wipes || !(charged || in->freed_valid || in->credit_valid));
    /* Whoever offers a packet where there was room finds room when it is taken; of those announced: prove_credit.c. */
    hls_assert(!charged || self->started != 0 || (self->fits & used) != 0 ||
               self->borrowed + PACKET <= space);

    count_freed(self, in);
    if (in->start_valid || self->started != 0) {
        keep_started(self, in, head);
    }
    promise(self, in, used);
    if (charged || self->waits || self->wipes) {
        keep_account(self, in, charged);
    }
    if (in->taken) {
        self->left = packet_left(self->left, in->flit);
    }
    if (in->credit_valid) {
        self->waits = 1;
        self->waiting_vc = in->credit_vc;
        self->waiting_count = in->credit_count;
    }

    if (self->wipes) {
        self->wiped++;
        self->wipes = self->wiped != 0;
    }
    if (in->clear) {
        new_epoch(self);
    }
}
