// SPDX-License-Identifier: Apache-2.0
/*
 * iommu_bench.h - iommu between a sender of accesses and a memory that answers late: what goes in is in a list, with what must come out.
 */
#ifndef TB_NIC_IOMMU_BENCH_H
#define TB_NIC_IOMMU_BENCH_H

#include "nic/iommu/iommu.h"
#include "tb/base/harness.h"
#include "tb/golden/nic/nic_pages.h"

enum {
    IB_TABLES = 1 << 22, /* bytes of memory for page tables; behind them nothing answers */
    IB_KEPT = 4096,      /* accesses under way, at most */
    IB_CONTEXTS = 16,
    IB_FRAME = 4096,
};

/* An access: what it is, and what it must become. */
struct ib_access {
    bool split;
    unsigned space, bytes, client, place, skip, reader, fault;
    uint64_t address;
    uint64_t data; /* of the first beat; each further one has one more */
    enum gp_status status;
    uint64_t to[2];
    unsigned since[2]; /* of pages that change: they must be no older than this */
    bool left, sent;
    uint64_t due; /* a write: when memory answers */
};

/* Accesses of one direction in order: made, gone into the module, left it, answered. */
struct ib_list {
    struct ib_access of[IB_KEPT];
    uint64_t made, entered, left, answered;
};

struct ib_load {
    double write, read; /* an access begins, per clock */
    double plain;       /* with a physical address */
    double split;       /* over the end of a page */
    double ready;       /* of memory, per clock */
    double bad;         /* a read that is refused already */
    unsigned latency;   /* of memory */
    unsigned bytes;     /* of each; 0: any */
    unsigned contexts;  /* addresses of the first so many */
    unsigned spread;    /* pages of a context, from its first on */
};

/* The read of a line: what it brings is what was there when it was asked for. */
struct ib_walk {
    uint64_t address, due;
    uint64_t words[8];
    enum gp_status status[8];
};

/* What a bench may want of each access, and where it must go; NULL: golden walker. */
typedef void ib_make(struct ib_access *a, bool write);
typedef bool ib_judge(const struct ib_access *a, bool write, enum gp_status status,
                      const uint64_t *to);

struct iommu_bench {
    struct iommu dut;
    struct iommu_in in;
    struct rng rng;
    struct misses wrong;
    uint64_t now;
    struct ib_load load;
    ib_make *make;
    ib_judge *judge;
    struct gp_context context[IB_CONTEXTS];
    uint8_t *tables;
    uint8_t *faults;                     /* enum gp_status of each 16 bytes of tables */
    bool (*forbidden)(uint64_t address); /* a line of a table that nobody may read any more */

    struct ib_list writes, reads;
    struct beat beats[8]; /* of the write that goes in */
    unsigned beat, beats_left;
    struct mem_read words[2];
    unsigned word, words_left;
    unsigned part, rest; /* of the access that leaves: heads seen, data beats to come */
    bool second;         /* of the read that leaves */
    struct ib_walk walks[256];
    uint64_t walks_asked, walks_over;
    unsigned walk_beat;
    uint64_t corrected, fatal, refused;
};

extern struct iommu_bench ib;

void ib_begin(void);
void ib_free(void);
void ib_step(void);
void ib_run(unsigned clocks);
/* No more accesses; all that there are must come to an end. */
void ib_drain(void);

/* Register writes; each takes a clock with traffic going on. */
void ib_context(unsigned n, const struct gp_context *context);
void ib_invalidate(void);

/* Whether all that went in before that many writes and reads is over. */
bool ib_over(uint64_t writes, uint64_t reads);

uint64_t ib_entry(uint64_t address);
void ib_set_entry(uint64_t address, uint64_t entry);
gp_read ib_read;

#endif
