// SPDX-License-Identifier: Apache-2.0
/* options.c - see options.h. */
#include "tb/equiv/lockstep/options.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/number.h"

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

[[noreturn]] static void usage(const char *why)
{
    fail("%s\nusage: lockstep --info M.json [--cycles N] [--seed N] [--window N] [--machine name]\n"
         "                [--traps N: so many of the inputs with undefined behaviour go to the "
         "RTL]\n"
         "                [--words \" M.memory ... \": random words in these memories to begin "
         "with |\n"
         "                 --noise \" M.memory ... \": and errors in what is written there]\n"
         "                [--inputs record: these and variations | --half record: from half of the "
         "clocks on |\n"
         "                 --replay record: these, once]\n"
         "                [--json file] [--fst file] [--record file]",
         why);
}

static uint64_t read_number(const char *text)
{
    uint64_t n;
    if (!number_read(text, &n))
        fail("\"%s\" is not a number", text);
    return n;
}

struct options read_options(int argc, char **argv)
{
    struct options o = {
        .cycles = 1000000, .seed = 1, .window = 200, .traps = 64, .machine = "aries"};
    struct {
        const char *name;
        const char **text;
        uint64_t *number;
    } table[] = {
        {"--cycles", NULL, &o.cycles}, {"--seed", NULL, &o.seed},
        {"--window", NULL, &o.window}, {"--machine", &o.machine, NULL},
        {"--words", &o.words, NULL},   {"--noise", &o.noise, NULL},
        {"--inputs", &o.inputs, NULL}, {"--info", &o.info, NULL},
        {"--half", &o.half, NULL},     {"--traps", NULL, &o.traps},
        {"--json", &o.json, NULL},     {"--fst", &o.fst, NULL},
        {"--record", &o.record, NULL}, {"--replay", &o.replay, NULL},
    };
    for (int i = 1; i < argc; i += 2) {
        unsigned k = 0;
        while (k < sizeof table / sizeof *table && strcmp(argv[i], table[k].name) != 0)
            k++;
        if (k == sizeof table / sizeof *table || i + 1 == argc)
            usage(argv[i]);
        if (table[k].text != NULL)
            *table[k].text = argv[i + 1];
        else
            *table[k].number = read_number(argv[i + 1]);
    }
    if (o.info == NULL)
        usage("--info is missing");
    if ((o.inputs != NULL) + (o.replay != NULL) + (o.half != NULL) > 1)
        usage("--inputs, --half and --replay are several runs");
    if (o.cycles == 0)
        usage("--cycles 0 would compare nothing");
    return o;
}
