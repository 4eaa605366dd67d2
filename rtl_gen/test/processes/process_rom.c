// SPDX-License-Identifier: Apache-2.0
/*
 * process_rom: a process that reads a constant table in a block, held by a process of one bit. The module is executed several times, for
 * arms and groups; each time the table is no part of the struct, all of which reset assigns.
 */
#include "hls.h"

HLS_ROM static const u12 notes[8] = {956, 851, 758, 716, 638, 568, 506, 478};

enum play_at { PLAY_REST, PLAY_NOTE };
enum hold_at { HOLD_OFF, HOLD_ON };

struct process_rom_in {
    u1 go, pause;
    u3 first, last;
};
struct process_rom_out {
    u1 playing, held;
    u12 period;
    u16 clocks;
};
struct process_rom {
    struct process_rom_out out;
    enum play_at at;
    enum hold_at hold_at;
    u3 note;
    u12 word;
};

HLS_RESET void process_rom_reset(struct process_rom *self)
{
    *self = (struct process_rom){.at = PLAY_REST, .hold_at = HOLD_OFF};
}

static void play(struct process_rom *self, const struct process_rom_in *in)
{
    HLS_PROCESS(self->at, PLAY_REST, PLAY_NOTE);
    for (;;) {
        HLS_WAIT_UNTIL(PLAY_REST, in->go);
        self->out.playing = 1;
        self->note = in->first;
        self->word = notes[in->first];
        for (;;) {
            HLS_WAIT(PLAY_NOTE);
            self->out.period = self->word;
            if (self->note == in->last)
                break;
            self->note++;
            self->word = notes[self->note];
        }
        self->out.playing = 0;
    }
}

static void hold(struct process_rom *self, const struct process_rom_in *in)
{
    HLS_PROCESS(self->hold_at, HOLD_OFF, HOLD_ON);
    for (;;) {
        HLS_WAIT_UNTIL(HOLD_OFF, in->pause && self->out.playing);
        HLS_WAIT_UNTIL(HOLD_ON, !in->pause);
    }
}

HLS_MODULE void process_rom(struct process_rom *self, const struct process_rom_in *in)
{
    hold(self, in);
    self->out.held = self->hold_at == HOLD_ON;
    if (self->hold_at == HOLD_OFF)
        play(self, in);
    self->out.clocks += self->out.playing;
}
