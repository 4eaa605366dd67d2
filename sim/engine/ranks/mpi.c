// SPDX-License-Identifier: Apache-2.0
/*
 * mpi.c - the ranks of an MPI program.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/engine/ranks/ranks.h"
#include "sim/base/program.h"

enum { TAG = 1 };

static MPI_Request *request; /* a message from each rank, then one to each */
static MPI_Status *status;

static void swap(struct ranks *ranks, const struct parcel *out, struct parcel *in)
{
    int open = 0;
    for (unsigned r = 0; r < ranks->count; r++)
        if (r != ranks->rank)
            MPI_Irecv(in[r].data, (int)in[r].room, MPI_BYTE, (int)r, TAG, MPI_COMM_WORLD,
                      &request[open++]);
    for (unsigned r = 0; r < ranks->count; r++) {
        if (r == ranks->rank)
            continue;
        MPI_Isend(out[r].data, (int)out[r].size, MPI_BYTE, (int)r, TAG, MPI_COMM_WORLD,
                  &request[open++]);
        ranks->messages++;
        ranks->bytes += out[r].size;
    }
    MPI_Waitall(open, request, status);
    open = 0;
    for (unsigned r = 0; r < ranks->count; r++) {
        int size = 0;
        if (r == ranks->rank)
            continue;
        MPI_Get_count(&status[open++], MPI_BYTE, &size);
        in[r].size = (size_t)size;
    }
}

static void sum(uint64_t *value, size_t count)
{
    MPI_Allreduce(MPI_IN_PLACE, value, (int)count, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
}

static void most(uint64_t *value, size_t count)
{
    MPI_Allreduce(MPI_IN_PLACE, value, (int)count, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
}

static void abandon(int code)
{
    MPI_Abort(MPI_COMM_WORLD, code);
    exit(code);
}

static struct ranks all = {.swap = swap, .sum = sum, .most = most, .abandon = abandon};

struct ranks *ranks_start(int *argc, char ***argv)
{
    int rank, count;
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    all.rank = (unsigned)rank;
    all.count = (unsigned)count;
    MPI_Comm machine;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &count);
    MPI_Comm_free(&machine);
    all.beside = (unsigned)count;
    request = sim_alloc(2 * all.count, sizeof *request);
    status = sim_alloc(2 * all.count, sizeof *status);
    sim_follows = rank > 0;
    if (rank > 0 && !freopen("/dev/null", "w", stdout))
        sim_fail("/dev/null cannot be opened");
    return &all;
}

void ranks_end(struct ranks *ranks)
{
    (void)ranks;
    free(request);
    free(status);
    MPI_Finalize();
}
