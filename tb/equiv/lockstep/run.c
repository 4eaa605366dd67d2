// SPDX-License-Identifier: Apache-2.0
/*
 * run.c - draws inputs until the native model takes them, plays them to the RTL, compares all registers.
 */
#include "tb/equiv/lockstep/run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hls/hls.h"
#include "tb/base/packed.h"
#include "tb/equiv/lockstep/memnoise.h"
#include "tb/equiv/lockstep/memwatch.h"
#include "tb/equiv/lockstep/native.h"

enum {
    RESET_LOG2 = 18,     /* clocks between resets in the middle of a run: at most 2 to this */
    DRAWS = 4,           /* of all inputs, before parts of the last one are taken */
    TRIES = 16,          /* of such parts */
    CHECKS_PLAYED = 8,   /* broken assertions that the RTL has to confirm */
    NATIVE_SLACK = 4096, /* bytes behind the native struct */
};

/* What a clock was made of: of nothing (zeros were refused, too), of zeros alone, of some drawn fields, of all. */
enum drawn { DRAWN_NONE, DRAWN_ZEROS, DRAWN_PARTS, DRAWN };

/* ---- one clock --------------------------------------------------------------------------------- */

/* Its own checks, and what only a watcher sees. */
static enum outcome checked_step(void *self, const void *in)
{
    memwatch_clock();
    if (native_step(cosim_module.step, self, in) == STEP_TRAPPED)
        return STEP_TRAPPED;
    if (memwatch_collision() != NULL)
        hls_checked(HLS_CHECK_ASSERT, "read and write of one address", memwatch_collision()->c, 0);
    if (!cosim_module.enums_hold(self))
        hls_checked(HLS_CHECK_ASSERT, "an enum holds no enumerator", cosim_module.name, 0);
    return native_check.broken ? STEP_CHECKED : STEP_FINE;
}

static void record(struct run *r, unsigned rst)
{
    if (r->vectors == NULL)
        return;
    fprintf(r->vectors, "%u ", rst);
    bits_print(r->vectors, r->in_words, 0, cosim_module.in_bits ? cosim_module.in_bits : 1);
    fputc(' ', r->vectors);
    bits_print(r->vectors, r->state, 0, cosim_module.state_bits);
    fputc('\n', r->vectors);
}

static void reset_both(struct run *r)
{
    cosim_module.reset(r->self);
    cosim_module.pack_state(r->self, r->state);
    cosim_module.rtl_reset(r->rtl);
    states_reset(r->states, r->state);
    record(r, 1);
    r->clock++;
    /* short runs and long ones, as what a reset has to undo may be near or far */
    uint64_t longest = UINT64_C(1) << (2 + random_below(&r->random, RESET_LOG2 - 1));
    r->next_reset =
        r->options->replay != NULL ? UINT64_MAX : r->clock + 1 + random_below(&r->random, longest);
    stimulus_restart(r->stimulus);
}

/*
 * Whether the RTL gets the inputs of this clock. A call that traps ends before all is written, and no reset undoes what the RTL goes on to
 * write into memories: so where there are memories the RTL does not get undefined behaviour.
 */
static bool is_played(const struct run *r, enum outcome outcome)
{
    switch (outcome) {
    case STEP_FINE:
        return true;
    case STEP_CHECKED:
        return r->played < CHECKS_PLAYED;
    default:
        return r->trapped < r->options->traps && cosim_module.n_memories == 0;
    }
}

/* The packed inputs natively; the model is put back unless the RTL gets them, too. */
static enum outcome try_inputs(struct run *r)
{
    cosim_module.unpack_in(r->in_words, r->in);
    const enum outcome outcome = checked_step(r->self, r->in);
    if (!is_played(r, outcome))
        memcpy(r->self, r->saved, cosim_module.self_size);
    return outcome;
}

