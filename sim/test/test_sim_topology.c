// SPDX-License-Identifier: Apache-2.0
/*
 * test_sim_topology.c - networks against their description: degrees, links, distances; and their tables:
 * every destination is reached from everywhere, by routes no longer than the seed's.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tb/base/harness.h"
#include "sim/net/tables.h"
#include "sim/net/walk.h"
#include "sim/test/fixture.h"

static unsigned degree(const struct topology *t, unsigned router, const char *kind)
{
    unsigned count = 0;
    for (unsigned p = 0; p < t->machine->ports; p++)
        count += strcmp(t->kinds[t->ports[router][p].kind], kind) == 0;
    return count;
}

/* "green 15, black 15": every router has exactly so many ports of those kinds. */
struct expected_degree {
    const char *topology;
    struct {
        const char *kind;
        unsigned ports;
    } of[7];
    unsigned routers;
};

static void degrees(void)
{
    static const struct expected_degree expected[] = {
        {"dragonfly:6x6x16", {{"green", 15}, {"black", 15}, {"global", 10}, {"processor", 8}}, 576},
        {"dragonfly:241x6x16", {{"green", 15}, {"black", 15}, {"global", 10}}, 23136},
        {"dragonfly:2x1x4x2", {{"green", 3}, {"black", 0}, {"global", 2}, {"processor", 8}}, 8},
        {"torus:4x5x6",
         {{"x+", 8}, {"x-", 8}, {"y+", 4}, {"y-", 4}, {"z+", 8}, {"z-", 8}, {"processor", 8}},
         120},
        {"clos:1.5x9x32", {{"processor", 32}, {"side", 32}}, 9},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const struct expected_degree *e = &expected[i];
        struct topology *t = build(e->topology);
        bool good = t->routers == e->routers;
        for (unsigned r = 0; r < t->routers; r++)
            for (unsigned k = 0; k < 7 && e->of[k].kind; k++)
                if (degree(t, r, e->of[k].kind) != e->of[k].ports) {
                    good = false;
                    tap_why("router %u: %u %s", r, degree(t, r, e->of[k].kind), e->of[k].kind);
                }
        tap_ok(good, "%s: %u routers, degrees", e->topology, e->routers);
        topo_free(t);
    }
}

/* xc:GROUPS is the wiring of dragonfly:Gx6x16, name and all. */
static void real_names(void)
{
    struct topology *xc = build("xc:3"), *dragonfly = build("dragonfly:3x6x16");
    tap_ok(xc->routers == dragonfly->routers && strcmp(xc->name, dragonfly->name) == 0 &&
               memcmp(xc->ports, dragonfly->ports, xc->routers * sizeof *xc->ports) == 0,
           "xc:3 is dragonfly:3x6x16");
    topo_free(xc);
    topo_free(dragonfly);
}

static void clos_degrees(void)
{
    struct topology *t = build("clos:3x4x16x32");
    unsigned leaves = 0, rank2 = 0, rank3 = 0;
    for (unsigned r = 0; r < t->routers; r++) {
        leaves += degree(t, r, "processor") == 32 && degree(t, r, "up") == 32;
        rank2 += degree(t, r, "down") == 32 && degree(t, r, "up") == 32;
        rank3 += degree(t, r, "down") == 8 && degree(t, r, "up") == 0;
    }
    tap_why("%u, %u, %u of %u", leaves, rank2, rank3, t->routers);
    tap_ok(leaves == 64 && rank2 == 64 && rank3 == 256 && t->routers == 384,
           "clos:3x4x16x32: 64 rank-1 routers, 64 rank-2 and 256 rank-3 chips of two halves");
    topo_free(t);
}

/* Both ends of a link know each other; no port has two. */
static void links(const char *name)
{
    struct topology *t = build(name);
    bool good = true;
    for (unsigned r = 0; r < t->routers; r++)
        for (unsigned p = 0; p < t->machine->ports; p++) {
            const struct port *here = &t->ports[r][p];
            if (here->kind < PORT_LINK)
                good &= here->router == TOPO_NOBODY;
            if (here->router == TOPO_NOBODY)
                continue;
            const struct port *there = &t->ports[here->router][here->port];
            good &= there->router == (int32_t)r && there->port == p && here->router != (int32_t)r;
        }
    tap_ok(good, "%s: every link has two ends that know each other", name);
    topo_free(t);
}

