// SPDX-License-Identifier: Apache-2.0
/*
 * process_memory: a process with a block RAM of 600 words: it takes writes, and from a word on it clears them or
 * adds them up, a clock to read each and one to add it.
 */
#include "hls.h"

enum process_memory_at { MEM_IDLE, MEM_CLEAR, MEM_READ, MEM_ADD, MEM_DONE };

struct process_memory_in {
    u1 go, clear, write;
    u10 addr;
    u16 data;
};
struct process_memory_out {
    u1 busy, done;
    u26 sum;
};
struct process_memory {
    struct process_memory_out out;
    enum process_memory_at at;
    u10 i;
    u16 word;
    HLS_BRAM u16 m[600];
};

HLS_RESET void process_memory_reset(struct process_memory *self)
{
    self->out = (struct process_memory_out){0};
    self->at = MEM_IDLE;
    self->i = 0;
    self->word = 0;
}

HLS_MODULE void process_memory(struct process_memory *self, const struct process_memory_in *in)
{
    HLS_PROCESS(self->at, MEM_IDLE, MEM_CLEAR, MEM_READ, MEM_ADD, MEM_DONE);
    for (;;) {
        self->out.busy = 0;
        do {
            HLS_WAIT(MEM_IDLE);
            if (in->write && !in->go && in->addr < 600)
                self->m[in->addr] = in->data;
        } while (!in->go);
        self->out.busy = 1;
        self->i = in->addr;
        if (in->clear) {
            for (; self->i < 600; self->i++) {
                self->m[self->i] = 0;
                HLS_WAIT(MEM_CLEAR);
            }
            continue;
        }
        self->out.sum = 0;
        for (; self->i < 600; self->i++) {
            self->word = self->m[self->i];
            HLS_WAIT(MEM_READ);
            self->out.sum += self->word;
            HLS_WAIT(MEM_ADD);
        }
        self->out.done = 1;
        HLS_WAIT(MEM_DONE);
        self->out.done = 0;
    }
}
