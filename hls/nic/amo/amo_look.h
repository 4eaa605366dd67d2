// SPDX-License-Identifier: Apache-2.0
/*
 * amo_look.h - the variable of an operation among those of a set, and whether it may begin.
 */
#ifndef AMO_LOOK_H
#define AMO_LOOK_H

#include "nic/amo/amo.h"

#define LOWER_WAYS ((amo_ways)((1 << (AMO_WAYS / 2)) - 1))
#define SUM_CLOCKS 5 /* from a sum's operands to its variable's new value */

/* What becomes of the operation that looks; none: it waits. */
struct amo_look {
    u1 hits;    /* its variable is here */
    u1 fetches; /* ... or comes into a place that nothing needs */
    u1 fails;   /* ... or is not touched: it only needs a place for its answer */
    u1 drops;   /* ... or is not known: it is over */
    amo_entry entry;
    amo_entries
        forgets; /* of a variable whose parts are here as variables of their own, or the other way round */
    amo_entries wants; /* these are to be written: they are in the way, and dirty */
};

static inline amo_set set_of(const struct amo_op *op)
{
    return (amo_set)(op->addr >> 3);
}

static inline amo_tag tag_of(const struct amo_op *op)
{
    u1 wide = amo_is_wide(op->opcode);
    u2 half = (u2)((u2)((u2)(u1)!wide << 1) | ((u1)(op->addr >> 2) & !wide));

    u53 at = (u53)(((u53)op->space << 48) | op->addr);

    return (amo_tag)((amo_tag)((amo_tag)(at >> (3 + AMO_SETS_LOG2)) << 2) | half);
}

/* The first of these ways from `turn` on. */
static inline amo_way way_in_turn(amo_ways ways, amo_way turn)
{
    uint(2 * AMO_WAYS) twice = (uint(2 * AMO_WAYS))(((uint(2 * AMO_WAYS)) ways << AMO_WAYS) | ways);

    return (amo_way)(first_way((amo_ways)(twice >> turn)) + turn);
}

/* Ways of the set that hold the variable, or more, and those that hold less of the same eight bytes. */
struct amo_match {
    amo_ways same;
    amo_ways overlaps;
};

static inline struct amo_match match(amo_tags tags, amo_tag tag)
{
    struct amo_match with = {};

    for (int w = 0; w < AMO_WAYS; w++) {
        amo_tag other = (amo_tag)(tags >> (w * AMO_TAG_BITS));
        u1 eight = other >> 2 == tag >> 2;
        u1 holds = (u2)other == (u2)tag || !(u1)(other >> 1);

        with.same |= (amo_ways)((amo_ways)(eight & holds) << w);
        with.overlaps |= (amo_ways)((amo_ways)(u1)(eight & !holds & !(u1)(tag >> 1)) << w);
    }
    return with;
}

/* The entry whose sum comes out in this clock, if its variable is kept then. */
static inline amo_entries ends_kept(const struct amo *self)
{
    struct amo_run last = self->adding[SUM_CLOCKS - 1];

    return last.valid ? self->cached & bit_of(last.entry) : (amo_entries)0;
}

/* stands: nothing may begin in this clock. */
static inline struct amo_look look(const struct amo *self, amo_tags tags, u1 stands, u1 run_free,
                                   u1 fetch_free)
{
    amo_set set = set_of(&self->op);
    amo_entry first = (amo_entry)((amo_entry)set << NIC_AMO_WAYS_LOG2);
    amo_entries used = self->fetching | self->busy | self->kept | self->leaving;
    amo_entries used_here = used >> first;
    amo_entries hot = self->op.order ? (amo_entries)0 : self->leaving & self->hot;
    amo_entries kept_here = (self->kept | ends_kept(self) | hot) >> first;
    amo_entries still_here = (self->kept & ~self->writing & ~self->lazy.out.dirty) >> first;
    amo_entries dirty_here = (self->kept & self->lazy.out.dirty) >> first;
    struct amo_match m = match(tags, tag_of(&self->op));
    amo_ways in_use = (amo_ways)used_here;
    amo_ways still = (amo_ways)still_here;
    amo_ways same = m.same & in_use;
    amo_ways overlaps = m.overlaps & in_use;
    amo_ways found = same & (amo_ways)kept_here;
    amo_ways unused = (amo_ways)~in_use;
    amo_ways places = unused != 0 ? unused : still;
    u1 looks = self->looks && self->lines.out.may;
    u1 waits = looks && !stands && !self->op.lost;
    /* In an ordered mode it is written behind all that came before: those fetched before it are, a hit does not overtake them; and nothing is kept back. */
    u1 all_written = self->lazy.out.dirty == 0;
    u1 last_hit = !self->op.order || ((self->fetching | self->busy) == 0 && all_written);
    u1 last_miss = !self->op.order || (self->busy == 0 && all_written);
    u1 goes = waits && overlaps == 0;
    u1 hits = found != 0 && !self->op.bad;
    u1 misses = same == 0 && places != 0 && !self->op.bad;
    amo_way way = hits ? first_way(found) : way_in_turn(places, self->turn);
    amo_entries given_up = waits ? overlaps & still : (amo_ways)0;
    /* Places for variables behind this one are made in time: in the half of the set where the turn is not. */
    u1 is_full = unused == 0 && (same == 0 || self->op.bad);
    amo_ways half =
        (u1)(self->turn >> (NIC_AMO_WAYS_LOG2 - 1)) ? LOWER_WAYS : (amo_ways)~LOWER_WAYS;
    amo_ways ahead = places == 0 ? (amo_ways) ~(amo_ways)0 : half;
    amo_ways full = is_full ? (amo_ways)dirty_here & ahead : (amo_ways)0;
    amo_entries wanted = waits ? (amo_ways)(overlaps | full) : (amo_ways)0;

    return (struct amo_look){
        .hits = goes && hits && last_hit && run_free,
        .fetches = goes && misses && last_miss && fetch_free,
        .fails = goes && self->op.bad && places != 0 && run_free,
        .drops = looks && self->op.lost,
        .entry = (amo_entry)(first | way),
        .forgets = given_up << first,
        .wants = wanted << first,
    };
}

#endif
