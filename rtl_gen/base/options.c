// SPDX-License-Identifier: Apache-2.0
/*
 * options.c - the command line. Anything wrong with it is one line on stderr.
 */
#include "base/options.h"
#include "base/diag.h"
#include "base/output.h"
#include "base/util.h"
#include "sim/base/args.h"
#include "sim/base/program.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The budget; see budget.c. */
#define MEMORY 2000
#define STEPS  20000000

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

/* ---- what the table reads by a function ------------------------------------------------------ */

static void read_stages(void *to, const char *name, const char *value)
{
    for (const char *s = value;; s++) {
        size_t length = strcspn(s, ",");
        bool known = false;
        for (unsigned i = 0; i < sizeof stages / sizeof *stages; i++)
            known |= item_is(s, length, stages[i]);
        if (!known)
            sim_fail("%s %.*s: the stages are compile, declare, build, narrow, name", name,
                     (int)length, s);
        s += length;
        if (!*s)
            break;
    }
    *(const char **)to = value;
}

/* Of --prefix, --sv: is it, or what begins with it, a plain Verilog name? */
static void read_name(void *to, const char *name, const char *value)
{
    bool good = isalpha((unsigned char)*value);
    for (const char *c = value; *c; c++)
        good &= isalnum((unsigned char)*c) || *c == '_';
    if (!good || strstr(value, "__"))
        sim_fail("%s %.60s: letters, digits and single underscores, a letter first, are wanted",
                 name, value);
    *(const char **)to = value;
}

static void read_states(void *to, const char *name, const char *value)
{
    const bool arms = strcmp(value, "arms") == 0;
    if (!arms && strcmp(value, "group") != 0)
        sim_fail("%s %.60s: arms or group is wanted; without it the smaller of both is taken", name,
                 value);
    *(enum states *)to = arms ? STATES_ARMS : STATES_GROUP;
}

static void read_include(void *to, const char *name, const char *value)
{
    struct options *opt = to;
    PUSH(opt->include, opt->n_include, format("%s%s", name, value));
}

static void read_define(void *to, const char *name, const char *value)
{
    struct options *opt = to;
    PUSH(opt->define, opt->n_define, format("%s%s", name, value));
}

/* ---- files -------------------------------------------------------------------------------------- */

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
    *opt = (struct options){.out_dir = ".", .prefix = "", .memory = MEMORY, .steps = STEPS};
    bool version = false;
    program_invocation_short_name =
        (char *)"rtlgen"; /* as in all messages, whatever the file is called */
    const struct args_option table[] = {
        args_by("-I", "DIR", read_include, opt, "search DIR for #include"),
        args_by("-D", "NAME=VALUE", read_define, opt, "define a macro"),
        args_text("-o", "DIR", &opt->out_dir, "write the output into DIR"),
        args_text("--top", "MODULE", &opt->top, "only MODULE and what is instantiated under it"),
        args_by("--prefix", "NAME", read_name, &opt->prefix,
                "put NAME in front of the names of all modules and files"),
        args_by("--sv", "PACKAGE", read_name, &opt->package,
                "SystemVerilog: ports are structs, of types in PACKAGE"),
        args_by("--states", "WAY", read_states, &opt->states,
                "processes with an arm for each state (arms) or all states as one group (group); "
                "without it the smaller of both"),
        args_flag("--report", &opt->report,
                  "print what each module costs: registers, memories, multiplexers, operators, "
                  "its deepest path"),
        args_unsigned("--memory", &opt->memory, 1, 1u << 30, "megabytes that a run may take"),
        args_number("--steps", &opt->steps, 1, UINT64_MAX / 10,
                    "steps that a module may take: operations of the C, loops and calls followed, "
                    "or of its hardware"),
        args_by("-d", "STAGES", read_stages, &opt->dump,
                "print the design after these stages: compile, declare, build, narrow, name "
                "(commas between)"),
        args_flag("--version", &version, "print the version"),
        args_end(),
    };
    const char **words = arena((unsigned)argc * sizeof *words);
    const unsigned n =
        args_read(&(struct args){.about = "Lowers hardware descriptions in C to Verilog.",
                                 .option = table,
                                 .word = "FILE.c",
                                 .words = words,
                                 .most = (unsigned)argc},
                  argc, argv);
    if (version) {
        puts("rtlgen " RTLGEN_VERSION);
        exit(!output_printed());
    }
    for (unsigned i = 0; i < n; i++)
        if (!add_file(opt, words[i]))
            return false;
    if (opt->n_file == 0)
        return complain("rtlgen --help says how to call it", "no file given");
    return true;
}
