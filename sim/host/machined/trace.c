// SPDX-License-Identifier: Apache-2.0
/*
 * trace.c - a waveform of the nodes' ports, in FST: a scope for each node, a time step for each clock.
 */
#include <fstapi.h>
#include <stdlib.h>

#include "sim/host/machined/machine.h"

enum { SIGNALS = 64 };

struct trace {
    void *file;
    const struct chips *chips;
    unsigned nodes, signals;
    fstHandle handle[CHIPS_MOST][SIGNALS];
    unsigned bits[SIGNALS];
    uint64_t last[CHIPS_MOST][SIGNALS];
    bool begun;
};

static void name_node(struct trace *t, unsigned node)
{
    char scope[16];
    const char *name;
    snprintf(scope, sizeof scope, "node%u", node);
    fstWriterSetScope(t->file, FST_ST_VCD_MODULE, scope, NULL);
    for (t->signals = 0; t->signals < SIGNALS &&
                         (name = chips_signal_name(t->signals, &t->bits[t->signals])) != NULL;
         t->signals++)
        t->handle[node][t->signals] = fstWriterCreateVar(t->file, FST_VT_VCD_WIRE, FST_VD_IMPLICIT,
                                                         t->bits[t->signals], name, 0);
    fstWriterSetUpscope(t->file);
}

struct trace *trace_begin(const char *path, const struct chips *c, unsigned nodes)
{
    struct trace *t = calloc(1, sizeof *t);
    if (t == NULL || (t->file = fstWriterCreate(path, 1)) == NULL) {
        free(t);
        return NULL;
    }
    fstWriterSetTimescaleFromString(t->file, "1ns");
    t->chips = c;
    t->nodes = nodes;
    for (unsigned i = 0; i < nodes; i++)
        name_node(t, i);
    return t;
}

void trace_clock(struct trace *t)
{
    fstWriterEmitTimeChange(t->file, chips_clocks(t->chips));
    for (unsigned i = 0; i < t->nodes; i++)
        for (unsigned k = 0; k < t->signals; k++) {
            const uint64_t value = chips_signal(t->chips, i, k);
            if (t->begun && value == t->last[i][k])
                continue;
            t->last[i][k] = value;
            fstWriterEmitValueChange64(t->file, t->handle[i][k], t->bits[k], value);
        }
    t->begun = true;
}

void trace_end(struct trace *t)
{
    fstWriterClose(t->file);
    free(t);
}
