// SPDX-License-Identifier: Apache-2.0
/*
 * flows.c - a pattern file: lines "FROM TO PACKETS [CHUNKS [CLOCKS]]", nodes as X,Y,Z; # begins a remark. CLOCKS is the time from a packet of the
 * flow to its next, and from the beginning to its first.
 */
#include <stdlib.h>

#include "sim/base/number.h"
#include "sim/base/program.h"
#include "sim/bgl/fast/grow.h"
#include "sim/bgl/lines.h"
#include "sim/bgl/program_state.h"

enum { MOST_FLOWS = 1 << 24, MOST_PACKETS = 1 << 24, MOST_CLOCKS = 1 << 24 };

/* A line, or why it is none. */
static const char *read_line(const struct shape *s, char *line, unsigned chunks, struct flow *flow)
{
    char *word[5];
    uint64_t packets, size = chunks, every = 0;
    struct place from;
    const unsigned words = lines_words(line, word, 5);
    if (words < 3 || words > 5)
        return "a line is FROM TO PACKETS [CHUNKS [CLOCKS]]";
    if (!lines_place(s, word[0], &from) || !lines_place(s, word[1], &flow->to))
        return "a node is X,Y,Z of this torus";
    if (!number_read(word[2], &packets) || packets < 1 || packets > MOST_PACKETS)
        return "a flow has 1 to 16777216 packets";
    if (words >= 4 && (!number_read(word[3], &size) || size < 1 || size > MODEL_FULL))
        return "a packet has 1 to 8 chunks";
    if (words == 5 && (!number_read(word[4], &every) || every > MOST_CLOCKS))
        return "from packet to packet are at most 16777216 clocks";
    flow->from = shape_node(s, from);
    flow->packets = (uint32_t)packets;
    flow->chunks = (uint8_t)size;
    flow->every = (uint32_t)every;
    flow->due = MODEL_WINDOW + flow->every;
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
    struct lines lines = lines_open(p->config.file);
    unsigned room = 0;
    for (char *line; (line = lines_next(&lines)) != NULL;) {
        if (p->flows == MOST_FLOWS)
            lines_wrong(&lines, "more flows than the simulator holds");
        if (p->flows == room) {
            room = room ? 2 * room : 256;
            p->flow = grow(p->flow, room * sizeof *p->flow);
        }
        const char *wrong = read_line(&p->config.shape, line, p->config.chunks, &p->flow[p->flows]);
        if (wrong)
            lines_wrong(&lines, wrong);
        p->flow[p->flows++].line = lines.number;
    }
    lines_close(&lines);
    if (!p->flows)
        sim_fail("%s: no flow in it", p->config.file);
    qsort(p->flow, p->flows, sizeof *p->flow, by_source);
    p->first = sim_alloc(p->config.shape.nodes + 1, sizeof *p->first);
    for (uint32_t i = 0; i < p->flows; i++)
        p->first[p->flow[i].from + 1]++;
    for (uint32_t i = 0; i < p->config.shape.nodes; i++)
        p->first[i + 1] += p->first[i];
}

/* A packet of each flow of the node in turn that is due, as long as it has any. */
bool next_flow(struct program *p, unsigned node, uint32_t now, struct call *call, uint32_t *wait)
{
    const uint32_t first = p->first[node], count = p->first[node + 1] - first;
    struct seat *seat = &p->seat[node];
    for (uint32_t i = 0; i < count; i++) {
        struct flow *flow = &p->flow[first + (seat->index + i) % count];
        if (!flow->packets)
            continue;
        if (flow->due > now) {
            *wait = *wait && *wait < flow->due - now ? *wait : flow->due - now;
            continue;
        }
        flow->packets--;
        flow->due += flow->every;
        seat->index += i + 1;
        *call = plain_call(p, flow->to, now);
        call->chunks = flow->chunks;
        call->tag = (uint16_t)(node ^ flow->packets << 7);
        return true;
    }
    return false;
}
