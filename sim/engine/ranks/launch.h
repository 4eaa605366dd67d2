// SPDX-License-Identifier: Apache-2.0
/*
 * launch.h - the same program again, as several ranks of MPI.
 */
#ifndef SIM_LAUNCH_H
#define SIM_LAUNCH_H

/*
 * Runs what stands beside this program and is called as it, with -mpi behind, as so many ranks by mpirun, with these arguments
 * but --ranks. What mpirun says itself is not shown: when a rank dies one line says so, and `advice`. Returns the exit status.
 */
int launch(unsigned ranks, char **arguments, const char *advice);

#endif
