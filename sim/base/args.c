// SPDX-License-Identifier: Apache-2.0
/*
 * args.c - the command line of a program as a table of its options.
 *
 * argp's rows are made of ours. Its flag ARGP_NO_ERRS keeps it silent, about help as well as errors, because an error of its own
 * takes two lines: so --help and --usage are options of this file, and errors are reported here.
 */
#include "sim/base/args.h"

#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/base/program.h"
#include "sim/base/whole.h"

/* Keys of argp: no letters. Row i of the table has KEY_ROW + i, or its letter. */
enum { KEY_HELP = 256, KEY_USAGE, KEY_SEED, KEY_ROW, MOST_NAME = 64, MOST_DISTANCE = 2 };

struct reading {
    const struct args *args;
    const struct argp *argp;
    unsigned words;
};

static unsigned rows_of(const struct args *args)
{
    unsigned rows = 0;
    while (args->option[rows].name)
        rows++;
    return rows;
}

/* ---- argp's table ------------------------------------------------------------------------------ */

/* What the option holds before the command line is read, "" if that is no default. */
static void print_default(const struct args_option *o, char *text, size_t size)
{
    const uint64_t number = o->kind == ARGS_UNSIGNED ? *(unsigned *)o->to
                            : o->kind == ARGS_NUMBER ? *(uint64_t *)o->to
                                                     : 0;
    text[0] = '\0';
    if (o->kind == ARGS_TEXT && *(const char **)o->to && **(const char **)o->to)
        snprintf(text, size, " (%s)", *(const char **)o->to);
    else if (o->kind == ARGS_LOAD || (o->kind == ARGS_RATE && *(double *)o->to >= 0))
        snprintf(text, size, " (%g)", *(double *)o->to);
    else if ((o->kind == ARGS_UNSIGNED || o->kind == ARGS_NUMBER) && number >= o->least &&
             number <= o->most && number != UINT64_MAX)
        snprintf(text, size, " (%" PRIu64 ")", number);
}

static char *help_of(const struct args_option *o)
{
    char usual[200];
    print_default(o, usual, sizeof usual);
    const size_t size = strlen(o->help) + strlen(usual) + 1;
    char *help = sim_alloc(size, 1);
    snprintf(help, size, "%s%s", o->help, usual);
    return help;
}

/* The groups keep the order of the rows: argp sorts within them. */
static struct argp_option *argp_rows(const struct args *args)
{
    const unsigned rows = rows_of(args);
    struct argp_option *table = sim_alloc(rows + 4, sizeof *table), *at = table;
    for (unsigned i = 0; i < rows; i++) {
        const struct args_option *o = &args->option[i];
        const bool letter = o->name[1] != '-';
        *at++ = (struct argp_option){.name = letter ? NULL : o->name + 2,
                                     .key = letter ? o->name[1] : KEY_ROW + (int)i,
                                     .arg = o->value,
                                     .doc = help_of(o),
                                     .group = (int)i + 1};
    }
    if (args->seed)
        *at++ = (struct argp_option){.name = "seed",
                                     .key = KEY_SEED,
                                     .arg = "N",
                                     .doc = "of the random numbers (SEED of the environment, or 1)",
                                     .group = (int)rows + 1};
    *at++ = (struct argp_option){
        .name = "help", .key = KEY_HELP, .doc = "print this", .group = (int)rows + 2};
    *at = (struct argp_option){.name = "usage",
                               .key = KEY_USAGE,
                               .doc = "print the options alone",
                               .group = (int)rows + 3};
    return table;
}

static void free_rows(const struct args *args, struct argp_option *table)
{
    for (unsigned i = 0; i < rows_of(args); i++)
        free((char *)table[i].doc);
    free(table);
}

/* "TOPOLOGY", "[TOPOLOGY...]", or what stands between. */
static void print_words(const struct args *args, char *text, size_t size)
{
    text[0] = '\0';
    if (args->word)
        snprintf(text, size, args->least ? "%s%s" : "[%s%s]", args->word,
                 args->most > 1 ? "..." : "");
}

/* ---- errors ------------------------------------------------------------------------------------- */

static unsigned least_of(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* How many letters are to be put in, left out or changed to make one name of the other (Levenshtein). */
static unsigned distance(const char *a, const char *b)
{
    unsigned row[MOST_NAME + 1] = {0};
    if (strlen(a) > MOST_NAME || strlen(b) > MOST_NAME)
        return MOST_NAME;
    for (unsigned j = 0; j <= strlen(b); j++)
        row[j] = j;
    for (unsigned i = 1; a[i - 1]; i++) {
        unsigned corner = row[0];
        row[0] = i;
        for (unsigned j = 1; b[j - 1]; j++) {
            const unsigned changed = corner + (a[i - 1] != b[j - 1]);
            corner = row[j];
            row[j] = least_of(changed, least_of(row[j], row[j - 1]) + 1);
        }
    }
    return row[strlen(b)];
}

/* The option whose name is these letters, else the first whose name begins with them; NULL if there is none. */
static const struct argp_option *find(const struct argp_option *table, const char *name)
{
    const struct argp_option *first = NULL;
    for (; table->key; table++) {
        if (table->name && strcmp(table->name, name) == 0)
            return table;
        if (!first && table->name && strncmp(table->name, name, strlen(name)) == 0)
            first = table;
    }
    return first;
}

/* Two letters off at most, and less than half of the name. */
static const struct argp_option *nearest(const struct argp_option *table, const char *name)
{
    const struct argp_option *best = NULL;
    unsigned least = MOST_DISTANCE + 1;
    for (; table->key; table++) {
        const unsigned d = table->name ? distance(table->name, name) : least;
        if (d < least && 2 * d < strlen(name))
            best = table, least = d;
    }
    return best;
}

_Noreturn static void unknown(const char *word, const struct argp_option *near)
{
    if (near)
        sim_fail("no option \"%s\"; \"--%s\" is near; see --help", word, near->name);
    sim_fail("no option \"%s\"; see --help", word);
}

/* The option of one letter that the word is, or NULL. */
static const struct argp_option *find_letter(const struct argp_option *table, const char *word)
{
    while (table->key && (table->name || word[0] != '-' || word[1] != table->key || word[2]))
        table++;
    return table->key ? table : NULL;
}

/* argp has refused a word: a name that is none or several, or one with a value too many or too few. */
static void refuse(const struct argp_option *table, const char *word)
{
    char name[MOST_NAME];
    const char *begin = word + strspn(word, "-");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(begin, "="), begin);
    const struct argp_option *o = find(table, name), *near = nearest(table, name);
    const struct argp_option *letter = find_letter(table, word);
    if (letter && letter->arg)
        sim_fail("no value for option \"%s\"; see --help", word);
    const struct argp_option *other = o && strcmp(o->name, name) != 0 ? find(o + 1, name) : NULL;
    if (*name && other)
        sim_fail("option \"%s\" may be \"--%s\" or \"--%s\"", word, o->name, other->name);
    if (*name && o && !o->arg && strchr(begin, '='))
        sim_fail("option \"--%s\" has no value; see --help", o->name);
    if (*name && o && o->arg)
        sim_fail("no value for option \"--%s\"; see --help", o->name);
    unknown(word, near);
}

