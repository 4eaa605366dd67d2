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
    self->state = CONSOLE_IDLE;
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

static inline void go(struct console *self, enum console_state state)
{
    self->state = state;
    self->settle = 2;
}

/* The text from here on. */
static inline void print(struct console *self, text_place at)
{
    self->out.at = at;
    go(self, CONSOLE_CHARACTER);
}

static inline void ask(struct console *self, u1 write, u16 addr, u16 wdata)
{
    self->out.bus = (struct reg_request){.valid = 1, .write = write, .addr = addr, .wdata = wdata};
}

static inline void idle(struct console *self, const struct console_in *in)
{
    if (self->letter_due) {
        self->letter_due = 0;
        self->out.letter = self->letter;
        go(self, CONSOLE_COMMAND);
    } else if (self->row_due) {
        self->row_due = 0;
        print(self, in->text.row);
    }
}

/* Looked up; a letter that is none prints nothing. */
static inline void command(struct console *self, const struct console_text *text)
{
    if (!text->command.known) {
        self->state = CONSOLE_IDLE;
    } else if (text->command.addr != 0) {
        ask(self, 1, text->command.addr, text->command.wdata);
        self->state = CONSOLE_WRITE;
    } else {
        print(self, text->command.answer);
    }
}

static inline void character(struct console *self, const struct console_text *text)
{
    if (text->character == 0 && self->back != 0) {
        print(self, self->back);
        self->back = 0;
    } else if (text->character == 0) {
        self->state = CONSOLE_IDLE;
    } else if (text->character >= TEXT_FIELD) {
        self->out.field = (u5)text->character;
        go(self, CONSOLE_READ);
    } else if (!self->says) {
        self->says = 1;
        self->character = text->character;
        print(self, (text_place)(self->out.at + 1));
    }
}

/* The register has been asked for, or has answered. */
static inline void field(struct console *self, const struct console_in *in)
{
    text_place next = (text_place)(self->out.at + 1);

    if (!in->bus.ready) {
        ask(self, 0, in->text.field.addr, 0);
    } else if (in->text.field.is_word) {
        text_place which = (u3)in->bus.rdata;

        self->out.bus.valid = 0;
        self->back = next;
        print(self, (text_place)(in->text.words + which * TEXT_WORD));
    } else {
        self->out.bus.valid = 0;
        self->out.at = next;
        self->number = (u32)in->bus.rdata;
        self->starts = 1;
        go(self, CONSOLE_CONVERT);
    }
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
static inline void put_digit(struct console *self)
{
    u4 digit = digit_at(self->decimal.out.digits, self->digit);
    u1 blank = self->blank && digit == 0 && self->digit != 0;

    if (!self->says) {
        self->says = 1;
        self->character = blank ? (u8)' ' : (u8)('0' | digit);
        self->blank = blank;
        if (self->digit == 0) {
            print(self, self->out.at);
        }
        self->digit--;
    }
}

static inline void act(struct console *self, const struct console_in *in)
{
    switch (self->state) {
    case CONSOLE_IDLE:
        idle(self, in);
        break;
    case CONSOLE_COMMAND:
        command(self, &in->text);
        break;
    case CONSOLE_WRITE:
        if (in->bus.ready) {
            self->out.bus.valid = 0;
            print(self, in->text.command.answer);
        }
        break;
    case CONSOLE_CHARACTER:
        character(self, &in->text);
        break;
    case CONSOLE_READ:
        field(self, in);
        break;
    case CONSOLE_CONVERT:
        self->blank = 1;
        self->digit = (u4)(in->text.field.width - 1);
        if (self->decimal.out.done) {
            self->state = CONSOLE_DIGIT;
        }
        break;
    case CONSOLE_DIGIT:
        put_digit(self);
        break;
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
        act(self, in);
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
