// SPDX-License-Identifier: Apache-2.0
/*
 * inq_verdict.h - the packet that comes into the store where the end frames it, and the credit of what was read.
 *
 * Flits go up from the link before the CRC of their packet is known; the end brings the verdict. A copy with a transmit error
 * comes again, on the credit that its flits were charged with. So what is read of a packet before its verdict is held, and
 * given back with a good one. With a bad one the packet is
 *
 *     rolled back    none of its flits was read: the VC's count of flits written goes back to where it began
 *     truncated      else: its end is stored, poisoned, and what is still to be read of it gives no credit (mute)
 *
 * A head may be wrong, and its VC then has no credit: a part with one place left takes only the end of the packet that comes
 * in. If that is good all the same, the peer lies, and `refused` says so.
 */
#ifndef INQ_VERDICT_H
#define INQ_VERDICT_H

#include "router/input/inq_store.h"

#include "common/arbiter.h"
#include "router/flit/masks.h"

/* What is done with the flit of this clock. */
struct inq_verdict {
    struct inq_access put;
    u1 full;     /* its VC's part has one place left, or none */
    u1 ends;     /* it is the last of its packet, */
    u1 poisoned; /* which is corrupted */
    u1 cut;      /* a transmit error, so nothing is read in this clock; */
    u1 rolls;    /* its packet is rolled back, */
    u1 empties;  /* and it was alone in its VC */
    u1 closes;   /* good or soft: credit that was held goes back */
    u1 lies;     /* a packet for which the peer had no credit */
};

/* Where in its packet the flit stands. */
struct inq_framed {
    rtr_vc vc;
    rtr_length number;
    u1 head;
    u1 over; /* number RTR_PACKET and not the end: what comes behind it decides */
    u1 last; /* the one behind that, if it does not end a copy: the packet ends here, poisoned */
};

static inline struct inq_framed frame(const struct inq_store *self, const struct inq_store_in *in)
{
    const struct inq_packet *p = &self->packet;
    rtr_length number = p->open ? (rtr_length)(p->number + 1) : (rtr_length)1;
    u1 cut = in->tail && in->ok == OK_CUT;

    return (struct inq_framed){
        .vc = p->open || p->refused ? p->vc : (rtr_vc)head_vc(in->flit),
        .number = number,
        .head = !p->open,
        .over = number == RTR_PACKET && !in->tail,
        .last = number == RTR_PACKET + 1 && !cut,
    };
}

static inline u1 part_full(const struct inq_store *self, rtr_vc vc, inq_count used, u1 emptied)
{
    u1 some = (u1)(self->filled >> vc) && !(emptied && self->out.vc == vc);

    return used == (inq_count)-1 || (used == 0 && some);
}

static inline struct inq_verdict judge(const struct inq_store *self, const struct inq_store_in *in,
                                       const struct inq_framed *flit, u1 emptied)
{
    const struct inq_packet *p = &self->packet;
    inq_count wr = self->wr[flit->vc], rd = self->rd[flit->vc];
    u1 comes = in->valid && !p->refused;
    u1 ends = comes && (in->tail || flit->last);
    u1 cut = comes && in->tail && in->ok == OK_CUT;
    u1 full = part_full(self, flit->vc, (inq_count)(wr - rd), emptied);
    u1 body = p->stored && (ends || !(p->stopped || full || flit->over));
    u1 begun = !flit->head && p->begun;
    u1 rolls = cut && !flit->head && p->stored && !p->begun;
    u1 lies = ends && !cut && (flit->head ? full : !p->stored || p->stopped);

    return (struct inq_verdict){
        .put = {.valid = comes && (flit->head ? !full : body) && !(cut && !begun),
                .vc = flit->vc,
                .count = wr,
                .after = rolls ? p->began : (inq_count)(wr + 1)},
        .full = full,
        .ends = ends,
        .poisoned = in->bad || (ends && (in->ok != OK_GOOD || flit->last || lies)),
        .cut = cut,
        .rolls = rolls,
        .empties = rd == p->began,
        .closes = ends && !cut,
        .lies = lies,
    };
}

static inline void roll_back(struct inq_store *self, const struct inq_verdict *v)
{
    if (v->rolls && v->empties) {
        self->filled &= ~vc_bit(v->put.vc);
    }
    hls_cover(v->rolls);
    hls_cover(v->cut && v->put.valid);
}

/* What is known of the packet behind this flit. */
static inline void keep_packet(struct inq_store *self, const struct inq_store_in *in,
                               const struct inq_framed *flit, const struct inq_verdict *v)
{
    struct inq_packet *p = &self->packet;
    u1 comes = in->valid && !p->refused;

    self->refund = (struct head_vc_note){in->valid && (p->refused || flit->last), p->vc};
    self->out.incoming = (struct vc_note){in->valid, flit->vc};
    self->out.illegal = comes && flit->last;
    self->out.refused = v->lies;
    p->held = v->ends ? (rtr_length)0 : (rtr_length)(p->held + self->mine);
    p->inside = v->ends ? (rtr_length)0 : (rtr_length)(p->inside - self->mine + v->put.valid);
    if (comes) {
        p->open = !v->ends;
        p->vc = flit->vc;
        p->number = flit->number;
        p->stored = flit->head ? v->put.valid : p->stored;
        p->stopped = (!flit->head && p->stopped) || v->full;
        p->begun = !flit->head && p->begun;
        p->began = flit->head ? v->put.count : p->began;
    }
    if (in->valid) {
        p->refused = !in->tail && (p->refused || flit->last);
    }
}

/* Whether this read takes a flit of the packet that comes in, of which the verdict is not known. */
static inline u1 reads_packet(const struct inq_store *self, const struct inq_access *get)
{
    const struct inq_packet *p = &self->packet;

    return get->valid && p->open && p->stored && get->vc == p->vc &&
           (p->begun || get->count == p->began);
}

/* Credit for what was read in the clock before: back, held or, of a truncated packet, none; one goes to the link in a clock. */
static inline void keep_credit(struct inq_store *self, const struct inq_framed *flit,
                               const struct inq_verdict *v)
{
    const struct inq_packet *p = &self->packet;
    u1 other = self->out.read && !self->mine;
    u1 muted = other && self->mute[self->out.vc] != 0;
    rtr_length held = (rtr_length)(p->held + self->mine);
    rtr_length rest = (rtr_length)(p->inside - self->mine + 1);
    rtr_vcs owes = 0;

    for (int i = 0; i < RTR_VCS; i++) {
        owes |= (rtr_vcs)((rtr_vcs)(self->owed[i] != 0) << i);
    }
    rtr_vc next = (rtr_vc)mask_next(owes, self->out.freed.vc);
    u1 gives = owes != 0 && !self->refund.valid;

    self->out.freed = self->refund.valid ? self->refund : (struct head_vc_note){gives, next};
    for (int i = 0; i < RTR_VCS; i++) {
        u1 read = other && self->out.vc == i, comes = flit->vc == i;
        rtr_length back = v->closes && comes ? held : (rtr_length)0;

        self->owed[i] = (inq_owed)(self->owed[i] + back + (read && !muted) - (gives && next == i));
        self->mute[i] =
            v->cut && comes && p->begun ? rest : (rtr_length)(self->mute[i] - (read && muted));
        hls_assert(self->owed[i] <= RTR_PACKET + 2);
    }
}

#endif
