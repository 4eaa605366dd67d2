// SPDX-License-Identifier: Apache-2.0
/*
 * instructions.c - perf_event_open, which has no wrapper in the C library.
 */
#include "sim/speed/instructions.h"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

int instructions_open(void)
{
    struct perf_event_attr what = {
        .type = PERF_TYPE_HARDWARE,
        .size = sizeof what,
        .config = PERF_COUNT_HW_INSTRUCTIONS,
        .exclude_kernel = 1,
        .exclude_hv = 1,
    };
    return (int)syscall(SYS_perf_event_open, &what, 0, -1, -1, 0);
}

bool instructions_close(int counter, uint64_t *count)
{
    if (counter < 0)
        return false;
    const bool good = read(counter, count, sizeof *count) == sizeof *count;
    close(counter);
    return good;
}
