// SPDX-License-Identifier: Apache-2.0
/*
 * clock.h - golden model of a device's global clock, from its contract (hls/chip/README.md, REGISTERS.md).
 *
 * Time is one number of 2^-24 clocks. A snapshot is decided on as a whole and then waits for its clock.
 */
#ifndef TB_GOLDEN_CLOCK_H
#define TB_GOLDEN_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct golden_snapshot {
    bool run, valid;
    uint64_t sent;
    unsigned age;
};

/* Registers that can be written, by address. */
struct golden_clock_write {
    bool valid;
    unsigned addr;
    uint64_t data;
};

struct golden_clock {
    /* what is seen from outside */
    uint64_t now;
    bool pulse, locked, stepped, holdover;

    uint64_t time[2]; /* the time that comes next: whole clocks, and 2^-24 of one */
    int64_t add, next_add;
    bool jumped;
    unsigned source, pulse_log2, delay, kp, ki;
    bool root, used;
    int64_t rate, corr;
    uint64_t corr_from, clock; /* corr holds for 2^11 clocks from there */
    bool waits, confirmed;     /* a snapshot waits for its clock */
    uint64_t due;
    int64_t error; /* in 1/256 clocks */
    bool first, far;
    int64_t far_error;
    uint64_t deaf_until;
    uint64_t heard; /* clock of the last one, or of the last choice of a source */
    unsigned against;
    bool was_up, again, held;
    unsigned steps;
    int64_t last;
};

void golden_clock_reset(struct golden_clock *g);

/* One clock: `port` is what each port says, count of them; `write` acts in this clock. */
void golden_clock_step(struct golden_clock *g, const struct golden_snapshot *port, unsigned count,
                       const struct golden_clock_write *write);

/* What a read of this register gives in the next clock. */
uint64_t golden_clock_read(const struct golden_clock *g, unsigned addr);

#endif
