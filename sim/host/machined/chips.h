// SPDX-License-Identifier: Apache-2.0
/*
 * chips.h - a row of chips, one node each, joined by cables, as plain C11 sees them: native ones, or their Verilog.
 *
 *     host memory ═ NIC ─ netlink ─ router ─ LCB ═ cable ═ LCB ─ router ─ netlink ─ NIC ═ host memory
 *
 * Two chips have two cables between them; more stand in a row. A packet to the node that it came from turns in its router.
 */
#ifndef SIM_HOST_CHIPS_H
#define SIM_HOST_CHIPS_H

#include "sim/host/nic_host.h"

enum { CHIPS_MOST = 4 };

/* What the NIC of these chips has for software. */
struct chips_sizes {
    unsigned window_log2;            /* bytes of a put or get window */
    unsigned transactions, requests; /* in flight, of the descriptor of a program */
    unsigned ring_transactions;      /* of a ring of block transfers */
    bool rtl;                        /* the chips are their Verilog */
};
extern const struct chips_sizes chips_sizes;

struct chips_config {
    unsigned chips;   /* 2 to CHIPS_MOST */
    unsigned cable;   /* clocks from end to end, at most 63 */
    unsigned latency; /* clocks of host memory */
    unsigned
        errors; /* of a million clocks of a cable: a bit of one lane comes wrong, on the average */
    uint64_t seed; /* where and when */
    void *whose;
    /* An access of a node's NIC to its host's memory: false, it is answered SLVERR. At most 256 bytes. */
    bool (*memory)(void *whose, unsigned node, uint64_t address, void *data, unsigned bytes,
                   bool write);
};

/* What the ports of a node carried. */
struct chips_count {
    uint64_t stores, loads;               /* of the processor */
    uint64_t refused;                     /* of these: answered SLVERR */
    uint64_t memory_reads, memory_writes; /* of the NIC */
    uint64_t memory_refused;
};

/* What crosses the borders of a node's NIC in this clock. */
struct chips_marks {
    bool store;             /* a beat of the processor's is taken */
    bool flit_out, flit_in; /* to and from the router */
    bool address,
        answer; /* of memory: an access begins; a write is answered or a read's last beat comes */
};

struct chips;

/* Bits that came wrong so far. */
uint64_t chips_errors(const struct chips *c);

/* Links up and tables written, or null: no memory, or links that do not come up. */
struct chips *chips_new(const struct chips_config *config);
void chips_free(struct chips *c);

void chips_clock(struct chips *c);
uint64_t chips_clocks(const struct chips *c);

/* Something is under way: in a NIC, on a bus, in memory. */
bool chips_busy(const struct chips *c);

uint32_t chips_address(const struct chips *c, unsigned node);
struct nic_host chips_host(struct chips *c, unsigned node);
/* False: the bus of a node has no place for another store. */
bool chips_room(const struct chips *c, unsigned node);
/* irq of a node's NIC. */
bool chips_irq(const struct chips *c, unsigned node);
struct chips_count chips_counts(const struct chips *c, unsigned node);
struct chips_marks chips_marks(const struct chips *c, unsigned node);

/* Signals of a node for a waveform: ports of its NIC, lanes and state of its links. Null behind the last. */
const char *chips_signal_name(unsigned signal, unsigned *bits);
/* As they were in the last clock. */
uint64_t chips_signal(const struct chips *c, unsigned node, unsigned signal);

#endif
