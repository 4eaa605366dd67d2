// SPDX-License-Identifier: Apache-2.0
/*
 * test_bgl_agree.c - native nodes against build/bin/bglsim, which shares nothing with them: random traffic, twice what the links carry. How busy the links are, how full VC FIFOs are
 * with packets that wait, and how often injection got a port that a packet of a receiver with a free bus could have had.
 *
 * FIFOs are fuller at first than later on: for 15,000 clocks after a start with full injection FIFOs.
 *
 * --long: ten times as long, from then on; and 8x8x1, of which fullness is reported alone, as the nodes' is over the model's (README). Writes build/reports/bgl-agree.json.
 *
 * Built for bgl: fast.
 */
#include "tb/bgl/bgl_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MODEL_WARM = 20000,
    WARM = 2500,
    LONG_WARM = 15000,
    CLOCKS = 6000,
    PORTS_OF_A_NODE = 6,
    SEEDS = 4,
    FRAME = 6,
    ACK = 8,
    ACK_ALONE = 10,
    QUEUED = 2,
    PHASES = 3, /* clocks from what a channel sees to the grant that follows from it */
    ARBITRATED =
        6 /* clocks from a header's write to its first byte on a bus, where nothing is in the way */
};

struct figures {
    double busy;     /* part of the time of a link */
    double fullness; /* chunks in a VC FIFO that wait */
    double share;    /* of injection's grants that a receiver could have had */
    double late;     /* with those whose packet or bus was there too late to ask */
};

/* ---- bglsim ---------------------------------------------------------------------------------- */

static double field(const char *text, const char *name)
{
    char key[40];
    snprintf(key, sizeof key, "\"%s\": ", name);
    const char *at = strstr(text, key);
    if (!at) {
        fprintf(stderr, "test_bgl_agree: no %s in the report of bglsim\n", name);
        exit(1);
    }
    return strtod(at + strlen(key), NULL);
}

static struct figures model_run(const char *torus, uint64_t seed, unsigned clocks)
{
    static const char *const json = "build/test/bgl-agree-model.json";
    struct figures f;
    char command[300], text[8192];
    snprintf(
        command, sizeof command,
        "build/bin/bglsim --pattern random --load 2 --warmup %u --clocks %u --seed %llu --json %s "
        "%s >build/test/bgl-agree-model.log",
        MODEL_WARM, clocks, (unsigned long long)seed, json, torus);
    if (system(command) != 0) {
        fprintf(stderr, "test_bgl_agree: %s failed\n", command);
        exit(1);
    }
    FILE *file = fopen(json, "r");
    const size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[n] = 0;
    f.busy = field(text, "links");
    f.fullness = field(text, "fullness");
    f.share = field(text, "stolen") / field(text, "injected");
    f.late = f.share;
    return f;
}

static struct figures model(const char *torus, uint64_t seed, unsigned clocks)
{
    struct figures all = {0};
    for (unsigned i = 0; i < SEEDS; i++) {
        const struct figures f = model_run(torus, seed + i, clocks);
        all.busy += f.busy / SEEDS;
        all.fullness += f.fullness / SEEDS;
        all.share += f.share / SEEDS;
    }
    return all;
}

/* ---- native nodes ---------------------------------------------------------------------------- */

struct sums {
    uint64_t busy, waiting, grants, taken, late;
    uint8_t could[BENCH_MOST][PORTS][PORTS]; /* a receiver, by a port: clocks in a row, to 255 */
    int waits[BENCH_MOST][PORTS][BGL_VCS];   /* chunks */
    struct {
        uint8_t vc, chunks;
    } came[ARBITRATED][BENCH_MOST][PORTS]; /* in the last clocks */
};

