// SPDX-License-Identifier: Apache-2.0
/*
 * options.c - the command line of bglsim.
 */
#include "sim/bgl/options.h"

#include <errno.h>
#include <string.h>

#include "sim/base/args.h"
#include "sim/base/program.h"
#include "sim/base/whole.h"

static const char *const
    routings[] = {"dynamic", "xyz"},
    *const policies[] = {"base", "jsq", "slq", "both"}, *const escapes[] = {"bubble", "pair"},
    *const orders[] = {"dimension", "direction"}, *const sides[] = {"off", "on"};

/* The number of a word of a list. */
static unsigned one_of(const char *name, const char *value, const char *const *list, unsigned count)
{
    char all[200] = "";
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(value, list[i]) == 0)
            return i;
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "", list[i]);
    }
    sim_fail("%s %.40s: one of %s", name, value, all);
}

static void read_pattern(void *to, const char *name, const char *value)
{
    struct program_config *c = to;
    if (strncmp(value, "file:", 5) == 0) {
        c->pattern = PATTERN_FILE;
        c->file = value + 5;
    } else
        c->pattern = (enum pattern)one_of(name, value, pattern_names, PATTERN_FILE);
}

static void read_within(void *to, const char *name, const char *value)
{
    unsigned *within = to;
    *within = 0;
    for (const char *c = value; *c; c++) {
        if (*c < 'x' || *c > 'z' || *within >> (*c - 'x') & 1)
            sim_fail("%s %.40s: dimensions, as x, xy or xyz", name, value);
        *within |= 1u << (*c - 'x');
    }
    if (!*within)
        sim_fail("%s: no dimension", name);
}

static void read_routing(void *to, const char *name, const char *value)
{
    *(bool *)to = one_of(name, value, routings, 2) == 1;
}

static void read_policy(void *to, const char *name, const char *value)
{
    struct model_config *m = to;
    const unsigned policy = one_of(name, value, policies, 4);
    m->jsq = policy & 1;
    m->slq = policy & 2;
}

static void read_escape(void *to, const char *name, const char *value)
{
    *(enum escape *)to = (enum escape)one_of(name, value, escapes, 2);
}

static void read_order(void *to, const char *name, const char *value)
{
    *(enum order *)to = (enum order)one_of(name, value, orders, 2);
}

static void read_bypass(void *to, const char *name, const char *value)
{
    *(unsigned *)to = one_of(name, value, sides, 2) ? UINT8_MAX : 0;
}

static void read_fifo(void *to, const char *name, const char *value)
{
    const uint64_t bytes = sim_number(name, value, 512, 2048);
    if (bytes != 512 && bytes != 1024 && bytes != 2048)
        sim_fail("%s %.40s: 512, 1024 or 2048 bytes", name, value);
    *(unsigned *)to = (unsigned)bytes / MODEL_CHUNK;
}

/* Up to twice what links carry: injection FIFOs are never empty then. */
static void read_offered(void *to, const char *name, const char *value)
{
    char *end;
    const double load = strtod(value, &end);
    if (end == value || *end != '\0' || !(load > 0 && load <= 2))
        sim_fail("%s %.60s: a number above 0 and at most 2", name, value);
    *(double *)to = load;
}

