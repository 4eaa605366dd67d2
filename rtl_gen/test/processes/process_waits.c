// SPDX-License-Identifier: Apache-2.0
/*
 * process_waits: waits in every kind of statement: if, switch, do, while, for,
 * behind a goto out of two loops and amid an unrolled loop; states with gaps
 * between their numbers, in an enum of 8 bits; a wait until a condition with a
 * side effect; a plain return.
 */
#include "hls.h"

enum process_waits_at : unsigned char {
    WAITS_IDLE = 3,
    WAITS_IF = 77,
    WAITS_ELSE = 78,
    WAITS_CASE = 100,
    WAITS_BOTH = 120,
    WAITS_DO = 130,
    WAITS_INNER = 200,
    WAITS_OUT = 254,
    WAITS_UNTIL = 255
};

struct process_waits_in {
    u1 go, hold;
    u4 kind;
    u8 x;
};
struct process_waits_out {
    u8 y, looks;
};
struct process_waits {
    struct process_waits_out out;
    enum process_waits_at at;
    u4 i, k;
};

HLS_RESET void process_waits_reset(struct process_waits *self)
{
    *self = (struct process_waits){.at = WAITS_IDLE};
}

HLS_MODULE void process_waits(struct process_waits *self, const struct process_waits_in *in)
{
    const u8 twice = (u8)(in->x << 1);
    self->out.y ^= in->x;
    HLS_PROCESS(self->at, WAITS_IDLE, WAITS_IF, WAITS_ELSE, WAITS_CASE, WAITS_BOTH, WAITS_DO,
                WAITS_INNER, WAITS_OUT, WAITS_UNTIL);
    for (;;) {
        HLS_WAIT_UNTIL(WAITS_IDLE, in->go);
        if (in->x & 1) {
            self->out.y += 1;
            HLS_WAIT(WAITS_IF);
            self->out.y += twice;
        } else if (in->x & 2) {
            HLS_WAIT(WAITS_ELSE);
        }
        switch (in->kind) {
        case 1:
            self->out.y = 7;
            HLS_WAIT(WAITS_CASE);
            self->out.y ^= 0x11;
            break;
        case 2:
            if (in->x & 4)
                continue;
            self->out.y -= 3;
            [[fallthrough]];
        case 3:
            HLS_WAIT(WAITS_BOTH);
            if (in->hold)
                return; /* once more */
            break;
        default:
            break;
        }
        self->i = in->kind;
        do {
            self->out.y += self->i;
            HLS_WAIT(WAITS_DO);
        } while (self->i-- != 0);
        for (self->i = 0; self->i < 5; self->i++)
            for (self->k = 0; self->k <= self->i; self->k++) {
                if (in->x == 0x55)
                    goto out;
                HLS_WAIT(WAITS_INNER);
            }
        self->out.y ^= 0x80;
    out:
        HLS_WAIT(WAITS_OUT);
        for (unsigned n = 0; n < 3; n++)
            self->out.y = (u8)(self->out.y << 1 | self->out.y >> 7);
        HLS_WAIT_UNTIL(WAITS_UNTIL, self->out.looks++ & 1);
    }
}
