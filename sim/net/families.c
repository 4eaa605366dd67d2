// SPDX-License-Identifier: Apache-2.0
/*
 * families.c - networks by name.
 */
#include "sim/net/families.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct family *const families[] = {&family_dragonfly, &family_dragonfly16,
                                                &family_torus, &family_clos};

enum { FAMILIES = sizeof families / sizeof *families };

/* ---- sizes ------------------------------------------------------------------------------------ */

/* "2x4x8" -> {2, 4, 8}; 0 if it is no such list. */
static unsigned read_sizes(const char *text, unsigned sizes[FAMILY_SIZES])
{
    for (unsigned n = 0; n < FAMILY_SIZES; n++) {
        char *end;
        if (!isdigit((unsigned char)*text))
            return 0;
        const unsigned long value = strtoul(text, &end, 10);
        if (value == 0 || value > 100000)
            return 0;
        sizes[n] = (unsigned)value;
        if (*end == '\0')
            return n + 1;
        if (*end != 'x')
            return 0;
        text = end + 1;
    }
    return 0;
}

/* "1.5x9x32": the rank in halves and where the sizes begin, 0 if there is none. */
static unsigned read_rank(const char *text, const char **rest)
{
    static const char *const rank[] = {"1x", "1.5x", "2x", "2.5x", "3x", "3.5x"};
    for (unsigned i = 0; i < sizeof rank / sizeof *rank; i++)
        if (strncmp(text, rank[i], strlen(rank[i])) == 0) {
            *rest = text + strlen(rank[i]);
            return i + 2;
        }
    return 0;
}

/* ---- presets ---------------------------------------------------------------------------------- */

/* Names that stand for another network. */
static const struct {
    const char *name, *network;
} presets[] = {{"aries", "dragonfly:2x6x16"}, {"gemini", "torus:4x4x4"}, {"yarc", "clos:2x32x32"}};

enum { PRESETS = sizeof presets / sizeof *presets };

/* What such a name stands for, or "xc:241", in `full` if need be; else text itself. */
static const char *without_alias(const char *text, char full[TOPO_NAME])
{
    for (size_t i = 0; i < PRESETS; i++)
        if (strcmp(text, presets[i].name) == 0)
            return presets[i].network;
    unsigned sizes[FAMILY_SIZES];
    if (strncmp(text, "xc:", 3) != 0 || read_sizes(text + 3, sizes) != 1)
        return text;
    snprintf(full, TOPO_NAME, "dragonfly:%ux6x16", sizes[0]);
    return full;
}

void topo_help(void)
{
    puts("\ntopologies:");
    for (size_t i = 0; i < FAMILIES; i++)
        fputs(families[i]->help, stdout);
    puts("  xc:G                 a Cray XC of G whole groups: dragonfly:Gx6x16");
    fputs(" ", stdout);
    for (size_t i = 0; i < PRESETS; i++)
        printf("%s%s", i ? ", " : " ", presets[i].name);
    fputs(" ", stdout);
    for (size_t i = 0; i < PRESETS; i++)
        printf("%s%s", i ? ", " : " ", presets[i].network);
    putchar('\n');
}

/* ---- names ------------------------------------------------------------------------------------ */

/* Whose name stands before the colon; NULL: nobody's. */
static const struct family *family_of(const char *text)
{
    for (size_t i = 0; i < FAMILIES; i++) {
        const size_t length = strlen(families[i]->name);
        if (strncmp(text, families[i]->name, length) == 0 && text[length] == ':')
            return families[i];
    }
    return NULL;
}

static struct topology *no_family(const char *text, char error[TOPO_ERROR])
{
    char list[100] = "";
    for (size_t i = 0; i < FAMILIES; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s:, ", families[i]->name);
    snprintf(list + strlen(list), sizeof list - strlen(list), "xc:");
    for (size_t i = 0; i < PRESETS; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), ", %s", presets[i].name);
    snprintf(error, TOPO_ERROR, "no topology \"%.60s\"; there are %s", text, list);
    return NULL;
}

/* The sizes behind the colon; count is 0 if they are none of the family's. */
static struct family_sizes sizes_of(const struct family *f, const char *text)
{
    struct family_sizes s = {0};
    if (!f->ranked || (s.rank = read_rank(text, &text)) != 0)
        s.count = read_sizes(text, s.size);
    if (s.count > f->most)
        s.count = 0;
    return s;
}

struct topology *topo_parse(const char *text, char error[TOPO_ERROR])
{
    char room[TOPO_NAME];
    const char *full = without_alias(text, room);
    const struct family *f = family_of(full);

    if (strncmp(full, "xc:", 3) == 0) {
        snprintf(error, TOPO_ERROR, "%.60s: xc takes the number of groups, 1 to 241", text);
        return NULL;
    }
    if (!f)
        return no_family(text, error);
    if (strlen(full) >= TOPO_NAME) {
        snprintf(error, TOPO_ERROR, "%.40s...: more than %d characters", text, TOPO_NAME - 1);
        return NULL;
    }
    const struct family_sizes sizes = sizes_of(f, full + strlen(f->name) + 1);
    if (sizes.count == 0) {
        snprintf(error, TOPO_ERROR, "%.60s: sizes are numbers from 1 on with x between them%s",
                 text, f->ranked ? ", the first a rank of 1, 1.5, 2, 2.5, 3 or 3.5" : "");
        return NULL;
    }
    struct topology *t = f->make(&sizes, error);
    if (t) {
        snprintf(t->name, sizeof t->name, "%s", full);
        topo_list_groups(t);
    }
    return t;
}
