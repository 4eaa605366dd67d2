// SPDX-License-Identifier: Apache-2.0
/*
 * process_lanes: three processes in an array of structs, one helper for all;
 * one that is stopped stops no other.
 */
#include "hls.h"

enum lane_at { LANE_IDLE, LANE_COUNT, LANE_GIVE };

struct process_lanes_in {
    u3 go, stop;
    u4 count;
};
struct process_lanes_out {
    u3 busy;
    u8 done[3];
};
struct lane {
    enum lane_at at;
    u4 left;
};
struct process_lanes {
    struct process_lanes_out out;
    struct lane lane[3];
};

HLS_RESET void process_lanes_reset(struct process_lanes *self)
{
    *self = (struct process_lanes){0};
}

static void run(struct process_lanes *self, unsigned i, const struct process_lanes_in *in)
{
    struct lane *lane = &self->lane[i];
    HLS_PROCESS(lane->at, LANE_IDLE, LANE_COUNT, LANE_GIVE);
    for (;;) {
        HLS_WAIT_UNTIL(LANE_IDLE, in->go >> i & 1);
        self->out.busy |= (u3)1 << i;
        for (lane->left = in->count; lane->left > 1; lane->left -= 2)
            HLS_WAIT(LANE_COUNT);
        HLS_WAIT(LANE_GIVE);
        self->out.done[i] += lane->left;
        self->out.busy &= (u3) ~((u3)1 << i);
    }
}

HLS_MODULE void process_lanes(struct process_lanes *self, const struct process_lanes_in *in)
{
    for (unsigned i = 0; i < 3; i++)
        if (!(in->stop >> i & 1))
            run(self, i, in);
}
