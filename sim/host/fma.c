// SPDX-License-Identifier: Apache-2.0
/*
 * fma.c - stores of a descriptor.
 */
#include "sim/host/fma.h"

enum {
    BASE = 0x00,
    MODES = 0x08,
    FLAG = 0x18,
    FLAG_OFFSET = 0x20,
    RESULT = 0x20,
    EVENT = 0x28,
    OPERAND = 0x30,
    OPEN = 0x40,
    CQWRITE = 0x48,
    JOIN = 0x58,
    CLOSE = 0x68,
    STATUS = 0x80
};

#define FLAGGED (UINT64_C(1) << 51)

static void word(const struct fma *f, unsigned at, uint64_t value)
{
    f->store(f->context, f->page + at, &value, 8);
}

unsigned fma_requests(uint64_t offset, uint64_t bytes)
{
    return bytes == 0 ? 0 : (unsigned)((offset + bytes - 1) / FMA_LINE - offset / FMA_LINE + 1);
}

void fma_open(const struct fma *f, const struct fma_target *t, uint64_t base)
{
    word(f, MODES,
         t->mdh | (uint64_t)t->local_mdh << 12 | (uint64_t)t->mode << 27 |
             (uint64_t)t->queue << 30 | (uint64_t)t->command << 40);
    word(f, BASE, (uint64_t)t->node << 40 | base);
    word(f, OPEN, t->counted);
}

void fma_write(const struct fma *f, uint64_t at, const void *bytes, uint64_t count)
{
    const uint8_t *from = bytes;
    while (count != 0) {
        const uint64_t line = FMA_LINE - at % FMA_LINE, n = count < line ? count : line;
        f->store(f->context, f->put + at, from, (unsigned)n);
        at += n;
        from += n;
        count -= n;
    }
}

static void control(const struct fma *f, uint64_t at, uint64_t value)
{
    f->store(f->context, f->get + 2 * at, &value, 8);
}

void fma_read(const struct fma *f, uint64_t at, uint64_t local_offset, uint64_t count)
{
    while (count != 0) {
        const uint64_t line = FMA_LINE - at % FMA_LINE, n = count < line ? count : line;
        control(f, at, local_offset | (n / 4 - 1) << 40);
        at += n;
        local_offset += n;
        count -= n;
    }
}

void fma_read_flagged(const struct fma *f, uint64_t at, uint64_t local_offset, uint64_t count)
{
    control(f, at, local_offset | (count / 4 - 1) << 40 | FLAGGED);
}

void fma_operands(const struct fma *f, uint64_t first, uint64_t second)
{
    word(f, OPERAND, first);
    word(f, OPERAND + 8, second);
}

void fma_fetch(const struct fma *f, uint64_t at, uint64_t local_offset, unsigned opcode,
               bool flagged)
{
    control(f, at, local_offset | (uint64_t)opcode << 44 | (flagged ? FLAGGED : 0));
}

void fma_event(const struct fma *f, uint64_t data)
{
    word(f, CQWRITE, data);
}

void fma_target_event(const struct fma *f, uint64_t data)
{
    word(f, EVENT, data);
}

void fma_target_flag(const struct fma *f, uint64_t offset, uint64_t value)
{
    word(f, FLAG, value);
    word(f, FLAG_OFFSET, offset);
}

void fma_close(const struct fma *f, unsigned wants, uint64_t tag)
{
    word(f, CLOSE, (uint64_t)wants << 56 | tag);
}

void fma_join(const struct fma *f, const struct fma_join *j)
{
    word(f, MODES,
         (uint64_t)j->local_mdh << 12 | (uint64_t)j->queue << 30 | (uint64_t)j->operation << 40);
    word(f, RESULT, j->result);
    word(f, EVENT, j->event);
    fma_operands(f, j->first, j->second);
    word(f, JOIN,
         j->id % (1u << 15) | (uint64_t)j->child << 16 | (uint64_t)j->engine << 21 |
             (uint64_t)j->both << 23 | (uint64_t)j->exceptions << 24);
}

uint64_t fma_status(const struct fma *f)
{
    return f->page + STATUS;
}
