// SPDX-License-Identifier: Apache-2.0
/*
 * case_nets.c - a state machine whose next state others use in the same clock: nets that a case assigns. Five of eight
 * values are states; what the others do is what the C says of them, nothing.
 */
#include "hls.h"

enum lock_state { LOCK_OPEN, LOCK_ARMED, LOCK_CLOSED, LOCK_BLOCKED, LOCK_BROKEN };

struct case_nets_in {
    u1 key;
    u1 wrong;
    u1 kick;
    u1 repair;
};

struct case_nets_out {
    enum lock_state state;
    u1 light;
    u4 tries;
    u1 alarm;
};

struct case_nets {
    struct case_nets_out out;
    u3 wait;
};

HLS_RESET void case_nets_reset(struct case_nets *self)
{
    *self = (struct case_nets){.out.state = LOCK_CLOSED};
}

static void turn(struct case_nets *self, const struct case_nets_in *in)
{
    switch (self->out.state) {
    case LOCK_OPEN:
    case LOCK_ARMED:
        self->out.tries = 0;
        self->wait--;
        if (self->wait == 0) {
            self->out.state = self->out.state == LOCK_OPEN ? LOCK_ARMED : LOCK_CLOSED;
        }
        break;
    case LOCK_CLOSED:
        if (in->wrong) {
            self->out.tries++;
            self->out.state = self->out.tries == 3 ? LOCK_BLOCKED : LOCK_CLOSED;
        } else if (in->key) {
            self->out.state = LOCK_OPEN;
            self->wait = 7;
        }
        break;
    case LOCK_BLOCKED:
        if (in->repair) {
            self->out.state = LOCK_CLOSED;
            self->out.tries = 0;
        }
        break;
    case LOCK_BROKEN:
        break;
    }
}

HLS_MODULE void case_nets(struct case_nets *self, const struct case_nets_in *in)
{
    if (in->kick && self->out.state != LOCK_OPEN) {
        self->out.state = LOCK_BROKEN;
    } else {
        turn(self, in);
    }
    self->out.light = self->out.state == LOCK_OPEN || self->out.state == LOCK_ARMED;
    self->out.alarm = self->out.state >= LOCK_BLOCKED && self->out.tries > 1;
}
