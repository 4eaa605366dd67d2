// SPDX-License-Identifier: Apache-2.0
/*
 * ss_scratch.h - ports and registers of the scratch memory: three banks under codes, for the engine, the driver and the scrubber.
 */
#ifndef SS_SCRATCH_H
#define SS_SCRATCH_H

#include "seastar/portals/ss_code.h"

/* Accesses of one clock to banks 0 and 1, ... */
struct ss_pair_access {
    u1 read, write;
    ss_scratch_index read_at, write_at;
    struct ss_pair_cell data;
};

/* ... and to bank 2. */
struct ss_third_access {
    u1 read, write;
    ss_scratch_index read_at, write_at;
    ss_cell data;
};

struct ss_scratch_in {
    struct ss_pair_access pair;
    struct ss_third_access third;
    struct ss_scratch_driver driver;
    u16 scrub_period; /* clocks between two cells; 0: no scrubbing */
};

struct ss_scratch_out {
    u1 ready; /* wiped */
    struct ss_pair_cell pair;
    u1 pair_fatal;
    ss_cell third;
    u1 third_fatal;
    u1 done; /* the driver's access, for one clock */
    ss_cell data;
    u1 corrected, fatal; /* an error was seen */
    u1 scrubbed;         /* a cell was written anew */
};

enum ss_scratch_state {
    SS_SCRATCH_WIPE,
    SS_SCRATCH_IDLE,
    SS_SCRATCH_READ,  /* waits for a clock in which the bank is not read */
    SS_SCRATCH_LOOK,  /* the cell is in the bank's register */
    SS_SCRATCH_WRITE, /* waits for a clock in which the bank is not written */
};

struct ss_scratch {
    struct ss_scratch_out out;

    enum ss_scratch_state state;
    ss_scratch_index at; /* of the access that is no engine's */
    u2 bank;
    u1 driver, spoiled; /* it is the driver's; the engine has written the cell meanwhile */
    ss_cell data;
    u2 scrub_bank;
    ss_scratch_index scrub_at;
    u16 until;
    u1 pair_read, third_read; /* the engine's cells are in the registers */
    ss_coded fetched0, fetched1, fetched2;
    HLS_BRAM_READ_FIRST ss_coded bank0[1 << SS_SCRATCH_LOG2];
    HLS_BRAM_READ_FIRST ss_coded bank1[1 << SS_SCRATCH_LOG2];
    HLS_BRAM_READ_FIRST ss_coded bank2[1 << SS_SCRATCH_LOG2];
};

HLS_RESET void ss_scratch_reset(struct ss_scratch *self);
HLS_MODULE void ss_scratch(struct ss_scratch *self, const struct ss_scratch_in *in);

#endif
