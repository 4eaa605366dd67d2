// SPDX-License-Identifier: Apache-2.0
/*
 * campaign.c - the long error injection: pieces of piece.h until enough micropackets went by.
 *
 * Pieces run in worker processes, each from a seed of its own, and come back through a pipe as they
 * end; so any of them can be run again alone. Linked with the Verilated LCB (campaign-rtl) and given
 * --rtl, every piece runs in lockstep with the RTL. Ends with a table and a JSON report; exit status
 * 1 if anything was lost, duplicated, reordered, corrupt or otherwise wrong.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/system/link/piece.h"
#include "sim/base/whole.h"
#include "tb/base/workers.h"

/* Only there when linked with the RTL. */
extern const struct cosim_module lcb_cosim __attribute__((weak));

static const char usage[] =
    "usage: campaign [--micropackets N] [--pieces K] [--seed S] [--piece I] [--jobs J]\n"
    "                [--ber X] [--burst X] [--lane-deaths X] [--ack-loss X] [--ack-forge X]\n"
    "                [--rtl] [--json FILE]\n"
    "  --ber X          bit error rate; without it each piece draws one from 1e-7 to 1e-3\n"
    "  --burst X        bursts of 1 to 64 bits, per clock and direction (1e-5)\n"
    "  --lane-deaths X  per clock (2e-6); --ack-loss X, --ack-forge X per ack (0.01)\n"
    "  --piece I        run piece I alone, as in the campaign with this seed\n"
    "  --rtl            in lockstep with the RTL (campaign-rtl)\n";

/* ---- options ---------------------------------------------------------------------------------- */

/* Numbers as typed; those below 0 were not given. */
static struct {
    double micropackets, pieces, seed, piece, jobs, ber, burst, lane_deaths, ack_loss, ack_forge;
    bool rtl;
    const char *json;
} given = {.micropackets = 1e6,
           .pieces = 20,
           .seed = 1,
           .piece = -1,
           .jobs = 1,
           .ber = -1,
           .burst = 1e-5,
           .lane_deaths = 2e-6,
           .ack_loss = 0.01,
           .ack_forge = 0.01,
           .json = "build/reports/campaign.json"};

static const struct {
    const char *name;
    double *value;
    double most;
} numbers[] = {
    {"--micropackets", &given.micropackets, 1e15},
    {"--pieces", &given.pieces, 1e9},
    {"--seed", &given.seed, 1e15},
    {"--piece", &given.piece, 1e9},
    {"--jobs", &given.jobs, WORKERS_MOST},
    {"--ber", &given.ber, 0.5},
    {"--burst", &given.burst, 1},
    {"--lane-deaths", &given.lane_deaths, 1},
    {"--ack-loss", &given.ack_loss, 1},
    {"--ack-forge", &given.ack_forge, 1},
};

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "campaign: %s %s\n%s", what, why, usage);
    exit(EXIT_FAILURE);
}

static bool read_number(const char *name, const char *text)
{
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (strcmp(name, numbers[i].name) != 0)
            continue;
        char *end = NULL;
        const double value = text ? strtod(text, &end) : -1;
        if (!text || end == text || *end || !(value >= 0 && value <= numbers[i].most))
            fail(name, "wants a number in its range");
        *numbers[i].value = value;
        return true;
    }
    return false;
}

static void read_options(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--rtl") == 0)
            given.rtl = true;
        else if (strcmp(argv[i], "--json") == 0 && i + 1 < argc)
            given.json = argv[++i];
        else if (read_number(argv[i], argv[i + 1]))
            i++;
        else
            fail(argv[i], "is not an option");
    }
    if (given.pieces < 1 || given.jobs < 1 || given.micropackets < given.pieces)
        fail("--pieces, --jobs", "are at least 1, with a micropacket for each piece");
    if (given.rtl && !&lcb_cosim)
        fail("--rtl", "needs build/bin/campaign-rtl");
    if (!whole_possible(given.json))
        fail(given.json, strerror(errno));
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
    piece_run(run->config, (uint64_t)given.seed, n, result);
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
        .jobs = (unsigned)given.jobs,
        .runs = (uint64_t)given.pieces,
        .size = sizeof(struct piece_result),
        .context = &run,
        .run = run_piece,
        .take = take_piece,
    };
    progress_start(&run.progress, "campaign, micropackets", (uint64_t)given.micropackets,
                   (uint64_t)given.seed);
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
    cJSON_AddNumberToObject(json, "seed", given.seed);
    cJSON_AddNumberToObject(json, "ber", given.ber);
    cJSON_AddNumberToObject(json, "burst_rate", given.burst);
    cJSON_AddNumberToObject(json, "lane_death_rate", given.lane_deaths);
    cJSON_AddNumberToObject(json, "lockstep_cycles", given.rtl ? (double)sum->clocks : 0);
    return report_write(given.json, json);
}

int main(int argc, char **argv)
{
    read_options(argc, argv);
    const struct piece_config config = {
        .micropackets = (uint64_t)(given.micropackets / given.pieces) + 1,
        .ber = given.ber,
        .burst_rate = given.burst,
        .lane_deaths = given.lane_deaths,
        .ack_loss = given.ack_loss,
        .ack_forge = given.ack_forge,
        .cosim = given.rtl ? &lcb_cosim : NULL,
    };
    struct piece_result sum = {0};
    bool ended = true;
    printf("campaign: %.0f micropackets in %.0f pieces, SEED=%.0f%s\n", given.micropackets,
           given.pieces, given.seed, given.rtl ? ", in lockstep with the RTL" : "");
    if (given.piece >= 0)
        piece_run(&config, (uint64_t)given.seed, (uint64_t)given.piece, &sum);
    else
        ended = run_all(&config, &sum);
    print_result(&sum);
    if (sum.first_error[0])
        printf("first error, in piece %" PRIu64 ": %s\n", sum.first_bad, sum.first_error);
    const bool written = write_report(&sum);
    if (written)
        printf("report: %s\n", given.json);
    return whole_status(ended && written && piece_good(&sum));
}
