// SPDX-License-Identifier: Apache-2.0
/*
 * packet_campaign.c - the long error injection in packet mode: pieces of pkt_piece.h until enough packets went by.
 *
 * Pieces run in worker processes, each from a seed of its own. Linked with the Verilated LCB (packet-campaign-rtl) and given --rtl,
 * every piece runs in lockstep with the RTL. Ends with a table and a JSON report; exit status 1 if anything was lost, doubled, out of
 * order, changed or otherwise wrong.
 */
#include <inttypes.h>
#include <stdio.h>

#include "tb/system/link/pkt_piece.h"
#include "tb/system/programs/options.h"

/* Only there when linked with the RTL. */
extern const struct cosim_module lcb_cosim __attribute__((weak));

static struct {
    struct options_campaign common;
    uint64_t packets;
} given = {.common = {.pieces = 200,
                      .piece = UINT64_MAX,
                      .jobs = 1,
                      .ber = -1,
                      .json = "build/reports/packet-campaign.json"},
           .packets = 1000000};

static struct pkt_piece sum;
static struct progress progress;

static_assert(sizeof(struct pkt_piece) <= WORKERS_RESULT);

static void run_piece(void *context, uint64_t n, void *result)
{
    (void)context;
    pkt_piece_run(given.common.seed, n, given.packets / given.common.pieces, given.common.ber,
                  given.common.rtl ? &lcb_cosim : NULL, result);
}

static void take_piece(void *context, const void *result)
{
    (void)context;
    const struct pkt_piece *one = result;
    if (!pkt_piece_good(one))
        fprintf(stderr, "packet-campaign: piece %" PRIu64 " is bad: %s\n", one->first_bad - 1,
                one->first_error);
    pkt_piece_add(&sum, one);
    progress_show(&progress, sum.packets);
}

static bool finish(void)
{
    const struct {
        const char *name;
        uint64_t value;
    } rows[] = {
        {"packets", sum.packets},
        {"came", sum.good},
        {"reported", sum.reported},
        {"lost", sum.lost},
        {"changed", sum.changed},
        {"wrong", sum.wrong},
        {"poisoned", sum.poisoned},
        {"poisoned_good", sum.poisoned_good},
        {"rolled_back", sum.rolled_back},
        {"truncated", sum.truncated},
        {"naks", sum.naks},
        {"timeouts", sum.timeouts},
        {"reinitialisations", sum.reinits},
        {"deaths", sum.deaths},
        {"bit_errors", sum.bit_errors},
        {"hits", sum.hits},
        {"escapes", sum.escapes},
        {"mismatches", sum.mismatches},
        {"clocks", sum.clocks},
    };
    cJSON *report = cJSON_CreateObject();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        printf("%-20s %12" PRIu64 "\n", rows[i].name, rows[i].value);
        cJSON_AddNumberToObject(report, rows[i].name, (double)rows[i].value);
    }
    printf("%-20s %12.2f\n", "escapes_expected", sum.escapes_expected);
    cJSON_AddNumberToObject(report, "escapes_expected", sum.escapes_expected);
    cJSON_AddNumberToObject(report, "seed", (double)given.common.seed);
    cJSON_AddBoolToObject(report, "rtl", given.common.rtl);
    return report_write(given.common.json, report) && pkt_piece_good(&sum);
}

int main(int argc, char **argv)
{
    const struct args_option rows[] = {
        args_number("--packets", &given.packets, 1, UINT64_MAX, "packets handed in, of all pieces"),
        options_campaign(&given.common, "packet-campaign-rtl"), args_end()};
    const struct args args = {
        .about = "Injects errors between two links in packet mode until enough packets went by.",
        .option = rows,
        .seed = &given.common.seed};
    (void)args_read(&args, argc, argv);
    if (given.packets < given.common.pieces)
        sim_fail("--packets %" PRIu64 ": a packet at least for each of %" PRIu64 " pieces",
                 given.packets, given.common.pieces);
    options_campaign_check(&given.common, &lcb_cosim, "packet-campaign-rtl");
    if (given.common.piece != UINT64_MAX) {
        struct pkt_piece one;
        progress_start(&progress, "piece, packets", given.packets / given.common.pieces,
                       given.common.seed);
        run_piece(NULL, given.common.piece, &one);
        take_piece(NULL, &one);
        return finish() ? 0 : 1;
    }
    const struct workers_task task = {.jobs = given.common.jobs,
                                      .runs = given.common.pieces,
                                      .size = sizeof(struct pkt_piece),
                                      .run = run_piece,
                                      .take = take_piece};
    progress_start(&progress, "campaign, packets", given.packets, given.common.seed);
    const bool came = workers_run(&task);
    progress_end(&progress, sum.packets);
    return finish() && came ? 0 : 1;
}
