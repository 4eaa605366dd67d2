// SPDX-License-Identifier: Apache-2.0
/* stimulus.c - see stimulus.h. Works on packed words alone; the fields come from M.json. */
#include "tb/equiv/lockstep/stimulus.h"

#include <stdio.h>
#include <stdlib.h>

#include "sim/base/random.h"
#include "tb/base/info.h"
#include "tb/base/packed.h"

enum mood {
    MOOD_ZERO,
    MOOD_ONES,
    MOOD_NOISE,
    MOOD_HOLD,
    MOOD_ONE_HOT,
    MOOD_WALK,
    MOOD_SMALL,
    MOOD_COUNT,
    MOOD_FLIP,
    MOOD_PULSE,
    MOOD_BUSY,
    MOOD_STATE,
    N_MOODS,
    MOOD_RECORD = N_MOODS, /* of this clock, only if there is a record */
    MOOD_OTHER             /* of another clock */
};

struct field {
    unsigned lsb, width;
    enum mood mood;
    unsigned left;      /* clocks until the next mood */
    unsigned state_lsb; /* MOOD_STATE: where the copied registers begin */
    unsigned n_values;  /* an enum's values, or 0 */
    uint64_t *values;
};

struct stimulus {
    struct random random;
    unsigned state_bits;
    unsigned n;
    struct field *field;
    struct {
        const uint32_t *words;
        unsigned step;      /* words of a clock */
        size_t clocks, now; /* the next one */
        size_t away;        /* from there to MOOD_OTHER's */
        unsigned left;      /* clocks of this stretch */
        bool whole;         /* all fields as they were recorded */
        bool replay;        /* nothing else, and each clock once */
        bool fresh;         /* just reset */
    } record;
};

uint64_t random_next(struct random *r)
{
    return splitmix64(&r->state);
}

uint64_t random_below(struct random *r, uint64_t n)
{
    return (uint64_t)(((__uint128_t)random_next(r) * n) >> 64);
}

static unsigned number(const cJSON *object, const char *key)
{
    if (!cJSON_IsNumber(cJSON_GetObjectItemCaseSensitive(object, key))) {
        fprintf(stderr, "stimulus: an input has no number \"%s\"; run rtlgen again\n", key);
        exit(1);
    }
    return info_number(object, key);
}

static void *allocate(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);
    if (p == NULL) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    return p;
}

static void read_values(struct field *f, const cJSON *values)
{
    f->n_values = (unsigned)cJSON_GetArraySize(values);
    f->values = allocate(f->n_values, sizeof *f->values);
    for (unsigned i = 0; i < f->n_values; i++)
        f->values[i] = strtoull(cJSON_GetStringValue(cJSON_GetArrayItem(values, (int)i)), NULL, 16);
}

struct stimulus *stimulus_new(const struct cJSON *inputs, unsigned state_bits, uint64_t seed)
{
    struct stimulus *s = allocate(1, sizeof *s);
    s->random.state = seed;
    s->state_bits = state_bits;
    const cJSON *input;
    cJSON_ArrayForEach(input, inputs) s->n += number(input, "count");
    s->field = allocate(s->n, sizeof *s->field);

    struct field *f = s->field;
    cJSON_ArrayForEach(input, inputs)
    {
        const cJSON *values = cJSON_GetObjectItemCaseSensitive(input, "values");
        unsigned count = number(input, "count"), width = number(input, "width");
        for (unsigned i = 0; i < count; i++, f++) {
            f->lsb = number(input, "lsb") + i * width;
            f->width = width;
            if (values != NULL)
                read_values(f, values);
        }
    }
    stimulus_shake(s);
    return s;
}

void stimulus_free(struct stimulus *s)
{
    for (unsigned i = 0; i < s->n; i++)
        free(s->field[i].values);
    free(s->field);
    free(s);
}

/* The first value of a mood replaces the old one where the later ones build on it. */
static void new_mood(struct stimulus *s, struct field *f, uint32_t *in)
{
    f->mood = (enum mood)random_below(&s->random, N_MOODS);
    f->left = 1 + (unsigned)random_below(&s->random, random_below(&s->random, 8) ? 32 : 512);
    if (s->state_bits == 0 && f->mood == MOOD_STATE)
        f->mood = MOOD_NOISE;
    if (f->mood == MOOD_STATE)
        f->state_lsb = (unsigned)random_below(&s->random, s->state_bits);
    bool noise = f->mood == MOOD_HOLD || f->mood == MOOD_FLIP || f->mood == MOOD_COUNT;
    if (in != NULL && (noise || f->mood == MOOD_WALK)) {
        for (unsigned i = 0; i < f->width; i += 64) {
            unsigned n = f->width - i < 64 ? f->width - i : 64;
            bits_put(in, f->lsb + i, n, noise ? random_next(&s->random) : i == 0);
        }
    }
}

void stimulus_shake(struct stimulus *s)
{
    for (unsigned i = 0; i < s->n; i++)
        new_mood(s, &s->field[i], NULL);
    s->record.left = 8; /* clocks, then the record again */
}

/* ---- recorded inputs ---------------------------------------------------------------------------- */

static const uint32_t *recorded(const struct stimulus *s, size_t clock)
{
    return s->record.words + clock % s->record.clocks * s->record.step;
}

static void copy_field(const struct stimulus *s, const struct field *f, uint32_t *in)
{
    const size_t away = f->mood == MOOD_OTHER ? s->record.away : 0;
    const uint32_t *from = recorded(s, s->record.now + away) + 1;
    bits_copy(in, from, f->lsb, f->width);
}

