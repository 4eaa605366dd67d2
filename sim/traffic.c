// SPDX-License-Identifier: Apache-2.0
/*
 * traffic.c - patterns, lengths and modes of packets.
 */
#include "traffic.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOT = 8 };

#define BLANKS " \t\r\n"

const char *const pattern_names[PATTERNS] = {"uniform",    "neighbour", "complement",
                                             "hotspot",    "anywhere",  "permuted",
                                             "all-to-all", "halo",      "file"};
const char *const routing_names[ROUTINGS] = {"adaptive", "minimal", "nonminimal", "ordered",
                                             "split"};

/* Nodes of a router, and routers of a group, have numbers in a row. */
static unsigned uniform(const struct topology *t, unsigned from, struct sim_random *r)
{
    const unsigned router = t->node[from].router;
    unsigned to = sim_below(r, t->nodes);
    if (t->node[0].router == t->node[t->nodes - 1].router)
        return to;
    while (t->node[to].router == router)
        to = sim_below(r, t->nodes);
    return to;
}

static int by_value(const void *a, const void *b)
{
    const unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return (x > y) - (x < y);
}

static unsigned next_group(const struct topology *t, unsigned from, struct sim_random *r)
{
    const unsigned *own =
        bsearch(&t->node[from].global, t->group, t->groups, sizeof *t->group, by_value);
    const unsigned group = t->group[((unsigned)(own - t->group) + 1) % t->groups];
    if (t->groups == 1)
        return uniform(t, from, r);
    unsigned to = sim_below(r, t->nodes);
    while (t->node[to].global != group)
        to = sim_below(r, t->nodes);
    return to;
}

unsigned traffic_destination(const struct traffic *f, const struct topology *t, unsigned from,
                             unsigned before, struct sim_random *r)
{
    switch (f->pattern) {
    case PATTERN_ANYWHERE:
        return sim_below(r, t->nodes);
    case PATTERN_ALL_TO_ALL:
        return (from + 1 + before % (t->nodes - 1)) % t->nodes;
    case PATTERN_PERMUTED:
    case PATTERN_HALO:
    case PATTERN_FILE:
        return f->flows.to[f->flows.first[from] +
                           sim_below(r, f->flows.first[from + 1] - f->flows.first[from])];
    case PATTERN_NEIGHBOUR:
        return next_group(t, from, r);
    case PATTERN_COMPLEMENT:
        return t->nodes - 1 - from;
    case PATTERN_HOTSPOT:
        return sim_below(r, HOT) == 0 ? 0 : uniform(t, from, r);
    case PATTERN_UNIFORM:
    case PATTERNS:
        break;
    }
    return uniform(t, from, r);
}

unsigned traffic_length(const struct traffic *f, struct sim_random *r)
{
    return f->shortest + sim_below(r, f->longest - f->shortest + 1);
}

enum mode traffic_mode(const struct traffic *f, unsigned class)
{
    static const enum mode mode[ROUTINGS] = {
        [ROUTING_ADAPTIVE] = MODE_OF_ADAPTIVE,     [ROUTING_MINIMAL] = MODE_OF_MINIMAL,
        [ROUTING_NONMINIMAL] = MODE_OF_NONMINIMAL, [ROUTING_ORDERED] = MODE_OF_ORDERED,
        [ROUTING_SPLIT] = MODE_OF_MINIMAL,
    };
    return f->routing == ROUTING_SPLIT && class == 1 ? MODE_OF_ADAPTIVE : mode[f->routing];
}

/* ---- flows -------------------------------------------------------------------------------------- */

static struct flows flows_new(unsigned nodes, size_t entries)
{
    return (struct flows){.first = sim_alloc(nodes + 1, sizeof(unsigned)),
                          .to = sim_alloc(entries ? entries : 1, sizeof(unsigned))};
}

/* Each node to one other: a circle through all, in an order that is drawn. */
static struct flows permuted(const struct topology *t, uint64_t seed)
{
    struct flows f = flows_new(t->nodes, t->nodes);
    struct sim_random r = {seed ^ UINT64_C(0x7065726d75746564)};
    unsigned *order = sim_alloc(t->nodes, sizeof *order);
    for (unsigned i = 0; i < t->nodes; i++) {
        const unsigned k = sim_below(&r, i + 1);
        order[i] = order[k];
        order[k] = i;
    }
    for (unsigned i = 0; i < t->nodes; i++) {
        f.first[i + 1] = i + 1;
        f.to[order[i]] = order[(i + 1) % t->nodes];
    }
    free(order);
    return f;
}

/* Sides of a box of n places, the longest as short as can be; x varies fastest. */
static void box_of(unsigned n, unsigned side[3])
{
    unsigned best = UINT32_MAX;
    for (unsigned x = 1; x * x * x <= n; x++)
        for (unsigned y = x; n % x == 0 && y * y <= n / x; y++)
            if (n / x % y == 0 && n / x / y < best) {
                best = n / x / y;
                side[0] = x;
                side[1] = y;
                side[2] = best;
            }
}

