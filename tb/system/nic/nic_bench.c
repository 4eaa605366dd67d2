// SPDX-License-Identifier: Apache-2.0
/*
 * nic_bench.c - hosts of NICs, and what their drivers write.
 */
#include "tb/system/nic/nic_bench.h"

#include <stdlib.h>
#include <string.h>

enum { PATIENCE = 1000000 };

/* Page tables that leave addresses as they are, of one level and of two. */
enum {
    PAGE = 4096,
    PAGES = BENCH_MEMORY / PAGE,
    PAGES_AT = BENCH_MEMORY - (1 << 20),
    PAGES_ONE = PAGES_AT, /* the table of the first, that of the second, and its second ones: */
    PAGES_TWO = PAGES_ONE + 8 * PAGES,
    PAGES_LOWER = PAGES_TWO + PAGE,
    PAGES_BYTES = 16 * PAGES + PAGE,
};

static void explain(void *whose, uint64_t address, const uint8_t *data, unsigned bytes, bool write,
                    unsigned id)
{
    const struct bench_node *n = whose;

    if (n->bench->paged && id == MEM_WALKER && !write && address >= PAGES_AT &&
        address + bytes <= PAGES_AT + PAGES_BYTES) {
        return;
    }
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

/* The rules of AXI on the three ports of a host, or that they begin anew. */
static void watch(struct bench_node *n, bool reset)
{
    struct axi_rules_clock now;

    AXI_RULES_OF_AXI(&now, &n->s_axi, n->from_s_axi);
    axi_rules_watch(&n->rules[BENCH_S_AXI], &now, reset);
    AXI_RULES_OF_AXI(&now, n->from_m_axi, &n->m_axi);
    axi_rules_watch(&n->rules[BENCH_M_AXI], &now, reset);
    AXI_RULES_OF_LITE(&now, &n->s_axil, n->from_s_axil);
    axi_rules_watch(&n->rules[BENCH_S_AXIL], &now, reset);
}

static void node_before(struct bench_node *n)
{
    driver_drive(&n->driver);
    n->s_axi = n->driver.axi;
    n->s_axil = n->driver.lite;
    host_step(n->host, n->from_m_axi, &n->m_axi);
    watch(n, false);
    driver_take(&n->driver, n->from_s_axi, n->from_s_axil);
}

void nic_bench_clock(struct nic_bench *b)
{
    for (unsigned i = 0; i < b->nodes; i++) {
        node_before(&b->node[i]);
    }
    b->fabric->clock(b);
    b->clock++;
    if (b->watch != NULL && !b->over) {
        b->over = !b->watch(b);
    }
}

/* ---- registers ---------------------------------------------------------------------------------------- */

/* An access has waited since `begin`: the run goes on, or ends. */
static void wait_on(struct nic_bench *b, unsigned node, uint64_t begin, const char *what)
{
    if (b->clock - begin <= b->patience) {
        nic_bench_clock(b);
        return;
    }
    if (b->watch == NULL) {
        tap_note("%s of node %u is not answered", what, node);
        abort();
    }
    b->unanswered = b->over = true;
}

void nic_bench_settle_driver(struct nic_bench *b, unsigned node)
{
    for (uint64_t begin = b->clock; !b->over && !driver_idle(&b->node[node].driver);) {
        wait_on(b, node, begin, "an access of the processor");
    }
}

void nic_bench_settle_drivers(struct nic_bench *b)
{
    bool idle;

    do {
        idle = true;
        for (unsigned i = 0; i < b->nodes; i++) {
            idle = idle && driver_idle(&b->node[i].driver);
            nic_bench_settle_driver(b, i);
        }
    } while (!idle && !b->over);
}

/* Until the registers that a driver wrote or read are answered, whatever others do. */
static void settle_registers(struct nic_bench *b, unsigned node)
{
    const struct nic_driver *d = &b->node[node].driver;

    for (uint64_t begin = b->clock; !b->over && d->regs_in != d->regs_out;) {
        wait_on(b, node, begin, "a register");
    }
}

void nic_bench_write(struct nic_bench *b, unsigned node, uint16_t address, uint64_t data)
{
    if (b->over) {
        return;
    }
    driver_register(&b->node[node].driver,
                    &(struct driver_register){.address = address, .data = data});
    settle_registers(b, node);
}

void nic_bench_lazy(struct nic_bench *b, unsigned node, unsigned lazy)
{
    gn_lazy(b->golden, node);
    nic_bench_write(b, node, NR_AMO_CONFIG, (uint64_t)lazy << NR_AMO_CONFIG_LAZY_AT);
}

uint64_t nic_bench_read(struct nic_bench *b, unsigned node, uint16_t address)
{
    if (b->over) {
        return 0;
    }
    driver_register(&b->node[node].driver,
                    &(struct driver_register){.read = true, .address = address});
    settle_registers(b, node);
    return b->node[node].driver.answer;
}

static void set_entry(uint8_t *memory, uint64_t at, uint64_t entry)
{
    memcpy(memory + at, &entry, 8);
}

void nic_bench_pages(struct nic_bench *b, unsigned node)
{
    static const uint64_t root[] = {PAGES_ONE / PAGE, PAGES_TWO / PAGE};
    uint8_t *memory = host_memory(b->node[node].host);

    b->paged = true;
    for (uint64_t i = 0; i < PAGES; i++) {
        set_entry(memory, PAGES_ONE + 8 * i, i * PAGE | 3);
        set_entry(memory, PAGES_LOWER + 8 * i, i * PAGE | 3);
    }
    for (uint64_t i = 0; i < PAGES / 512; i++) {
        set_entry(memory, PAGES_TWO + 8 * i, (PAGES_LOWER + PAGE * i) | 1);
    }
    for (unsigned c = 0; c < 2; c++) {
        nic_bench_write(b, node, (uint16_t)(NR_IOMMU + BENCH_CONTEXT + c),
                        root[c] | (uint64_t)12 << NR_IOMMU_LOG2_AT |
                            (uint64_t)c << NR_IOMMU_LEVELS_AT | (uint64_t)1 << NR_IOMMU_ENABLE_AT);
    }
}

void nic_bench_segment(struct nic_bench *b, unsigned node, unsigned mdh, const struct gn_segment *s)
{
    uint16_t at = (uint16_t)(NR_MDD + NR_MDD_STEP * mdh);
    uint64_t low = s->base | (uint64_t)s->read << NR_MDD_READ_AT |
                   (uint64_t)s->write << NR_MDD_WRITE_AT | (uint64_t)s->atomic << NR_MDD_ATOMIC_AT |
                   (uint64_t)s->translated << NR_MDD_MMU_AT |
                   (uint64_t)s->event << NR_MDD_EVENT_AT | (uint64_t)s->valid << NR_MDD_VALID_AT;
    bool paged = b->paged && !s->translated && s->base + s->length <= PAGES_AT && mdh % 2 == 0;
    uint64_t high =
        s->length | (uint64_t)s->ptag << NR_MDD1_PTAG_AT | (uint64_t)s->queue << NR_MDD1_QUEUE_AT;

    low |= paged ? (uint64_t)1 << NR_MDD_MMU_AT | (BENCH_CONTEXT + (uint64_t)(mdh / 2 % 2))
                                                      << NR_MDD_TC_AT
                 : 0;
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
                        (uint64_t)1 << NR_FMA_FLAGS_AT | (uint64_t)1 << NR_FMA_ENABLE_AT);
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
    b->patience = PATIENCE;
    rng_seed(&b->rng, seed);
    harness_clock = &b->clock;
    for (unsigned i = 0; i < nodes; i++) {
        struct bench_node *n = &b->node[i];

        n->number = i;
        n->bench = b;
        n->host = host_new(BENCH_MEMORY, seed + i, explain, n);
        driver_start(&n->driver, seed + 100 + i);
        n->rules = calloc(BENCH_PORTS, sizeof(*n->rules));
        if (n->rules == NULL) {
            abort();
        }
        axi_rules_begin(&n->rules[BENCH_S_AXI], AXI_RULES_DATA, false);
        axi_rules_begin(&n->rules[BENCH_M_AXI], AXI_RULES_DATA, true);
        axi_rules_begin(&n->rules[BENCH_S_AXIL], 8, false);
    }
    return b;
}

