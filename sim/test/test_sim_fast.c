// SPDX-License-Identifier: Apache-2.0
/*
 * test_sim_fast.c - the router that leaves out blocks with nothing to do against the plain model: all registers and memories, in every
 * clock, in networks with traffic, that run empty and begin again, with requests on the register bus, links that come and go, and link
 * control blocks.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/base/harness.h"
#include "sim/engine/network.h"
#include "sim/test/fixture.h"

static uint64_t clock_now, seed;

/* Two routers in the place of one: ours, then the plain one. */
static const struct router_model *model;
static struct router_model twins;
static struct sim_random draw;
static uint64_t differ, compared, first_place;
static bool dies; /* ports come and go */

static void *plain_of(void *memory)
{
    return (char *)memory + model->size;
}

static void reset(void *memory)
{
    model->reset(memory);
    memcpy(plain_of(memory), memory, model->registers);
}

static void write_word(void *memory, unsigned port, enum memory kind, unsigned index, uint64_t word)
{
    model->write(memory, port, kind, index, word);
    model->write(plain_of(memory), port, kind, index, word);
}

/* Now and then a read of any register, or a word of a table written again. */
static struct bus request(void *memory)
{
    const struct machine *m = model->machine;
    const unsigned port = sim_below(&draw, m->ports), index = sim_below(&draw, 64);
    if (sim_below(&draw, 50) != 0)
        return (struct bus){0};
    if (sim_below(&draw, 2) == 0)
        return (struct bus){.valid = true, .address = sim_below(&draw, 65536), .data = index};
    const enum memory memories[] = {MEMORY_MINIMAL, MEMORY_NONMINIMAL, MEMORY_VC_MAP};
    const enum memory which = memories[sim_below(&draw, 3)];
    return (struct bus){.valid = true,
                        .write = true,
                        .address = m->route_address(port, which),
                        .data =
                            m->route_data(which, index, model->read(memory, port, which, index))};
}

static void clock_both(void *memory, const struct wires_in *in, struct wires_out *out,
                       struct bus *bus)
{
    static struct wires_in wires[MACHINE_PORTS];
    static struct wires_out others[MACHINE_PORTS];
    static bool dead[MACHINE_PORTS];
    struct bus ask = request(memory), same = ask;
    const unsigned ports = model->machine->ports;
    memcpy(wires, in, ports * sizeof *wires);
    if (dies && sim_below(&draw, 300) == 0)
        dead[sim_below(&draw, ports)] ^= true;
    for (unsigned p = 0; p < ports; p++)
        wires[p].dead |= dies && dead[p];
    model->clock(memory, wires, out, &ask);
    model->plain(plain_of(memory), wires, others, &same);
    *bus = ask;
    compared++;
    const char *a = memory, *b = plain_of(memory);
    if (memcmp(a, b, model->registers) == 0)
        return;
    for (size_t i = 0; differ == 0 && i < model->registers; i++)
        if (a[i] != b[i]) {
            first_place = i;
            break;
        }
    differ++;
}

/* Traffic, then nothing until all has arrived and for a while longer, and again. */
static void lockstep(const char *name, double load, bool lcb, uint64_t clocks)
{
    struct topology *t = build(name);
    const struct tables tables = tables_computed(t);
    struct net_config c = {
        .bias = 16,
        .seed = seed,
        .lcb = lcb,
        .ber = lcb ? 1e-5 : 0,
        .traffic = {.load = load, .shortest = t->machine->tags > 1 ? 1 : 2, .longest = 14}};
    for (unsigned k = 0; k < NET_KINDS; k++)
        c.delay[k] = 10;
    model = router_model_of(t->machine);
    twins = *model;
    twins.size = 2 * model->size;
    twins.reset = reset;
    twins.clock = clock_both;
    twins.write = write_word;
    differ = compared = 0;
    uint64_t delivered = 0, wrong = 0;
    for (unsigned phase = 0; compared < clocks && differ == 0; phase++) {
        c.seed = seed + phase;
        struct network *n = net_new(&twins, &tables, &c);
        net_run(n, 300 + 100 * phase);
        if (!dies)
            net_drain(n, 3000);
        net_run(n, 100);
        const struct net_stats s = net_stats(n);
        delivered += s.delivered;
        if (s.wrong && !dies)
            fprintf(stderr, "%s: %s\n", name, net_complaint(n));
        wrong += dies ? 0 : s.wrong;
        net_free(n);
    }
    tap_why("%" PRIu64 " differ, the first at byte %" PRIu64 " of %zu; %" PRIu64 " wrong", differ,
            first_place, model->registers, wrong);
    tap_ok(differ == 0 && delivered > 100 && wrong == 0,
           "%s at %.2f%s%s: %" PRIu64 " clocks of routers like the plain model's, %" PRIu64
           " packets",
           name, load, lcb ? " with LCBs" : "", dies ? ", ports that come and go" : "", compared,
           delivered);
    tables_free((struct tables *)&tables);
    topo_free(t);
}

int main(int argc, char **argv)
{
    uint64_t clocks = 12000;
    test_options(argc, argv, &seed,
                 args_number("--clocks", &clocks, 1, UINT64_MAX, "clocks of each network"));
    harness_clock = &clock_now;
    draw.state = seed;
    lockstep("dragonfly16:3x1x3x2", 0.05, false, clocks);
    lockstep("dragonfly16:3x1x3x2", 0.5, false, clocks);
    lockstep("dragonfly16:3x1x2x2", 0.2, true, clocks);
    lockstep("dragonfly:2x2x2x2", 0.3, false, clocks);
    lockstep("torus:2x2x1", 0.5, false, clocks);
    lockstep("clos:2x2x4x4", 0.5, false, clocks);
    dies = true;
    lockstep("dragonfly16:3x1x4x2", 0.3, false, clocks);
    lockstep("torus:3x2x1", 0.3, false, clocks);
    return tap_done();
}
