// SPDX-License-Identifier: Apache-2.0
/*
 * action.c - resets, cables, hosts, drivers, nonsense.
 */
#include "tb/system/chip/abuse/action.h"

enum {
    ENABLE = 1 << NR_CONTROL_ENABLE_AT,
    DRAIN = 1 << NR_CONTROL_DRAIN_AT,
    FLOODS = 20,        /* of four queue writes each: more than a ring has entries */
    BACKLOG_EPOCHS = 2, /* what waited for a host or a cable is done, or has timed out */
};

static bool now(struct world *w, struct deed *d)
{
    (void)w;
    (void)d;
    return true;
}

static struct node *node_of(struct world *w, const struct deed *d)
{
    return &w->node[d->node];
}

static bool driver_is_free(struct world *w, const struct deed *d)
{
    return script_idle(node_of(w, d)) && !node_of(w, d)->down;
}

static bool driver_is_done(struct world *w, struct deed *d)
{
    return driver_is_free(w, d);
}

/* ---- resets and cables ---------------------------------------------------------------------------------- */

static void disturb_chip(struct world *w, unsigned chip, bool on)
{
    for (unsigned i = 0; i < CHIP_NICS; i++) {
        world_disturb(w, PROCESSES, chip * CHIP_NICS + i, on);
    }
}

static bool any_down(const struct world *w)
{
    bool down = false;

    for (unsigned i = 0; i < RING_NODES; i++) {
        down = down || w->node[i].down;
    }
    return down;
}

static bool reset_chip(struct world *w, struct deed *d)
{
    unsigned chip = d->node / CHIP_NICS;

    if (any_down(w)) {
        return false;
    }
    disturb_chip(w, chip, true);
    ring_reset_chip(w->ring, chip);
    for (unsigned i = 0; i < CHIP_NICS; i++) {
        world_restart(w, chip * CHIP_NICS + i);
    }
    return true;
}

static bool chip_is_back(struct world *w, struct deed *d)
{
    bool back = ring_up(w->ring) && !any_down(w);

    if (back) {
        disturb_chip(w, d->node / CHIP_NICS, false);
    }
    return back;
}

/* One NIC, while its netlink and the router go on. */
static bool reset_nic(struct world *w, struct deed *d)
{
    if (node_of(w, d)->down) {
        return false;
    }
    world_disturb(w, PROCESSES, d->node, true);
    world_halt(w, d->node);
    ring_hold_nic(w->ring, d->node, true);
    node_of(w, d)->held = true;
    return true;
}

static void release_nic(struct world *w, struct deed *d)
{
    ring_hold_nic(w->ring, d->node, false);
    node_of(w, d)->held = false;
    world_restart(w, d->node);
}

static bool nic_is_back(struct world *w, struct deed *d)
{
    bool back = !node_of(w, d)->down;

    if (back) {
        world_disturb(w, PROCESSES, d->node, false);
    }
    return back;
}

/*
 * Chips whose packets, to another chip or to the rogue, pass a cable: what waits for it stands before all that their NICs
 * send, be it to themselves.
 */
static void disturb_cable(struct world *w, unsigned cable, bool on)
{
    for (unsigned i = 0; i < RING_CHIPS; i++) {
        bool passes = false;

        for (unsigned j = 0; j < RING_PARTS; j++) {
            passes = passes || ring_passes(i, j, cable);
        }
        if (passes) {
            disturb_chip(w, i, on);
        }
    }
}

static bool pull_cable(struct world *w, struct deed *d)
{
    if (w->ring->cable[d->cable].out) {
        return false;
    }
    disturb_cable(w, d->cable, true);
    ring_pull(w->ring, d->cable, true);
    return true;
}

static void plug_cable(struct world *w, struct deed *d)
{
    ring_pull(w->ring, d->cable, false);
}

/* Links run, and what they held back is through, or timed out. */
static bool cable_is_back(struct world *w, struct deed *d)
{
    if (!ring_up(w->ring)) {
        d->clocks = w->clock + BACKLOG_EPOCHS * EPOCH;
    }
    if (w->clock < d->clocks) {
        return false;
    }
    disturb_cable(w, d->cable, false);
    return true;
}

/* Bits of all cables are wrong now and then: links send again. */
static void set_noise(struct world *w, double rate)
{
    for (unsigned i = 0; i < 2 * RING_PARTS; i++) {
        struct channel *way = &w->ring->cable[i / 2].way[i % 2];
        struct channel_config config = way->config;

        config.ber = rate;
        channel_change(way, &config);
    }
}

static bool noise(struct world *w, struct deed *d)
{
    set_noise(w, 1e-5 * (1 + rng_below(&d->rng, 4)));
    return true;
}

static void no_noise(struct world *w, struct deed *d)
{
    (void)d;
    set_noise(w, 0);
}

/* ---- hosts ---------------------------------------------------------------------------------------------- */

