// SPDX-License-Identifier: Apache-2.0
/* A process of an array, chosen by an input. */
#include "hls.h"

enum process_index_at { X_IDLE, X_RUN };

struct process_index_in {
    u1 go;
    u2 sel;
    u8 x;
};
struct process_index_out {
    u8 y;
};
struct lane {
    enum process_index_at at;
};
struct process_index {
    struct process_index_out out;
    struct lane lane[4];
};

HLS_RESET void process_index_reset(struct process_index *self)
{
    *self = (struct process_index){0};
}

static void run(struct lane *lane, const struct process_index_in *in, u8 *y)
{
    HLS_PROCESS(lane->at, X_IDLE, X_RUN);
    for (;;) {
        HLS_WAIT_UNTIL(X_IDLE, in->go);
        *y += in->x;
        HLS_WAIT(X_RUN);
    }
}

HLS_MODULE void process_index(struct process_index *self, const struct process_index_in *in)
{
    run(&self->lane[in->sel], in, &self->out.y);
}
