// SPDX-License-Identifier: Apache-2.0
/*
 * ss_store.c - flits of one input, per VC.
 *
 * A flit goes to the front at once if nothing of its VC is behind the front and no fetched one needs the write port.
 * Fetched ones take four clocks from a place that is free to one that is filled.
 */
#include "seastar/router/ss_store.h"

#include "common/arbiter.h"

HLS_RESET void ss_store_reset(struct ss_store *self)
{
    self->out = (struct ss_store_out){};
    for (int v = 0; v < SS_VCS; v++) {
        self->write[v] = 0;
        self->read[v] = 0;
        self->stored[v] = 0;
        self->first[v] = 0;
        self->last[v] = 0;
        self->here[v] = 0;
        self->owed[v] = 0;
        self->tails[v] = 0;
    }
    self->reading = 0;
    self->reading_vc = 0;
    self->word = 0;
    self->checked = 0;
    self->checked_vc = 0;
    self->checked_word = 0;
    self->low_syndrome = 0;
    self->high_syndrome = 0;
}

/* What was fetched, right again. Where one word is uncorrectable the tail mark of the other counts. */
static inline struct ss_marked fetched(struct ss_store *self)
{
    struct ss_low_ecc_result low =
        ss_low_ecc_correct((ss_low_ecc_data)self->checked_word, self->low_syndrome);
    struct ss_high_ecc_result high =
        ss_high_ecc_correct((ss_high_ecc_data)ss_high(self->checked_word), self->high_syndrome);

    self->out.corrected = self->checked && (low.corrected || high.corrected);
    self->out.fatal = self->checked && (low.fatal || high.fatal);
    return (struct ss_marked){
        .flit = (ss_flit)(u32)low.data | ((ss_flit)(u32)high.data << 32),
        .tail = low.fatal ? (u1)(high.data >> 32) : (u1)(low.data >> 32),
        .bad = (u1)(low.data >> 33) || low.fatal || high.fatal,
    };
}

/* Counts and marks of the front of one VC, behind a clock in which a flit came and one was popped. */
static inline void count(struct ss_store *self, int v, u1 comes, u1 tail, u1 pops)
{
    if (comes) {
        uint(1 << SS_FRONT_LOG2) bit =
            (uint(1 << SS_FRONT_LOG2))((uint(1 << SS_FRONT_LOG2))1 << self->last[v]);

        self->tails[v] = tail ? (uint(1 << SS_FRONT_LOG2))(self->tails[v] | bit)
                              : (uint(1 << SS_FRONT_LOG2))(self->tails[v] & ~bit);
    }
    self->last[v] += comes;
    self->first[v] += pops;
    self->here[v] = (ss_front_count)(self->here[v] + comes - pops);
    u1 first_tail = (u1)(self->tails[v] >> self->first[v]);

    self->out.some |= (ss_vcs)((ss_vcs)(self->here[v] != 0) << v);
    self->out.tail |= (ss_vcs)((ss_vcs)(self->here[v] != 0 && first_tail) << v);
}

HLS_MODULE void ss_store(struct ss_store *self, const struct ss_store_in *in)
{
    struct ss_marked comes = fetched(self);
    ss_vc comes_vc = self->checked_vc, fetch;
    ss_vcs behind = 0; /* VCs with flits in the memory and a place in front */
    uint(66) popped;

    /* straight to the front */
    u1 straight = in->push && !self->checked && self->stored[in->push_vc] == 0 &&
                  self->owed[in->push_vc] == self->here[in->push_vc] &&
                  self->here[in->push_vc] != (ss_front_count)(1 << SS_FRONT_LOG2);
    u1 stores = in->push && !straight, fills = self->checked || straight;

    for (int v = 0; v < SS_VCS; v++) {
        u1 place = self->owed[v] != (ss_front_count)(1 << SS_FRONT_LOG2);

        behind |= (ss_vcs)((ss_vcs)(self->stored[v] != 0 && place) << v);
    }
    fetch = (u1)(behind >> in->sends) ? in->sends : (ss_vc)mask_index(mask_lowest((u8)behind));

    /* the fetched word is looked at, the next one read */
    self->checked = self->reading;
    self->checked_vc = self->reading_vc;
    self->checked_word = self->word;
    self->low_syndrome = ss_low_ecc_inspect(ss_low(self->word));
    self->high_syndrome = ss_high_ecc_inspect(ss_high(self->word));
    self->reading = behind != 0;
    self->reading_vc = fetch;
    if (behind != 0) {
        self->word = self->memory[((uint(SS_VC_LOG2 + SS_QUEUE_LOG2)) fetch << SS_QUEUE_LOG2) |
                                  self->read[fetch]];
    }
    if (stores) {
        self->memory[((uint(SS_VC_LOG2 + SS_QUEUE_LOG2)) in->push_vc << SS_QUEUE_LOG2) |
                     self->write[in->push_vc]] = ss_encode(in->pushed);
        self->write[in->push_vc]++;
    }

    /* the front */
    popped = self->front[((uint(SS_VC_LOG2 + SS_FRONT_LOG2)) in->pop_vc << SS_FRONT_LOG2) |
                         self->first[in->pop_vc]];
    self->out.popped = (struct ss_marked){
        .flit = (ss_flit)popped, .tail = (u1)(popped >> 64), .bad = (u1)(popped >> 65)};
    hls_assume(!in->pop || (u1)(self->out.some >> in->pop_vc));
    comes = straight ? in->pushed : comes;
    comes_vc = straight ? in->push_vc : comes_vc;
    if (fills) {
        self->front[((uint(SS_VC_LOG2 + SS_FRONT_LOG2)) comes_vc << SS_FRONT_LOG2) |
                    self->last[comes_vc]] =
            (uint(66))comes.flit | ((uint(66))comes.tail << 64) | ((uint(66))comes.bad << 65);
    }
    self->out.some = 0;
    self->out.tail = 0;
    for (int v = 0; v < SS_VCS; v++) {
        u1 fill = fills && comes_vc == (ss_vc)v, pop = in->pop && in->pop_vc == (ss_vc)v;
        u1 fetches = behind != 0 && fetch == (ss_vc)v;
        u1 direct = straight && in->push_vc == (ss_vc)v;
        u1 store = stores && in->push_vc == (ss_vc)v;

        hls_assume(!store || self->stored[v] != (ss_store_count)(1 << SS_QUEUE_LOG2));
        self->owed[v] = (ss_front_count)(self->owed[v] + fetches + direct - pop);
        self->stored[v] = (ss_store_count)(self->stored[v] + store - fetches);
        self->read[v] += fetches;
        count(self, v, fill, comes.tail, pop);
    }
}
