// SPDX-License-Identifier: Apache-2.0
/*
 * test_sim_attack_lcb.c - what breaks where cables have link control blocks: these find out what is dead, and all that the supervisor
 * knows and does of links goes over their register busses. Every packet must be accounted for, none arrive twice or elsewhere, and what is
 * left must carry traffic without loss.
 */
#include <inttypes.h>
#include <stdio.h>

#include "sim/test/attack.h"

#define NETWORK "dragonfly16:3x1x4x2"

/* Clocks: of bring-ups until a link is dead, and what raising `dead` takes besides; of a round over all links. */
enum { GIVES_UP = ATTACK_RETRY * ATTACK_TRAIN, BESIDES = 200, SOON = 2500 };

static bool believed_dead(const struct attack *a, unsigned router, unsigned port)
{
    const struct port *peer = &a->topology->ports[router][port];
    const bool *dead = a->supervisor.dead_link;
    return dead[router * MACHINE_PORTS + port] &&
           dead[(unsigned)peer->router * MACHINE_PORTS + peer->port];
}

static bool believed_alive(const struct attack *a, unsigned router, unsigned port)
{
    const struct port *peer = &a->topology->ports[router][port];
    const bool *dead = a->supervisor.dead_link;
    return !dead[router * MACHINE_PORTS + port] &&
           !dead[(unsigned)peer->router * MACHINE_PORTS + peer->port];
}

static uint64_t deaths(struct attack *a)
{
    return links_deaths(&a->supervisor.links, a->supervisor.dead_router);
}

/* Flits that crossed a cable both ways in some clocks. */
static bool carries(struct attack *a, unsigned router, unsigned port)
{
    const struct port *peer = &a->topology->ports[router][port];
    net_measure(a->network);
    attack_steps(a, 2000);
    return net_port_flits(a->network, router, port) > 0 &&
           net_port_flits(a->network, (unsigned)peer->router, peer->port) > 0;
}

/* A cable: masked by what its ends find out, known by their registers; whole again, restarted by them. */
static void one_cable(uint64_t seed)
{
    struct attack a;
    attack_begin(&a, NETWORK, true, seed);
    const unsigned port = attack_cable(&a, 5, true, 0);
    attack_steps(&a, 2000);
    const uint64_t before = deaths(&a), began = faults_now(a.network);
    faults_cut(a.network, 5, port);
    while (faults_deaf_ends(a.network) > 0 && faults_now(a.network) < began + 10000)
        attack_step(&a);
    const uint64_t mask = faults_now(a.network) - began;
    attack_steps(&a, 500);
    const bool known = believed_dead(&a, 5, port);
    const uint64_t died = deaths(&a);
    tap_why("%" PRIu64 " deaths before, %" PRIu64 " then, %sknown", before, died,
            known ? "" : "not ");
    tap_ok(before == 0 && died == 2 && known && mask > GIVES_UP - ATTACK_STEP &&
               mask < GIVES_UP + BESIDES,
           "a cut cable: its ends give up after %" PRIu64 " clocks, count a death each, and the "
           "supervisor reads it",
           mask);
    attack_rest(&a);
    faults_mend(a.network, 5, port);
    attack_steps(&a, SOON);
    const bool alive = believed_alive(&a, 5, port), crossed = carries(&a, 5, port);
    tap_why("%s alive, %scarries flits", alive ? "found" : "not found", crossed ? "" : "not ");
    tap_ok(alive && crossed && deaths(&a) == 2, "mended, it is restarted and carries flits again");
    attack_rest(&a);
    attack_judge(&a, 0, "a cable that was cut and mended");
}

/* Mended before its ends have given up, it trains by itself; the blocks send again what was lost. */
static void blink(uint64_t seed)
{
    struct attack a;
    attack_begin(&a, NETWORK, true, seed);
    const unsigned port = attack_cable(&a, 5, true, 0);
    attack_steps(&a, 2000);
    faults_cut(a.network, 5, port);
    attack_steps(&a, 300);
    faults_mend(a.network, 5, port);
    attack_steps(&a, SOON);
    const bool crossed = carries(&a, 5, port);
    const uint64_t news = a.supervisor.news;
    attack_rest(&a);
    faults_hold(a.network, true);
    attack_steps(&a, 3000);
    const struct net_stats s = net_stats(a.network);
    tap_why("%" PRIu64 " lost, %" PRIu64 " deaths, news at %" PRIu64 ", %scarries flits",
            s.in_flight, deaths(&a), news, crossed ? "" : "not ");
    tap_ok(crossed && s.in_flight == 0 && news == 0 && deaths(&a) == 0,
           "a cable that blinks: trains by itself, nothing is lost, no news");
    attack_judge(&a, 0, "a cable that blinks");
}

