// SPDX-License-Identifier: Apache-2.0
/*
 * nic_driver.h - the processor's side of a NIC: stores into windows and pages over AXI4, registers over AXI4-Lite.
 *
 * Transfers wait in queues and go out as fast as the NIC takes them, or with pauses at random.
 */
#ifndef NIC_DRIVER_H
#define NIC_DRIVER_H

#include "axi/axi.h"
#include "nic/regs/nic_map.h"
#include "tb/base/harness.h"

enum { DRIVER_QUEUE = 4096 };

/* As AXI4 has them, but for the first one. */
enum driver_kind { DRIVER_INCR, DRIVER_FIXED, DRIVER_WRAP };

/* A burst of stores: up to four beats of 16 bytes from a 16-byte boundary on, or one read of a word. */
struct driver_burst {
    bool read;
    enum driver_kind kind; /* of a write; only INCR is taken */
    uint64_t address;
    unsigned beats;
    uint8_t data[64];
    uint64_t strobes; /* bit i: byte i from address on is written */
};

struct driver_register {
    bool read;
    uint16_t address; /* in words */
    uint64_t data;
};

struct nic_driver {
    struct axi_to_sub axi;
    struct axil_to_sub lite;
    struct driver_burst *burst; /* ring of DRIVER_QUEUE */
    struct driver_register *reg;
    uint64_t bursts_in, aw_out, w_out, bursts_done; /* counts */
    uint64_t regs_in, regs_out;
    unsigned w_beat;
    bool lite_addr_out, lite_data_out, read_out; /* of the transfer at the front */
    uint64_t answer;                             /* of the last read that ended */
    uint64_t register_answer;                    /* of the last one of a register */
    uint64_t refused;                            /* bursts that were answered SLVERR */
    uint64_t lite_refused;
    double pause; /* chance of a valid that waits, per clock */
    struct rng rng;
};

void driver_start(struct nic_driver *d, uint64_t seed);
void driver_stop(struct nic_driver *d);
/* Its NIC was reset: transfers that wait or are under way are forgotten. */
void driver_restart(struct nic_driver *d);

/* Puts a transfer into the queue, which must have a place (driver_room). */
bool driver_room(const struct nic_driver *d);
void driver_burst(struct nic_driver *d, const struct driver_burst *b);
void driver_register(struct nic_driver *d, const struct driver_register *r);

/* All transfers have been answered. */
bool driver_idle(const struct nic_driver *d);

/*
 * A clock: inputs to the NIC stand in axi and lite; then, with the outputs as they were before that clock, what was
 * taken and answered in it.
 */
void driver_drive(struct nic_driver *d);
void driver_take(struct nic_driver *d, const struct axi_from_sub *axi,
                 const struct axil_from_sub *lite);

/* ---- what a process writes (hls/nic/PROGRAMMING.md) ---- */

/* A word of a descriptor's page. */
struct driver_burst store_word(unsigned descriptor, unsigned word, uint64_t value);
/* n bytes into the put window, not over a line of 64. */
struct driver_burst store_put(unsigned descriptor, uint64_t offset, const uint8_t *data,
                              unsigned n);
/* The control word of a get of n bytes (a multiple of 4): where the data go. */
struct driver_burst store_get(unsigned descriptor, uint64_t offset, uint64_t local_offset,
                              unsigned n, bool flagged);
/* The control word of an atomic operation that fetches, its operands in the page: where the old value goes. */
struct driver_burst store_fetch(unsigned descriptor, uint64_t offset, uint64_t local_offset,
                                unsigned opcode, bool flagged);
/* The 16-byte write of FMA launch: {offset, operand}. */
struct driver_burst store_launch(unsigned descriptor, uint64_t offset, bool get, uint64_t operand);
/* A word of a completion queue's page. */
struct driver_burst store_queue(unsigned queue, uint64_t value);

#endif
