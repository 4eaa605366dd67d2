// SPDX-License-Identifier: Apache-2.0
/*
 * ce_fold.c - the fold of the collective engines.
 *
 *   clock 0   an engine whose next child is there: its operands are read
 *   clock 1   their codes
 *   clock 2   folded with what the children before made: at once, or into amo_fp, the second operand a clock later
 *
 * A child every other clock, of one engine or of several in turn; of an engine that sums floating point one every six, because each sum
 * waits for the one before.
 */
#include "nic/ce/ce_fold.h"

HLS_RESET void ce_fold_reset(struct ce_fold *self)
{
    self->out = (struct ce_fold_out){};
    amo_fp_reset(&self->adder);
    for (int e = 0; e < CE_ENGINES; e++) {
        self->came[e] = 0;
        self->next[e] = 0;
        self->rest[e] = 0;
    }
    self->flushing = 0;
    self->odd = 0;
    self->last = 0;
    self->asked = (struct ce_turn){};
    self->code = 0;
    self->ready = (struct ce_turn){};
    self->first = 0;
    self->second = 0;
    self->before = (struct ce_pair){};
    self->other = (struct ce_turn){};
    self->other_m = 0;
    self->other_a = 0;
    for (int i = 0; i < FOLD_SUM_CLOCKS; i++) {
        self->sums[i] = (struct ce_turn){};
    }
    self->seconds = 0;
}

/* ---- what an operation does ---------------------------------------------------------------------- */

static inline u1 adds(u6 operation)
{
    return ce_base(operation) == AMO_FPADD;
}

static inline u64 in_width(u64 x, u1 wide)
{
    return wide ? x : (u64)(u32)x;
}

/* A NaN that says so when it is used. */
static inline u1 signals(u64 x, u1 wide)
{
    u1 quiet = wide ? (u1)(x >> 51) : (u1)(x >> 22);

    return amo_is_nan(x, wide) && !quiet;
}

/* The second operand of a minimum or maximum: of the one that was chosen; of equal ones the lowest or the greatest. */
static inline u64 identifier(u6 operation, const struct ce_pair *m, u64 first, u64 second)
{
    u1 wide = (u1)operation;
    u1 floating = (u1)(ce_base(operation) >> 2);
    struct amo_order order = amo_compare(m->first, first, wide, floating);
    u1 m_nan = floating && amo_is_nan(m->first, wide);
    u1 a_nan = floating && amo_is_nan(first, wide);
    u1 equal = (m_nan && a_nan) || (!m_nan && !a_nan && order.equal);
    u1 m_wins = a_nan || (!m_nan && order.less != (u1)ce_base(operation));
    u64 other = in_width(second, wide);
    u1 lower = m->second < other;
    u1 m_stays = equal ? lower != (u1)(operation >> 5) : m_wins;

    return m_stays ? m->second : other;
}

/* Both words, and what exceptions that makes. */
static inline struct ce_pair fold(u6 operation, const struct ce_pair *m, u64 first, u64 second)
{
    u1 wide = (u1)operation;
    u1 floating = (u1)(ce_base(operation) >> 2) && ce_picks(operation);
    struct amo_code code = {.base = ce_base(operation), .wide = wide};
    u1 invalid = floating && (signals(m->first, wide) || signals(first, wide));

    return (struct ce_pair){
        .first = amo_alu(code, m->first, first, 0),
        .second = ce_picks(operation) ? identifier(operation, m, first, second)
                                      : amo_alu(code, m->second, second, 0),
        .exceptions = invalid ? (u4)CE_INVALID : (u4)0,
    };
}

/* ---- clock 0: whose turn it is ------------------------------------------------------------------- */

/* What may happen in this clock. */
struct ce_choice {
    ce_engines wants; /* bit e: the next child of engine e is there */
    ce_engines ends;  /* it is the last one */
    ce_engines sums;  /* for amo_fp */
};

