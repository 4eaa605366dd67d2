// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_credit.c - the credit accounts.
 *
 * All counts are cumulative modulo 2^LCB_CREDIT_BITS, so an update that is lost or repeated
 * changes nothing. They are sent in steps of 2^LCB_STEP_LOG2 flits: the last flits of a VC, fewer than
 * a step, are not returned while no more follow, and the guarantee is a packet and as many.
 *
 * A packet is charged in full when its head is handed over. The peer's queue guarantees LCB_GUARANTEED
 * flits to each VC; what a VC holds beyond that it borrows from the shared space. One account changes
 * per clock: a head first, the peer's count when there is none, which is at the latest behind the slot
 * of the next tail.
 *
 * An account is read in the clock behind that of its head and booked in the next one. Until then the promises err on the safe
 * side: a packet counts as the longest from its announcement on, and as borrowed, whatever its VC's guarantee, until the
 * account says how much of it is not.
 *
 * The router's accounts (vc_credit.inc, vc_room) are of flits, each in a buffer of its own VC, over a bus that loses nothing;
 * here are packets, shared space, and counts that may be lost: one module for both would be the sum of them.
 *
 * The counts are in memories, which a new epoch wipes word by word. No data flows meanwhile: lanes are trained first
 * (lane_rx needs 32 frames of six words, lane_tx counts sixteen down). A link that is killed meanwhile takes flits at
 * once, but what a dead link takes is not charged.
 */
#include "link/micropacket/lcb_credit.h"

#include "common/arbiter.h"

#if LCB_SHARED_MOST
#define PACKET (1 << LCB_LENGTH_BITS) /* flits of the longest packet */
#else
#define PACKET LCB_LONGEST
#endif
#define AHEAD 15 /* packets that may be announced at a time */

HLS_RESET void lcb_credit_reset(struct lcb_credit *self)
{
    self->out = (struct lcb_credit_out){.drained = 1};
    self->wipes = 1;
    self->wiped = 0;
    self->due = 0;
    self->turn = 0;
    self->held = 0;
    self->fits = (lcb_vcs)-1;
#if LCB_SHARED_MOST
    self->committed = 0;
#else
    self->roomy = (lcb_vcs)-1;
#endif
    self->pending = 0;
    self->begun = 0;
    self->left = 0;
    self->waits = 0;
    self->waiting_vc = 0;
    self->waiting_steps = 0;
    self->head = (struct credit_head){};
    self->entry = (struct credit_entry){};
#if LCB_SHARED_MOST
    self->refund = 0;
#endif
}

static inline lcb_vcs vc_bit(lcb_vc vc)
{
    return (lcb_vcs)((lcb_vcs)1 << vc);
}

static inline lcb_credits step_flits(lcb_steps steps)
{
    return (lcb_credits)((lcb_credits)steps << LCB_STEP_LOG2);
}

/* The VC to offer after this one: the next whose count changed, or the next if none did. */
static inline lcb_vc next_due(const struct lcb_credit *self)
{
    return self->due == 0 ? (lcb_vc)(self->turn + 1) : (lcb_vc)mask_next(self->due, self->turn);
}

/* Our input queue: counts what it frees and offers the counts in turn. */
static inline void count_freed(struct lcb_credit *self, const struct lcb_credit_in *in)
{
    lcb_vc place = self->wipes ? self->wiped : in->freed_vc;
    lcb_credits more = self->freed[in->freed_vc] + 1;
    u1 whole = (uint(LCB_STEP_LOG2))more == 0;

    self->out.vc = self->turn;
    self->out.steps = (lcb_steps)(self->freed[self->turn] >> LCB_STEP_LOG2);
    if (in->sent) {
        self->turn = next_due(self);
        self->due &= ~vc_bit(self->turn);
    }
    self->due |= in->freed_valid && whole ? vc_bit(in->freed_vc) : (lcb_vcs)0;
    if (self->wipes || in->freed_valid) {
        self->freed[place] = self->wipes ? (lcb_credits)0 : more;
    }

    /* The input queue passes on what it got, each flit once. */
    hls_assume(self->held != 0 || in->handed || !in->freed_valid);
    self->held += in->handed;
    self->held -= in->freed_valid;
    self->out.drained = self->held == 0;
}

/* Packets that are announced, or that begin unannounced: their heads have not been taken before. */
static inline void keep_pending(struct lcb_credit *self, u1 begins, lcb_vc vc)
{
    u1 busy = self->head.valid || self->pending != 0;

    /* The router announces where there was room, and there is none for more (below). */
    hls_assume(self->pending != AHEAD || self->head.valid || !begins);
    self->begun = (busy ? self->begun : (lcb_vcs)0) | (begins ? vc_bit(vc) : (lcb_vcs)0);
    self->pending += begins;
    self->pending -= self->head.valid;
}

