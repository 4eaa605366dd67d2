// SPDX-License-Identifier: Apache-2.0
/*
 * prove_contexts.c - npt never gets a context that it has no place for, from rat_net, which looks at its room (I7).
 *
 * The contexts that npt holds and those that rat will still send, for heads in its stages, are never more than there are
 * places: of reads, and of writes with all that is refused. Any packets, room of memory, writes of the driver, answers of memory and
 * of the network, in any order; but packets come whole, and a message or event has data behind its head, as unpack wants it. Proved by induction, at proto's
 * size; the queue of rat hands out anything else.
 */
#define MACHINE_PROTO 1

#include "common/prove.h"

#include "common/beat/beat_queue.h"
#include "nic/target/npt.c"
#define count_status count_refusals /* both have one */
#include "nic/target/rat.c"
#undef count_status

HLS_MODULE void beat_queue(struct beat_queue *self, const struct beat_queue_in *in)
{
    (void)self; /* prove_contexts sets what it hands out */
    (void)in;
}

HLS_RESET void beat_queue_reset(struct beat_queue *self)
{
    self->out = (struct beat_queue_out){};
    self->staged = 0;
    self->inside[0] = 0;
    self->rd[0] = 0;
    self->wr[0] = 0;
    self->code = 0;
}

struct prove_contexts_in {
    struct rat_in rat;
    struct beat_queue_out queue;
    struct npt_in npt;
};

struct prove_contexts_out {
    u1 started;
};

struct prove_contexts {
    struct prove_contexts_out out;
    u1 data_next; /* what left the queue last was no tail */
    struct rat rat;
    struct npt npt;
};

PROVE_RESET void prove_contexts_reset(struct prove_contexts *self)
{
    self->out.started = 0;
    self->data_next = 0;
    rat_reset(&self->rat);
    npt_reset(&self->npt);
}

/* ---- the invariant ------------------------------------------------------------------------------- */

typedef u9 contexts;

static inline u1 is_head(const struct beat *beat)
{
    return beat->valid && beat->head;
}

/* Its first data beat completes its context, or its last one, of END and NOTE. */
static inline u1 brings_event(beat_word head)
{
    return is_event(head) || is_end(head);
}

static inline u1 is_get(const struct beat *beat)
{
    return is_head(beat) && is_read(beat->word);
}

/* On their way from rat: all, and those that may be of reads. */
static inline contexts on_their_way(const struct rat *rat)
{
    contexts n = (contexts)((contexts)rat->out.context.valid + rat->event_wanted);

    return (contexts)(n + is_head(&rat->asked) + is_head(&rat->named) + is_head(&rat->placed));
}

static inline contexts reads_on_their_way(const struct rat *rat)
{
    contexts n = (contexts)(u1)(rat->out.context.valid && rat->out.context.read);

    return (contexts)(n + is_get(&rat->asked) + is_get(&rat->named) + is_get(&rat->placed));
}

/* A beat behind which comes data; the head of a message or event is one. */
static inline u1 goes_on(const struct beat *beat)
{
    return beat->valid && !beat->tail;
}

static inline u1 is_whole(const struct beat *beat)
{
    return !is_head(beat) || !brings_event(beat->word) || !beat->tail;
}

/* The next beat behind one that is no tail is no head, wherever the two are. */
static inline u1 in_order(const struct prove_contexts *self)
{
    const struct rat *rat = &self->rat;
    u1 whole = is_whole(&rat->asked) && is_whole(&rat->named) && is_whole(&rat->placed);
    u1 named_next = rat->asked.valid ? (u1)!rat->asked.head : self->data_next;
    u1 placed_next = rat->named.valid ? (u1)!rat->named.head : named_next;
    u1 passed_next = rat->placed.valid ? (u1)!rat->placed.head : placed_next;

    return whole && (!goes_on(&rat->asked) || self->data_next) &&
           (!goes_on(&rat->named) || named_next) && (!goes_on(&rat->placed) || placed_next) &&
           (!rat->event_wanted || (passed_next && !rat->out.context.read));
}

static inline u1 fits(const struct prove_contexts *self)
{
    const struct npt *npt = &self->npt;
    contexts writes = (contexts)((contexts)npt->puts + on_their_way(&self->rat));
    contexts reads = (contexts)((contexts)npt->gets + reads_on_their_way(&self->rat));

    contexts stored = (contexts)((contexts)npt->waiting[0] + npt->waiting[1]);
    u1 placed = npt->puts == (contexts)(stored + npt->put_staged) &&
                (npt_get)(npt->get_write - npt->get_read) == (npt_get)(npt->gets - npt->get_staged);

    return placed && writes <= PUTS && reads <= GETS && npt->gets >= npt->get_staged &&
           (!npt->out.room_write || npt->puts <= PUTS - RAT_AHEAD) &&
           (!npt->out.room_read || npt->gets <= GETS - RAT_AHEAD);
}

/* ---- a clock ------------------------------------------------------------------------------------- */

PROVE_MODULE void prove_contexts(struct prove_contexts *self, const struct prove_contexts_in *in)
{
    struct rat_in to_rat = in->rat;
    struct npt_in to_npt = in->npt;
    const struct beat *front = &in->queue.front;

    if (!self->out.started) {
        prove_assert(fits(self) && in_order(self));
        self->out.started = 1;
        return;
    }
    prove_assume(fits(self) && in_order(self)); /* so it was after the clock before */

    prove_assume(!front->valid || !self->data_next || !front->head);
    prove_assume(is_whole(front));
    prove_assume(!to_npt.reply.valid || !to_npt.reply.head || self->npt.get_staged);
    to_rat.is_local = 0;
    to_rat.room_read = self->npt.out.room_read;
    to_rat.room_write = self->npt.out.room_write;
    to_npt.context = self->rat.out.context;
    self->rat.queue.out = in->queue;
    prove_assert(!to_npt.context.valid || to_npt.context.read || self->npt.puts != PUTS);
    /* axi_master and parb answer what they took, each once: test_npt, test_nic_together */
    prove_assume(self->npt.answered[0] != PUTS && self->npt.answered[1] != PUTS);
    prove_assume(self->npt.released != PUTS);
    prove_assert(!to_npt.context.valid || !to_npt.context.read || self->npt.gets != GETS);
    npt(&self->npt, &to_npt);
    rat(&self->rat, &to_rat);
    if (self->rat.asked.valid && in->rat.room_memory && !in->rat.write.valid &&
        !in->rat.wipe.valid) {
        self->data_next = !front->tail;
    }
    /* holds npt.room */
    prove_assert(fits(self));
    prove_assert(in_order(self));
    prove_cover(self->npt.puts != 0 && self->npt.gets != 0);
}
