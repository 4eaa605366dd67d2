// SPDX-License-Identifier: Apache-2.0
/*
 * tables.c - words of routing memories, computed or from a file, and that file.
 */
#include "sim/net/tables.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/program.h"
#include "sim/base/whole.h"

struct tables tables_computed(const struct topology *t)
{
    return (struct tables){.topology = t,
                           .indices = {topo_indices(t, false), topo_indices(t, true)}};
}

void tables_free(struct tables *tables)
{
    free(tables->entries);
    free(tables->map);
    *tables = (struct tables){0};
}

/* Four words of a file's tables. */
static uint64_t *stored(const struct tables *tables, const struct question *q)
{
    const size_t both = tables->indices[0] + (size_t)tables->indices[1];
    const size_t tile = (size_t)q->router * tables->topology->machine->ports + q->port;
    const size_t at = (q->local ? tables->indices[0] : 0) + (size_t)q->index;
    return tables->entries + ((tile * 2 + q->nonminimal) * both + at) * MACHINE_DRAWS;
}

void tables_entries(const struct tables *tables, const struct question *q,
                    uint64_t words[MACHINE_DRAWS])
{
    if (tables->entries)
        memcpy(words, stored(tables, q), MACHINE_DRAWS * sizeof *words);
    else
        topo_entries(tables->topology, q, words);
}

static uint64_t computed_map(const struct topology *t, unsigned router, unsigned port,
                             unsigned index)
{
    const struct machine *m = t->machine;
    for (unsigned nonminimal = 0; nonminimal < 2; nonminimal++)
        for (unsigned type = 0; type < MACHINE_TYPES; type++)
            for (unsigned vc = 0; vc < m->vcs; vc++)
                for (unsigned phase = 0; phase < m->phases; phase++)
                    if (m->hop_at(nonminimal, type, vc, phase) == index)
                        return m->pack_hop(t->hop(t, router, port, nonminimal, type, vc, phase));
    return 0;
}

uint64_t tables_map(const struct tables *tables, unsigned router, unsigned port, unsigned index)
{
    const struct topology *t = tables->topology;
    if (tables->map)
        return tables->map[((size_t)router * t->machine->ports + port) * TABLES_MAP + index];
    return computed_map(t, router, port, index);
}

/* ---- writing ---------------------------------------------------------------------------------- */

static void write_tile(const struct tables *tables, FILE *f, unsigned router, unsigned port)
{
    static const char *const name[] = {"minimal", "nonminimal"};
    uint64_t words[MACHINE_DRAWS];
    struct question q = {.router = router, .port = port};

    for (unsigned table = 0; table < 4; table++) {
        q.nonminimal = table & 1;
        q.local = table >> 1;
        for (q.index = 0; q.index < tables->indices[q.local]; q.index++) {
            tables_entries(tables, &q, words);
            if (words[0] || words[1] || words[2] || words[3])
                fprintf(f, "%u %u %s %s %u  %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 "\n",
                        router, port, name[q.nonminimal], q.local ? "local" : "global", q.index,
                        words[0], words[1], words[2], words[3]);
        }
    }
    fprintf(f, "%u %u map ", router, port);
    for (unsigned i = 0; i < TABLES_MAP; i++)
        fprintf(f, " %" PRIx64, tables_map(tables, router, port, i));
    fputc('\n', f);
}

bool tables_write(const struct tables *tables, const char *path, char error[TABLES_ERROR])
{
    const struct topology *t = tables->topology;
    struct whole file;
    if (whole_open(&file, path)) {
        fprintf(file.stream, "heddle-tables 2 %s\n", t->name);
        for (unsigned r = 0; r < t->routers && !ferror(file.stream); r++)
            for (unsigned p = 0; p < t->machine->ports; p++)
                if (t->ports[r][p].kind != PORT_UNUSED)
                    write_tile(tables, file.stream, r, p);
        if (whole_close(&file, true))
            return true;
    }
    snprintf(error, TABLES_ERROR, "%.200s: cannot write tables: %s", path, strerror(errno));
    return false;
}

/* ---- reading ---------------------------------------------------------------------------------- */

enum { LINE = 2048 }; /* longer than any line that is right */

/* The number at *text, with *text behind it and the blanks that follow. */
static bool read_number(char **text, int base, uint64_t most, uint64_t *value)
{
    char *end;
    errno = 0;
    if (!isxdigit((unsigned char)**text))
        return false;
    *value = strtoull(*text, &end, base);
    if (errno != 0 || end == *text || (*end != ' ' && *end != '\0') || *value > most)
        return false;
    *text = end + strspn(end, " ");
    return true;
}

/* The same with a word, which is one of two: its place. */
static bool read_word(char **text, const char *const word[2], bool *second)
{
    for (unsigned i = 0; i < 2; i++) {
        const size_t length = strlen(word[i]);
        if (strncmp(*text, word[i], length) == 0 && (*text)[length] == ' ') {
            *text += length;
            *text += strspn(*text, " ");
            *second = i == 1;
            return true;
        }
    }
    return false;
}

static bool read_map(struct tables *tables, size_t tile, char *text)
{
    uint64_t word;
    for (unsigned i = 0; i < TABLES_MAP; i++) {
        if (!read_number(&text, 16, 31, &word))
            return false;
        tables->map[tile * TABLES_MAP + i] = (uint8_t)word;
    }
    return *text == '\0';
}

