// SPDX-License-Identifier: Apache-2.0
/* One process, called twice in a clock. */
#include "hls.h"

enum process_twice_at { X_IDLE, X_RUN };

struct process_twice_in {
    u1 go;
    u8 x;
};
struct process_twice_out {
    u8 y;
};
struct lane {
    enum process_twice_at at;
};
struct process_twice {
    struct process_twice_out out;
    struct lane lane[4];
};

HLS_RESET void process_twice_reset(struct process_twice *self)
{
    *self = (struct process_twice){0};
}

static void run(struct lane *lane, const struct process_twice_in *in, u8 *y)
{
    HLS_PROCESS(lane->at, X_IDLE, X_RUN);
    for (;;) {
        HLS_WAIT_UNTIL(X_IDLE, in->go);
        *y += in->x;
        HLS_WAIT(X_RUN);
    }
}

HLS_MODULE void process_twice(struct process_twice *self, const struct process_twice_in *in)
{
    for (unsigned i = 0; i < 4; i++)
        run(&self->lane[i], in, &self->out.y);
    run(&self->lane[3], in, &self->out.y);
}
