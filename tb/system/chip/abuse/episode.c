// SPDX-License-Identifier: Apache-2.0
/*
 * episode.c - plans, runs and judges an episode.
 */
#include "tb/system/chip/abuse/episode.h"

enum {
    QUIET = 400, /* clocks of traffic before the first deed, and behind the last one begins */
    LAST = ACTIVE - 3000, /* when the last deed begins */
    PATIENCE = 40 * EPOCH + 40000,
    REST =
        7 * EPOCH +
        1000, /* a request times out in two epochs, its NOTE in two more, and that tag rests for three */
    GIVE_UP = 8 * EPOCH,
    SETTLED = 1 << NR_STATUS_READY_AT | 1 << NR_STATUS_DRAINED_AT,
    GREEDY = DEEDS < RING_NODES ? DEEDS : RING_NODES /* processes that send all they can, at most */
};

/* An epoch is longer than a packet can be under way: it may wait behind all that greedy processes have in front of one
 * port, which takes a flit a clock. They send no more before tags have rested, two epochs later. */
_Static_assert(GREEDY *REQUESTS *NIC_FLITS <= EPOCH, "packets of greedy processes need no epoch");

/* A number of its own for each episode and use. */
static uint64_t mix(uint64_t seed, uint64_t number)
{
    return seed * 0x9E3779B97F4A7C15 ^ number * 0xD1B54A32D192ED03;
}

/* ---- plan -------------------------------------------------------------------------------------------- */

static void plan(struct episode *e, const struct episode_config *c)
{
    struct rng rng;

    rng_seed(&rng, mix(c->seed, e->number));
    e->deeds = c->on == 0 ? 0 : 1 + rng_below(&rng, DEEDS);
    for (unsigned i = 0; i < e->deeds; i++) {
        struct deed *d = &e->deed[i];

        *d = (struct deed){.action = rng_bit(&rng, c->on),
                           .at = QUIET + rng_below(&rng, LAST),
                           .node = rng_below(&rng, RING_NODES),
                           .process = rng_below(&rng, HONEST),
                           .cable = rng_below(&rng, RING_PARTS)};
        d->clocks = 1 + rng_below(&rng, actions[d->action].most);
        d->skipped = c->only_number == e->number && (c->without >> i & 1) != 0;
        rng_seed(&d->rng, rng_next(&rng));
    }
}

/* Hosts and processes as slow as this episode has them: many requests to fast memory, or fewer to slow. */
static void set_pace(struct world *w)
{
    bool slow = rng_below(&w->rng, 2) != 0;

    w->pace = slow ? 200 + rng_below(&w->rng, 400) : 10 + rng_below(&w->rng, 300);
    for (unsigned i = 0; i < RING_NODES; i++) {
        struct node *n = &w->node[i];

        n->knobs = (struct host_knobs){.latency = 4 + rng_below(&w->rng, slow ? 80 : 12),
                                       .latency_extra = rng_below(&w->rng, slow ? 80 : 12),
                                       .stall = 0.05 * rng_below(&w->rng, 4),
                                       .in_order = rng_below(&w->rng, 4) == 0,
                                       .taking = rng_below(&w->rng, 3)};
        n->driver.pause = 0.1 * rng_below(&w->rng, 3);
        host_set(n->host, &n->knobs);
        for (unsigned p = 0; p < PROCESSES; p++) {
            n->handed[p] = false;
            rng_seed(&n->process[p].rng, rng_next(&w->rng));
        }
    }
}

/* ---- run --------------------------------------------------------------------------------------------- */

static void begin(struct world *w, struct deed *d)
{
    const struct action *a = &actions[d->action];

    d->begun = true;
    d->skipped = !a->begin(w, d);
    note(&w->verdict, "%s: %s%s (node %u, process %u, cable %u, for %llu clocks)", a->name, a->what,
         d->skipped ? ": not now" : "", d->node, d->process, d->cable,
         (unsigned long long)d->clocks);
    d->at = w->clock + d->clocks;
}