#if LCB_SHARED_MOST

/* Room for a packet, and for two, with the one that begins in this clock counted. The VCs in use promise no guarantee. */
static inline void promise(struct lcb_credit *self, const struct lcb_credit_in *in, u1 begins,
                           lcb_vcs used)
{
    lcb_credit_sum space = (lcb_credit_sum)in->shared_space << 3;
    u1 one = self->committed + PACKET <= space;
    u1 two = self->committed + (lcb_credit_sum)(2 * PACKET) <= space;
    u1 three = self->committed + (lcb_credit_sum)(3 * PACKET) <= space;
    u1 lends = begins ? two : one;
    u1 lends_two = begins ? three : two;
    u1 more = self->pending < AHEAD - 2;

    self->out.room = !more ? (lcb_vcs)0 : lends ? (lcb_vcs)-1 : (lcb_vcs)(self->fits & ~used);
    self->out.short_of = self->left == 0 && self->fits != (lcb_vcs)-1 && !one;
    self->out.spare = more && lends_two ? (lcb_vcs)-1 : (lcb_vcs)0;
}

#else

/*
 * Without shared space. A VC of no packet that is not booked has the room that its account says. One of such packets has room while
 * three packets would fit by its account, and not more than two of all VCs are not booked, as if all were its own.
 */
static inline void promise(struct lcb_credit *self, const struct lcb_credit_in *in, u1 begins,
                           lcb_vcs used)
{
    u1 books = self->entry.valid && self->entry.head;
    uint(5) open = (uint(5))((uint(5))self->pending + begins + books);

    (void)in;
    self->out.room = self->pending < AHEAD - 2
                         ? (lcb_vcs)((self->fits & ~used) | (open <= 2 ? self->roomy : (lcb_vcs)0))
                         : (lcb_vcs)0;
    self->out.short_of = self->left == 0 && self->fits != (lcb_vcs)-1;
    self->out.spare = open <= 1 ? self->roomy : (lcb_vcs)0;
}

#endif

/* What the peer says it freed counts if it can be true. */
static inline u1 books_count(const struct lcb_credit *self)
{
    return self->entry.valid && !self->entry.head && self->entry.amount <= self->entry.filled;
}

/*
 * The peer's input queue: reads one account, for a head or for what the peer freed. A head cannot wait while a count of its VC is
 * being booked, and knows it; a count waits behind another.
 */
static inline struct credit_entry read_account(struct lcb_credit *self)
{
    u1 head = self->head.valid && self->head.charged;
    u1 books = self->entry.valid && !self->entry.head;
    u1 takes = self->waits && !head && !books;
    lcb_vc vc = head ? self->head.vc : self->waiting_vc;
    lcb_vc place = self->wipes ? self->wiped : vc;
    lcb_credits length = (lcb_credits)(lcb_length)(self->head.length - 1) + 1;
    lcb_credits charged = self->charged[vc];
    lcb_steps known = self->known[vc];
    lcb_credits filled = charged - step_flits(known);
    lcb_credits filled_then = charged - step_flits(self->entry.steps);

    if (self->wipes || head) {
        self->charged[place] = self->wipes ? (lcb_credits)0 : (lcb_credits)(charged + length);
    }

    struct credit_entry entry = {
        .valid = head || takes,
        .head = head,
        .vc = vc,
        .filled = books_count(self) && self->entry.vc == vc ? filled_then : filled,
        .amount = head ? length : step_flits((lcb_steps)(self->waiting_steps - known)),
        .steps = self->waiting_steps,
    };

    self->waits &= !takes;
    return entry;
}

/* The flits of a head or a count in the sum of its class. One adder for both: a - b is ~(~a + b). */
static inline void sum_up(struct lcb_credit *self)
{
    const struct credit_entry *entry = &self->entry;
    u1 response = (u1)((lcb_vcs)LCB_RESPONSES >> entry->vc);
    lcb_credit_sum before = response ? self->out.responses : self->out.requests;
    lcb_credit_sum less = entry->head ? (lcb_credit_sum)0 : (lcb_credit_sum)-1;
    lcb_credit_sum after = ((before ^ less) + entry->amount) ^ less;

    if (response) {
        self->out.responses = after;
    } else {
        self->out.requests = after;
    }
}

