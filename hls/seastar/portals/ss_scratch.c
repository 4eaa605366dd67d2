// SPDX-License-Identifier: Apache-2.0
/*
 * ss_scratch.c - the scratch memory: the engine reads and writes when it wants; the driver's accesses and the scrubber's take clocks that
 * it leaves.
 *
 * What the engine reads is in `out` two clocks later and stays until its next read. The scrubber reads a cell in each period and, if a bit
 * of it is wrong, writes it back corrected, unless the engine wrote it meanwhile. After reset all cells are written 0.
 */
#include "seastar/portals/ss_scratch.h"

HLS_RESET void ss_scratch_reset(struct ss_scratch *self)
{
    self->out = (struct ss_scratch_out){};
    self->state = SS_SCRATCH_WIPE;
    self->at = 0;
    self->bank = 0;
    self->driver = 0;
    self->spoiled = 0;
    self->data = 0;
    self->scrub_bank = 0;
    self->scrub_at = 0;
    self->until = 0;
    self->pair_read = 0;
    self->third_read = 0;
    self->fetched0 = 0;
    self->fetched1 = 0;
    self->fetched2 = 0;
}

/* The driver's access, or the next cell for the scrubber. */
static inline void begin(struct ss_scratch *self, const struct ss_scratch_in *in)
{
    u1 driver = in->driver.valid && !self->out.done;
    u1 scrubs = in->scrub_period != 0 && self->until == 0;

    self->spoiled = 0;
    if (driver) {
        self->driver = 1;
        self->bank = in->driver.bank;
        self->at = in->driver.at;
        self->data = in->driver.data;
        self->state = in->driver.write ? SS_SCRATCH_WRITE : SS_SCRATCH_READ;
    } else if (scrubs) {
        self->driver = 0;
        self->bank = self->scrub_bank;
        self->at = self->scrub_at;
        self->scrub_at += self->scrub_bank == 2;
        self->scrub_bank = self->scrub_bank == 2 ? (u2)0 : (u2)(self->scrub_bank + 1);
        self->until = in->scrub_period;
        self->state = SS_SCRATCH_READ;
    }
}

/* The cell is decoded: the driver's answer, or a correction. */
static inline void look(struct ss_scratch *self, struct ss_decoded d)
{
    u1 spoiled = self->spoiled;

    if (self->driver) {
        self->out.done = 1;
        self->out.data = d.cell;
        self->state = SS_SCRATCH_IDLE;
    } else {
        self->data = d.cell;
        self->state = d.corrected && !d.fatal && !spoiled ? SS_SCRATCH_WRITE : SS_SCRATCH_IDLE;
    }
}

/* Whether the engine writes the cell of the access under way. */
static inline u1 spoils(const struct ss_scratch *self, const struct ss_scratch_in *in)
{
    return self->bank == 2 ? in->third.write && in->third.write_at == self->at
                           : in->pair.write && in->pair.write_at == self->at;
}

HLS_MODULE void ss_scratch(struct ss_scratch *self, const struct ss_scratch_in *in)
{
    struct ss_decoded zero = ss_cell_decode(self->fetched0);
    struct ss_decoded one = ss_cell_decode(self->fetched1);
    struct ss_decoded two = ss_cell_decode(self->fetched2);
    struct ss_decoded other = self->bank == 0 ? zero : self->bank == 1 ? one : two;
    u1 third = self->bank == 2;
    u1 wipes = self->state == SS_SCRATCH_WIPE;
    u1 looks = self->state == SS_SCRATCH_LOOK;
    u1 reads = self->state == SS_SCRATCH_READ && !(third ? in->third.read : in->pair.read);
    u1 spoiled = spoils(self, in);
    u1 writes = self->state == SS_SCRATCH_WRITE && !self->spoiled && !spoiled &&
                !(third ? in->third.write : in->pair.write);

    self->until -= self->until != 0;
    self->spoiled = (self->spoiled || spoiled) && !self->driver;
    self->out.done = 0;
    self->out.corrected = (self->pair_read && (zero.corrected || one.corrected)) ||
                          (self->third_read && two.corrected) || (looks && other.corrected);
    self->out.fatal = (self->pair_read && (zero.fatal || one.fatal)) ||
                      (self->third_read && two.fatal) || (looks && other.fatal);
    self->out.scrubbed = writes && !self->driver;
    if (self->pair_read) {
        self->out.pair = (struct ss_pair_cell){.low = zero.cell, .high = one.cell};
        self->out.pair_fatal = zero.fatal || one.fatal;
    }
    if (self->third_read) {
        self->out.third = two.cell;
        self->out.third_fatal = two.fatal;
    }

    /* Banks: what is read, ... */
    u1 reads_pair = in->pair.read || (reads && !third);
    u1 reads_third = in->third.read || (reads && third);
    ss_scratch_index pair_at = in->pair.read ? in->pair.read_at : self->at;
    ss_scratch_index third_at = in->third.read ? in->third.read_at : self->at;

    if (reads_pair) {
        self->fetched0 = self->bank0[pair_at];
        self->fetched1 = self->bank1[pair_at];
    }
    if (reads_third) {
        self->fetched2 = self->bank2[third_at];
    }
    self->pair_read = in->pair.read;
    self->third_read = in->third.read;

    /* ... and what is written. */
    u1 low = in->pair.write || wipes || (writes && self->bank == 0);
    u1 high = in->pair.write || wipes || (writes && self->bank == 1);
    u1 last = in->third.write || wipes || (writes && third);
    ss_scratch_index pair_put = in->pair.write ? in->pair.write_at : self->at;
    ss_scratch_index third_put = in->third.write ? in->third.write_at : self->at;
    ss_cell fill = wipes ? (ss_cell)0 : self->data;

    if (low) {
        self->bank0[pair_put] = ss_cell_encode(in->pair.write ? in->pair.data.low : fill);
    }
    if (high) {
        self->bank1[pair_put] = ss_cell_encode(in->pair.write ? in->pair.data.high : fill);
    }
    if (last) {
        self->bank2[third_put] = ss_cell_encode(in->third.write ? in->third.data : fill);
    }

    switch (self->state) {
    case SS_SCRATCH_WIPE:
        self->at++;
        if (self->at == 0) {
            self->state = SS_SCRATCH_IDLE;
            self->out.ready = 1;
        }
        break;
    case SS_SCRATCH_IDLE:
        begin(self, in);
        break;
    case SS_SCRATCH_READ:
        self->state = reads ? SS_SCRATCH_LOOK : SS_SCRATCH_READ;
        break;
    case SS_SCRATCH_LOOK:
        look(self, other);
        break;
    case SS_SCRATCH_WRITE:
        if (writes || self->spoiled) {
            self->out.done = self->driver;
            self->state = SS_SCRATCH_IDLE;
        }
        break;
    }
}
