// SPDX-License-Identifier: Apache-2.0
/*
 * test_ss_waits.c - networks of SeaStar chips: tables lead every packet the shortest way, crossing datelines on VC 1 alone, and nobody
 * waits for himself; without datelines the same check finds the rings.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/seastar/waits.h"
#include "tb/base/harness.h"
#include "tb/golden/seastar/ss_head.h"

static const char *const shapes[] = {"8x8x8", "5x3x2", "6mx4x5", "4mx4mx4m",
                                     "1x2x3", "7x1x4", "2x2x2"};

static struct torus3 read_shape(const char *name)
{
    char error[TORUS3_ERROR];
    struct torus3 t;
    if (!torus3_read(&t, name, error))
        exit(EXIT_FAILURE);
    return t;
}

static void split(const struct torus3 *t, unsigned node, int at[3])
{
    at[0] = (int)(node % t->size[0]);
    at[1] = (int)(node / t->size[0] % t->size[1]);
    at[2] = (int)(node / t->size[0] / t->size[1]);
}

static unsigned shortest(const struct torus3 *t, unsigned a, unsigned b)
{
    int from[3], to[3];
    unsigned hops = 0;
    split(t, a, from);
    split(t, b, to);
    for (unsigned d = 0; d < 3; d++) {
        const unsigned apart = (unsigned)abs(from[d] - to[d]), round = t->size[d] - apart;
        hops += !t->mesh[d] && round < apart ? round : apart;
    }
    return hops;
}

/* One packet through golden routers that have these tables: 0 if all is as it should be. */
static unsigned faults_of(const struct torus3 *t, unsigned src, unsigned dst)
{
    struct golden_ss_head head = {.length = 9, .dst = dst, .src = src};
    unsigned node = src, port = 0, hops = 0, faults = 0, dimension = 3;
    bool crossed = false;
    while (hops <= t->size[0] + t->size[1] + t->size[2]) {
        const struct torus3_entry e = torus3_entry(t, node, port, dst);
        const struct golden_ss_entry entry = {.port = e.port, .v = e.v};
        const struct golden_ss_way way = golden_ss_way(TORUS3_PORTS, port, &head, entry, 0);
        if (way.drop != GOLDEN_SS_GOES)
            return faults + 1;
        if (way.port == 0)
            break;
        const unsigned next = torus3_neighbour(t, node, way.port), d = (way.port - 1) / 2;
        int a[3], b[3];
        split(t, node, a);
        split(t, next, b);
        crossed = d == dimension && crossed;
        dimension = d;
        const bool up = a[d % 3] < b[d % 3], plus = way.port % 2;
        crossed = crossed || abs(a[d % 3] - b[d % 3]) != 1 || up != plus;
        faults += crossed && way.vc != 1;
        faults += t->mesh[d] && crossed;
        head.vc = way.vc;
        node = next;
        port = torus3_opposite(way.port);
        hops++;
    }
    return faults + (node != dst) + (hops != shortest(t, src, dst));
}

static void ways(const char *name)
{
    const struct torus3 t = read_shape(name);
    uint64_t faults = 0;
    for (unsigned src = 0; src < t.nodes; src++)
        for (unsigned dst = 0; dst < t.nodes; dst++)
            faults += faults_of(&t, src, dst);
    tap_equal(faults, 0, "%s: every packet by golden routers: shortest way, datelines on VC 1",
              name);
}

static void no_cycles(const char *name)
{
    const struct torus3 t = read_shape(name);
    struct waits w;
    waits_check(&t, &w);
    tap_why("%llu cycles, %llu lost", (unsigned long long)w.cycles, (unsigned long long)w.lost);
    tap_ok(w.cycles == 0 && w.lost == 0 && w.hops > 0, "%s: no cycle", name);
}

/* All six rings of each line, with one VC. */
static void without_datelines(void)
{
    struct torus3 t = read_shape("8x8x8");
    struct waits w;
    t.datelines = false;
    waits_check(&t, &w);
    tap_equal(w.cyclic, 3072, "8x8x8 without datelines: channels on cycles");
    tap_equal(w.cycles, 384, "8x8x8 without datelines: rings");
}

static void refused(void)
{
    static const char *const bad[] = {"",        "8",      "8x8",      "8x8x8x8",
                                      "0x8x8",   "8x8xm",  "8 x8x8",   "-8x8x8",
                                      "256x1x1", "8x8x8 ", "17x17x17", "8mmx8x8"};
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        char error[TORUS3_ERROR] = "";
        struct torus3 t;
        tap_ok(!torus3_read(&t, bad[i], error) && strchr(error, ':') && !strchr(error, '\n'),
               "\"%s\" is refused: %s", bad[i], error);
    }
}

int main(int argc, char **argv)
{
    (void)test_seed(argc, argv);
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        ways(shapes[i]);
        no_cycles(shapes[i]);
    }
    without_datelines();
    refused();
    return tap_done();
}