static inline struct ce_choice to_fold(const struct ce_fold *self, const struct ce_fold_in *in)
{
    struct ce_choice c = {};

    for (int e = 0; e < CE_ENGINES; e++) {
        ce_count next = self->next[e];
        u1 there = (u1)(self->came[e] >> (ce_child)next) && next != CE_CHILDREN;
        u1 may = !self->odd && self->rest[e] == 0 && !(u1)(in->clear >> e);

        c.wants |= ce_one(there && may, (ce_engine)e);
        c.ends |= ce_one((ce_count)(next + 1) == in->children[e], (ce_engine)e);
        c.sums |= ce_one(adds(in->operation[e]), (ce_engine)e);
    }
    return c;
}

static inline void choose(struct ce_fold *self, const struct ce_fold_in *in,
                          const struct ce_choice *choice)
{
    ce_engines wants = choice->wants;
    ce_engine e = ce_next(wants, self->last);
    ce_count next = self->next[e];
    u1 ends = (u1)(choice->ends >> e);
    u1 sum = (u1)(choice->sums >> e);

    self->odd = !self->odd;
    self->asked = (struct ce_turn){wants != 0, e, next == 0, in->operation[e]};
    if (wants != 0) {
        self->code = self->operands[ce_place_of(e, (ce_child)next)];
        self->last = e;
        self->next[e] = (ce_count)(next + 1);
        self->rest[e] = ends  ? sum ? (u3)FOLD_REST_ADD : (u3)FOLD_REST
                        : sum ? (u3)FOLD_NEXT_ADD
                              : (u3)0;
    }
}

/* ---- clock 1: codes ------------------------------------------------------------------------------ */

static inline void fix(struct ce_fold *self, const struct ce_pair *before)
{
    struct operand_ecc_result low = operand_ecc_decode((operand_ecc_word)self->code);
    struct operand_ecc_result high =
        operand_ecc_decode((operand_ecc_word)(self->code >> CE_OPERAND_BITS));
    u1 fatal = self->asked.valid && (low.fatal | high.fatal);
    u1 corrected = self->asked.valid && (low.corrected | high.corrected);

    self->ready = self->asked;
    self->before = *before; /* the child before it was applied a clock ago */
    self->first = low.data;
    self->second = high.data;
    if (fatal && !(u1)(self->flushing >> self->asked.engine) &&
        self->out.folded[self->asked.engine].status == STATUS_OK) {
        self->out.folded[self->asked.engine].status = STATUS_UNCORRECTABLE;
    }
    self->out.count = (uint(FOLD_COUNTS))(((uint(FOLD_COUNTS))corrected << FOLD_CORRECTED) |
                                          ((uint(FOLD_COUNTS))fatal << FOLD_FATAL));
}

/* ---- clock 2: together --------------------------------------------------------------------------- */

/* What a sum gave. */
static inline void take_sum(struct ce_fold *self)
{
    struct ce_turn whose = self->sums[FOLD_SUM_CLOCKS - 1];
    u1 second = (u1)(self->seconds >> (FOLD_SUM_CLOCKS - 1));
    struct ce_folded *x = &self->out.folded[whose.engine];

    hls_assert(whose.valid == self->adder.out.done);
    if (whose.valid && !(u1)(self->flushing >> whose.engine)) {
        x->first = second ? x->first : self->adder.out.sum;
        x->second = second ? self->adder.out.sum : x->second;
        x->exceptions |= self->adder.out.exceptions;
    }
}

/* The sum that goes into the adder: the second one of the child before, or the first of this one. */
static inline struct amo_fp_in to_adder(const struct ce_fold *self, const struct ce_fold_in *in,
                                        u1 sums)
{
    struct ce_turn turn = self->other.valid ? self->other : self->ready;

    return (struct amo_fp_in){
        .valid = self->other.valid || sums,
        .wide = (u1)turn.operation,
        .rounding = in->rounding[turn.engine],
        .m = self->other.valid ? self->other_m : self->out.folded[turn.engine].first,
        .a = self->other.valid ? self->other_a : self->first,
    };
}

