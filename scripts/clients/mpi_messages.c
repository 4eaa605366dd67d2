// SPDX-License-Identifier: Apache-2.0
//
// mpi_messages.c - each rank sends messages of many sizes to each other one, and each byte that comes is checked; then collectives.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 20000, ROUNDS = 3 };

static int rank, ranks;

/// Byte `at` of a message of `bytes` from one rank to another.
static unsigned char byte_of(int from, int to, int bytes, int at)
{
    return (unsigned char)(from * 31 + to * 17 + bytes * 7 + at * 13 + at / 256);
}

static void check(int holds, const char *what, int peer, int bytes)
{
    if (holds)
        return;
    fprintf(stderr, "mpi_messages: rank %d: %s, with rank %d, %d bytes\n", rank, what, peer, bytes);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/// To the next and from the previous by a distance, both at once.
static void exchange(int distance, int bytes)
{
    static unsigned char out[MOST], in[MOST];
    const int to = (rank + distance) % ranks, from = (rank + ranks - distance) % ranks;
    MPI_Status status;
    int got;
    for (int i = 0; i < bytes; i++)
        out[i] = byte_of(rank, to, bytes, i);
    MPI_Sendrecv(out, bytes, MPI_BYTE, to, bytes, in, MOST, MPI_BYTE, from, bytes, MPI_COMM_WORLD,
                 &status);
    MPI_Get_count(&status, MPI_BYTE, &got);
    check(got == bytes, "a message of another length", from, bytes);
    for (int i = 0; i < bytes; i++)
        check(in[i] == byte_of(from, rank, bytes, i), "a wrong byte", from, bytes);
}

static void collectives(void)
{
    int sum = 0, all[64] = {0}, turned[64] = {0};
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check(sum == ranks * (ranks - 1) / 2, "a wrong sum", -1, sum);
    for (int i = 0; i < ranks; i++)
        all[i] = rank * 100 + i;
    MPI_Alltoall(all, 1, MPI_INT, turned, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < ranks; i++)
        check(turned[i] == i * 100 + rank, "a wrong word of all to all", i, 4);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int round = 0; round < ROUNDS; round++)
        for (int distance = 1; distance < ranks; distance++)
            for (int bytes = 0; bytes <= MOST; bytes = bytes < 70 ? bytes + 1 : bytes * 5 / 4)
                exchange(distance, bytes);
    collectives();
    if (rank == 0)
        printf("mpi_messages: %d ranks: every byte is right\n", ranks);
    return MPI_Finalize();
}
