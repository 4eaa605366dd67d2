// SPDX-License-Identifier: Apache-2.0
/*
 * demo.c - the whole way at work: two LCBs back to back over a bad cable, the C model and the
 * Verilog made from it in lockstep, a golden link watching what is delivered.
 *
 * Three lanes, then a lane dies, then another; then all come back, a waveform is opened and one dies
 * again. Bit errors, bursts, lost and forged acks all the while. Ends with a table,
 * build/reports/demo.json and build/demo/lcb.fst; exit status 1 if anything was wrong.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/base/whole.h"
#include "tb/system/link/link_bench.h"
#include "tb/system/programs/options.h"

extern const struct cosim_module lcb_cosim;

enum {
    UP_LIMIT = 20000,
    DRAIN_LIMIT = 400000,
    FEW = 1000, /* clocks between looks at the progress line */
    SHAKE = 800,
    TRACED = 3000, /* clocks of the waveform before and after the last death */
    SETTLE = 2000,
    LEAST_CYCLES = 50000,
};

static const char json_path[] = "build/reports/demo.json";
static const char *const fst_path[2] = {"build/demo/lcb.fst", "build/demo/peer.fst"};

struct demo {
    struct bench bench;
    struct progress progress;
    double rate[CHANNEL_LANES + 1]; /* flits per clock of direction 0, by number of lanes */
    bool stuck;
};

/* Everything ends at the first difference: from there on the two would only drift apart. */
static bool agrees(const struct demo *d)
{
    return bench_mismatches(&d->bench) == 0;
}

static void run_until(struct demo *d, uint64_t clock)
{
    while (d->bench.clock < clock && agrees(d)) {
        const uint64_t left = clock - d->bench.clock;
        bench_run(&d->bench, left < FEW ? left : FEW);
        progress_show(&d->progress, d->bench.clock);
    }
}

static void run(struct demo *d, uint64_t clocks)
{
    run_until(d, d->bench.clock + clocks);
}

static void await_lanes(struct demo *d, unsigned lanes)
{
    const struct lcb_out *out = &d->bench.end[0].lcb->out;
    for (unsigned n = 0; n < UP_LIMIT && agrees(d); n++) {
        if (out->state == LINK_RUN && d->bench.end[1].lcb->out.state == LINK_RUN &&
            (unsigned)__builtin_popcount(out->tx_map) == lanes)
            return;
        bench_step(&d->bench);
    }
    d->stuck = true;
}

/* Payload rate of direction 0 on so many lanes, from when it has them until a clock. */
static void measure(struct demo *d, unsigned lanes, uint64_t until)
{
    await_lanes(d, lanes);
    run(d, SETTLE);
    const uint64_t before = d->bench.end[0].flow.delivered, start = d->bench.clock;
    run_until(d, until);
    d->rate[lanes] =
        (double)(d->bench.end[0].flow.delivered - before) / (double)(d->bench.clock - start);
}

static void all_lanes(struct demo *d, enum lane_state state)
{
    for (unsigned l = 0; l < CHANNEL_LANES; l++)
        channel_lane(&d->bench.cable[0], l, state);
}

static void play(struct demo *d, uint64_t cycles)
{
    struct bench *b = &d->bench;
    measure(d, 3, cycles * 4 / 10);
    channel_lane(&b->cable[0], 1, LANE_DOWN);
    measure(d, 2, cycles * 7 / 10);
    channel_lane(&b->cable[0], 2, LANE_NOISE);
    measure(d, 1, cycles * 9 / 10);
    all_lanes(d, LANE_NOISE);
    run(d, SHAKE);
    all_lanes(d, LANE_GOOD);
    await_lanes(d, 3);
    run_until(d, cycles - 4 * (uint64_t)TRACED);

    if (!agrees(d))
        return;
    whole_make_folder("build/demo");
    for (unsigned i = 0; i < 2; i++)
        b->config.cosim->rtl_trace(b->end[i].dut.rtl, fst_path[i]);
    run(d, TRACED);
    channel_lane(&b->cable[0], 0, LANE_ONE);
    await_lanes(d, 2);
    run(d, TRACED);
    run_until(d, cycles);
    d->stuck |= agrees(d) && !bench_drain(b, DRAIN_LIMIT);
}

static struct bench_config configure(void)
{
    struct bench_config config = bench_defaults();
    config.cosim = &lcb_cosim;
    for (unsigned i = 0; i < 2; i++) {
        config.cable[i].delay = 20 + 3 * i;
        config.cable[i].ber = 1e-6;
        config.cable[i].burst_rate = 2e-5;
        config.cable[i].burst_across = true;
        config.cable[i].ack_loss = 1e-3;
        config.cable[i].ack_forge = 1e-3;
        config.cable[i].skew[i] = 3;
        config.cable[i].skew[2] = 7;
    }
    return config;
}

/* ---- result ---------------------------------------------------------------------------------- */

struct figures {
    uint64_t sent, delivered, lost, duplicated, reordered, corrupt, wrong;
};

static struct figures add_up(const struct bench *b)
{
    struct figures sum = {0};
    for (unsigned i = 0; i < 2; i++) {
        const struct golden_flow *f = &b->end[i].flow;
        sum.sent += f->sent;
        sum.delivered += f->delivered;
        sum.lost += golden_lost(f);
        sum.duplicated += f->duplicated;
        sum.reordered += f->reordered;
        sum.corrupt += f->corrupt;
        sum.wrong +=
            f->wrong + b->end[i].sink.overflows + b->end[i].early_epochs + b->end[i].times.count;
    }
    return sum;
}

