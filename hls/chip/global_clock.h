// SPDX-License-Identifier: Apache-2.0
/*
 * global_clock.h - ports and registers of a device's time: it is the root, or follows the peer of one of its links.
 *
 * Addresses and fields of the registers are clock_map.h's, which clock.rdl is the source of.
 */
#ifndef GLOBAL_CLOCK_H
#define GLOBAL_CLOCK_H

#include "chip/clock_map.h"
#include "chip/link_port.h"

#define CLK_PART_BITS 24                           /* of the time, below a clock */
#define CLK_TIME_BITS (CLOCK_BITS + CLK_PART_BITS) /* the time, in 2^-24 clocks */
#define CLK_DIFF_BITS (CLOCK_BITS + CLK_REG_DELAY_PART_BITS)
#define CLK_QUIET_BITS                                                                             \
    CLOCK_AGE_BITS           /* as long as a snapshot may be under way when the time is set */
#define CLK_HOLDOVER_LOG2 20 /* clocks without a snapshot until holdover */
#define CLK_CORR_LOG2     11 /* clocks that a correction lasts */

typedef uint(CLK_PART_BITS + 1) clk_step;

/* What a link port says of its peer's time (lcb_clock.h). */
struct clock_snapshot {
    u1 run;        /* the link carries data */
    u1 valid;      /* for one clock: a snapshot is complete */
    lcb_time sent; /* its time, held until the next one */
    lcb_age age;   /* with valid */
};

struct global_clock_in {
    struct clock_snapshot port[RTR_LINKS];
    struct reg_request bus;
};

struct global_clock_out {
    lcb_time now; /* for the links, and for all that wants the time */
    u1 pulse; /* the low bits of now have just become 0 (PULSE_PERIOD); not in a clock in which the time was set */
    u1 locked;
    u1 stepped;  /* for one clock: the time was set */
    u1 holdover; /* for one clock: holdover began */
    struct reg_reply bus;
};

/* What to do with an error, by its size in clocks. */
enum clock_size { CLOCK_SMALL, CLOCK_FINE, CLOCK_COARSE, CLOCK_FAR }; /* below 4, 8, 256, others */

struct global_clock {
    struct global_clock_out out;
    uint(CLK_TIME_BITS) time; /* that `now` shows in the next clock */
    u1 set;                   /* now shows a time that was set */
    clk_step step;            /* that a clock adds: 2^24 + rate + corr, within the limit */

    /* Registers. */
    uint(CLK_REG_CLOCK_SOURCE_BITS) source;
    u1 root;
    u1 valid;
    u24 delay;
    u4 kp;
    u4 ki;
    sint(16) rate;
    uint(CLK_REG_PULSE_PERIOD_N_BITS) pulse_log2;

    /* A snapshot on its way: 1 taken, 2 its error is known, 3 and how large that is. */
    u1 took;
    lcb_time sent;
    lcb_time came;                      /* less the clocks of the delay */
    uint(CLK_REG_DELAY_PART_BITS) part; /* of the delay */
    u1 differs;
    uint(CLK_DIFF_BITS) diff; /* signed, in 1/256 clocks: how far the time is behind */
    u1 judged;
    uint(CLK_DIFF_BITS) error;
    sint(17) error_low; /* error, saturated */
    enum clock_size size;
    u1 confirms; /* as far away as the candidate */

    u1 fresh;                   /* the next snapshot may set the time unconfirmed */
    u1 candidate;               /* the latest snapshot was far away, by error */
    uint(CLK_QUIET_BITS) quiet; /* clocks without looking at snapshots, since the time was set */
    sint(17) corr;
    uint(CLK_CORR_LOG2 + 1) corr_left;
    uint(CLK_HOLDOVER_LOG2 + 1) silent; /* clocks since a snapshot */
    u3 streak;                          /* snapshots in a row that speak against `locked` */
    u1 ran;                             /* the source's link carried data */
    u1 again;                           /* it came up since DELAY was written */
    u1 held;                            /* holdover */
    u16 steps;
    sint(17) last_error;
};

HLS_RESET void global_clock_reset(struct global_clock *self);
HLS_MODULE void global_clock(struct global_clock *self, const struct global_clock_in *in);

#endif
