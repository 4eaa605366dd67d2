// SPDX-License-Identifier: Apache-2.0
/*
 * axi_rules.h - the rules of AXI4 and AXI4-Lite (ARM IHI 0022), checked clock by clock on one port, rule by rule and by name.
 *
 * The checker is passive and knows neither side: a bench shows it what both drive in a clock, before the edge. So it watches
 * a subordinate (axil_regs, nic_regs, pio) and what a bench asks of it, or a manager (axi_master) and its memory.
 */
#ifndef AXI_RULES_H
#define AXI_RULES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { AXI_RULES_DATA = 16, AXI_RULES_UNDER_WAY = 1024 };

enum axi_rule {
    AXI_RESET, /* no valid of the design in the first clock after a reset: its registers' reset values */
    AXI_AW_STABLE, /* valid stays, and what it offers, until ready */
    AXI_W_STABLE,
    AXI_AR_STABLE,
    AXI_B_STABLE,
    AXI_R_STABLE,
    AXI_AW_4KB, /* no burst over a boundary of 4 KB */
    AXI_AR_4KB,
    AXI_AW_BURST, /* a kind of burst that there is; WRAP: 2, 4, 8 or 16 beats, aligned; FIXED: at most 16 */
    AXI_AR_BURST,
    AXI_AW_SIZE, /* no beat wider than the bus */
    AXI_AR_SIZE,
    AXI_W_LAST,    /* with the last beat of the burst, and no other */
    AXI_W_STRB,    /* only of lanes that the beat has */
    AXI_B_AFTER_W, /* B comes behind AW and the last W of its burst; one for each */
    AXI_B_ORDER,   /* with the ID of a burst that waits, those of one ID in order */
    AXI_R_AFTER_AR,
    AXI_R_LAST,
    AXI_RESP, /* OKAY, SLVERR or DECERR: nothing here is exclusive */
    AXI_RULES
};

struct axi_rules_address {
    bool valid, ready;
    uint64_t addr;
    unsigned id, len, size, burst;
};

/* A data beat of either direction: strb of writes, id and resp of reads. */
struct axi_rules_beat {
    bool valid, ready, last;
    unsigned strb, id, resp;
    uint8_t data[AXI_RULES_DATA];
};

struct axi_rules_answer {
    bool valid, ready;
    unsigned id, resp;
};

/* One clock of a port; all bytes that are not set are 0. */
struct axi_rules_clock {
    struct axi_rules_address aw, ar;
    struct axi_rules_beat w, r;
    struct axi_rules_answer b;
};

/* Bursts of one direction that are under way, in the order of their addresses. */
struct axi_rules_list {
    unsigned count;
    struct axi_rules_open {
        struct axi_rules_address address;
        unsigned beats;
        bool whole;
    } open[AXI_RULES_UNDER_WAY];
};

struct axi_rules {
    unsigned bytes; /* of the bus */
    bool manager;   /* the design is the manager of the port */
    uint64_t clock;
    bool was_reset;
    struct axi_rules_clock before;
    struct axi_rules_list writes, reads;
    unsigned w_ahead; /* W beats whose address has not come */
    struct axi_rules_beat ahead[AXI_RULES_UNDER_WAY];
    uint64_t asked[AXI_RULES]; /* how often a rule had something to say ... */
    uint64_t broken[AXI_RULES];
    char first[160]; /* the first that was broken: clock, rule */
};

/* A port with a bus of so many bytes; whether the design, which was reset, is its manager. */
void axi_rules_begin(struct axi_rules *r, unsigned bytes, bool manager);
/* A clock, or one of reset: what was under way is forgotten. */
void axi_rules_watch(struct axi_rules *r, const struct axi_rules_clock *now, bool reset);
const char *axi_rules_name(enum axi_rule rule);
uint64_t axi_rules_broken(const struct axi_rules *r);
/* One TAP line a rule of `port`; of those in `wanted`, a bit each, it must have had something to say. */
void axi_rules_tap(const struct axi_rules *r, const char *port, uint32_t wanted);

/* What both sides of an AXI4 port of hls/axi drive: from the manager's struct m and the subordinate's struct s. */
#define AXI_RULES_OF_AXI(to, m, s)                                                                 \
    do {                                                                                           \
        memset((to), 0, sizeof *(to));                                                             \
        (to)->aw = (struct axi_rules_address){(m)->awvalid, (s)->awready, (m)->awaddr, (m)->awid,  \
                                              (m)->awlen,   (m)->awsize,  (m)->awburst};           \
        (to)->ar = (struct axi_rules_address){(m)->arvalid, (s)->arready, (m)->araddr, (m)->arid,  \
                                              (m)->arlen,   (m)->arsize,  (m)->arburst};           \
        (to)->w.valid = (m)->wvalid, (to)->w.ready = (s)->wready, (to)->w.last = (m)->wlast;       \
        (to)->w.strb = (m)->wstrb;                                                                 \
        memcpy((to)->w.data, &(m)->wdata, AXI_RULES_DATA);                                         \
        (to)->r.valid = (s)->rvalid, (to)->r.ready = (m)->rready, (to)->r.last = (s)->rlast;       \
        (to)->r.id = (s)->rid, (to)->r.resp = (s)->rresp;                                          \
        memcpy((to)->r.data, &(s)->rdata, AXI_RULES_DATA);                                         \
        (to)->b = (struct axi_rules_answer){(s)->bvalid, (m)->bready, (s)->bid, (s)->bresp};       \
    } while (0)

/* The same of AXI4-Lite: one beat of 8 bytes each, whatever the low bits of the address are. */
#define AXI_RULES_OF_LITE(to, m, s)                                                                \
    do {                                                                                           \
        memset((to), 0, sizeof *(to));                                                             \
        (to)->aw =                                                                                 \
            (struct axi_rules_address){(m)->awvalid, (s)->awready, (m)->awaddr & ~7u, 0, 0, 3, 1}; \
        (to)->ar =                                                                                 \
            (struct axi_rules_address){(m)->arvalid, (s)->arready, (m)->araddr & ~7u, 0, 0, 3, 1}; \
        (to)->w.valid = (m)->wvalid, (to)->w.ready = (s)->wready, (to)->w.last = true;             \
        (to)->w.strb = (m)->wstrb;                                                                 \
        memcpy((to)->w.data, &(m)->wdata, 8);                                                      \
        (to)->r.valid = (s)->rvalid, (to)->r.ready = (m)->rready, (to)->r.last = true;             \
        (to)->r.resp = (s)->rresp;                                                                 \
        memcpy((to)->r.data, &(s)->rdata, 8);                                                      \
        (to)->b = (struct axi_rules_answer){(s)->bvalid, (m)->bready, 0, (s)->bresp};              \
    } while (0)

#endif
