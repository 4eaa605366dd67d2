// SPDX-License-Identifier: Apache-2.0
/*
 * parallel.h - the same work for many things, by several threads.
 */
#ifndef SIM_PARALLEL_H
#define SIM_PARALLEL_H

/*
 * Calls work(to, thread, i) once for each i below count, in rising order where they are begun, from `jobs` threads with
 * numbers from 0 on (at most count; the caller is the last of them), and waits for all. Fewer threads than wanted do the
 * work if the system gives no more.
 */
void sim_parallel(unsigned jobs, unsigned count,
                  void (*work)(void *to, unsigned thread, unsigned i), void *to);

/* Processors that this process may use. */
unsigned sim_processors(void);

#endif
