// SPDX-License-Identifier: Apache-2.0
/*
 * state_machine: a serial receiver (start bit, eight data bits, parity, stop bit), one bit per
 * strobe, with an enum of five states.
 */
#include "hls.h"

enum state_machine_state { RX_IDLE, RX_DATA, RX_PARITY, RX_STOP, RX_BREAK };

struct state_machine_in {
    u1 line, strobe;
};
struct state_machine_out {
    u1 valid, bad_parity, bad_stop;
    u8 data;
    u8 breaks;
};
struct state_machine {
    struct state_machine_out out;
    enum state_machine_state state;
    u3 place;
    u8 shift;
    u1 parity;
};

HLS_RESET void state_machine_reset(struct state_machine *self)
{
    *self = (struct state_machine){.state = RX_IDLE};
}

HLS_MODULE void state_machine(struct state_machine *self, const struct state_machine_in *in)
{
    self->out.valid = 0;
    if (!in->strobe) {
        return;
    }
    switch (self->state) {
    case RX_IDLE:
        if (!in->line) {
            self->state = RX_DATA;
            self->place = 0;
            self->parity = 0;
        }
        break;
    case RX_DATA:
        self->shift = self->shift >> 1 | (u8)in->line << 7;
        self->parity ^= in->line;
        if (self->place++ == 7) {
            self->state = RX_PARITY;
        }
        break;
    case RX_PARITY:
        self->out.bad_parity = in->line != self->parity;
        self->state = RX_STOP;
        break;
    case RX_STOP:
        self->out.valid = 1;
        self->out.data = self->shift;
        self->out.bad_stop = !in->line;
        self->state = in->line ? RX_IDLE : RX_BREAK;
        break;
    case RX_BREAK:
        if (in->line) {
            self->out.breaks++;
            self->state = RX_IDLE;
        }
        break;
    }
}
