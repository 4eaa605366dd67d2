// SPDX-License-Identifier: Apache-2.0
/*
 * test_link_epochs.c - from any two states, epochs and pasts both ends of a link with good lanes reach RUN.
 *
 * Snapshots of an LCB are taken out of real runs: in each state, and with each past that an epoch can have. Then every
 * two that can meet are put on a good cable, in any two of the 16 epochs, and must both run within LIMIT clocks, with
 * flits coming at both ends. Management's part is a restart for an end that is dead. A link in any state goes to a new epoch
 * by a restart and is dead by a kill. The bring-up of an end may besides run out at any moment of the other's: then the other must
 * begin anew too, or they miss each other again and again.
 *
 * --all takes all pairs of epochs, otherwise the least and the largest differences from epoch 0 and, across the wrap, from 15; and more moments.
 *
 * Built for aries: fast.
 */
#include "tb/system/link/link_end.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    LIMIT = 6500, /* clocks to RUN at both ends: a bring-up that runs out, and three that do not */
    FLOWS = 200,  /* clocks in which flits must come, then */
    PATIENCE = 9000,                /* clocks in which a snapshot is to be had */
    SOON = 800,                     /* clocks in which a bring-up of two ends is over */
    AS_IT_WAS = LCB_TRAIN_LIMIT + 1 /* what a bring-up has left is not changed */
};

/* What an end has behind it in its epoch. */
enum past {
    FRESH, /* nothing: it was reset, or has just begun */
    BEGUN, /* it sent flits and nobody answered */
    HEARD, /* it accepted flits of a peer that is BEGUN */
    USED,  /* flits both ways */
    PASTS
};
enum { STATES = LINK_LOOP + 1 };
static const char *const past_name[PASTS] = {"fresh", "begun", "heard", "used"};
static const char *const state_name[STATES] = {"DEAD", "TRAIN", "READY", "START",
                                               "RUN",  "FLUSH", "LOOP"};

struct pair {
    struct link_end end[2];
    enum { PEER, NOBODY, ITSELF } hears[2];
};

static struct link_end *snapshot[2][PASTS][STATES];
static struct rng r;
static uint64_t now;

static void step(struct pair *p)
{
    for (unsigned i = 0; i < 2; i++) {
        link_end_inputs(&p->end[i], now);
        link_end_hear(&p->end[i], p->hears[i] == NOBODY ? NULL
                                  : p->hears[i] == PEER ? &p->end[!i].lcb
                                                        : &p->end[i].lcb);
    }
    link_end_step(&p->end[0]);
    link_end_step(&p->end[1]);
    now++;
}

static void kill_link(struct link_end *e)
{
    e->in.bus =
        (struct reg_request){.valid = 1, .write = 1, .addr = LCB_REG_CONTROL, .wdata = 0x72};
}

static enum link_state state_of(const struct pair *p, unsigned i)
{
    return p->end[i].lcb.out.state;
}

/* ---- snapshots ----------------------------------------------------------------------------------- */

static void keep(const struct pair *p, unsigned i, enum past past, enum link_state state)
{
    struct link_end **place = &snapshot[i][past][state];
    const struct lcb_link *link = &p->end[i].lcb.link;
    const bool as_named =
        link->out.state == state && link->fresh == (past == FRESH) && link->used == (past != FRESH);
    if (!as_named) {
        tap_note("end %u: no %s %s, but state %u fresh %u used %u", i, past_name[past],
                 state_name[state], (unsigned)link->out.state, (unsigned)link->fresh,
                 (unsigned)link->used);
        return;
    }
    *place = malloc(sizeof **place);
    if (*place)
        **place = p->end[i];
}

static bool until(struct pair *p, unsigned i, enum link_state state)
{
    for (unsigned clock = 0; clock < PATIENCE && state_of(p, i) != state; clock++)
        step(p);
    return state_of(p, i) == state;
}

