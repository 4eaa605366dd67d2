// SPDX-License-Identifier: Apache-2.0
//
// mpi_windows.c - one-sided MPI: puts, gets, accumulate, fetch-and-op, compare-and-swap on every other rank's window; each window is checked whole.
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    WORDS = 1024, // of a window; those behind the first half are for atomic operations
    SPANS = 9,
    ADDS = 25,
    BLOCK = 40000 // bytes of the window of long puts
};

static int rank, ranks;
static uint64_t *window;
static MPI_Win win;

static void check(int holds, const char *what, uint64_t got, uint64_t wanted)
{
    if (holds)
        return;
    fprintf(stderr, "mpi_windows: rank %d: %s: %#llx, wanted %#llx\n", rank, what,
            (unsigned long long)got, (unsigned long long)wanted);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static uint64_t word_of(int from, int to, int at)
{
    return ((uint64_t)from << 48) + ((uint64_t)to << 32) + (uint64_t)at * 0x10001;
}

/// Words of a window that belong to one peer: a share of the first half.
static int share(void)
{
    return WORDS / 2 / ranks;
}

static void fence(void)
{
    MPI_Win_fence(0, win);
}

/// Each rank writes its share of every other's window, in pieces of many lengths.
static void puts_and_gets(void)
{
    uint64_t out[WORDS], back[WORDS] = {0};
    fence();
    for (int to = 0; to < ranks; to++) {
        for (int i = 0; i < share(); i++)
            out[i] = word_of(rank, to, i);
        for (int at = 0, n = 1; at < share() && to != rank; at += n, n = n % SPANS + 1) {
            n = n < share() - at ? n : share() - at;
            MPI_Put(out + at, n, MPI_UINT64_T, to, rank * share() + at, n, MPI_UINT64_T, win);
        }
        fence();
    }
    for (int from = 0; from < ranks; from++)
        for (int i = 0; i < share() && from != rank; i++)
            check(window[from * share() + i] == word_of(from, rank, i), "a word that was put",
                  window[from * share() + i], word_of(from, rank, i));
    for (int of = 0; of < ranks; of++) {
        if (of != rank)
            MPI_Get(back, share(), MPI_UINT64_T, of, rank * share(), share(), MPI_UINT64_T, win);
        fence();
        for (int i = 0; i < share() && of != rank; i++)
            check(back[i] == word_of(rank, of, i), "a word that was got", back[i],
                  word_of(rank, of, i));
    }
}

/// Puts and gets that are long enough for block transfers, at odd places of a window of their own, to the next rank.
static void blocks(void)
{
    static unsigned char out[BLOCK], back[BLOCK];
    const int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    unsigned char *bytes;
    MPI_Win large;
    MPI_Win_allocate(BLOCK, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &bytes, &large);
    for (int i = 0; i < BLOCK; i++)
        out[i] = (unsigned char)(rank * 11 + i * 7 + i / 256);
    memset(bytes, 0, BLOCK);
    MPI_Win_fence(0, large);
    for (int at = 1, n = 2100; at + n < BLOCK; at += n, n = n * 2 + 1)
        MPI_Put(out + at, n, MPI_BYTE, to, at, n, MPI_BYTE, large);
    MPI_Win_fence(0, large);
    int end = 1;
    for (int n = 2100; end + n < BLOCK; n = n * 2 + 1)
        end += n;
    for (int i = 0; i < BLOCK; i++) {
        const unsigned char wanted =
            i < 1 || i >= end ? 0 : (unsigned char)(from * 11 + i * 7 + i / 256);
        check(bytes[i] == wanted, "a byte of a long put", bytes[i], wanted);
    }
    MPI_Get(back, end, MPI_BYTE, to, 0, end, MPI_BYTE, large);
    MPI_Win_fence(0, large);
    for (int i = 1; i < end; i++)
        check(back[i] == out[i], "a byte of a long get", back[i], out[i]);
    MPI_Win_free(&large);
}

/// Sums, counters and a lock word in rank 0's and in every window.
static void atomics(void)
{
    const uint64_t one = 1, mine = (uint64_t)rank + 1;
    const MPI_Aint sum = WORDS / 2, counter = sum + 1, owner = sum + 2;
    uint64_t old, last = 0;
    fence();
    for (int to = 0; to < ranks; to++)
        MPI_Accumulate(&mine, 1, MPI_UINT64_T, to, sum, 1, MPI_UINT64_T, MPI_SUM, win);
    fence();
    check(window[sum] == (uint64_t)ranks * (uint64_t)(ranks + 1) / 2, "a sum", window[sum],
          (uint64_t)ranks * (uint64_t)(ranks + 1) / 2);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < ADDS; i++) {
        MPI_Fetch_and_op(&one, &old, MPI_UINT64_T, 0, counter, MPI_SUM, win);
        MPI_Win_flush(0, win);
        check(i == 0 || old > last, "a counter that others add to, too", old, last + 1);
        last = old;
    }
    uint64_t free = 0;
    MPI_Compare_and_swap(&mine, &free, &old, MPI_UINT64_T, 0, owner, win);
    MPI_Win_flush(0, win);
    MPI_Win_unlock_all(win);
    int won = old == 0, winners = 0;
    MPI_Allreduce(&won, &winners, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check(winners == 1, "winners of a compare and swap", (uint64_t)winners, 1);
    fence();
    if (rank == 0)
        check(window[counter] == (uint64_t)(ADDS * ranks), "a counter at the end", window[counter],
              (uint64_t)(ADDS * ranks));
    if (rank == 0)
        check(window[owner] >= 1 && window[owner] <= (uint64_t)ranks, "an owner", window[owner], 1);
    for (int i = WORDS / 2 + 3; i < WORDS; i++)
        check(window[i] == 0, "a word that nobody wrote", window[i], 0);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Win_allocate(WORDS * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window,
                     &win);
    for (int i = 0; i < WORDS; i++)
        window[i] = 0;
    puts_and_gets();
    blocks();
    atomics();
    MPI_Win_free(&win);
    if (rank == 0)
        printf("mpi_windows: %d ranks: puts, gets, blocks, sums, fetch-and-op, compare-and-swap: "
               "every "
               "window is right\n",
               ranks);
    return MPI_Finalize();
}
