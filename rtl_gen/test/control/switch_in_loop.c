// SPDX-License-Identifier: Apache-2.0
/*
 * switch_in_loop: break means the switch, continue means the loop, and a switch chooses when to
 * leave; a small interpreter of eight two-bit commands.
 */
#include "hls.h"

struct switch_in_loop_in {
    u2 command[8];
    u5 start;
};
struct switch_in_loop_out {
    u5 value;
    u4 done, skipped;
};
struct switch_in_loop {
    struct switch_in_loop_out out;
};

HLS_RESET void switch_in_loop_reset(struct switch_in_loop *self)
{
    *self = (struct switch_in_loop){0};
}

HLS_MODULE void switch_in_loop(struct switch_in_loop *self, const struct switch_in_loop_in *in)
{
    u5 value = in->start;
    u4 skipped = 0;
    u4 done = 0;
    bool stop = false;
    while (done < 8 && !stop) {
        u2 command = in->command[done & 7];
        done++;
        switch (command) {
        case 0:
            if (value & 1) {
                skipped++;
                continue;
            }
            value += 3;
            break;
        case 1:
            value = value << 1 | value >> 4;
            break;
        case 2:
            stop = value == self->out.value;
            break;
        default:
            value ^= done;
            continue;
        }
        value++;
    }
    self->out.value = value;
    self->out.done = done;
    self->out.skipped = skipped;
}
