// SPDX-License-Identifier: Apache-2.0
/*
 * prove_ids.c - every id of ssid is in one place (I4): free, or in use; if so open, closed with answers to come, in a list of what
 * is to be reported, being reported, or stale. So none is lost, none is given out twice or before nothing of it is outstanding and its
 * events have been taken, and no list overflows.
 *
 * Asserted of any id G after each clock; assumed of all ids before the next one. Everything may come in, but a packet's beats
 * follow its head, a CLOSE has more than that, a channel that has a transaction open does not OPEN, and orb answers each
 * request once and has no more than NIC_TAGS of them. Proved by induction, for proto with 4 ids, 4 tags and 2 channels of each kind, from
 * the end of a wipe on.
 */
#define MACHINE_PROTO 1

#include "common/prove.h"

#include "config/machine.h"

#undef NIC_SSID_LOG2
#define NIC_SSID_LOG2 2
#undef NIC_TAG_LOG2
#define NIC_TAG_LOG2 2
#undef NIC_FMA_LOG2
#define NIC_FMA_LOG2 1
#undef NIC_BTE_SLOTS_LOG2
#define NIC_BTE_SLOTS_LOG2 0

/* Memories become registers, of which an invariant may read any word in any clock. */
#undef HLS_LUTRAM
#define HLS_LUTRAM(reads)

/* What a list wants of its parent is proved here. */
#undef hls_assume
#define hls_assume(c) prove_assert(c)
#define LIST_BODY
#include "nic/initiator/ssid_lists.h"
#undef hls_assume
#define hls_assume(c) prove_assume(c)

#include "nic/initiator/ssid.c"

struct prove_ids_in {
    struct ssid_in ssid;
    ssid_id g;
};

struct prove_ids_out {
    u1 started;
};

struct prove_ids {
    struct prove_ids_out out;
    ssid_id g;
    u1 inside; /* of the packet that comes in a tail is still to come */
    struct ssid dut;
};

PROVE_RESET void prove_ids_reset(struct prove_ids *self)
{
    self->out.started = 0;
    self->g = 0;
    self->inside = 0;
    ssid_reset(&self->dut);
    for (int i = 0; i < NIC_SSIDS; i++) {
        self->dut.sent[i] = (struct ssid_sent){};
        self->dut.answered[i] = (struct ssid_answered){};
        self->dut.birth[i] = (struct ssid_birth){};
        self->dut.gone[i] = 0;
        self->dut.channel[i] = 0;
        self->dut.cold_data[i] = 0;
        self->dut.cold_where[i] = 0;
        self->dut.cold_to[i] = (struct ssid_to){};
        self->dut.seqs[i] = (struct ssid_seq){};
        self->dut.free.memory[i] = (ssid_id)i;
        self->dut.closed.memory[i] = (struct ssid_closed){};
        self->dut.over.memory[i] = (struct ssid_over){};
        self->dut.stale.memory[i] = (struct ssid_stale){};
    }
    for (int i = 0; i < 1 << NIC_CHANNEL_LOG2; i++) {
        self->dut.current[i] = (struct ssid_current){};
    }
    for (int i = 0; i < NIC_FMAS; i++) {
        self->dut.limits[i] = 0;
        self->dut.passed[i] = 0;
        self->dut.returned[i] = 0;
    }
    self->dut.free.out.valid = 1;
    self->dut.free.out.count = NIC_SSIDS;
    self->dut.free.rd = 1;
}

/* ---- the invariant ------------------------------------------------------------------------------- */