void nic_bench_enable_node(struct nic_bench *b, unsigned node)
{
    nic_bench_write(b, node, NR_NODE, b->node[node].address);
    nic_bench_write(b, node, NR_PHYS_SIZE, BENCH_MEMORY);
    nic_bench_write(b, node, NR_CONTROL, 1);
    if (b->golden != NULL) {
        gn_window(b->golden, node, 0, BENCH_MEMORY);
    }
    if (b->paged) {
        nic_bench_pages(b, node);
    }
}

void nic_bench_enable(struct nic_bench *b)
{
    for (unsigned i = 0; i < b->nodes; i++) {
        nic_bench_enable_node(b, i);
    }
}

void nic_bench_doubt(struct nic_bench *b, unsigned one, unsigned other, bool on)
{
    gn_doubt(b->golden, one, other, on);
    gn_doubt(b->golden, other, one, on);
}

static void doubt_all(struct nic_bench *b, unsigned node)
{
    for (unsigned i = 0; i < b->nodes; i++) {
        nic_bench_doubt(b, node, i, true);
    }
}

void nic_bench_restart(struct nic_bench *b, unsigned node, bool host_too)
{
    if (host_too) {
        host_restart(b->node[node].host);
    }
    driver_restart(&b->node[node].driver);
    watch(&b->node[node], true);
    doubt_all(b, node);
    gn_restart(b->golden, node);
}

bool nic_bench_stop(struct nic_bench *b, unsigned node, uint64_t patience)
{
    const struct axi_from_man *axi = b->node[node].from_m_axi;
    uint64_t begin = b->clock;

    doubt_all(b, node);
    gn_stop(b->golden, node);
    nic_bench_write(b, node, NR_CONTROL, 0);
    while ((nic_bench_read(b, node, NR_STATUS) >> NR_STATUS_DRAINED_AT & 1) == 0) {
        if (b->clock - begin > patience) {
            return false;
        }
    }
    return host_idle(b->node[node].host) && !axi->awvalid && !axi->wvalid && !axi->arvalid;
}