static struct flows halo(const struct topology *t)
{
    struct flows f = flows_new(t->nodes, (size_t)6 * t->nodes);
    unsigned side[3], count = 0;
    box_of(t->nodes, side);
    for (unsigned i = 0; i < t->nodes; i++) {
        const unsigned at[3] = {i % side[0], i / side[0] % side[1], i / side[0] / side[1]};
        const unsigned step[3] = {1, side[0], side[0] * side[1]};
        for (unsigned d = 0; d < 3; d++)
            for (unsigned way = 0; way < 2; way++) {
                const unsigned next = (at[d] + (way ? 1 : side[d] - 1)) % side[d];
                if (next != at[d])
                    f.to[count++] = i - at[d] * step[d] + next * step[d];
            }
        f.first[i + 1] = count;
    }
    return f;
}

/* One line of a file: two nodes and how often, 1 if it does not say. */
struct flow {
    unsigned from, to, weight;
};

/* The number at *at, which goes on behind it; what is too large for any node or weight is UINT32_MAX. */
static bool read_word(const char **at, unsigned *number)
{
    const char *text = *at + strspn(*at, BLANKS);
    if (!isdigit((unsigned char)*text))
        return false;
    char *end;
    const unsigned long value = strtoul(text, &end, 10);
    if (*end != '\0' && !strchr(BLANKS, *end))
        return false;
    *number = value < UINT32_MAX ? (unsigned)value : UINT32_MAX;
    *at = end + strspn(end, BLANKS);
    return true;
}

static bool read_flow(const char *line, struct flow *flow)
{
    flow->weight = 1;
    return read_word(&line, &flow->from) && read_word(&line, &flow->to) &&
           (*line == '\0' || read_word(&line, &flow->weight)) && *line == '\0';
}

/* All flows of a file, of which `count` is how many. */
static struct flow *read_flows(const char *path, const struct topology *t, size_t *count)
{
    enum { MOST_WEIGHT = 1000 };
    struct flow *flow = NULL;
    size_t room = 0;
    char line[200];
    FILE *file = fopen(path, "r");
    if (!file)
        sim_fail("--pattern file:%s: %s", path, strerror(errno));
    *count = 0;
    for (unsigned number = 1; fgets(line, sizeof line, file); number++) {
        struct flow f;
        if (!strchr(line, '\n') && !feof(file))
            sim_fail("%s:%u: more than %zu characters", path, number, sizeof line - 2);
        if (line[strspn(line, BLANKS)] == '\0' || line[strspn(line, BLANKS)] == '#')
            continue;
        if (!read_flow(line, &f))
            sim_fail("%s:%u: a line is FROM TO, or FROM TO WEIGHT, in numbers", path, number);
        if (f.from >= t->nodes || f.to >= t->nodes)
            sim_fail("%s:%u: there is no node %u; %s has %u", path, number,
                     f.from >= t->nodes ? f.from : f.to, t->name, t->nodes);
        if (f.weight < 1 || f.weight > MOST_WEIGHT)
            sim_fail("%s:%u: a weight is 1 to %d", path, number, MOST_WEIGHT);
        if (*count == room) {
            room = room ? 2 * room : 1024;
            struct flow *more = realloc(flow, room * sizeof *more);
            if (!more)
                sim_fail("%s: out of memory", path);
            flow = more;
        }
        flow[(*count)++] = f;
    }
    if (ferror(file))
        sim_fail("--pattern file:%s: %s", path, strerror(errno));
    fclose(file);
    if (*count == 0)
        sim_fail("%s: nobody sends anything", path);
    return flow;
}

static struct flows of_file(const char *path, const struct topology *t)
{
    size_t count, entries = 0;
    struct flow *flow = read_flows(path, t, &count);
    for (size_t i = 0; i < count; i++)
        entries += flow[i].weight;
    struct flows f = flows_new(t->nodes, entries);
    for (size_t i = 0; i < count; i++)
        f.first[flow[i].from + 1] += flow[i].weight;
    for (unsigned n = 0; n < t->nodes; n++)
        f.first[n + 1] += f.first[n];
    unsigned *at = sim_alloc(t->nodes, sizeof *at);
    memcpy(at, f.first, t->nodes * sizeof *at);
    for (size_t i = 0; i < count; i++)
        for (unsigned k = 0; k < flow[i].weight; k++)
            f.to[at[flow[i].from]++] = flow[i].to;
    free(at);
    free(flow);
    return f;
}

struct flows traffic_flows(enum pattern pattern, const struct topology *t, uint64_t seed,
                           const char *path)
{
    if (t->nodes < 2 && pattern >= PATTERN_PERMUTED)
        sim_fail("--pattern %s: %s has one node", pattern_names[pattern], t->name);
    return pattern == PATTERN_PERMUTED ? permuted(t, seed)
           : pattern == PATTERN_HALO   ? halo(t)
           : pattern == PATTERN_FILE   ? of_file(path, t)
                                       : (struct flows){0};
}

void traffic_free(struct flows *flows)
{
    free(flows->first);
    free(flows->to);
    *flows = (struct flows){0};
}

bool traffic_sends(const struct traffic *f, unsigned from)
{
    return !f->flows.first || f->flows.first[from] != f->flows.first[from + 1];
}
