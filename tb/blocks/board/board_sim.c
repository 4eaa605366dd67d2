// SPDX-License-Identifier: Apache-2.0
/*
 * board_sim.c - what a board prints: so many clocks of a top with a person at its serial line (session.h), line by line.
 */
#include <stdio.h>
#include <string.h>

#include "sim/base/args.h"
#include "sim/base/program.h"
#include "tb/blocks/board/board.h"
#include "tb/blocks/board/session.h"

enum { KEYS_MOST = 64 };

static void print(void *to, const char *text)
{
    (void)to;
    puts(text);
    fflush(stdout);
}

/* "ek?": e in the second second, k in the third, ... */
static const struct session_key *keys_of(const char *letters)
{
    static struct session_key keys[KEYS_MOST + 1];

    if (strlen(letters) > KEYS_MOST)
        sim_fail("--keys %s: at most %d letters", letters, KEYS_MOST);
    for (unsigned i = 0; letters[i]; i++)
        keys[i] = (struct session_key){(uint64_t)SESSION_SECOND * (i + 1), letters[i]};
    return keys;
}

int main(int argc, char **argv)
{
    uint64_t cycles = 100000;
    const char *letters = "";
    const struct args_option rows[] = {
        args_number("--cycles", &cycles, 1, UINT64_MAX, "clocks"),
        args_text("--keys", "LETTERS", &letters,
                  "keys, one a second; without them a tour of all that there are"),
        args_end()};
    const struct args args = {
        .about = "Prints what a board would, with a person at its serial line.", .option = rows};
    (void)args_read(&args, argc, argv);
    struct board_pins pins = {.bit_clocks = SESSION_BIT - 1, .second = SESSION_SECOND - 1, .rx = 1};
    struct session session;

    session_start(&session, *letters ? keys_of(letters) : session_tour, print, NULL);
    board_start(&pins);
    for (uint64_t i = 0; i < cycles; i++) {
        pins.rx = session_step(&session, pins.tx);
        board_step(&pins);
    }
    if (session.framing != 0)
        printf("board-sim: %u characters without a stop bit\n", session.framing);
    return session.framing != 0;
}
