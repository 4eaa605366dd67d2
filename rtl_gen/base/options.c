// SPDX-License-Identifier: Apache-2.0
/*
 * options.c - the command line. Anything wrong with it is one line on stderr.
 */
#include "base/options.h"
#include "base/diag.h"
#include "base/output.h"
#include "base/util.h"
#include "sim/base/number.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The budget; see budget.c. */
#define MEMORY     2000
#define STEPS      20000000
#define TEXT(x)    TEXT_OF(x)
#define TEXT_OF(x) #x

static const char usage[] =
    "usage: rtlgen [options] file.c ...\n"
    "Lowers hardware descriptions in C to Verilog.\n"
    "\n"
    "  -I DIR         search DIR for #include\n"
    "  -D NAME=VALUE  define a macro\n"
    "  -o DIR         write the output into DIR (default: here)\n"
    "  --top MODULE   only MODULE and what is instantiated under it\n"
    "  --prefix NAME  put NAME in front of the names of all modules and files\n"
    "  --sv PACKAGE   SystemVerilog: ports are structs, of types in PACKAGE\n"
    "  --states WAY   processes with an arm for each state (arms) or all states as\n"
    "                 one group (group); without it the smaller of both\n"
    "  --report       print what each module costs: registers, memories,\n"
    "                 multiplexers, operators, its deepest path\n"
    "  --memory MB    take up to MB megabytes (default: " TEXT(
        MEMORY) ")\n"
                "  --steps N      take up to N steps for a module: operations of the C, loops\n"
                "                 and calls followed, or of its hardware (default: " TEXT(
                    STEPS) ")\n"
                           "  -d STAGES      print the design after these stages: compile, "
                           "declare,\n"
                           "                 build, narrow, name (commas between)\n"
                           "  --help         print this\n"
                           "  --version      print the version\n";

static const char *const stages[] = {"compile", "declare", "build", "narrow", "name"};

static bool complain(const char *advice, const char *text)
{
    diag_error((struct loc){0}, advice, "%s", text);
    return false;
}

/* Is the comma list's item at `s` (up to `length`) equal to `word`? */
static bool item_is(const char *s, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(s, word, length) == 0;
}

static bool check_stages(const char *list)
{
    for (const char *s = list;; s++) {
        size_t length = strcspn(s, ",");
        bool known = false;
        for (unsigned i = 0; i < sizeof stages / sizeof *stages; i++)
            known |= item_is(s, length, stages[i]);
        if (!known)
            return complain("the stages are compile, declare, build, narrow, name",
                            format("-d: no stage is called '%.*s'", (int)length, s));
        s += length;
        if (!*s)
            return true;
    }
}

bool options_dump(const struct options *opt, const char *stage)
{
    for (const char *s = opt->dump; s && *s; s += *s == ',') {
        size_t length = strcspn(s, ",");
        if (item_is(s, length, stage))
            return true;
        s += length;
    }
    return false;
}

/* The argument of an option, in the same word (-Idir) or the next; NULL after a diagnostic. */
static const char *argument(const char *option, const char *rest, char **argv, int *i)
{
    if (*rest)
        return rest;
    if (argv[*i + 1])
        return argv[++*i];
    complain(NULL, format("option '%s' needs an argument", option));
    return NULL;
}

/* From 1 to `most`: 200, 2e7, 0x1f. */
static bool number(const char *option, const char *text, uint64_t most, uint64_t *n)
{
    if (!text)
        return false;
    if (number_read(text, n) && *n > 0 && *n <= most)
        return true;
    return complain(NULL, format("%s: a number from 1 to %llu is wanted, not '%s'", option,
                                 (unsigned long long)most, text));
}

/* Of --prefix, --sv: is it, or what begins with it, a plain Verilog name? */
static bool check_name(const char *option, const char *name, const char *instance)
{
    bool good = isalpha((unsigned char)*name);
    for (const char *c = name; *c; c++)
        good &= isalnum((unsigned char)*c) || *c == '_';
    return (good && !strstr(name, "__")) ||
           complain(format("for instance %s %s", option, instance),
                    format("%s: letters, digits and single underscores, a letter first, are "
                           "wanted, not '%s'",
                           option, name));
}