/* Each core has packets for any other node, in whichever of its FIFOs is emptiest. */
static void offer(struct bgl_bench *b)
{
    for (unsigned n = 0; n < b->nodes; n++) {
        for (unsigned c = 0; c < CORES; c++) {
            unsigned best = 4 * c;
            if (b->core[n][c].count >= QUEUED)
                continue;
            for (unsigned f = 4 * c; f < 4 * c + 3; f++)
                if (b->node[n].inject.out.held[f] < b->node[n].inject.out.held[best])
                    best = f;
            const struct bench_order o = {.from = n,
                                          .to =
                                              (n + 1 + rng_below(&b->rng, b->nodes - 1)) % b->nodes,
                                          .fifo = best,
                                          .chunks = 8,
                                          .dynamic = true,
                                          .vc = rng_below(&b->rng, 2),
                                          .group = rng_below(&b->rng, 2)};
            bench_send(b, &o);
        }
    }
}

/* Ports by which a receiver's packets in front may leave, of those without an open offer; none without a bus. */
static unsigned ports_open(const struct bgl_port *port)
{
    unsigned ports = 0;
    for (unsigned v = 0; v < 2; v++) {
        const struct bgl_front *front = &port->fifo.out.front[v];
        const bool offered = port->channel[v].open || (port->select.out.picked >> v & 1);
        ports |= front->valid && !offered ? front->hints : 0;
    }
    return vc_busy(&port->fifo.out) != 3 ? ports : 0;
}

/* How long each receiver of a node could have gone by each port, this clock counted. */
static void count_could(struct sums *s, const struct bgl_node *node, unsigned n)
{
    for (unsigned q = 0; q < PORTS; q++) {
        const unsigned ports = ports_open(&node->port[q]);
        for (unsigned p = 0; p < PORTS; p++) {
            uint8_t *clocks = &s->could[n][q][p];
            *clocks = ports >> p & 1 ? (uint8_t)(*clocks + (*clocks < 255)) : 0;
        }
    }
}

/* A grant to injection: whether a receiver could have had it. What is in front since less than PHASES clocks could not have asked in time. */
static void count_grant(struct sums *s, unsigned n, unsigned p)
{
    unsigned most = 0;
    for (unsigned q = 0; q < PORTS; q++)
        most = s->could[n][q][p] > most ? s->could[n][q][p] : most;
    s->grants++;
    s->taken += most > PHASES;
    s->late += most > 0;
}

/* The packet that came ARBITRATED clocks ago waits from now on, as the model has it: its arbiters decide in one clock. */
static void wait_for_arbiters(struct sums *s, unsigned n, unsigned p, const struct bgl_pipe *pipe,
                              uint64_t now)
{
    const unsigned at = (unsigned)(now % ARBITRATED);
    const bool comes = pipe->out.write && pipe->out.first;
    s->waits[n][p][s->came[at][n][p].vc] += s->came[at][n][p].chunks;
    s->came[at][n][p].vc = (uint8_t)pipe->out.vc;
    s->came[at][n][p].chunks = comes ? (uint8_t)(pipe->out.size + 1) : 0;
}

/* What was begun on the wires, what is waiting, whom ports were granted. */
static void count(struct bgl_bench *b, struct sums *s, bool measured)
{
    for (unsigned n = 0; n < b->nodes; n++) {
        count_could(s, &b->node[n], n);
        for (unsigned p = 0; p < PORTS; p++) {
            const struct bgl_port *port = &b->node[n].port[p];
            const struct bgl_framer *framer = &port->link.framer;
            uint64_t waits = 0;
            wait_for_arbiters(s, n, p, &port->pipe, b->now);
            for (unsigned v = 0; v < BGL_VCS; v++) {
                const struct vc_stream *stream = &port->fifo.queue[v].stream;
                if (stream->on && stream->index == 1)
                    s->waits[n][p][v] -= (int)stream->n + 1;
                waits += (uint64_t)(s->waits[n][p][v] > 0 ? s->waits[n][p][v] : 0);
            }
            if (!measured || b->cable[n][p].to == BENCH_MOST)
                continue;
            s->waiting += waits;
            if (framer->state == FRAMER_LOWER && framer->packet_follows)
                s->busy += 32 * (8u) + FRAME + (framer->ack_follows ? ACK : 0);
            else if (framer->state == FRAMER_LOWER && framer->ack_follows)
                s->busy += ACK_ALONE;
            if (port->sender.out.grant_inject != 0)
                count_grant(s, n, p);
        }
    }
}

