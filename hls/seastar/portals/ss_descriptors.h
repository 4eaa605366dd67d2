// SPDX-License-Identifier: Apache-2.0
/*
 * ss_descriptors.h - ports and registers of memory descriptors: MD, UPDATE, and UNLINK of a descriptor.
 */
#ifndef SS_DESCRIPTORS_H
#define SS_DESCRIPTORS_H

#include "seastar/portals/ss_local.h"

struct ss_descriptors_in {
    struct ss_local_in local;
    u1 event_idle; /* no event is on its way to a queue */
    uint(SS_QUEUES) some;
};

struct ss_descriptors_out {
    struct ss_work work;
    struct ss_local_end end;
    struct ss_local_count count;
    u64 values[4]; /* what UPDATE found: start, length, {options, threshold}, offset */
};

enum ss_descriptors_state {
    SS_DESCRIPTORS_IDLE,
    SS_DESCRIPTORS_NEW,
    SS_DESCRIPTORS_OF_ENTRY, /* the entry that it is of was read */
    SS_DESCRIPTORS_WRITE,
    SS_DESCRIPTORS_UPDATE,
    SS_DESCRIPTORS_UNLINK,
    SS_DESCRIPTORS_FORGET, /* the entry of a descriptor that was freed was read */
};

struct ss_descriptors {
    struct ss_descriptors_out out;

    enum ss_descriptors_state state;
    u2 wait; /* clocks until a cell is here */
    struct ss_md md;
};

HLS_RESET void ss_descriptors_reset(struct ss_descriptors *self);
HLS_MODULE void ss_descriptors(struct ss_descriptors *self, const struct ss_descriptors_in *in);

#endif