/* What fits no torus of this size, or does not go together. */
static void check(const struct bgl_options *o)
{
    const struct shape *s = &o->model.shape;
    const enum pattern pattern = o->program.pattern;
    const unsigned midplanes = shape_midplanes(s);
    if (s->nodes < 2)
        sim_fail("%s: a network has two nodes at least", o->torus);
    if (s->nodes >= 1u << 24)
        sim_fail("%s: the simulator numbers at most 16777215 nodes", o->torus);
    if (midplanes % o->model.threads)
        sim_fail("--threads %u: they do not divide the %u midplanes of %s", o->model.threads,
                 midplanes, o->torus);
    const unsigned ranks = o->ranks ? o->ranks : o->model.ranks->count;
    if (midplanes % ranks)
        sim_fail("--ranks %u: they do not divide the %u midplanes of %s", ranks, midplanes,
                 o->torus);
    if (ranks > 1 && o->model.threads > 1)
        sim_fail("--threads: each of several ranks has one");
    if (o->model.delay + 2 * o->model.racks > MODEL_CABLE)
        sim_fail("--racks %u: cables to the next rack but one take more than %d clocks",
                 o->model.racks, MODEL_CABLE);
    if (pattern == PATTERN_SPOT)
        for (unsigned d = 0; d < 3; d++)
            if (o->program.cube > s->size[d] ||
                o->program.cube * o->program.cube * o->program.cube >= s->nodes)
                sim_fail("--cube %u: it does not fit into %s with nodes outside", o->program.cube,
                         o->torus);
    if ((pattern == PATTERN_LINE || pattern == PATTERN_PLANE) && s->size[0] < 3)
        sim_fail("%s: a line has three nodes at least", o->torus);
    if (pattern == PATTERN_PLANE && s->size[1] < 3)
        sim_fail("%s: a plane has three nodes at least each way", o->torus);
    if (pattern == PATTERN_PING_PONG) {
        unsigned most = 0;
        for (unsigned d = 0; d < 3; d++)
            most += s->size[d] / 2;
        if (o->program.hops > most)
            sim_fail("--hops %u: in %s no node is further than %u", o->program.hops, o->torus,
                     most);
    }
    if (o->program.dead && (pattern != PATTERN_ALL_TO_ALL || o->program.within != 7))
        sim_fail("--dead goes with all-to-all of all nodes");
    if (o->program.dead && s->nodes > 1u << 16)
        sim_fail("--dead: %s has more than 65536 nodes", o->torus);
    if (o->program.pattern == PATTERN_ALL_TO_ALL && shape_fullest(s, o->program.within) == 0)
        sim_fail("--within: %s has one node in these dimensions", o->torus);
    if (o->model.escape == ESCAPE_PAIR && o->program.deterministic)
        sim_fail("--escape pair goes with --routing dynamic");
}

