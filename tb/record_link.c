// SPDX-License-Identifier: Apache-2.0
/*
 * record_link.c - writes down what a module of the LCB gets as input under real traffic, for lockstep --traffic.
 *
 * Two native LCBs run pieces of an error injection campaign (piece.h). RECORDED names a module inside them. The linker hands
 * its calls to the wrappers below (--wrap=M --wrap=M_reset). Random inputs alone never bring a lane into step nor a
 * word with the right CRC.
 *
 * The file is words of 32 bits: per clock of an instance its packed inputs, before them 1 if it was reset just before and
 * else 0; first all clocks of the first piece's first instance, and so on.
 *
 * Usage: record-<module> FILE=name [PIECES=n] [MICROPACKETS=n, of one piece] [SEED=n]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "piece.h"

#ifndef RECORDED
#define RECORDED lcb
#endif
#define GLUED(a, b, c) a##b##c
#define NAME(a, b, c)  GLUED(a, b, c)

#define REAL_STEP  NAME(__real_, RECORDED, )
#define REAL_RESET NAME(__real_, RECORDED, _reset)
#define WRAP_STEP  NAME(__wrap_, RECORDED, )
#define WRAP_RESET NAME(__wrap_, RECORDED, _reset)
#define COSIM      NAME(, RECORDED, _cosim)

struct RECORDED;
struct NAME(, RECORDED, _in);

extern const struct cosim_module COSIM;

void REAL_STEP(struct RECORDED *self, const struct NAME(, RECORDED, _in) * in);
void REAL_RESET(struct RECORDED *self);
void WRAP_STEP(struct RECORDED *self, const struct NAME(, RECORDED, _in) * in);
void WRAP_RESET(struct RECORDED *self);

enum { INSTANCES = 8, MOST_WORDS = 4096 };

static struct instance {
    const void *self;
    uint32_t reset; /* since its last clock */
    FILE *file;     /* of this piece, until it is added to the others */
} instances[INSTANCES];

static FILE *checked(FILE *file)
{
    if (!file) {
        perror("record_link");
        exit(EXIT_FAILURE);
    }
    return file;
}

static struct instance *find(const void *self)
{
    for (unsigned i = 0; i < INSTANCES; i++) {
        struct instance *at = &instances[i];
        if (!at->self)
            *at = (struct instance){.self = self, .file = checked(tmpfile())};
        if (at->self == self)
            return at;
    }
    fprintf(stderr, "record_link: more than %d instances\n", INSTANCES);
    exit(EXIT_FAILURE);
}

void WRAP_RESET(struct RECORDED *self)
{
    find(self)->reset = 1;
    REAL_RESET(self);
}

void WRAP_STEP(struct RECORDED *self, const struct NAME(, RECORDED, _in) * in)
{
    struct instance *at = find(self);
    uint32_t words[1 + MOST_WORDS] = {at->reset};
    COSIM.pack_in(in, words + 1);
    at->reset = 0;
    fwrite(words, sizeof *words, 1 + (COSIM.in_bits + 31) / 32, at->file);
    REAL_STEP(self, in);
}

/* One instance behind the other. */
static void add_to(FILE *all)
{
    static char part[1 << 16];
    for (unsigned i = 0; i < INSTANCES && instances[i].self; i++) {
        rewind(instances[i].file);
        for (size_t n; (n = fread(part, 1, sizeof part, instances[i].file)) > 0;)
            fwrite(part, 1, n, all);
        fclose(instances[i].file);
        instances[i].self = NULL;
    }
}

static uint64_t number(int argc, char **argv, const char *name, const char *otherwise)
{
    return strtoull(test_argument(argc, argv, name, otherwise), NULL, 0);
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv), pieces = number(argc, argv, "PIECES", "10");
    const struct piece_config config = {
        .micropackets = number(argc, argv, "MICROPACKETS", "1000"),
        .ber = -1,
        .burst_rate = 1e-4,
        .lane_deaths = 5e-5,
        .ack_loss = 0.01,
        .ack_forge = 0.01,
    };
    FILE *all = checked(fopen(test_argument(argc, argv, "FILE", ""), "wb"));
    struct piece_result sum = {0};

    for (uint64_t n = 0; n < pieces; n++) {
        struct piece_result piece;
        piece_run(&config, seed, n, &piece);
        piece_add(&sum, &piece);
        add_to(all);
    }
    tap_note("%" PRIu64 " micropackets, %" PRIu64 " replays, %" PRIu64 " re-initialisations",
             sum.micropackets, sum.replays, sum.reinits);
    tap_ok(piece_good(&sum), "flits as the golden link wants them %s", sum.first_error);
    tap_ok(!ferror(all) && fclose(all) == 0, "the record is written");
    return tap_done();
}
