// SPDX-License-Identifier: Apache-2.0
/* nic_transfers.c - rings of block transfers: registers and descriptors. */
#include "tb/system/nic/transfer/nic_transfers.h"

#include <string.h>

static uint16_t address(const struct nic_ring *r, unsigned reg)
{
    return (uint16_t)(NR_BTE + NR_BTE_STEP * r->channel + reg);
}

static uint8_t *descriptor(const struct nic_ring *r, uint64_t n)
{
    return host_memory(r->b->node[r->node].host) + r->at + 64 * (n % (1ull << r->log2));
}

void nic_ring_open(struct nic_ring *r, unsigned limit)
{
    r->written = 0;
    nic_bench_write(r->b, r->node, address(r, 0), r->at);
    nic_bench_write(r->b, r->node, address(r, 1),
                    1 | (uint64_t)r->launches << NR_BTE1_LAUNCH_AT |
                        (uint64_t)r->log2 << NR_BTE1_LOG2_AT | (uint64_t)limit << NR_BTE1_LIMIT_AT);
}

void nic_ring_put(struct nic_ring *r, const struct nic_transfer *t)
{
    uint64_t word[NIC_BTE_WORDS];

    nic_transfer_words(t, word);
    memcpy(descriptor(r, r->written++), word, sizeof word);
}

void nic_ring_doorbell(struct nic_ring *r)
{
    nic_bench_write(r->b, r->node, address(r, 2), r->written & 1023);
}

uint64_t nic_ring_read(struct nic_ring *r)
{
    const uint64_t index = nic_bench_read(r->b, r->node, address(r, 3));

    return r->written - ((r->written - index) & 1023);
}

uint64_t nic_ring_word(const struct nic_ring *r, uint64_t n)
{
    uint64_t word;

    memcpy(&word, descriptor(r, n) + 56, sizeof word);
    return word;
}

/* ---- places that are used again ------------------------------------------------------------------ */

static bool is_free(struct nic_places *p, uint64_t n, struct misses *wrong)
{
    const unsigned at = n % (1 << RING_PLACES_LOG2);
    const uint64_t word = nic_ring_word(&p->ring, n);

    if (p->place[at].taken && p->place[at].over && (!p->place[at].write_back || word >> 63 != 0)) {
        must(wrong, !p->place[at].write_back || (word & 15) == p->place[at].status,
             "node %u: completion %#llx, expected status %u", p->ring.node,
             (unsigned long long)word, p->place[at].status);
        p->place[at].taken = false;
    }
    return !p->place[at].taken;
}

bool nic_places_free(struct nic_places *p, unsigned count, struct misses *wrong)
{
    bool all = true;

    for (unsigned i = 0; i < count; i++) {
        all &= is_free(p, p->ring.written + i, wrong);
    }
    return all;
}

uint64_t nic_places_put(struct nic_places *p, const struct nic_transfer *t)
{
    const uint64_t n = p->ring.written;
    const unsigned at = n % (1 << RING_PLACES_LOG2);

    p->place[at].taken = true;
    p->place[at].over = false;
    p->place[at].write_back = t->write_back;
    nic_ring_put(&p->ring, t);
    return n;
}

void nic_places_over(struct nic_places *p, uint64_t n, unsigned status)
{
    const unsigned at = n % (1 << RING_PLACES_LOG2);

    p->place[at].over = true;
    p->place[at].status = status;
}

/* ---- posted buffers ------------------------------------------------------------------------------ */

static void write_posts(const struct nic_posts *p, unsigned reg, uint64_t data)
{
    nic_bench_write(p->b, p->node, (uint16_t)(NR_BTE + NR_BTE_STEP * p->channel + reg), data);
}

static uint8_t *post_of(const struct nic_posts *p, uint64_t n)
{
    return host_memory(p->b->node[p->node].host) + p->at + 32 * (n % (1ull << p->log2));
}

void nic_posts_open(struct nic_posts *p)
{
    p->posted = 0;
    write_posts(p, 4, p->at);
    write_posts(p, 5, 1 | (uint64_t)p->log2 << NR_BTE5_LOG2_AT);
}

void nic_posts_put(struct nic_posts *p, const struct nic_buffer *buffer)
{
    uint64_t word[NIC_BUFFER_WORDS];

    nic_buffer_words(buffer, word);
    memcpy(post_of(p, p->posted++), word, sizeof word);
}

void nic_posts_doorbell(struct nic_posts *p)
{
    write_posts(p, 6, p->posted & 1023);
}

uint64_t nic_posts_taken(struct nic_posts *p)
{
    const uint64_t index =
        nic_bench_read(p->b, p->node, (uint16_t)(NR_BTE + NR_BTE_STEP * p->channel + 7));

    return p->posted - ((p->posted - index) & 1023);
}

uint64_t nic_posts_word(const struct nic_posts *p, uint64_t n, unsigned which)
{
    uint64_t word;

    memcpy(&word, post_of(p, n) + 8 * which, sizeof word);
    return word;
}
