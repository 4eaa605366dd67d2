// SPDX-License-Identifier: Apache-2.0
/*
 * ss_pair.h - two chips of seastar2 in a ring, on ideal cables, each with a host: memory, a driver's accesses, a ring of entries.
 *
 *     chip 0, x+ ─► x-, chip 1, x+ ─► x-, chip 0
 *
 * What the NIC of a chip gives its router is held against the packets of the golden message (golden/seastar/ss_message.h), and memory
 * is watched: a write outside of what a DEPOSIT or the ring allows is counted.
 */
#ifndef TB_SS_PAIR_H
#define TB_SS_PAIR_H

#include <stdbool.h>
#include <stdint.h>

#include "hls/seastar/ss_chip.h"
#include "tb/base/dut.h"
#include "tb/base/harness.h"
#include "tb/golden/seastar/ss_message.h"

enum {
    HOST_BYTES = 1 << 16,
    HOST_RING = 0x8000, /* of 256 entries, to the end of memory less 16 KB */
    HOST_RING_LOG2 = 8,
    HOST_ENTRIES = 1 << HOST_RING_LOG2,
    HOST_QUEUE = 1024,
    LINE_LOCAL = 0x000,
    LINE_RESPONSES = 0x100,
    LINE_REQUESTS = 0x200,
};

/* An access of the NIC that is not answered yet. */
struct host_access {
    uint64_t due, addr, data;
    uint8_t strb;
};

struct ss_host {
    struct dut dut;
    struct ss_chip *chip; /* the native model of dut */
    struct ss_chip_in in;
    uint8_t memory[HOST_BYTES], allowed[HOST_BYTES];
    struct host_access write[HOST_QUEUE], read[HOST_QUEUE];
    unsigned write_put, write_get, read_put, read_get;
    unsigned latency;                 /* clocks of memory */
    uint64_t bad_read, bad_write;     /* an access at this address fails; 0: none */
    uint64_t astray;                  /* bytes written where nothing allows it */
    unsigned entries;                 /* that the driver has read */
    struct golden_ss_message due[64]; /* messages whose packets are to come */
    uint8_t due_data[64][512];
    unsigned due_put, due_get;
    size_t packet; /* of the first of them, that comes next */
    unsigned flit;
    uint64_t wrong_flits, flits;
};

struct ss_entry {
    uint64_t word[8];
};

struct ss_pair {
    struct ss_host host[2];
    uint64_t clock, interrupts[2]; /* rising edges of irq */
    bool was[2];
};

/* Both through reset, tables and rings set up, links running; false if they do not come up. */
bool pair_start(struct ss_pair *p, const struct cosim_module *cosim);
void pair_free(struct ss_pair *p);
void pair_step(struct ss_pair *p);
void pair_run(struct ss_pair *p, unsigned clocks);

/* A register by AXI4-Lite. */
uint64_t pair_read(struct ss_pair *p, unsigned i, unsigned reg);
void pair_write(struct ss_pair *p, unsigned i, unsigned reg, uint64_t data);

/* A command of 64 bytes to a line of the driver's page; returns BRESP. `beats` of the burst: 8. */
unsigned pair_mail(struct ss_pair *p, unsigned i, unsigned line, const uint64_t word[8],
                   unsigned beats);

/* SEND of a PUT with this much of memory from `from` on, and what the golden model makes of it. */
unsigned pair_put(struct ss_pair *p, unsigned i, unsigned from, unsigned bytes, unsigned ticket,
                  uint64_t tag);

/* DEPOSIT for the header entry e. */
unsigned pair_deposit(struct ss_pair *p, unsigned i, const struct ss_entry *e, unsigned to,
                      unsigned bytes);

/* The next entry of the ring; false after `limit` clocks. It is read then, RING_READ written. */
bool pair_entry(struct ss_pair *p, unsigned i, struct ss_entry *e, unsigned limit);

static inline unsigned entry_kind(const struct ss_entry *e)
{
    return e->word[7] >> 48 & 7;
}

static inline unsigned entry_status(const struct ss_entry *e)
{
    return e->word[7] >> 32 & 15;
}

#endif