/* Words of a list that are `is`, and whether the list is in order. */
#define LOOK_INTO(name, list, word_type, is)                                                       \
    static inline u4 name(const struct list *l, ssid_id g)                                         \
    {                                                                                              \
        word_type word = l->out.front;                                                             \
        u4 names = (u4)(l->out.valid && (is));                                                     \
                                                                                                   \
        for (int i = 0; i < NIC_SSIDS; i++) {                                                      \
            list##_place ahead = (list##_place)((list##_place)i - l->rd);                          \
                                                                                                   \
            word = l->memory[i];                                                                   \
            names += ahead < (list##_place)(l->wr - l->rd) && (is);                                \
        }                                                                                          \
        return names;                                                                              \
    }

#define IN_ORDER(list)                                                                             \
    static inline u1 list##_sound(const struct list *l)                                            \
    {                                                                                              \
        list##_place behind = (list##_place)(l->wr - l->rd);                                       \
                                                                                                   \
        return l->out.count == (list##_words)((list##_words)behind + l->out.valid) &&              \
               (l->out.valid || behind <= 1);                                                      \
    }

LOOK_INTO(in_free, ssid_free_list, ssid_id, word == g)
LOOK_INTO(in_closed, ssid_closed_list, struct ssid_closed, word.id == g)
LOOK_INTO(in_closed_over, ssid_closed_list, struct ssid_closed, word.id == g && word.over)
LOOK_INTO(in_closed_note, ssid_closed_list, struct ssid_closed, word.id == g && word.note)
LOOK_INTO(in_closed_both, ssid_closed_list, struct ssid_closed,
          word.id == g && word.note && word.over)
LOOK_INTO(in_over, ssid_over_list, struct ssid_over, word.id == g && !word.note)
LOOK_INTO(in_over_note, ssid_over_list, struct ssid_over, word.id == g && word.note)
LOOK_INTO(in_stale, ssid_stale_list, struct ssid_stale, word.id == g)
IN_ORDER(ssid_free_list)
IN_ORDER(ssid_closed_list)
IN_ORDER(ssid_over_list)
IN_ORDER(ssid_stale_list)

/* Who can still send requests of g, or its CLOSE: its channel, the CLOSE that is coming in, the one that came. */
static inline u4 holders(const struct ssid *dut, ssid_id g)
{
    u4 n = (u4)(dut->closing && dut->close.valid && dut->close.id == g);

    n += dut->op.kind == SSID_CLOSE && dut->op.id == g;
    for (int c = 0; c < 1 << NIC_CHANNEL_LOG2; c++) {
        n += dut->current[c].valid && dut->current[c].id == g;
    }
    return n;
}

/* The local event of what is being reported has been posted, or is not wanted. */
static inline u1 local_done(const struct ssid *dut)
{
    u1 lost = ssid_data_ecc_decode(dut->report_data).fatal ||
              ssid_where_ecc_decode(dut->report_where).fatal;

    return !dut->report.local || lost || dut->local_posted;
}

/* NOTE of g is listed, or being sent, from when it is due until it has gone into the stream. */
static inline u1 note_in_one_place(const struct ssid *dut, ssid_id g, u1 used)
{
    const struct ssid_sent *sent = &dut->sent[g];
    u1 shut = used && sent->closed;
    u1 due = sent->noting || dut->answered[g].noting;
    u1 sending = dut->reports && dut->report.id == g && dut->report.note;
    u4 places = (u4)((u4)sending + in_closed_note(&dut->closed, g) + in_over_note(&dut->over, g));
    u1 leaves = dut->op.kind == SSID_NOTE && dut->op.id == g;

    return places == (u4)(shut && due && !sent->noted) && in_closed_both(&dut->closed, g) == 0 &&
           (shut || !dut->answered[g].noting) &&
           (!used || shut || (!sent->noting && !sent->noted)) &&
           leaves == (sending && dut->note_sent) &&
           (!shut || !sent->noted || due || in_stale(&dut->stale, g) != 0);
}

/* What is being reported is over, or NOTE is next, and that goes once. */
static inline u1 report_sound(const struct ssid *dut)
{
    u1 sending = dut->reports && dut->report.note && local_done(dut);

    return (!dut->reports || !dut->report.note || !dut->report.over) &&
           (!dut->out.note.valid || (sending && !dut->note_sent)) && (!dut->note_sent || sending) &&
           (dut->op.kind != SSID_NOTE || dut->note_sent);
}

static inline u1 in_one_place(const struct ssid *dut, ssid_id g)
{
    u1 used = dut->birth[g].turn != dut->gone[g];
    u1 opens = dut->op.kind == SSID_OPEN && dut->op.id == g;
    u1 sends = (dut->op.kind == SSID_REQUEST || dut->op.kind == SSID_REFUSED) && dut->op.id == g;
    u1 answered = dut->sent[g].count == dut->answered[g].count;
    u1 live = used && !dut->sent[g].closed;
    u1 reported = dut->reports && dut->report.id == g;
    u4 closed = in_closed(&dut->closed, g), stale = in_stale(&dut->stale, g);
    u4 over = (u4)(reported && dut->report.over) + in_over(&dut->over, g);
    u1 place = (u4)((u4)used + opens + in_free(&dut->free, g)) == 1;
    u1 due = dut->sent[g].noting || dut->answered[g].noting;
    u1 told = !due || dut->sent[g].noted;
    u1 ended = (u4)(stale + over + in_closed_over(&dut->closed, g)) ==
               (u4)(used && dut->sent[g].closed && answered && told);
    u1 shut = used && !live;
    u1 listed = closed <= 1 && (shut || (closed == 0 && !reported)) && (!reported || closed == 0) &&
                (stale == 0 || (closed == 0 && !reported)) &&
                (closed == 0 || over + in_over_note(&dut->over, g) == 0 || dut->closed.out.valid);
    u1 held = holders(dut, g) == (u4)(opens || live);

    return place && ended && listed && held && (!sends || live) && (used || answered) &&
           note_in_one_place(dut, g, used);
}

static inline u1 sound(const struct ssid *dut)
{
    return dut->op.kind <= SSID_NOTE && report_sound(dut) && ssid_free_list_sound(&dut->free) &&
           ssid_closed_list_sound(&dut->closed) && ssid_over_list_sound(&dut->over) &&
           ssid_stale_list_sound(&dut->stale);
}

/* ---- a clock ----------------------------------------------------------------------------------- */

PROVE_MODULE void prove_ids(struct prove_ids *self, const struct prove_ids_in *in)
{
    struct ssid *dut = &self->dut;
    const struct beat *beat = &in->ssid.request;
    ssid_id sends = dut->op.id;

    if (!self->out.started) {
        for (int i = 0; i < NIC_SSIDS; i++) {
            prove_assert(in_one_place(dut, (ssid_id)i));
        }
        prove_assert(sound(dut) && (!dut->closing || self->inside));
        self->out.started = 1;
        self->g = in->g;
        return;
    }
    /* So it was after the clock before, for every id. */
    for (int i = 0; i < NIC_SSIDS; i++) {
        prove_assume(in_one_place(dut, (ssid_id)i));
    }
    prove_assume(sound(dut) && (!dut->closing || self->inside));

    prove_assume(!in->ssid.wipe.valid);
    prove_assume(!beat->valid || beat->head == !self->inside);
    prove_assume(!beat->head || !beat->tail || !(u1)req_channel(beat->word));
    prove_assume(!beat->valid || !beat->head || beat->bad || req_cmd(beat->word) != CMD_OPEN ||
                 !dut->current[place_of_channel((u8)(req_channel(beat->word) >> 1))].valid);
    prove_assume(!in->ssid.answer.valid || in->ssid.answer.ssid < NIC_SSIDS);
    /* tarb sends NOTE when it stands there, and says so in the clock in which its head comes */
    prove_assume(in->ssid.note_taken ==
                 (beat->valid && beat->head && !beat->bad && !(u1)req_channel(beat->word) &&
                  req_cmd(beat->word) == CMD_NOTE));
    prove_assume(!in->ssid.note_taken || dut->out.note.valid);
    prove_assume(dut->op.kind == SSID_NOTHING || dut->op.kind == SSID_OPEN ||
                 (ssid_requests)(dut->sent[sends].count - dut->answered[sends].count) < NIC_TAGS);
    ssid(dut, &in->ssid);
    self->inside = beat->valid ? (u1)!beat->tail : self->inside;
    /* holds ssid.places */
    prove_assert(in_one_place(dut, self->g));
    prove_assert(sound(dut) && (!dut->closing || self->inside));
}
