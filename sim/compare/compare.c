// SPDX-License-Identifier: Apache-2.0
/*
 * compare.c - build/bin/netcompare: networks whose accepted load somebody else's simulator tells, over offered load.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/args.h"
#include "sim/base/whole.h"
#include "sim/net/families.h"
#include "sim/engine/checks.h"
#include "sim/engine/measure.h"

enum { MOST_LOADS = 8, MOST_POINTS = 100, MOST_JOBS = 64, LENGTHS = 2 };

/* Flits of a packet. */
static const struct {
    const char *name;
    unsigned shortest, longest;
} lengths[LENGTHS] = {{"1", 1, 1}, {"2-14", 2, 14}};

/*
 * What is run at each length. Loads are per node: offered 1.0 is `unit` flits per clock and processor port, which is one flit for each of
 * as many nodes as the peer has at this wiring. Where offered is 1.0 per port, unit is 1. The loads from `brief` on are those of --brief.
 */
struct series {
    const char *network, *name; /* of the pattern */
    enum pattern pattern;
    enum routing routing;
    bool responds; /* each packet is a request that causes a response */
    double unit;
    double loads[MOST_LOADS]; /* 0 behind the last */
    double peer;    /* accepted by BookSim2, packets of one flit; 0: nobody has measured it */
    bool peak;      /* that is the most it accepts at any load, otherwise what it accepts at 1.0 */
    unsigned brief; /* 0: none */
    unsigned times; /* so many times --clocks are measured */
};

static const struct series all[] = {
    {"dragonfly:9x1x4x2",
     "adversarial",
     PATTERN_NEIGHBOUR,
     ROUTING_ADAPTIVE,
     false,
     0.25,
     {0.3, 0.4, 0.45, 0.5, 1},
     .30,
     true,
     3,
     1},
    {"dragonfly:9x1x4x2",
     "responses",
     PATTERN_NEIGHBOUR,
     ROUTING_ADAPTIVE,
     true,
     1,
     {0.12, 0.25, 0.5, 1},
     0,
     false,
     1,
     4},
    {"dragonfly:9x2x2x2",
     "uniform",
     PATTERN_ANYWHERE,
     ROUTING_ADAPTIVE,
     false,
     1,
     {0.08, 0.12, 0.2, 0.5, 1},
     0,
     false,
     3,
     1},
    {"dragonfly:9x2x2x2",
     "uniform",
     PATTERN_ANYWHERE,
     ROUTING_MINIMAL,
     false,
     1,
     {0.08, 0.12, 0.2, 0.5, 1},
     0,
     false,
     3,
     1},
    {"dragonfly:33x1x8x4",
     "adversarial",
     PATTERN_NEIGHBOUR,
     ROUTING_ADAPTIVE,
     false,
     0.5,
     {0.2, 0.4, 0.5, 1},
     .18,
     true,
     0,
     1},
    {"dragonfly:33x1x8x4",
     "uniform",
     PATTERN_ANYWHERE,
     ROUTING_ADAPTIVE,
     false,
     0.5,
     {0.5, 0.8, 1},
     .750,
     false,
     0,
     1},
    {"dragonfly:33x1x8x4",
     "uniform",
     PATTERN_ANYWHERE,
     ROUTING_MINIMAL,
     false,
     0.5,
     {0.5, 0.8, 1},
     .755,
     false,
     0,
     1},
};
enum { SERIES = sizeof all / sizeof *all };

static const char about[] =
    "Accepted over offered load of networks that BookSim2 has run, too, for packets of one flit "
    "and of 2 to 14. Loads are per node as BookSim2 counts nodes; those of dragonfly:9x2x2x2 are "
    "per processor port. responses: adversarial requests that are answered, per processor port.";

struct options {
    bool brief;
    uint64_t clocks, seed;
    unsigned jobs;
    const char *json;
};

/* One load of a series at one length. */
struct point {
    const struct series *series;
    unsigned length;
    double offered, accepted; /* in units of the series */
    bool good;
};

/* What all processes see. */
struct work {
    atomic_uint next;
    unsigned points;
    struct point point[MOST_POINTS];
};

static struct options read_options(int argc, char **argv)
{
    struct options o = {.json = "build/reports/netsim-compare.json", .clocks = 1000, .jobs = 1};
    const struct args_option option[] = {
        args_flag("--brief", &o.brief,
                  "only the small networks, and those loads that tell whether they hold past "
                  "saturation"),
        args_number("--clocks", &o.clocks, 100, 1000000000,
                    "measured for each load, four times as many with responses, after a warm-up "
                    "that takes at most as long"),
        args_unsigned("--jobs", &o.jobs, 1, MOST_JOBS, "loads that are run at once"),
        args_text("--json", "FILE", &o.json, "report"), args_end()};
    args_read(&(struct args){.about = about, .option = option, .seed = &o.seed}, argc, argv);
    if (!whole_possible(o.json))
        sim_fail("%s: cannot write: %s", o.json, strerror(errno));
    return o;
}

/* ---- running ---------------------------------------------------------------------------------- */

