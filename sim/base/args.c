// SPDX-License-Identifier: Apache-2.0
/*
 * args.c - the command line of a program as a table of its options.
 */
#include "sim/base/args.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/program.h"
#include "sim/base/whole.h"

static const struct args_option *find(const struct args *args, const char *name)
{
    const struct args_option *o = args->option;
    while (o->name && strcmp(o->name, name) != 0)
        o++;
    if (!o->name)
        sim_fail("no option \"%s\"; see --help", name);
    return o;
}

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
    case ARGS_BY:
        o->read(o->to, o->name, value);
        break;
    }
}

static void add_topology(const struct args *args, unsigned count, const char *text)
{
    if (args->most == 0)
        sim_fail("no option \"%s\"; see --help", text);
    if (count == 1 && args->most == 1)
        sim_fail("two topologies: %s and %s", args->topology[0], text);
    if (count == args->most)
        sim_fail("%s: more than %u topologies", text, args->most);
    args->topology[count] = text;
}

unsigned args_read(const struct args *args, int argc, char **argv)
{
    unsigned topologies = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            args->help();
            exit(whole_status(true));
        }
        if (argv[i][0] != '-') {
            add_topology(args, topologies++, argv[i]);
            continue;
        }
        const struct args_option *o = find(args, argv[i]);
        if (o->kind == ARGS_FLAG)
            read_value(o, NULL);
        else if (i + 1 == argc)
            sim_fail("no value for option \"%s\"; see --help", o->name);
        else
            read_value(o, argv[++i]);
    }
    return topologies;
}
