// SPDX-License-Identifier: Apache-2.0
/*
 * plain.h - ways around the dead parts of a torus or a Clos, whose packets make no detours.
 *
 * A candidate counts if every router that its table entry stands for is reached behind it: an entry for a value of x, or for a subtree,
 * stands for all that is left there. So these are ways of the whole network, fewer of them, and nothing new can wait in a circle.
 */
#ifndef SIM_FAILOVER_PLAIN_H
#define SIM_FAILOVER_PLAIN_H

#include "sim/failover/degraded.h"

/* d->global is its memory: [router][MACHINE_PORTS][router]. */
bool plain_is(const struct topology *whole);
void plain_candidates(const struct topology *t, const struct question *q,
                      struct candidate_list *list);

/* Counts for each router how often it is an end of a pair that does not meet; the sum. */
unsigned plain_blame(const struct degraded *d, unsigned *blame);

#endif
