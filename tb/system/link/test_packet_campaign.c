// SPDX-License-Identifier: Apache-2.0
/*
 * test_packet_campaign.c - a hundred pieces of the error injection in packet mode, a thousand packets each: none lost, doubled, out of order or
 * changed, no poisoned copy handed up as good. The report is build/reports/packet-campaign.json; make campaign MODE=packet has more.
 *
 * Built for proto24: fast.
 */
#include <inttypes.h>

#include "tb/system/link/pkt_piece.h"

enum { PIECES = 100, PACKETS = 1000 };

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    struct pkt_piece sum = {0};
    for (unsigned n = 0; n < PIECES; n++) {
        struct pkt_piece one;
        pkt_piece_run(seed, n, PACKETS, -1, NULL, &one);
        pkt_piece_add(&sum, &one);
    }
    if (!pkt_piece_good(&sum))
        tap_why("piece %" PRIu64 ": %s", sum.first_bad - 1, sum.first_error);
    tap_ok(pkt_piece_good(&sum),
           "campaign: nothing lost, doubled, out of order, changed or wrongly marked");
    tap_at_least(sum.packets, PIECES * PACKETS, "campaign: packets");
    tap_ok(sum.naks > 100 && sum.rolled_back > 10 && sum.truncated > 10 && sum.reinits > 0 &&
               sum.reported > 0,
           "campaign: naks, copies rolled back and truncated, re-initialisations and reports were "
           "among it");
    tap_note("%" PRIu64 " packets, %" PRIu64 " copies poisoned, %" PRIu64 " escapes, %.2f expected",
             sum.packets, sum.poisoned, sum.escapes, sum.escapes_expected);
    cJSON *report = cJSON_CreateObject();
    cJSON_AddNumberToObject(report, "packets", (double)sum.packets);
    cJSON_AddNumberToObject(report, "lost", (double)sum.lost);
    cJSON_AddNumberToObject(report, "changed", (double)sum.changed);
    cJSON_AddNumberToObject(report, "poisoned", (double)sum.poisoned);
    cJSON_AddNumberToObject(report, "poisoned_good", (double)sum.poisoned_good);
    cJSON_AddNumberToObject(report, "escapes", (double)sum.escapes);
    cJSON_AddNumberToObject(report, "escapes_expected", sum.escapes_expected);
    tap_ok(report_write("build/reports/packet-campaign.json", report),
           "build/reports/packet-campaign.json is written");
    return tap_done();
}
