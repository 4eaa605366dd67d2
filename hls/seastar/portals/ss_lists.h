// SPDX-License-Identifier: Apache-2.0
/*
 * ss_lists.h - ports and registers of match lists: ME, and UNLINK of an entry.
 */
#ifndef SS_LISTS_H
#define SS_LISTS_H

#include "seastar/portals/ss_local.h"

struct ss_lists_in {
    struct ss_local_in local;
};

struct ss_lists_out {
    struct ss_work work;
    struct ss_local_end end;
    struct ss_local_count count;
};

enum ss_lists_state {
    SS_LISTS_IDLE,
    SS_LISTS_ENTRY, /* the entry and its list were read */
    SS_LISTS_LAST,  /* the last entry of the list was read */
    SS_LISTS_WRITE, /* the new entry is written */
    SS_LISTS_UNLINK,
    SS_LISTS_MD,   /* the descriptor of an entry was read */
    SS_LISTS_FIND, /* an entry of the list was read */
    SS_LISTS_REMOVE,
    SS_LISTS_FREE,
};

struct ss_lists {
    struct ss_lists_out out;

    enum ss_lists_state state;
    u2 wait; /* clocks until a cell is here */
    ss_entry_index at;
    struct ss_list list;
    struct ss_me me;   /* the entry of the command, ... */
    struct ss_me prev; /* ... and the one before it */
    ss_entry_index prev_at;
    u1 has_prev;
    struct ss_md md;
};

HLS_RESET void ss_lists_reset(struct ss_lists *self);
HLS_MODULE void ss_lists(struct ss_lists *self, const struct ss_lists_in *in);

#endif
