// SPDX-License-Identifier: Apache-2.0
/*
 * loaded_link.c - the RTL of one module of the LCB in lockstep with the C under real traffic.
 *
 * Two native LCBs run pieces of an error injection campaign (piece.h). LOADED names a module inside them. The linker
 * hands its calls to the wrappers below (--wrap=M --wrap=M_reset), which step the RTL beside the first instance of it.
 * Random inputs (lockstep.c) never bring a lane into step nor a word with the right CRC; this does.
 *
 * Usage: loaded-<module> [PIECES=n] [MICROPACKETS=n, of one piece] [SEED=n] [INFO=module.json] [NOISE=1, random words in block RAMs]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "memnoise.h"
#include "piece.h"

#ifndef LOADED
#define LOADED lcb
#endif
#define GLUED(a, b, c) a##b##c
#define NAME(a, b, c)  GLUED(a, b, c)
#define TEXT_OF(x)     #x
#define TEXT(x)        TEXT_OF(x)

#define REAL_STEP  NAME(__real_, LOADED, )
#define REAL_RESET NAME(__real_, LOADED, _reset)
#define WRAP_STEP  NAME(__wrap_, LOADED, )
#define WRAP_RESET NAME(__wrap_, LOADED, _reset)
#define COSIM      NAME(, LOADED, _cosim)

struct LOADED;
struct NAME(, LOADED, _in);

extern const struct cosim_module COSIM;

void REAL_STEP(struct LOADED *self, const struct NAME(, LOADED, _in) * in);
void REAL_RESET(struct LOADED *self);
void WRAP_STEP(struct LOADED *self, const struct NAME(, LOADED, _in) * in);
void WRAP_RESET(struct LOADED *self);

static struct dut watched;
static struct dut_model model;
static bool power_up; /* the next reset is the first one of a piece */
static bool noise;    /* block RAMs start with random words */
static const char *info;
static uint64_t clocks; /* of the pieces before this one */

static void model_reset(void *self)
{
    REAL_RESET(self);
}

static void model_step(void *self, const void *in)
{
    REAL_STEP(self, in);
}

void WRAP_RESET(struct LOADED *self)
{
    if (power_up) {
        power_up = false;
        dut_start(&watched, TEXT(LOADED), &model, &COSIM, self);
        if (noise)
            memnoise_fill(&COSIM, info, self);
    } else if (watched.self == self) {
        dut_reset(&watched);
    } else {
        REAL_RESET(self);
    }
}

/* The first difference ends the program: nothing after it says more. */
void WRAP_STEP(struct LOADED *self, const struct NAME(, LOADED, _in) * in)
{
    if (watched.self != self) {
        REAL_STEP(self, in);
        return;
    }
    dut_step(&watched, in);
    if (watched.mismatches == 0 && !watched.rtl_failed)
        return;
    dut_explain(&watched, info);
    tap_ok(false, "lockstep " TEXT(LOADED) " under traffic: %" PRIu64 " clocks",
           clocks + watched.clocks);
    exit(tap_done());
}

static uint64_t number(int argc, char **argv, const char *name, uint64_t otherwise)
{
    const char *text = test_argument(argc, argv, name, NULL);
    char *end = NULL;
    const uint64_t value = text ? strtoull(text, &end, 0) : otherwise;
    if (text && (*text == '\0' || *end != '\0')) {
        fprintf(stderr, "loaded_link: %s wants a number, not \"%s\"\n", name, text);
        exit(EXIT_FAILURE);
    }
    return value;
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv), pieces = number(argc, argv, "PIECES", 20);
    const struct piece_config config = {
        .micropackets = number(argc, argv, "MICROPACKETS", 1000),
        .ber = -1,
        .burst_rate = 1e-4,
        .lane_deaths = 5e-5,
        .ack_loss = 0.01,
        .ack_forge = 0.01,
    };
    struct piece_result sum = {0};

    info = test_argument(argc, argv, "INFO", "/dev/null");
    noise = number(argc, argv, "NOISE", 0) != 0;
    model = (struct dut_model){COSIM.self_size, model_reset, model_step};
    for (uint64_t n = 0; n < pieces; n++) {
        struct piece_result piece;
        power_up = true;
        piece_run(&config, seed, n, &piece);
        piece_add(&sum, &piece);
        clocks += watched.clocks;
        dut_free(&watched);
    }
    tap_note("%" PRIu64 " micropackets, %" PRIu64 " replays, %" PRIu64 " re-initialisations",
             sum.micropackets, sum.replays, sum.reinits);
    tap_ok(clocks > 0, "lockstep " TEXT(LOADED) " under traffic: %" PRIu64 " clocks", clocks);
    tap_ok(piece_good(&sum), "flits as the golden link wants them %s", sum.first_error);
    return tap_done();
}
