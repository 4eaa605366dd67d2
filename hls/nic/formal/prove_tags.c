// SPDX-License-Identifier: Apache-2.0
/*
 * prove_tags.c - every tag of orb is in one place (I3): free, outstanding, at memory, in the hand of the answers, in a list of
 * theirs, or in quarantine. So none is lost, none is given out twice, and no list overflows.
 *
 * The first is about any tag G, the last two follow from the sum of all places. What was asserted after a clock is assumed before
 * the next one, of G and of the tags that are looked at. Everything may come in, but
 * memory answers, or rat_local refuses, only what it has been sent, once. Proved by induction, for proto with 4 tags, from the
 * end of a wipe on.
 */
#define MACHINE_PROTO 1

#include "common/prove.h"

#include "config/machine.h"

#undef NIC_TAG_LOG2
#define NIC_TAG_LOG2 2
#undef NIC_DATA_LOG2
#define NIC_DATA_LOG2 3

/* Memories become registers, of which an invariant may read any word in any clock; that of responses is left open. */
#undef HLS_LUTRAM
#define HLS_LUTRAM(reads)

/* What a list, and orb_entries, want of their parent is proved here. */
#undef hls_assume
#define hls_assume(c) prove_assert(c)
#define LIST_BODY
#include "nic/initiator/orb_lists.h"
#include "nic/initiator/orb_entries.c"
#undef hls_assume
#if defined(HLS_RTLGEN)
#define hls_assume(c) hls_rtl_check(HLS_CHECK_ASSUME, (c), #c)
#else
#define hls_assume(c) ((void)(c))
#endif

#include "common/beat/beat_queue.c"
#include "nic/initiator/orb.c"

typedef uint(NIC_TAGS) tag_set;

struct prove_tags_in {
    struct orb_in orb;
    orb_tag g;
};

struct prove_tags_out {
    u1 started;
};

struct prove_tags {
    struct prove_tags_out out;
    orb_tag g;
    tag_set at_memory; /* tags of which a write is under way */
    struct orb dut;
};

PROVE_RESET void prove_tags_reset(struct prove_tags *self)
{
    self->out.started = 0;
    self->g = 0;
    self->at_memory = 0;
    orb_reset(&self->dut);
    for (int i = 0; i < NIC_TAGS; i++) {
        self->dut.given[i] = (struct orb_given){};
        self->dut.returned[i] = 0;
        self->dut.flagged[i] = (struct orb_flagged){};
        self->dut.entries.cold_where[i] = 0;
        self->dut.entries.cold_what[i] = 0;
        self->dut.entries.cold_began[i] = 0;
        self->dut.free.memory[i] = (orb_tag)i;
        self->dut.quarantine.memory[i] = (struct orb_aged){};
        self->dut.flags.memory[i] = (struct orb_end){};
    }
    for (int i = 0; i < 1 << NIC_DATA_LOG2; i++) {
        self->dut.refusals.memory[i] = (struct orb_end){};
    }
    self->dut.free.out.valid = 1;
    self->dut.free.out.count = NIC_TAGS;
    self->dut.free.rd = 1;
}

/* ---- the invariant ------------------------------------------------------------------------------- */