/* Stretches of all lengths, those without changes longer. */
static void new_stretch(struct stimulus *s, uint32_t *in)
{
    struct random *r = &s->random;
    s->record.whole = s->record.replay || !s->record.whole;
    s->record.left = 1u << random_below(r, s->record.whole ? 14 : 11);
    s->record.away = (size_t)random_below(r, s->record.clocks);
    for (unsigned i = 0; i < s->n; i++) {
        struct field *f = &s->field[i];
        if (s->record.whole || random_below(r, 4) != 0)
            f->mood = MOOD_RECORD;
        else if (random_below(r, 2) != 0)
            f->mood = MOOD_OTHER;
        else
            new_mood(s, f, in);
        f->left = f->mood >= N_MOODS ? s->record.left : f->left;
    }
}

void stimulus_record(struct stimulus *s, const uint32_t *words, size_t size, unsigned in_bits)
{
    s->record.words = words;
    s->record.step = 1 + (in_bits + 31) / 32;
    s->record.clocks = size / s->record.step;
}

void stimulus_replay(struct stimulus *s, const uint32_t *words, size_t size, unsigned in_bits)
{
    stimulus_record(s, words, size, in_bits);
    s->record.replay = true;
}

bool stimulus_over(const struct stimulus *s)
{
    return s->record.replay && s->record.now >= s->record.clocks;
}

bool stimulus_wants_reset(const struct stimulus *s)
{
    return s->record.words != NULL && !s->record.fresh &&
           (s->record.now >= s->record.clocks || recorded(s, s->record.now)[0] != 0);
}

void stimulus_restart(struct stimulus *s)
{
    if (s->record.words == NULL)
        return;
    size_t from = s->record.now;
    if (s->record.replay) {
        while (from < s->record.clocks && recorded(s, from)[0] == 0)
            from++;
    } else {
        from = (size_t)random_below(&s->random, s->record.clocks);
        while (from > 0 && recorded(s, from)[0] == 0)
            from--;
    }
    s->record.now = from;
    s->record.fresh = true;
    s->record.left = 0;
    s->record.whole = false; /* so that the next stretch is */
}

/* ---- the next inputs ---------------------------------------------------------------------------- */

/* Up to 64 bits of a field; `first` for its lowest part. */
static uint64_t part(struct stimulus *s, const struct field *f, uint64_t last, unsigned at,
                     const uint32_t *state)
{
    struct random *r = &s->random;
    switch (f->mood) {
    case MOOD_ONES:
        return ~UINT64_C(0);
    case MOOD_NOISE:
        return random_next(r);
    case MOOD_SMALL:
        return at == 0 ? random_below(r, 4) : 0;
    case MOOD_COUNT:
        return at == 0 ? last + 1 : last;
    case MOOD_PULSE:
        return at == 0 && random_below(r, 16) == 0;
    case MOOD_BUSY:
        return random_below(r, 16) ? ~UINT64_C(0) : random_next(r);
    case MOOD_HOLD:
    case MOOD_FLIP:
    case MOOD_WALK:
        return last;
    case MOOD_STATE: {
        unsigned lsb = (f->state_lsb + at) % s->state_bits;
        unsigned n = s->state_bits - lsb < 64 ? s->state_bits - lsb : 64;
        return bits_get(state, lsb, n);
    }
    default:
        return 0;
    }
}

static void next_field(struct stimulus *s, struct field *f, const uint32_t *state, uint32_t *in)
{
    if (f->mood >= N_MOODS) {
        copy_field(s, f, in);
        return;
    }
    if (f->left-- == 0)
        new_mood(s, f, in);
    if (f->n_values != 0) {
        if (f->mood != MOOD_HOLD || f->left % 32 == 0)
            bits_put(in, f->lsb, f->width, f->values[random_below(&s->random, f->n_values)]);
        return;
    }
    unsigned top = f->lsb + f->width - 1;
    uint64_t carry = bits_get(in, top, 1);
    for (unsigned at = 0; at < f->width; at += 64) {
        unsigned n = f->width - at < 64 ? f->width - at : 64;
        uint64_t last = bits_get(in, f->lsb + at, n);
        uint64_t value = part(s, f, last, at, state);
        if (f->mood == MOOD_WALK)
            value = last << 1 | carry;
        carry = last >> (n - 1) & 1;
        bits_put(in, f->lsb + at, n, value);
    }
    if (f->mood == MOOD_ONE_HOT || f->mood == MOOD_FLIP) {
        unsigned bit = f->lsb + (unsigned)random_below(&s->random, f->width);
        bits_put(in, bit, 1, !bits_get(in, bit, 1));
    }
}

void stimulus_mix(struct stimulus *s, const uint32_t *from, unsigned rare, uint32_t *in)
{
    for (unsigned i = 0; i < s->n; i++) {
        const struct field *f = &s->field[i];
        if (random_below(&s->random, UINT64_C(1) << rare) == 0)
            bits_copy(in, from, f->lsb, f->width);
    }
}

void stimulus_next(struct stimulus *s, const uint32_t *state, uint32_t *in)
{
    if (s->record.words != NULL && s->record.left-- == 0)
        new_stretch(s, in);
    if (s->record.words == NULL && random_below(&s->random, 1024) == 0)
        stimulus_shake(s);
    for (unsigned i = 0; i < s->n; i++)
        next_field(s, &s->field[i], state, in);
    s->record.now++;
    s->record.fresh = false;
}
