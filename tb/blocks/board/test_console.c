// SPDX-License-Identifier: Apache-2.0
/*
 * test_console.c - the console and its serial line, by itself: numbers as printf prints them, commands as writes on the
 * bus, words; and a receiver that is off in its rate, or has a line that hangs.
 *
 * Built for proto: san.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "hls/board/console.h"
#include "tb/base/harness.h"
#include "tb/blocks/board/session.h"

enum {
    WIDTH = 10,
    REGISTER = 0x4321,
    ORDER = 0x1234,
    DATA = 0xbeef,
    ROW = 16,
    ANSWER = 32,
    WORDS = 64
};

static uint64_t now; /* clocks so far: failed assertions say it */

/* ---- the board around a console: a table of texts and a bus, each as late as is allowed -------------------- */

struct bench {
    struct console dut;
    struct console_text answers[2]; /* of the clock before, and of the one before that */
    struct session session;
    uint32_t value;              /* of REGISTER */
    bool words;                  /* it is shown as a word */
    unsigned patience;           /* clocks until the bus answers */
    unsigned reads, writes, odd; /* requests; of another address, or with other data */
    char line[4 * SESSION_LINE]; /* all that has been printed since it was emptied */
};

static const char texts[128] = {
    [ROW] = '<',
    [ROW + 1] = (char)TEXT_FIELD,
    [ROW + 2] = '>',
    [ROW + 3] = '\n',
    [ANSWER] = 'o',
    [ANSWER + 1] = 'k',
    [ANSWER + 2] = '\n',
    [WORDS] = 'n',
    [WORDS + 1] = 'o',
    [WORDS + TEXT_WORD] = 'y',
    [WORDS + TEXT_WORD + 1] = 'e',
    [WORDS + TEXT_WORD + 2] = 's',
};

static struct console_text look_up(const struct bench *b)
{
    const struct console_out *o = &b->dut.out;
    struct console_text t = {.character = o->at < sizeof texts ? (u8)texts[(unsigned)o->at] : 0,
                             .row = ROW,
                             .words = WORDS};
    t.field.addr = REGISTER;
    t.field.width = WIDTH;
    t.field.is_word = b->words;
    t.command.known = o->letter == 'w' || o->letter == 'h';
    t.command.addr = o->letter == 'w' ? ORDER : 0;
    t.command.wdata = DATA;
    t.command.answer = ANSWER;
    return t;
}

static struct reg_reply answer(struct bench *b)
{
    const struct reg_request *bus = &b->dut.out.bus;
    if (!bus->valid || b->patience-- > 0)
        return (struct reg_reply){.rdata = 0x5555};
    b->patience = 3;
    b->reads += !bus->write;
    b->writes += bus->write;
    b->odd += bus->write ? bus->addr != ORDER || bus->wdata != DATA : bus->addr != REGISTER;
    return (struct reg_reply){.ready = 1, .rdata = b->value};
}

static void printed(void *to, const char *text)
{
    struct bench *b = to;
    const size_t length = strlen(b->line);
    snprintf(b->line + length, sizeof b->line - length, "%s/", text);
}

static void start(struct bench *b, const struct session_key *keys)
{
    memset(b, 0, sizeof *b);
    console_reset(&b->dut);
    session_start(&b->session, keys, printed, b);
}

static void run(struct bench *b, unsigned clocks, uint64_t tick)
{
    for (unsigned i = 0; i < clocks; i++) {
        struct console_in in = {.bit_clocks = SESSION_BIT - 1,
                                .tick = i == tick,
                                .text = b->answers[1],
                                .bus = answer(b)};
        in.rx = session_step(&b->session, b->dut.out.tx);
        b->answers[1] = b->answers[0];
        b->answers[0] = look_up(b);
        console(&b->dut, &in);
        now++;
    }
}

/* ---- checks ---------------------------------------------------------------------------------------------- */

static const struct session_key nobody[] = {{0, 0}};

