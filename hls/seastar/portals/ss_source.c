// SPDX-License-Identifier: Apache-2.0
/*
 * ss_source.c - what a node sends: a PUT or GET reads its descriptor, its process and a free pending, and then leaves with the first part of its event.
 */
#include "seastar/portals/ss_source.h"

HLS_RESET void ss_source_reset(struct ss_source *self)
{
    *self = (struct ss_source){};
}

static inline u1 gets(const struct ss_command *c)
{
    return ss_command_op(c) == SS_OP_GET;
}

static inline void take_command(struct ss_source *self)
{
    self->out.taken = self->class ? (u2)2 : (u2)1;
}

static inline void keep_pending(struct ss_source *self)
{
    work_write_third(&self->out.work, pending_at(self->tag, 0), ss_pending_cell(&self->pending));
    self->out.takes_pending = 1;
}

/* ---- commands of processes: PUT, GET ------------------------------------------------------------- */

static inline void begin_operation(struct ss_source *self, const struct ss_command *c)
{
    work_read_md(&self->out.work, (ss_entry_index)c->word[0]);
    work_read_third(&self->out.work, (ss_scratch_index)(SS_AT_PROCESS | (ss_scratch_index)c->page));
    self->state = SS_SOURCE_ASK;
}

/* The descriptor and the process are here. */
static inline void look_up(struct ss_source *self, const struct ss_source_in *in)
{
    const struct ss_command *c = &in->command[0];
    struct ss_md md = ss_cells_md(in->cells.pair);
    ss_cell process = in->cells.third;
    ss_length offset = (ss_length)c->word[4];
    u41 end = (u41)((u41)offset + (ss_length)c->word[7]);

    self->md = md;
    self->user = (u32)(process >> 19);
    self->job = (u32)(process >> 51);
    self->takes = md.valid && !md.ends && md.use == (u4)(c->word[0] >> 12) && md.slot == c->page &&
                  (u12)c->word[0] < SS_ENTRIES && (u1)(process >> 16) && !in->cells.pair_fatal &&
                  !in->cells.third_fatal;
    self->admitted = !md.inactive && md.threshold != 0 && end <= md.length;
    self->state = SS_SOURCE_LEAVE;
}

static inline void push_operation(struct ss_source *self, const struct ss_command *c, ss_node node)
{
    u64 first = c->word[0];
    ss_length length = (ss_length)c->word[7];
    struct ss_send_push *s = &self->out.send;

    s->valid = 1;
    s->class = 0;
    s->dst = (ss_node)(first >> 32);
    s->header[0] = (gets(c) ? (u64)SS_GET : (u64)SS_PUT) | ((u64)(u1)(first >> 56) << 4) |
                   ((u64)(u3)(first >> 53) << 5) | ((u64)(u6)(first >> 47) << 8) |
                   ((u64)(u16)(first >> 16) << 16) | ((u64)self->pending.ticket << 32) |
                   ((u64)self->tag << 48) | ((u64)self->pending.use << 60);
    s->header[1] = c->word[1];
    s->header[2] = gets(c) ? (u64)0 : c->word[2];
    s->header[3] = (u64)length | ((u64)node << 40);
    s->header[4] = (u64)(ss_length)c->word[3];
    s->header[5] = (u64)self->user | ((u64)self->job << 32);
    s->addr = self->pending.addr;
    s->bytes = gets(c) ? (ss_length)0 : length;
    s->teller = gets(c) ? SS_TELLS_NOBODY : SS_TELLS_PENDING;
    s->who = (u16)self->tag;
}

static inline struct ss_pending new_pending(const struct ss_source *self,
                                            const struct ss_source_in *in)
{
    const struct ss_command *c = &in->command[0];
    u64 first = c->word[0];

    return (struct ss_pending){.md = (u16)first,
                               .link = in->link,
                               .pid = (u16)(first >> 16),
                               .node = (ss_node)(first >> 32),
                               .op = gets(c) ? (u4)SS_GET : (u4)SS_PUT,
                               .use = ss_cells_pending(in->cells.third, 0).use,
                               .epoch = in->epoch,
                               .waits = 1,
                               .ticket = in->process[c->page].pid,
                               .portal = (u6)(first >> 47),
                               .leaving = !gets(c),
                               .wants_ack = !gets(c) && (u1)(first >> 56),
                               .addr = (u48)(self->md.start + (ss_length)c->word[4]),
                               .length = (ss_length)c->word[7],
                               .offset = (ss_length)c->word[4]};
}

