// SPDX-License-Identifier: Apache-2.0
/*
 * util.c - random numbers, progress, numbers, memory.
 */
#include "sim/base/util.h"
#include "sim/base/splitmix.h"

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
#include <time.h>
#include <unistd.h>

bool sim_follows;

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
    exit(EXIT_FAILURE);
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

struct sim_random sim_random_of(uint64_t seed, uint64_t which)
{
    uint64_t state = splitmix64(&seed) ^ which * UINT64_C(0xd1342543de82ef95);
    return (struct sim_random){splitmix64(&state)};
}

uint64_t sim_random(struct sim_random *r)
{
    return splitmix64(&r->state);
}

uint32_t sim_below(struct sim_random *r, uint32_t n)
{
    return (uint32_t)((sim_random(r) >> 32) * n >> 32);
}

double sim_unit(struct sim_random *r)
{
    return (double)(sim_random(r) >> 11) * 0x1p-53;
}

double sim_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void sim_progress(struct sim_progress *p, const char *format, ...)
{
    const double now = sim_seconds();
    const bool terminal = isatty(STDERR_FILENO) == 1;
    if (p->started == 0)
        p->started = p->shown = now;
    if (sim_follows || now - p->shown < (terminal ? 1.0 : 10.0))
        return;
    p->shown = now;
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, ", %.0f s%s", now - p->started, terminal ? "  \r" : "\n");
}

/* ---- options and memory ----------------------------------------------------------------------- */

uint64_t sim_number(const char *option, const char *text, uint64_t least, uint64_t most)
{
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (errno != 0 || !isdigit((unsigned char)*text) || *end != '\0' || value < least ||
        value > most)
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
