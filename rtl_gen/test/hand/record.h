// SPDX-License-Identifier: Apache-2.0
/*
 * record.h - what the *_record.c programs share: random numbers, the failing of checks, and the
 * recording itself: per clock one line of binary words that the test bench in Verilog reads.
 */
#ifndef RECORD_H
#define RECORD_H

#include <stdio.h>
#include <stdlib.h>

#include "hls.h"
#include "sim/base/args.h"

typedef uint(128) record_word;

void hls_checked(enum hls_check_kind kind, const char *text, const char *file, int line)
{
    if (kind == HLS_CHECK_COVER)
        return;
    fprintf(stderr, "%s:%d: failed: %s\n", file, line, text);
    exit(1);
}

static uint64_t record_state;

/* splitmix64 (Vigna, public domain) */
static unsigned long long record_draw(void)
{
    unsigned long long z = record_state += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

static bool record_chance(unsigned in_1024)
{
    return record_draw() % 1024 < in_1024;
}

static void record_put(record_word value, unsigned bits)
{
    while (bits-- > 0)
        putchar('0' + (int)(value >> bits & 1));
}

/* An output that means something only at times: "z" is not compared. */
[[maybe_unused]] static void record_if(bool matters, record_word value, unsigned bits)
{
    if (matters) {
        record_put(value, bits);
        return;
    }
    while (bits-- > 0)
        putchar('z');
}

/* Reads the command line of every recorder. Returns the clocks. */
static unsigned long record_start(int argc, char **argv)
{
    uint64_t clocks = 30000;
    const struct args_option rows[] = {
        args_number("--clocks", &clocks, 1, UINT64_MAX, "clocks that are recorded"), args_end()};
    const struct args args = {.about = "Records inputs and outputs of a block on random traffic.",
                              .option = rows,
                              .seed = &record_state};
    (void)args_read(&args, argc, argv);
    return clocks;
}

#endif
