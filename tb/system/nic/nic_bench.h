// SPDX-License-Identifier: Apache-2.0
/*
 * nic_bench.h - hosts of NICs, which a fabric joins: a channel of beats that delays, reorders and loses packets
 * (nic_channel.h), or chips (tb/system/chip/chip_bench.h).
 */
#ifndef NIC_BENCH_H
#define NIC_BENCH_H

#include "nic/nic.h"
#include "tb/models/axi_rules.h"
#include "tb/golden/nic/nic.h"
#include "tb/models/host.h"
#include "tb/system/nic/nic_driver.h"

enum {
    BENCH_MEMORY = 1 << 24, /* bytes of each host */
    BENCH_CONTEXT =
        1 /* of nic_bench_pages: tables of one level, and the next one's of two; 0 has none */
};

struct nic_bench;

/* What joins the NICs: one clock of all of them and of what is between. */
struct nic_fabric {
    void (*clock)(struct nic_bench *b);
    bool (*idle)(const struct nic_bench *b); /* nothing is under way between NICs */
    void (*free)(struct nic_bench *b);
};

/* AXI ports of a NIC. */
enum bench_port { BENCH_S_AXI, BENCH_M_AXI, BENCH_S_AXIL, BENCH_PORTS };

/* A host, with a NIC that the fabric has. */
struct bench_node {
    unsigned number;
    uint32_t address; /* {global, local, sub}: 18 bits */
    struct axi_to_sub s_axi;
    struct axi_to_man m_axi;
    struct axil_to_sub s_axil;
    const struct axi_from_sub *from_s_axi; /* the NIC's registers */
    const struct axi_from_man *from_m_axi;
    const struct axil_from_sub *from_s_axil;
    const struct nic *nic;
    struct nic_driver driver;
    struct host *host;
    struct axi_rules *rules; /* of each port; a broken one fails a check of nic_bench_free */
    struct nic_bench *bench;
};

struct nic_bench {
    unsigned nodes;
    uint64_t clock;
    struct bench_node *node;
    struct golden_nic *golden;   /* NULL: nobody explains accesses */
    uint64_t hidden, hidden_end; /* accesses to these addresses are not shown to it */
    bool paged; /* some segments' addresses are translated, each to itself: nic_bench_pages */
    const struct nic_fabric *fabric;
    void *network; /* the fabric's own */
    /* Behind each clock; false ends the run, and nothing is waited for any more. Or null: then what is not answered in `patience` clocks aborts. */
    bool (*watch)(struct nic_bench *b);
    bool over;         /* it ended */
    bool unanswered;   /* because an access of a processor was not answered */
    uint64_t patience; /* clocks for that */
    struct rng rng;
    struct misses unrest; /* of nic_bench_drain and nic_bench_whole: what is not back, or goes on */
};

/*
 * Hosts and drivers; the fabric then fills in address and from_* of each node. nic_bench_enable: NICs wiped and enabled, with
 * host memory as physical window; accesses are shown to golden.
 */
struct nic_bench *nic_bench_new(unsigned nodes, uint64_t seed, struct golden_nic *golden);
void nic_bench_enable(struct nic_bench *b);
/*
 * The NIC of a node is reset by its fabric: its driver forgets what was under way, and the golden model what cannot come any more. What others ask
 * of it, and it of them, is in doubt until nic_bench_enable_node. Its host's port is reset too, or goes on: that is for a NIC that was stopped.
 */
void nic_bench_restart(struct nic_bench *b, unsigned node, bool host_too);
/*
 * CONTROL.enable is 0 from now on; waits for STATUS.drained. Says whether nothing was under way to its host when that was read. What others ask
 * of it, and it of them, is in doubt.
 */
bool nic_bench_stop(struct nic_bench *b, unsigned node, uint64_t patience);
void nic_bench_enable_node(struct nic_bench *b, unsigned node);
void nic_bench_free(struct nic_bench *b);
void nic_bench_clock(struct nic_bench *b);

/* All ways between two nodes, and both ways, may lose packets, or no longer. */
void nic_bench_doubt(struct nic_bench *b, unsigned one, unsigned other, bool on);

/* Until all drivers are idle; the driver of a node. */
void nic_bench_settle_drivers(struct nic_bench *b);
void nic_bench_settle_driver(struct nic_bench *b, unsigned node);

/* A register, when it is written; and its value. */
void nic_bench_write(struct nic_bench *b, unsigned node, uint16_t address, uint64_t data);

/* AMO_CONFIG.lazy; the golden model knows, whatever it was before. */
void nic_bench_lazy(struct nic_bench *b, unsigned node, unsigned lazy);
uint64_t nic_bench_read(struct nic_bench *b, unsigned node, uint16_t address);

/* From now on every second segment's addresses are translated, by page tables of one or two levels in the host's memory, each to itself. */
void nic_bench_pages(struct nic_bench *b, unsigned node);

/* Tables, here and in the golden model. */
void nic_bench_segment(struct nic_bench *b, unsigned node, unsigned mdh,
                       const struct gn_segment *s);
void nic_bench_domain(struct nic_bench *b, unsigned node, unsigned ptag, const struct gn_domain *d);
void nic_bench_queue(struct nic_bench *b, unsigned node, unsigned queue, const struct gn_ring *r);
/* An FMA descriptor of this domain, without NTT. */
void nic_bench_descriptor(struct nic_bench *b, unsigned node, unsigned descriptor, uint8_t ptag,
                          unsigned limit);

/* Clocks until STATUS.drained everywhere and nothing is under way between them; false after patience clocks, unrest says what is. */
bool nic_bench_drain(struct nic_bench *b, uint64_t patience);

/*
 * After nic_bench_drain: whether all that the NICs lend is back (invariant I6), four epochs later, when what timed out has rested: ids,
 * tags, places, transactions. unrest says what is missing.
 */
bool nic_bench_whole(struct nic_bench *b);

/* Checks that all NICs have kept the rules of AXI4 to the memory of their hosts. */
void nic_bench_judge_hosts(const struct nic_bench *b, const char *what);

#endif
