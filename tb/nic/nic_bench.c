// SPDX-License-Identifier: Apache-2.0
/*
 * nic_bench.c - hosts of NICs, and what their drivers write.
 */
#include "tb/nic/nic_bench.h"

#include <stdlib.h>
#include <string.h>

static void explain(void *whose, uint64_t address, const uint8_t *data, unsigned bytes, bool write,
                    unsigned id)
{
    const struct bench_node *n = whose;

    (void)id;
    if (n->bench->golden == NULL ||
        (address >= n->bench->hidden && address < n->bench->hidden_end)) {
        return;
    }
    if (write) {
        gn_write(n->bench->golden, n->number, address, data, bytes);
    } else {
        gn_read(n->bench->golden, n->number, address, data, bytes);
    }
}

/* ---- a clock --------------------------------------------------------------------------------------- */

static void node_before(struct bench_node *n)
{
    driver_drive(&n->driver);
    n->s_axi = n->driver.axi;
    n->s_axil = n->driver.lite;
    host_step(n->host, n->from_m_axi, &n->m_axi);
    driver_take(&n->driver, n->from_s_axi, n->from_s_axil);
}

void nic_bench_clock(struct nic_bench *b)
{
    for (unsigned i = 0; i < b->nodes; i++) {
        node_before(&b->node[i]);
    }
    b->fabric->clock(b);
    b->clock++;
}

/* ---- registers ---------------------------------------------------------------------------------------- */

void nic_bench_settle_drivers(struct nic_bench *b)
{
    for (uint64_t begin = b->clock;;) {
        bool idle = true;

        for (unsigned i = 0; i < b->nodes; i++) {
            idle = idle && driver_idle(&b->node[i].driver);
        }
        if (idle) {
            return;
        }
        if (b->clock - begin > 1000000) {
            tap_note("a processor's access is not answered");
            abort();
        }
        nic_bench_clock(b);
    }
}

void nic_bench_write(struct nic_bench *b, unsigned node, uint16_t address, uint64_t data)
{
    driver_register(&b->node[node].driver,
                    &(struct driver_register){.address = address, .data = data});
    nic_bench_settle_drivers(b);
}

uint64_t nic_bench_read(struct nic_bench *b, unsigned node, uint16_t address)
{
    driver_register(&b->node[node].driver,
                    &(struct driver_register){.read = true, .address = address});
    nic_bench_settle_drivers(b);
    return b->node[node].driver.answer;
}

void nic_bench_segment(struct nic_bench *b, unsigned node, unsigned mdh, const struct gn_segment *s)
{
    uint16_t at = (uint16_t)(NR_MDD + NR_MDD_STEP * mdh);
    uint64_t low = s->base | (uint64_t)s->read << NR_MDD_READ_AT |
                   (uint64_t)s->write << NR_MDD_WRITE_AT |
                   (uint64_t)s->translated << NR_MDD_MMU_AT |
                   (uint64_t)s->event << NR_MDD_EVENT_AT | (uint64_t)s->valid << NR_MDD_VALID_AT;
    uint64_t high =
        s->length | (uint64_t)s->ptag << NR_MDD1_PTAG_AT | (uint64_t)s->queue << NR_MDD1_QUEUE_AT;

    nic_bench_write(b, node, at, low);
    nic_bench_write(b, node, (uint16_t)(at + 1), high);
    if (b->golden != NULL) {
        gn_segment(b->golden, node, mdh, s);
    }
}

void nic_bench_domain(struct nic_bench *b, unsigned node, unsigned ptag, const struct gn_domain *d)
{
    nic_bench_write(b, node, (uint16_t)(NR_VMDH + ptag),
                    (uint64_t)d->base << NR_VMDH_BASE_AT | (uint64_t)d->size << NR_VMDH_SIZE_AT |
                        (uint64_t)d->valid << NR_VMDH_VALID_AT);
    if (b->golden != NULL) {
        gn_domain(b->golden, node, ptag, d);
    }
}

void nic_bench_queue(struct nic_bench *b, unsigned node, unsigned queue, const struct gn_ring *r)
{
    uint16_t at = (uint16_t)(NR_CQ + NR_CQ_STEP * queue);

    nic_bench_write(b, node, at, r->base);
    nic_bench_write(b, node, (uint16_t)(at + 1),
                    (uint64_t)r->enabled << NR_CQ1_ENABLE_AT | (uint64_t)r->log2 << NR_CQ1_LOG2_AT |
                        (uint64_t)r->ptag << NR_CQ1_PTAG_AT | (uint64_t)1 << NR_CQ1_THRESHOLD_AT);
    if (b->golden != NULL) {
        gn_queue(b->golden, node, queue, r);
    }
}

void nic_bench_descriptor(struct nic_bench *b, unsigned node, unsigned descriptor, uint8_t ptag,
                          unsigned limit)
{
    nic_bench_write(b, node, (uint16_t)(NR_FMA + NR_FMA_STEP * descriptor),
                    (uint64_t)ptag << NR_FMA_PTAG_AT | (uint64_t)limit << NR_FMA_LIMIT_AT |
                        (uint64_t)1 << NR_FMA_ENABLE_AT);
}

/* ---- begin and end ----------------------------------------------------------------------------------- */

struct nic_bench *nic_bench_new(unsigned nodes, uint64_t seed, struct golden_nic *golden)
{
    struct nic_bench *b = calloc(1, sizeof(*b));

    if (b == NULL || (b->node = calloc(nodes, sizeof(*b->node))) == NULL) {
        abort();
    }
    b->nodes = nodes;
    b->golden = golden;
    rng_seed(&b->rng, seed);
    harness_clock = &b->clock;
    for (unsigned i = 0; i < nodes; i++) {
        struct bench_node *n = &b->node[i];

        n->number = i;
        n->bench = b;
        n->host = host_new(BENCH_MEMORY, seed + i, explain, n);
        driver_start(&n->driver, seed + 100 + i);
    }
    return b;
}

void nic_bench_enable(struct nic_bench *b)
{
    for (unsigned i = 0; i < b->nodes; i++) {
        nic_bench_write(b, i, NR_NODE, b->node[i].address);
        nic_bench_write(b, i, NR_PHYS_SIZE, BENCH_MEMORY);
        nic_bench_write(b, i, NR_CONTROL, 1);
        if (b->golden != NULL) {
            gn_window(b->golden, i, 0, BENCH_MEMORY);
        }
    }
}

void nic_bench_free(struct nic_bench *b)
{
    for (unsigned i = 0; i < b->nodes; i++) {
        host_free(b->node[i].host);
        driver_stop(&b->node[i].driver);
    }
    b->fabric->free(b);
    free(b->node);
    free(b);
}

static bool drained(struct nic_bench *b)
{
    bool all = b->fabric->idle(b);

    for (unsigned i = 0; i < b->nodes; i++) {
        all = all && host_idle(b->node[i].host) &&
              (nic_bench_read(b, i, NR_STATUS) >> NR_STATUS_DRAINED_AT & 1) != 0;
    }
    return all;
}

bool nic_bench_drain(struct nic_bench *b, uint64_t patience)
{
    uint64_t begin = b->clock;

    nic_bench_settle_drivers(b);
    while (!drained(b)) {
        if (b->clock - begin > patience) {
            return false;
        }
        for (int i = 0; i < 100; i++) {
            nic_bench_clock(b);
        }
    }
    return true;
}