static void numbers(uint64_t seed)
{
    const uint32_t edges[] = {0, 1, 9, 10, 99, 100, 999999999, 1000000000, UINT32_MAX};
    struct rng rng;
    struct misses wrong = {0};
    unsigned count = 0;
    static struct bench b;
    rng_seed(&rng, seed);
    start(&b, nobody);
    for (; count < 300; count++) {
        char want[32];
        b.line[0] = 0;
        b.value = count < sizeof edges / sizeof *edges
                      ? edges[count]
                      : (uint32_t)(rng_next(&rng) >> rng_below(&rng, 32));
        snprintf(want, sizeof want, "<%*" PRIu32 ">/", WIDTH, b.value);
        run(&b, 700, 1);
        must(&wrong, strcmp(b.line, want) == 0, "%s, expected %s", b.line, want);
    }
    tap_misses(&wrong, "%u numbers are printed as printf prints them", count);
    tap_ok(b.reads == count && b.odd == 0, "each is read once, at its address");
}

static void words(void)
{
    static struct bench b;
    start(&b, nobody);
    b.words = true;
    run(&b, 700, 1);
    b.value = 1;
    run(&b, 700, 1);
    tap_why("%s", b.line);
    tap_ok(strcmp(b.line, "<no>/<yes>/") == 0, "a field that is a word");
}

static void commands(void)
{
    static const struct session_key keys[] = {{100, 'w'}, {800, 'x'}, {1000, 'h'}, {0, 0}};
    static struct bench b;
    start(&b, keys);
    run(&b, 1500, 1500);
    tap_why("%s, %u writes, %u odd", b.line, b.writes, b.odd);
    tap_ok(strcmp(b.line, "ok/ok/") == 0 && b.writes == 1 && b.odd == 0,
           "a command writes once and answers, one without a write answers, "
           "an unknown letter does nothing");
}

/* Letters that come while a row is printed: the last one of them is done, and the row stays whole. */
static void busy(void)
{
    static const struct session_key keys[] = {{50, 'x'}, {80, 'h'}, {0, 0}};
    static struct bench b;
    start(&b, keys);
    run(&b, 1500, 10);
    tap_why("%s", b.line);
    tap_ok(strcmp(b.line, "<         0>/ok/") == 0,
           "a letter that comes while a row is printed waits");
}

/* ---- the receiver alone --------------------------------------------------------------------------------- */

enum { CLOCKS_OF_BIT = 100 };

/* Characters that came of one that was sent with bits of so many clocks, line low for so long before. */
static unsigned received(unsigned character, unsigned bit, unsigned low, unsigned *last)
{
    struct uart_rx dut;
    unsigned came = 0;
    const unsigned frame = 1u << 9 | character << 1;
    uart_rx_reset(&dut);
    for (unsigned i = 0; i < low + 40 * bit; i++) {
        const unsigned at = i < low + 20 * bit ? 10 : (i - low - 20 * bit) / bit;
        const struct uart_rx_in in = {.bit_clocks = CLOCKS_OF_BIT - 1,
                                      .rx = i >= low && (at >= 10 || (frame >> at & 1))};
        uart_rx(&dut, &in);
        came += dut.out.valid;
        *last = dut.out.valid ? (unsigned)dut.out.character : *last;
    }
    return came;
}

static void receiver(void)
{
    struct misses wrong = {0};
    unsigned last = 0;
    for (unsigned c = 0; c < 256; c++)
        for (unsigned bit = CLOCKS_OF_BIT - 4; bit <= CLOCKS_OF_BIT + 4; bit += 4)
            must_equal(&wrong, received(c, bit, 0, &last) == 1 ? last : UINT64_MAX, c,
                       "character with bits of %u clocks", bit);
    tap_misses(&wrong, "256 characters, 4 percent slow and fast");
    tap_ok(received('a', CLOCKS_OF_BIT, 50 * CLOCKS_OF_BIT, &last) == 1 && last == 'a',
           "a line that hangs at 0 says nothing");
}

int main(int argc, char **argv)
{
    harness_clock = &now;
    numbers(test_seed(argc, argv));
    words();
    commands();
    busy();
    receiver();
    return tap_done();
}
