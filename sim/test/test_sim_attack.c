// SPDX-License-Identifier: Apache-2.0
/*
 * test_sim_attack.c - what breaks while the supervisor is at work on what broke before: links that flap, a second failure in each of
 * its states, its own router, a network cut in two, parts that come back while others die. Each time it must come to rest,
 * every packet must be accounted for, none arrive twice or elsewhere, and what is left must carry traffic without loss.
 */
#include <stdio.h>
#include <stdlib.h>

#include "sim/test/attack.h"

#define NETWORK "dragonfly16:3x1x4x2"

/* A cable that comes and goes, in each state of the supervisor. */
static void flaps(bool lcb, uint64_t seed)
{
    struct attack a;
    attack_begin(&a, NETWORK, lcb, seed);
    const unsigned own = attack_cable(&a, 5, false, 1);
    attack_steps(&a, 1000);
    attack_cut_off(&a, 5);
    faults_cut(a.network, 5, own);
    for (unsigned i = 0; i < 3; i++) {
        attack_until(&a, SUPERVISOR_HOLDS);
        faults_mend(a.network, 5, own);
        attack_steps(&a, 300);
        faults_cut(a.network, 5, own);
        attack_until(&a, SUPERVISOR_WRITES);
        faults_mend(a.network, 5, own);
        attack_steps(&a, 100 + 200 * i);
        attack_until(&a, SUPERVISOR_WATCHES);
        faults_cut(a.network, 5, attack_cable(&a, 9, false, i));
    }
    attack_rest(&a);
    attack_judge(&a, 0, "a cable that flaps while tables are made");
}

/* Routers die one after the other, the next when the supervisor holds, or writes, for the one before. */
static void one_after_the_other(bool lcb, uint64_t seed)
{
    struct attack a;
    attack_begin(&a, NETWORK, lcb, seed);
    attack_steps(&a, 1000);
    faults_kill(a.network, 5);
    attack_until(&a, SUPERVISOR_HOLDS);
    faults_kill(a.network, 6);
    attack_until(&a, SUPERVISOR_WRITES);
    faults_kill(a.network, 9);
    faults_cut(a.network, 2, attack_cable(&a, 2, false, 0));
    attack_rest(&a);
    attack_judge(&a, 12, "routers that die while tables are made, and while they are written");
}

/* The router where heartbeats go. */
static void home_dies(bool lcb, uint64_t seed)
{
    struct attack a;
    attack_begin(&a, NETWORK, lcb, seed);
    attack_steps(&a, 1000);
    faults_kill(a.network, 0);
    attack_rest(&a);
    const bool moved = a.supervisor.home != 0;
    attack_steps(&a, 12000);
    a.good = a.good && moved && a.supervisor.again == 0;
    attack_judge(&a, 4, "the supervisor's own router dies: heartbeats go to another");
}

/* The group of the supervisor, and one router of it alone. */
static void cut_in_two(bool lcb, uint64_t seed, bool alone)
{
    struct attack a;
    attack_begin(&a, NETWORK, lcb, seed);
    attack_steps(&a, 1000);
    for (unsigned r = 0; r < 4; r++) {
        if (!alone)
            attack_cut_off(&a, r);
        for (unsigned i = 0; alone && r == 0 && attack_cable(&a, 0, i / 8, i % 8) != MACHINE_PORTS;
             i++)
            faults_cut(a.network, 0, attack_cable(&a, 0, i / 8, i % 8));
    }
    if (alone)
        attack_cut_off(&a, 0);
    attack_rest(&a);
    attack_judge(&a, alone ? 4 : 16,
                 alone ? "the supervisor's own router is cut off" : "a network cut in two");
}

/* One comes back while another dies, then that too. */
static void comes_back(bool lcb, uint64_t seed)
{
    struct attack a;
    attack_begin(&a, NETWORK, lcb, seed);
    attack_steps(&a, 1000);
    faults_kill(a.network, 5);
    attack_rest(&a);
    faults_kill(a.network, 10);
    attack_until(&a, SUPERVISOR_HOLDS);
    attack_replace(&a, 5);
    attack_until(&a, SUPERVISOR_WRITES);
    attack_until(&a, SUPERVISOR_WATCHES);
    attack_steps(&a, 500);
    attack_replace(&a, 10);
    attack_steps(&a, 200);
    faults_kill(a.network, 5);
    attack_rest(&a);
    attack_steps(&a, 2000);
    attack_replace(&a, 5);
    attack_rest(&a);
    attack_steps(&a, 25000);
    attack_rest(&a);
    attack_judge(&a, 0, "a router comes back while another dies");
}