/* Any two groups of the largest machine share a cable of four links, of two neighbouring routers on each side. */
static void bundles(void)
{
    enum { GROUPS = 241, LOCALS = 96 };
    static unsigned count[GROUPS][GROUPS], first[GROUPS][GROUPS], last[GROUPS][GROUPS];
    struct topology *t = build("dragonfly:241x6x16");
    bool good = true;
    for (unsigned r = 0; r < t->routers; r++)
        for (unsigned p = 0; p < t->machine->ports; p++) {
            if (strcmp(t->kinds[t->ports[r][p].kind], "global") != 0)
                continue;
            const unsigned a = r / LOCALS, b = (unsigned)t->ports[r][p].router / LOCALS;
            if (count[a][b]++ == 0)
                first[a][b] = r;
            last[a][b] = r;
        }
    for (unsigned a = 0; a < GROUPS; a++)
        for (unsigned b = 0; b < GROUPS; b++)
            good &= a == b
                        ? count[a][b] == 0
                        : count[a][b] == 4 && last[a][b] == first[a][b] + 1 && first[a][b] % 2 == 0;
    tap_ok(good,
           "dragonfly:241x6x16: four links between any two groups, from a pair of routers each");
    topo_free(t);
}

/* The largest distance from some routers, and where the formula differs. */
static void distances(const char *name, unsigned most,
                      unsigned (*formula)(const struct topology *t, unsigned a, unsigned b))
{
    struct topology *t = build(name);
    unsigned *distance = calloc(t->routers, sizeof *distance), largest = 0;
    bool good = distance != NULL;
    for (unsigned from = 0; good && from < t->routers; from += 1 + t->routers / 37) {
        topo_distances(t, from, distance);
        for (unsigned r = 0; r < t->routers; r++) {
            largest = distance[r] > largest ? distance[r] : largest;
            if (formula && distance[r] != formula(t, from, r)) {
                good = false;
                tap_why("%u to %u: %u, not %u", from, r, distance[r], formula(t, from, r));
            }
        }
    }
    free(distance);
    if (good)
        tap_why("largest distance %u", largest);
    tap_ok(good && largest == most, "%s: largest distance %u", name, most);
    topo_free(t);
}

static unsigned ring(unsigned a, unsigned b, unsigned size)
{
    const unsigned d = a > b ? a - b : b - a;
    return d < size - d ? d : size - d;
}

static unsigned torus_4x5x6(const struct topology *t, unsigned a, unsigned b)
{
    (void)t;
    return ring(a % 4, b % 4, 4) + ring(a / 4 % 5, b / 4 % 5, 5) + ring(a / 20, b / 20, 6);
}

/* In a group: one green link, one black link, or both. */
static unsigned group_6x16(const struct topology *t, unsigned a, unsigned b)
{
    (void)t;
    return (a % 16 != b % 16) + (a / 16 != b / 16);
}

/* ---- tables ------------------------------------------------------------------------------------- */

/* Longest routes to some nodes; `exact` ones are reached, others not exceeded. */
static void paths(const char *name, unsigned minimal, unsigned any, unsigned nodes)
{
    struct topology *t = build(name);
    const struct tables tables = tables_computed(t);
    unsigned longest[2] = {0}, tried = 0;
    char error[TABLES_ERROR];
    bool good = true;
    for (unsigned n = 0; good && n < t->nodes; n += 1 + t->nodes / nodes, tried++)
        for (unsigned k = 0; good && k < 2; k++) {
            unsigned length;
            good = walk_paths(&tables, n, k == 0, &length, error);
            longest[k] = good && length > longest[k] ? length : longest[k];
        }
    if (good)
        tap_why("longest minimal route %u, longest route %u", longest[0], longest[1]);
    else
        tap_why("%s", error);
    tap_ok(good && longest[0] == minimal && longest[1] == any && minimal <= t->longest_minimal &&
               any <= t->longest,
           "%s: %u nodes reached from everywhere; longest minimal route %u, longest route %u", name,
           tried, minimal, any);
    topo_free(t);
}