static bool freeze(struct world *w, struct deed *d)
{
    struct node *n = node_of(w, d);

    if (n->frozen || n->down) {
        return false;
    }
    n->frozen = true;
    n->knobs.dead = true;
    host_set(n->host, &n->knobs);
    world_disturb(w, PROCESSES, d->node, true);
    return true;
}

static void thaw(struct world *w, struct deed *d)
{
    struct node *n = node_of(w, d);

    n->knobs.dead = false;
    host_set(n->host, &n->knobs);
    d->clocks = w->clock + BACKLOG_EPOCHS * EPOCH;
}

static bool is_thawed(struct world *w, struct deed *d)
{
    if (w->clock < d->clocks) {
        return false;
    }
    node_of(w, d)->frozen = false;
    world_disturb(w, PROCESSES, d->node, false);
    return true;
}

/* Some bytes of a process's segments answer wrong. */
static bool fault(struct world *w, struct deed *d, bool poison)
{
    struct node *n = node_of(w, d);
    uint64_t from = BLOCKS_AT + d->process * BLOCK_BYTES + rng_below(&d->rng, EVENTS_AT - 0x400);

    if (n->faulty) {
        return false;
    }
    n->faulty = true;
    host_add_fault(n->host, &(struct host_fault){.from = from,
                                                 .to = from + 1 + rng_below(&d->rng, 0x3E0),
                                                 .poison = poison,
                                                 .bus_error = !poison});
    world_disturb(w, d->process, d->node, true);
    return true;
}

static bool poison(struct world *w, struct deed *d)
{
    return fault(w, d, true);
}

static bool bus_errors(struct world *w, struct deed *d)
{
    return fault(w, d, false);
}

static void heal(struct world *w, struct deed *d)
{
    host_clear_faults(node_of(w, d)->host);
    node_of(w, d)->faulty = false;
}

static bool process_is_left(struct world *w, struct deed *d)
{
    world_disturb(w, d->process, d->node, false);
    return true;
}

/* ---- drivers -------------------------------------------------------------------------------------------- */

/* Domains of the first and the second owner of a descriptor, in turn. */
static unsigned other_domain(const struct world *w, const struct deed *d)
{
    unsigned first = d->process + 1, second = d->process + 1 + PTAG_ROUGH;

    return w->node[d->node].process[d->process].ptag == first ? second : first;
}

static bool hand_over(struct world *w, struct deed *d)
{
    struct node *n = node_of(w, d);

    if (!driver_is_free(w, d) || n->handed[d->process]) {
        return false;
    }
    n->handed[d->process] =
        true; /* the third owner in the next episode, when nothing is in flight */
    world_disturb(w, d->process, d->node, true);
    script_hand_over(n, d->process, other_domain(w, d));
    return true;
}

static bool process_is_done(struct world *w, struct deed *d)
{
    return driver_is_free(w, d) && process_is_left(w, d);
}

static bool flap(struct world *w, struct deed *d)
{
    if (!driver_is_free(w, d)) {
        return false;
    }
    world_disturb(w, d->process, d->node, true);
    script_flap(node_of(w, d), d->process, rng_below(&d->rng, 2) * rng_below(&d->rng, 100));
    return true;
}

static bool settle(struct world *w, struct deed *d)
{
    if (!driver_is_free(w, d)) {
        return false;
    }
    script_settle(node_of(w, d));
    return true;
}

static bool flush(struct world *w, struct deed *d)
{
    if (!driver_is_free(w, d)) {
        return false;
    }
    script_flush(node_of(w, d));
    return true;
}

static bool drain(struct world *w, struct deed *d)
{
    struct node *n = node_of(w, d);

    if (!driver_is_free(w, d)) {
        return false;
    }
    world_disturb(w, PROCESSES, d->node, true);
    script_write(n, NR_CONTROL, ENABLE | DRAIN);
    script_clocks(n, 1 + rng_below(&d->rng, 4 * EPOCH));
    script_write(n, NR_CONTROL, ENABLE);
    return true;
}

static void doubt_all(struct node *n, unsigned argument)
{
    (void)argument;
    for (unsigned p = 0; p < HONEST; p++) {
        process_doubt(&n->process[p]);
    }
}

/* CONTROL.enable = 0 with work in flight, and 1 again. */
static bool stop(struct world *w, struct deed *d)
{
    struct node *n = node_of(w, d);

    if (!driver_is_free(w, d)) {
        return false;
    }
    world_disturb(w, PROCESSES, d->node, true);
    script_then(n, doubt_all, 0);
    script_write(n, NR_CONTROL, 0);
    script_clocks(n, 1 + rng_below(&d->rng, 2 * EPOCH));
    script_write(n, NR_CONTROL, ENABLE);
    script_then(n, doubt_all, 0);
    return true;
}

static bool node_is_done(struct world *w, struct deed *d)
{
    bool done = driver_is_free(w, d);

    if (done) {
        world_disturb(w, PROCESSES, d->node, false);
    }
    return done;
}

