// SPDX-License-Identifier: Apache-2.0
/*
 * session.h - a person at the serial line of a board: types letters at given clocks and reads lines.
 *
 * Knows of a top its pins alone, so the native model, its Verilog and its netlist are all driven by this.
 */
#ifndef TB_SESSION_H
#define TB_SESSION_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Clocks of a bit and of a second: the least that the serial line can do, so that 10,000 clocks show something. */
enum { SESSION_BIT = 2, SESSION_SECOND = 3000, SESSION_LINE = 160 };

struct session_key {
    uint64_t clock; /* at the earliest */
    char letter;
};

struct session {
    const struct session_key *keys;           /* ends with letter 0 */
    void (*line)(void *to, const char *text); /* a whole line, without its end */
    void *to;
    uint64_t clock;
    /* to the board */
    unsigned tx_bits; /* left */
    unsigned tx_wait; /* clocks left of this one */
    unsigned tx_shift;
    /* from the board */
    unsigned rx_bits, rx_wait, rx_shift;
    unsigned framing; /* characters without a stop bit */
    char text[SESSION_LINE];
    unsigned length;
};

void session_start(struct session *s, const struct session_key *keys,
                   void (*line)(void *to, const char *text), void *to);

/* One clock: what the board's line was before it; the level of the line to the board. */
bool session_step(struct session *s, bool from_board);

/* The keys that show all that there is to see within 100,000 clocks. */
extern const struct session_key session_tour[];

#endif
