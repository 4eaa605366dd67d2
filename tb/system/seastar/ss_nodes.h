// SPDX-License-Identifier: Apache-2.0
/*
 * ss_nodes.h - a ring of seastar2 chips, native or in lockstep with their RTL, each with a host: memory, mailboxes, registers, and an
 * interrupt that is served after a time. Cables have no delay and flip bits at a rate. Programs reach it through sim/host/portals.
 *
 *     chip n, x+ ─► x-, chip n + 1
 */
#ifndef TB_SS_NODES_H
#define TB_SS_NODES_H

#include <stdbool.h>
#include <stdint.h>

#include "hls/seastar/ss_chip.h"
#include "sim/host/portals/ptl_port.h"
#include "tb/base/dut.h"
#include "tb/base/harness.h"

enum {
    NODES_MOST = 8,
    NODES_BYTES = 1 << 24, /* of memory */
    NODES_HEAP = 1 << 20,  /* the end of memory is the library's */
    NODES_QUEUE = 1024,
};

struct node_access {
    uint64_t due, addr, data;
    uint8_t strb;
};

/* An access of the host that is under way: a burst to the mailboxes, or to a register. */
struct node_job {
    bool runs, write, good;
    bool address, data; /* taken */
    unsigned at, beat, beats;
    uint64_t word[8];
};

struct ss_nodes;

struct ss_node_host {
    struct ss_nodes *all;
    unsigned at;
    struct ss_chip chip;
    struct dut dut; /* of chip */
    struct ss_chip_in in;
    uint8_t *memory;
    struct node_access write[NODES_QUEUE], read[NODES_QUEUE];
    unsigned write_put, write_get, read_put, read_get;
    struct node_job mail, bus;
    struct ptl_port port;
    uint64_t interrupts, irq_since;
    bool irq_was, serving, busy; /* busy: an access of the host is under way */
    double may_write, may_read;  /* clocks from which on a beat of data may go */
    uint64_t last_beat;          /* clock of the last beat of the last command, ... */
    uint64_t last_event;         /* ... and of the last write to the library's memory */
};

struct ss_nodes {
    unsigned count;
    unsigned latency;   /* clocks of memory */
    unsigned interrupt; /* clocks from an interrupt to its handler */
    double rate;        /* beats of data per clock and direction, at most */
    unsigned stall;     /* one clock of so many a memory takes nothing; 0: never */
    uint64_t random;
    double ber;                       /* of cables, by bit */
    const struct cosim_module *cosim; /* ss_chip: in lockstep; null: native alone */
    struct rng errors;
    uint64_t until, flipped; /* good bits until the next one that flips; bits that did */
    uint64_t repeated;       /* micropackets that links sent again */
    uint64_t clock;
    void (*watch)(void); /* behind each clock; may be null */
    struct ss_node_host *node;
};

/* Chips through reset, links up, tables written; false if they do not come up. */
bool nodes_start(struct ss_nodes *n, unsigned count);
void nodes_free(struct ss_nodes *n);

/* One clock; handlers of interrupts that are due run in it. */
void nodes_step(struct ss_nodes *n);

#endif
