// SPDX-License-Identifier: Apache-2.0
/*
 * bool_ports: bool as port and register, made from any scalar, in arithmetic and in arrays.
 */
#include "hls.h"

struct bool_ports_in {
    bool start, stop;
    u4 level;
    bool vote[5];
};
struct bool_ports_out {
    bool on, was_on, majority;
    bool history[3];
    u3 votes;
};
struct bool_ports {
    struct bool_ports_out out;
};

HLS_RESET void bool_ports_reset(struct bool_ports *self)
{
    *self = (struct bool_ports){.out.was_on = true, .out.history = {true, false, true}};
}

HLS_MODULE void bool_ports(struct bool_ports *self, const struct bool_ports_in *in)
{
    u3 votes = 0;
    for (int i = 0; i < 5; i++) {
        votes += in->vote[i];
    }
    self->out.votes = votes;
    self->out.majority = votes >= 3;
    self->out.was_on = self->out.on;
    self->out.on = in->start || (self->out.on && !in->stop && in->level);
    self->out.history[2] = self->out.history[1];
    self->out.history[1] = self->out.history[0] ^ self->out.was_on;
    self->out.history[0] = in->level & 6;
}
