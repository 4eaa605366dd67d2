// SPDX-License-Identifier: Apache-2.0
/*
 * parallel.c - a counter that threads draw from.
 */
#include "sim/base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "sim/base/program.h"

struct all {
    void (*work)(void *to, unsigned thread, unsigned i);
    void *to;
    unsigned count;
    atomic_uint next;
};

struct one {
    struct all *all;
    unsigned thread;
    pthread_t handle;
};

static void *run(void *memory)
{
    const struct one *one = memory;
    struct all *all = one->all;
    for (unsigned i; (i = atomic_fetch_add(&all->next, 1)) < all->count;)
        all->work(all->to, one->thread, i);
    return NULL;
}

void sim_parallel(unsigned jobs, unsigned count,
                  void (*work)(void *to, unsigned thread, unsigned i), void *to)
{
    struct all all = {.work = work, .to = to, .count = count};
    const unsigned others =
        (jobs < count ? jobs : count) > 1 ? (jobs < count ? jobs : count) - 1 : 0;
    struct one *one = sim_alloc(others + 1, sizeof *one);
    unsigned started = 0;
    while (started < others) {
        one[started] = (struct one){.all = &all, .thread = started};
        if (pthread_create(&one[started].handle, NULL, run, &one[started]) != 0)
            break;
        started++;
    }
    one[started] = (struct one){.all = &all, .thread = started};
    run(&one[started]);
    for (unsigned i = 0; i < started; i++)
        pthread_join(one[i].handle, NULL);
    free(one);
}

unsigned sim_processors(void)
{
    cpu_set_t set;
    const int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return count > 0 ? (unsigned)count : 1;
}
