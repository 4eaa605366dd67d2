// SPDX-License-Identifier: Apache-2.0
/*
 * sv_types: what structs of ports can hold, on both sides of a parent and of an array of instances: structs within structs, with a tag and
 * without, arrays of them, of scalars, of enums, in up to four dimensions, signs, keywords as names, two enumerators of one value;
 * and checks of each kind.
 */
#include "hls.h"

enum sv_types_kind { SV_IDLE, SV_DATA, SV_CONTROL = 5, SV_LAST = 5 };
enum sv_types_side : bool { SV_LEFT, SV_RIGHT };

struct sv_types_note {
    u1 valid; /* something is noted */
    enum sv_types_kind kind;
    sint(5) level;
    enum sv_types_side side[3];
};

/* one pair of each row */
struct sv_types_row {
    struct {
        u3 low, high; /* of its range */
    } pair[2];
    u4 event[2][3]; /* a keyword as the name of a member */
    struct sv_types_note note;
};

struct sv_types_lane_in {
    u1 rst;
    struct sv_types_row row;
    sint(6) steps[2];
};
struct sv_types_lane_out {
    struct sv_types_row held;
    sint(7) sum;
};
struct sv_types_lane {
    struct sv_types_lane_out out;
};

HLS_RESET void sv_types_lane_reset(struct sv_types_lane *self)
{
    *self = (struct sv_types_lane){0};
    self->out.held.note.kind = SV_CONTROL;
}

HLS_MODULE void sv_types_lane(struct sv_types_lane *self, const struct sv_types_lane_in *in)
{
    hls_reset_by(in->rst, sv_types_lane_reset, self);
    hls_assume(in->row.note.kind == SV_IDLE || in->row.note.kind == SV_DATA ||
               in->row.note.kind == SV_CONTROL);
    self->out.held = in->row;
    self->out.held.pair[1].high = in->row.pair[0].low;
    self->out.sum = (sint(7))((sint(7))in->steps[0] + in->steps[1]);
    hls_assert(self->out.sum >= -64);
    hls_cover(self->out.sum == -64);
}

struct sv_types_in {
    struct sv_types_row row[2]; /* of each lane */
    u1 clear[2];
    struct {
        struct sv_types_note note[2][2];
    } config; /* another keyword */
    u5 wide[2][2];
};
struct sv_types_out {
    struct sv_types_row held[2];
    struct {
        sint(7) sum[2];
        enum sv_types_kind kind[2][2];
        uint(70) wide;
    } seen;
    u9 count;
};
enum sv_types_state { SV_WAITS, SV_RUNS, SV_RESTS };
struct sv_types {
    struct sv_types_out out;
    struct sv_types_lane lane[2];
    enum sv_types_state state;
    u3 left; /* clocks of this state */
};

HLS_RESET void sv_types_reset(struct sv_types *self)
{
    self->out = (struct sv_types_out){0};
    for (int i = 0; i < 2; i++)
        sv_types_lane_reset(&self->lane[i]);
    self->state = SV_RESTS;
    self->left = 0;
}

static void step(struct sv_types *self, u1 go)
{
    if (self->left > 0) {
        self->left--;
        return;
    }
    switch (self->state) {
    case SV_WAITS:
        if (go)
            self->state = SV_RUNS;
        break;
    case SV_RUNS:
        self->state = SV_RESTS;
        self->left = 7;
        break;
    default:
        self->state = SV_WAITS;
    }
}

/* Any number as a kind. */
static enum sv_types_kind kind_of(enum sv_types_kind kind)
{
    return kind == SV_IDLE || kind == SV_DATA ? kind : SV_CONTROL;
}

HLS_MODULE void sv_types(struct sv_types *self, const struct sv_types_in *in)
{
    u1 data = 0;
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) {
            data |= in->config.note[i][k].kind == SV_DATA;
            self->out.seen.kind[i][k] =
                in->config.note[i][k].valid ? kind_of(in->config.note[i][k].kind) : SV_CONTROL;
        }
        self->out.held[i] = self->lane[i].out.held;
        self->out.seen.sum[i] = self->lane[i].out.sum;
    }
    self->out.seen.wide = (uint(70))((uint(70))in->wide[1][0] << 60 | in->wide[0][1]);
    self->out.count += self->state == SV_RUNS;
    step(self, data);
    for (int i = 0; i < 2; i++) {
        struct sv_types_lane_in lane = {.rst = in->clear[i], .row = in->row[i]};
        lane.row.note.kind = kind_of(lane.row.note.kind);
        lane.row.event[1][2] = (u4)(lane.row.event[0][0] + self->left);
        lane.steps[0] = (sint(6))in->row[i].note.level;
        lane.steps[1] = (sint(6))(in->wide[i][0]);
        sv_types_lane(&self->lane[i], &lane);
    }
}