static bool read_entry(struct tables *tables, struct question *q, char *text)
{
    static const char *const memory[] = {"minimal", "nonminimal"}, *const scope[] = {"global",
                                                                                     "local"};
    uint64_t index, words[MACHINE_DRAWS];
    if (!read_word(&text, memory, &q->nonminimal) || !read_word(&text, scope, &q->local) ||
        !read_number(&text, 10, tables->indices[q->local] - 1, &index))
        return false;
    for (unsigned draw = 0; draw < MACHINE_DRAWS; draw++)
        if (!read_number(&text, 16, UINT64_MAX, &words[draw]))
            return false;
    q->index = (unsigned)index;
    memcpy(stored(tables, q), words, sizeof words);
    return *text == '\0';
}

static bool read_line(struct tables *tables, char *line, uint8_t *mapped)
{
    const struct topology *t = tables->topology;
    uint64_t router, port;
    if (!read_number(&line, 10, t->routers - 1, &router) ||
        !read_number(&line, 10, t->machine->ports - 1, &port))
        return false;
    struct question q = {.router = (unsigned)router, .port = (unsigned)port};
    const size_t tile = router * t->machine->ports + port;
    if (strncmp(line, "map ", 4) != 0)
        return read_entry(tables, &q, line);
    mapped[tile] = 1;
    line += 4;
    return read_map(tables, tile, line + strspn(line, " "));
}

/* A line without its end; 0 after the last one, -1 for one that is too long or ends too soon. */
static int next_line(FILE *f, char line[LINE])
{
    if (!fgets(line, LINE, f))
        return 0;
    const size_t length = strlen(line);
    if (length == 0 || line[length - 1] != '\n')
        return -1;
    line[length - 1] = '\0';
    return 1;
}

static bool read_header(const struct topology *t, FILE *f, const char *path,
                        char error[TABLES_ERROR])
{
    char line[LINE], name[TOPO_NAME];
    if (next_line(f, line) != 1 || sscanf(line, "heddle-tables 2 %63s", name) != 1)
        snprintf(error, TABLES_ERROR, "%.200s: no table file of version 2", path);
    else if (strcmp(name, t->name) != 0)
        snprintf(error, TABLES_ERROR, "%.200s: tables of %s, not of %s", path, name, t->name);
    else
        return true;
    return false;
}

/* Every tile with a link or processor has said its VC map. */
static bool all_mapped(const struct topology *t, const uint8_t *mapped, const char *path,
                       char error[TABLES_ERROR])
{
    for (unsigned r = 0; r < t->routers; r++)
        for (unsigned p = 0; p < t->machine->ports; p++)
            if (t->ports[r][p].kind != PORT_UNUSED && !mapped[(size_t)r * t->machine->ports + p]) {
                snprintf(error, TABLES_ERROR, "%.200s: no VC map of router %u, port %u", path, r,
                         p);
                return false;
            }
    return true;
}

static bool read_lines(struct tables *tables, FILE *f, const char *path, char error[TABLES_ERROR])
{
    const struct topology *t = tables->topology;
    const size_t tiles = (size_t)t->routers * t->machine->ports;
    const uint64_t most = 1 + tiles * (1 + 2 * (tables->indices[0] + (uint64_t)tables->indices[1]));
    uint8_t *mapped = sim_alloc(tiles, sizeof *mapped);
    char line[LINE];
    bool good = read_header(t, f, path, error);
    int more;
    for (uint64_t number = 2; good && (more = next_line(f, line)) != 0; number++) {
        good = more == 1 && number <= most && read_line(tables, line, mapped);
        if (!good)
            snprintf(error, TABLES_ERROR, "%.200s:%" PRIu64 ": %s", path, number,
                     more != 1       ? "the line is too long or has no end"
                     : number > most ? "more lines than the network has entries"
                                     : "no such tile, table or index, or not its words");
    }
    good = good && all_mapped(t, mapped, path, error);
    free(mapped);
    return good;
}

/* A regular file: neither a folder, nor what may have no end. */
static FILE *open_tables(const char *path, char error[TABLES_ERROR])
{
    struct stat s;
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    const bool regular = file >= 0 && fstat(file, &s) == 0 && S_ISREG(s.st_mode);
    FILE *f = regular ? fdopen(file, "r") : NULL;
    if (!f)
        snprintf(error, TABLES_ERROR, "%.200s: %s", path,
                 file >= 0 && !regular ? "no regular file" : strerror(errno));
    if (!f && file >= 0)
        close(file);
    return f;
}

bool tables_read(struct tables *tables, const struct topology *t, const char *path,
                 char error[TABLES_ERROR])
{
    FILE *f = open_tables(path, error);
    if (!f)
        return false;
    *tables = tables_computed(t);
    const size_t tiles = (size_t)t->routers * t->machine->ports;
    const size_t entries = tiles * 2 * (tables->indices[0] + tables->indices[1]);
    sim_room("a network with tables from a file", (double)entries * 8 * MACHINE_DRAWS);
    tables->entries = sim_alloc(entries, MACHINE_DRAWS * sizeof(uint64_t));
    tables->map = sim_alloc(tiles, TABLES_MAP);
    const bool good = read_lines(tables, f, path, error);
    fclose(f);
    if (!good)
        tables_free(tables);
    return good;
}