/* Dead and flushing with this past, from whatever is in the pair. */
static void keep_resting(const struct pair *from, unsigned i, enum past past)
{
    struct pair p = *from;
    p.hears[0] = p.hears[1] = NOBODY;
    kill_link(&p.end[i]);
    until(&p, i, LINK_DEAD);
    for (unsigned clock = 0; clock < 700; clock++)
        step(&p);
    keep(&p, i, past, LINK_DEAD);
    p.end[i].in.restart = 1;
    step(&p);
    keep(&p, i, past, LINK_FLUSH);
}

/* Hearing itself. */
static void keep_looped(const struct pair *from, unsigned i, enum past past)
{
    struct pair p = *from;
    p.hears[0] = p.hears[1] = NOBODY;
    until(&p, i, LINK_TRAIN);
    p.hears[i] = ITSELF;
    until(&p, i, LINK_LOOP);
    for (unsigned clock = 0; clock < 700; clock++)
        step(&p);
    keep(&p, i, past, LINK_LOOP);
}

/* In bring-up and running again, the past staying what it is: the other end sees the same. */
static void keep_training(const struct pair *from, unsigned i, enum past past)
{
    struct pair p = *from;
    p.hears[0] = p.hears[1] = NOBODY;
    until(&p, i, LINK_TRAIN);
    keep(&p, i, past, LINK_TRAIN);
    until(&p, !i, LINK_TRAIN);
    until(&p, i, LINK_TRAIN);
    p.hears[0] = p.hears[1] = PEER;
    until(&p, i, LINK_READY);
    keep(&p, i, past, LINK_READY);
    until(&p, i, LINK_START);
    keep(&p, i, past, LINK_START);
    if (past == FRESH)
        return;
    until(&p, i, LINK_RUN);
    keep(&p, i, past, LINK_RUN);
}

static void power_up(struct pair *p)
{
    memset(p, 0, sizeof *p);
    for (unsigned i = 0; i < 2; i++)
        link_end_start(&p->end[i], i, rng_next(&r));
}

static void take_snapshots(void)
{
    static struct pair p;
    for (unsigned i = 0; i < 2; i++) {
        power_up(&p);
        keep_training(&p, i, FRESH);
        keep_resting(&p, i, FRESH);
        keep_looped(&p, i, FRESH);

        /* end i sends, and hears nothing from the moment on in which data begins */
        power_up(&p);
        until(&p, i, LINK_START);
        until(&p, !i, LINK_START);
        p.hears[i] = NOBODY;
        until(&p, !i, LINK_RUN);
        for (unsigned clock = 0; clock < 100; clock++)
            step(&p);
        keep_training(&p, i, BEGUN);
        keep_resting(&p, i, BEGUN);
        keep_looped(&p, i, BEGUN);
        keep(&p, !i, HEARD, LINK_RUN);
        keep_training(&p, !i, HEARD);
        keep_resting(&p, !i, HEARD);
        keep_looped(&p, !i, HEARD);
    }
    power_up(&p);
    until(&p, 0, LINK_RUN);
    until(&p, 1, LINK_RUN);
    for (unsigned clock = 0; clock < 1500; clock++)
        step(&p);
    for (unsigned i = 0; i < 2; i++) {
        keep_training(&p, i, USED);
        keep_resting(&p, i, USED);
        keep_looped(&p, i, USED);
    }
}

static void shift_info(u16 *info0, unsigned by)
{
    *info0 = (u16)(*info0 + (by << 12));
}

/* As if all that had happened so many epochs later, what is heard of the peer included. */
static void shift_epoch(struct lcb *l, unsigned by)
{
    l->link.out.epoch = (u4)(l->link.out.epoch + by);
    l->out.epoch = l->link.out.epoch;
    l->link.goal = (u4)(l->link.goal + by);
    shift_info(&l->link.out.info0, by);
    shift_info(&l->lanes_out.info0, by);
    shift_info(&l->lanes_in.out.info0, by);
    for (unsigned lane = 0; lane < LANES; lane++) {
        shift_info(&l->lanes_in.train[lane].out.info0, by);
        shift_info(&l->lanes_in.train[lane].info0, by);
    }
}

/* ---- meetings ------------------------------------------------------------------------------------ */