static void step_deed(struct world *w, struct deed *d, uint64_t from)
{
    const struct action *a = &actions[d->action];

    if (d->over || d->skipped) {
        return;
    }
    if (!d->begun) {
        if (w->clock >= from + d->at) {
            begin(w, d);
        }
        return;
    }
    if (!d->ended && w->clock >= d->at) {
        d->ended = true;
        if (a->end != NULL) {
            a->end(w, d);
            note(&w->verdict, "%s: ends", a->name);
        }
    }
    if (d->ended && a->over(w, d)) {
        d->over = true;
        note(&w->verdict, "%s: is over", a->name);
    }
}

static void run(struct world *w, const struct episode_config *c, struct episode *e, uint64_t from)
{
    for (unsigned i = 0; i < e->deeds; i++) {
        step_deed(w, &e->deed[i], from);
    }
    world_clock(w);
    if (c->trace != NULL && c->only_number == e->number) {
        trace_clock(c->trace, w);
    }
}

static bool deeds_over(const struct episode *e)
{
    bool over = true;

    for (unsigned i = 0; i < e->deeds; i++) {
        over = over && (e->deed[i].over || e->deed[i].skipped);
    }
    return over;
}

/* Nothing is asked for any more. */
static bool processors_idle(const struct world *w)
{
    bool idle = true;

    for (unsigned i = 0; i < RING_NODES; i++) {
        idle = idle && driver_idle(&w->node[i].driver) && script_idle(&w->node[i]);
    }
    return idle;
}

/* Whoever is not in doubt has heard how its transactions ended. */
static bool all_heard(const struct world *w)
{
    bool heard = true;

    for (unsigned i = 0; i < RING_NODES * HONEST; i++) {
        heard = heard && process_heard(&w->node[i / HONEST].process[i % HONEST]);
    }
    return heard;
}

static bool any_doubt(const struct world *w)
{
    bool any = false;

    for (unsigned i = 0; i < RING_NODES * HONEST; i++) {
        any = any || process_in_doubt(&w->node[i / HONEST].process[i % HONEST]);
    }
    return any;
}

static void wait_for_ends(struct world *w, const struct episode_config *c, struct episode *e,
                          uint64_t from)
{
    uint64_t limit = w->clock + PATIENCE;

    while (w->clock < limit &&
           !(deeds_over(e) && processors_idle(w) && all_heard(w) && ring_up(w->ring))) {
        run(w, c, e, from);
    }
    for (unsigned i = 0; i < e->deeds; i++) {
        if (!e->deed[i].over && !e->deed[i].skipped) {
            found(&w->verdict, STUCK, "%s does not end", actions[e->deed[i].action].name);
        }
    }
    for (unsigned i = 0; i < RING_NODES; i++) {
        struct node *n = &w->node[i];

        if (!driver_idle(&n->driver) || !script_idle(n)) {
            found(&w->verdict, STUCK,
                  "node %u: %llu stores and %llu registers are not answered, step %u of %u of its "
                  "driver",
                  i, (unsigned long long)(n->driver.bursts_in - n->driver.bursts_done),
                  (unsigned long long)(n->driver.regs_in - n->driver.regs_out), n->script.at,
                  n->script.count);
        }
    }
}

static void run_for(struct world *w, const struct episode_config *c, struct episode *e,
                    uint64_t from, uint64_t clocks)
{
    for (uint64_t end = w->clock + clocks; w->clock < end;) {
        run(w, c, e, from);
    }
}

static void give_up(struct world *w)
{
    for (unsigned i = 0; i < RING_NODES; i++) {
        for (unsigned p = 0; p < HONEST; p++) {
            struct process *one = &w->node[i].process[p];
            unsigned stuck = process_give_up(one);

            if (stuck != 0) {
                found(&w->verdict, STUCK, "node %u, process %u: %u transactions never end", i, p,
                      stuck);
            }
        }
    }
}

/* ---- judge ------------------------------------------------------------------------------------------- */

static uint64_t read_register(struct world *w, unsigned node, uint16_t address)
{
    struct node *n = &w->node[node];

    driver_register(&n->driver, &(struct driver_register){.read = true, .address = address});
    for (unsigned patience = 1000; n->driver.regs_in != n->driver.regs_out && patience > 0;
         patience--) {
        world_clock(w);
    }
    return n->driver.register_answer;
}

static void there(struct world *w, unsigned node, const char *what, uint64_t is, uint64_t wanted)
{
    if (is != wanted) {
        found(&w->verdict, NOT_WHOLE, "node %u: %s: %llu, not %llu", node, what,
              (unsigned long long)is, (unsigned long long)wanted);
    }
}

