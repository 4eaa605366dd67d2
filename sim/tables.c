// SPDX-License-Identifier: Apache-2.0
/*
 * tables.c - words of routing memories, computed or from a file, and that file.
 */
#include "tables.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util.h"

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
    FILE *f = sim_folders(path) ? fopen(path, "w") : NULL;
    if (f) {
        fprintf(f, "heddle-tables 1 %s\n", t->name);
        for (unsigned r = 0; r < t->routers; r++)
            for (unsigned p = 0; p < t->machine->ports; p++)
                if (t->ports[r][p].kind != PORT_UNUSED)
                    write_tile(tables, f, r, p);
        const bool bad = ferror(f) != 0;
        if (fclose(f) == 0 && !bad)
            return true;
    }
    snprintf(error, TABLES_ERROR, "%.200s: cannot write tables: %s", path, strerror(errno));
    return false;
}

/* ---- reading ---------------------------------------------------------------------------------- */

static bool read_map(struct tables *tables, unsigned router, unsigned port, char *words)
{
    uint8_t *map =
        tables->map + ((size_t)router * tables->topology->machine->ports + port) * TABLES_MAP;
    for (unsigned i = 0; i < TABLES_MAP; i++) {
        char *end;
        const unsigned long word = strtoul(words, &end, 16);
        if (end == words || word >= 32)
            return false;
        map[i] = (uint8_t)word;
        words = end;
    }
    return true;
}

static bool read_line(struct tables *tables, char *line)
{
    const struct topology *t = tables->topology;
    struct question q = {0};
    char memory[12], scope[8];
    int used = 0;
    uint64_t w[MACHINE_DRAWS];

    if (sscanf(line, "%u %u %11s%n", &q.router, &q.port, memory, &used) != 3 ||
        q.router >= t->routers || q.port >= t->machine->ports)
        return false;
    if (strcmp(memory, "map") == 0)
        return read_map(tables, q.router, q.port, line + used);
    if (sscanf(line + used, "%7s %u %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64, scope, &q.index,
               &w[0], &w[1], &w[2], &w[3]) != 6)
        return false;
    q.nonminimal = strcmp(memory, "nonminimal") == 0;
    q.local = strcmp(scope, "local") == 0;
    if ((!q.nonminimal && strcmp(memory, "minimal") != 0) ||
        (!q.local && strcmp(scope, "global") != 0) || q.index >= tables->indices[q.local])
        return false;
    memcpy(stored(tables, &q), w, sizeof w);
    return true;
}

static bool read_lines(struct tables *tables, FILE *f, const char *path, char error[TABLES_ERROR])
{
    char *line = NULL, name[TOPO_NAME];
    size_t size = 0;
    unsigned number = 1;
    bool good = getline(&line, &size, f) > 0 && sscanf(line, "heddle-tables 1 %63s", name) == 1;
    if (!good)
        snprintf(error, TABLES_ERROR, "%.200s: no table file", path);
    else if (strcmp(name, tables->topology->name) != 0) {
        snprintf(error, TABLES_ERROR, "%.200s: tables of %s, not of %s", path, name,
                 tables->topology->name);
        good = false;
    }
    while (good && getline(&line, &size, f) > 0) {
        number++;
        good = read_line(tables, line);
        if (!good)
            snprintf(error, TABLES_ERROR, "%.200s:%u: no such tile, table or index", path, number);
    }
    free(line);
    return good;
}

bool tables_read(struct tables *tables, const struct topology *t, const char *path,
                 char error[TABLES_ERROR])
{
    FILE *f = fopen(path, "r");
    if (!f) {
        snprintf(error, TABLES_ERROR, "%.200s: %s", path, strerror(errno));
        return false;
    }
    *tables = tables_computed(t);
    const size_t tiles = (size_t)t->routers * t->machine->ports;
    tables->entries = sim_alloc(tiles * 2 * (tables->indices[0] + tables->indices[1]),
                                MACHINE_DRAWS * sizeof(uint64_t));
    tables->map = sim_alloc(tiles, TABLES_MAP);
    const bool good = read_lines(tables, f, path, error);
    fclose(f);
    if (!good)
        tables_free(tables);
    return good;
}
