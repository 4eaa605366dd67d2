// SPDX-License-Identifier: Apache-2.0
/*
 * args.h - the command line of a program as a table of its options.
 *
 * An option is "--name VALUE", or "--name" alone; what does not begin with - is a topology. The program ends, with one line, at an
 * option that is not in the table, a value that is missing or none of those wanted, or a topology too many.
 */
#ifndef SIM_ARGS_H
#define SIM_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum args_kind { ARGS_TEXT, ARGS_FLAG, ARGS_UNSIGNED, ARGS_NUMBER, ARGS_BY };

struct args_option {
    const char *name;
    enum args_kind kind;
    void *to;
    uint64_t least, most;
    void (*read)(void *to, const char *name, const char *value);
};

/* ---- rows of the table ------------------------------------------------------------------------ */

static inline struct args_option args_text(const char *name, const char **to)
{
    return (struct args_option){.name = name, .kind = ARGS_TEXT, .to = to};
}

/* Has no value; *to becomes true. */
static inline struct args_option args_flag(const char *name, bool *to)
{
    return (struct args_option){.name = name, .kind = ARGS_FLAG, .to = to};
}

/* A number from least to most. */
static inline struct args_option args_unsigned(const char *name, unsigned *to, unsigned least,
                                               unsigned most)
{
    return (struct args_option){
        .name = name, .kind = ARGS_UNSIGNED, .to = to, .least = least, .most = most};
}

static inline struct args_option args_number(const char *name, uint64_t *to, uint64_t least,
                                             uint64_t most)
{
    return (struct args_option){
        .name = name, .kind = ARGS_NUMBER, .to = to, .least = least, .most = most};
}

/* Read by a function, which ends the program if the value is none. */
static inline struct args_option
args_by(const char *name, void (*read)(void *to, const char *name, const char *value), void *to)
{
    return (struct args_option){.name = name, .kind = ARGS_BY, .to = to, .read = read};
}

static inline struct args_option args_end(void)
{
    return (struct args_option){.name = NULL};
}

struct args {
    const struct args_option *option; /* the last is args_end() */
    void (*help)(void);               /* prints what --help wants; the program ends then */
    const char **topology;            /* where topologies go, at most so many */
    unsigned most;
};

/* How many topologies there are. */
unsigned args_read(const struct args *args, int argc, char **argv);

#endif
