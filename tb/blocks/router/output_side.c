// SPDX-License-Identifier: Apache-2.0
/*
 * output_side.c - what comes by the column busses, and whether the link gets just that, in order.
 */
#include "tb/blocks/router/output_side.h"

#include "router/flit/packet.h"
#include "router/flit/rtr_ecc.h"

#include <string.h>

uint64_t output_side_clock;

void output_side_start(struct output_side *w, uint64_t seed)
{
    memset(w, 0, sizeof *w);
    rng_seed(&w->rng, seed);
    output_mux_reset(&w->dut);
    for (int r = 0; r < RTR_ROWS; r++) {
        for (int v = 0; v < RTR_VCS; v++)
            w->source[r][v].credit = 1 << RTR_COL_LOG2;
    }
    w->row = -1;
    w->offer = 1;
    w->ready = 1;
    w->shortest = RTR_LENGTH_BITS == 0 ? 2 : 1;
    w->longest = RTR_PACKET;
    w->marks = true;
    w->rows = (1 << RTR_ROWS) - 1;
    w->vcs = w->room = w->spare = (1 << RTR_VCS) - 1;
}

/* Number, VC and row in a flit, below the length and VC of a head. */
static rtr_flit flit_of(unsigned row, unsigned vc, unsigned number)
{
    return (rtr_flit)(row | vc << 3 | number % NUMBERS << 6);
}

static bool is_slow(const struct output_side *w, unsigned row, unsigned v)
{
    return row == 0 && w->slow > 0 && !(w->slow_vc && v != 0);
}

static void bring(struct output_side *w, struct column_flit *bus, unsigned row)
{
    unsigned v = rng_bit(&w->rng, w->vcs);
    struct source *s = &w->source[row][v];

    if ((w->rows >> row & 1) == 0 || s->credit == 0 || (w->quiet && s->left == 0) ||
        !rng_chance(&w->rng, is_slow(w, row, v) ? w->slow : w->offer)) {
        return;
    }
    unsigned place = s->sent % RING;

    s->flit[place].head = s->left == 0;
    if (s->left == 0) {
        s->left = w->shortest + rng_below(&w->rng, w->longest - w->shortest + 1);
    }
    s->left--;
    s->credit--;
    s->flit[place].tail = s->left == 0;
    s->flit[place].bad = w->marks && rng_below(&w->rng, 64) == 0;
    s->flit[place].gone = false;
    s->flit[place].flips = 0;
    s->flit[place].in_mark = false;
    bus->valid = 1;
    bus->vc = (rtr_vc)v;
    bus->tail = s->left == 0;
    bus->code = rtr_encode(flit_of(row, v, s->sent), s->flit[place].bad);
    s->sent++;
}

/* Behind a head that came alone: the rest of its packet does not come. */
/* holds output_mux.rest */
static void pass_over(struct output_side *w, struct source *s)
{
    bool more = s->cut;

    while (more) {
        w->flipped += s->flit[s->got % RING].flips != 0;
        more = !s->flit[s->got++ % RING].tail;
    }
    s->cut = false;
}

/* A flit has left its buffer, for the link or, from a head that is dropped to its tail, for nowhere. */
static void leave(struct output_side *w, struct source *s)
{
    const unsigned place = s->popped++ % RING;

    if (w->dut.out.dropped) {
        must(&w->wrong, s->flit[place].head, "flit %u of its VC is dropped, expected a head",
             place);
        s->losing = true;
    }
    s->flit[place].gone = s->losing;
    w->lost += s->losing && s->flit[place].tail;
    s->losing &= !s->flit[place].tail;
}

/* What has gone does not come. */
static void skip_gone(struct source *s)
{
    while (s->got != s->popped && s->flit[s->got % RING].gone)
        s->got++;
}

/* A head with a double-bit error is on the right VC: a packet of one flit, or where the end frames with its packet behind it. */
static void deliver_cut(struct output_side *w, struct source *s, unsigned v)
{
    const struct output_mux_out *out = &w->dut.out;

#if RTR_LENGTH_BITS == 0
    /* holds output_mux.mends */
    (void)s;
    must_equal(&w->wrong, (unsigned)(out->flit >> HEAD_VC_AT), v,
               "VC %u: VC of a head with a double-bit error", v);
    w->cuts++;
#else
    /* holds output_mux.cut */
    must_equal(&w->wrong, (unsigned)(out->flit >> HEAD_LENGTH_AT), v << RTR_LENGTH_BITS | 1,
               "VC %u: VC and length of a head with a double-bit error", v);
    s->cut = !s->flit[s->got % RING].tail;
    s->flit[s->got % RING].tail = true;
    w->cuts += s->cut;
#endif
}