static void row(const char *name, uint64_t value)
{
    printf("  %-38s %14" PRIu64 "\n", name, value);
}

static void print_table(const struct demo *d, const struct figures *f, double native, double rtl)
{
    const struct bench *b = &d->bench;
    printf("\n");
    row("flits sent", f->sent);
    row("flits delivered", f->delivered);
    row("lost", f->lost);
    row("duplicated", f->duplicated);
    row("reordered", f->reordered);
    row("corrupt", f->corrupt);
    row("marks, credits or times wrong", f->wrong);
    row("micropackets with errors", b->cable[0].errored + b->cable[1].errored);
    row("CRC errors", bench_count(b, 2, COUNT_CRC));
    row("micropackets sent again", bench_count(b, 2, COUNT_REPLAYS));
    row("forged acks refused", bench_count(b, 2, COUNT_ACK_BAD));
    row("re-initialisations", bench_count(b, 2, COUNT_REINITS));
    row("undetectable error patterns", bench_escapes(b));
    for (unsigned lanes = CHANNEL_LANES; lanes > 0; lanes--)
        printf("  payload on %u lane%s %22s %8.4f flits per clock (without errors %.4f)\n", lanes,
               lanes > 1 ? "s" : " ", "", d->rate[lanes], 0.9 * lanes / CHANNEL_LANES);
    row("lockstep clocks, two LCBs each", b->clock);
    row("lockstep mismatches", bench_mismatches(b));
    row("failed assertions", harness_failures());
    printf("  %-38s %14.0f clocks of the pair per second\n", "native C", native);
    printf("  %-38s %14.0f\n", "Verilator", rtl);
}

static bool write_report(const struct demo *d, const struct figures *f, double native, double rtl)
{
    const struct bench *b = &d->bench;
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "flits_sent", (double)f->sent);
    cJSON_AddNumberToObject(json, "flits_delivered", (double)f->delivered);
    cJSON_AddNumberToObject(json, "lost", (double)f->lost);
    cJSON_AddNumberToObject(json, "duplicated", (double)f->duplicated);
    cJSON_AddNumberToObject(json, "reordered", (double)f->reordered);
    cJSON_AddNumberToObject(json, "corrupt", (double)f->corrupt);
    cJSON_AddNumberToObject(json, "lockstep_cycles", (double)b->clock);
    cJSON_AddNumberToObject(json, "mismatches", (double)bench_mismatches(b));
    cJSON_AddNumberToObject(json, "wrong", (double)f->wrong);
    cJSON_AddNumberToObject(json, "escapes", (double)bench_escapes(b));
    cJSON_AddNumberToObject(json, "failed_checks", (double)harness_failures());
    cJSON_AddNumberToObject(json, "crc_errors", (double)bench_count(b, 2, COUNT_CRC));
    cJSON_AddNumberToObject(json, "replays", (double)bench_count(b, 2, COUNT_REPLAYS));
    cJSON_AddNumberToObject(json, "reinitialisations", (double)bench_count(b, 2, COUNT_REINITS));
    cJSON *rates = cJSON_AddArrayToObject(json, "flits_per_clock_on_1_2_3_lanes");
    for (unsigned lanes = 1; lanes <= CHANNEL_LANES; lanes++)
        cJSON_AddItemToArray(rates, cJSON_CreateNumber(d->rate[lanes]));
    cJSON_AddNumberToObject(json, "native_clocks_per_second", native);
    cJSON_AddNumberToObject(json, "verilator_clocks_per_second", rtl);
    cJSON_AddNumberToObject(json, "seed", (double)d->progress.seed);
    return report_write(json_path, json);
}

int main(int argc, char **argv)
{
    uint64_t seed, cycles = 1000000;
    const char *info = "build/rtl/aries/lcb.json";
    const struct args_option rows[] = {options_demo(&cycles, LEAST_CYCLES, &info), args_end()};
    const struct args args = {.about =
                                  "Two links at work over a bad cable, C and Verilog in lockstep.",
                              .option = rows,
                              .seed = &seed};
    static struct demo d;
    (void)args_read(&args, argc, argv);
    const struct bench_config config = configure();
    struct bench *b = &d.bench;

    printf("two LCBs back to back, C and RTL in lockstep, %" PRIu64 " clocks, --seed %" PRIu64 "\n",
           cycles, seed);
    fflush(stdout);
    progress_start(&d.progress, "demo, clocks", cycles, seed);
    bench_start(b, &config, seed);
    play(&d, cycles);
    progress_end(&d.progress, b->clock);

    const struct figures f = add_up(b);
    const double native = b->end[0].dut.native_seconds + b->end[1].dut.native_seconds;
    const double rtl = b->end[0].dut.rtl_seconds + b->end[1].dut.rtl_seconds;
    print_table(&d, &f, (double)b->clock / native, (double)b->clock / rtl);
    for (unsigned i = 0; i < 2; i++) {
        dut_explain(&b->end[i].dut, info);
        if (b->end[i].flow.first_error[0])
            printf("from LCB %u: %s\n", i, b->end[i].flow.first_error);
    }
    const bool good = bench_clean(b) && !d.stuck && bench_mismatches(b) == 0 &&
                      bench_escapes(b) == 0 && harness_failures() == 0;
    const bool written = write_report(&d, &f, (double)b->clock / native, (double)b->clock / rtl);
    bench_free(b);
    printf("\nreport: %s   waveform: %s (make wave)\n%s\n", json_path, fst_path[0],
           good ? "everything agreed" : "SOMETHING IS WRONG");
    return whole_status(good && written);
}
