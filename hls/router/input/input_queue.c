// SPDX-License-Identifier: Apache-2.0
/*
 * input_queue.c - the input side of a tile: store, route, staging, and the row bus with its credits.
 *
 * Staging has a FIFO for each VC on which flits came; the row bus takes one flit per clock. To look up the credit of
 * every front in every clock would take a 64:1 multiplexer each. Instead there is a scoreboard, and two are looked up:
 * the packet that sends, which goes on as long as it can, and one other VC, the probe, in turn. A VC found ready
 * stays so until a flit goes to the same column and VC; one found stuck is not probed again until a place becomes free,
 * or a packet ends, in its column. Who sends is determined a clock before, and withdrawn if it cannot: it has no flit, or
 * the flit that went meanwhile was to the same column and VC. With nobody to grant to, the probe goes if it may.
 *
 * In a row buffer packets of one VC are never mixed: a head waits while another packet owns the same column and VC.
 */
#include "router/input/input_queue.h"

#include "router/flit/masks.h"

HLS_RESET void input_queue_reset(struct input_queue *self)
{
    self->out = (struct input_queue_out){};
    inq_store_reset(&self->store);
    route_reset(&self->route);
    stage_queue_reset(&self->stage);
    backlog_reset(&self->backlog);
    for (int i = 0; i < RTR_COLS; i++) {
        vc_room_reset(&self->credit[i]);
    }
    self->wipes = 1;
    self->wiped = 0;
    self->turn = 0;
    self->granted = 0;
    self->goes_on = 0;
    self->open = 0;
    for (int i = 0; i < RTR_VCS; i++) {
        self->owned[i] = (struct row_account){};
    }
    self->ready = 0;
    self->stuck = 0;
    self->probe = 0;
    self->probe_to = (struct row_account){};
    self->probe_again = 0;
    self->turn_to = (struct row_account){};
    self->turn_again = 0;
}

static inline u1 same(struct row_account a, struct row_account b)
{
    return a.col == b.col && a.vc == b.vc;
}

static inline struct row_account account_of(stage_queue_control front)
{
    struct row_flit flit = stage_unpack(front);

    return (struct row_account){flit.col, flit.vc};
}

/* Where a front goes of which that was looked up a clock before; it may be another one since. */
static inline struct row_account front_of(const struct input_queue *self, u1 again,
                                          struct row_account before)
{
    return again && self->stage.out.more ? account_of(self->stage.out.behind) : before;
}

/* A column or VC that does not exist, as an uncorrectable control word may name, never has credit. */
static inline u1 has_credit(const struct input_queue *self, struct row_account to)
{
    u1 exists = (u4)to.col < RTR_COLS && (u4)to.vc < RTR_VCS;

    return exists && (u1)(self->credit[to.col].out.room >> to.vc);
}

/* Whether the front of VC probe could go: it has credit, and, if it is a head, no other packet owns its account. */
static inline u1 could_go(const struct input_queue *self)
{
    struct row_account to = front_of(self, self->probe_again, self->probe_to);
    u1 head = !(u1)(self->open >> self->probe);
    u1 held = 0;

    for (int i = 0; i < RTR_VCS; i++) {
        if (!hls_when(head && (self->open >> i) != 0)) {
            break;
        }
        held |= (u1)(self->open >> i) && same(self->owned[i], to);
    }
    return has_credit(self, to) && !(head && held);
}

/* What the row bus does in this clock. */
struct row_choice {
    u1 passes; /* the probed VC has a flit, and it may go */
    u1 fails;  /* it has one, and it may not */
    u1 sends;
    rtr_vc vc;
    struct row_account to; /* of its front */
    u1 goes_on;            /* its packet has more flits, and credit for the next */
};

/* Whether the VC whose turn it is sends. */
static inline struct row_choice choose(const struct input_queue *self)
{
    u1 probed = (u1)(self->stage.out.valid >> self->probe);
    u1 free = hls_when(probed) ? could_go(self) : (u1)0;
    u1 passes = probed && free;
    u1 valid = (u1)(self->stage.out.valid >> self->turn);
    u1 still = (u1)((self->goes_on ? self->open : self->ready) >> self->turn);
    u1 sends = (self->granted ? valid && still : passes) && !self->route.out.dropped;
    struct row_flit flit = stage_unpack(self->stage.out.front[self->turn]);
    struct row_account to = front_of(self, self->turn_again, self->turn_to);

    return (struct row_choice){
        .passes = passes,
        .fails = probed && !free,
        .sends = sends,
        .vc = self->turn,
        .to = to,
        .goes_on = sends && !flit.tail && has_credit(self, to),
    };
}

