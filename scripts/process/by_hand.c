// SPDX-License-Identifier: Apache-2.0
/*
 * by_hand.c - three processes of rtl_gen/test/processes against the same machines as switches by hand, natively: nanoseconds a clock
 * of both, in turns, and that their registers are the same after each clock.
 *
 *     by_hand MODULE ROUNDS     prints a line for each round: process, switch
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rtl_gen/test/processes/gcd.c"
#include "rtl_gen/test/processes/matrix.c"
#include "rtl_gen/test/processes/predictor.c"

enum { INPUTS = 4096, CLOCKS = 20000000 };

/* ---- by hand ---------------------------------------------------------------------------------------- */

static void gcd_subtract(struct gcd *self)
{
    if (self->b == 0) {
        self->out.result = self->a;
        self->out.ready = self->out.done = 1;
        self->at = GCD_IDLE;
        return;
    }
    if (self->a < self->b) {
        u16 t = self->a;
        self->a = self->b;
        self->b = t;
    } else {
        self->a -= self->b;
    }
    self->at = GCD_RUN;
}

static void gcd_by_hand(struct gcd *self, const struct gcd_in *in)
{
    switch (self->at) {
    case GCD_IDLE:
        if (!in->valid)
            break;
        self->out.ready = self->out.done = 0;
        self->a = in->a;
        self->b = in->b;
        gcd_subtract(self);
        break;
    case GCD_RUN:
        gcd_subtract(self);
        break;
    }
}

static void matrix_next(struct matrix *self)
{
    self->out.valid = 0;
    if (++self->j == MATRIX_SIZE) {
        self->j = 0;
        self->i++;
    }
    if (self->i == MATRIX_SIZE) {
        self->j = MATRIX_SIZE;
        self->out.ready = 1;
        self->at = MATRIX_IDLE;
        return;
    }
    self->out.sum = 0;
    self->k = 0;
    self->at = MATRIX_READ;
}

static void matrix_states(struct matrix *self, const struct matrix_in *in)
{
    switch (self->at) {
    case MATRIX_IDLE:
        if (!in->go)
            break;
        self->out.ready = 0;
        self->i = self->j = self->k = 0;
        self->out.sum = 0;
        self->at = MATRIX_READ;
        break;
    case MATRIX_READ:
        self->a_word = self->a[(u6)(self->i * MATRIX_SIZE + self->k)];
        self->b_word = self->b[(u6)(self->k * MATRIX_SIZE + self->j)];
        self->at = MATRIX_MAC;
        break;
    case MATRIX_MAC:
        self->out.sum += (u40)self->a_word * self->b_word;
        self->at = ++self->k < MATRIX_SIZE ? MATRIX_READ : MATRIX_GIVE;
        self->out.valid = self->at == MATRIX_GIVE;
        break;
    case MATRIX_GIVE:
        if (in->take)
            matrix_next(self);
        break;
    }
}

static void matrix_by_hand(struct matrix *self, const struct matrix_in *in)
{
    matrix_states(self, in);
    if (in->write && !in->second)
        self->a[(u6)in->addr] = in->data;
    if (in->write && in->second)
        self->b[(u6)in->addr] = in->data;
}

static void predictor_update(struct predictor *self)
{
    u16 moved = (u16)((u16)self->scale * predictor_step[self->step]);
    u16 promised = predictor_next(self->past, self->older);
    u16 decoded = self->below ? promised - moved : promised + moved;
    self->older = self->past;
    self->past = decoded;
    self->scale = predictor_scaled(self->scale, self->step);
    self->out.code = (u4)((u4)self->below << 3 | self->step);
    self->out.decoded = decoded;
    self->out.ready = self->out.done = 1;
    self->at = PREDICTOR_IDLE;
}