/* Candidates of the processor tiles spread over all links of a router. */
static void spread(void)
{
    struct topology *t = build("dragonfly:6x6x16");
    const struct tables tables = tables_computed(t);
    unsigned used[MACHINE_PORTS] = {0}, least = UINT32_MAX, most = 0;
    for (unsigned p = 40; p < 48; p++)
        for (unsigned g = 1; g < 6; g++) {
            uint64_t words[MACHINE_DRAWS];
            const struct question q = {.router = 0, .port = p, .nonminimal = true, .index = g};
            tables_entries(&tables, &q, words);
            for (unsigned w = 0; w < MACHINE_DRAWS * MACHINE_CANDIDATES; w++) {
                struct candidate candidates[MACHINE_CANDIDATES];
                t->machine->unpack_entry(words[w / 2], candidates);
                const struct candidate *candidate = &candidates[w % 2];
                if (candidate->valid)
                    used[(unsigned)__builtin_ctz(candidate->rows) * 8 + candidate->col]++;
            }
        }
    for (unsigned p = 0; p < 40; p++) {
        least = used[p] < least ? used[p] : least;
        most = used[p] > most ? used[p] : most;
    }
    tap_why("%u to %u", least, most);
    tap_ok(least >= 2 && most <= 20, "dragonfly:6x6x16: non-minimal candidates use all 40 links");
    topo_free(t);
}

/* Ports that the minimal entries of a tile lead to. */
static uint64_t minimal_ports(const struct topology *t, unsigned port, bool local, unsigned index)
{
    const struct tables tables = tables_computed(t);
    const struct question q = {.port = port, .local = local, .index = index};
    uint64_t words[MACHINE_DRAWS], ports = 0;
    tables_entries(&tables, &q, words);
    for (unsigned w = 0; w < MACHINE_DRAWS * MACHINE_CANDIDATES; w++) {
        struct candidate candidates[MACHINE_CANDIDATES];
        t->machine->unpack_entry(words[w / 2], candidates);
        if (candidates[w % 2].valid)
            ports |= UINT64_C(1) << ((unsigned)__builtin_ctz(candidates[w % 2].rows) * 8 +
                                     candidates[w % 2].col);
    }
    return ports;
}

/* In a group green goes before black; a NIC has four ports, shared with its neighbour. */
static void order(void)
{
    struct topology *t = build("dragonfly:2x6x16");
    bool good = true;
    for (unsigned l = 1; l < 96; l++) {
        const uint64_t ports = minimal_ports(t, 40, true, l);
        const char *kind = l % 16 ? "green" : "black";
        for (unsigned p = 0; p < 48; p++)
            if (ports >> p & 1) {
                const struct port *port = &t->ports[0][p];
                good &= strcmp(t->kinds[port->kind], kind) == 0 &&
                        (unsigned)port->router == (l % 16 ? l % 16 : l);
            }
        good &= __builtin_popcountll(ports) == (l % 16 ? 1 : 3);
    }
    tap_ok(good, "dragonfly:2x6x16: the one green link first, then any of three black ones");
    good = true;
    for (unsigned n = 0; n < 8; n++)
        good &= t->node[n].ports == UINT64_C(0xF) << (n % 4 < 2 ? 40 : 44) &&
                t->node[n].router == n / 4 && t->node[n].sub == n % 4;
    tap_ok(good, "dragonfly:2x6x16: NIC 0 and 1 have ports 40 to 43, NIC 2 and 3 have 44 to 47");
    topo_free(t);
}

/*
 * Nodes that share processor ports: at each input the entries of a pair of nodes hold all of their ports, and so do those of one node
 * at two inputs of a kind whose numbers differ by 4, as the two processor ports of a node do; by 1, at least three.
 */