static void count_refused(struct run *r, enum outcome outcome)
{
    if (outcome == STEP_TRAPPED)
        compared_refused(&r->compared, "undefined behaviour", NULL, 0);
    else
        compared_refused(&r->compared, native_check.text, native_check.file, native_check.line);
}

/*
 * As much of the last draw as the native model takes: fields of it are put among zeros, a few at a time. What it took
 * is in in_words, and played to it.
 */
static enum drawn draw_parts(struct run *r, enum outcome *outcome)
{
    const size_t in_bytes = packed_words(cosim_module.in_bits) * sizeof *r->in_words;
    unsigned rare = 1;
    bool any = false;
    memcpy(r->whole, r->in_words, in_bytes);
    memset(r->parts, 0, in_bytes);
    for (unsigned try = 0; try < TRIES; try++) {
        memcpy(r->in_words, r->parts, in_bytes);
        stimulus_mix(r->stimulus, r->whole, rare, r->in_words);
        if (memcmp(r->in_words, r->parts, in_bytes) == 0)
            continue;
        const enum outcome part = try_inputs(r);
        memcpy(r->self, r->saved, cosim_module.self_size);
        if (part == STEP_FINE) {
            memcpy(r->parts, r->in_words, in_bytes);
            any = true;
        } else {
            rare++;
        }
    }
    memcpy(r->in_words, r->parts, in_bytes);
    *outcome = try_inputs(r);
    return !is_played(r, *outcome) ? DRAWN_NONE : any ? DRAWN_PARTS : DRAWN_ZEROS;
}

/* Draws inputs until the native model takes them, or at least some of them. */
static enum drawn native_clock(struct run *r, enum outcome *outcome)
{
    const size_t in_bytes = packed_words(cosim_module.in_bits) * sizeof *r->in_words;
    memcpy(r->saved, r->self, cosim_module.self_size);
    memcpy(r->last_in, r->in_words, in_bytes);
    for (unsigned try = 0; try < DRAWS; try++) {
        memcpy(r->in_words, r->last_in, in_bytes);
        stimulus_next(r->stimulus, r->state, r->in_words);
        *outcome = try_inputs(r);
        if (is_played(r, *outcome))
            return DRAWN;
        count_refused(r, *outcome);
        if (try > 0)
            stimulus_shake(r->stimulus);
    }
    return draw_parts(r, outcome);
}

/* True while both lives agree. */
static bool one_clock(struct run *r)
{
    enum outcome outcome;
    enum drawn drawn = DRAWN_NONE;
    bool reset = r->clock >= r->next_reset || stimulus_wants_reset(r->stimulus);
    if (!reset) {
        drawn = native_clock(r, &outcome);
        r->compared.given_up += drawn == DRAWN_NONE || drawn == DRAWN_ZEROS;
    }
    if (drawn == DRAWN_NONE) {
        r->resets++;
        reset_both(r);
        return true;
    }
    memnoise_corrupt(r->self);
    cosim_module.pack_state(r->self, r->state);
    int fired = cosim_module.rtl_step(r->rtl, r->in_words, r->rtl_state);
    if (outcome != STEP_TRAPPED) /* which leaves no state to speak of */
        record(r, 0);
    r->clock++;
    if (fired != (outcome != STEP_FINE)) {
        r->wrong = fired ? "an assertion fired in the RTL alone"
                   : outcome == STEP_TRAPPED
                       ? "undefined behaviour in C, and no assertion in the RTL"
                       : "an assertion fired in C alone";
        return false;
    }
    if (outcome != STEP_TRAPPED &&
        memcmp(r->state, r->rtl_state, packed_words(cosim_module.state_bits) * 4) != 0)
        return false;
    if (outcome != STEP_TRAPPED)
        states_clock(r->states, r->state);
    if (drawn != DRAWN_ZEROS && outcome == STEP_FINE)
        compared_clock(&r->compared, r->state, drawn == DRAWN_PARTS);
    if (outcome != STEP_FINE) {
        *(outcome == STEP_TRAPPED ? &r->trapped : &r->played) += 1;
        r->resets++;
        reset_both(r);
    }
    return true;
}