static inline void apply(struct ce_fold *self, u1 sums)
{
    ce_engine e = self->ready.engine;
    u6 operation = self->ready.operation;
    struct ce_folded *x = &self->out.folded[e];
    struct ce_pair now = fold(operation, &self->before, self->first, self->second);

    hls_assert(!self->ready.valid || !self->other.valid);
    self->seconds = (uint(FOLD_SUM_CLOCKS))((self->seconds << 1) | self->other.valid);
    for (int i = FOLD_SUM_CLOCKS - 1; i > 0; i--) {
        self->sums[i] = self->sums[i - 1];
    }
    self->sums[0] = self->other.valid ? self->other : self->ready;
    self->sums[0].valid = self->other.valid || sums;
    self->other = self->ready;
    self->other.valid = sums;
    self->other_m = x->second;
    self->other_a = self->second;
    if (self->ready.valid && self->ready.alone) {
        x->first = in_width(self->first, (u1)operation);
        x->second = in_width(self->second, (u1)operation);
    } else if (self->ready.valid && !sums && !(u1)(self->flushing >> e)) {
        x->first = now.first;
        x->second = now.second;
        x->exceptions |= now.exceptions;
    }
}

/* ---- children ------------------------------------------------------------------------------------ */

static inline void store(struct ce_fold *self, const struct ce_fold_in *in)
{
    const struct ce_part *part = &in->part;
    ce_engine e = (ce_engine)(part->place >> 5);
    struct ce_folded *x = &self->out.folded[e];

    if (part->valid && !(u1)(in->clear >> e)) {
        self->operands[part->place] =
            (ce_operands)(((ce_operands)operand_ecc_encode(part->second) << CE_OPERAND_BITS) |
                          operand_ecc_encode(part->first));
        self->came[e] |= (ce_children)((ce_children)1 << (ce_child)part->place);
        x->exceptions |= part->exceptions;
        x->status = x->status == STATUS_OK ? part->status : x->status;
    }
}

/* Rests go on; what is forgotten. */
static inline void count_down(struct ce_fold *self, const struct ce_fold_in *in)
{
    for (int e = 0; e < CE_ENGINES; e++) {
        u1 all = self->next[e] == in->children[e] && self->next[e] != 0;
        u1 clear = (u1)(in->clear >> e);
        u1 rests = self->rest[e] != 0;

        self->out.whole = (ce_engines)((self->out.whole & ~ce_one(1, (ce_engine)e)) |
                                       ce_one(all && !rests && !clear, (ce_engine)e));
        self->flushing = (ce_engines)((self->flushing & ~ce_one(!rests, (ce_engine)e)) |
                                      ce_one(clear, (ce_engine)e));
        self->rest[e] = (u3)(self->rest[e] - rests);
        if (clear) {
            self->came[e] = 0;
            self->next[e] = 0;
            self->rest[e] = FOLD_REST_ADD;
            self->out.folded[e].exceptions = 0;
            self->out.folded[e].status = STATUS_OK;
        }
    }
}

HLS_MODULE void ce_fold(struct ce_fold *self, const struct ce_fold_in *in)
{
    u1 sums = self->ready.valid && !self->ready.alone && adds(self->ready.operation);
    struct amo_fp_in add = to_adder(self, in, sums);
    struct ce_choice choice = to_fold(self, in);
    struct ce_pair before = {.first = self->out.folded[self->asked.engine].first,
                             .second = self->out.folded[self->asked.engine].second};

    take_sum(self);
    apply(self, sums);
    fix(self, &before);
    count_down(self, in);
    choose(self, in, &choice);
    store(self, in);
    amo_fp(&self->adder, &add);
    hls_cover(self->asked.valid && self->ready.valid);
    hls_cover(self->flushing != 0 && sums);
}
