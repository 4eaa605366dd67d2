// SPDX-License-Identifier: Apache-2.0
/*
 * util.c - random numbers, progress, files.
 */
#include "util.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

void sim_fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "%s: ", program_invocation_short_name);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(EXIT_FAILURE);
}

void *sim_alloc(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory)
        sim_fail("out of memory (%zu times %zu bytes)", count, size);
    return memory;
}

uint64_t sim_random(struct sim_random *r)
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
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
    if (now - p->shown < (terminal ? 1.0 : 10.0))
        return;
    p->shown = now;
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, ", %.0f s%s", now - p->started, terminal ? "  \r" : "\n");
}

bool sim_folders(const char *path)
{
    char folder[512];
    if (strlen(path) >= sizeof folder)
        return false;
    for (size_t i = 0; path[i]; i++) {
        folder[i] = '\0';
        if (path[i] == '/' && i > 0 && mkdir(folder, 0777) != 0 && errno != EEXIST)
            return false;
        folder[i] = path[i];
    }
    return true;
}

bool sim_write(const char *path, const char *text)
{
    char part[520];
    if (!sim_folders(path) || snprintf(part, sizeof part, "%s.part", path) >= (int)sizeof part)
        return false;
    FILE *f = fopen(part, "w");
    if (!f)
        return false;
    const bool written = fputs(text, f) >= 0;
    if (fclose(f) != 0 || !written || rename(part, path) != 0) {
        remove(part);
        return false;
    }
    return true;
}
