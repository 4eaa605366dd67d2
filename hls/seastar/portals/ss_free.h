// SPDX-License-Identifier: Apache-2.0
/*
 * ss_free.h - ports and registers of what frees a descriptor behind its last operation.
 */
#ifndef SS_FREE_H
#define SS_FREE_H

#include "seastar/portals/ss_work.h"

struct ss_free_in {
    u1 turn;
    struct ss_unlink unlink;
    struct ss_cells cells;
    u1 event_room;
};

struct ss_free_out {
    struct ss_work work;
    struct ss_event_part event;
    struct ss_held held;
    u1 done;
};

struct ss_free {
    struct ss_free_out out;
    u1 works;
    u4 step;
    ss_entry_index at;
    u32 link;
    struct ss_md md;
    u1 tells;
};

HLS_RESET void ss_free_reset(struct ss_free *self);
HLS_MODULE void ss_free(struct ss_free *self, const struct ss_free_in *in);

#endif
