// SPDX-License-Identifier: Apache-2.0
/*
 * record_link.c - what a module of the LCB gets as input under real traffic: two native LCBs run pieces of an error
 * injection campaign (piece.h). Random inputs alone never bring a lane into step nor a word with the right CRC.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "tb/system/link/piece.h"
#include "tb/equiv/lockstep/record.h"

int main(int argc, char **argv)
{
    uint64_t seed, pieces = 10, micropackets = 1000;
    const char *record = NULL;
    test_options(
        argc, argv, &seed, args_text("--record", "FILE", &record, "the record, which is wanted"),
        args_number("--pieces", &pieces, 1, UINT64_MAX, "pieces of the campaign"),
        args_number("--micropackets", &micropackets, 1, UINT64_MAX, "micropackets of a piece"));
    const struct piece_config config = {
        .micropackets = micropackets,
        .ber = -1,
        .burst_rate = 1e-4,
        .lane_deaths = 5e-5,
        .ack_loss = 0.01,
        .ack_forge = 0.01,
    };
    FILE *all = record_open(record);
    struct piece_result sum = {0};

    for (uint64_t n = 0; n < pieces; n++) {
        struct piece_result piece;
        piece_run(&config, seed, n, &piece);
        piece_add(&sum, &piece);
        record_add_to(all);
    }
    tap_note("%" PRIu64 " micropackets, %" PRIu64 " replays, %" PRIu64 " re-initialisations",
             sum.micropackets, sum.replays, sum.reinits);
    tap_ok(piece_good(&sum), "flits as the golden link wants them %s", sum.first_error);
    tap_ok(!ferror(all) && fclose(all) == 0, "the record is written");
    return tap_done();
}