/* ---- a run ------------------------------------------------------------------------------------- */

/* Recorded inputs, as stimulus.h wants them. */
static void read_inputs(struct run *r, const char *name, bool replay)
{
    FILE *f = fopen(name, "rb");
    long size = f != NULL && fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
    if (size <= 0 || fseek(f, 0, SEEK_SET) != 0)
        fail("cannot read %s", name);
    r->inputs = allocate((size_t)size);
    if (fread(r->inputs, 1, (size_t)size, f) != (size_t)size)
        fail("cannot read %s", name);
    fclose(f);
    (replay ? stimulus_replay : stimulus_record)(
        r->stimulus, r->inputs, (size_t)size / sizeof *r->inputs, cosim_module.in_bits);
}

static void say_states(const void *states)
{
    states_say(states);
}

struct run *run_new(const struct options *o, const cJSON *info)
{
    struct run *r = allocate(sizeof *r);
    r->options = o;
    r->info = info;
    r->stimulus = stimulus_new(info_list(info, "inputs"), cosim_module.state_bits, o->seed);
    r->random.state = ~o->seed;
    r->in = allocate(cosim_module.in_size);
    r->self = allocate(cosim_module.self_size + NATIVE_SLACK);
    r->saved = allocate(cosim_module.self_size);
    r->in_words = allocate(packed_words(cosim_module.in_bits) * 4);
    r->last_in = allocate(packed_words(cosim_module.in_bits) * 4);
    r->whole = allocate(packed_words(cosim_module.in_bits) * 4);
    r->parts = allocate(packed_words(cosim_module.in_bits) * 4);
    r->state = allocate(packed_words(cosim_module.state_bits) * 4);
    r->rtl_state = allocate(packed_words(cosim_module.state_bits) * 4);
    if (o->inputs != NULL)
        read_inputs(r, o->inputs, false);
    r->half = o->half == NULL ? UINT64_MAX : o->cycles / 2;
    if (o->replay != NULL)
        read_inputs(r, o->replay, true);
    if (o->noise != NULL || o->words != NULL)
        memnoise_open(&cosim_module, o->noise ? o->noise : o->words, o->info, o->noise != NULL,
                      r->self);
    memwatch_open(&cosim_module, r->self);
    r->states = states_new(info);
    native_endless(say_states, r->states);
    compared_open(&r->compared, packed_words(cosim_module.state_bits));
    r->rtl = cosim_module.rtl_new(NULL);
    return r;
}

void run_free(struct run *r)
{
    cosim_module.rtl_free(r->rtl);
    stimulus_free(r->stimulus);
    compared_close(&r->compared);
    states_free(r->states);
    void *parts[] = {r->in,    r->self,  r->saved,     r->in_words, r->last_in, r->whole,
                     r->parts, r->state, r->rtl_state, r->inputs,   r};
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
        free(parts[i]);
}

double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

bool run_to(struct run *r, uint64_t cycles, uint64_t trace_from, const char *fst)
{
    double reported = now();
    reset_both(r);
    while (r->clock < cycles && !stimulus_over(r->stimulus)) {
        if (r->clock >= r->half) {
            r->half = UINT64_MAX;
            read_inputs(r, r->options->half, false);
            reset_both(r);
        }
        if (fst != NULL && r->clock >= trace_from) {
            cosim_module.rtl_trace(r->rtl, fst);
            fst = NULL;
        }
        if (!one_clock(r))
            return false;
        if (r->clock % 4096 == 0 && now() - reported > 5) {
            reported = now();
            printf("# %s: %" PRIu64 " of %" PRIu64 " clocks\n", cosim_module.name, r->clock,
                   cycles);
            fflush(stdout);
        }
    }
    return true;
}