struct bgl_options bgl_options_read(int argc, char **argv, struct ranks *ranks)
{
    struct bgl_options o = {
        .program = {.packets = 1,
                    .chunks = MODEL_FULL,
                    .within = 7,
                    .share = 1,
                    .load = 0.5,
                    .hot = 0.25,
                    .cube = 1,
                    .hops = 1,
                    .rounds = 10,
                    .ranks = ranks},
        .model = {.dynamic = 2,
                  .paths = 2,
                  .chunks = 32,
                  .bypass = 33,
                  .jsq = true,
                  .slq = true,
                  .threads = 1,
                  .ranks = ranks},
        .clocks = 20000,
        .warmup = 20000,
        .json = "build/reports/bglsim.json",
    };
    struct program_config *p = &o.program;
    struct model_config *m = &o.model;
    unsigned processor = 0;
    const struct args_option table[] = {
        args_by("--pattern", "P", read_pattern, p,
                "What nodes do: all-to-all, random, hot, spot, line, plane, ping-pong, file:PATH "
                "[all-to-all]"),
        args_unsigned("--packets", &p->packets, 1, 1 << 24,
                      "Packets for each pair, line, plane or message"),
        args_unsigned("--chunks", &p->chunks, 1, MODEL_FULL, "Length of a packet, 32 bytes each"),
        args_by("--within", "DIMENSIONS", read_within, &p->within,
                "All-to-all: among nodes of lines (x), planes (xy) or all [xyz]"),
        args_unsigned("--share", &p->share, 1, 1 << 16, "All-to-all: one of N pairs"),
        args_unsigned("--pace", &p->pace, 0, 1 << 24,
                      "Clocks from one packet of a node to its next, 0: as fast as they go"),
        args_by("--load", "L", read_offered, &p->load,
                "Random: part of what the fullest links carry, at most 2 [0.5]"),
        args_rate("--hot", &p->hot, "Hot: part of the packets that go to the hot region"),
        args_text("--dead", "FILE", &p->dead,
                  "All-to-all: dead nodes, a line X,Y,Z each; hints lead round them"),
        args_unsigned("--cube", &p->cube, 1, SHAPE_MOST, "Spot: nodes of an edge of the cube"),
        args_unsigned("--hops", &p->hops, 1, 3 * SHAPE_MOST,
                      "Ping-pong: hops between the two nodes"),
        args_unsigned("--rounds", &p->rounds, 1, 1 << 20, "Ping-pong: messages each way"),
        args_by("--routing", "R", read_routing, &p->deterministic, "dynamic or xyz [dynamic]"),
        args_unsigned("--vcs", &m->dynamic, 1, MODEL_DYNAMIC, "Dynamic VCs"),
        args_unsigned("--paths", &m->paths, 1, 4, "Busses from a receiver to senders"),
        args_by("--fifo", "BYTES", read_fifo, &m->chunks, "A VC FIFO: 512, 1024 or 2048 [1024]"),
        args_by("--arbitration", "A", read_policy, m, "base (random), jsq, slq or both [both]"),
        args_by("--escape", "E", read_escape, &m->escape,
                "bubble, or pair: two VCs and a dateline [bubble]"),
        args_by("--order", "O", read_order, &m->order,
                "Of the escape: dimension or direction [dimension]"),
        args_by("--bypass", "on|off", read_bypass, &m->bypass,
                "Packets may go past empty VC FIFOs [on]"),
        args_flag("--gap", &m->gap, "Injection FIFOs see a free link as early as receivers do"),
        args_flag("--endless", &m->endless, "Injection FIFOs without end, filled at once"),
        args_unsigned("--processor", &processor, 0, 1 << 16,
                      "Clocks of a node's processor for a packet sent and one received"),
        args_unsigned("--delay", &m->delay, 0, MODEL_CABLE, "Clocks of a cable"),
        args_unsigned("--racks", &m->racks, 0, MODEL_CABLE,
                      "Clocks more for each rack's width: 8 nodes of a dimension are a rack, and "
                      "racks are cabled 1 3 5 6 4 2 1"),
        args_number("--clocks", &o.clocks, 1, MODEL_CLOCKS / 2,
                    "Clocks that are measured, of patterns without an end"),
        args_number("--warmup", &o.warmup, 0, MODEL_CLOCKS / 4, "Clocks before that"),
        args_unsigned("--interval", &m->interval, 0, 1 << 28,
                      "Clocks of a point of throughput over time, 0: none"),
        args_unsigned("--threads", &m->threads, 1, 256,
                      "Threads, each some midplanes of 8x8x8; the result is the same"),
        args_unsigned("--ranks", &o.ranks, 1, 100000,
                      "Processes by mpirun, each some midplanes; the result is the same"),
        args_text("--json", "FILE", &o.json, "Where the report goes"),
        args_end(),
    };
    const struct args args = {
        .about = "Simulates a Blue Gene/L torus: packets, tokens, busses and arbiters.",
        .option = table,
        .seed = &p->seed,
        .word = "XxYxZ",
        .words = &o.torus,
        .least = 1,
        .most = 1,
    };
    char error[SHAPE_ERROR];
    args_read(&args, argc, argv);
    if (!shape_read(&p->shape, o.torus, error))
        sim_fail("%s", error);
    m->shape = p->shape;
    m->seed = p->seed;
    m->receive = processor / 2;
    m->send = processor - m->receive;
    check(&o);
    if (!whole_possible(o.json))
        sim_fail("%s: cannot write the report: %s", o.json, strerror(errno));
    sim_room(o.torus, model_bytes(&m->shape) / ranks->count);
    return o;
}