static void predictor_by_hand(struct predictor *self, const struct predictor_in *in)
{
    switch (self->at) {
    case PREDICTOR_IDLE:
        if (!in->valid)
            break;
        self->out.ready = self->out.done = 0;
        self->sample = in->sample;
        self->at = PREDICTOR_PREDICT;
        break;
    case PREDICTOR_PREDICT: {
        u16 miss = self->sample - predictor_next(self->past, self->older);
        self->below = miss >> 15;
        self->miss = self->below ? (u16)(0 - miss) : miss;
        self->step = 0;
        self->at = PREDICTOR_SEARCH;
        break;
    }
    case PREDICTOR_SEARCH:
        self->at = PREDICTOR_UPDATE;
        if ((u16)((u16)self->scale * predictor_step[self->step]) < self->miss) {
            self->step++;
            if (self->step != 7)
                self->at = PREDICTOR_SEARCH;
        }
        break;
    case PREDICTOR_UPDATE:
        predictor_update(self);
        break;
    }
}

/* ---- both ------------------------------------------------------------------------------------------- */

static unsigned long random_state = 1;

static unsigned draw(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(random_state >> 33);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void differ(const char *module, unsigned clock)
{
    fprintf(stderr, "by_hand: %s differs after clock %u\n", module, clock);
    exit(1);
}

/* Both are called through a pointer that clang does not look behind: neither is inlined. */
#define BOTH(M, FILL)                                                                              \
    static struct M##_in M##_input[INPUTS];                                                        \
    static double M##_time(void (*step)(struct M *, const struct M##_in *), struct M *self)        \
    {                                                                                              \
        void (*volatile call)(struct M *, const struct M##_in *) = step;                           \
        M##_reset(self);                                                                           \
        const double start = now();                                                                \
        for (unsigned i = 0; i < CLOCKS; i++)                                                      \
            call(self, &M##_input[i % INPUTS]);                                                    \
        return (now() - start) / CLOCKS;                                                           \
    }                                                                                              \
    static void M##_rounds(unsigned rounds)                                                        \
    {                                                                                              \
        static struct M a, b;                                                                      \
        for (unsigned i = 0; i < INPUTS; i++) {                                                    \
            struct M##_in *in = &M##_input[i];                                                     \
            FILL;                                                                                  \
        }                                                                                          \
        M##_reset(&a);                                                                             \
        M##_reset(&b);                                                                             \
        for (unsigned i = 0; i < 100 * INPUTS; i++) {                                              \
            M(&a, &M##_input[i % INPUTS]);                                                         \
            M##_by_hand(&b, &M##_input[i % INPUTS]);                                               \
            if (memcmp(&a, &b, sizeof a) != 0)                                                     \
                differ(#M, i);                                                                     \
        }                                                                                          \
        for (unsigned r = 0; r < rounds; r++) {                                                    \
            const double process = M##_time(M, &a), by_hand = M##_time(M##_by_hand, &b);           \
            printf("%.3f %.3f\n", process, by_hand);                                               \
        }                                                                                          \
    }

/* Both begin as zero bytes: where there are no members nothing differs. */
// NOLINTBEGIN(bugprone-suspicious-memory-comparison)
BOTH(gcd, (in->valid = draw() & 1, in->a = (u16)draw(), in->b = (u16)draw()))
BOTH(matrix, (in->go = 1, in->take = draw() & 1, in->write = draw() & 1, in->second = draw() & 1,
              in->addr = (u6)draw(), in->data = (u16)draw()))
BOTH(predictor, (in->valid = draw() & 1, in->sample = (u16)draw()))
// NOLINTEND(bugprone-suspicious-memory-comparison)

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*rounds)(unsigned);
    } module[] = {{"gcd", gcd_rounds}, {"matrix", matrix_rounds}, {"predictor", predictor_rounds}};
    const unsigned rounds = argc == 3 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
    for (unsigned i = 0; rounds && i < sizeof module / sizeof *module; i++)
        if (strcmp(argv[1], module[i].name) == 0) {
            module[i].rounds(rounds);
            return 0;
        }
    fputs("usage: by_hand gcd|matrix|predictor ROUNDS\n", stderr);
    return 1;
}
