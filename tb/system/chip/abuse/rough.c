// SPDX-License-Identifier: Apache-2.0
/*
 * rough.c - a process that writes nonsense into all that is mapped to it, and a driver that writes values no rule allows.
 */
#include <string.h>

#include "tb/system/chip/abuse/world.h"

enum {
    BACKLOG = 20,
    FEW = 4,
    WORDS = 32,
    WORD_BASE = 0,
    WORD_MODES = 1,
    WORD_OPEN = 8,
    WORD_CLOSE = 13,
    DISABLED = 6, /* a descriptor that nobody has */
    MODE_AT = 27
};

static uint64_t bits(struct rng *r, unsigned n)
{
    return rng_next(r) >> (64 - n);
}

/* All that a process can write there; mostly handles that exist. */
static uint64_t any_modes(struct process *p)
{
    uint64_t value = rng_next(&p->rng);
    unsigned mode = rng_below(&p->rng, p->node->world->source ? 8 : 7);

    if (rng_below(&p->rng, 8) != 0) { /* a handle of its own job, or of another */
        unsigned whose = rng_below(&p->rng, 2) != 0 ? ROUGH : rng_below(&p->rng, HONEST);
        unsigned local = rng_below(&p->rng, 4) != 0 ? ROUGH : rng_below(&p->rng, HONEST);

        value &= ~(uint64_t)0x7FFFFFF;
        value |= handle_of(whose, rng_below(&p->rng, SEGMENTS)) | (uint64_t)handle_of(local, LOCAL)
                                                                      << 12;
    }
    if (rng_below(&p->rng, 2) != 0) {
        value &= ~((uint64_t)0x7F << 40); /* PUT */
    }
    return (value & ~((uint64_t)7 << MODE_AT)) | (uint64_t)mode << MODE_AT;
}

static uint64_t any_base(struct process *p)
{
    unsigned to = rng_below(&p->rng, RING_NODES + 1);
    uint64_t pe = to == RING_NODES ? ring_rogue(rng_below(&p->rng, 4)) : ring_address(to);

    return rng_below(&p->rng, 8) == 0 ? rng_next(&p->rng) : pe << 40 | bits(&p->rng, 10);
}

static struct driver_burst any_word(struct process *p)
{
    switch (rng_below(&p->rng, 8)) {
    case 0:
        return store_word(ROUGH, WORD_OPEN, bits(&p->rng, 2));
    case 1:
        return store_word(ROUGH, WORD_CLOSE, rng_next(&p->rng));
    case 2:
    case 3:
        return store_word(ROUGH, WORD_MODES, any_modes(p));
    case 4:
    case 5:
        return store_word(ROUGH, WORD_BASE, any_base(p));
    case 6:
        return store_queue(queue_of(ROUGH, rng_below(&p->rng, 2) != 0), rng_next(&p->rng));
    default: /* but for MODES, which may have a mode that is switched off */
        return store_word(ROUGH, 2 + rng_below(&p->rng, WORDS - 2), rng_next(&p->rng));
    }
}

static struct driver_burst any_store(struct process *p)
{
    uint8_t data[64];
    unsigned bytes = 1 + rng_below(&p->rng, 64), at = rng_below(&p->rng, 64 - bytes + 1);

    for (unsigned i = 0; i < 64; i++) {
        data[i] = (uint8_t)rng_next(&p->rng);
    }
    switch (rng_below(&p->rng, 4)) {
    case 0:
        return any_word(p);
    case 1:
        return store_put(ROUGH, 64 * rng_below(&p->rng, 16) + at, data, bytes);
    case 2:
        return store_get(ROUGH, 8 * rng_below(&p->rng, 64), bits(&p->rng, 52),
                         4 + 4 * rng_below(&p->rng, 16), rng_below(&p->rng, 2) != 0);
    default:
        return store_launch(ROUGH, any_base(p), rng_below(&p->rng, 2) != 0, rng_next(&p->rng));
    }
}