/* Tables as long as those of a large network: the new router takes longer for its words than links may take to train. */
static void slow_bus(bool lcb, uint64_t seed)
{
    enum { READS = 4000 };
    static struct request reads[READS];
    struct attack a;
    attack_begin(&a, NETWORK, lcb, seed);
    attack_steps(&a, 1000);
    faults_kill(a.network, 5);
    attack_rest(&a);
    for (unsigned i = 0; i < READS; i++)
        reads[i].address = a.topology->machine->dropped_address(0);
    attack_replace(&a, 5);
    faults_ask(a.network, 5, reads, READS);
    attack_rest(&a);
    attack_judge(&a, 0, "a new router that takes long to be written");
}

/*
 * A router is replaced while cables of another are cut, over which its heartbeats went; or one of a Clos, which takes longer to be written
 * than packets may move: neither may keep the supervisor from coming to rest, or make it give up.
 */
static void replaced_beside_cuts(const char *name, unsigned router, unsigned from,
                                 unsigned ports[2], bool lcb, uint64_t seed)
{
    struct attack a;
    char what[100];
    attack_begin(&a, name, lcb, seed);
    attack_steps(&a, 1000);
    faults_kill(a.network, router);
    attack_rest(&a);
    attack_steps(&a, 1000);
    for (unsigned i = 0; i < 2; i++)
        faults_cut(a.network, from, ports[i]);
    attack_replace(&a, router);
    attack_rest(&a);
    snprintf(what, sizeof what, "%s: router %u replaced, cables of %u cut", name, router, from);
    attack_judge(&a, 0, what);
}

/* A node that does not heed that nodes are held: its packets move for ever, and tables are written all the same. */
static void heedless(bool lcb, uint64_t seed)
{
    struct attack a;
    attack_begin(&a, NETWORK, lcb, seed);
    attack_steps(&a, 1000);
    faults_kill(a.network, 5);
    for (unsigned i = 0; i < 11000 && a.supervisor.restless == 0 && a.good; i++) {
        attack_step(&a);
        faults_hold(a.network, false);
    }
    const unsigned restless = a.supervisor.restless;
    attack_rest(&a);
    tap_ok(a.good && restless == 1,
           "packets that never come to rest are named, and not waited for");
    attack_judge(&a, 4, "nodes that do not heed the supervisor");
}

/* Tables without a router are written, and nodes go on. */
static bool gone_round(const struct attack *a, unsigned router)
{
    const struct supervisor *s = &a->supervisor;
    return s->state == SUPERVISOR_WATCHES && s->tables && s->tables->gone[router];
}

/* Cables that flap for ever, in turn, are news for ever; a router that dies meanwhile is gone round all the same, in stated time. */
static void flap_for_ever(bool lcb, uint64_t seed)
{
    enum { FLAPS = 4, APART = 80, BOUND = 20000 };
    struct attack a;
    attack_begin(&a, NETWORK, lcb, seed);
    unsigned ports[FLAPS], turn = 0;
    for (unsigned i = 0; i < FLAPS; i++)
        ports[i] = attack_cable(&a, 9, i >= 2, i % 2);
    attack_steps(&a, 1000);
    faults_kill(a.network, 5);
    const uint64_t began = faults_now(a.network);
    for (; a.good && !gone_round(&a, 5) && faults_now(a.network) < began + 2 * BOUND; turn++) {
        if (turn / FLAPS % 2)
            faults_mend(a.network, 9, ports[turn % FLAPS]);
        else
            faults_cut(a.network, 9, ports[turn % FLAPS]);
        attack_steps(&a, APART);
    }
    const uint64_t took = faults_now(a.network) - began;
    for (unsigned i = 0; i < FLAPS; i++)
        faults_mend(a.network, 9, ports[i]);
    tap_ok(a.good && took < BOUND,
           "beside cables that flap a dead router is gone round after %u clocks, %u at most",
           (unsigned)took, BOUND);
    attack_rest(&a);
    attack_steps(&a, 14000);
    attack_rest(&a);
    attack_judge(&a, 4, "cables that flapped for long");
}

