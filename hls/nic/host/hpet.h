// SPDX-License-Identifier: Apache-2.0
/*
 * hpet.h - ports and registers of the event timer: the registers of the IA-PC HPET specification 1.0a, behind nic_regs.
 */
#ifndef HPET_H
#define HPET_H

#include "nic/regs/nic_regs.h"

#define HPET_TIMERS NR_HPET_TIMER_ENTRIES

/* The global time of the device (hls/chip/global_clock.h). */
struct global_time {
    u52 now;
    u1 pulse;
    u1 stepped;  /* for one clock: now shows a time that was set */
    u1 holdover; /* for one clock: holdover began */
};

struct hpet_in {
    struct timer_access access;
    struct global_time time;
};

struct hpet_out {
    u64 value; /* of the register that access.read names, a clock ago */
    u4 raised; /* bit i: timer i raises its interrupt; bit 3: a pulse of the global clock */
};

struct hpet_timer {
    u1 level;
    u1 interrupts;
    u1 periodic;
    u1 set_value;
    u1 narrow;
    u1 ahead; /* when it was looked at, its comparator was ahead of the main counter */
};

struct hpet {
    struct hpet_out out;
    u1 enable;
    u1 clock_use;
    u1 follows; /* the main counter showed the global time in the clock before */
    u64 counter;
    uint(HPET_TIMERS) status;
    struct hpet_timer timer[HPET_TIMERS];
    uint(
        HPET_TIMERS) jumped; /* timers that have not been looked at since the global time was set */
    u2 at;                   /* timer that is looked at in this clock */
    u3 wiped;                /* entries of the memories that have their value after reset */
    HLS_LUTRAM(2) u64 comparator[4];
    HLS_LUTRAM(1) u64 period[4];
};

HLS_RESET void hpet_reset(struct hpet *self);
HLS_MODULE void hpet(struct hpet *self, const struct hpet_in *in);

#endif