/* Bursts that AXI4 has and the NIC refuses, holes in strobes, a descriptor that is disabled; a read. */
static void spoil(struct process *p, struct driver_burst *b)
{
    switch (rng_below(&p->rng, 5)) {
    case 0:
        b->kind = DRIVER_FIXED;
        break;
    case 1:
        b->kind = DRIVER_WRAP;
        break;
    case 2:
        b->strobes &= rng_next(&p->rng);
        break;
    case 3:
        *b = store_word(DISABLED, rng_below(&p->rng, WORDS), rng_next(&p->rng));
        break;
    default:
        *b = store_word(ROUGH, rng_below(&p->rng, WORDS), 0);
        b->read = true;
        break;
    }
}

/* Puts to a node that never answers, as fast as the NIC takes them. */
static void be_greedy(struct process *p)
{
    static const uint8_t data[64];
    struct driver_burst b = store_put(ROUGH, 0, data, 64);

    if (!p->greedy) {
        return;
    }
    if (rng_below(&p->rng, 16) == 0) { /* whatever nonsense does to its page */
        b = store_word(ROUGH, WORD_MODES,
                       handle_of(ROUGH, PUTS) | (uint64_t)queue_of(ROUGH, false) << 30);
        driver_burst(&p->node->driver, &b);
        b = store_word(ROUGH, WORD_BASE, (uint64_t)ring_rogue(0) << 40);
        driver_burst(&p->node->driver, &b);
        b = store_word(ROUGH, WORD_OPEN, 0);
    }
    driver_burst(&p->node->driver, &b);
}

void rough_clock(struct process *p)
{
    struct nic_driver *d = &p->node->driver;
    struct driver_burst b;

    if (d->bursts_in - d->bursts_done < FEW) {
        be_greedy(p);
    }
    if (!rng_chance(&p->rng, p->node->world->nonsense) || d->bursts_in - d->bursts_done > BACKLOG) {
        return;
    }
    b = any_store(p);
    if (rng_below(&p->rng, 6) == 0) {
        spoil(p, &b);
    }
    driver_burst(d, &b);
}

void rough_close(struct process *p)
{
    struct driver_burst modes = store_word(
        ROUGH, WORD_MODES, handle_of(ROUGH, PUTS) | (uint64_t)queue_of(ROUGH, false) << 30);
    struct driver_burst close = store_word(ROUGH, WORD_CLOSE, (uint64_t)2 << 56);

    driver_burst(&p->node->driver, &modes);
    driver_burst(&p->node->driver, &close);
}

void rough_register(struct node *n, struct rng *rng)
{
    unsigned mdd = NR_MDD + NR_MDD_STEP * ((1 << NIC_MDD_LOG2) - 1 - rng_below(rng, 8));
    unsigned queue = NR_CQ + NR_CQ_STEP * (NIC_CQS - 1);

    switch (rng_below(rng, 6)) {
    case 0:
        script_write(n, NR_ORB_EPOCH, rng_below(rng, 64));
        break;
    case 1: /* ends beyond 48 bits of address */
        script_write(n, mdd,
                     ((uint64_t)1 << 48) - 1 - rng_below(rng, 1000) | (uint64_t)1
                                                                          << NR_MDD_VALID_AT);
        script_write(n, mdd + 1, 1002 + bits(rng, 30));
        break;
    case 2: /* more transactions than ids */
        script_write(n, NR_FMA + NR_FMA_STEP * DISABLED,
                     PTAG_ROUGH | (uint64_t)NIC_SSIDS << NR_FMA_LIMIT_AT |
                         (uint64_t)1 << NR_FMA_ENABLE_AT);
        break;
    case 3: /* a ring of no size that there is, or not aligned */
        script_write(n, queue, BLOCKS_AT + ROUGH * BLOCK_BYTES + 8);
        script_write(n, queue + 1,
                     (uint64_t)1 << NR_CQ1_ENABLE_AT | (uint64_t)rng_below(rng, 32)
                                                           << NR_CQ1_LOG2_AT);
        break;
    case 4: /* read-only, or not there */
        script_write(n, rng_below(rng, 2) != 0 ? NR_ID : NR_STATUS, rng_next(rng));
        break;
    default:
        script_write(n, 0xFF00 + rng_below(rng, 256), rng_next(rng));
        break;
    }
}
