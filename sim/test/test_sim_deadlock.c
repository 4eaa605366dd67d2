// SPDX-License-Identifier: Apache-2.0
/*
 * test_sim_deadlock.c - the networks are free of deadlock, and the program that says so sees it when they are not:
 * VC maps without levels, without dateline, with one slip each.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "tb/base/harness.h"
#include "sim/net/deadlock.h"
#include "sim/test/fixture.h"

static void is_free(const char *name, enum deadlock_heads heads, unsigned groups)
{
    struct topology *t = build(name);
    const struct tables tables = tables_computed(t);
    struct deadlock d = {0};
    char error[TABLES_ERROR] = "";
    const bool good = deadlock_check_by(&tables, heads, groups, 1, &d, error);
    tap_why("%s%" PRIu64 " cycles: %s", error, d.cycles, d.example);
    tap_ok(good && d.cycles == 0 && d.channels > 0 && d.dependencies > 0,
           "%s%s: %" PRIu64 " channels, %" PRIu64 " dependencies, no cycle", name,
           heads == HEADS_ANY ? ", any head" : "", d.channels, d.dependencies);
    topo_free(t);
}

/* Each broken design is the real one but for one function. */
static struct topology real;

static void has_cycles(const char *name, const char *what, enum deadlock_heads heads,
                       struct hop (*hop)(const struct topology *, unsigned, unsigned, bool,
                                         unsigned, unsigned, unsigned),
                       void (*candidates)(const struct topology *, const struct question *,
                                          struct candidate_list *))
{
    struct topology *t = build(name);
    real = *t;
    t->hop = hop ? hop : t->hop;
    t->candidates = candidates ? candidates : t->candidates;
    const struct tables tables = tables_computed(t);
    struct deadlock d = {0};
    char error[TABLES_ERROR] = "";
    const bool good = deadlock_check_by(&tables, heads, 0, 1, &d, error);
    tap_why("%s%" PRIu64 " cycles", error, d.cycles);
    tap_ok(good && d.cycles > 0 && d.largest > 1 && d.example[0], "%s, %s: cycles, such as %.60s",
           name, what, d.example);
    topo_free(t);
}

/* The VC never changes. */
static struct hop same_vc(const struct topology *t, unsigned router, unsigned port, bool nonminimal,
                          unsigned type, unsigned vc, unsigned phase)
{
    return (struct hop){vc, real.hop(t, router, port, nonminimal, type, vc, phase).phase};
}

/* One level fewer: 3 becomes 2. */
static struct hop three_levels(const struct topology *t, unsigned router, unsigned port,
                               bool nonminimal, unsigned type, unsigned vc, unsigned phase)
{
    struct hop hop = real.hop(t, router, port, nonminimal, type, vc, phase);
    hop.vc -= hop.vc % 4 == 3;
    return hop;
}

/* A packet to a processor keeps its VC and shares a row buffer with links of that VC. */
static struct hop level_out(const struct topology *t, unsigned router, unsigned port,
                            bool nonminimal, unsigned type, unsigned vc, unsigned phase)
{
    if (type == 0)
        return (struct hop){vc, 0};
    return real.hop(t, router, port, nonminimal, type, vc, phase);
}

/* No packet ever goes down for good. */
static struct hop no_phase(const struct topology *t, unsigned router, unsigned port,
                           bool nonminimal, unsigned type, unsigned vc, unsigned phase)
{
    return (struct hop){real.hop(t, router, port, nonminimal, type, vc, phase).vc, 0};
}

/* Packets that will cross the dateline start on the VC of those that have, so nothing is dropped there. */
static struct hop no_before(const struct topology *t, unsigned router, unsigned port,
                            bool nonminimal, unsigned type, unsigned vc, unsigned phase)
{
    (void)t, (void)router, (void)port, (void)nonminimal, (void)type, (void)phase;
    return (struct hop){vc | 1, 0};
}

