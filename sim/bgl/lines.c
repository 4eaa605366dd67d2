// SPDX-License-Identifier: Apache-2.0
/*
 * lines.c - text files of a torus.
 */
#include "sim/bgl/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/base/program.h"

struct lines lines_open(const char *path)
{
    struct lines l = {.path = path, .file = fopen(path, "r")};
    if (!l.file)
        sim_fail("%s: %s", path, strerror(errno));
    return l;
}

char *lines_next(struct lines *l)
{
    errno = 0;
    while (getline(&l->line, &l->size, l->file) > 0) {
        l->number++;
        l->line[strcspn(l->line, "#")] = '\0';
        if (l->line[strspn(l->line, " \t\r\n")] != '\0')
            return l->line;
    }
    if (ferror(l->file))
        sim_fail("%s: %s", l->path, strerror(errno ? errno : EIO));
    return NULL;
}

void lines_close(struct lines *l)
{
    free(l->line);
    fclose(l->file);
}

void lines_wrong(const struct lines *l, const char *why)
{
    sim_fail("%s:%u: %s", l->path, l->number, why);
}

unsigned lines_words(char *line, char **word, unsigned most)
{
    unsigned words = 0;
    for (char *rest = line, *w; (w = strsep(&rest, " \t\r\n")) != NULL;)
        if (*w && words++ < most)
            word[words - 1] = w;
    return words;
}

bool lines_place(const struct shape *s, char *text, struct place *p)
{
    char *rest = text;
    for (unsigned d = 0; d < 3; d++) {
        uint64_t at;
        char *part = strsep(&rest, ",");
        if (!part || !number_read(part, &at) || at >= s->size[d])
            return false;
        p->at[d] = (uint8_t)at;
    }
    return rest == NULL;
}