struct meeting {
    unsigned epoch;
    enum past past;
    enum link_state state;
};

struct record {
    uint64_t met, failed, worst, clocks;
    struct meeting worst_of[2];
};
static struct record seen;

/*
 * In one epoch both ends have a past that belongs together: what one of them used the other began. A fresh end starts only
 * with a peer that has used nothing, and while one end runs the other cannot have come to run in another epoch.
 */
static bool can_meet(const struct meeting m[2])
{
    const enum past a = m[0].past, b = m[1].past;
    const bool starts = (a == FRESH && m[0].state == LINK_START && b > BEGUN) ||
                        (b == FRESH && m[1].state == LINK_START && a > BEGUN);
    if (!snapshot[0][a][m[0].state] || !snapshot[1][b][m[1].state])
        return false;
    if (m[0].epoch != m[1].epoch)
        return m[0].state != LINK_RUN || m[1].state != LINK_RUN;
    if (a == FRESH || b == FRESH)
        return !starts;
    return (a == USED && b == USED) || (a == BEGUN && b != USED) || (b == BEGUN && a != USED);
}

static void complain(const struct meeting m[2], const struct pair *p, uint64_t clocks)
{
    if (seen.failed++ < 5)
        tap_note("epoch %u %s %s meets epoch %u %s %s: after %" PRIu64
                 " clocks states %u %u epochs %u %u, %" PRIu64 " and %" PRIu64 " flits",
                 m[0].epoch, past_name[m[0].past], state_name[m[0].state], m[1].epoch,
                 past_name[m[1].past], state_name[m[1].state], clocks, (unsigned)state_of(p, 0),
                 (unsigned)state_of(p, 1), (unsigned)p->end[0].lcb.out.epoch,
                 (unsigned)p->end[1].lcb.out.epoch, p->end[0].got, p->end[1].got);
}

static bool runs(const struct pair *p)
{
    return state_of(p, 0) == LINK_RUN && state_of(p, 1) == LINK_RUN;
}

/* Clocks until flits come at both ends; an end that is dead at first gets a restart. */
static uint64_t come_up(struct pair *p)
{
    uint64_t clocks = 0, in_row = 0;
    for (unsigned i = 0; i < 2; i++)
        p->end[i].in.restart = state_of(p, i) == LINK_DEAD;
    while (clocks < LIMIT && in_row < FLOWS) {
        step(p);
        clocks++;
        in_row = runs(p) ? in_row + 1 : 0;
        if (in_row == 1)
            p->end[0].got = p->end[1].got = 0;
    }
    seen.clocks += clocks;
    return in_row == FLOWS && p->end[0].got > 0 && p->end[1].got > 0 ? clocks - FLOWS : UINT64_MAX;
}

/* End 0 has so many clocks left of its bring-up. */
static void meet(const struct meeting m[2], unsigned left)
{
    static struct pair p;
    if (!can_meet(m))
        return;
    p.hears[0] = p.hears[1] = PEER;
    for (unsigned i = 0; i < 2; i++) {
        p.end[i] = *snapshot[i][m[i].past][m[i].state];
        shift_epoch(&p.end[i].lcb, m[i].epoch);
    }
    if (left != AS_IT_WAS)
        p.end[0].lcb.link.timer = (u16)(LCB_TRAIN_LIMIT - left);
    const uint64_t clocks = come_up(&p);
    seen.met++;
    if (clocks == UINT64_MAX) {
        complain(m, &p, LIMIT);
    } else if (clocks > seen.worst) {
        seen.worst = clocks;
        memcpy(seen.worst_of, m, sizeof seen.worst_of);
    }
}

static void meet_in_all_states(unsigned epoch0, unsigned epoch1, unsigned left)
{
    for (unsigned n = 0; n < PASTS * STATES * PASTS * STATES; n++) {
        const struct meeting m[2] = {
            {epoch0, n % PASTS, n / PASTS % STATES},
            {epoch1, n / (PASTS * STATES) % PASTS, n / (PASTS * PASTS * STATES)}};
        const enum link_state state = m[0].state;
        const bool trains = state == LINK_TRAIN || state == LINK_READY || state == LINK_START;
        if (trains || left == AS_IT_WAS)
            meet(m, left);
    }
}