/* At the dateline who has crossed it before goes on. */
static struct hop nothing_dropped(const struct topology *t, unsigned router, unsigned port,
                                  bool nonminimal, unsigned type, unsigned vc, unsigned phase)
{
    const struct hop hop = real.hop(t, router, port, nonminimal, type, vc, phase);
    return (struct hop){hop.vc == HOP_DROPS ? vc : hop.vc, 0};
}

/* An input of any dimension has the candidates of a processor: a head may turn back to a dimension before. */
static void any_turn(const struct topology *t, const struct question *q,
                     struct candidate_list *list)
{
    struct question from = *q;
    while (t->ports[q->router][from.port].kind != PORT_PROCESSOR)
        from.port = (from.port + 1) % t->machine->ports;
    real.candidates(&real, q, list);
    if (list->count == 0)
        real.candidates(&real, &from, list);
}

/* Any uplink, at any time. */
static void up_again(const struct topology *t, const struct question *q,
                     struct candidate_list *list)
{
    uint64_t ups = 0;
    real.candidates(t, q, list);
    for (unsigned p = 0; p < t->machine->ports && !q->nonminimal; p++)
        ups |= (uint64_t)(strcmp(t->kinds[t->ports[q->router][p].kind], "up") == 0) << p;
    topo_add_ports(t, list, ups, 0);
}

/*
 * Links of two directions in one column: rows 4-7 of x+ have changed places with the four rows of y+, so
 * that packets for both share row buffers.
 */
enum { COLS = 6, X_PLUS = 0, Y_PLUS = 4 };

static unsigned swapped(unsigned port)
{
    const unsigned row = port / COLS, col = port % COLS;
    if (col == Y_PLUS && row < 4)
        return (row + 4) * COLS + X_PLUS;
    return col == X_PLUS && row >= 4 ? (row - 4) * COLS + Y_PLUS : port;
}

static void mixed_candidates(const struct topology *t, const struct question *q,
                             struct candidate_list *list)
{
    struct candidate_list as_was = {0};
    (void)t;
    struct question moved = *q;
    moved.port = swapped(q->port);
    real.candidates(&real, &moved, &as_was);
    for (unsigned i = 0; i < as_was.count; i++) {
        const struct candidate *candidate = &as_was.candidate[i];
        const bool processor = candidate->rows & 0xF0 && candidate->col >= Y_PLUS;
        if (candidate->col == X_PLUS) {
            topo_add(list, X_PLUS, 0x0F, candidate->type);
            topo_add(list, Y_PLUS, 0x0F, candidate->type);
        } else if (candidate->col == Y_PLUS && !processor)
            topo_add(list, X_PLUS, 0xF0, candidate->type);
        else
            topo_add(list, candidate->col, candidate->rows, candidate->type);
    }
}

static void mixed_columns(const char *name)
{
    struct topology *t = build(name), *was = build(name);
    real = *was;
    t->candidates = mixed_candidates;
    for (unsigned r = 0; r < t->routers; r++)
        for (unsigned p = 0; p < t->machine->ports; p++) {
            t->ports[r][p] = was->ports[r][swapped(p)];
            t->ports[r][p].port = (uint8_t)swapped(t->ports[r][p].port);
        }
    const struct tables tables = tables_computed(t);
    struct deadlock d = {0};
    char error[TABLES_ERROR] = "";
    const bool good = deadlock_check(&tables, 0, &d, error);
    tap_why("%s%" PRIu64 " cycles", error, d.cycles);
    tap_ok(good && d.cycles > 0, "%s, x+ and y+ in one column: cycles, such as %.60s", name,
           d.example);
    topo_free(t);
    topo_free(was);
}