static void ejection(const char *name)
{
    struct topology *t = build(name);
    const struct tables tables = tables_computed(t);
    unsigned wrong = 0;
    for (unsigned r = 0; r < t->routers; r++)
        for (unsigned n = r * 4; n < r * 4 + 4; n += 2) {
            uint64_t held[MACHINE_PORTS][2] = {0};
            unsigned count[16] = {0}, number[MACHINE_PORTS] = {0};
            for (unsigned p = 0; p < t->machine->ports; p++) {
                const unsigned kind = t->ports[r][p].kind;
                const struct question q = {
                    .router = r, .port = p, .local = true, .index = t->here[r].local};
                uint64_t words[MACHINE_DRAWS];
                if (kind == PORT_UNUSED)
                    continue;
                number[p] = count[kind]++;
                tables_entries(&tables, &q, words);
                for (unsigned k = 0; k < 2; k++) {
                    struct candidate two[MACHINE_CANDIDATES];
                    t->machine->unpack_entry(words[t->node[n + k].sub], two);
                    for (unsigned w = 0; w < MACHINE_CANDIDATES; w++)
                        held[p][k] |= UINT64_C(1)
                                      << ((unsigned)__builtin_ctz(two[w].rows) * t->machine->cols +
                                          two[w].col);
                }
                wrong += (held[p][0] | held[p][1]) != t->node[n].ports;
                for (unsigned other = 0; other < p; other++) {
                    const unsigned bits = number[p] ^ number[other];
                    wrong += t->ports[r][other].kind == kind && (bits == 1 || bits == 4) &&
                             __builtin_popcountll(held[p][0] | held[other][0]) < 3;
                    wrong += t->ports[r][other].kind == kind && bits == 4 &&
                             (held[p][0] | held[other][0]) != t->node[n].ports;
                }
            }
        }
    tap_why("%u", wrong);
    tap_ok(wrong == 0, "%s: entries of nodes hold their processor ports alike", name);
    topo_free(t);
}

/* ---- files and errors ---------------------------------------------------------------------------- */

static bool same_words(const struct tables *a, const struct tables *b)
{
    const struct topology *t = a->topology;
    for (unsigned r = 0; r < t->routers; r++)
        for (unsigned p = 0; p < t->machine->ports; p++) {
            if (t->ports[r][p].kind == PORT_UNUSED)
                continue;
            for (unsigned k = 0; k < 4; k++)
                for (unsigned index = 0; index < a->indices[k / 2]; index++) {
                    uint64_t x[MACHINE_DRAWS], y[MACHINE_DRAWS];
                    const struct question q = {r, p, k & 1, k / 2, index, 0};
                    tables_entries(a, &q, x);
                    tables_entries(b, &q, y);
                    if (memcmp(x, y, sizeof x) != 0)
                        return false;
                }
            for (unsigned i = 0; i < TABLES_MAP; i++)
                if (tables_map(a, r, p, i) != tables_map(b, r, p, i))
                    return false;
        }
    return true;
}

/* Of router 3, whatever the port. */
static bool goes_to_global_1(const char *line)
{
    unsigned port;
    int used = 0;
    sscanf(line, "3 %u minimal global 1 %n", &port, &used);
    return used != 0;
}

static void files(void)
{
    static const char path[] = "build/test/sim_topology.tables",
                      cut[] = "build/test/sim_topology.cut";
    char error[TABLES_ERROR] = "";
    struct topology *t = build("dragonfly:2x1x4x2"), *other = build("dragonfly:2x1x4x1");
    const struct tables computed = tables_computed(t);
    struct tables read = {0};
    bool good = tables_write(&computed, path, error) && tables_read(&read, t, path, error);
    tap_why("%s", error);
    tap_ok(good && same_words(&computed, &read), "tables written to a file and read are the same");
    tables_free(&read);

    good = !tables_read(&read, other, path, error);
    tap_why("%s", error);
    tap_ok(good && strstr(error, "tables of dragonfly:2x1x4x2, not of dragonfly:2x1x4x1"),
           "tables of another network are refused");

    copy_without(path, cut, goes_to_global_1);
    unsigned longest;
    good = tables_read(&read, t, cut, error) && !walk_paths(&read, 16, true, &longest, error);
    tap_why("%s", error);
    tap_ok(good && strstr(error, "no route to global 1"), "a destination that is missing is found");
    tables_free(&read);
    topo_free(t);
    topo_free(other);
}

