// SPDX-License-Identifier: Apache-2.0
/*
 * console.c - prints texts with numbers in them, runs commands of one letter.
 *
 * A command that comes while something is printed waits, and the one that comes behind it replaces it.
 */
#include "board/console.h"

HLS_RESET void console_reset(struct console *self)
{
    self->out = (struct console_out){.tx = 1};
    self->at = CONSOLE_IDLE;
    self->settle = 0;
    self->row_due = 0;
    self->letter_due = 1; /* who we are comes first */
    self->letter = 0;
    self->back = 0;
    self->digit = 0;
    self->blank = 0;
    self->starts = 0;
    self->number = 0;
    self->says = 0;
    self->character = 0;
    uart_rx_reset(&self->receiver);
    uart_tx_reset(&self->sender);
    decimal_reset(&self->decimal);
}

/* The text from here on; the table has answered two clocks later. */
static inline void print(struct console *self, text_place at)
{
    self->out.at = at;
    self->settle = 2;
}

static inline void say(struct console *self, u8 character)
{
    self->says = 1;
    self->character = character;
}

static inline void ask(struct console *self, u1 write, u16 addr, u16 wdata)
{
    self->out.bus = (struct reg_request){.valid = 1, .write = write, .addr = addr, .wdata = wdata};
}

static inline u4 digit_at(u40 digits, u4 which)
{
    u4 digit = 0;

    for (int i = 0; i < DECIMAL_DIGITS; i++) {
        digit |= which == (u4)i ? (u4)(digits >> 4 * i) : (u4)0;
    }
    return digit;
}

/* Digits from the left, blanks for zeros before the first of them. */
static inline void say_digit(struct console *self)
{
    u4 digit = digit_at(self->decimal.out.digits, self->digit);

    self->blank &= digit == 0 && self->digit != 0;
    say(self, self->blank ? (u8)' ' : (u8)('0' | digit));
}

/* Commands and rows: their texts, character by character. Does not run while `settle` counts. */
static void console_process(struct console *self, const struct console_in *in)
{
    const struct console_text *text = &in->text;
    const text_place next = (text_place)(self->out.at + 1);

    HLS_PROCESS(self->at, CONSOLE_IDLE, CONSOLE_COMMAND, CONSOLE_WRITE, CONSOLE_CHARACTER,
                CONSOLE_READ, CONSOLE_CONVERT, CONSOLE_DIGIT);
    for (;;) {
        HLS_WAIT_UNTIL(CONSOLE_IDLE, self->letter_due || self->row_due);
        if (self->letter_due) {
            self->letter_due = 0;
            self->out.letter = self->letter;
            self->settle = 2;
            HLS_WAIT(CONSOLE_COMMAND);
            if (!text->command.known) {
                continue; /* prints nothing */
            }
            if (text->command.addr != 0) {
                ask(self, 1, text->command.addr, text->command.wdata);
                HLS_WAIT_UNTIL(CONSOLE_WRITE, in->bus.ready);
                self->out.bus.valid = 0;
            }
            print(self, text->command.answer);
        } else {
            self->row_due = 0;
            print(self, text->row);
        }
        for (;;) {
            HLS_WAIT(CONSOLE_CHARACTER);
            if (text->character == 0 && self->back == 0) {
                break;
            }
            if (text->character == 0) {
                print(self, self->back);
                self->back = 0;
                continue;
            }
            if (text->character < TEXT_FIELD) {
                if (!self->says) {
                    say(self, text->character);
                    print(self, next);
                }
                continue;
            }
            self->out.field = (u5)text->character;
            self->settle = 2;
            do {
                HLS_WAIT(CONSOLE_READ);
                ask(self, 0, text->field.addr, 0);
            } while (!in->bus.ready);
            self->out.bus.valid = 0;
            if (text->field.is_word) {
                self->back = next;
                print(self, (text_place)(text->words + (u3)in->bus.rdata * TEXT_WORD));
                continue;
            }
            print(self, next);
            self->number = (u32)in->bus.rdata;
            self->starts = 1;
            HLS_WAIT_UNTIL(CONSOLE_CONVERT, self->decimal.out.done);
            self->blank = 1;
            self->digit = (u4)(text->field.width - 1);
            do {
                HLS_WAIT_UNTIL(CONSOLE_DIGIT, !self->says);
                say_digit(self);
            } while (self->digit-- != 0);
            self->settle = 2;
        }
    }
}

HLS_MODULE void console(struct console *self, const struct console_in *in)
{
    struct uart_rx_in rx = {.bit_clocks = in->bit_clocks, .rx = in->rx};
    struct uart_tx_in tx = {
        .bit_clocks = in->bit_clocks, .valid = self->says, .character = self->character};
    struct decimal_in decimal_wires = {.start = self->starts, .number = self->number};
    u1 said = self->says && self->sender.out.ready;
    u1 comes = self->receiver.out.valid;
    u8 letter = self->receiver.out.character;

    self->starts = 0;
    if (self->settle != 0) {
        self->settle--;
    } else {
        console_process(self, in);
    }
    if (said) {
        self->says = 0;
    }
    self->row_due |= in->tick;
    uart_rx(&self->receiver, &rx);
    uart_tx(&self->sender, &tx);
    decimal(&self->decimal, &decimal_wires);
    self->out.tx = self->sender.out.tx;
    if (comes) {
        self->letter = letter;
        self->letter_due = 1;
    }
}