static bool forbid(struct world *w, struct deed *d)
{
    if (!driver_is_free(w, d)) {
        return false;
    }
    for (unsigned i = 0; i < 8; i++) {
        rough_register(node_of(w, d), &d->rng);
    }
    return true;
}

/* ---- processes and peers -------------------------------------------------------------------------------- */

static bool nonsense(struct world *w, struct deed *d)
{
    w->nonsense = 0.005 + 0.05 * rng_below(&d->rng, 5);
    return true;
}

static void less_nonsense(struct world *w, struct deed *d)
{
    (void)d;
    w->nonsense = 0;
}

static bool hostile(struct world *w, struct deed *d)
{
    w->rogue.knobs = (struct rogue_knobs){.request = 0.01 * (1 + rng_below(&d->rng, 5)),
                                          .answer = 1,
                                          .wrong = 0.25 * rng_below(&d->rng, 4)};
    return true;
}

static void friendly(struct world *w, struct deed *d)
{
    (void)d;
    w->rogue.knobs = (struct rogue_knobs){.answer = 1};
}

static bool mute(struct world *w, struct deed *d)
{
    w->rogue.knobs = (struct rogue_knobs){0};
    return nonsense(w, d);
}

static void not_mute(struct world *w, struct deed *d)
{
    less_nonsense(w, d);
    friendly(w, d);
}

static bool be_greedy(struct world *w, struct deed *d)
{
    w->rogue.knobs = (struct rogue_knobs){0};
    node_of(w, d)->process[ROUGH].greedy = true;
    return true;
}

static void not_greedy(struct world *w, struct deed *d)
{
    node_of(w, d)->process[ROUGH].greedy = false;
    friendly(w, d);
}

static bool source_mode(struct world *w, struct deed *d)
{
    bool yes = hostile(w, d) && nonsense(w, d);

    w->source = w->rogue.knobs.source = true;
    return yes;
}

static void no_source(struct world *w, struct deed *d)
{
    w->source = false;
    not_mute(w, d);
}

static bool overrun(struct world *w, struct deed *d)
{
    struct node *n = node_of(w, d);

    if (n->down || n->process[d->process].deaf) {
        return false;
    }
    world_disturb(w, d->process, d->node, true);
    n->process[d->process].deaf = n->process[d->process].overrun = true;
    n->block[d->process].lossy = true;
    for (unsigned i = 0; i < RING_NODES; i++) {
        struct process *p = &w->node[i].process[d->process];

        if (p->ptag == n->process[d->process].ptag) {
            process_flood(p, d->node, FLOODS);
        }
    }
    return true;
}

static void hear(struct world *w, struct deed *d)
{
    struct process *p = &node_of(w, d)->process[d->process];

    p->deaf = p->deaf && !p->alive; /* or it has been taken away */
}

const struct action actions[] = {
    {"nic", "a NIC is reset alone", false, 20, reset_nic, release_nic, nic_is_back},
    {"chip", "a chip is reset", false, 1, reset_chip, NULL, chip_is_back},
    {"cable", "a cable is pulled, and plugged in again", false, 4000, pull_cable, plug_cable,
     cable_is_back},
    {"noise", "bits of all cables are wrong now and then", false, 6000, noise, no_noise, now},
    {"freeze", "a host takes and answers nothing", false, 4 * EPOCH, freeze, thaw, is_thawed},
    {"poison", "memory of a process is known to be wrong", false, 4000, poison, heal,
     process_is_left},
    {"bus", "memory of a process answers with errors", false, 4000, bus_errors, heal,
     process_is_left},
    {"handover", "a process is taken away, its descriptor, memory and queues given to another",
     false, 1, hand_over, NULL, process_is_done},
    {"flap", "a descriptor is disabled and enabled again", false, 1, flap, NULL, process_is_done},
    {"settle", "CONTROL.settle", false, 1, settle, NULL, driver_is_done},
    {"flush", "AMO flush", false, 1, flush, NULL, driver_is_done},
    {"drain", "CONTROL.drain, and back", false, 1, drain, NULL, node_is_done},
    {"stop", "CONTROL.enable = 0, and back", false, 1, stop, NULL, node_is_done},
    {"registers", "registers get values that no rule allows", false, 1, forbid, NULL,
     driver_is_done},
    {"nonsense", "a process writes nonsense into its pages", false, 6000, nonsense, less_nonsense,
     now},
    {"hostile", "a peer sends what it should not", false, 6000, hostile, friendly, now},
    {"dead", "a process writes nonsense, and a node that it asks never answers", false, 6000, mute,
     not_mute, now},
    {"greedy", "a process sends all it can to a node that never answers", false, 6 * EPOCH,
     be_greedy, not_greedy, now},
    {"source", "mode SOURCE in pages and from a peer", false, 6000, source_mode, no_source, now},
    {"overrun", "a process takes no events while others send it many", false, 4000, overrun, hear,
     process_is_left},
};
const unsigned action_count = sizeof(actions) / sizeof(*actions);
