// SPDX-License-Identifier: Apache-2.0
/*
 * test_device_bist.c - what a person sees of device_bist: the tour of session.c, its rows held against what the READMEs of
 * link and router promise. Nothing is wrong at any time, and nothing lost but by a kill or a restart.
 *
 * Built for proto: san.
 */
#include "hls/board/device_bist.h"
#include "tb/base/harness.h"
#include "tb/blocks/board/rows.h"
#include "tb/blocks/board/session.h"

enum { CLOCKS = 100000 };

/* Columns: seconds, four of each processor, four of each link. */
enum column {
    FLITS = 1,
    LOST,
    CUT,
    WRONG,
    PROCESSOR_1 = 4,
    STATE = 9,
    IN_USE,
    CRC,
    REPLAYS,
    LINK_1 = 4
};

static uint64_t now;
static struct device_bist dut;
static struct session session;
static struct rows rows = {.now = &now};

static void tour(void)
{
    device_bist_reset(&dut);
    session_start(&session, session_tour, rows_line, &rows);
    while (now < CLOCKS) {
        const struct device_bist_in in = {.bit_clocks = SESSION_BIT - 1,
                                          .second = SESSION_SECOND - 1,
                                          .rx = session_step(&session, dut.out.tx)};
        device_bist(&dut, &in);
        now++;
    }
}

/* A row that is wholly of the time behind a clock. */
static const struct row *after(uint64_t clock)
{
    return rows_from(&rows, clock + 2 * SESSION_SECOND);
}

/* Processors get at least so many flits per clock. */
static bool rate(const struct row *row, double least)
{
    const unsigned long flits = (unsigned long)(least * SESSION_SECOND);
    return rows_within(row, FLITS, flits, SESSION_SECOND) &&
           rows_within(row, PROCESSOR_1 + FLITS, flits, SESSION_SECOND);
}

static bool runs(const struct row *row, const char *lanes_to_1)
{
    return rows_is(row, STATE, "run") && rows_is(row, LINK_1 + STATE, "run") &&
           rows_is(row, IN_USE, "3") && rows_is(row, LINK_1 + IN_USE, lanes_to_1);
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
    tap_ok(runs(after(3000), "3") && rate(after(3000), 0.98),
           "both links run, processors get a flit per clock");
    tap_ok(rows_within(after(3500), LINK_1 + CRC, 1, 1) && rows_within(after(3500), REPLAYS, 1, 64),
           "one wrong bit: one CRC error, replays");
    tap_ok(runs(after(16000), "2") && rate(after(16000), 0.95),
           "a lane that is cut: two lanes are enough for half the flits");
    tap_ok(rows_within(after(30000), PROCESSOR_1 + LOST, 0, 0) &&
               rows_within(after(30000), LINK_1 + CRC, 2, 64),
           "noise is repaired");
    tap_ok(rows_is(after(39000), STATE, "dead") &&
               rows_within(after(39000), FLITS, SESSION_SECOND * 4 / 10, SESSION_SECOND * 6 / 10),
           "link 0 killed: processor 0 still gets what it sends to itself");
    tap_ok(runs(after(51000), "2") && rows_within(after(51000), PROCESSOR_1 + LOST, 1, 10000),
           "a restart: both run again, what was sent meanwhile is lost");
    tap_ok(runs(after(67000), "3") && rate(after(67000), 0.93),
           "a lane that is mended is back with the next restart");
    tap_ok(rows_within(after(75000), FLITS, 0, SESSION_SECOND / 10), "traffic stops");
    tap_ok(rows_within(after(84000), LOST, 0, 0) && rows_within(after(84000), LINK_1 + CRC, 0, 0) &&
               runs(after(84000), "3"),
           "counters cleared");
    bool right = true;
    for (unsigned i = 0; i < rows.count; i++)
        right = right && rows_within(&rows.row[i], WRONG, 0, 0) &&
                rows_within(&rows.row[i], PROCESSOR_1 + WRONG, 0, 0);
    tap_ok(right, "no packet was wrong");
    tap_why("%02x", (unsigned)dut.out.led);
    tap_ok(((unsigned)dut.out.led & 0x7f) == 3, "LEDs: both run, and nothing else");
    return tap_done();
}
