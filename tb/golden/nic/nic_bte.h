// SPDX-License-Identifier: Apache-2.0
/*
 * nic_bte.h - block transfers, written down a second time: the words of a descriptor, and which bytes travel together.
 *
 * Plain C11, shares nothing with hls/.
 */
#ifndef GOLDEN_NIC_BTE_H
#define GOLDEN_NIC_BTE_H

#include <stdbool.h>
#include <stdint.h>

enum { NIC_BTE_SEND = 0, NIC_BTE_PUT = 1, NIC_BTE_GET = 2 };
enum { NIC_BTE_WORDS = 8, NIC_BTE_LOCAL = 1, NIC_BTE_GLOBAL = 2, NIC_BTE_TARGET = 4 };

/* A transfer as software means it. */
struct nic_transfer {
    uint32_t pe;
    uint64_t offset; /* remote */
    unsigned mdh, local_mdh, op, mode, queue, ptag;
    bool fence, concatenate, write_back, ntt;
    bool immediate; /* SEND: `target` is an immediate word */
    unsigned wants; /* events: NIC_BTE_LOCAL and so on */
    unsigned granularity;
    uint64_t local; /* offset */
    uint64_t bytes;
    unsigned base; /* of its job in the NTT */
    uint32_t size;
    uint64_t event, target;
};

/* Its descriptor; the word that is written back is 0. */
void nic_transfer_words(const struct nic_transfer *t, uint64_t word[NIC_BTE_WORDS]);

/* A buffer for a message: what software posts, 32 bytes. */
struct nic_buffer {
    uint64_t address;
    uint64_t bytes;
    bool translated, event;
    unsigned context, queue, ptag;
};

enum { NIC_BUFFER_WORDS = 4 };

/* Its descriptor; the words that are written back are 0. */
void nic_buffer_words(const struct nic_buffer *b, uint64_t word[NIC_BUFFER_WORDS]);

/* The last word of a buffer's descriptor, and the data of its event, when its message is over; bytes: of one that is whole. */
uint64_t nic_buffer_over(bool immediate, uint32_t src, unsigned status, uint64_t bytes);
uint64_t nic_buffer_event(unsigned channel, unsigned number, uint64_t bytes);

/* What a block transfer may be. */
bool nic_transfer_legal(const struct nic_transfer *t);

/* Bytes of the packet that begins with byte `at` of the transfer. */
unsigned nic_transfer_piece(const struct nic_transfer *t, uint64_t at);

#endif