/* All that a NIC lends is back. */
static void look_whole(struct world *w, unsigned node)
{
    const struct nic *x = ring_nic(w->ring, node);
    const struct nic_initiator *i = &x->initiator;
    const struct nic_target *t = &x->target;
    uint64_t writes = 0, flight = 0;

    for (unsigned writer = 0; writer < WRITERS; writer++) {
        writes += t->memory.parb.flying[writer];
    }
    for (unsigned n = 0; n < NIC_FMAS; n++) {
        flight += (u9)(i->fma.opened[n] - i->fma.freed[n]) - i->fma.opens[n];
    }
    there(w, node, "free ids", i->ssid.free.out.count + i->ssid.open, NIC_SSIDS);
    there(w, node, "open transactions", i->ssid.open, 0);
    there(w, node, "free tags", i->orb.free.out.count, NIC_TAGS);
    there(w, node, "writes in orb", i->orb.writes, 0);
    there(w, node, "writes in parb", writes, 0);
    there(w, node, "reads in parb", t->memory.parb.reads, 0);
    there(w, node, "transactions of descriptors", flight, 0);
    there(w, node, "STATUS ready and drained", read_register(w, node, NR_STATUS) & SETTLED,
          SETTLED);
    there(w, node, "ORB_EPOCH", read_register(w, node, NR_ORB_EPOCH), EPOCH);
    there(w, node, "NODE", read_register(w, node, NR_NODE), ring_address(node));
}

static void judge(struct world *w)
{
    for (unsigned i = 0; i < RING_NODES; i++) {
        struct node *n = &w->node[i];

        look_whole(w, i);
        for (unsigned p = 0; p < PROCESSES; p++) {
            block_compare(&n->block[p]);
        }
        if (host_broken_rules(n->host) != n->rules) {
            found(&w->verdict, BROKEN_RULES, "node %u: %s", i, host_broken(n->host)->first);
            n->rules = host_broken_rules(n->host);
        }
    }
    for (uint64_t failures = harness_take_failures(); failures > 0; failures--) {
        found(&w->verdict, BROKEN_RULES, "an assertion of the hardware");
    }
}

void episode_run(struct world *w, const struct episode_config *c, uint64_t number, bool loud,
                 struct episode *e)
{
    uint64_t from, sent, taken;

    *e = (struct episode){.number = number};
    if (number % CHAIN == 0 || findings_of(&w->verdict) != 0) {
        world_restore(w, mix(c->seed, number) + 1);
    }
    w->verdict = (struct verdict){.clock = &w->clock, .loud = loud, .all = c->all};
    plan(e, c);
    rng_seed(&w->rng, mix(c->seed, number) + 2);
    rng_seed(&w->rogue.rng, mix(c->seed, number) + 3);
    set_pace(w);
    w->rogue.knobs = (struct rogue_knobs){.answer = 1};
    while (!processors_idle(w)) { /* a new world is set up */
        world_clock(w);
    }
    from = w->clock;
    sent = w->rogue.sent;
    taken = w->rogue.taken;
    w->traffic = true;
    run_for(w, c, e, from, ACTIVE);
    w->traffic = false;
    wait_for_ends(w, c, e, from);
    for (unsigned i = 0; i < RING_NODES; i++) {
        for (unsigned p = 0; p < PROCESSES; p++) {
            process_flood(&w->node[i].process[p], 0,
                          0); /* what is left of it is not the next episode's */
        }
        rough_close(&w->node[i].process[ROUGH]);
    }
    run_for(w, c, e, from, any_doubt(w) ? GIVE_UP : 0);
    give_up(w);
    run_for(w, c, e, from, REST);
    judge(w);
    e->clocks = w->clock - from;
    w->verdict.hostile = w->rogue.sent - sent;
    w->verdict.mute = w->rogue.taken - taken;
    e->verdict = w->verdict;
}

void episode_repeat(struct world *w, const struct episode_config *c, uint64_t number, bool loud,
                    struct episode *e)
{
    for (uint64_t i = number / CHAIN * CHAIN; i <= number; i++) {
        episode_run(w, c, i, loud && i == number, e);
    }
}
