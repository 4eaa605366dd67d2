// SPDX-License-Identifier: Apache-2.0
/*
 * amo_lazy.c - entries that are dirty, and when they are written.
 *
 * What is retired and what memory has are two counts: `seen` is the second. It follows the first while nothing is dirty, and while nobody asks. An
 * ordered access stops it, one short of what that access waits for if need be, until no entry is dirty and the last write that brought such
 * a change is answered; nothing is kept back meanwhile, so then all that is retired is in memory.
 */
#include "nic/amo/amo_lazy.h"

HLS_RESET void amo_lazy_reset(struct amo_lazy *self)
{
    self->out = (struct amo_lazy_out){};
    self->touched = 0;
    self->left = 0;
    self->covers = 0;
    self->cover = 0;
    self->held = 0;
    self->target = 0;
}

static inline amo_entries one_of(u1 condition, amo_entry entry)
{
    return condition ? bit_of(entry) : (amo_entries)0;
}

/* The first of these ways of the first set that has some. */
static inline amo_entry first_of(amo_entries entries)
{
    amo_set set = AMO_SETS - 1;

    for (int s = AMO_SETS - 2; s >= 0; s--) {
        set = (amo_ways)(entries >> (s * AMO_WAYS)) != 0 ? (amo_set)s : set;
    }
    amo_entry first = (amo_entry)((amo_entry)set << NIC_AMO_WAYS_LOG2);

    return (amo_entry)(first | first_way((amo_ways)(entries >> first)));
}

/* The last write that brought what was dirty. */
static inline void step_cover(struct amo_lazy *self, const struct amo_lazy_in *in, u1 brings)
{
    amo_answers ahead = (amo_answers)(in->done - self->cover - 1);
    u1 answered = !(u1)(ahead >> NIC_PUTS_LOG2);

    self->covers = brings || (self->covers && !answered);
    self->cover = brings ? in->write : self->cover;
}

/* Who waits, and what it sees. */
static inline void step_seen(struct amo_lazy *self, const struct amo_lazy_in *in, u1 quiet)
{
    u1 asks = in->ordered && (in->lazy != 0 || !quiet);
    u1 reached = order_reached(self->target, self->out.seen);
    u1 stops = asks && !self->held && in->retired == in->accepted;
    order_number short_of = (order_number)(in->retired - stops);

    hls_assume((order_number)(in->accepted - self->out.seen) <= AMO_AHEAD);
    self->out.seen = quiet ? in->retired : self->held ? self->out.seen : short_of;
    self->target = in->ordered ? in->accepted : self->target;
    self->held = asks || (self->held && !reached) || (self->held && in->ordered);
}

/* A period is over: what nobody has changed in it is due. */
static inline amo_entries step_period(struct amo_lazy *self, const struct amo_lazy_in *in,
                                      amo_entries changed)
{
    u1 over = self->left == 0;
    amo_entries idle = over ? self->out.dirty & ~self->touched : (amo_entries)0;

    self->touched = (over ? (amo_entries)0 : self->touched) | changed;
    self->left = over || self->left > in->lazy ? in->lazy : (nic_patience)(self->left - 1);
    return idle;
}

HLS_MODULE void amo_lazy(struct amo_lazy *self, const struct amo_lazy_in *in)
{
    u1 was_dirty = (u1)(self->out.dirty >> in->entry);
    u1 keeps = in->changes && !in->gives;
    u1 brings = in->gives && was_dirty;
    amo_entries kept_back = one_of(keeps, in->entry);
    nic_patience before = was_dirty ? self->together[in->entry] : (nic_patience)0;
    u1 last = keeps && (nic_patience)(before + 1) >= in->lazy;
    u1 quiet = self->out.dirty == 0 && !self->covers;
    amo_entries idle = step_period(self, in, kept_back);

    hls_assert((self->out.due & ~self->out.dirty) == 0);
    hls_cover(in->fails && (u1)(self->out.dirty >> in->failed));
    hls_assume(!keeps || !self->out.through);
    if (keeps) {
        self->together[in->entry] = (nic_patience)(before + 1);
    }
    step_cover(self, in, brings);
    step_seen(self, in, quiet);
    self->out.flushing = in->flush || (self->out.flushing && !quiet);
    self->out.through =
        in->lazy == 0 || in->stop || in->op_waits || self->held || self->out.flushing;
    self->out.dirty =
        (self->out.dirty & ~one_of(in->gives, in->entry) & ~one_of(in->fails, in->failed)) |
        kept_back;
    self->out.due = (self->out.due | in->wanted | idle | one_of(last, in->entry) |
                     (self->out.through ? (amo_entries) ~(amo_entries)0 : (amo_entries)0)) &
                    self->out.dirty;

    amo_entries ready = self->out.due & in->rests;

    self->out.offers = ready != 0;
    self->out.first = first_of(ready);
    hls_cover(idle != 0);
    hls_cover(last);
    hls_cover(in->wanted != 0);
    hls_cover(self->held && self->out.dirty != 0);
}
