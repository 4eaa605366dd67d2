// SPDX-License-Identifier: Apache-2.0
/*
 * chip_blocks.c - what block transfers have, and what they mean.
 */
#include "tb/system/chip/chip_blocks.h"

#include <string.h>

/* Beyond those of programs. */
enum {
    DOMAIN = 9,
    QUEUE = 7,
    HERE = 200, /* what puts read */
    THERE,      /* what the other writes and reads */
    BACK,       /* data of gets */
    EVENTS_AT = 0xA80000,
    EVENTS_LOG2 = 11,
    HERE_AT = 0xB00000,
    RING_AT = 0xB80000,
    THERE_AT = 0xC00000,
    BACK_AT = 0xD00000,
    PLACE = 1024, /* of a transfer's data */
    LONGEST = 600,
    RING_LOG2 = 8, /* BLOCKS_MOST fit, so no place is used again */
    SELDOM = 400,
};

static void give_segment(struct nic_bench *b, unsigned node, unsigned mdh, uint64_t base)
{
    nic_bench_segment(b, node, mdh,
                      &(struct gn_segment){.valid = true,
                                           .read = true,
                                           .write = true,
                                           .event = true,
                                           .base = base,
                                           .length = (uint64_t)2 * PLACE * BLOCKS_MOST,
                                           .ptag = DOMAIN,
                                           .queue = QUEUE});
}

void chip_blocks_start(struct chip_blocks *c, struct nic_bench *b)
{
    *c = (struct chip_blocks){.transfers = 0};
    b->hidden = HERE_AT;
    b->hidden_end = THERE_AT;
    for (unsigned i = 0; i < CHIPS; i++) {
        const unsigned node = i * CHIP_NICS;

        give_segment(b, node, HERE, HERE_AT);
        give_segment(b, node, THERE, THERE_AT);
        give_segment(b, node, BACK, BACK_AT);
        nic_bench_queue(
            b, node, QUEUE,
            &(struct gn_ring){
                .enabled = true, .base = EVENTS_AT, .log2 = EVENTS_LOG2, .ptag = DOMAIN});
        c->ring[i] = (struct nic_ring){
            .b = b, .node = node, .channel = i % 2, .log2 = RING_LOG2, .at = RING_AT};
        nic_ring_open(&c->ring[i], 4);
    }
}

/* Transfer n of a chip to another one, at places of its own. */
static struct nic_transfer draw(struct rng *rng, uint32_t pe, unsigned chip, unsigned n)
{
    const bool put = rng_below(rng, 2) != 0;
    struct nic_transfer t = {
        .pe = pe,
        .op = put ? NIC_BTE_PUT : NIC_BTE_GET,
        .mdh = THERE,
        .local_mdh = put ? HERE : BACK,
        .ptag = DOMAIN,
        .bytes = 1 + rng_below(rng, LONGEST),
        .mode = rng_below(rng, 4),
        .wants = NIC_BTE_GLOBAL | (put && rng_below(rng, 2) != 0 ? NIC_BTE_TARGET : 0),
        .queue = QUEUE,
        .event = (uint64_t)(chip + 1) << 52 | n,
        .target = (uint64_t)(chip + 3) << 52 | n,
        .fence = rng_below(rng, 8) == 0,
        .write_back = true,
        .offset = PLACE * (2 * n + put) + rng_below(rng, 64),
        .local = PLACE * n + rng_below(rng, 64),
    };

    if (!put) {
        t.bytes = (t.bytes + 3) & ~(uint64_t)3;
        t.offset &= ~(uint64_t)3;
    }
    return t;
}

/* Its packets, as operations of a transaction. */
static void explain(const struct nic_bench *b, unsigned node, unsigned to,
                    const struct nic_transfer *t)
{
    const bool target = (t->wants & NIC_BTE_TARGET) != 0;
    const unsigned transaction = gn_open(b->golden, node, DOMAIN, target);
    const struct gn_wants wants = {.global = true,
                                   .target = target,
                                   .to = (int)to,
                                   .mdh = THERE,
                                   .target_event = t->target,
                                   .queue = QUEUE,
                                   .event = t->event};

    for (uint64_t at = 0; at < t->bytes; at += nic_transfer_piece(t, at)) {
        struct gn_operation o = {
            .kind = t->op == NIC_BTE_PUT ? GN_PUT : GN_GET,
            .to = (int)to,
            .mdh = (uint16_t)t->mdh,
            .offset = t->offset + at,
            .bytes = nic_transfer_piece(t, at),
            .local_mdh = (uint16_t)t->local_mdh,
            .local_offset = t->local + at,
        };

        if (t->op == NIC_BTE_PUT) {
            memcpy(o.data, host_memory(b->node[node].host) + HERE_AT + t->local + at, o.bytes);
        }
        gn_post(b->golden, transaction, &o);
    }
    gn_close(b->golden, transaction, &wants);
}

void chip_blocks_clock(struct chip_blocks *c)
{
    struct nic_bench *b = c->ring[0].b;
    const unsigned i = rng_below(&b->rng, CHIPS);
    struct nic_ring *r = &c->ring[i];
    const unsigned to = (CHIPS - 1 - i) * CHIP_NICS;

    if (c->posted[i] == BLOCKS_MOST || rng_below(&b->rng, SELDOM) != 0) {
        return;
    }
    const struct nic_transfer t = draw(&b->rng, b->node[to].address, i, c->posted[i]++);

    explain(b, r->node, to, &t);
    nic_ring_put(r, &t);
    nic_ring_doorbell(r);
    c->transfers++;
    c->bytes += t.bytes;
    c->at_target += (t.wants & NIC_BTE_TARGET) != 0;
}

uint64_t chip_blocks_complete(const struct chip_blocks *c)
{
    uint64_t complete = 0;

    for (unsigned i = 0; i < CHIPS; i++) {
        for (unsigned n = 0; n < c->posted[i]; n++) {
            complete += nic_ring_word(&c->ring[i], n) == (uint64_t)1 << 63;
        }
    }
    return complete;
}
