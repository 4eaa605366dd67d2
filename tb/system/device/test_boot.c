// SPDX-License-Identifier: Apache-2.0
/*
 * test_boot.c - a network of three chips is booted by packets: rank 1.5 of a folded Clos, eight sidelinks from each chip to each other one,
 * in rows 6 and 7. Tables are those that a router has which gets the words over its bus; packets then reach every processor. A wrong
 * cable is named by both its ends, and so is a dead link.
 *
 * Built for yarc: fast.
 */
#include "tb/system/device/boot.h"

#include <inttypes.h>
#include <string.h>

#include "tb/system/router/router_bench.h"
#include "tb/system/router/router_tables.h"

enum {
    CHIPS = 3,
    SIDES = 8,
    UP_CLOCKS = 30000,
    WORDS = 512,
    LEAF_AT = 4,
    ENTRY = 0,
    PATIENCE = 4000
};

static struct maint_bench b;
static struct boot boot;
static struct boot_wiring wiring;

/* Sidelink k of chip a to chip c. */
static unsigned side_port(unsigned a, unsigned c, unsigned k)
{
    const unsigned slot = c > a ? c - 1 : c;

    return (6 + k / 4) * RTR_COLS + slot * 4 + k % 4;
}

static void plan_wiring(void)
{
    wiring.chips = CHIPS;
    for (unsigned a = 0; a < CHIPS; a++)
        for (unsigned p = 0; p < BOOT_PORTS; p++)
            wiring.peer[a][p] = (struct boot_peer){-1, 0};
    for (unsigned a = 0; a < CHIPS; a++)
        for (unsigned c = 0; c < CHIPS; c++)
            for (unsigned k = 0; a != c && k < SIDES; k++)
                wiring.peer[a][side_port(a, c, k)] = (struct boot_peer){(int)c, side_port(c, a, k)};
}

/* Chips with a processor each at port 0. swapped: the far ends of two cables; dead: a link that is not joined. */
static bool begin(bool swapped, bool dead, uint64_t seed)
{
    maint_start(&b, CHIPS, CHIPS, seed);
    for (unsigned a = 0; a < CHIPS; a++) {
        maint_join(&b, (struct maint_place){-1, a}, (struct maint_place){(int)a, ENTRY}, 0, seed);
        for (unsigned c = a + 1; c < CHIPS; c++)
            for (unsigned k = 0; k < SIDES; k++) {
                struct maint_place far = {(int)c, side_port(c, a, k)};
                if (swapped && a == 0 && k == 5)
                    far = (struct maint_place){3 - (int)c, side_port(3 - c, a, k)};
                if (!(dead && a == 1 && k == 2))
                    maint_join(&b, (struct maint_place){(int)a, side_port(a, c, k)}, far, 0, seed);
            }
    }
    plan_wiring();
    return tap_ok(maint_await(&b, UP_CLOCKS), "links up");
}

/* ---- tables ------------------------------------------------------------------------------------------- */

struct words {
    struct boot_word word[WORDS];
    unsigned count;
};
static struct words words[CHIPS];

static void keep(void *to, unsigned address, uint64_t data)
{
    struct words *w = to;
    w->word[w->count++] = (struct boot_word){address, data};
}

static void plan_words(void)
{
    const struct golden_machine *m = router_bench_machine();
    const uint8_t bias[4] = {0};

    for (unsigned a = 0; a < CHIPS; a++) {
        struct golden_plan plan;
        golden_plan_start(&plan, m, a << LEAF_AT, 0);
        plan.here[0].minimal = 1;
        for (unsigned l = 1; l < 8; l++)
            plan.in_group[l].minimal = UINT64_C(1) << l;
        for (unsigned c = 0; c < CHIPS; c++)
            for (unsigned k = 0; c != a && k < SIDES; k++)
                plan.to_group[c].minimal |= UINT64_C(1) << side_port(a, c, k);
        words[a].count = 0;
        router_tables_write(&plan, bias, keep, &words[a]);
    }
}

/* Whether a chip's tiles hold what those of a router do that got the words over its bus. */
static bool same_tables(unsigned chip, unsigned place)
{
    static struct router reference;
    struct router_in in = {0};
    bool same = true;

    memset(&reference, 0, sizeof reference); /* memories, too */
    router_reset(&reference);
    for (unsigned w = 0; w < words[place].count; w++) {
        in.bus = (struct reg_request){.valid = 1,
                                      .write = 1,
                                      .addr = (u16)words[place].word[w].address,
                                      .wdata = words[place].word[w].data};
        do
            router(&reference, &in);
        while (!reference.out.bus.ready);
        in.bus = (struct reg_request){0};
        for (unsigned i = 0; i < 4; i++)
            router(&reference, &in);
    }
    for (unsigned t = 0; t < RTR_PORTS; t++) {
        const struct route *mine = &b.chip[chip].router.tile[t].queue.route;
        const struct route *due = &reference.tile[t].queue.route;
        for (unsigned i = 0; i < 1u << ROUTE_TABLE_LOG2; i++)
            same &= mine->minimal_table[i] == due->minimal_table[i] &&
                    mine->nonminimal_table[i] == due->nonminimal_table[i];
        for (unsigned i = 0; i < 1u << ROUTE_MAP_LOG2; i++)
            same &= mine->vc_map[i] == due->vc_map[i];
        same &= mine->global == due->global && mine->local == due->local;
    }
    return same;
}

