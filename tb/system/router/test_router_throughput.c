// SPDX-License-Identifier: Apache-2.0
/*
 * test_router_throughput.c - what a saturated router carries, against what it could at most.
 *
 * Every source offers 1.0: packets of 1 to 14 flits, or of one, or of 14 and one, half each; VC at random among those
 * with credit, destination at random among those of the pattern. After a warm-up that fills the input queues, delivered flits are counted
 * by the input they came from and, where all outputs are alike, by output too. The bound is the maximum flow
 * through the matrix of tiles (golden/maxflow.h). Where sources have several destinations it must also be the
 * largest common fraction of all demands, because who draws at random cannot trade one destination for another.
 *
 * Maximum flow knows no queues. With one row to one column all passes a single subswitch with 8 inputs and 6 outputs
 * at 1.0 each. Where every packet draws its output, the fronts of 64 FIFOs (8 inputs, 8 VCs) wait for 6 outputs: a
 * closed queueing network, which carries 0.945 with a maximum matching in every clock. And an input offers one flit a clock, and
 * that again until it goes: of packets of one flit 8 inputs at 6 outputs, which carries about 0.7. So the bound is wanted where each input keeps
 * its output, and of the other pattern it is stated.
 *
 * aries has to reach the figures of the design; of the other machines they are stated, for packets of all lengths.
 *
 * Built for routers: fast.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tb/golden/router/maxflow.h"
#include "tb/system/router/router_bench.h"

enum { WARM_UP = 6000 };

static struct router_bench b;
static struct router_bench_config config;
static struct flow_matrix matrix;
static cJSON *patterns;
static unsigned clocks; /* of a measurement */

/* Destinations of an input, none: it is silent. */
typedef uint64_t pattern_of(unsigned input);

static uint64_t bit(unsigned port)
{
    return UINT64_C(1) << port;
}

static uint64_t uniform(unsigned input)
{
    (void)input;
    return ~UINT64_C(0) >> (64 - RTR_PORTS);
}

static uint64_t transpose(unsigned input)
{
    return bit(input % RTR_COLS * RTR_ROWS + input / RTR_COLS);
}

static uint64_t complement(unsigned input)
{
    return bit(RTR_PORTS - 1 - input);
}

static uint64_t tornado(unsigned input)
{
    return bit((input + RTR_PORTS / 2 - 1) % RTR_PORTS);
}

/* The inputs of row 1 to the outputs of column 1, each to one. */
static uint64_t row_to_column(unsigned input)
{
    return input / RTR_COLS == 1 ? bit(input % RTR_COLS % RTR_ROWS * RTR_COLS + 1) : 0;
}

/* The same, but each packet to any of them. */
static uint64_t row_to_column_drawn(unsigned input)
{
    uint64_t outputs = 0;
    for (unsigned r = 0; r < RTR_ROWS; r++)
        outputs |= bit(r * RTR_COLS + 1);
    return input / RTR_COLS == 1 ? outputs : 0;
}

static uint64_t hot_output(unsigned input)
{
    (void)input;
    return bit(RTR_PORTS / 2 + 1);
}

/* Lengths of packets: all between, or `shorts` of them the shortest and the others the longest. */
struct lengths {
    const char *name;
    unsigned least, most;
    double shorts;
};

/* The machine that has figures to reach. */
static bool is_main(const struct golden_machine *m)
{
    return strcmp(m->name, "aries") == 0;
}

/* Flits per clock: mean of the inputs that send, and the worst input or, of uniform traffic, output. */
struct rates {
    double mean, worst;
};

static struct rates measure(pattern_of *pattern)
{
    uint64_t from[RTR_PORTS], to[RTR_PORTS];
    struct rates r = {.worst = 1e9};
    unsigned senders = 0;
    memcpy(from, b.golden.from, sizeof from);
    memcpy(to, b.golden.to, sizeof to);
    router_bench_run(&b, clocks);
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        const double in = (double)(b.golden.from[p] - from[p]) / clocks;
        const double out = (double)(b.golden.to[p] - to[p]) / clocks;
        if (pattern(p) == 0)
            continue;
        senders++;
        r.mean += in;
        r.worst = in < r.worst ? in : r.worst;
        r.worst = pattern == uniform && out < r.worst ? out : r.worst;
    }
    r.mean /= senders;
    return r;
}

/* Offered and most that can be accepted, per input that sends. */
static double bound(pattern_of *pattern, double *offered, double *concurrent)
{
    unsigned senders = 0;
    double sum = 0;
    matrix = (struct flow_matrix){.rows = RTR_ROWS, .cols = RTR_COLS};
    for (unsigned i = 0; i < RTR_PORTS; i++) {
        const uint64_t to = pattern(i);
        for (unsigned j = 0; j < RTR_PORTS; j++)
            if (to >> j & 1)
                matrix.demand[i][j] = config.source[i].load / __builtin_popcountll(to);
        senders += to != 0;
        sum += to ? config.source[i].load : 0;
    }
    *offered = sum / senders;
    *concurrent = flow_concurrent(&matrix) / senders;
    return flow_maximum(&matrix) / senders;
}

