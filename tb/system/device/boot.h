// SPDX-License-Identifier: Apache-2.0
/*
 * boot.h - the program of a maintenance processor: boots a network of chips by packets alone.
 *
 * It asks the chip that it is at for its links and what is behind them, breadth first through maintenance taps; gives each chip a number and lets
 * links begin anew, so that their frames tell it; compares what it found with the network as it should be, of which it names
 * wrong cables by both ends and missing ones; writes tables, a word under way to each chip; gives the final numbers.
 */
#ifndef TB_BOOT_H
#define TB_BOOT_H

#include "tb/system/device/maint_bench.h"

enum { BOOT_PORTS = RTR_PORTS, BOOT_TEXT = 80, BOOT_COMPLAINTS = 16 };

/* The network as it should be: chip 0 is where the processor is. */
struct boot_wiring {
    unsigned chips;
    struct boot_peer {
        int chip; /* -1: nobody or a processor */
        unsigned port;
    } peer[MAINT_CHIPS][BOOT_PORTS];
};

/* A word of the register bus of a router. */
struct boot_word {
    unsigned address;
    uint64_t data;
};

struct boot_chip {
    struct maint_access way;           /* how to get there and back */
    unsigned entry;                    /* the port by which it is entered */
    uint64_t up;                       /* links */
    struct boot_peer peer[BOOT_PORTS]; /* found: number of the discovery, port */
    int place;                         /* which chip of the wiring it is, -1: not known */
};

struct boot {
    struct maint_bench *bench;
    unsigned end; /* which of its ends the processor is */
    const struct boot_wiring *wiring;
    struct boot_chip chip[MAINT_CHIPS];
    unsigned chips;
    uint64_t packets, words, began, clocks;
    unsigned wrong_cables, dead_links, unanswered;
    char complaint[BOOT_COMPLAINTS][BOOT_TEXT];
    unsigned complaints;
};

/* Finds all chips and compares; false if some are missing. port: of chip 0, where the processor is. */
bool boot_find(struct boot *t, struct maint_bench *b, unsigned end, unsigned port,
               const struct boot_wiring *wiring);

/* Words for each chip of the wiring, which are written by packets; false if one was not answered. */
bool boot_write(struct boot *t, const struct boot_word *const words[MAINT_CHIPS],
                const unsigned count[MAINT_CHIPS]);

bool boot_report(const struct boot *t, const char *path);

#endif
