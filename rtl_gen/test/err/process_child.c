// SPDX-License-Identifier: Apache-2.0
/* A child that is called in a process. */
#include "hls.h"

enum process_child_at { X_IDLE, X_RUN };

struct count_in {
    u1 go;
};
struct count_out {
    u8 n;
};
struct count {
    struct count_out out;
};

HLS_RESET void count_reset(struct count *self)
{
    *self = (struct count){0};
}

HLS_MODULE void count(struct count *self, const struct count_in *in)
{
    self->out.n += in->go;
}

struct process_child_in {
    u1 go;
};
struct process_child_out {
    u8 y;
};
struct process_child {
    struct process_child_out out;
    enum process_child_at at;
    struct count count;
};

HLS_RESET void process_child_reset(struct process_child *self)
{
    self->out = (struct process_child_out){0};
    self->at = X_IDLE;
    count_reset(&self->count);
}

HLS_MODULE void process_child(struct process_child *self, const struct process_child_in *in)
{
    HLS_PROCESS(self->at, X_IDLE, X_RUN);
    for (;;) {
        HLS_WAIT_UNTIL(X_IDLE, in->go);
        count(&self->count, &(struct count_in){.go = 1});
        HLS_WAIT(X_RUN);
        self->out.y = self->count.out.n;
    }
}
