// SPDX-License-Identifier: Apache-2.0
/*
 * pkt_bench.h - two LCBs in packet mode back to back over two cables, packets at both ends, everything held against the golden
 * link.
 *
 * A step is one clock of everything. At each end a golden reader gets the phits that stand in front of pkt_rx: what it hands up
 * has to be what goes up, flit by flit. A ledger has the packets: those handed in have to come, each once, in order, unchanged.
 * An input queue behind each LCB does what its contract says.
 */
#ifndef TB_PKT_BENCH_H
#define TB_PKT_BENCH_H

#include "hls/link/lcb.h"
#include "tb/system/link/two_ends.h"
#include "tb/base/dut.h"
#include "tb/golden/link/packet.h"
#include "tb/models/pkt_channel.h"
#include "tb/models/pkt_queue.h"

struct pkt_traffic {
    double load;             /* probability per clock that an idle source begins a packet */
    double bubble;           /* that it has no flit in the middle of one */
    double poison, miscoded; /* of a packet: a flit of it poisoned; a core CRC that is wrong */
    unsigned min_length, max_length;
    unsigned every, other; /* each so many packets one of this length instead; 0: none */
    unsigned vcs;          /* bit v: uses VC v */
    double drain;          /* of the input queue behind this end */
    bool ahead;            /* announces packets while others are under way */
};

struct pkt_bench_config {
    struct pkt_traffic traffic[2];
    struct pkt_channel_config cable[2]; /* from end i to the other */
    const struct cosim_module *cosim;
};

enum { PKT_TAKEN = 4096 };

struct pkt_end {
    struct dut dut;
    struct lcb *lcb;
    struct lcb_in in;
    struct pkt_traffic traffic;
    struct rng rng;
    bool stopped, offering;
    uint32_t flit[GOLDEN_LONGEST + 16]; /* of the packet that is handed in: contents */
    unsigned length, at, vc, poisoned;  /* poisoned: its flit, or beyond */
    bool soft;
    uint64_t taken, packets;
    struct pkt_queue queue;
    struct golden_reader reader;  /* of what comes in here */
    struct golden_packets ledger; /* of what this end sends */
    uint64_t rises_wrong;
    bool was_second;
    uint32_t second;
    u4 epoch;
    uint64_t head_at[64], heads, head_in, latency_most, latency_least;
    uint64_t tail_at[64], tails, tail_in, end_most; /* the same of ends */
    bool by_hand;                                   /* the test hands flits in itself */
    bool maybe_soft; /* a packet of this end may turn soft on its way */
    bool lied_to;    /* its ledger does not count: it was told what was not so */
    uint64_t forged; /* a word that it gets in the place of the next one outside packets, or 0 */
    uint64_t flits_up;
    uint64_t first_phit; /* number of the first phit that the reader got since data began */
    uint64_t
        escapes; /* packets and records that it believed although bits of them had flipped: nothing counts from here on */
    uint64_t
        blind; /* ends whose pattern is of a kind that can escape: an even number of bits, four at least */
};

struct pkt_bench {
    struct pkt_bench_config config;
    struct two_ends ends;
    uint64_t clock;
    struct pkt_end end[2];
    struct pkt_channel cable[2];
    u4 epoch;
    char wrong[200];
};

/* Full traffic of packets of 2 to 32 phits on all VCs, cables of delay 1 without errors. */
struct pkt_bench_config pkt_bench_defaults(void);

void pkt_bench_start(struct pkt_bench *b, const struct pkt_bench_config *config, uint64_t seed);
void pkt_bench_free(struct pkt_bench *b);
void pkt_bench_step(struct pkt_bench *b);
void pkt_bench_run(struct pkt_bench *b, uint64_t clocks);

/* Runs until both ends are in `state`; false if that takes more than limit clocks. */
bool pkt_bench_await(struct pkt_bench *b, enum link_state state, uint64_t limit);

/* Stops the sources and runs until all has come and left the queues; false after limit clocks. */
bool pkt_bench_drain(struct pkt_bench *b, uint64_t limit);

uint64_t pkt_bench_count(const struct pkt_bench *b, unsigned end, enum lcb_counter counter);
void pkt_bench_write(struct pkt_bench *b, unsigned end, unsigned addr, uint64_t data);
uint64_t pkt_bench_read(struct pkt_bench *b, unsigned end, unsigned addr);

/* Nothing is wrong; if something is, says what through tap_why. */
bool pkt_bench_clean(struct pkt_bench *b);

uint64_t pkt_bench_mismatches(const struct pkt_bench *b);

#endif