/* A flit that the link takes. */
static void deliver(struct output_side *w)
{
    const struct output_mux_out *out = &w->dut.out;
    unsigned row = (unsigned)out->flit & 7, v = (unsigned)(out->flit >> 3) & 7;
    unsigned number = (unsigned)(out->flit >> 6) % NUMBERS;

    if (!must(&w->wrong, row < RTR_ROWS && v < RTR_VCS,
              "a flit of row %u, VC %u, expected below %d and %d", row, v, RTR_ROWS, RTR_VCS)) {
        return;
    }
    struct source *s = &w->source[row][v];
    unsigned place = number % RING;

    pass_over(w, s);
    if (s->flit[s->got % RING].head && s->flit[s->got % RING].flips == 2 &&
        !s->flit[s->got % RING].in_mark) {
        deliver_cut(w, s, v);
    }
    w->mixed += out->head ? w->row >= 0 : (int)row != w->row || (int)v != w->vc;
    must_equal(&w->wrong, number, s->got % NUMBERS, "row %u, VC %u: number of the flit", row, v);
    must_equal(&w->wrong, out->head, s->flit[place].head, "row %u, VC %u, flit %u: head", row, v,
               number);
    must_equal(&w->wrong, out->tail, s->flit[place].tail, "row %u, VC %u, flit %u: tail", row, v,
               number);
    w->row = out->tail ? -1 : (int)row;
    w->vc = (int)v;
    w->early += out->head && row == 0 && s->left != 0 && (uint16_t)(s->sent - s->got) <= RTR_PACKET;
    w->corrupted |= s->flit[place].bad || s->flit[place].flips == 2;
    w->flipped += s->flit[place].flips != 0;
    w->doubt &= s->flit[place].in_mark ? ~(1u << row) : ~0u;
    if (out->tail) {
        must_equal(&w->wrong, out->bad, w->corrupted, "row %u, VC %u, flit %u: packet marked bad",
                   row, v, number);
        w->bad += out->bad;
        w->corrupted = false;
        w->packets++;
    }
    s->got++;
    w->moved++;
    w->from[row][v]++;
}

void output_side_step(struct output_side *w)
{
    struct output_mux_in in = {.room = (rtr_vcs)w->room,
                               .spare = (rtr_vcs)w->spare,
                               .first = (rtr_rows)w->first,
                               .tick = w->tick,
                               .peer_load = (rtr_load)rng_below(&w->rng, 128),
                               .far_request = (rtr_far)rng_below(&w->rng, 64),
                               .far_response = (rtr_far)rng_below(&w->rng, 64)};
    const struct output_mux_out *out = &w->dut.out;
    unsigned waiting = 0, requests = 0;

    if (w->whims) {
        in.room &= (rtr_vcs)rng_next(&w->rng);
        in.spare &= (rtr_vcs)rng_next(&w->rng);
    }
    in.spare &= in.room;

    for (int r = 0; r < RTR_ROWS; r++) {
        if (out->freed[r].valid) {
            struct source *s = &w->source[r][out->freed[r].vc];

            s->credit++;
            must_at_most(&w->wrong, s->credit, 1 << RTR_COL_LOG2, "row %d, VC %u: credits", r,
                         (unsigned)out->freed[r].vc);
            leave(w, s);
        }
        for (int v = 0; v < RTR_VCS; v++) {
            skip_gone(&w->source[r][v]);
            waiting += (1u << RTR_COL_LOG2) - w->source[r][v].credit;
            requests += v < HALF ? (1u << RTR_COL_LOG2) - w->source[r][v].credit : 0;
        }
    }
    for (int r = 0; r < RTR_ROWS; r++) {
        bring(w, &in.column[r], (unsigned)r);
    }
    in.ready = rng_chance(&w->rng, w->ready);
    /* holds output_mux.held */
    if (w->held)
        must(&w->wrong, out->valid && out->flit == w->last,
             "flit %#llx is not taken, then valid %u, %#llx, expected it again",
             (unsigned long long)w->last, (unsigned)out->valid, (unsigned long long)out->flit);
    w->last = out->flit;
    w->held = out->valid && !in.ready;
    if (out->valid && in.ready) {
        deliver(w);
    }
    w->started = out->start.valid;
    output_mux(&w->dut, &in);
    must(&w->wrong, !out->start.valid || (u1)((w->started ? in.spare : in.room) >> out->start.vc),
         "VC %u: a packet is announced, room %#x, spare %#x, expected its bit of %s",
         (unsigned)out->start.vc, (unsigned)in.room, (unsigned)in.spare,
         w->started ? "spare" : "room");
    const unsigned half = (waiting < 127 ? waiting : 127) / 2, peer = (unsigned)in.peer_load / 8;
    const unsigned request = (unsigned)in.far_request, response = (unsigned)in.far_response;
    must_equal(&w->load_wrong, out->load.of_requests, half + (peer > request ? peer : request),
               "load of requests, %u flits wait", waiting);
    must_equal(&w->load_wrong, out->load.of_responses, half + (peer > response ? peer : response),
               "load of responses, %u flits wait", waiting);
    must(&w->stall_wrong, !out->stall_request || requests != 0,
         "requests are stalled, expected none, none of %u flits is a request", waiting);
    must(&w->stall_wrong, !out->stall_response || requests != waiting,
         "responses are stalled, expected none, all of %u flits are requests", waiting);
    w->waiting = waiting;
    w->dropped += out->dropped;
    w->corrected += out->corrected;
    w->fatal += out->fatal;
    output_side_clock++;
}

void output_side_run(struct output_side *w, unsigned clocks)
{
    while (clocks-- != 0)
        output_side_step(w);
}

bool output_side_drain(struct output_side *w)
{
    bool all = true;

    w->quiet = true;
    w->offer = w->ready = 1;
    w->room = (1 << RTR_VCS) - 1;
    output_side_run(w, 20000);
    for (int r = 0; r < RTR_ROWS; r++) {
        for (int v = 0; v < RTR_VCS; v++) {
            struct source *s = &w->source[r][v];

            pass_over(w, s);
            skip_gone(s);
            all &= s->sent == s->got && s->credit == 1 << RTR_COL_LOG2;
        }
        all &= w->dut.buffer[r].out.enough == 0;
    }
    return all && w->waiting == 0;
}

double output_side_rate(struct output_side *w, unsigned clocks)
{
    output_side_run(w, 2000);
    w->moved = 0;
    memset(w->from, 0, sizeof w->from);
    output_side_run(w, clocks);
    return (double)w->moved / clocks;
}
