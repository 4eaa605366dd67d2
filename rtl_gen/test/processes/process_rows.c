// SPDX-License-Identifier: Apache-2.0
/*
 * process_rows: three lanes of a process beside another process. Operands of a row of lanes keep the order in which they were found to be alike, however
 * many vectors are made later.
 */
#include "hls.h"

struct process_rows_in {
    u8 length;
    u1 go;
};
struct process_rows_out {
    u4 word;
};
enum rows_at { ROWS_0, ROWS_1, ROWS_2, ROWS_3, ROWS_4, ROWS_5, ROWS_6, ROWS_7, ROWS_8 };
enum rows_lane { LANE_0, LANE_1, LANE_2, LANE_3, LANE_4 };
struct process_rows {
    struct process_rows_out out;
    enum rows_at at;
    struct {
        enum rows_lane at;
        u10 count;
    } lane[3];
};

static void one(struct process_rows *self, const struct process_rows_in *in)
{
    HLS_PROCESS(self->at, ROWS_0, ROWS_1, ROWS_2, ROWS_3, ROWS_4, ROWS_5, ROWS_6, ROWS_7, ROWS_8);
    HLS_WAIT(ROWS_0);
    HLS_WAIT_UNTIL(ROWS_1, in->length > 5);
    HLS_WAIT_UNTIL(ROWS_2, in->length > 5);
    HLS_WAIT_UNTIL(ROWS_3, in->length > 5);
    while (in->go && in->length > 5) {
        HLS_WAIT(ROWS_4);
        HLS_WAIT(ROWS_5);
    }
    HLS_WAIT_UNTIL(ROWS_6, in->length > 5);
    switch ((u2)in->go) {
    case 1:
        HLS_WAIT(ROWS_7);
        if (in->length > 5) {
            HLS_WAIT(ROWS_8);
        }
    }
}

static void count(struct process_rows *self, const struct process_rows_in *in, unsigned lane)
{
    HLS_PROCESS(self->lane[lane].at, LANE_0, LANE_1, LANE_2, LANE_3, LANE_4);
    HLS_WAIT(LANE_0);
    HLS_WAIT_UNTIL(LANE_1, in->length > 5);
    HLS_WAIT(LANE_2);
    self->lane[lane].count = in->length & 3;
    while (self->lane[lane].count != 0) {
        HLS_WAIT(LANE_3);
        self->lane[lane].count--;
    }
    do {
        HLS_WAIT(LANE_4);
    } while (in->go && in->length != 0);
}

HLS_RESET void process_rows_reset(struct process_rows *self)
{
    self->out.word = 0;
    self->at = ROWS_0;
    for (int i = 0; i < 3; i++) {
        self->lane[i].at = LANE_0;
        self->lane[i].count = 0;
    }
}

HLS_MODULE void process_rows(struct process_rows *self, const struct process_rows_in *in)
{
    one(self, in);
    for (unsigned i = 0; i < 3; i++)
        count(self, in, i);
}