/* Books what was read. Of a packet the part that its VC's guarantee covers needs no shared space, nor does what was freed beyond it. */
static inline void book(struct lcb_credit *self)
{
    const struct credit_entry *entry = &self->entry;
    u1 counts = books_count(self);
#if LCB_SHARED_MOST
    u1 over = entry->filled > LCB_GUARANTEED;
    lcb_credits apart = over ? (lcb_credits)(entry->filled - LCB_GUARANTEED)
                             : (lcb_credits)(LCB_GUARANTEED - entry->filled);
    u1 refunds = over ? counts : entry->valid && entry->head;
#endif
    lcb_credits after = entry->head ? (lcb_credits)(entry->filled + entry->amount)
                                    : (lcb_credits)(entry->filled - entry->amount);
    u1 fits = after <= LCB_GUARANTEED - PACKET;
#if !LCB_SHARED_MOST
    u1 roomy = after <= LCB_GUARANTEED - 3 * PACKET;
#endif
    lcb_vc place = self->wipes ? self->wiped : entry->vc;

#if LCB_SHARED_MOST
    self->refund = !refunds ? (lcb_credits)0 : entry->amount < apart ? entry->amount : apart;
#endif
    if ((entry->valid && entry->head) || counts) {
        self->fits &= ~vc_bit(entry->vc);
        self->fits |= fits ? vc_bit(entry->vc) : (lcb_vcs)0;
#if !LCB_SHARED_MOST
        self->roomy &= ~vc_bit(entry->vc);
        self->roomy |= roomy ? vc_bit(entry->vc) : (lcb_vcs)0;
#endif
        sum_up(self);
    }
    if (self->wipes || counts) {
        self->known[place] = self->wipes ? (lcb_steps)0 : entry->steps;
    }
}

/* The accounts of an epoch that is over say nothing, and what is pending may come in the next one. */
static inline void forget_accounts(struct lcb_credit *self)
{
    self->fits = (lcb_vcs)-1;
#if LCB_SHARED_MOST
    self->committed = (lcb_credit_sum)self->pending << LCB_LENGTH_BITS;
    self->refund = 0;
#else
    self->roomy = (lcb_vcs)-1;
#endif
    self->entry.valid = 0;
    self->out.requests = 0;
    self->out.responses = 0;
}

/* Forgets all but what our queue still holds. */
static inline void new_epoch(struct lcb_credit *self)
{
    self->wipes = 1;
    self->due = 0;
    self->left = 0;
    self->waits = 0;
}

HLS_MODULE void lcb_credit(struct lcb_credit *self, const struct lcb_credit_in *in)
{
    u1 head = in->taken && self->left == 0;
    u1 charged = head && !in->dead; /* what a dead link takes gets reported: it needs no room */
    u1 ahead = self->pending != self->head.valid;
    u1 begins = in->start_valid || (head && !ahead);
    lcb_vc vc = in->start_valid ? in->start_vc : flit_vc(in->flit);
    lcb_vcs used = self->begun | (begins ? vc_bit(vc) : (lcb_vcs)0);
#if LCB_SHARED_MOST
    lcb_length surplus = self->head.valid ? (lcb_length)(0 - self->head.length) : (lcb_length)0;
#endif

    /* lcb_link: an epoch begins when our queue is empty, and with training. */
    hls_assume(!self->wipes || !(charged || in->freed_valid || in->credit_valid));
    /* Whoever offers a packet where there was room finds room when it is taken; of those announced: prove_credit.c. */
#if LCB_SHARED_MOST
    hls_assert(!charged || ahead || (self->fits & vc_bit(flit_vc(in->flit))) != 0 ||
               self->committed + PACKET <= (lcb_credit_sum)in->shared_space << 3);
#else
    hls_assert(!charged || ahead || (self->fits & vc_bit(flit_vc(in->flit))) != 0);
#endif

    count_freed(self, in);
    promise(self, in, begins, used);
    keep_pending(self, begins, vc);
#if LCB_SHARED_MOST
    self->committed += (lcb_credit_sum)begins << LCB_LENGTH_BITS;
    self->committed -= (lcb_credit_sum)surplus + self->refund;
#endif

    struct credit_entry next = read_account(self);

    book(self);
    self->entry = next;
    self->head = (struct credit_head){.valid = head,
                                      .charged = charged,
                                      .vc = flit_vc(in->flit),
                                      .length = flit_length(in->flit)};
    if (in->taken) {
        self->left = packet_left(self->left, in->flit);
    }
    if (in->credit_valid) {
        self->waits = 1;
        self->waiting_vc = in->credit_vc;
        self->waiting_steps = in->credit_steps;
    }

    if (self->wipes) {
        self->wiped++;
        self->wipes = self->wiped != 0;
    }
    if (in->clear) {
        new_epoch(self);
    }
    if (in->dead || in->clear) {
        forget_accounts(self);
    }
}