static void tell(const char *what)
{
    /* holds link.meeting */
    tap_ok(seen.failed == 0 && seen.met > 0,
           "%s: %" PRIu64 " meetings, each up in at most %d clocks; %" PRIu64 " not", what,
           seen.met, LIMIT, seen.failed);
    const struct meeting *w = seen.worst_of;
    tap_note("the longest took %" PRIu64 " clocks: epoch %u %s %s, epoch %u %s %s; %" PRIu64
             " clocks in all",
             seen.worst, w[0].epoch, past_name[w[0].past], state_name[w[0].state], w[1].epoch,
             past_name[w[1].past], state_name[w[1].state], seen.clocks);
    seen = (struct record){};
}

static void all_meet(bool all)
{
    for (unsigned first = 0; first < 16; first += all ? 1 : 15)
        for (unsigned ahead = 0; ahead < 16; ahead++)
            if (all || ahead % 7 <= 1)
                meet_in_all_states(first, (first + ahead) & 15, AS_IT_WAS);
    tell("any epochs");
    for (unsigned left = 0; left < SOON; left += all ? 3 : 80) {
        meet_in_all_states(0, 0, left);
        meet_in_all_states(0, 15, left);
    }
    tell("a bring-up runs out");
}

/* ---- management ---------------------------------------------------------------------------------- */

/* The peer is silent or lives on in the same epoch: a kill and a restart are obeyed in any state. */
static void management(void)
{
    static struct pair p;
    unsigned tried = 0, killed = 0, restarted = 0, up = 0;
    for (unsigned n = 0; n < PASTS * STATES * PASTS; n++) {
        const struct meeting m[2] = {{3, n % PASTS, n / PASTS % STATES},
                                     {3, n / (PASTS * STATES), LINK_TRAIN}};
        if (!can_meet(m))
            continue;
        tried++;
        for (unsigned i = 0; i < 2; i++)
            p.end[i] = *snapshot[i][m[i].past][m[i].state];
        const u4 before = p.end[0].lcb.out.epoch;
        p.hears[0] = p.hears[1] = NOBODY;
        kill_link(&p.end[0]);
        for (unsigned clock = 0; clock < 8; clock++)
            step(&p);
        killed += state_of(&p, 0) == LINK_DEAD || m[0].state == LINK_FLUSH;

        for (unsigned i = 0; i < 2; i++)
            p.end[i] = *snapshot[i][m[i].past][m[i].state];
        p.end[0].in.restart = 1;
        for (unsigned clock = 0; clock < 3000; clock++)
            step(&p);
        restarted += p.end[0].lcb.out.epoch == (u4)(before + 1);
        p.hears[0] = p.hears[1] = PEER;
        up += come_up(&p) != UINT64_MAX;
    }
    tap_why("%u, %u and %u of %u", killed, restarted, up, tried);
    tap_ok(killed == tried && restarted == tried && up == tried,
           "%u times: a kill and a restart are obeyed, and it comes up", tried);
}

int main(int argc, char **argv)
{
    uint64_t seed;
    bool all = false;
    test_options(
        argc, argv, &seed,
        args_flag("--all", &all,
                  "all pairs of epochs, and each third clock of a bring-up; without it a sample"));
    rng_seed(&r, seed);
    harness_clock = &now;
    take_snapshots();
    unsigned kept = 0;
    for (unsigned n = 0; n < 2 * PASTS * STATES; n++)
        kept += snapshot[n & 1][n / 2 % PASTS][n / 2 / PASTS] != NULL;
    tap_ok(kept == 2 * PASTS * STATES - 2, "each state with each past, but RUN fresh: %u", kept);
    all_meet(all);
    management();
    for (unsigned n = 0; n < 2 * PASTS * STATES; n++)
        free(snapshot[n & 1][n / 2 % PASTS][n / 2 / PASTS]);
    return tap_done();
}
