// SPDX-License-Identifier: Apache-2.0
/*
 * test_link_bist.c - what a person sees of link_bist: the tour of session.c, its rows held against what link/README.md
 * promises of a link. Nothing is wrong at any time, and nothing lost but by a kill or a restart.
 *
 * Built for proto: san.
 */
#include "hls/board/link_bist.h"
#include "tb/base/harness.h"
#include "tb/blocks/board/rows.h"
#include "tb/blocks/board/session.h"

enum { CLOCKS = 100000 };

/* Columns: seconds, then eight of each end. */
enum { END_B = 8 };
enum column { STATE = 1, IN_USE, FLITS, LOST, CUT, WRONG, CRC, REPLAYS };

static uint64_t now;
static struct link_bist dut;
static struct session session;
static struct rows rows = {.now = &now};

static unsigned leds(void)
{
    return (unsigned)dut.out.led;
}

static void tour(void)
{
    link_bist_reset(&dut);
    session_start(&session, session_tour, rows_line, &rows);
    while (now < CLOCKS) {
        const struct link_bist_in in = {.bit_clocks = SESSION_BIT - 1,
                                        .second = SESSION_SECOND - 1,
                                        .rx = session_step(&session, dut.out.tx)};
        link_bist(&dut, &in);
        now++;
    }
}

/* A row that is wholly of the time behind a clock. */
static const struct row *after(uint64_t clock)
{
    return rows_from(&rows, clock + 2 * SESSION_SECOND);
}

static bool runs(const struct row *row, const char *lanes_to_b, double rate_of_b)
{
    const unsigned long b = (unsigned long)(rate_of_b * SESSION_SECOND);
    return rows_is(row, STATE, "run") && rows_is(row, END_B + STATE, "run") &&
           rows_is(row, IN_USE, "3") && rows_is(row, END_B + IN_USE, lanes_to_b) &&
           rows_within(row, FLITS, SESSION_SECOND * 88 / 100, SESSION_SECOND) &&
           rows_within(row, END_B + FLITS, b * 97 / 100, b * 103 / 100);
}

int main(int argc, char **argv)
{
    test_no_options(argc, argv);
    harness_clock = &now;
    tour();
    tap_why("%u rows, %u other lines, %u characters without a stop bit", rows.count, rows.others,
            session.framing);
    tap_ok(rows.count >= 30 && session.framing == 0,
           "a row each second but for those in which the help or an answer is printed");
    tap_ok(runs(after(3000), "3", 0.9), "both ends run, 0.9 flits per clock");
    /* holds bist.one_bit */
    tap_ok(rows_within(after(3500), END_B + CRC, 1, 1) && rows_within(after(3500), REPLAYS, 1, 64),
           "one wrong bit: one CRC error, replays");
    tap_ok(rows_within(after(3500), LOST, 0, 0) && rows_within(after(3500), END_B + LOST, 0, 0),
           "and nothing is lost");
    tap_ok(runs(after(16000), "2", 0.6), "a lane that is cut: 0.6 flits per clock over the others");
    tap_ok(rows_within(after(30000), END_B + LOST, 0, 0) &&
               rows_within(after(30000), END_B + CRC, 2, 64),
           "noise is repaired");
    tap_ok(rows_is(after(39000), STATE, "dead") && rows_within(after(39000), END_B + FLITS, 0, 0),
           "a kill: dead, and nothing comes");
    tap_ok(runs(after(51000), "2", 0.6), "a restart: both run again");
    tap_ok(rows_within(after(51000), END_B + LOST, 1, 10000), "what was sent meanwhile is lost");
    /* holds bist.lanes */
    tap_ok(runs(after(67000), "3", 0.9), "a lane that is mended is back with the next restart");
    tap_ok(rows_within(after(75000), END_B + FLITS, 0, 0), "traffic stops");
    tap_ok(rows_within(after(84000), LOST, 0, 0) && rows_within(after(84000), END_B + CRC, 0, 0) &&
               runs(after(84000), "3", 0.9),
           "counters cleared");
    bool right = true;
    for (unsigned i = 0; i < rows.count; i++)
        right = right && rows_within(&rows.row[i], WRONG, 0, 0) &&
                rows_within(&rows.row[i], END_B + WRONG, 0, 0);
    /* holds bist.wrong */
    tap_ok(right, "no packet was wrong");
    tap_why("%02x", leds());
    tap_ok((leds() & 0x7f) == 3, "LEDs: both run, and nothing else");
    return tap_done();
}
