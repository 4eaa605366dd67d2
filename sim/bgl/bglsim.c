// SPDX-License-Identifier: Apache-2.0
/*
 * bglsim.c - build/bin/bglsim: programs on a Blue Gene/L torus of up to 64 x 32 x 32 nodes and more.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/base/program.h"
#include "sim/base/progress.h"
#include "sim/base/whole.h"
#include "sim/bgl/options.h"
#include "sim/engine/ranks/launch.h"

enum { PART = 2000, STALLED = 400000 };

struct run {
    const struct bgl_options *o;
    struct program *program;
    struct model *model;
    bool over;          /* the program has come to its end */
    uint32_t clocks;    /* measured */
    uint64_t simulated; /* all */
    double seconds;
};

/* Runs so many clocks, or to the program's end; ends if nothing is delivered for long while packets are inside. */
static bool run_for(struct run *r, uint64_t clocks)
{
    struct sim_progress progress = {0};
    uint64_t delivered = 0, quiet = 0;
    for (uint64_t done = 0; done < clocks; done += PART) {
        const uint32_t part = clocks - done < PART ? (uint32_t)(clocks - done) : PART;
        if (model_run(r->model, part))
            return true;
        const uint64_t now = model_counts(r->model).delivered;
        quiet = now == delivered ? quiet + part : 0;
        delivered = now;
        if (quiet >= STALLED && model_inside(r->model))
            sim_fail("%s: no packet has come for %d clocks, and %" PRIu64 " are inside: clock %u",
                     r->o->torus, STALLED, model_inside(r->model), model_clock(r->model));
        sim_progress(&progress, "%s: clock %u, %" PRIu64 " packets delivered", r->o->torus,
                     model_clock(r->model), now);
    }
    return false;
}

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void run(struct run *r)
{
    const enum pattern pattern = r->o->program.pattern;
    const bool endless = pattern == PATTERN_RANDOM || pattern == PATTERN_HOT;
    const double begin = processor_seconds();
    if (endless) {
        run_for(r, r->o->warmup);
        model_measure(r->model);
        run_for(r, r->o->clocks);
        r->clocks = (uint32_t)r->o->clocks;
    } else {
        r->over = run_for(r, MODEL_CLOCKS / 2);
        r->clocks = model_counts(r->model).last;
    }
    r->simulated = model_clock(r->model);
    r->seconds = processor_seconds() - begin;
}

/* Every packet has come to where it was sent, once. */
static void check(const struct run *r, const struct model_counts *c)
{
    const uint64_t wanted = program_packets(r->program);
    uint64_t lost;
    if (!r->over)
        return;
    if (c->made + c->copies != c->delivered || c->made_sum != c->delivered_sum)
        sim_fail("%s: %" PRIu64 " packets were sent, and others have come (%" PRIu64 ")",
                 r->o->torus, c->made + c->copies, c->delivered);
    (void)program_relayed(r->program, &lost);
    if (lost)
        sim_fail("%s: %" PRIu64 " packets have no way round the dead nodes", r->o->torus, lost);
    if (wanted && c->delivered != wanted)
        sim_fail("%s: %" PRIu64 " packets have come, and the program has %" PRIu64, r->o->torus,
                 c->delivered, wanted);
}

/* ---- the report --------------------------------------------------------------------------------- */

static unsigned links_of(const struct shape *s, unsigned d)
{
    return s->size[d] > 1 ? 2 * s->nodes : 0;
}

static void write_series(FILE *f, const struct run *r, const struct model_point *point,
                         unsigned points)
{
    fputs(",\n \"series\": [", f);
    for (unsigned i = 0; i < points; i++) {
        const struct model_point *p = &point[i];
        fprintf(f,
                "%s{\"clock\": %" PRIu64 ", \"delivered\": %" PRIu64 ", \"returning\": %" PRIu64
                ", \"freeing\": %" PRIu64 ", \"unblocking\": %" PRIu64 ", \"hops\": [",
                i ? ",\n  " : "\n  ", (uint64_t)i * r->o->model.interval, p->delivered,
                p->returning, p->freeing, p->unblocking);
        for (unsigned v = 0; v < MODEL_VCS; v++)
            fprintf(f, "%s%" PRIu64, v ? ", " : "", p->hops[v]);
        fputs("]}", f);
    }
    fputs("]", f);
}

struct figures {
    double links, busiest, peak, fullness, response, rate, entries, speed;
    uint64_t hops, escape;
};

