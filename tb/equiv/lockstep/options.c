// SPDX-License-Identifier: Apache-2.0
/* options.c - see options.h. */
#include "tb/equiv/lockstep/options.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/base/args.h"

void fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("lockstep: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(1);
}

void *allocate(size_t bytes)
{
    void *p = calloc(1, bytes ? bytes : 1);
    if (p == NULL)
        fail("out of memory");
    return p;
}

struct options read_options(int argc, char **argv)
{
    struct options o = {.cycles = 1000000, .window = 200, .traps = 64, .machine = "aries"};
    const struct args_option rows[] = {
        args_text("--info", "FILE", &o.info,
                  "what rtlgen says of the module, M.json; it is wanted"),
        args_number("--cycles", &o.cycles, 1, UINT64_MAX, "clocks"),
        args_text("--machine", "NAME", &o.machine, "of the report"),
        args_number("--traps", &o.traps, 0, UINT64_MAX,
                    "inputs with undefined behaviour of the C that go to the RTL, too"),
        args_text("--words", "MEMORIES", &o.words,
                  "random words in these to begin with: \" M.memory ... \""),
        args_text("--noise", "MEMORIES", &o.noise, "the same, and errors in what is written there"),
        args_text("--inputs", "FILE", &o.inputs, "the inputs of a record and variations of them"),
        args_text("--half", "FILE", &o.half, "the same from half of the clocks on"),
        args_text("--replay", "FILE", &o.replay, "the inputs of a record, once"),
        args_text("--record", "FILE", &o.record, "write down inputs, outputs and registers"),
        args_text("--json", "FILE", &o.json, "the report"),
        args_text("--fst", "FILE", &o.fst, "waveform around the first difference"),
        args_number("--window", &o.window, 0, UINT64_MAX, "clocks of the waveform before it"),
        args_end()};
    const struct args args = {.about = "Runs a module as C and as Verilog side by side and "
                                       "compares all registers in each clock.",
                              .option = rows,
                              .seed = &o.seed};
    program_invocation_short_name = (char *)"lockstep";
    (void)args_read(&args, argc, argv);
    if (o.info == NULL)
        fail("no --info M.json; see --help");
    if ((o.inputs != NULL) + (o.replay != NULL) + (o.half != NULL) > 1)
        fail("--inputs, --half and --replay are several runs");
    return o;
}
