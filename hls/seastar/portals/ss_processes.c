// SPDX-License-Identifier: Apache-2.0
/*
 * ss_processes.c - event queues, processes and access entries.
 */
#include "seastar/portals/ss_processes.h"

HLS_RESET void ss_processes_reset(struct ss_processes *self)
{
    *self = (struct ss_processes){};
}

static inline void finish(struct ss_processes *self, ss_status status)
{
    self->out.end = local_end(status);
    self->state = SS_PROCESSES_IDLE;
}

static inline void make_queue(struct ss_processes *self, const struct ss_command *c)
{
    u64 first = c->word[0];
    u4 log2 = (u4)(first >> 12);
    u1 good = (u9)(u8)first < SS_QUEUES && local_slot_known(c) && (log2 >= 3 || log2 == 0) &&
              (u6)c->word[1] == 0;

    self->out.set = (struct ss_queue_set){.valid = good,
                                          .queue = (ss_queue_index)first,
                                          .slot = (ss_slot)local_slot(c),
                                          .log2 = log2 != 0 ? (u5)((u5)log2 + 1) : (u5)0,
                                          .base = (u48)c->word[1]};
    finish(self, good ? (ss_status)SS_OK : (ss_status)SS_ILLEGAL);
}

static inline ss_scratch_index access_at(const struct ss_command *c, u3 entry)
{
    return (ss_scratch_index)(SS_AT_ACCESS | ((ss_scratch_index)(ss_slot)local_slot(c) << 3) |
                              (ss_scratch_index)entry);
}

static inline u1 opens(const struct ss_command *c)
{
    return (u1)(c->word[0] >> 20);
}

/* Whether the slot has entries, descriptors or pendings. */
static inline u1 has_any(const struct ss_processes *self, ss_slot slot)
{
    u1 any = 0;

    for (int s = 0; s < SS_PROCESSES; s++) {
        any = any || (slot == (ss_slot)s && (self->entries[s] != 0 || self->pendings[s] != 0));
    }
    return any;
}

static inline void begin_process(struct ss_processes *self, const struct ss_command *c)
{
    if (!local_slot_known(c)) {
        finish(self, SS_ILLEGAL);
    } else if (has_any(self, (ss_slot)local_slot(c))) {
        finish(self, SS_IN_USE);
    } else {
        self->access = 0;
        self->state = SS_PROCESSES_ACCESS;
    }
}

/* A process begins or ends, in its eight access entries: the first admits its own user, the others nobody. */
static inline void set_access_entries(struct ss_processes *self, const struct ss_command *c)
{
    struct ss_who own = {.user = (u32)c->word[1], .any_node = 1, .any_pid = 1, .any_job = 1};
    ss_cell admits = ss_who_cell(&own) | ((ss_cell)1 << 105) | ((ss_cell)1 << 106);

    work_write_third(&self->out.work, access_at(c, self->access),
                     self->access == 0 && opens(c) ? admits : (ss_cell)0);
    self->state = self->access == 7 ? SS_PROCESSES_OPEN : SS_PROCESSES_ACCESS;
    self->access++;
}

static inline void set_process(struct ss_processes *self, const struct ss_command *c)
{
    ss_slot slot = (ss_slot)local_slot(c);
    u64 first = c->word[0];
    u1 open = opens(c);

    work_write_third(&self->out.work, (ss_scratch_index)(SS_AT_PROCESS | (ss_scratch_index)slot),
                     (ss_cell)(u16)(first >> 4) | ((ss_cell)open << 16) |
                         ((ss_cell)(u1)(first >> 21) << 17) | ((ss_cell)(u1)(first >> 22) << 18) |
                         ((ss_cell)c->word[1] << 19));
    for (int s = 0; s < SS_PROCESSES; s++) {
        u1 mine = slot == (ss_slot)s;
        u1 fast = open && (u1)(first >> 21);

        self->out.process[s].pid = mine ? (u16)(first >> 4) : self->out.process[s].pid;
        self->out.process[s].accelerated = mine ? fast : self->out.process[s].accelerated;
    }
    self->out.slots &= ~(uint(SS_PROCESSES))((uint(SS_PROCESSES))1 << slot);
    self->out.slots |= (uint(SS_PROCESSES))((uint(SS_PROCESSES))open << slot);
    finish(self, SS_OK);
}

static inline void set_access(struct ss_processes *self, const struct ss_local_in *in)
{
    const struct ss_command *c = &in->command;
    u64 first = c->word[0];
    ss_cell cell = (ss_cell)c->word[1] | ((ss_cell)(u42)c->word[2] << 64);
    u1 valid = (u1)(first >> 7);

    if (local_is_open(in)) {
        work_write_third(&self->out.work, access_at(c, (u3)(first >> 4)),
                         cell | ((ss_cell)valid << 106));
        finish(self, SS_OK);
    } else {
        finish(self, SS_ILLEGAL);
    }
}

static inline void begin(struct ss_processes *self, const struct ss_local_in *in)
{
    switch (ss_command_op(&in->command)) {
    case SS_OP_EQ:
        self->state = SS_PROCESSES_QUEUE;
        break;
    case SS_OP_PROCESS:
        begin_process(self, &in->command);
        break;
    case SS_OP_ACCESS:
        set_access(self, in);
        break;
    default:
        finish(self, SS_ILLEGAL);
        break;
    }
}

/* What was made, freed and begun: by commands and by the engine. */
static inline void count(struct ss_processes *self, const struct ss_processes_in *in)
{
    ss_slot slot = (ss_slot)local_slot(&in->local.command);

    for (int s = 0; s < SS_PROCESSES; s++) {
        u1 mine = slot == (ss_slot)s, held = in->held.slot == (ss_slot)s;
        u1 more = mine && in->count.more, less = mine && in->count.less;
        u2 freed = held ? in->held.less : (u2)0;
        u1 begun = held && in->held.pending_more, over = held && in->held.pending_less;

        self->entries[s] = (u16)(self->entries[s] + more - less - freed);
        self->pendings[s] = (u16)(self->pendings[s] + begun - over);
    }
}

HLS_MODULE void ss_processes(struct ss_processes *self, const struct ss_processes_in *in)
{
    const struct ss_command *c = &in->local.command;

    work_rest(&self->out.work);
    self->out.end = (struct ss_local_end){};
    self->out.set.valid = 0;
    count(self, in);
    switch (self->state) {
    case SS_PROCESSES_IDLE:
        if (in->local.turn) {
            begin(self, &in->local);
        }
        break;
    case SS_PROCESSES_QUEUE:
        if (in->event_idle) {
            make_queue(self, c);
        }
        break;
    case SS_PROCESSES_ACCESS:
        set_access_entries(self, c);
        break;
    case SS_PROCESSES_OPEN:
        set_process(self, c);
        break;
    }
}