/* Words of a list that name g, and whether the list is in order. */
#define LOOK_INTO(list, tag_of)                                                                    \
    static inline u8 list##_names(const struct list *l, orb_tag g)                                 \
    {                                                                                              \
        u8 names = (u8)(l->out.valid && l->out.front tag_of == g);                                 \
                                                                                                   \
        for (int i = 0; i < (int)(sizeof l->memory / sizeof l->memory[0]); i++) {                  \
            list##_place ahead = (list##_place)((list##_place)i - l->rd);                          \
                                                                                                   \
            names += ahead < (list##_place)(l->wr - l->rd) && l->memory[i] tag_of == g;            \
        }                                                                                          \
        return names;                                                                              \
    }                                                                                              \
    static inline u1 list##_sound(const struct list *l)                                            \
    {                                                                                              \
        list##_place behind = (list##_place)(l->wr - l->rd);                                       \
                                                                                                   \
        return l->out.count == (list##_words)((list##_words)behind + l->out.valid) &&              \
               (l->out.valid || behind <= 1);                                                      \
    }

LOOK_INTO(orb_free_list, )
LOOK_INTO(orb_quarantine, .tag)
LOOK_INTO(orb_refusals, .tag)
LOOK_INTO(orb_flags, .tag)

static inline u1 is_outstanding(const struct orb *dut, orb_tag tag)
{
    return dut->given[tag].gen != dut->returned[tag];
}

/* The answers have this tag: its write is done, or its flag is to be written. */
static inline u1 is_answer(enum orb_kind kind)
{
    return kind == ORB_END || kind == ORB_FLAG;
}

/* On its way to lists. */
static inline u8 ways_of(const struct orb_tags *ended)
{
    return (u8)((u8)ended->flags + ended->frees + ended->rests);
}

static inline u8 hands_with(const struct orb *dut, orb_tag g)
{
    return (u8)((u8)(is_answer(dut->op.kind) && dut->op.tag == g) +
                (is_answer(dut->judged.op.kind) && dut->judged.op.tag == g) +
                (dut->ended.tag == g ? ways_of(&dut->ended) : (u8)0));
}

static inline u1 in_one_place(const struct prove_tags *self, orb_tag g)
{
    const struct orb *dut = &self->dut;
    u8 places = hands_with(dut, g);

    places += is_outstanding(dut, g) + (u8)(u1)(self->at_memory >> g);
    places += orb_free_list_names(&dut->free, g);
    places += orb_quarantine_names(&dut->quarantine, g);
    places += orb_refusals_names(&dut->refusals, g);
    places += orb_flags_names(&dut->flags, g);
    return places == 1;
}

static inline u1 all_there(const struct prove_tags *self)
{
    const struct orb *dut = &self->dut;
    u8 tags =
        (u8)((u8)is_answer(dut->op.kind) + is_answer(dut->judged.op.kind) + ways_of(&dut->ended));
    u8 writes = 0;
    u1 sound = orb_free_list_sound(&dut->free) && orb_quarantine_sound(&dut->quarantine) &&
               orb_refusals_sound(&dut->refusals) && orb_flags_sound(&dut->flags);

    for (int i = 0; i < NIC_TAGS; i++) {
        tags += is_outstanding(dut, (orb_tag)i);
        writes += (u1)(self->at_memory >> i);
    }
    tags += (u8)dut->free.out.count + (u8)dut->quarantine.out.count;
    tags += (u8)dut->refusals.out.count + (u8)dut->flags.out.count;
    return sound && dut->writes == writes && (u8)(tags + writes) == NIC_TAGS;
}

/* ---- a clock ----------------------------------------------------------------------------------- */

static inline tag_set bit_of(u1 valid, nic_tag tag)
{
    return (tag_set)((tag_set)valid << (orb_tag)tag);
}

PROVE_MODULE void prove_tags(struct prove_tags *self, const struct prove_tags_in *in)
{
    const struct orb_in *orb_in = &in->orb;
    u1 done = orb_in->done.valid && orb_in->done.client == MEM_LOCAL;
    u1 refused = orb_in->refused.valid && orb_in->refused.ready;
    tag_set answered = bit_of(done, (nic_tag)orb_in->done.place);
    tag_set refusals = bit_of(refused, orb_in->refused.tag);

    if (!self->out.started) {
        for (int i = 0; i < NIC_TAGS; i++) {
            prove_assert(in_one_place(self, (orb_tag)i));
        }
        prove_assert(all_there(self));
        self->out.started = 1;
        self->g = in->g;
        return;
    }
    /* So it was after the clock before, for every tag. */
    prove_assume(all_there(self));
    prove_assume(in_one_place(self, self->g));
    prove_assume(in_one_place(self, self->dut.op.tag));
    prove_assume(in_one_place(self, self->dut.judged.op.tag));
    prove_assume(in_one_place(self, self->dut.ended.tag));
    prove_assume(!self->dut.free.out.valid || in_one_place(self, self->dut.free.out.front));

    prove_assume(!orb_in->wipe.valid);
    prove_assume((answered & refusals) == 0 && ((answered | refusals) & ~self->at_memory) == 0);
    orb(&self->dut, orb_in);
    self->at_memory &= (tag_set) ~(answered | refusals);
    self->at_memory |= bit_of(self->dut.out.local.valid && self->dut.out.local.head,
                              req_tag(self->dut.out.local.word));
    /* holds orb.places */
    prove_assert(in_one_place(self, self->g));
    prove_assert(all_there(self));
}