/* VCs to probe again: in the column of their front a place became free, or a packet ended. */
static inline rtr_vcs woken(const struct input_queue *self, const struct input_queue_in *in,
                            struct row_choice choice)
{
    struct row_flit sent = stage_unpack(self->stage.out.front[choice.vc]);
    u8 columns = (u8)((u8)(choice.sends && sent.tail) << choice.to.col);
    rtr_vcs woken = 0;

    for (int i = 0; i < RTR_COLS; i++) {
        columns |= (u8)((u8)in->row_freed[i].valid << i);
    }
    for (int i = 0; i < RTR_VCS; i++) {
        u1 changed = (u1)(columns >> account_of(self->stage.out.front[i]).col);

        woken |= (rtr_vcs)((rtr_vcs)changed << i);
    }
    return woken;
}

/* Who may send in the next clock, and who is probed then, by what was known at the begin of this one. */
static inline void prepare(struct input_queue *self, struct row_choice choice)
{
    struct row_flit comes = self->route.out.flit;
    rtr_vcs pushed = (rtr_vcs)((rtr_vcs)comes.valid << self->route.out.came_on);
    rtr_vcs waiting = (rtr_vcs)self->stage.out.valid | pushed;
    rtr_vcs probed = vc_bit(self->probe) & (rtr_vcs)self->stage.out.valid;
    rtr_vcs ready = self->ready & ~vc_bit(choice.vc);
    rtr_vcs unknown = waiting & ~self->ready & ~self->stuck & ~probed;
    rtr_vc probe = unknown != 0 ? (rtr_vc)mask_next(unknown, self->probe) : self->probe;

    rtr_vc next = (rtr_vc)mask_next(ready, choice.vc);
    /* An empty VC that is probed next is the one on which a flit comes. */
    struct row_account probe_to = (u1)(self->stage.out.valid >> probe)
                                      ? account_of(self->stage.out.front[probe])
                                      : (struct row_account){comes.col, comes.vc};
    u1 again = probe == choice.vc;

    self->turn = choice.goes_on ? choice.vc : ready != 0 ? next : probe;
    self->turn_to = ready != 0 ? account_of(self->stage.out.front[next]) : probe_to;
    self->turn_again = choice.goes_on || (ready == 0 && again);
    self->granted = choice.goes_on || ready != 0;
    self->goes_on = choice.goes_on;
    self->probe = probe;
    self->probe_to = probe_to;
    self->probe_again = again;
}

/* Sends, and updates the scoreboard. */
static inline void keep_row_bus(struct input_queue *self, const struct input_queue_in *in,
                                struct row_choice choice)
{
    struct row_flit flit = stage_unpack(self->stage.out.front[choice.vc]);
    struct row_account to = choice.to;
    rtr_vcs bit = vc_bit(choice.vc);
    rtr_vcs found = (rtr_vcs)((rtr_vcs)choice.passes << self->probe);
    rtr_vcs failed = (rtr_vcs)((rtr_vcs)choice.fails << self->probe);

    prepare(self, choice);
    self->ready |= found;
    if (choice.sends) {
        for (int i = 0; i < RTR_VCS; i++) {
            if (!hls_when(self->ready != 0)) {
                break;
            }
            u1 stale = same(account_of(self->stage.out.front[i]), to);

            self->ready &= stale ? (rtr_vcs)~vc_bit((rtr_vc)i) : (rtr_vcs)-1;
        }
        self->owned[choice.vc] = to;
        self->open = flit.tail ? self->open & ~bit : self->open | bit;
        self->out.row.col = to.col;
        self->out.row.vc = to.vc;
        self->out.row.tail = flit.tail;
#if RTR_TWO_STEP
        self->out.row.rows = flit.rows;
        self->out.row.hash = flit.hash;
        self->out.row.adaptive = flit.adaptive;
#else
        self->out.row.row = flit.row;
#endif
    }
    self->out.row.valid = choice.sends;
    self->stuck |= failed;
    if (hls_when(self->stuck != 0)) {
        self->stuck &= ~woken(self, in, choice);
    }
}