static void run_point(const struct options *o, struct point *point)
{
    const struct series *s = point->series;
    char error[TOPO_ERROR];
    struct measure m = {0};
    const uint64_t clocks = o->clocks * s->times;
    struct topology *t = topo_parse(s->network, error);
    if (!t)
        sim_fail("%s", error);
    struct tables tables = tables_computed(t);
    struct net_config config = {.seed = o->seed,
                                .traffic = {.pattern = s->pattern,
                                            .routing = s->routing,
                                            .responds = s->responds,
                                            .load = point->offered * s->unit,
                                            .shortest = lengths[point->length].shortest,
                                            .longest = lengths[point->length].longest}};
    for (unsigned k = 0; k < NET_KINDS; k++)
        config.delay[k] = MEASURE_DELAY;
    measure_bias(&config, t);
    struct network *n = net_new(router_model_of(t->machine), &tables, &config);
    const bool runs = measure_warm_up(n, &m, clocks, point->offered, NULL) &&
                      measure_run(n, &m, clocks, s->network, point->offered, NULL);
    const struct net_stats stats = net_stats(n);
    point->accepted =
        runs ? (double)stats.accepted / (double)stats.clocks / net_sources(n) / s->unit : 0;
    point->good = runs && stats.wrong == 0 && sim_failed_checks == 0;
    if (!point->good)
        fprintf(stderr, "netcompare: %s, %s, offered %g: %s\n", s->network, s->name, point->offered,
                runs ? net_complaint(n) : "stalled");
    net_free(n);
    tables_free(&tables);
    topo_free(t);
}

/* Takes loads until none is left: what each of the processes does. */
static void take_work(const struct options *o, struct work *work)
{
    for (unsigned i; (i = atomic_fetch_add(&work->next, 1)) < work->points;)
        run_point(o, &work->point[i]);
}

static bool run_all(const struct options *o, struct work *work)
{
    bool good = true;
    for (unsigned i = 1; i < o->jobs; i++) {
        const pid_t child = fork();
        if (child < 0)
            sim_fail("cannot start %u jobs: %s", o->jobs, strerror(errno));
        if (child == 0) {
            take_work(o, work);
            _exit(EXIT_SUCCESS);
        }
    }
    take_work(o, work);
    for (int status; wait(&status) > 0;)
        good = good && status == 0;
    for (unsigned i = 0; i < work->points; i++)
        good = good && work->point[i].good;
    return good;
}

/* The largest networks first, so that no process waits long for another at the end. */
static struct work *plan(const struct options *o)
{
    struct work *work =
        mmap(NULL, sizeof *work, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (work == MAP_FAILED)
        sim_fail("out of memory");
    for (unsigned s = SERIES; s-- > 0;)
        for (unsigned length = 0; length < LENGTHS; length++)
            for (unsigned k = 0; k < MOST_LOADS && all[s].loads[k] > 0; k++)
                if (!o->brief || (all[s].brief && k >= all[s].brief))
                    work->point[work->points++] =
                        (struct point){&all[s], length, all[s].loads[k], 0, false};
    return work;
}

/* ---- what came out ------------------------------------------------------------------------------ */

/* The most that was accepted at one length, and at the highest load. */
static double most(const struct work *work, const struct series *s, unsigned length, double *last)
{
    double peak = 0;
    for (unsigned i = 0; i < work->points; i++) {
        const struct point *p = &work->point[i];
        if (p->series != s || p->length != length)
            continue;
        peak = p->accepted > peak ? p->accepted : peak;
        *last = p->accepted;
    }
    return peak;
}

static void print_all(const struct options *o, const struct work *work)
{
    printf("seed %" PRIu64 "\n", o->seed);
    printf("%-19s %-12s %-9s %-6s %9s %9s %9s %9s  %s\n", "network", "pattern", "mode", "length",
           "peak", "at 1.0", "of peak", "BookSim2", "accepted, by offered");
    for (unsigned s = 0; s < SERIES; s++)
        for (unsigned length = 0; length < LENGTHS && (!o->brief || all[s].brief); length++) {
            double last = 0;
            const double peak = most(work, &all[s], length, &last);
            char peer[10] = "-";
            if (all[s].peer > 0)
                snprintf(peer, sizeof peer, "%.3f", all[s].peer);
            printf("%-19s %-12s %-9s %-6s %9.3f %9.3f %9.3f %9s ", all[s].network, all[s].name,
                   routing_names[all[s].routing], lengths[length].name, peak, last,
                   peak > 0 ? last / peak : 0, peer);
            for (unsigned i = 0; i < work->points; i++)
                if (work->point[i].series == &all[s] && work->point[i].length == length)
                    printf(" %g:%.3f", work->point[i].offered, work->point[i].accepted);
            printf("\n");
        }
}

static bool write_report(const struct work *work, const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return false;
    for (unsigned i = 0; i < work->points; i++) {
        const struct point *p = &work->point[i];
        const struct series *s = p->series;
        const bool known = s->peer > 0 && (s->peak || p->offered == 1);
        char peer[10] = "null";
        if (known)
            snprintf(peer, sizeof peer, "%.3f", s->peer);
        fprintf(
            f,
            "%s{\"network\": \"%s\", \"pattern\": \"%s\", \"mode\": \"%s\", \"length\": \"%s\", "
            "\"offered\": %g, \"accepted\": %.4f, \"peer\": %s, \"peer_accepted\": %s}",
            i ? ",\n " : "[", s->network, s->name, routing_names[s->routing],
            lengths[p->length].name, p->offered, p->accepted,
            known ? s->peak ? "\"BookSim2, peak\"" : "\"BookSim2\"" : "null", peer);
    }
    fputs("]", f);
    const bool good = fclose(f) == 0 && whole_write(path, text);
    free(text);
    return good;
}

int main(int argc, char **argv)
{
    const struct options o = read_options(argc, argv);
    struct work *work = plan(&o);
    if (!run_all(&o, work))
        sim_fail("no report: not every network carried what it was offered");
    print_all(&o, work);
    if (!write_report(work, o.json))
        sim_fail("%s: cannot write the report: %s", o.json, strerror(errno));
    printf("%s\n", o.json);
    return whole_status(true);
}
