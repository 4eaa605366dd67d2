// SPDX-License-Identifier: Apache-2.0
/*
 * program.c - errors, memory, options, progress.
 */
#include "sim/base/program.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sim/base/number.h"
#include "sim/base/progress.h"

bool sim_follows;
int sim_fail_status = EXIT_FAILURE;

/* One line, whatever the arguments of the program hold. */
void sim_fail(const char *format, ...)
{
    char line[1000];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    for (char *c = line; *c; c++)
        *c = iscntrl((unsigned char)*c) ? '?' : *c;
    if (!sim_follows)
        fprintf(stderr, "%s: %s\n", program_invocation_short_name, line);
    exit(sim_fail_status);
}

void *sim_alloc(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory)
        sim_fail("out of memory (%zu times %zu bytes)", count, size);
    return memory;
}

void *sim_alloc_large(size_t size)
{
    enum { PAGE = 1 << 21 };
    const size_t whole = (size + PAGE - 1) / PAGE * PAGE;
    void *memory = aligned_alloc(PAGE, whole);
    if (!memory)
        sim_fail("out of memory (%zu bytes)", whole);
    (void)madvise(memory, whole, MADV_HUGEPAGE);
    return memset(memory, 0, size);
}

void sim_progress(struct sim_progress *p, const char *format, ...)
{
    const double now = progress_seconds();
    if (p->started == 0)
        p->started = p->shown = now;
    if (sim_follows || !progress_due(&p->shown, now))
        return;
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, ", %.0f s%s", now - p->started, progress_terminal() ? "  \r" : "\n");
}

/* ---- options and memory ----------------------------------------------------------------------- */

uint64_t sim_number(const char *option, const char *text, uint64_t least, uint64_t most)
{
    uint64_t value;
    if (!number_read(text, &value) || value < least || value > most)
        sim_fail("%s %.60s: a number from %" PRIu64 " to %" PRIu64, option, text, least, most);
    return value;
}

double sim_load(const char *option, const char *text)
{
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end != '\0' || !(value > 0 && value <= 1))
        sim_fail("%s %.60s: a number above 0 and at most 1", option, text);
    return value;
}

double sim_rate(const char *option, const char *text)
{
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= 0 && value <= 1))
        sim_fail("%s %.60s: a number from 0 to 1", option, text);
    return value;
}

/* Bytes that this program has of its address space. */
static double memory_taken(void)
{
    unsigned long long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%llu", &pages) != 1)
        pages = 0;
    if (f)
        fclose(f);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

/* Bytes that programs may still take, INFINITY if nobody knows. */
static double memory_left(void)
{
    double left = INFINITY;
    char line[100];
    FILE *f = fopen("/proc/meminfo", "r");
    while (f && fgets(line, sizeof line, f)) {
        uint64_t kilobytes;
        if (sscanf(line, "MemAvailable: %" SCNu64, &kilobytes) == 1)
            left = (double)kilobytes * 1024;
    }
    if (f)
        fclose(f);
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        if (left > (double)limit.rlim_cur - memory_taken())
            left = (double)limit.rlim_cur - memory_taken();
    return left > 0 ? left : 0;
}

void sim_room(const char *what, double bytes)
{
    const double left = memory_left();
    if (bytes > left)
        sim_fail("%s needs %.0f MB of memory, and there are %.0f MB", what, bytes / 1e6,
                 left / 1e6);
}
