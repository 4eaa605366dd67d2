// SPDX-License-Identifier: Apache-2.0
/*
 * record.c - the wrappers around the calls of the recorded module.
 */
#include "tb/equiv/lockstep/record.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "sim/base/program.h"
#include "tb/cosim.h"

#ifndef RECORDED
#define RECORDED lcb
#endif
#define GLUED(a, b, c) a##b##c
#define NAME(a, b, c)  GLUED(a, b, c)

#define REAL_STEP  NAME(__real_, RECORDED, )
#define REAL_RESET NAME(__real_, RECORDED, _reset)
#define WRAP_STEP  NAME(__wrap_, RECORDED, )
#define WRAP_RESET NAME(__wrap_, RECORDED, _reset)
#define COSIM      NAME(, RECORDED, _cosim)

struct RECORDED;
struct NAME(, RECORDED, _in);

extern const struct cosim_module COSIM;

void REAL_STEP(struct RECORDED *self, const struct NAME(, RECORDED, _in) * in);
void REAL_RESET(struct RECORDED *self);
void WRAP_STEP(struct RECORDED *self, const struct NAME(, RECORDED, _in) * in);
void WRAP_RESET(struct RECORDED *self);

enum { MOST_WORDS = 4096 };

static struct instance {
    const void *self;
    uint32_t reset; /* since its last clock */
    FILE *file;     /* of this piece, until it is added to the others */
} instances[RECORD_INSTANCES];

static FILE *checked(FILE *file, const char *path)
{
    if (!file)
        sim_fail("%s: cannot write it: %s", path, strerror(errno));
    return file;
}

FILE *record_open(const char *path)
{
    if (!path)
        sim_fail("no --record FILE: where the record goes; see --help");
    return checked(fopen(path, "wb"), path);
}

/* Null for instances that are not recorded. */
static struct instance *find(const void *self)
{
    for (unsigned i = 0; i < RECORD_INSTANCES; i++) {
        struct instance *at = &instances[i];
        if (!at->self)
            *at = (struct instance){.self = self,
                                    .file = checked(tmpfile(), "a file for the time being")};
        if (at->self == self)
            return at;
    }
    return NULL;
}

void WRAP_RESET(struct RECORDED *self)
{
    struct instance *at = find(self);
    if (at)
        at->reset = 1;
    REAL_RESET(self);
}

void WRAP_STEP(struct RECORDED *self, const struct NAME(, RECORDED, _in) * in)
{
    struct instance *at = find(self);
    if (at) {
        uint32_t words[1 + MOST_WORDS] = {at->reset};
        COSIM.pack_in(in, words + 1);
        at->reset = 0;
        fwrite(words, sizeof *words, 1 + (COSIM.in_bits + 31) / 32, at->file);
    }
    REAL_STEP(self, in);
}

void record_add_to(FILE *all)
{
    static char part[1 << 16];
    for (unsigned i = 0; i < RECORD_INSTANCES && instances[i].self; i++) {
        rewind(instances[i].file);
        for (size_t n; (n = fread(part, 1, sizeof part, instances[i].file)) > 0;)
            fwrite(part, 1, n, all);
        fclose(instances[i].file);
        instances[i].self = NULL;
    }
}