/* The first part of SEND_START; or of the END that says that the operation is none. */
static inline void tell_first(struct ss_source *self, const struct ss_command *c)
{
    const struct ss_pending *p = &self->pending;
    u4 refusal = gets(c) ? (u4)(SS_EVENT_REPLY + 1) : (u4)(SS_EVENT_SEND + 1);
    u4 type = self->admitted ? (u4)SS_EVENT_SEND : refusal;
    ss_status status = self->admitted ? (ss_status)SS_OK : (ss_status)SS_ILLEGAL;
    u32 job = self->admitted ? self->job : (u32)0;

    self->tells = self->admitted ? !gets(c) && md_tells(&self->md, SS_MD_START_OFF)
                                 : md_tells(&self->md, SS_MD_END_OFF);
    self->out.event = event_part(self->tells, self->md.queue, 0,
                                 event_first(type, status, p->portal, 0, p->md, p->link),
                                 (u64)p->node | ((u64)p->pid << 16) | ((u64)job << 32));
    self->part = 1;
}

/* The operation begins, or its process hears that it does not. */
static inline void leave(struct ss_source *self, const struct ss_source_in *in)
{
    const struct ss_command *c = &in->command[0];
    struct ss_md *md = &self->md;

    if (!in->event_room) {
        return;
    }
    self->pending = new_pending(self, in);
    self->out.illegal = !self->takes || !self->admitted;
    if (!self->takes) {
        take_command(self);
        self->state = SS_SOURCE_DONE;
        return;
    }
    if (self->admitted) {
        md->threshold -= md->threshold != SS_FOR_EVER;
        md->inactive = md->threshold == 0;
        md->ends = md->inactive && md->unlink;
        md->pending += self->pending.wants_ack ? (u18)2 : (u18)1;
        work_write_md(&self->out.work, (ss_entry_index)c->word[0], *md);
        push_operation(self, c, in->node);
        keep_pending(self);
        self->out.held = (struct ss_held){.slot = c->page, .pending_more = 1};
    }
    tell_first(self, c);
    self->state = self->admitted ? SS_SOURCE_WHERE : SS_SOURCE_PARTS;
}

/* Parts 1 to 3. The words of a command stay for a clock behind `taken`; the next turn tells nothing before the last part. */
static inline void tell_rest(struct ss_source *self, const struct ss_command *c)
{
    const struct ss_pending *p = &self->pending;
    u1 sends = self->admitted;
    u64 user = ((u64)self->md.threshold << 32) | (sends ? (u64)self->user : (u64)0);
    u64 bits = sends ? c->word[1] : (u64)0, data = sends ? c->word[2] : (u64)0;
    u64 length = (u64)p->length, sent = sends ? length : (u64)0;
    u64 low = self->part == 1 ? user : self->part == 2 ? data : sent;
    u64 high = self->part == 1 ? bits : self->part == 2 ? length : (u64)p->offset;

    self->out.event = event_part(self->tells, self->md.queue, self->part, low, high);
    if (self->part == 1) {
        take_command(self);
    }
    self->out.done = self->part == 2;
    self->state = self->part == 3 ? SS_SOURCE_IDLE : SS_SOURCE_PARTS;
    self->part++;
}

static inline void keep_where(struct ss_source *self)
{
    work_write_third(&self->out.work, pending_at(self->tag, 1), ss_pending_where(&self->pending));
}

/* ---- commands of the driver: SEND ------------------------------------------------------------------ */

/* Words 0 to 5 of a SEND are flits 1 to 6, with the source node and the length of what follows. */
static inline void push_command(struct ss_source *self, const struct ss_command *c, ss_node node)
{
    u4 op = (u4)c->word[0];
    u1 keeps = op == SS_GET || op == SS_ACK; /* the driver says what was requested */
    ss_length length = (ss_length)c->word[7];
    struct ss_send_push *s = &self->out.send;

    s->valid = 1;
    s->class = self->class;
    s->dst = (ss_node)(c->word[6] >> 49);
    for (int w = 0; w < 6; w++) {
        s->header[w] = c->word[w];
    }
    s->header[3] = (u64)(keeps ? (ss_length)c->word[3] : length) | ((u64)node << 40) |
                   (c->word[3] >> 55 << 55);
    s->addr = (u48)c->word[6];
    s->bytes = keeps ? (ss_length)0 : length;
    s->teller = ss_command_ticket(c) != 0 && op != SS_GET ? SS_TELLS_TICKET : SS_TELLS_NOBODY;
    s->who = ss_command_ticket(c);
}

