// SPDX-License-Identifier: Apache-2.0
/*
 * maxflow.c - shortest augmenting paths (Edmonds and Karp) over the resources of a router.
 */
#include "tb/golden/router/maxflow.h"

#include <stdbool.h>
#include <string.h>

enum {
    UNIT = 1000000, /* one flit per clock */
    BUSSES = 8 * FLOW_PORTS,
    NODES = 2 + 3 * FLOW_PORTS + BUSSES,
    EDGES = 2 * (FLOW_PORTS * FLOW_PORTS + 3 * FLOW_PORTS + BUSSES),
    SOURCE = 0,
    DRAIN = 1,
};

struct edge {
    int to, next;
    long left; /* capacity that is not used yet */
};

/* Edge e and its way back e ^ 1 stand side by side. */
static struct {
    struct edge edge[EDGES];
    int edges;
    int first[NODES];
} net;

static void add_half(int from, int to, long capacity)
{
    net.edge[net.edges] = (struct edge){to, net.first[from], capacity};
    net.first[from] = net.edges++;
}

static void add(int from, int to, double capacity)
{
    add_half(from, to, (long)(capacity * UNIT + 0.5));
    add_half(to, from, 0);
}

static void build(const struct flow_matrix *m)
{
    const int ports = (int)(m->rows * m->cols), cols = (int)m->cols;
    const int input = 2, row_bus = input + ports, output = row_bus + ports;
    const int bus = output + ports; /* of a row and an output: bus + row * ports + output */
    net.edges = 0;
    memset(net.first, -1, sizeof net.first);
    for (int i = 0; i < ports; i++) {
        double offered = 0;
        for (int j = 0; j < ports; j++) {
            offered += m->demand[i][j];
            if (m->demand[i][j] > 0)
                add(row_bus + i, bus + i / cols * ports + j, m->demand[i][j]);
        }
        add(SOURCE, input + i, offered);
        add(input + i, row_bus + i, 1);
        add(output + i, DRAIN, 1);
    }
    for (int r = 0; r < (int)m->rows; r++)
        for (int j = 0; j < ports; j++)
            add(bus + r * ports + j, output + j, 1);
}

/* Breadth first; by[n] is the edge that reaches node n. False when the drain is out of reach. */
static bool find_path(int by[NODES])
{
    int queue[NODES], head = 0, tail = 0;
    memset(by, -1, NODES * sizeof *by);
    queue[tail++] = SOURCE;
    while (head < tail && by[DRAIN] < 0) {
        const int n = queue[head++];
        for (int e = net.first[n]; e >= 0; e = net.edge[e].next) {
            const int to = net.edge[e].to;
            if (net.edge[e].left == 0 || by[to] >= 0 || to == SOURCE)
                continue;
            by[to] = e;
            queue[tail++] = to;
        }
    }
    return by[DRAIN] >= 0;
}

static long push(const int by[NODES])
{
    long least = UNIT;
    for (int n = DRAIN; n != SOURCE; n = net.edge[by[n] ^ 1].to)
        if (net.edge[by[n]].left < least)
            least = net.edge[by[n]].left;
    for (int n = DRAIN; n != SOURCE; n = net.edge[by[n] ^ 1].to) {
        net.edge[by[n]].left -= least;
        net.edge[by[n] ^ 1].left += least;
    }
    return least;
}

double flow_maximum(const struct flow_matrix *m)
{
    int by[NODES];
    long total = 0;
    build(m);
    while (find_path(by))
        total += push(by);
    return (double)total / UNIT;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

double flow_concurrent(const struct flow_matrix *m)
{
    const unsigned ports = m->rows * m->cols;
    double most = 1, total = 0; /* load of the busiest resource, if it is more than 1 */
    for (unsigned p = 0; p < ports; p++) {
        double in = 0, out = 0;
        for (unsigned q = 0; q < ports; q++) {
            in += m->demand[p][q];
            out += m->demand[q][p];
        }
        for (unsigned r = 0; r < m->rows; r++) {
            double bus = 0;
            for (unsigned c = 0; c < m->cols; c++)
                bus += m->demand[r * m->cols + c][p];
            most = larger(most, bus);
        }
        most = larger(most, larger(in, out));
        total += in;
    }
    return total / most;
}