static struct figures figures_of(const struct run *r, const struct model_counts *c)
{
    const struct shape *s = &r->o->model.shape;
    const double clocks = r->clocks ? r->clocks : 1, ideal = program_ideal(r->program);
    struct figures f = {0};
    double busy = 0, all = 0;
    for (unsigned d = 0; d < 3; d++) {
        const double links = links_of(s, d), used = (double)(c->busy[2 * d] + c->busy[2 * d + 1]);
        busy += used;
        all += links;
        if (links && used / links / clocks > f.busiest)
            f.busiest = used / links / clocks;
    }
    for (unsigned v = 0; v < MODEL_VCS; v++) {
        f.hops += c->hops[v];
        f.escape += v >= MODEL_ESCAPE ? c->hops[v] : 0;
    }
    unsigned entries;
    const uint64_t entered = model_entries(r->model, program_hot, r->program, &entries);
    f.links = busy / all / clocks;
    f.peak = ideal / clocks;
    f.fullness =
        (double)c->held / clocks / ((double)s->nodes * SHAPE_PORTS * (r->o->model.dynamic + 1));
    f.response = c->response_count ? (double)c->response / (double)c->response_count : 0;
    f.rate = (double)c->delivered / clocks / s->nodes * 1000;
    f.entries = entries ? (double)entered / entries / clocks : 0;
    f.speed = r->seconds > 0 ? (double)r->simulated * s->nodes / r->seconds : 0;
    return f;
}

static void print(const struct bgl_options *o, uint32_t clocks, const struct model_counts *c,
                  const struct figures *f)
{
    printf("%s, %s, seed %" PRIu64 ": %u clocks, %" PRIu64 " packets\n", o->torus,
           pattern_names[o->program.pattern], o->program.seed, clocks, c->delivered);
    if (f->peak > 0)
        printf("%10.4f of peak\n", f->peak);
    printf("%10.4f links busy, %.4f of the fullest dimension\n%10.4f packets of a node and 1,000 "
           "clocks\n"
           "%10.1f clocks from making to the tail's arrival\n%10.4f of hops on the escape\n"
           "%10.2f chunks in a VC FIFO\n%10.4f of injection's grants over a receiver that "
           "could\n%10.3g node-clocks/s\n",
           f->links, f->busiest, f->rate, f->response,
           f->hops ? (double)f->escape / (double)f->hops : 0, f->fullness,
           c->injected ? (double)c->stolen / (double)c->injected : 0, f->speed);
}

static void write_report(const struct run *r, const struct model_counts *c, const struct figures *f,
                         uint64_t relayed, const struct model_point *point, unsigned points)
{
    const struct bgl_options *o = r->o;
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        sim_fail("out of memory for the report");
    fprintf(file,
            "{\"torus\": \"%s\", \"nodes\": %u, \"pattern\": \"%s\", \"seed\": %" PRIu64
            ", \"clocks\": %u, \"packets\": %" PRIu64 ", \"peak\": %.5f,\n"
            " \"links\": %.5f, \"fullest\": %.5f, \"rate\": %.5f, \"response\": %.2f, \"entries\": "
            "%.5f, \"fullness\": %.4f,\n"
            " \"hops\": %" PRIu64 ", \"escape\": %" PRIu64 ", \"bypassed\": %" PRIu64
            ", \"injected\": %" PRIu64 ", \"stolen\": %" PRIu64 ", \"acks\": %" PRIu64
            ", \"alone\": %" PRIu64 ",\n \"returning\": %" PRIu64 ", \"freeing\": %" PRIu64
            ", \"unblocking\": %" PRIu64 ", \"relayed\": %" PRIu64 ", \"events\": %" PRIu64
            ", \"passes\": %" PRIu64 ", \"check\": \"%016" PRIx64 "\"",
            o->torus, o->model.shape.nodes, pattern_names[o->program.pattern], o->program.seed,
            r->clocks, c->delivered, f->peak, f->links, f->busiest, f->rate, f->response,
            f->entries, f->fullness, f->hops, f->escape, c->bypassed, c->injected, c->stolen,
            c->acks, c->alone, c->returning, c->freeing, c->unblocking, relayed, c->events,
            c->passes, c->delivered_sum);
    write_series(file, r, point, points);
    fputs("}", file);
    const bool written = fclose(file) == 0 && whole_write(o->json, text);
    free(text);
    if (!written)
        sim_fail("%s: cannot write the report: %s", o->json, strerror(errno));
}

/* All ranks count, the first one says it. */
static void report(const struct run *r)
{
    const struct model_counts c = model_counts(r->model);
    const struct figures f = figures_of(r, &c);
    uint64_t lost;
    const uint64_t relayed = program_relayed(r->program, &lost);
    const struct bgl_options *o = r->o;
    struct model_point *point = NULL;
    const unsigned points = o->model.interval ? model_series(r->model, &point) : 0;
    check(r, &c);
    if (!sim_follows) {
        print(o, r->clocks, &c, &f);
        write_report(r, &c, &f, relayed, point, points);
    }
    free(point);
}

int main(int argc, char **argv)
{
    program_invocation_short_name = (char *)"bglsim";
    struct ranks *ranks = ranks_start(&argc, &argv);
    struct bgl_options o = bgl_options_read(argc, argv, ranks);
    if (o.ranks)
        return launch(o.ranks, argv, "begin again");
    struct run r = {.o = &o, .program = program_new(&o.program)};
    o.model.program = program_calls(r.program);
    o.model.dead = program_dead(r.program);
    r.model = model_new(&o.model);
    run(&r);
    report(&r);
    model_free(r.model);
    program_free(r.program);
    ranks_end(ranks);
    return whole_status(true);
}
