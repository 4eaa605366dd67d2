// SPDX-License-Identifier: Apache-2.0
/*
 * campaign.c - the long error injection: pieces of piece.h until enough micropackets went by.
 *
 * Pieces run in worker processes, each from a seed of its own, and come back through a pipe as they
 * end; so any of them can be run again alone. Linked with the Verilated LCB (campaign-rtl) and given
 * --rtl, every piece runs in lockstep with the RTL. Ends with a table and a JSON report; exit status
 * 1 if anything was lost, duplicated, reordered, corrupt or otherwise wrong.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tb/system/link/piece.h"
#include "tb/system/programs/options.h"

/* Only there when linked with the RTL. */
extern const struct cosim_module lcb_cosim __attribute__((weak));

/* ---- options ---------------------------------------------------------------------------------- */

static struct {
    struct options_campaign common;
    uint64_t micropackets;
    double burst, lane_deaths, ack_loss, ack_forge;
} given = {.common = {.pieces = 20,
                      .piece = UINT64_MAX,
                      .jobs = 1,
                      .ber = -1,
                      .json = "build/reports/campaign.json"},
           .micropackets = 1000000,
           .burst = 1e-5,
           .lane_deaths = 2e-6,
           .ack_loss = 0.01,
           .ack_forge = 0.01};

static void read_options(int argc, char **argv)
{
    const struct args_option rows[] = {
        args_number("--micropackets", &given.micropackets, 1, UINT64_MAX,
                    "micropackets on the wire, of all pieces"),
        options_campaign(&given.common, "campaign-rtl"),
        args_rate("--burst", &given.burst, "bursts of 1 to 64 bits, per clock and direction"),
        args_rate("--lane-deaths", &given.lane_deaths, "deaths of a lane, per clock"),
        args_rate("--ack-loss", &given.ack_loss, "lost acks, per ack"),
        args_rate("--ack-forge", &given.ack_forge, "forged acks, per ack"),
        args_end()};
    const struct args args = {
        .about = "Injects errors between two links until enough micropackets went by.",
        .option = rows,
        .seed = &given.common.seed};
    (void)args_read(&args, argc, argv);
    if (given.micropackets < given.common.pieces)
        sim_fail("--micropackets %" PRIu64 ": a micropacket at least for each of %" PRIu64
                 " pieces",
                 given.micropackets, given.common.pieces);
    options_campaign_check(&given.common, &lcb_cosim, "campaign-rtl");
}

/* ---- all pieces ------------------------------------------------------------------------------- */

static_assert(sizeof(struct piece_result) <= WORKERS_RESULT);

struct run {
    const struct piece_config *config;
    struct piece_result *sum;
    struct progress progress;
};

static void run_piece(void *context, uint64_t n, void *result)
{
    const struct run *run = context;
    piece_run(run->config, given.common.seed, n, result);
}

static void take_piece(void *context, const void *result)
{
    struct run *run = context;
    const struct piece_result *one = result;
    if (!piece_good(one))
        fprintf(stderr, "campaign: piece %" PRIu64 " is bad: %s\n", one->first_bad,
                one->first_error);
    piece_add(run->sum, one);
    progress_show(&run->progress, run->sum->micropackets);
}

static bool run_all(const struct piece_config *config, struct piece_result *sum)
{
    struct run run = {.config = config, .sum = sum};
    const struct workers_task task = {
        .jobs = given.common.jobs,
        .runs = given.common.pieces,
        .size = sizeof(struct piece_result),
        .context = &run,
        .run = run_piece,
        .take = take_piece,
    };
    progress_start(&run.progress, "campaign, micropackets", given.micropackets, given.common.seed);
    const bool came = workers_run(&task);
    progress_end(&run.progress, sum->micropackets);
    return came;
}

/* ---- result ----------------------------------------------------------------------------------- */

static void print_result(const struct piece_result *p)
{
    const struct {
        const char *name;
        uint64_t value;
    } rows[] = {{"micropackets on the wire", p->micropackets},
                {"flits sent", p->flits_sent},
                {"flits delivered", p->flits_delivered},
                {"flits reported by dead links", p->flits_reported},
                {"lost", p->lost},
                {"duplicated", p->duplicated},
                {"reordered", p->reordered},
                {"corrupt", p->corrupt},
                {"otherwise wrong", p->wrong},
                {"escapes", p->escapes},
                {"micropackets with errors", p->errored},
                {"bursts", p->bursts},
                {"lane deaths", p->lane_deaths},
                {"acks forged outside the window", p->acks_forged},
                {"acks refused", p->acks_refused},
                {"CRC errors", p->crc_errors},
                {"replays", p->replays},
                {"timeouts", p->timeouts},
                {"re-initialisations", p->reinits},
                {"dead links", p->deaths},
                {"clocks", p->clocks},
                {"lockstep mismatches", p->mismatches},
                {"failed assertions", p->failed_checks}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        printf("  %-34s %16" PRIu64 "\n", rows[i].name, rows[i].value);
    printf("  %-34s %16.4f\n", "escapes expected", p->escapes_expected);
}

static bool write_report(const struct piece_result *sum)
{
    cJSON *json = piece_json(sum);
    cJSON_AddNumberToObject(json, "seed", (double)given.common.seed);
    cJSON_AddNumberToObject(json, "ber", given.common.ber);
    cJSON_AddNumberToObject(json, "burst_rate", given.burst);
    cJSON_AddNumberToObject(json, "lane_death_rate", given.lane_deaths);
    cJSON_AddNumberToObject(json, "lockstep_cycles", given.common.rtl ? (double)sum->clocks : 0);
    return report_write(given.common.json, json);
}

int main(int argc, char **argv)
{
    read_options(argc, argv);
    const struct piece_config config = {
        .micropackets = given.micropackets / given.common.pieces + 1,
        .ber = given.common.ber,
        .burst_rate = given.burst,
        .lane_deaths = given.lane_deaths,
        .ack_loss = given.ack_loss,
        .ack_forge = given.ack_forge,
        .cosim = given.common.rtl ? &lcb_cosim : NULL,
    };
    struct piece_result sum = {0};
    bool ended = true;
    printf("campaign: %" PRIu64 " micropackets in %" PRIu64 " pieces, --seed %" PRIu64 "%s\n",
           given.micropackets, given.common.pieces, given.common.seed,
           given.common.rtl ? ", in lockstep with the RTL" : "");
    if (given.common.piece != UINT64_MAX)
        piece_run(&config, given.common.seed, given.common.piece, &sum);
    else
        ended = run_all(&config, &sum);
    print_result(&sum);
    if (sum.first_error[0])
        printf("first error, in piece %" PRIu64 ": %s\n", sum.first_bad, sum.first_error);
    const bool written = write_report(&sum);
    if (written)
        printf("report: %s\n", given.common.json);
    return whole_status(ended && written && piece_good(&sum));
}