/* Exit status of build/bin/deadlock, and the first line that it says on standard error. */
static int deadlock(const char *arguments, char said[200])
{
    char command[200];
    snprintf(command, sizeof command, "build/bin/deadlock %s 2>&1 >/dev/null", arguments);
    FILE *f = popen(command, "r");
    if (!f || !fgets(said, 200, f))
        said[0] = '\0';
    said[strcspn(said, "\n")] = '\0';
    const int status = f ? pclose(f) : -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void no_route(const struct topology *t, const struct question *q,
                     struct candidate_list *list)
{
    (void)t, (void)q, (void)list;
}

static void program(void)
{
    static const char path[] = "build/test/sim_deadlock.json";
    static const char *const fields[] = {"channels", "dependencies", "cycles", "escape_cycles"};
    char said[200], text[1000] = "";
    const int status = deadlock("--json build/test/sim_deadlock.json torus:3x1x1 clos:1x4", said);
    FILE *f = fopen(path, "r");
    const size_t length = f ? fread(text, 1, sizeof text - 1, f) : 0;
    cJSON *list = cJSON_ParseWithLength(text, length), *first = cJSON_GetArrayItem(list, 0);
    bool good = status == 0 && cJSON_GetArraySize(list) == 2 &&
                cJSON_IsTrue(cJSON_GetObjectItem(first, "free"));
    for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++)
        good &= cJSON_IsNumber(cJSON_GetObjectItem(first, fields[i]));
    tap_why("status %d: %s", status, text);
    tap_ok(good, "deadlock writes its report");
    cJSON_Delete(list);
    if (f)
        fclose(f);
    tap_ok(deadlock("torus:3", said) == 1 && strstr(said, "three sizes"), "deadlock torus:3: %.60s",
           said);
    tap_ok(deadlock("--jobs 0 torus:3x1x1", said) == 1 && strstr(said, "a number from 1"),
           "deadlock --jobs 0: %.60s", said);
    tap_ok(deadlock("--fold torus:3x1x1", said) == 1 && strstr(said, "not alike"),
           "deadlock --fold torus:3x1x1: %.60s", said);
    tap_ok(deadlock("--fold --groups 1 dragonfly:3x1x1", said) == 1 && strstr(said, "neither"),
           "deadlock --fold --groups 1: %.60s", said);
    tap_ok(deadlock("--fold --any-head dragonfly:3x1x1", said) == 1 && strstr(said, "--any-head"),
           "deadlock --fold --any-head: %.60s", said);
    tap_ok(deadlock("--any-head dragonfly:9x2x4x1", said) == 1,
           "deadlock --any-head dragonfly:9x2x4x1: aries has a CRC of 20 bits in front of its "
           "heads, and cycles");
    tap_ok(deadlock("--any-head torus:3x1x1", said) == 0, "deadlock --any-head torus:3x1x1");
    tap_ok(deadlock("--jobs 2 --fold dragonfly:3x1x1", said) == 0,
           "deadlock --fold dragonfly:3x1x1");
    tap_ok(deadlock("--deep torus:3x1x1", said) == 1 && strstr(said, "no option"),
           "deadlock --deep: %.60s", said);
}

/* One group for all: no cycle in the real network, one in a broken one, and no answer where groups differ. */
static void folded(const char *name)
{
    struct topology *t = build(name);
    struct deadlock d = {0};
    char error[TABLES_ERROR] = "";
    bool good = deadlock_check_folded(t, 1, &d, error);
    tap_why("%s%" PRIu64 " cycles", error, d.cycles);
    tap_ok(good && d.cycles == 0 && d.dependencies > 0,
           "%s, folded: %" PRIu64 " dependencies, no cycle", name, d.dependencies);
    real = *t;
    t->hop = three_levels;
    good = deadlock_check_folded(t, 1, &d, error);
    tap_ok(good && d.cycles > 0, "%s, folded, three levels: cycles", name);
    *t = real;
    struct port *port = t->ports[0];
    while (port->kind < PORT_LINK)
        port++;
    port->kind = PORT_UNUSED;
    good = deadlock_check_folded(t, 1, &d, error);
    tap_ok(!good && strstr(error, "are not"), "%s, folded, a link taken away: %.60s", name, error);
    topo_free(t);
}

