// SPDX-License-Identifier: Apache-2.0
/*
 * test_mean_serial.c - mean_serial by its pins: lines are typed, their means are read as characters.
 *
 * What must hold, from mean_serial.h: a character for each line that is not empty, the mean of its characters, rounded down, and LEDs
 * that show the last one.
 *
 * Built for aries: san.
 */
#include <string.h>

#include "tb/base/harness.h"
#include "hls/example/mean_serial.h"

enum { BIT = 16 }; /* clocks */

static struct mean_serial dut;
static uint64_t now;

/* What is heard: bits in the middle of their time. */
static struct {
    unsigned clocks, bits, shift;
    char text[64];
    size_t length;
} heard;

static void listen(bool tx)
{
    if (heard.bits == 0 && !tx) {
        heard.bits = 10;
        heard.clocks = BIT / 2;
    } else if (heard.bits != 0 && --heard.clocks == 0) {
        heard.clocks = BIT;
        heard.shift = heard.shift >> 1 | (unsigned)tx << 9;
        if (--heard.bits == 0 && heard.length < sizeof heard.text - 1)
            heard.text[heard.length++] = (char)(heard.shift >> 1 & 0xff);
    }
}

static void bit(bool rx)
{
    const struct mean_serial_in in = {.bit_clocks = BIT - 1, .second = 9999, .rx = rx};
    for (unsigned i = 0; i < BIT; i++) {
        mean_serial(&dut, &in);
        listen(dut.out.tx);
        now++;
    }
}

static void type(const char *text)
{
    for (; *text; text++) {
        bit(false);
        for (unsigned i = 0; i < 8; i++)
            bit((unsigned char)*text >> i & 1);
        bit(true);
    }
}

/* The lines, and all that is to be heard behind them. */
static void says(const char *lines, const char *answers)
{
    memset(&heard, 0, sizeof heard);
    type(lines);
    for (unsigned i = 0; i < 20; i++)
        bit(true);
    tap_why("heard \"%s\"", heard.text);
    tap_ok(strcmp(heard.text, answers) == 0 &&
               dut.out.led == (unsigned char)answers[strlen(answers) - 1],
           "lines of %zu characters, %zu answers", strlen(lines), strlen(answers));
}

int main(int argc, char **argv)
{
    char line[200];
    test_seed(argc, argv);
    harness_clock = &now;
    mean_serial_reset(&dut);
    bit(true);
    says("ac\n", "b");
    says("a\r\nzz{\r\n\n", "az");
    memset(line, 'x', sizeof line);
    memcpy(line + sizeof line - 3, "\xff\r", 3);
    says(line, "x");
    return tap_done();
}
