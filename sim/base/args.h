// SPDX-License-Identifier: Apache-2.0
/*
 * args.h - the command line of a program as a table of its options, read by argp of glibc.
 *
 * An option is "--name VALUE" or "--name=VALUE", or "--name" alone; its name may be cut short as long as one is meant. --help and
 * --usage are made of the table. The program ends, with one line, at an option that is not in the table (the line has the nearest
 * that is), a value that is missing or none of those wanted, and words that belong to no option if there are too few or too many.
 */
#ifndef SIM_ARGS_H
#define SIM_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum args_kind { ARGS_TEXT, ARGS_FLAG, ARGS_UNSIGNED, ARGS_NUMBER, ARGS_LOAD, ARGS_RATE, ARGS_BY };

/*
 * A row. The name is "--name", or "-N" of one letter. --help prints the help, a sentence without its full stop, which says the
 * unit; what *to holds when args_read is called is the default, and stands behind it in brackets: of numbers if it is one of those
 * wanted, of texts if it is none of zero length.
 */
struct args_option {
    const char *name, *value, *help; /* value: what the help calls it, "FILE" */
    enum args_kind kind;
    void *to;
    uint64_t least, most;
    void (*read)(void *to, const char *name, const char *value);
};

/* ---- rows of the table ------------------------------------------------------------------------ */

static inline struct args_option args_text(const char *name, const char *value, const char **to,
                                           const char *help)
{
    return (struct args_option){name, value, help, .kind = ARGS_TEXT, .to = to};
}

/* Has no value; *to becomes true. */
static inline struct args_option args_flag(const char *name, bool *to, const char *help)
{
    return (struct args_option){name, NULL, help, .kind = ARGS_FLAG, .to = to};
}

/* A number from least to most, as number.h reads it. */
static inline struct args_option args_unsigned(const char *name, unsigned *to, unsigned least,
                                               unsigned most, const char *help)
{
    return (struct args_option){name, "N", help, ARGS_UNSIGNED, to, least, most, NULL};
}

static inline struct args_option args_number(const char *name, uint64_t *to, uint64_t least,
                                             uint64_t most, const char *help)
{
    return (struct args_option){name, "N", help, ARGS_NUMBER, to, least, most, NULL};
}

/* A number above 0 and at most 1. */
static inline struct args_option args_load(const char *name, double *to, const char *help)
{
    return (struct args_option){name, "L", help, .kind = ARGS_LOAD, .to = to};
}

/* A number from 0 to 1. What it holds below 0 is no default. */
static inline struct args_option args_rate(const char *name, double *to, const char *help)
{
    return (struct args_option){name, "X", help, .kind = ARGS_RATE, .to = to};
}

/* Read by a function, which ends the program if the value is none; the help says the default. */
static inline struct args_option
args_by(const char *name, const char *value,
        void (*read)(void *to, const char *name, const char *value), void *to, const char *help)
{
    return (struct args_option){name, value, help, .kind = ARGS_BY, .to = to, .read = read};
}

static inline struct args_option args_end(void)
{
    return (struct args_option){.name = NULL};
}

/* ---- the command line -------------------------------------------------------------------------- */

struct args {
    const char *about;                /* what the program does, for --help; or NULL */
    const struct args_option *option; /* the last is args_end() */
    uint64_t *seed;                   /* if not NULL: --seed, SEED of the environment or 1 */
    void (*more)(void);               /* prints what --help says behind the options; or NULL */
    const char *word;                 /* what belongs to no option: "TOPOLOGY", or NULL */
    const char **words;               /* where it goes, so many */
    unsigned least, most;
};

/* How many words there are. The order of argv may change. */
unsigned args_read(const struct args *args, int argc, char **argv);

#endif