/* Threads find the same graph, and the same first destination without a route. */
static void threads(const char *name)
{
    struct topology *t = build(name);
    const struct tables tables = tables_computed(t);
    struct deadlock one = {0}, many = {0};
    char error[2][TABLES_ERROR] = {"", ""};
    bool good = deadlock_check(&tables, 0, &one, error[0]) &&
                deadlock_check_by(&tables, HEADS_SENT, 0, 4, &many, error[1]);
    good &= one.channels == many.channels && one.dependencies == many.dependencies &&
            one.cycles == many.cycles && one.groups == many.groups && many.bytes >= one.bytes;
    tap_why("%s%s%" PRIu64 " and %" PRIu64, error[0], error[1], one.dependencies,
            many.dependencies);
    tap_ok(good, "%s: four threads find the graph of one", name);
    t->candidates = no_route;
    good = !deadlock_check(&tables, 0, &one, error[0]) &&
           !deadlock_check_by(&tables, HEADS_SENT, 0, 4, &many, error[1]);
    tap_why("\"%s\", \"%s\"", error[0], error[1]);
    tap_ok(good && strcmp(error[0], error[1]) == 0 && strstr(error[0], "no route"),
           "%s: and the destination without a route: %.60s", name, error[1]);
    topo_free(t);
}

int main(int argc, char **argv)
{
    (void)mkdir("build/test", 0777);
    test_seed(argc, argv);
    is_free("dragonfly:1x6x16", HEADS_SENT, 0);
    is_free("dragonfly:2x1x4x2", HEADS_SENT, 0);
    is_free("dragonfly:5x2x4x3", HEADS_SENT, 0);
    is_free("dragonfly:9x2x4x1", HEADS_SENT, 0);
    is_free("dragonfly:7x3x1x2", HEADS_SENT, 0);
    is_free("dragonfly:25x2x4", HEADS_SENT, 4);
    is_free("torus:4x4x4", HEADS_SENT, 0);
    is_free("torus:5x3x2", HEADS_SENT, 0);
    is_free("torus:8x1x7", HEADS_SENT, 0);
    is_free("torus:2x2x2", HEADS_SENT, 0);
    is_free("clos:1x32", HEADS_SENT, 0);
    is_free("clos:1.5x9x32", HEADS_SENT, 0);
    is_free("clos:2x32x32", HEADS_SENT, 4);
    is_free("clos:2.5x9x16x32", HEADS_SENT, 2);
    is_free("clos:3x4x16x32", HEADS_SENT, 4);
    is_free("clos:3.5x3x2x3x4x5", HEADS_SENT, 0);
    is_free("clos:3.5x4x2x4x8x4", HEADS_SENT, 0);
    is_free("torus:4x4x4", HEADS_ANY, 0);
    is_free("torus:5x3x2", HEADS_ANY, 0);
    is_free("torus:2x1x4", HEADS_ANY, 0);
    is_free("clos:1.5x3x8", HEADS_ANY, 0);
    is_free("clos:2.5x3x4x8", HEADS_ANY, 0);
    is_free("clos:3.5x3x2x3x4x5", HEADS_ANY, 0);
    has_cycles("dragonfly:1x2x4", "the VC stays", HEADS_SENT, same_vc, NULL);
    has_cycles("dragonfly:9x2x4x1", "three levels", HEADS_SENT, three_levels, NULL);
    has_cycles("dragonfly:1x2x4", "processors on the level of the link", HEADS_SENT, level_out,
               NULL);
    has_cycles("dragonfly:9x2x4x1", "phase bit 0 never set", HEADS_SENT, no_phase, NULL);
    has_cycles("torus:4x1x1", "the VC stays", HEADS_SENT, same_vc, NULL);
    has_cycles("torus:1x5x1", "one VC before and after the dateline", HEADS_SENT, no_before, NULL);
    has_cycles("torus:5x1x1", "any head, nothing dropped at the dateline", HEADS_ANY,
               nothing_dropped, NULL);
    has_cycles("torus:3x3x1", "any head, any turn", HEADS_ANY, NULL, any_turn);
    has_cycles("clos:2x4x8x4", "up again after down", HEADS_SENT, NULL, up_again);
    mixed_columns("torus:6x6x1");
    folded("dragonfly:9x2x4x1");
    folded("dragonfly:25x2x4");
    threads("dragonfly:5x2x4x3");
    threads("torus:5x3x2");
    program();
    return tap_done();
}