static inline u1 may_send(const struct ss_command *c, u1 class)
{
    u4 op = (u4)c->word[0];
    u1 known =
        class ? op == SS_ACK || op == SS_REPLY : op == SS_PUT || op == SS_GET || op == SS_RAW;

    return ss_command_op(c) == SS_OP_SEND && c->page == 0 && known && !(u1)(c->word[6] >> 48);
}

static inline void send(struct ss_source *self, const struct ss_source_in *in,
                        const struct ss_command *c)
{
    if (!may_send(c, self->class)) {
        self->out.illegal = 1;
        self->out.tell.valid = 1;
        self->out.tell.kind = SS_KIND_COMMAND;
        self->out.tell.status = SS_ILLEGAL;
        self->out.tell.word[0] = (u64)ss_command_ticket(c);
        take_command(self);
        self->state = SS_SOURCE_DONE;
    } else if ((u4)c->word[0] == SS_GET) {
        work_read_third(&self->out.work, pending_at(self->tag, 0));
        self->wait = 2;
        self->state = SS_SOURCE_GET;
    } else {
        push_command(self, c, in->node);
        take_command(self);
        self->state = SS_SOURCE_DONE;
    }
}

/* A GET of the driver has a pending, which says where its reply goes. */
static inline void send_get(struct ss_source *self, const struct ss_source_in *in)
{
    const struct ss_command *c = &in->command[0];
    u4 use = ss_cells_pending(in->cells.third, 0).use;

    self->pending = (struct ss_pending){.node = (ss_node)(c->word[6] >> 49),
                                        .op = SS_GET,
                                        .use = use,
                                        .epoch = in->epoch,
                                        .waits = 1,
                                        .ticket = ss_command_ticket(c),
                                        .generic = 1,
                                        .addr = (u48)c->word[6],
                                        .length = (ss_length)c->word[7]};
    push_command(self, c, in->node);
    self->out.send.header[0] = (u64)(u48)c->word[0] | ((u64)self->tag << 48) | ((u64)use << 60);
    keep_pending(self);
    self->tells = 0;
    self->part = 1;
    self->state = SS_SOURCE_WHERE;
}

/* ---- the program ------------------------------------------------------------------------------- */

static inline void begin(struct ss_source *self, const struct ss_source_in *in)
{
    struct ss_command c = in->command[in->response];
    u4 op = ss_command_op(&c);

    self->class = in->response;
    self->tag = in->tag;
    if (!in->response && (op == SS_OP_PUT || op == SS_OP_GET)) {
        begin_operation(self, &c);
    } else {
        send(self, in, &c);
    }
}

static inline void step(struct ss_source *self, const struct ss_source_in *in)
{
    switch (self->state) {
    case SS_SOURCE_IDLE:
        if (in->turn) {
            begin(self, in);
        }
        break;
    case SS_SOURCE_ASK:
        work_read_third(&self->out.work, pending_at(self->tag, 0));
        self->wait = 1;
        self->state = SS_SOURCE_MD;
        break;
    case SS_SOURCE_MD:
        look_up(self, in);
        break;
    case SS_SOURCE_LEAVE:
        leave(self, in);
        break;
    case SS_SOURCE_WHERE:
        keep_where(self);
        tell_rest(self, &in->command[0]);
        break;
    case SS_SOURCE_PARTS:
        tell_rest(self, &in->command[0]);
        break;
    case SS_SOURCE_GET:
        send_get(self, in);
        break;
    case SS_SOURCE_DONE:
        self->out.done = 1;
        self->state = SS_SOURCE_IDLE;
        break;
    }
}

HLS_MODULE void ss_source(struct ss_source *self, const struct ss_source_in *in)
{
    work_rest(&self->out.work);
    self->out.event.valid = 0;
    self->out.send.valid = 0;
    self->out.held = (struct ss_held){};
    self->out.tell.valid = 0;
    self->out.taken = 0;
    self->out.takes_pending = 0;
    self->out.illegal = 0;
    self->out.done = 0;
    if (self->wait != 0) {
        self->wait--;
    } else {
        step(self, in);
    }
}
