// SPDX-License-Identifier: Apache-2.0
/*
 * ss_commands.c - local commands: one of three parts works, and its accesses go to the scratch memory a clock later.
 */
#include "seastar/portals/ss_commands.h"

HLS_RESET void ss_commands_reset(struct ss_commands *self)
{
    self->out = (struct ss_commands_out){};
    ss_lists_reset(&self->lists);
    ss_descriptors_reset(&self->descriptors);
    ss_processes_reset(&self->processes);
}

/* Of the parts one has accesses. */
static inline struct ss_work chosen_work(const struct ss_commands *self)
{
    const struct ss_work *l = &self->lists.out.work, *d = &self->descriptors.out.work;
    const struct ss_work *p = &self->processes.out.work;
    struct ss_work w = *d;

    if (l->pair.read || l->pair.write || l->third.read || l->third.write) {
        w = *l;
    }
    if (p->third.write) {
        w = *p;
    }
    return w;
}

/* The end of a command: an entry for the driver, if it has a ticket. */
static inline void end(struct ss_commands *self, const struct ss_command *c)
{
    const struct ss_local_end *l = &self->lists.out.end, *d = &self->descriptors.out.end;
    const struct ss_local_end *p = &self->processes.out.end;
    u1 over = l->over || d->over || p->over;
    ss_status status = l->status | d->status | p->status;
    u16 ticket = ss_command_ticket(c);

    self->out.taken = over;
    self->out.illegal = status == SS_ILLEGAL;
    if (over) {
        self->out.tell.valid = ticket != 0;
        self->out.tell.kind = SS_KIND_COMMAND;
        self->out.tell.status = status;
        self->out.tell.word[0] = (u64)ticket;
        self->out.tell.word[1] = (u64)(l->handle | d->handle);
        for (int w = 0; w < 4; w++) {
            self->out.tell.word[2 + w] = d->over ? self->descriptors.out.values[w] : (u64)0;
        }
    }
}

HLS_MODULE void ss_commands(struct ss_commands *self, const struct ss_commands_in *in)
{
    const struct ss_command *c = &in->command;
    u4 op = ss_command_op(c);
    u1 lists = op == SS_OP_ME || (op == SS_OP_UNLINK && !local_of_md(c));
    u1 descriptors = op == SS_OP_MD || op == SS_OP_UPDATE || (op == SS_OP_UNLINK && local_of_md(c));
    struct ss_local_in local = {
        .command = in->command, .cells = in->cells, .opened = self->processes.out.slots};
    struct ss_lists_in for_lists = {.local = local};
    struct ss_descriptors_in for_descriptors = {
        .local = local, .event_idle = in->event_idle, .some = in->some};
    struct ss_processes_in for_processes = {
        .local = local,
        .event_idle = in->event_idle,
        .held = in->held,
        .count = {.more = self->lists.out.count.more || self->descriptors.out.count.more,
                  .less = self->lists.out.count.less || self->descriptors.out.count.less},
    };

    for_lists.local.turn = in->turn && lists;
    for_descriptors.local.turn = in->turn && descriptors;
    for_processes.local.turn = in->turn && !lists && !descriptors;
    self->out.work = chosen_work(self);
    if (in->told) {
        self->out.tell.valid = 0;
    }
    end(self, c);
    ss_lists(&self->lists, &for_lists);
    ss_descriptors(&self->descriptors, &for_descriptors);
    ss_processes(&self->processes, &for_processes);
    self->out.set = self->processes.out.set;
    for (int s = 0; s < SS_PROCESSES; s++) {
        self->out.process[s] = self->processes.out.process[s];
    }
}