static struct figures native(const unsigned size[3], uint64_t seed, unsigned clocks)
{
    const unsigned warm = clocks > CLOCKS ? LONG_WARM : WARM;
    static struct bgl_bench b;
    static struct sums s;
    unsigned links = 0;
    memset(&s, 0, sizeof s);
    bench_start(&b, size[0], size[1], size[2], 1, seed);
    for (unsigned i = 0; i < warm + clocks; i++) {
        offer(&b);
        bench_step(&b);
        count(&b, &s, i >= warm);
    }
    for (unsigned n = 0; n < b.nodes; n++)
        for (unsigned p = 0; p < PORTS; p++)
            links += b.cable[n][p].to != BENCH_MOST;
    tap_equal(b.wrong + b.unexplained + b.twice, 0, "packets are unchanged and at their places");
    const struct figures f = {
        .busy = (double)s.busy / clocks / links,
        .fullness = (double)s.waiting / clocks / links / 3,
        .share = s.grants ? (double)s.taken / (double)s.grants : 1,
        .late = s.grants ? (double)s.late / (double)s.grants : 1,
    };
    bench_free(&b);
    return f;
}

/* ---- both ------------------------------------------------------------------------------------ */

static void near(double is, double wanted, double within, const char *what)
{
    tap_why("%.4f natively, %.4f in the model", is, wanted);
    tap_ok(is >= wanted * (1 - within) && is <= wanted * (1 + within), "%s: within %.0f %%", what,
           100 * within);
}

/*
 * clocks: of the native nodes. How full VC FIFOs are moves slowly: over seeds a run of CLOCKS has a standard deviation of 4 %, one of ten times
 * that 1.3 %. So the long run holds the 10 % themselves, the short one 10 % and six standard deviations more.
 */
static void agree(const unsigned size[3], uint64_t seed, unsigned clocks, FILE *report)
{
    const double within = clocks > CLOCKS ? 0.10 : 0.34;
    char torus[40];
    snprintf(torus, sizeof torus, "%ux%ux%u", size[0], size[1], size[2]);
    const bool flat = size[2] == 1;
    const struct figures f = native(size, seed, clocks);
    struct figures m = model(torus, seed, 20000);
    if (flat)
        m.fullness *= PORTS_OF_A_NODE / 4.0; /* the model counts ports without a link, too */
    tap_note("%s: links busy %.4f, model %.4f; %.3f chunks in a VC FIFO, model %.3f; %.4f of "
             "injection's grants (%.4f with packets too late to ask), model %.4f",
             torus, f.busy, m.busy, f.fullness, m.fullness, f.share, f.late, m.share);
    near(f.busy, m.busy, 0.02, "links busy");
    if (!flat)
        near(f.fullness, m.fullness, within, "fullness of VC FIFOs");
    tap_why("%.4f", f.share);
    tap_ok(f.share <= 0.02, "grants to injection that a receiver could have had");
    fprintf(report,
            "{\"torus\": \"%s\", \"native\": %.5f, \"model\": %.5f, \"fullness_native\": %.4f, "
            "\"fullness_model\": %.4f, \"injection_share\": %.5f}",
            torus, f.busy, m.busy, f.fullness, m.fullness, f.share);
}

int main(int argc, char **argv)
{
    static const unsigned cube[3] = {4, 4, 4}, plane[3] = {8, 8, 1};
    uint64_t seed = 0;
    bool all = false;
    test_options(argc, argv, &seed, args_flag("--long", &all, "ten times as long"));
    FILE *report = fopen("build/reports/bgl-agree.json.part", "w");
    if (!report) {
        fprintf(stderr, "test_bgl_agree: build/reports/bgl-agree.json.part cannot be written\n");
        return 1;
    }
    fprintf(report, "[");
    agree(cube, seed, all ? 10 * CLOCKS : CLOCKS, report);
    if (all) {
        fprintf(report, ",\n ");
        agree(plane, seed, 10 * CLOCKS, report);
    }
    fprintf(report, "]\n");
    fclose(report);
    rename("build/reports/bgl-agree.json.part", "build/reports/bgl-agree.json");
    return tap_done();
}
