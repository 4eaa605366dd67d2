// SPDX-License-Identifier: Apache-2.0
/*
 * table_enum: tables indexed by an enum with designators: next state and output of a traffic light.
 */
#include "hls.h"

enum table_enum_light { LIGHT_RED, LIGHT_RED_AMBER, LIGHT_GREEN, LIGHT_AMBER, LIGHT_COUNT };

struct table_enum_in {
    u1 tick, fault;
};
struct table_enum_out {
    u1 red, amber, green;
    u5 left;
    u10 cycles;
};
struct table_enum {
    struct table_enum_out out;
    enum table_enum_light light;
};

static const enum table_enum_light next_light[LIGHT_COUNT] = {
    [LIGHT_RED] = LIGHT_RED_AMBER,
    [LIGHT_RED_AMBER] = LIGHT_GREEN,
    [LIGHT_GREEN] = LIGHT_AMBER,
    [LIGHT_AMBER] = LIGHT_RED,
};
static const u5 ticks[LIGHT_COUNT] = {
    [LIGHT_RED] = 21, [LIGHT_RED_AMBER] = 2, [LIGHT_GREEN] = 17, [LIGHT_AMBER] = 4};
static const u3 lamps[LIGHT_COUNT] = {
    [LIGHT_GREEN] = 1, [LIGHT_AMBER] = 2, [LIGHT_RED] = 4, [LIGHT_RED_AMBER] = 6};

HLS_RESET void table_enum_reset(struct table_enum *self)
{
    *self = (struct table_enum){.light = LIGHT_AMBER};
}

HLS_MODULE void table_enum(struct table_enum *self, const struct table_enum_in *in)
{
    u3 lit = lamps[self->light];
    self->out.red = lit >> 2;
    self->out.amber = lit >> 1 & 1;
    self->out.green = lit & 1;
    if (in->fault && self->out.left == 3) {
        self->light = LIGHT_AMBER;
    } else if (in->tick) {
        if (self->out.left == 0) {
            self->light = next_light[self->light];
            self->out.left = ticks[self->light];
            self->out.cycles += self->light == LIGHT_GREEN;
        } else {
            self->out.left--;
        }
    }
}