/* A rule that is broken fails a check of its own. */
static void judge_rules(const struct bench_node *n)
{
    static const char *const names[BENCH_PORTS] = {"s_axi", "m_axi", "s_axil"};

    for (unsigned i = 0; i < BENCH_PORTS; i++) {
        if (axi_rules_broken(&n->rules[i]) != 0) {
            tap_why("%s", n->rules[i].first);
            tap_ok(false, "node %u: the rules of AXI on %s", n->number, names[i]);
        }
    }
}

void nic_bench_judge_hosts(const struct nic_bench *b, const char *what)
{
    uint64_t broken = 0;

    for (unsigned i = 0; i < b->nodes; i++) {
        if (broken == 0 && host_broken_rules(b->node[i].host) != 0) {
            tap_why("node %u, %s", i, host_broken(b->node[i].host)->first);
        }
        broken += host_broken_rules(b->node[i].host);
    }
    tap_ok(broken == 0, "%s: the rules of AXI4 are kept", what);
}

void nic_bench_free(struct nic_bench *b)
{
    static uint64_t ended; /* clock of the last bench, for checks behind its end */

    ended = b->clock;
    for (unsigned i = 0; i < b->nodes; i++) {
        if (b->watch == NULL) { /* it does that itself */
            judge_rules(&b->node[i]);
        }
        host_free(b->node[i].host);
        driver_stop(&b->node[i].driver);
        free(b->node[i].rules);
    }
    b->fabric->free(b);
    harness_clock = &ended;
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

static bool complain_of_unrest(struct nic_bench *b, uint64_t patience)
{
    for (unsigned i = 0; i < b->nodes; i++) {
        const uint64_t status = nic_bench_read(b, i, NR_STATUS);

        must(&b->unrest, (status >> NR_STATUS_DRAINED_AT & 1) != 0,
             "node %u is not drained after %llu clocks: STATUS %#llx", i,
             (unsigned long long)patience, (unsigned long long)status);
        must(&b->unrest, host_idle(b->node[i].host),
             "node %u: the host has accesses after %llu clocks", i, (unsigned long long)patience);
    }
    must(&b->unrest, b->fabric->idle(b), "packets are between the NICs after %llu clocks",
         (unsigned long long)patience);
    return b->unrest.count > 0
               ? false
               : miss(&b->unrest, "it took longer than %llu clocks", (unsigned long long)patience);
}

bool nic_bench_drain(struct nic_bench *b, uint64_t patience)
{
    uint64_t begin = b->clock;

    nic_bench_settle_drivers(b);
    while (!drained(b)) {
        if (b->over || b->clock - begin > patience) {
            return !b->over && complain_of_unrest(b, patience);
        }
        for (int i = 0; i < 100; i++) {
            nic_bench_clock(b);
        }
    }
    return true;
}

static bool is_whole(struct nic_bench *b, unsigned node)
{
    const struct nic_initiator *i = &b->node[node].nic->initiator;
    const struct nic_target *t = &b->node[node].nic->target;
    uint64_t writes = 0, flight = 0, tags = 0;
    struct misses *m = &b->unrest;
    bool whole;

    for (unsigned writer = 0; writer < WRITERS; writer++) {
        writes += t->memory.parb.flying[writer];
    }
    for (unsigned n = 0; n < NIC_FMAS; n++) {
        flight += (u9)(i->fma.opened[n] - i->fma.freed[n]) - i->fma.opens[n];
        tags += (ssid_requests)(i->ssid.passed[n] - i->ssid.returned[n]);
    }
    whole =
        must_equal(m, i->ssid.free.out.count + i->ssid.open, NIC_SSIDS, "node %u: free ids", node);
    whole &= must_equal(m, i->orb.free.out.count, NIC_TAGS, "node %u: free tags", node);
    whole &= must_equal(m, tags, 0, "node %u: tags of descriptors", node);
    whole &= must_equal(m, i->orb.writes, 0, "node %u: writes in orb", node);
    whole &= must_equal(m, writes, 0, "node %u: writes in parb", node);
    whole &= must_equal(m, t->memory.parb.reads, 0, "node %u: reads in parb", node);
    whole &= must_equal(m, flight, 0, "node %u: transactions of descriptors", node);
    whole &= must_equal(m, nic_bench_read(b, node, NR_STATUS) >> NR_STATUS_DRAINED_AT & 1, 1,
                        "node %u: STATUS.drained", node);
    return whole;
}

bool nic_bench_whole(struct nic_bench *b)
{
    uint64_t rest = 4 * nic_bench_read(b, 0, NR_ORB_EPOCH);
    bool whole = true;

    for (uint64_t begin = b->clock; b->clock - begin < rest;) {
        nic_bench_clock(b);
    }
    for (unsigned i = 0; i < b->nodes; i++) {
        whole &= is_whole(b, i);
    }
    return whole;
}
