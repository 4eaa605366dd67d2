// SPDX-License-Identifier: Apache-2.0
/*
 * words.h - what a supervisor writes into the memories of routers, and reads of their counters; for supervisor.c.
 */
#ifndef SIM_FAILOVER_WORDS_H
#define SIM_FAILOVER_WORDS_H

#include "sim/failover/supervisor.h"

/* What the tables are of that are installed. */
const struct topology *words_of(const struct supervisor *s);

/* A router has a place in them. */
bool words_has_place(const struct supervisor *s, unsigned router);

/* Asks for the counters of all flits that came in by links. */
void words_ask_counters(struct supervisor *s);

/* Every word of a router's memories. */
void words_write_all(struct supervisor *s, unsigned router);

/* Installs new tables: writes what differs from what each router that has a place in them holds. */
void words_write(struct supervisor *s, struct degraded *after);

void words_free(struct supervisor *s);

#endif