static bool check_states(struct options *opt, const char *way)
{
    if (!way)
        return false;
    opt->states = strcmp(way, "arms") == 0 ? STATES_ARMS : STATES_GROUP;
    return opt->states == STATES_ARMS || strcmp(way, "group") == 0 ||
           complain("--states arms, --states group; without it rtlgen takes the smaller of both",
                    format("--states: there is no way '%s'", way));
}

static bool read_option(struct options *opt, char **argv, int *i)
{
    const char *word = argv[*i];
    const char *value;
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        fputs(usage, stdout);
        exit(!output_printed());
    }
    if (strcmp(word, "--version") == 0) {
        puts("rtlgen " RTLGEN_VERSION);
        exit(!output_printed());
    }
    if (strcmp(word, "--report") == 0) {
        opt->report = true;
        return true;
    }
    if (strcmp(word, "--states") == 0)
        return check_states(opt, argument(word, "", argv, i));
    if (strcmp(word, "--top") == 0)
        return (opt->top = argument(word, "", argv, i)) != NULL;
    if (strcmp(word, "--prefix") == 0)
        return (opt->prefix = argument(word, "", argv, i)) &&
               check_name(word, opt->prefix, "heddle_");
    if (strcmp(word, "--sv") == 0)
        return (opt->package = argument(word, "", argv, i)) &&
               check_name(word, opt->package, "heddle_pkg");
    if (strcmp(word, "--memory") == 0) {
        uint64_t n = 0;
        bool good = number(word, argument(word, "", argv, i), 1u << 30, &n);
        opt->memory = (unsigned)n;
        return good;
    }
    if (strcmp(word, "--steps") == 0)
        return number(word, argument(word, "", argv, i), UINT64_MAX / 10, &opt->steps);
    if (word[1] && word[1] != '-' && strchr("IDod", word[1])) {
        if (!(value = argument(format("-%c", word[1]), word + 2, argv, i)))
            return false;
        if (word[1] == 'I')
            PUSH(opt->include, opt->n_include, format("-I%s", value));
        else if (word[1] == 'D')
            PUSH(opt->define, opt->n_define, format("-D%s", value));
        else if (word[1] == 'o')
            opt->out_dir = value;
        else
            return check_stages(opt->dump = value);
        return true;
    }
    return complain("rtlgen --help lists the options", format("unknown option '%s'", word));
}

bool name_is_plain(const char *name)
{
    for (const char *c = name; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127 || strchr("\"`\\", *c))
            return false;
    return true;
}

static bool check_file(const char *name)
{
    struct stat st;
    if (stat(name, &st) != 0)
        return complain(NULL, format("cannot read %s: %s", name, strerror(errno)));
    if (S_ISDIR(st.st_mode))
        return complain(NULL, format("cannot read %s: %s", name, strerror(EISDIR)));
    if (!S_ISREG(st.st_mode)) /* opening a FIFO might wait for ever */
        return complain(NULL, format("cannot read %s: it is a device or FIFO, not a file", name));
    if (access(name, R_OK) != 0)
        return complain(NULL, format("cannot read %s: %s", name, strerror(errno)));
    size_t length = strlen(name);
    if (length < 2 || strcmp(name + length - 2, ".c") != 0)
        return complain("give the .c files; headers come in by #include",
                        format("%s is not a .c file", name));
    return true;
}

/* The name is in the Verilog, and clang must not take it for an option. */
static bool add_file(struct options *opt, const char *name)
{
    if (!name_is_plain(name))
        return complain("rename it: it stands in comments of the Verilog and the C",
                        "a file name with a quote, backtick, backslash or control character");
    if (*name == '-')
        name = format("./%s", name);
    for (unsigned i = 0; i < opt->n_file; i++)
        if (strcmp(opt->file[i], name) == 0)
            return complain(NULL, format("%s is given twice", name));
    PUSH(opt->file, opt->n_file, name);
    return check_file(name);
}

bool options_read(struct options *opt, int argc, char **argv)
{
    bool only_files = false;
    *opt = (struct options){.out_dir = ".", .prefix = "", .memory = MEMORY, .steps = STEPS};
    for (int i = 1; i < argc; i++) {
        bool good = true;
        if (only_files || argv[i][0] != '-')
            good = add_file(opt, argv[i]);
        else if (strcmp(argv[i], "--") == 0)
            only_files = true;
        else
            good = read_option(opt, argv, &i);
        if (!good)
            return false;
    }
    if (opt->n_file == 0)
        return complain("rtlgen --help says how to call it", "no file given");
    return true;
}