/* All routers die, one after the other, then all come back. */
static void all_die(bool lcb, uint64_t seed)
{
    struct attack a;
    attack_begin(&a, NETWORK, lcb, seed);
    attack_steps(&a, 1000);
    for (unsigned r = 0; r < a.topology->routers; r++) {
        faults_kill(a.network, r);
        attack_steps(&a, 500);
    }
    attack_rest(&a);
    tap_ok(a.good && attack_down(&a) == a.topology->nodes, "no router is left: all nodes are down");
    for (unsigned r = 0; r < a.topology->routers; r++)
        attack_replace(&a, r);
    attack_rest(&a);
    attack_judge(&a, 0, "all routers die and come back");
}

/* Its own router is another from one clock to the next: nobody is missed for that its heartbeats went nowhere. */
static void own_is_replaced(bool lcb, uint64_t seed)
{
    struct attack a;
    attack_begin(&a, NETWORK, lcb, seed);
    attack_steps(&a, 1000);
    faults_kill(a.network, a.supervisor.home);
    attack_replace(&a, a.supervisor.home);
    attack_rest(&a);
    attack_steps(&a, 12000);
    a.good = a.good && a.supervisor.again == 0;
    attack_judge(&a, 0, "the supervisor's own router is replaced at once");
}

/* Cables and a router of a torus or a Clos; back: the router comes back. */
static void others(const char *name, unsigned cables, unsigned router, bool back, uint64_t seed)
{
    struct attack a;
    struct sim_random random = {seed};
    char what[100];
    attack_begin(&a, name, false, seed);
    attack_steps(&a, 1000);
    for (unsigned i = 0; i < cables;) {
        const unsigned r = sim_below(&random, a.topology->routers);
        const unsigned p = sim_below(&random, a.topology->machine->ports);
        if (a.topology->ports[r][p].router == TOPO_NOBODY)
            continue;
        faults_cut(a.network, r, p);
        i++;
    }
    attack_steps(&a, 300);
    faults_kill(a.network, router);
    attack_rest(&a);
    attack_steps(&a, 1000);
    const unsigned lost = attack_down(&a);
    if (back) {
        attack_replace(&a, router);
        attack_rest(&a);
        attack_steps(&a, 25000);
        attack_rest(&a);
    }
    snprintf(what, sizeof what, "%s without %u cables and router %u, %u nodes down%s", name, cables,
             router, lost, back ? "; it comes back" : "");
    a.good = a.good && lost <= a.topology->nodes / 2;
    attack_judge(&a, back ? 0 : lost, what);
}

int main(int argc, char **argv)
{
    uint64_t seed;
    bool too = false;
    test_options(
        argc, argv, &seed,
        args_flag("--lcb", &too, "links with link control blocks, too, which takes minutes"));
    for (unsigned lcb = 0; lcb <= too; lcb++) {
        tap_note(lcb ? "with link control blocks" : "without");
        flaps(lcb, seed);
        one_after_the_other(lcb, seed + 1);
        home_dies(lcb, seed + 2);
        cut_in_two(lcb, seed + 3, false);
        cut_in_two(lcb, seed + 4, true);
        comes_back(lcb, seed + 5);
        slow_bus(lcb, seed + 10);
        replaced_beside_cuts(NETWORK, 6, 0, (unsigned[]){2, 1}, lcb, seed + 11);
        heedless(lcb, seed + 13);
        flap_for_ever(lcb, seed + 14);
        all_die(lcb, seed + 15);
        own_is_replaced(lcb, seed + 16);
    }
    replaced_beside_cuts("clos:2x4x4x4", 5, 3, (unsigned[]){32, 33}, false, seed + 12);
    others("clos:2x4x4x4", 2, 3, true, seed + 6);
    others("clos:2x4x4x4", 3, 5, false, seed + 7);
    others("clos:2.5x2x4x4x4", 6, 9, false, seed + 8);
    others("torus:4x3x2", 10, 7, false, seed + 9);
    return tap_done();
}
