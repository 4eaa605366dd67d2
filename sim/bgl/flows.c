// SPDX-License-Identifier: Apache-2.0
/*
 * flows.c - a pattern file: lines "FROM TO PACKETS [CHUNKS]", nodes as X,Y,Z; # begins a remark.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/base/program.h"
#include "sim/bgl/fast/grow.h"
#include "sim/bgl/program_state.h"

enum { MOST_FLOWS = 1 << 24, MOST_PACKETS = 1 << 24 };

static bool read_place(const struct shape *s, char *text, struct place *p)
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

/* A line, or why it is none. */
static const char *read_line(const struct shape *s, char *line, unsigned chunks, struct flow *flow)
{
    char *word[5];
    unsigned words = 0;
    uint64_t packets, size = chunks;
    struct place from;
    for (char *rest = line, *w; (w = strsep(&rest, " \t\r\n")) != NULL;)
        if (*w && words < 5)
            word[words++] = w;
    if (words < 3 || words > 4)
        return "a line is FROM TO PACKETS [CHUNKS]";
    if (!read_place(s, word[0], &from) || !read_place(s, word[1], &flow->to))
        return "a node is X,Y,Z of this torus";
    if (!number_read(word[2], &packets) || packets < 1 || packets > MOST_PACKETS)
        return "a flow has 1 to 16777216 packets";
    if (words == 4 && (!number_read(word[3], &size) || size < 1 || size > MODEL_FULL))
        return "a packet has 1 to 8 chunks";
    flow->from = shape_node(s, from);
    flow->packets = (uint32_t)packets;
    flow->chunks = (uint8_t)size;
    return flow->from == shape_node(s, flow->to) ? "a node does not send to itself" : NULL;
}

static int by_source(const void *a, const void *b)
{
    const struct flow *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->line < y->line ? -1 : 1;
}

void flows_read(struct program *p)
{
    const char *path = p->config.file;
    FILE *f = fopen(path, "r");
    char *line = NULL;
    size_t size = 0;
    unsigned number = 0, room = 0;
    if (!f)
        sim_fail("%s: %s", path, strerror(errno));
    errno = 0;
    while (getline(&line, &size, f) > 0) {
        number++;
        line[strcspn(line, "#")] = '\0';
        if (line[strspn(line, " \t\r\n")] == '\0')
            continue;
        if (p->flows == MOST_FLOWS)
            sim_fail("%s:%u: more than %d flows", path, number, MOST_FLOWS);
        if (p->flows == room) {
            room = room ? 2 * room : 256;
            p->flow = grow(p->flow, room * sizeof *p->flow);
        }
        const char *wrong = read_line(&p->config.shape, line, p->config.chunks, &p->flow[p->flows]);
        if (wrong)
            sim_fail("%s:%u: %s", path, number, wrong);
        p->flow[p->flows++].line = number;
    }
    if (ferror(f))
        sim_fail("%s: %s", path, strerror(errno ? errno : EIO));
    if (!p->flows)
        sim_fail("%s: no flow in it", path);
    free(line);
    fclose(f);
    qsort(p->flow, p->flows, sizeof *p->flow, by_source);
    p->first = sim_alloc(p->config.shape.nodes + 1, sizeof *p->first);
    for (uint32_t i = 0; i < p->flows; i++)
        p->first[p->flow[i].from + 1]++;
    for (uint32_t i = 0; i < p->config.shape.nodes; i++)
        p->first[i + 1] += p->first[i];
}

/* A packet of each flow of the node in turn, as long as it has any. */
bool next_flow(struct program *p, unsigned node, uint32_t now, struct call *call, uint32_t *wait)
{
    const uint32_t first = p->first[node], count = p->first[node + 1] - first;
    struct seat *seat = &p->seat[node];
    (void)wait;
    for (uint32_t i = 0; i < count; i++) {
        struct flow *flow = &p->flow[first + seat->index++ % count];
        if (!flow->packets)
            continue;
        flow->packets--;
        *call = plain_call(p, flow->to, now);
        call->chunks = flow->chunks;
        call->tag = (uint16_t)(node ^ flow->packets << 7);
        return true;
    }
    return false;
}
