// SPDX-License-Identifier: Apache-2.0
/* Two processes that write one memory in one clock. */
#include "hls.h"

enum process_two_writes_at { X_IDLE, X_RUN };

struct process_two_writes_in {
    u1 go;
    u8 x;
};
struct process_two_writes_out {
    u8 y;
};
struct process_two_writes {
    struct process_two_writes_out out;
    struct writer {
        enum process_two_writes_at at;
    } writer[2];
    u8 word;
    HLS_BRAM u8 m[256];
};

HLS_RESET void process_two_writes_reset(struct process_two_writes *self)
{
    self->out.y = self->word = 0;
    self->writer[0].at = self->writer[1].at = X_IDLE;
}

static void writer(struct process_two_writes *self, struct writer *w, u1 go, u8 x)
{
    HLS_PROCESS(w->at, X_IDLE, X_RUN);
    for (;;) {
        HLS_WAIT_UNTIL(X_IDLE, go);
        HLS_WAIT(X_RUN);
        self->m[x] = 1;
    }
}

HLS_MODULE void process_two_writes(struct process_two_writes *self,
                                   const struct process_two_writes_in *in)
{
    self->out.y = self->word;
    self->word = self->m[in->x];
    writer(self, &self->writer[0], in->go, in->x);
    writer(self, &self->writer[1], !in->go, (u8)~in->x);
}