static void errors(void)
{
    static const char *const wrong[][2] = {
        {"ring:4", "no topology"},
        {"dragonfly", "no topology"},
        {"dragonfly:2x", "numbers"},
        {"dragonfly:2x1", "three or four sizes"},
        {"dragonfly:2x1x0", "numbers"},
        {"dragonfly:242x6x16", "at most 241 groups"},
        {"dragonfly:9x1x4x1", "do not reach 8 others"},
        {"xc:", "number of groups"},
        {"xc:0", "number of groups"},
        {"xc:2x6", "number of groups"},
        {"xc:242", "at most 241 groups"},
        {"torus:4x4", "three sizes"},
        {"torus:65x16x2", "at most 64x32x32"},
        {"torus:4x33x4", "at most"},
        {"torus:4x4x33", "at most"},
        {"torus:4x4x4x4x4", "numbers"},
        {"clos:4x4x4", "rank"},
        {"clos:1.5x10x32", "at most 9"},
        {"clos:2x33x32", "32 in rank 2"},
        {"clos:2x4x33", "32 processors"},
        {"clos:3x33x16x32", "at most 32 rank-2"},
        {"clos:3.5x8x16x16x32", "at most 64 rank-2"},
        {"clos:3.5x10x4x16x32", "at most 9 rank-3"},
        {"clos:3.5x1x4x16x32", "sidelinks need two"},
        {"clos:1x2x3", "takes"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char error[TOPO_ERROR] = "";
        struct topology *t = topo_parse(wrong[i][0], error);
        tap_why("\"%s\"", error);
        tap_ok(!t && strstr(error, wrong[i][1]) && !strchr(error, '\n'), "%s is refused: %s",
               wrong[i][0], wrong[i][1]);
        topo_free(t);
    }
}

int main(int argc, char **argv)
{
    test_seed(argc, argv);
    (void)mkdir("build/test", 0777);
    degrees();
    real_names();
    clos_degrees();
    links("dragonfly:6x6x16");
    links("dragonfly:241x6x16");
    links("torus:4x5x6");
    links("torus:2x1x3");
    links("clos:1.5x7x20");
    links("clos:2x32x32");
    links("clos:2.5x9x16x32");
    links("clos:3x32x16x32");
    links("clos:3.5x4x16x16x32");
    links("clos:3.5x3x2x3x4x5");
    bundles();
    distances("dragonfly:1x6x16", 2, group_6x16);
    distances("dragonfly:6x6x16", 3, NULL);
    distances("dragonfly:241x6x16", 5, NULL);
    distances("torus:4x5x6", 7, torus_4x5x6);
    distances("clos:1.5x9x32", 1, NULL);
    paths("dragonfly:1x6x16", 2, 4, 8);
    paths("dragonfly:2x1x4x2", 2, 3, 99);
    paths("dragonfly:6x6x16", 3, 7, 2);
    paths("dragonfly:9x2x4x1", 5, 9, 30);
    paths("dragonfly:25x2x4", 5, 9, 8);
    paths("torus:4x5x6", 7, 7, 30);
    paths("torus:2x1x3", 2, 2, 99);
    paths("clos:1x32", 0, 0, 99);
    paths("clos:1.5x9x32", 1, 1, 40);
    paths("clos:2x32x32", 2, 2, 40);
    paths("clos:2.5x9x16x32", 3, 3, 4);
    paths("clos:3x4x16x32", 4, 4, 8);
    paths("clos:3.5x3x2x3x4x5", 5, 5, 40);
    paths("torus:23x24x24", 35, 35, 1);
    spread();
    order();
    ejection("dragonfly:1x1x1");
    ejection("dragonfly:9x1x4x2");
    ejection("dragonfly:2x6x16");
    files();
    errors();
    return tap_done();
}