/* Cut again while it trains behind a restart: such an end tries for ever, and is killed. */
static void never_back(uint64_t seed)
{
    struct attack a;
    attack_begin(&a, NETWORK, true, seed);
    const unsigned port = attack_cable(&a, 9, false, 0);
    attack_steps(&a, 2000);
    faults_cut(a.network, 9, port);
    attack_rest(&a);
    faults_mend(a.network, 9, port);
    uint64_t mended = faults_now(a.network);
    while (faults_deaf_ends(a.network) == 0 && faults_now(a.network) < mended + SOON) {
        faults_mend(a.network, 9, port);
        attack_step(&a);
        faults_cut(a.network, 9, port);
    }
    const bool trained = faults_deaf_ends(a.network) > 0;
    attack_rest(&a);
    tap_why("%s trained, %" PRIu64 " deaths", trained ? "has" : "has not", deaths(&a));
    tap_ok(trained && deaths(&a) > 2 && believed_dead(&a, 9, port),
           "cut while it trains: killed by its register");
    attack_judge(&a, 0, "a cable that is cut while it trains");
}

/* A router dies; another comes in its place, after a while or before anybody has noticed. */
static void comes_back(uint64_t seed, bool soon)
{
    struct attack a;
    attack_begin(&a, NETWORK, true, seed);
    attack_steps(&a, 2000);
    faults_kill(a.network, 5);
    if (soon) {
        attack_steps(&a, 50);
    } else {
        attack_rest(&a);
        tap_ok(a.good && a.supervisor.routers_lost == 1 && attack_down(&a) == 4,
               "a killed router is found");
        attack_steps(&a, 1000);
    }
    attack_replace(&a, 5);
    attack_rest(&a);
    attack_steps(&a, 5000);
    attack_rest(&a);
    tap_ok(carries(&a, 5, attack_cable(&a, 5, false, 0)), "its links carry flits");
    attack_judge(&a, 0,
                 soon ? "a router that is replaced at once" : "a router that dies and comes back");
}

/* What stands in a link that tries again may still move: nobody acts before that is settled, and no table is written. */
static void settled(uint64_t seed)
{
    struct attack a;
    attack_begin(&a, NETWORK, true, seed);
    attack_steps(&a, 2000);
    faults_kill(a.network, 5);
    attack_until(&a, SUPERVISOR_HOLDS);
    const unsigned first = faults_deaf_ends(a.network);
    for (unsigned n = 0; n < 2; n++)
        faults_cut(a.network, 2, attack_cable(&a, 2, false, n));
    attack_until(&a, SUPERVISOR_WRITES);
    const unsigned second = faults_deaf_ends(a.network);
    const uint64_t before = net_stats(a.network).in_flight;
    const struct losses then = faults_losses(a.network);
    const bool writes = a.supervisor.state == SUPERVISOR_WRITES;
    while (a.good && a.supervisor.state == SUPERVISOR_WRITES)
        attack_step(&a);
    const struct losses now = faults_losses(a.network);
    tap_why("%u ends tried when nodes were held, %u when tables were written; %" PRIu64
            " packets behind dead ports, then %" PRIu64,
            first, second, then.port, now.port);
    tap_ok(writes && first == 0 && second == 0 && net_stats(a.network).in_flight == before &&
               now.port == then.port && now.cable == then.cable,
           "nodes are held, and tables written, when no link tries any more");
    attack_rest(&a);
    attack_judge(&a, 4, "cables that are cut while nodes are held");
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    one_cable(seed);
    blink(seed + 1);
    never_back(seed + 2);
    comes_back(seed + 3, false);
    comes_back(seed + 4, true);
    settled(seed + 5);
    return tap_done();
}