/* The accounts of all columns. */
static inline void keep_accounts(struct input_queue *self, const struct input_queue_in *in,
                                 struct row_choice choice)
{
    for (int i = 0; i < RTR_COLS; i++) {
        u1 sent = choice.sends && choice.to.col == i;

        if (!hls_when(sent || in->row_freed[i].valid || self->wipes)) {
            continue;
        }
        struct vc_room_in credit = {
            .sent = sent,
            .sent_vc = self->wipes ? self->wiped : choice.to.vc,
            .freed = in->row_freed[i],
            .wipe = self->wipes,
        };

        vc_room(&self->credit[i], &credit);
    }
}

static inline struct inq_store_in
to_store(const struct input_queue *self, const struct input_queue_in *in, struct row_choice choice)
{
    const struct route_out *route = &self->route.out;

    return (struct inq_store_in){
        .valid = in->valid,
        .flit = in->flit,
        .bad = in->bad,
#if RTR_LENGTH_BITS == 0
        .tail = in->tail,
        .ok = in->ok,
#endif
        .hold = route->hold,
        .staging_freed = {choice.sends || route->dropped,
                          route->dropped ? route->came_on : choice.vc},
        .wipe = self->wipes,
        .wipe_vc = self->wiped,
    };
}

static inline struct route_in to_route(const struct input_queue *self,
                                       const struct input_queue_in *in)
{
    return (struct route_in){
        .valid = self->store.out.read,
        .vc = self->store.out.vc,
        .code = (rtr_code)self->store.out.word,
        .tail = (inq_tail)(self->store.out.word >> RTR_CODE_BITS),
        .load = in->load,
        .full = self->backlog.out,
        .here = in->here,
        .config = in->config,
    };
}

static inline struct backlog_in to_backlog(const struct input_queue *self,
                                           const struct input_queue_in *in)
{
    struct backlog_in to = {
        .routed = self->route.out.flit.valid,
        .col = self->route.out.flit.col,
        .vc = self->route.out.flit.vc,
    };

    for (int i = 0; i < RTR_COLS; i++) {
        to.freed[i] = in->row_freed[i];
    }
    return to;
}

static inline struct stage_queue_in to_stage(const struct input_queue *self,
                                             struct row_choice choice)
{
    return (struct stage_queue_in){
        .push = self->route.out.flit.valid,
        .push_vc = self->route.out.came_on,
        .push_control = stage_pack(&self->route.out.flit),
        .push_code = self->route.out.flit.code,
        .pop = choice.sends,
        .pop_vc = choice.vc,
    };
}

HLS_MODULE void input_queue(struct input_queue *self, const struct input_queue_in *in)
{
    struct row_choice choice = {.vc = self->turn};

    if (hls_when(self->stage.out.valid != 0)) {
        choice = choose(self);
    }

    struct inq_store_in store = to_store(self, in, choice);
    struct route_in to = to_route(self, in);
    struct stage_queue_in stage = to_stage(self, choice);
    struct backlog_in waits = to_backlog(self, in);
    struct input_events *events = &self->out.events;

    events->row_bus_stall = self->stage.out.valid != 0 && !choice.sends;
    events->corrected =
        self->store.out.corrected || self->route.out.corrected || self->stage.out.corrected;
    events->fatal = self->store.out.fatal || self->route.out.fatal || self->stage.out.fatal;
#if DEV_MAINT
    self->out.busy = self->store.out.busy || self->stage.out.valid != 0;
#endif
    keep_accounts(self, in, choice);
    self->out.row.valid = 0;
    if (self->stage.out.valid != 0 || self->route.out.flit.valid) {
        keep_row_bus(self, in, choice);
    }
    if (self->wipes) {
        self->wipes = self->wiped != RTR_VCS - 1;
        self->wiped++;
    }

    inq_store(&self->store, &store);
    route(&self->route, &to);
    stage_queue(&self->stage, &stage);
    backlog(&self->backlog, &waits);
    self->out.freed = self->store.out.freed;
#if RTR_LENGTH_BITS == 0
    self->out.refused = self->store.out.refused;
#endif
    self->out.events.incoming = self->store.out.incoming;
    self->out.events.illegal = self->store.out.illegal;
    self->out.events.no_route = self->route.out.no_route;
    self->out.events.nonminimal = self->route.out.nonminimal;
    self->out.row.code = self->stage.out.code;
}
