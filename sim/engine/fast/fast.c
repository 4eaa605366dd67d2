// SPDX-License-Identifier: Apache-2.0
/*
 * fast.c - a router's clock in two halves: blocks, which read what all tiles said in the clock before; then what they say.
 *
 * Takes in the C of route, tile, its control and router, so that wires, turns and counts have one place.
 */
#include "sim/engine/fast/fast.h"

#include <stddef.h>
#include <string.h>

#include "router/input/route.c"
#include "router/router.c"
#include "router/tile.c"
#include "router/tile_ctl.c"

enum { QUEUE = 1, SUBSWITCH = 2, OUTPUT = 4, CONTROL = 8, ALL = 15 };

/* What comes to the tiles of a row or column, a bit each. */
struct coming {
    uint8_t row[RTR_ROWS], freed_row[RTR_ROWS], column[RTR_COLS], freed_column[RTR_COLS];
};

void fast_reset(struct fast *self)
{
    router_reset(&self->router);
    memset(self->tile, 0, sizeof self->tile);
}

void fast_plain(struct fast *self, const struct router_in *in)
{
    router(&self->router, in);
}

/* Registers byte by byte: where only padding differs, a block that could rest is called once more. */
static bool equal(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

/* ---- input queue --------------------------------------------------------------------------------- */

#if RTR_INQ_SHARED
#define STORE_MEMORY offsetof(struct inq_store, list)
#else
#define STORE_MEMORY offsetof(struct inq_store, buffer)
#endif
#define ROUTE_MEMORY offsetof(struct route, minimal_table)
#define STAGE_MEMORY offsetof(struct stage_queue, codes)
#define QUEUE_END    (sizeof(struct input_queue) - offsetof(struct input_queue, credit))

/* The registers of an input queue, and its small memories. */
struct kept {
    uint8_t out[sizeof(struct input_queue_out)], store[STORE_MEMORY], route[ROUTE_MEMORY],
        stage[STAGE_MEMORY], end[QUEUE_END];
};

static void keep(const struct input_queue *q, struct kept *k)
{
    memcpy(k->out, &q->out, sizeof k->out);
    memcpy(k->store, &q->store, sizeof k->store);
    memcpy(k->route, &q->route, sizeof k->route);
    memcpy(k->stage, &q->stage, sizeof k->stage);
    memcpy(k->end, q->credit, sizeof k->end);
}

static bool same_as(struct input_queue *q, const struct kept *k)
{
    const route_random random = q->route.random;
    memcpy(&q->route.random, k->route + offsetof(struct route, random), sizeof random);
    const bool same =
        equal(k->out, &q->out, sizeof k->out) && equal(k->store, &q->store, sizeof k->store) &&
        equal(k->route, &q->route, sizeof k->route) &&
        equal(k->stage, &q->stage, sizeof k->stage) && equal(k->end, q->credit, sizeof k->end);
    q->route.random = random;
    return same;
}

/* No flit in it; what may still change then are registers that follow each other. */
static bool is_empty(const struct input_queue *q)
{
    const struct route *r = &q->route;
    return q->store.filled == 0 && q->stage.out.valid == 0 &&
           !(q->store.out.read | r->came.valid | r->read.valid | r->found.valid | r->weigh.valid |
             r->chosen.valid | r->mapped.valid | r->out.flit.valid | r->out.dropped | r->out.hold |
             q->wipes);
}

static inline void clock_queue(struct fast *self, const struct router_in *in, int row, int col,
                               bool comes)
{
    const int port = row * RTR_COLS + col;
    struct tile *t = &self->router.tile[port];
    struct input_queue *q = &t->queue;
    struct fast_tile *side = &self->tile[port];
    const struct port_in *link = &in->from_link[port];
    const bool quiet = !comes && !link->valid && !t->ctl.out.config.valid;
    const struct rtr_place here = {.row = (rtr_row)row, .col = (rtr_col)col};

    if (quiet && (side->rests & QUEUE)) {
        const struct route_in idle = {.here = here, .load = self->router.load};
        configure(&q->route, &idle); /* the loads */
        draw_next(&q->route, &idle);
        return;
    }
    struct input_queue_in to = {
        .valid = link->valid,
        .flit = link->flit,
        .bad = link->bad,
#if RTR_LENGTH_BITS == 0
        .tail = link->tail,
        .ok = link->ok,
#endif
        .load = self->router.load,
        .here = here,
        .config = t->ctl.out.config,
    };
    struct kept kept;
    for (int c = 0; c < RTR_COLS; c++)
        to.row_freed[c] = self->router.tile[row * RTR_COLS + c].out.freed_row[col];
    if (!quiet || !is_empty(q)) {
        side->rests &= ALL - QUEUE;
        input_queue(q, &to);
        return;
    }
    keep(q, &kept);
    input_queue(q, &to);
    if (same_as(q, &kept))
        side->rests |= QUEUE;
}

/* ---- subswitch and output --------------------------------------------------------------------- */

/* Nothing in it, nothing on its busses: one more call, and it rests. */
static inline bool subswitch_idles(const struct subswitch *s)
{
    bool busy = s->may != 0 || s->offers != 0;
    for (int r = 0; r < RTR_ROWS; r++)
        busy |= s->bus[r].sends;
    for (int i = 0; i < RTR_COLS; i++)
        busy |= s->buffer[i].out.valid != 0 || s->buffer[i].out.corrected || s->buffer[i].out.fatal;
    return !busy;
}

static inline void clock_subswitch(struct fast *self, int row, int col, bool comes)
{
    const int port = row * RTR_COLS + col;
    struct subswitch *s = &self->router.tile[port].sub;
    struct fast_tile *side = &self->tile[port];

    if (!comes && (side->rests & SUBSWITCH))
        return;
    struct subswitch_in to = {.here = {.row = (rtr_row)row, .col = (rtr_col)col}};
    side->rests &= ALL - SUBSWITCH;
    side->rests |= !comes && subswitch_idles(s) ? SUBSWITCH : 0;
    for (int c = 0; c < RTR_COLS; c++)
        to.row[c] = self->router.tile[row * RTR_COLS + c].out.row;
    for (int r = 0; r < RTR_ROWS; r++)
        to.column_freed[r] = self->router.tile[r * RTR_COLS + col].out.freed_column[row];
    subswitch(s, &to);
}

static inline bool output_idles(const struct output_mux *m)
{
    bool busy =
        m->popped.valid || m->next.valid || m->out.valid || (m->better | m->wins) != 0 || m->turned;
    for (int r = 0; r < RTR_ROWS; r++)
        busy |= m->buffer[r].out.valid != 0 || m->buffer[r].out.corrected || m->buffer[r].out.fatal;
    return !busy;
}

static inline void clock_output(struct fast *self, const struct router_in *in, int row, int col,
                                bool comes)
{
    const int port = row * RTR_COLS + col;
    struct tile *t = &self->router.tile[port];
    struct fast_tile *side = &self->tile[port];
    const struct port_in *link = &in->from_link[port];

    if (!comes && (side->rests & OUTPUT) && side->first == (uint8_t)t->ctl.out.first) {
        /* no flit of ours waits */
        t->mux.out.load = output_load(0, link->peer_load, link->far_request, link->far_response);
        return;
    }
    struct output_mux_in to = {
        .ready = link->ready,
        .room = link->room,
        .spare = link->spare,
        .first = t->ctl.out.first,
        .peer_load = link->peer_load,
        .far_request = link->far_request,
        .far_response = link->far_response,
    };
    side->rests &= ALL - OUTPUT;
    side->rests |= !comes && output_idles(&t->mux) ? OUTPUT : 0;
    side->first = (uint8_t)to.first;
    for (int r = 0; r < RTR_ROWS; r++)
        to.column[r] = self->router.tile[r * RTR_COLS + col].out.column[row];
    output_mux(&t->mux, &to);
}

/* ---- control ---------------------------------------------------------------------------------------- */

static bool asks(const struct reg_request *bus)
{
    return bus->valid || bus->write || bus->addr != 0 || bus->wdata != 0;
}

/* Of a tile whose registers but the counts, the first error and the turn rest. */
static inline void clock_counts(struct tile_ctl *c, u16 events, u32 now)
{
    if (events != 0 || c->recent[c->turn] != 0) {
        count(c, events);
        capture(c, events, now);
    }
    c->turn++;
}

/* Behind a clock without a request and with nothing to read or wipe, the next one without a request changes counts alone. */
static inline void clock_control(struct fast *self, int port, const struct tile_ctl_in *in)
{
    struct tile_ctl *c = &self->router.tile[port].ctl;
    struct fast_tile *side = &self->tile[port];
    const bool idles = !asks(&in->bus) && !c->reads && !c->wipes;

    tile_ctl(c, in);
    side->rests &= ALL - CONTROL;
    side->rests |= idles ? CONTROL : 0;
}

/* ---- all -------------------------------------------------------------------------------------------- */

static struct rtr_place place_of(int port)
{
    return (struct rtr_place){(rtr_row)(port / RTR_COLS), (rtr_col)(port % RTR_COLS)};
}

static struct coming gather(const struct fast *self)
{
    struct coming coming = {};
    for (int row = 0; row < RTR_ROWS; row++)
        for (int col = 0; col < RTR_COLS; col++) {
            const struct fast_tile *side = &self->tile[row * RTR_COLS + col];
            coming.row[row] |= side->row;
            coming.freed_row[row] |= side->freed_row;
            coming.column[col] |= side->column;
            coming.freed_column[col] |= side->freed_column;
        }
    return coming;
}

/*
 * What a tile says to others from now on; of blocks that rested nothing is new.
 */
static inline void speak(struct fast *self, int port, unsigned rested)
{
    struct tile *t = &self->router.tile[port];
    struct fast_tile *side = &self->tile[port];
    rested &= side->rests;
    if (!(rested & QUEUE)) {
        side->row = (uint8_t)((unsigned)t->queue.out.row.valid << (unsigned)t->queue.out.row.col);
        forward_queue(t);
    }
    if (!(rested & SUBSWITCH)) {
        side->freed_row = side->column = 0;
        for (int i = 0; i < RTR_COLS; i++)
            side->freed_row |= (uint8_t)((unsigned)t->sub.out.freed[i].valid << i);
        for (int i = 0; i < RTR_ROWS; i++)
            side->column |= (uint8_t)((unsigned)t->sub.out.column[i].valid << i);
        forward_subswitch(t);
    }
    if (!(rested & OUTPUT)) {
        side->freed_column = 0;
        for (int i = 0; i < RTR_ROWS; i++)
            side->freed_column |= (uint8_t)((unsigned)t->mux.out.freed[i].valid << i);
        forward_output(t);
    }
    if (!(rested & CONTROL))
        t->out.bus = t->ctl.out.bus;
    if ((rested & (QUEUE | OUTPUT)) != (QUEUE | OUTPUT))
        self->router.out.to_link[port] = t->out.to_link;
    t->out.load = t->mux.out.load;
}

void fast(struct fast *self, const struct router_in *in)
{
    struct router *r = &self->router;
    const struct coming coming = gather(self);
    const bool asked = asks(&r->bus);
    struct tile_ctl_in ctl[RTR_PORTS];
    uint8_t rested[RTR_PORTS];

    for (int port = 0; port < RTR_PORTS; port++) {
        const struct tile_in wires = {.here = place_of(port), .now = r->now, .bus = r->bus};
        const struct tile_ctl_in to = to_ctl(&r->tile[port], &wires);
        rested[port] = self->tile[port].rests;
        if (asked || !(rested[port] & CONTROL))
            ctl[port] = to;
        else
            clock_counts(&r->tile[port].ctl, events_of(&to), r->now);
    }
    for (int port = 0; port < RTR_PORTS; port++) {
        const int row = port / RTR_COLS, col = port % RTR_COLS;
        clock_queue(self, in, row, col, coming.freed_row[row] >> col & 1);
    }
    for (int port = 0; port < RTR_PORTS; port++) {
        const int row = port / RTR_COLS, col = port % RTR_COLS;
        clock_subswitch(self, row, col,
                        (coming.row[row] >> col | coming.freed_column[col] >> row) & 1);
    }
    for (int port = 0; port < RTR_PORTS; port++) {
        const int row = port / RTR_COLS, col = port % RTR_COLS;
        clock_output(self, in, row, col, coming.column[col] >> row & 1);
    }
    for (int port = 0; port < RTR_PORTS; port++)
        if (asked || !(rested[port] & CONTROL))
            clock_control(self, port, &ctl[port]);
    configuration(r, in);
    take_turns(r, in);
#if DEV_MAINT
    r->out.busy = any_busy(r);
#endif
    r->now++;
    for (int port = 0; port < RTR_PORTS; port++)
        speak(self, port, rested[port]);
}
