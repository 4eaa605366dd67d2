// SPDX-License-Identifier: Apache-2.0
/*
 * nic_transfers.h - rings of block transfers in the memory of a bench's hosts: a driver's part.
 */
#ifndef NIC_TRANSFERS_H
#define NIC_TRANSFERS_H

#include "tb/golden/nic/nic_bte.h"
#include "tb/system/nic/nic_bench.h"

/* A channel's ring. */
struct nic_ring {
    struct nic_bench *b;
    unsigned node, channel, log2;
    bool launches;    /* processes may launch there, too */
    uint64_t at;      /* address of the ring */
    uint64_t written; /* descriptors so far */
};

/* A channel gets its ring; limit: transactions in flight. */
void nic_ring_open(struct nic_ring *r, unsigned limit);

/* The next descriptor, without the doorbell. Its place must be free: written less nic_ring_read is less than the ring's size. */
void nic_ring_put(struct nic_ring *r, const struct nic_transfer *t);
void nic_ring_doorbell(struct nic_ring *r);

/* Descriptors of which all was sent. */
uint64_t nic_ring_read(struct nic_ring *r);

/* The word that was written back into descriptor n, 0: none was. */
uint64_t nic_ring_word(const struct nic_ring *r, uint64_t n);

/* A ring whose places are used again: when the transfer of one is over, and its completion, if it wants one, is there. */
enum { RING_PLACES_LOG2 = 4 };

struct nic_places {
    struct nic_ring ring;
    struct {
        bool taken, over, write_back;
        unsigned status;
    } place[1 << RING_PLACES_LOG2];
};

/* The next `count` places may be written; a completion with another status than its transfer's is a miss. */
bool nic_places_free(struct nic_places *p, unsigned count, struct misses *wrong);
/* Into the next place, without the doorbell; its number. */
uint64_t nic_places_put(struct nic_places *p, const struct nic_transfer *t);
/* Descriptor n is over. */
void nic_places_over(struct nic_places *p, uint64_t n, unsigned status);

/* A channel's ring of buffers for messages. */
struct nic_posts {
    struct nic_bench *b;
    unsigned node, channel, log2;
    uint64_t at;     /* address of the ring */
    uint64_t posted; /* buffers so far */
};

void nic_posts_open(struct nic_posts *p);
/* The next buffer, without the doorbell. */
void nic_posts_put(struct nic_posts *p, const struct nic_buffer *buffer);
void nic_posts_doorbell(struct nic_posts *p);
/* Buffers that messages have taken. */
uint64_t nic_posts_taken(struct nic_posts *p);
/* A word of the descriptor of buffer n. */
uint64_t nic_posts_word(const struct nic_posts *p, uint64_t n, unsigned which);

#endif
