// SPDX-License-Identifier: Apache-2.0
/*
 * trace.h - a value change dump of an episode: what goes in and out of its NICs.
 */
#ifndef ABUSE_TRACE_H
#define ABUSE_TRACE_H

#include "tb/system/chip/abuse/world.h"

struct trace;

/* Writes the clocks from `from` to `to`; null, with one line, if the file cannot be written. */
struct trace *trace_new(const char *path, uint64_t from, uint64_t to);
/* Behind a clock of the world. */
void trace_clock(struct trace *t, const struct world *w);
/* Closes the file; false, with one line, if it is not whole. */
bool trace_end(struct trace *t);

#endif
