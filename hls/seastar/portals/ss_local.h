// SPDX-License-Identifier: Apache-2.0
/*
 * ss_local.h - local commands of the driver: their fields, and what the parts that do them have in common.
 *
 * Words of commands: hls/seastar/portals/README.md. A part begins with `turn`, for one clock. A cell that it asks for is here four clocks
 * later.
 */
#ifndef SS_LOCAL_H
#define SS_LOCAL_H

#include "seastar/portals/ss_work.h"

#define SS_NO_UPDATE 9 /* the status of UPDATE: the queue that UPDATE tests has events */

#define SS_LOCAL_WAIT 3 /* clocks until a cell is here, less one */

struct ss_local_in {
    u1 turn;
    struct ss_command command;
    struct ss_cells cells;
    uint(SS_PROCESSES) opened; /* slots that have a process */
};

/* The end of a command, for one clock. */
struct ss_local_end {
    u1 over;
    ss_status status;
    u16 handle; /* of what was made */
};

/* Entries and descriptors of the command's process that came and went, for one clock. */
struct ss_local_count {
    u1 more, less;
};

static inline ss_entry_index local_index(const struct ss_command *c)
{
    return (ss_entry_index)c->word[0];
}

static inline u1 local_in_range(u12 index)
{
    return index < SS_ENTRIES;
}

/* Of an UNLINK: a descriptor. */
static inline u1 local_of_md(const struct ss_command *c)
{
    return (u1)(c->word[0] >> 16);
}

/* Whose list an ME or an UNLINK means. */
static inline u6 local_portal(const struct ss_command *c)
{
    return ss_command_op(c) == SS_OP_ME ? (u6)(c->word[0] >> 12) : (u6)(c->word[0] >> 17);
}

static inline u4 local_slot(const struct ss_command *c)
{
    switch (ss_command_op(c)) {
    case SS_OP_ME:
        return (u4)(c->word[0] >> 18);
    case SS_OP_MD:
    case SS_OP_UPDATE:
        return (u4)(c->word[0] >> 34);
    case SS_OP_UNLINK:
        return (u4)(c->word[0] >> 23);
    case SS_OP_EQ:
        return (u4)(c->word[0] >> 8);
    default:
        return (u4)c->word[0];
    }
}

static inline u1 local_slot_known(const struct ss_command *c)
{
    return (u5)local_slot(c) < SS_PROCESSES;
}

static inline u1 local_is_open(const struct ss_local_in *in)
{
    return local_slot_known(&in->command) && (u1)(in->opened >> (ss_slot)local_slot(&in->command));
}

static inline u1 local_handle_fits(const struct ss_command *c, u1 valid, u4 use)
{
    return local_in_range((u12)c->word[0]) && valid && use == (u4)(c->word[0] >> 12);
}

static inline struct ss_local_end local_end(ss_status status)
{
    return (struct ss_local_end){.over = 1, .status = status};
}

/* It was made. */
static inline struct ss_local_end local_made(const struct ss_command *c, u4 use)
{
    return (struct ss_local_end){
        .over = 1, .status = SS_OK, .handle = (u16)((u16)local_index(c) | ((u16)use << 12))};
}

#endif
