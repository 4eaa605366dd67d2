// SPDX-License-Identifier: Apache-2.0
/*
 * process_reset: a process that its parent resets at any time, in each of its
 * states; the wait behind which it begins is not the first one of its loop. The
 * parent reads the process's outputs in the clock in which it waits.
 */
#include "hls.h"

enum blinker_at { BLINKER_START, BLINKER_ON, BLINKER_OFF, BLINKER_PAUSE };

struct blinker_in {
    u1 rst;
    u4 lit, dark;
};
struct blinker_out {
    u1 led, pause;
    u8 rounds;
};
struct blinker {
    struct blinker_out out;
    enum blinker_at at;
    u4 left;
};

HLS_RESET void blinker_reset(struct blinker *self)
{
    *self = (struct blinker){.at = BLINKER_START, .out.pause = 1};
}

HLS_MODULE void blinker(struct blinker *self, const struct blinker_in *in)
{
    hls_reset_by(in->rst, blinker_reset, self);
    HLS_PROCESS(self->at, BLINKER_START, BLINKER_ON, BLINKER_OFF, BLINKER_PAUSE);
    HLS_WAIT(BLINKER_START);
    self->out.rounds = 0x80;
    for (;;) {
        for (unsigned i = 0; i < 2; i++)
            self->out.rounds += 3;
        self->out.led = 1;
        self->out.pause = 0;
        for (self->left = in->lit; self->left != 0; self->left--)
            HLS_WAIT(BLINKER_ON);
        self->out.led = 0;
        for (self->left = in->dark; self->left != 0; self->left--)
            HLS_WAIT(BLINKER_OFF);
        self->out.pause = 1;
        HLS_WAIT(BLINKER_PAUSE);
    }
}

struct process_reset_in {
    u1 restart;
    u4 lit, dark;
};
struct process_reset_out {
    u1 led;
    u8 rounds, pauses;
};
struct process_reset {
    struct process_reset_out out;
    struct blinker blinker;
};

HLS_RESET void process_reset_reset(struct process_reset *self)
{
    self->out = (struct process_reset_out){0};
    blinker_reset(&self->blinker);
}

HLS_MODULE void process_reset(struct process_reset *self, const struct process_reset_in *in)
{
    self->out.led = self->blinker.out.led;
    self->out.rounds = self->blinker.out.rounds;
    self->out.pauses += self->blinker.out.pause;
    struct blinker_in to = {.rst = in->restart, .lit = in->lit, .dark = in->dark};
    blinker(&self->blinker, &to);
}
