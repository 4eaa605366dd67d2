// SPDX-License-Identifier: Apache-2.0
/*
 * tarb.h - ports and registers of the arbiter of the request stream: which packet goes next, and when.
 */
#ifndef TARB_H
#define TARB_H

#include "common/beat/beat_queue.h"
#include "nic/packet/nic_types.h"

/* What is counted. */
enum tarb_count {
    TARB_CORRECTED, /* CORRECTABLE_MEMORY: a single-bit error in a beat */
    TARB_FATAL,     /* TRANSIENT: two; the beat is marked bad */
    TARB_STALLED,   /* INFORMATIONAL: a packet waits for orb */
    TARB_COUNTS,
};

/* Whose packets they are. */
enum tarb_sources {
    TARB_FMA,
    TARB_BTE,
#if NIC_CE
    TARB_CE,
#endif
    TARB_SOURCES
};
typedef uint(1 + NIC_CE) tarb_source;

struct tarb_in {
    struct beat fma; /* a packet begins only when out.room was 1 */
    struct beat bte; /* the same of out.room_bte */
#if NIC_CE
    struct beat ce; /* ... of out.room_ce */
#endif
    u1 orb_room;             /* orb: BEAT_ROOM beats more fit */
    u3 tags;                 /* orb: so many are free, or more */
    struct ssid_notice note; /* ssid's */
};

struct tarb_out {
    u1 idle; /* no packet is in here */
    u1 room; /* to fma */
    u1 room_bte;
#if NIC_CE
    u1 room_ce;
#endif
    struct beat beat; /* to ntt */
    u1 note_taken;    /* for one clock: the last beat of in.note goes out */
    uint(TARB_COUNTS) count;
};

/* Clocks from a head's beginning here until the tag that it took, if it took one, is missing in `tags`. */
#define TARB_TAG_CLOCKS 5

struct tarb {
    struct tarb_out out;
    struct beat_queue queue; /* of fma */
    struct beat_queue of_bte;
#if NIC_CE
    struct beat_queue of_ce;
#endif
    u1 inside;        /* a packet was begun and is not over */
    tarb_source from; /* whose the last one was */
    u2 noting;        /* beats of NOTE that are to come */
    uint(TARB_TAG_CLOCKS)
        promised; /* clocks in which one began that may take a tag, the last one lowest */
};

HLS_RESET void tarb_reset(struct tarb *self);
HLS_MODULE void tarb(struct tarb *self, const struct tarb_in *in);

#endif
