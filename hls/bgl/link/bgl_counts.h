// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_counts.h - ports and registers of a port's 32 counters, in one LUTRAM.
 *
 * Counter c is visited in clock c of 32 and takes what a small register has gathered since; it is shown in the clock behind. A clear and a
 * reset take 32 clocks.
 */
#ifndef BGL_COUNTS_H
#define BGL_COUNTS_H

#include "hls.h"

#define BGL_COUNTERS 32

/* In the order of host/bgl.rdl. */
enum bgl_count {
    COUNT_SENT,
    COUNT_ACCEPTED,
    COUNT_AGAIN,
    COUNT_TIMEOUTS,
    COUNT_ACKS,
    COUNT_TOKEN_ACKS,
    COUNT_ACKS_REFUSED,
    COUNT_CRC24,
    COUNT_CRC8,
    COUNT_GAPS_CORRECTED,
    COUNT_GAPS_LOST,
    COUNT_REPEATED,
    COUNT_MISSING,
    COUNT_DROPPED,
    COUNT_TRAININGS,
    COUNT_EPOCHS,
    COUNT_CORRECTED,
    COUNT_UNCORRECTABLE,
    COUNT_PARITY,
    COUNT_HEADERS,
    COUNT_BYPASSED,
    COUNT_LAPSED,
    COUNT_ESCAPES,
    COUNT_SENT_ON,                          /* of VC 0 to 3 */
    COUNT_RECEIVED_ON = COUNT_SENT_ON + 4,  /* likewise */
    COUNT_LAST = COUNT_RECEIVED_ON + 4 - 1, /* there is no other */
};

struct bgl_counts_in {
    u1 clear;
    u32 events; /* a bit for each counter */
};

struct bgl_counts_out {
    u5 index; /* of the counter that is shown */
    u32 count;
};

struct bgl_counts {
    struct bgl_counts_out out;
    HLS_LUTRAM(1) u32 counts[BGL_COUNTERS];
    u5 slot;
    u1 wipes;
    u6 gathered[BGL_COUNTERS];
    u5 wiped; /* where a clear began */
};

HLS_RESET void bgl_counts_reset(struct bgl_counts *self);
HLS_MODULE void bgl_counts(struct bgl_counts *self, const struct bgl_counts_in *in);

#endif
