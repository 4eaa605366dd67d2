// SPDX-License-Identifier: Apache-2.0
/* A Verilog keyword as a module. */
#include "hls.h"

struct task_in {
    u1 go;
};
struct task_out {
    u8 y;
};
struct task {
    struct task_out out;
};

HLS_RESET void task_reset(struct task *self)
{
    *self = (struct task){0};
}

HLS_MODULE void task(struct task *self, const struct task_in *in)
{
    self->out.y += in->go;
}