static void add_to_report(const char *name, const struct lengths *lengths, double offered,
                          struct rates r, double most)
{
    cJSON *entry = cJSON_CreateObject();
    cJSON_AddStringToObject(entry, "pattern", name);
    cJSON_AddStringToObject(entry, "lengths", lengths->name);
    cJSON_AddNumberToObject(entry, "offered", offered);
    cJSON_AddNumberToObject(entry, "accepted_mean", r.mean);
    cJSON_AddNumberToObject(entry, "accepted_min", r.worst);
    cJSON_AddNumberToObject(entry, "bound", most);
    cJSON_AddItemToArray(patterns, entry);
}

static void run(const char *name, pattern_of *pattern, const struct lengths *lengths, uint64_t seed)
{
    double offered, concurrent;
    router_bench_defaults(&config);
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        router_bench_aim(&config, p, pattern(p));
        config.source[p].load = pattern(p) ? 1 : 0;
        config.source[p].min_length = lengths->least;
        config.source[p].max_length = lengths->most;
        config.source[p].shorts = lengths->shorts;
    }
    const double most = bound(pattern, &offered, &concurrent);
    router_bench_start(&b, &config, seed);
    router_bench_run(&b, WARM_UP);
    const struct rates r = measure(pattern);
    const bool has_figures = is_main(config.plan.machine);
    const bool drawn = pattern == uniform || pattern == row_to_column_drawn;
    const struct golden_machine *m = config.plan.machine;
    /* What gemini and yarc state. */
    const bool states = packet_by_end(m) && pattern == uniform;
    const bool slow = states && (r.mean < (m->vcs > 2 ? 0.94 : 0.91) || r.worst < 0.9 * r.mean);
    const double share = !drawn ? 0.98 : lengths->most > 1 ? 0.88 : 0.69;
    const bool enough =
        pattern == uniform ? r.mean >= 0.95 && r.worst >= 0.88 * r.mean : r.mean >= share * most;
    tap_why("accepted %.4f, worst port %.4f, share of the bound %.4f, least %.2f; %" PRIu64
            " packets astray: %s",
            r.mean, r.worst, r.mean / most, pattern == uniform ? 0.95 : share,
            b.golden.misrouted + b.golden.wrong + b.golden.corrupt, b.golden.first_error);
    tap_ok((enough || !has_figures) && !slow &&
               b.golden.misrouted + b.golden.wrong + b.golden.corrupt == 0 &&
               (!drawn || most - concurrent < 1e-3) && r.mean <= most * 1.02,
           "%s, %s, %s: offered %.2f, accepted %.4f, worst port %.4f, bound %.4f, share of the "
           "bound %.4f",
           config.plan.machine->name, name, lengths->name, offered, r.mean, r.worst, most,
           r.mean / most);
    add_to_report(name, lengths, offered, r, most);
    router_bench_free(&b);
}

static void report(const struct golden_machine *m)
{
    char path[80];
    snprintf(path, sizeof path, "build/reports/router-throughput%s%s.json", is_main(m) ? "" : "-",
             is_main(m) ? "" : m->name);
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "machine", m->name);
    cJSON_AddNumberToObject(json, "clocks", clocks);
    cJSON_AddItemToObject(json, "patterns", patterns);
    report_write(path, json);
}

int main(int argc, char **argv)
{
    static const struct lengths lengths[] = {
        {RTR_LENGTH_BITS ? "1 to the longest" : "2 to the longest", RTR_LENGTH_BITS ? 1 : 2,
         RTR_PACKET, 0},
        {"one flit", 1, 1, 0},
        {"one flit and the longest", 1, RTR_PACKET, 0.5},
    };
    const uint64_t seed = test_seed(argc, argv);
    const bool main_machine = is_main(router_bench_machine());
    clocks = main_machine ? 6000 : 5000;
    patterns = cJSON_CreateArray();
    if (packet_by_end(router_bench_machine())) {
        static const struct lengths long_ones = {"2 to the longest", 2, RTR_PACKET, 0};
        static const struct lengths words = {"4 to the longest", 4, RTR_PACKET, 0};
        clocks = 20000;
        run("uniform", uniform, RTR_VCS > 2 ? &long_ones : &words, seed);
        clocks = 5000;
    }
    for (unsigned i = 0; i < (main_machine ? sizeof lengths / sizeof lengths[0] : 1); i++) {
        const struct lengths *l = &lengths[i];
        if (!packet_by_end(router_bench_machine()))
            run("uniform", uniform, l, seed);
        run("transpose", transpose, l, seed);
        run("complement", complement, l, seed);
        run("tornado", tornado, l, seed);
        run("row to column", row_to_column, l, seed);
        run("row to column, drawn", row_to_column_drawn, l, seed);
        run("hot output", hot_output, l, seed);
    }
    report(router_bench_machine());
    return tap_done();
}
