// SPDX-License-Identifier: Apache-2.0
/*
 * pkt_credit.c - the credit accounts in packet mode.
 *
 * All counts are cumulative, so an update that is lost or repeated changes nothing. Each VC has its own part of the peer's
 * queue, and no space is shared: a packet counts as the longest from its announcement until it is whole, then with its
 * phits. An input queue gives back what it freed once the packet's end was believed, so no count is ahead of a tail.
 */
#include "link/packet/pkt_credit.h"

#define AHEAD 3 /* packets that may be announced at a time */

HLS_RESET void pkt_credit_reset(struct pkt_credit *self)
{
    *self = (struct pkt_credit){.out = {.drained = 1}};
}

/* Our input queue: what it frees, and of which VC there is the most to report. */
static inline void count_freed(struct pkt_credit *self, const struct pkt_credit_in *in)
{
    lcb_steps most = 0;
    lcb_vc best = (lcb_vc)(self->out.due_vc + in->sent);

    if (in->sent) {
        self->told[self->out.due_vc] = self->out.due_steps;
    }
    for (int v = 0; v < LCB_VCS; v++) {
        lcb_steps steps = (lcb_steps)(self->freed[v] >> LCB_STEP_LOG2);
        lcb_steps owed = steps - self->told[v];

        if (owed > most) {
            most = owed;
            best = (lcb_vc)v;
        }
    }
    self->out.due_vc = best;
    self->out.due_steps = (lcb_steps)(self->freed[best] >> LCB_STEP_LOG2);
    self->out.owed = most >= in->limit && most != 0;
    if (in->freed_valid) {
        self->freed[in->freed_vc]++;
    }
    /* the input queue gives back what it got, each phit once */
    hls_assume(self->held != 0 || in->counted != 0 || !in->freed_valid);
    self->held = (lcb_held)(self->held + in->counted - in->freed_valid);
    self->out.drained = self->held == 0;
}

/* What the peer says it freed counts if it can be true. */
static inline void take_count(struct pkt_credit *self, const struct pkt_credit_in *in)
{
    lcb_steps more = in->credit_steps - self->known[in->credit_vc];
    lcb_filled phits = (lcb_filled)((lcb_filled)more << LCB_STEP_LOG2);

    if (in->credit_valid && phits <= self->filled[in->credit_vc]) {
        self->filled[in->credit_vc] -= phits;
        self->known[in->credit_vc] = in->credit_steps;
    }
}

/* A packet is announced, or begins unannounced; when it is whole it counts with its phits. */
static inline void take_packet(struct pkt_credit *self, const struct pkt_credit_in *in)
{
    u1 head = in->taken && !self->open;
    u1 unannounced = head && self->ahead == 0 && !in->start_valid;
    u1 made = in->made != 0;

    for (int v = 0; v < LCB_VCS; v++) {
        u1 more =
            (in->start_valid && in->start_vc == (lcb_vc)v) || (unannounced && in->vc == (lcb_vc)v);
        u1 less = made && self->vc == (lcb_vc)v;

        self->begun[v] = (u3)(self->begun[v] + more - less);
    }
    self->ahead = (u2)(self->ahead + in->start_valid - (head && !unannounced));
    self->filled[self->vc] += (lcb_filled)in->made;
    self->open = in->taken ? !in->tail : self->open;
    self->vc = head ? in->vc : self->vc;
}

/* Room for one more packet, and for two. */
static inline void promise(struct pkt_credit *self, const struct pkt_credit_in *in)
{
    u3 begun = 0;
    u1 all_fit = 1;

    for (int v = 0; v < LCB_VCS; v++) {
        begun += self->begun[v];
    }
    u1 more = begun < AHEAD;

    self->out.room = 0;
    self->out.spare = 0;
    self->out.requests = 0;
    self->out.responses = 0;
    for (int v = 0; v < LCB_VCS; v++) {
        uint(12) space = (uint(12))((uint(12))in->lent << 3);
        uint(12) used = (uint(12))((uint(12))self->filled[v] +
                                   (uint(12))((uint(12))self->begun[v] * RTR_PACKET));
        u1 one = used + RTR_PACKET <= space;
        u1 two = used + 2 * RTR_PACKET <= space;

        self->out.room |= (lcb_vcs)((lcb_vcs)(one && more) << v);
        self->out.spare |= (lcb_vcs)((lcb_vcs)(two && more) << v);
        all_fit &= one;
        if ((u1)((lcb_vcs)LCB_RESPONSES >> v)) {
            self->out.responses += self->filled[v];
        } else {
            self->out.requests += self->filled[v];
        }
    }
    self->out.short_of = begun == 0 && !all_fit;
}

/* A new epoch begins with empty queues on both sides; what is announced may come in it. */
static inline void new_epoch(struct pkt_credit *self)
{
    for (int v = 0; v < LCB_VCS; v++) {
        self->freed[v] = 0;
        self->told[v] = 0;
        self->known[v] = 0;
    }
}

HLS_MODULE void pkt_credit(struct pkt_credit *self, const struct pkt_credit_in *in)
{
    /* whoever announces found room, which there is for three packets at most */
    hls_assume(self->ahead != AHEAD || !in->start_valid || in->taken);
    count_freed(self, in);
    take_count(self, in);
    take_packet(self, in);
    if (in->dead || in->clear) {
        for (int v = 0; v < LCB_VCS; v++) {
            self->filled[v] = 0;
        }
    }
    if (in->clear) {
        new_epoch(self);
    }
    promise(self, in);
}
