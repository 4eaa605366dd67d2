// SPDX-License-Identifier: Apache-2.0
/*
 * tape.c - a buffer, and its form in a file: {bytes, bytes in the file, sum}, then pairs of {words of zeros, other words} with the
 * others behind them.
 */
#include "sim/engine/tape.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/program.h"

enum { WORD = sizeof(uint64_t), MOST = 1 << 30 };

struct leader {
    uint64_t size, stored, sum;
};

struct run {
    uint32_t zeros, words;
};

void tape_free(struct tape *t)
{
    free(t->data);
    *t = (struct tape){0};
}

static void reserve(struct tape *t, size_t room)
{
    if (room <= t->room)
        return;
    t->room = room > 2 * t->room ? room : 2 * t->room;
    void *data = realloc(t->data, t->room);
    if (!data)
        sim_fail("out of memory for %zu bytes of a checkpoint", t->room);
    t->data = data;
}

void tape_bytes(struct tape *t, void *data, size_t size)
{
    if (size == 0)
        return;
    if (t->keeps) {
        reserve(t, t->size + size);
        memcpy(t->data + t->size, data, size);
        t->size += size;
    } else if (size > t->size - t->at) {
        t->broken = true;
        memset(data, 0, size);
    } else {
        memcpy(data, t->data + t->at, size);
        t->at += size;
    }
}

/* Fowler, Noll and Vo's hash, of words. */
static uint64_t sum_of(const uint64_t *word, size_t words)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < words; i++)
        sum = (sum ^ word[i]) * UINT64_C(0x100000001b3);
    return sum;
}

/* The bytes as whole words; at the end zeros. */
static uint64_t *whole_words(const struct tape *t, size_t *words)
{
    *words = (t->size + WORD - 1) / WORD;
    uint64_t *word = sim_alloc(*words + 1, WORD);
    memcpy(word, t->data, t->size);
    return word;
}

static bool put(FILE *f, const void *data, size_t size)
{
    return fwrite(data, 1, size, f) == size;
}

bool tape_write(const struct tape *t, FILE *f)
{
    size_t words;
    uint64_t *word = whole_words(t, &words);
    struct tape packed = {.keeps = true};
    for (size_t i = 0; i < words;) {
        struct run run = {0};
        while (i + run.zeros < words && word[i + run.zeros] == 0)
            run.zeros++;
        i += run.zeros;
        while (i + run.words < words && word[i + run.words] != 0)
            run.words++;
        tape_bytes(&packed, &run, sizeof run);
        tape_bytes(&packed, word + i, run.words * WORD);
        i += run.words;
    }
    const struct leader leader = {t->size, packed.size, sum_of(word, words)};
    const bool good = put(f, &leader, sizeof leader) && put(f, packed.data, packed.size);
    tape_free(&packed);
    free(word);
    return good;
}

static bool read_leader(FILE *f, struct leader *leader)
{
    errno = 0;
    return fread(leader, sizeof *leader, 1, f) == 1 && leader->size < MOST && leader->stored < MOST;
}

bool tape_read(struct tape *t, FILE *f)
{
    struct leader leader;
    if (!read_leader(f, &leader))
        return false;
    const size_t words = (leader.size + WORD - 1) / WORD;
    struct tape packed = {.size = leader.stored};
    uint64_t *word = sim_alloc(words + 1, WORD);
    reserve(&packed, leader.stored + 1);
    bool good = fread(packed.data, 1, leader.stored, f) == leader.stored;
    for (size_t i = 0; good && i < words;) {
        struct run run;
        tape_bytes(&packed, &run, sizeof run);
        good = !packed.broken && run.zeros <= words - i && run.words <= words - i - run.zeros;
        if (good)
            tape_bytes(&packed, word + i + run.zeros, run.words * WORD);
        i += (size_t)run.zeros + run.words;
        good &= run.zeros + run.words > 0;
    }
    good = good && !packed.broken && sum_of(word, words) == leader.sum;
    tape_free(&packed);
    *t = (struct tape){.data = (uint8_t *)word, .size = leader.size, .room = words * WORD};
    return good;
}

bool tape_skip(FILE *f)
{
    struct leader leader;
    return read_leader(f, &leader) && fseek(f, (long)leader.stored, SEEK_CUR) == 0;
}
