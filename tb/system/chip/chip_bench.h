// SPDX-License-Identifier: Apache-2.0
/*
 * chip_bench.h - two chips, CHIP_CABLES of their links joined by cables with errors, a host at each NIC: a fabric of
 * tb/system/nic/nic_bench.h.
 *
 *     host ═ NIC ─ netlink ─ router ─ LCB ═ cable ═ LCB ─ router ─ netlink ─ NIC ═ host
 */
#ifndef CHIP_BENCH_H
#define CHIP_BENCH_H

#include "hls/chip/chip.h"
#include "tb/base/dut.h"
#include "tb/models/chip_cable.h"
#include "tb/system/chip/chip_l0.h"
#include "tb/system/chip/chip_traffic.h"
#include "tb/system/nic/nic_bench.h"
#include "tb/system/router/router_tables.h"

enum { CHIPS = 2, CHIP_CABLES = RTR_LINKS < 4 ? RTR_LINKS : 4 };

/* Cable i is at link CHIP_LINK + i, port CHIP_PORT + i: in gemini those of row 5 in the columns in front of the processors. */
#if RTR_PROCESSORS == 0xC30C30000000
enum { CHIP_LINK = 28, CHIP_PORT = 30 };
#else
enum { CHIP_LINK = 0, CHIP_PORT = 0 };
#endif

/* A write on the configuration bus of a router. */
struct chip_write {
    u16 addr;
    uint64_t data;
};

struct chip_end {
    struct dut dut;
    const struct chip *chip; /* the native model of dut */
    struct chip_in in;
    struct chip_cable cable[CHIP_CABLES]; /* from here to the same link of the other */
    struct chip_write *table;             /* writes of its tables, one after the other */
    unsigned table_size, table_at;
    struct chip_l0 l0; /* where a controller writes the tables */
};

struct chip_network {
    struct chip_end end[CHIPS];
    uint64_t clock;               /* also while tables are written, when hosts do nothing */
    struct chip_traffic *traffic; /* looks on, or null */
};

/*
 * Links up, tables written, NICs wiped and enabled: node CHIP_NICS * chip + nic. cosim: lockstep with the RTL, or null.
 * Ends the program with one line if the links do not come up.
 */
struct nic_bench *chip_bench_new(uint64_t seed, struct golden_nic *golden,
                                 const struct channel_config *cable,
                                 const struct cosim_module *cosim);
struct chip_network *chip_network(const struct nic_bench *b);

/* All lanes of a cable, both ways. */
void chip_bench_cable(struct nic_bench *b, unsigned cable, enum lane_state state);
/* A chip is reset in the middle of all that it does; tables of its router are written again. */
void chip_bench_restart(struct nic_bench *b, unsigned chip);
/* The NIC of a node is reset in this clock, in the middle of all that it, its netlink and its router do; nic_bench_restart. */
void chip_bench_reset_nic(struct nic_bench *b, unsigned node, bool host_too);
/* Links of a chip that have been given up, a bit each. */
unsigned chip_bench_dead(const struct nic_bench *b, unsigned chip);
/* All cables carry flits, and all tables are written. */
bool chip_bench_up(const struct nic_bench *b);

/* Tables of a router: its NICs by any tile of their netlink, the other router by any link. */
void chip_bench_tables(unsigned number, router_tables_writer *write, void *to);

#if DEV_MAINT
/* An access of the controller beside a chip, and its answer: of l0 unit, address, byte, write and data; false if it got an error. */
bool chip_bench_l0(struct nic_bench *b, unsigned chip, const struct chip_l0 *access,
                   uint64_t *reply);
#endif

/* Sum of a counter of the links. */
uint64_t chip_bench_link_count(const struct nic_bench *b, unsigned counter);
uint64_t chip_bench_mismatches(const struct nic_bench *b);

#endif
