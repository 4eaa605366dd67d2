// SPDX-License-Identifier: Apache-2.0
/*
 * console.h - ports and registers of a console on a serial line: prints texts with numbers in them, runs commands of
 * one letter.
 *
 * What there is to say stands in a table outside (struct console_text, answered two clocks after `at`, `field` or
 * `letter` changed): characters, which end with 0; those from 0x80 on stand for a field, a register that is read over the
 * bus and printed in decimal, or as a word of the table. A letter is a command: a write over the bus, then a text.
 */
#ifndef CONSOLE_H
#define CONSOLE_H

#include "board/decimal.h"
#include "board/uart_rx.h"
#include "board/uart_tx.h"

typedef u10 text_place; /* of a character in the table */

#define TEXT_FIELD 0x80 /* and the number of a field */
#define TEXT_WORD  8    /* characters of a word of the table, with the zeros at its end */

/* What the table says of what the console asks. */
struct console_text {
    u8 character; /* at `at` */
    struct {
        u16 addr;
        u4 width;   /* digits; a field does not grow */
        u1 is_word; /* the register is the number of a word */
    } field;
    struct {
        u1 known;
        u16 addr; /* the write; 0 is none */
        u16 wdata;
        text_place answer;
    } command;
    text_place row;   /* the text that each tick prints */
    text_place words; /* the first word */
};

struct console_in {
    u16 bit_clocks; /* of the serial line: uart_tx.h, uart_rx.h */
    u1 rx;
    u1 tick; /* for one clock: print the row when there is time */
    struct console_text text;
    struct reg_reply bus;
};

struct console_out {
    u1 tx;
    text_place at;
    u5 field;
    u8 letter;
    struct reg_request bus;
};

enum console_at {
    CONSOLE_IDLE,
    CONSOLE_COMMAND, /* the table looks for the letter */
    CONSOLE_WRITE,   /* its write is on the bus */
    CONSOLE_CHARACTER,
    CONSOLE_READ, /* a field's register is on the bus */
    CONSOLE_CONVERT,
    CONSOLE_DIGIT,
};

struct console {
    struct console_out out;
    enum console_at at;
    u2 settle; /* clocks until the table has answered */
    u1 row_due;
    u1 letter_due; /* `letter` has come and waits */
    u8 letter;
    text_place back; /* of a word: where the text goes on; 0 outside */
    u4 digit;        /* the next one, from the left, less 1 */
    u1 blank;        /* no digit but 0 so far */
    u1 starts;       /* decimal begins with `number` */
    u32 number;
    u1 says; /* character for uart_tx */
    u8 character;
    struct uart_rx receiver;
    struct uart_tx sender;
    struct decimal decimal;
};

HLS_RESET void console_reset(struct console *self);
HLS_MODULE void console(struct console *self, const struct console_in *in);

#endif
