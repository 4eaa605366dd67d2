// SPDX-License-Identifier: Apache-2.0
/* nic_bte.c - descriptors field by field, packets byte by byte. */
#include "tb/golden/nic/nic_bte.h"

#include <string.h>

/* Bits [lsb + width - 1 : lsb] of a word. */
static void put(uint64_t *word, unsigned lsb, unsigned width, uint64_t value)
{
    for (unsigned i = 0; i < width; i++) {
        *word |= (value >> i & 1) << (lsb + i);
    }
}

void nic_transfer_words(const struct nic_transfer *t, uint64_t word[NIC_BTE_WORDS])
{
    memset(word, 0, NIC_BTE_WORDS * sizeof *word);
    put(&word[0], 0, 40, t->offset);
    put(&word[0], 40, 18, t->pe);
    put(&word[1], 0, 12, t->mdh);
    put(&word[1], 12, 12, t->local_mdh);
    put(&word[1], 24, 2, t->op);
    put(&word[1], 26, 1, t->fence);
    put(&word[1], 27, 1, t->concatenate);
    put(&word[1], 28, 1, t->immediate);
    put(&word[1], 29, 3, t->mode);
    put(&word[1], 32, 3, t->wants);
    put(&word[1], 35, 1, t->write_back);
    put(&word[1], 36, 10, t->queue);
    put(&word[1], 46, 8, t->ptag);
    put(&word[1], 54, 1, t->ntt);
    put(&word[1], 55, 3, t->granularity);
    put(&word[2], 0, 40, t->local);
    put(&word[3], 0, 33, t->bytes);
    put(&word[3], 37, 13, t->base);
    put(&word[4], 0, 56, t->event);
    put(&word[5], 0, 64, t->target);
    put(&word[6], 0, 18, t->size);
}

void nic_buffer_words(const struct nic_buffer *b, uint64_t word[NIC_BUFFER_WORDS])
{
    memset(word, 0, NIC_BUFFER_WORDS * sizeof *word);
    put(&word[0], 0, 48, b->address);
    put(&word[0], 48, 1, b->translated);
    put(&word[0], 49, 4, b->context);
    put(&word[1], 0, 33, b->bytes);
    put(&word[1], 33, 10, b->queue);
    put(&word[1], 43, 8, b->ptag);
    put(&word[1], 51, 1, b->event);
}

uint64_t nic_buffer_over(bool immediate, uint32_t src, unsigned status, uint64_t bytes)
{
    uint64_t word = 0;

    put(&word, 0, 33, bytes);
    put(&word, 40, 4, status);
    put(&word, 44, 18, src);
    put(&word, 62, 1, immediate);
    put(&word, 63, 1, 1);
    return word;
}

uint64_t nic_buffer_event(unsigned channel, unsigned number, uint64_t bytes)
{
    uint64_t data = 0;

    put(&data, 0, 33, bytes);
    put(&data, 33, 10, number);
    put(&data, 43, 2, channel);
    return data;
}

bool nic_transfer_legal(const struct nic_transfer *t)
{
    const bool words = t->offset % 4 == 0 && t->bytes % 4 == 0;

    return (t->bytes >= 1 || t->op == NIC_BTE_SEND) && t->bytes <= 1ull << 32 && t->mode != 7 &&
           (t->op == NIC_BTE_PUT || t->op == NIC_BTE_SEND || (t->op == NIC_BTE_GET && words));
}

unsigned nic_transfer_piece(const struct nic_transfer *t, uint64_t at)
{
    const uint64_t line = (t->offset + at) / 64;
    unsigned bytes = 0;

    while (at + bytes < t->bytes && (t->offset + at + bytes) / 64 == line) {
        bytes++;
    }
    return bytes;
}
