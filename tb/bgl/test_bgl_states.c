// SPDX-License-Identifier: Apache-2.0
/*
 * test_bgl_states.c - all states of rings, with the real tokens and channels: the bubble leaves none that is stuck. Where the escape VC is charged real lengths (rings of
 * four), or one place is enough to enter, some are; the way to one of them, on native nodes with that edit, stops these for good, and on nodes as they are it does not. The numbers of states
 * are those of a second program, which shares nothing with this one.
 *
 * --long: all states of rings of four, and of three with a dynamic VC.
 *
 * Built for bgl: fast.
 */
#include "tb/bgl/bgl_bench.h"
#include "tb/bgl/ring_states.h"

enum {
    SETTLE = 700,
    PATIENCE = 2500,
    LONG = 30000,
    DRAIN = 200000,
    X_PLUS = 0,
    X_MINUS = 1,
    VC = 2
};

/* ---- states ---------------------------------------------------------------------------------- */

struct row {
    unsigned nodes;
    bool dynamic;
    enum ring_edit edit;
    uint64_t states, stuck;
};

static const struct row small[] = {
    {3, false, RING_RIGHT, 1685, 0},
    {3, false, RING_LENGTHS, 3471, 0},
    {3, false, RING_ENTERS, 9261, 512},
    {3, true, RING_RIGHT, 210625, 0},
};
static const struct row large[] = {
    {3, true, RING_ENTERS, 1157625, 4096},
    {4, false, RING_RIGHT, 591745, 0},
    {4, false, RING_LENGTHS, 4784033, 29056},
    {4, false, RING_ENTERS, 3418801, 331776},
};

static const char *const names[] = {"as it is", "with real lengths charged",
                                    "entering with one place"};

static void count(const struct row *r)
{
    const struct ring_found found = ring_explore(r->nodes, r->dynamic, r->edit, true);
    tap_equal(found.states, r->states, "ring of %u%s, %s: states", r->nodes,
              r->dynamic ? " with a dynamic VC" : "", names[r->edit]);
    tap_equal(found.stuck, r->stuck, "stuck ones");
}

/* ---- replay ---------------------------------------------------------------------------------- */

struct replay {
    struct bgl_bench b;
    enum ring_edit edit;
    int holds;                /* node whose receiver offers nothing, or -1 */
    unsigned fifo[RING_MOST]; /* next injection FIFO of each node */
    unsigned refused;         /* steps */
};

static struct bgl_port *port_of(struct replay *r, unsigned node, unsigned port)
{
    return &r->b.node[node].port[port];
}

/* The edit: what tokens charge and give back on the escape VC is the packet's length, or one place is taken for two. */
static void step(struct replay *r)
{
    u7 used[RING_MOST] = {0};
    u3 n[RING_MOST] = {0};
    for (unsigned i = 0; i < r->b.nodes; i++) {
        used[i] = port_of(r, i, X_PLUS)->link.tokens.out.used[VC];
        n[i] = port_of(r, i, X_PLUS)->sender.out.tx_n;
    }
    bench_step(&r->b);
    for (unsigned i = 0; i < r->b.nodes; i++) {
        struct bgl_port *out = port_of(r, i, X_PLUS), *in = port_of(r, i, X_MINUS);
        if (r->edit == RING_LENGTHS) {
            if (out->link.tokens.out.used[VC] != used[i])
                out->link.tokens.out.used[VC] = (u7)(used[i] + n[i] + 1);
            if (in->fifo.out.freed[VC] != 0)
                in->fifo.out.freed[VC] = (u4)((u4)in->fifo.queue[VC].stream.n + 1);
        } else if (r->edit == RING_ENTERS) {
            out->link.out.two |= out->link.out.one & (1 << VC);
        }
        in->channel[3].out.waits =
            r->holds == (int)i; /* the receiver offers nothing of its normal VCs */
    }
}

static void run(struct replay *r, unsigned clocks)
{
    while (clocks-- > 0)
        step(r);
}

static void stop(struct replay *r, unsigned node, bool stops)
{
    r->b.node[node].regs.out.control[X_PLUS].stop = stops;
}

/* Opens a port until it grants once; whether it did. */
static bool one_grant(struct replay *r, unsigned node)
{
    const struct bgl_sender *sender = &port_of(r, node, X_PLUS)->sender;
    bool granted = false;
    stop(r, node, false);
    for (unsigned i = 0; i < PATIENCE && !granted; i++) {
        step(r);
        granted = sender->out.grant != 0 || sender->out.grant_inject != 0;
    }
    stop(r, node, true);
    return granted;
}

static void replay_step(struct replay *r, const struct ring_step *s)
{
    static const unsigned fifos[] = {0, 1, 2, 4, 5, 6};
    if (s->act == RING_INJECT) {
        const struct bench_order o = {.from = s->node,
                                      .to = (s->node + s->packet.hops) % r->b.nodes,
                                      .fifo = fifos[r->fifo[s->node]++ % 6],
                                      .chunks = s->packet.chunks,
                                      .vc = VC,
                                      .hints = 0x20};
        r->holds = (int)s->node;
        bench_send(&r->b, &o);
        run(r, SETTLE);
    }
    if (s->act == RING_INJECT || s->act == RING_GO)
        r->refused += !one_grant(r, s->node);
    r->holds = -1;
    run(r, SETTLE);
}

/* Goes the way and opens all ports; packets that have arrived by then, and LONG clocks later. */
static void replay(const struct ring_found *found, unsigned nodes, enum ring_edit edit, bool edited)
{
    static struct replay r;
    r = (struct replay){.edit = edited ? edit : RING_RIGHT, .holds = -1};
    bench_start(&r.b, nodes, 1, 1, 1, 1);
    for (unsigned n = 0; n < nodes; n++) {
        port_of(&r, n, X_PLUS)->link.tokens.out.used[VC] = 2 * RING_FULL; /* two places are left */
        stop(&r, n, true);
    }
    for (unsigned i = 0; i < found->steps; i++)
        replay_step(&r, &found->way[i]);
    for (unsigned n = 0; n < nodes; n++)
        stop(&r, n, false);
    run(&r, LONG);
    const uint64_t arrived = r.b.arrived;
    run(&r, LONG);
    if (edited) {
        tap_equal(r.refused, 0, "ring of %u, %s: every step of the way is granted", nodes,
                  names[edit]);
        tap_ok(r.b.arrived == arrived && arrived < r.b.packets,
               "and it stands still with %u of %u packets inside",
               r.b.packets - (unsigned)r.b.arrived, r.b.packets);
    } else {
        tap_at_least(r.refused, 1, "ring of %u as it is: a step of that way is refused", nodes);
        tap_equal(r.b.arrived, r.b.packets, "and every packet arrives");
    }
    bench_free(&r.b);
}

static void stuck(unsigned nodes, enum ring_edit edit)
{
    const struct ring_found found = ring_explore(nodes, false, edit, false);
    tap_at_least(found.steps, 4, "ring of %u, %s: a way to stand still, of %u steps", nodes,
                 names[edit], found.steps);
    replay(&found, nodes, edit, true);
    replay(&found, nodes, edit, false);
}

int main(int argc, char **argv)
{
    uint64_t seed = 0;
    bool all = false;
    test_options(argc, argv, &seed, args_flag("--long", &all, "all states of rings of four too"));
    for (unsigned i = 0; i < sizeof small / sizeof *small; i++)
        count(&small[i]);
    for (unsigned i = 0; i < sizeof large / sizeof *large && all; i++)
        count(&large[i]);
    stuck(3, RING_ENTERS);
    stuck(4, RING_LENGTHS);
    return tap_done();
}