/* ---- packets ------------------------------------------------------------------------------------------ */

/* From each processor to each other one, in each mode: there, once, in order where the mode says so. */
static void test_packets(void)
{
    enum { EACH = 30, MODES = 3 };
    unsigned came[CHIPS][CHIPS][MODES] = {0}, sent = 0, arrived = 0;
    struct misses wrong = {0};

    for (unsigned n = 0; n < EACH; n++)
        for (unsigned a = 0; a < CHIPS; a++)
            for (unsigned c = 0; c < CHIPS; c++)
                for (unsigned mode = 0; a != c && mode < MODES; mode++) {
                    struct maint_packet p = {.count = 4};
                    p.phit[0] = mode << 18 | c << 9;
                    p.phit[1] = a << 16 | mode << 12 | n;
                    maint_seal(&p);
                    maint_send(&b.end[a], &p);
                    sent++;
                }
    maint_run(&b, PATIENCE);
    for (unsigned c = 0; c < CHIPS; c++) {
        struct maint_packet p;
        while (maint_take(&b.end[c], &p)) {
            const unsigned a = p.phit[1] >> 16 & 3, mode = p.phit[1] >> 12 & 3;
            const unsigned n = p.phit[1] & 0xFFF;
            must(&wrong, p.count == 4 && (p.phit[0] >> 9 & 0x3F) == c && a < CHIPS && mode < MODES,
                 "chip %u: %#x %#x", c, p.phit[0], p.phit[1]);
            if (a < CHIPS && mode < MODES) {
                must(&wrong, mode == 2 || came[a][c][mode] == n, "chip %u: %u before its turn", c,
                     n);
                came[a][c][mode]++;
            }
            arrived++;
        }
    }
    tap_misses(&wrong, "packets come where they belong, ordered ones in order");
    tap_equal(arrived, sent, "all %u", sent);
}

static void test_boot(uint64_t seed)
{
    const struct boot_word *list[MAINT_CHIPS] = {0};
    unsigned count[MAINT_CHIPS] = {0};

    if (!begin(false, false, seed))
        return;
    tap_ok(boot_find(&boot, &b, 0, ENTRY, &wiring), "all %u chips are found", boot.chips);
    tap_why("%s", boot.complaint[0]);
    tap_equal(boot.complaints, 0, "nothing is wrong with the cables");
    plan_words();
    for (unsigned a = 0; a < CHIPS; a++) {
        list[a] = words[a].word;
        count[a] = words[a].count;
    }
    tap_ok(boot_write(&boot, list, count),
           "%" PRIu64 " words by %" PRIu64 " packets in %" PRIu64 " clocks", boot.words,
           boot.packets, boot.clocks);
    for (unsigned a = 0; a < CHIPS; a++) {
        tap_ok(same_tables(a, a), "chip %u: the tables of its place", a);
        tap_equal(b.chip[a].supervisor.out.number, a + 1, "chip %u: its number", a);
    }
    test_packets();
    tap_ok(boot_report(&boot, "build/reports/boot.json"), "the report is written");
}

static bool complained(const char *text)
{
    for (unsigned i = 0; i < boot.complaints; i++)
        if (!strcmp(boot.complaint[i], text))
            return true;
    tap_why("first of %u: %s", boot.complaints, boot.complaint[0]);
    return false;
}

static void test_damage(uint64_t seed)
{
    if (!begin(true, true, seed))
        return;
    tap_ok(boot_find(&boot, &b, 0, ENTRY, &wiring), "all %u chips are found", boot.chips);
    tap_equal(boot.wrong_cables, 2, "two wrong cables");
    tap_ok(complained("wrong cable: chip 0 port 57, chip 2 port 57") &&
               complained("wrong cable: chip 0 port 61, chip 1 port 57"),
           "both are named by both ends");
    tap_equal(boot.dead_links, 1, "a dead link");
    tap_ok(complained("dead: chip 1 port 54, chip 2 port 54"), "it is named");
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);

    test_boot(seed);
    test_damage(seed + 100);
    return tap_done();
}