/* A word where none belongs, perhaps NAME=value as make has it. */
static void refuse_word(const struct argp_option *table, const char *word)
{
    char name[MOST_NAME];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    for (char *c = name; (c = strchr(c, '_')) != NULL;)
        *c = '-';
    for (char *c = name; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    unknown(word, nearest(table, name));
}

/* ---- values ------------------------------------------------------------------------------------- */

static void read_value(const struct args_option *o, const char *value)
{
    switch (o->kind) {
    case ARGS_FLAG:
        *(bool *)o->to = true;
        break;
    case ARGS_TEXT:
        *(const char **)o->to = value;
        break;
    case ARGS_UNSIGNED:
        *(unsigned *)o->to = (unsigned)sim_number(o->name, value, o->least, o->most);
        break;
    case ARGS_NUMBER:
        *(uint64_t *)o->to = sim_number(o->name, value, o->least, o->most);
        break;
    case ARGS_LOAD:
        *(double *)o->to = sim_load(o->name, value);
        break;
    case ARGS_RATE:
        *(double *)o->to = sim_rate(o->name, value);
        break;
    case ARGS_BY:
        o->read(o->to, o->name, value);
        break;
    }
}

static void add_word(struct reading *r, const char *text)
{
    const struct args *args = r->args;
    if (!args->word)
        refuse_word(r->argp->options, text);
    if (r->words == args->most)
        sim_fail("%s: one %s too many; see --help", text, args->word);
    args->words[r->words++] = text;
}

_Noreturn static void help(const struct reading *r, unsigned what)
{
    argp_help(r->argp, stdout, what, program_invocation_short_name);
    if (what != ARGP_HELP_USAGE && r->args->more)
        r->args->more();
    exit(whole_status(true));
}

static const struct args_option *row_of(const struct args *args, int key)
{
    const struct args_option *o = args->option;
    if (key >= KEY_ROW)
        return o + (key - KEY_ROW);
    while (o->name && (o->name[1] == '-' || o->name[1] != key))
        o++;
    return o->name ? o : NULL;
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct reading *r = state->input;
    const struct args_option *o;
    switch (key) {
    case KEY_HELP:
        help(r, ARGP_HELP_LONG | ARGP_HELP_SHORT_USAGE | ARGP_HELP_DOC);
    case KEY_USAGE:
        help(r, ARGP_HELP_USAGE);
    case KEY_SEED:
        *r->args->seed = sim_number("--seed", value, 0, UINT64_MAX);
        return 0;
    case ARGP_KEY_ARG:
        add_word(r, value);
        return 0;
    case ARGP_KEY_ERROR:
        refuse(r->argp->options, state->argv[state->next - 1]);
        return 0;
    case ARGP_KEY_INIT:
    case ARGP_KEY_END:
    case ARGP_KEY_NO_ARGS:
    case ARGP_KEY_SUCCESS:
    case ARGP_KEY_FINI:
        return 0;
    }
    o = row_of(r->args, key);
    if (!o)
        return ARGP_ERR_UNKNOWN;
    read_value(o, value);
    return 0;
}

/* SEED of the environment, 1 if that is missing or empty. */
static uint64_t usual_seed(void)
{
    const char *text = getenv("SEED");
    return text && *text ? sim_number("SEED", text, 0, UINT64_MAX) : 1;
}

unsigned args_read(const struct args *args, int argc, char **argv)
{
    char words[100];
    print_words(args, words, sizeof words);
    struct argp_option *table = argp_rows(args);
    const struct argp argp = {
        .options = table, .parser = parse, .args_doc = words, .doc = args->about};
    struct reading r = {.args = args, .argp = &argp};
    if (args->seed)
        *args->seed = usual_seed();
    const unsigned flags = ARGP_NO_ERRS | ARGP_NO_HELP | ARGP_NO_EXIT | ARGP_LONG_ONLY;
    const error_t error = argp_parse(&argp, argc, argv, flags, NULL, &r);
    if (error)
        sim_fail("the command line cannot be read: %s", strerror(error));
    if (r.words < args->least)
        sim_fail("no %s; see --help", args->word);
    free_rows(args, table);
    return r.words;
}
