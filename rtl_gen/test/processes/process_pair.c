// SPDX-License-Identifier: Apache-2.0
/*
 * process_pair: two processes that start each other. One fills a memory and
 * starts the other, which adds the words up and starts the first again, and
 * which reads while the first one writes the next words. The second one may
 * be held, so that the first waits for it.
 */
#include "hls.h"

enum fill_at { FILL_IDLE, FILL_WRITE, FILL_HAND };
enum add_at { ADD_IDLE, ADD_GO, ADD_READ, ADD_LAST };

struct process_pair_in {
    u1 go, hold;
    u8 data;
};
struct process_pair_out {
    u1 filling;
    u8 rounds;
    u16 sum;
};
struct process_pair {
    struct process_pair_out out;
    struct {
        enum fill_at at;
        u4 i;
        u1 half;
    } fill;
    struct {
        enum add_at at;
        u3 i;
        u1 half;
    } add;
    u8 word;
    HLS_BRAM u8 m[16]; /* two halves */
};

HLS_RESET void process_pair_reset(struct process_pair *self)
{
    self->out = (struct process_pair_out){0};
    self->fill.at = FILL_IDLE;
    self->fill.i = 0;
    self->fill.half = 0;
    self->add.at = ADD_IDLE;
    self->add.i = 0;
    self->add.half = 0;
    self->word = 0;
}

static void fill(struct process_pair *self, const struct process_pair_in *in)
{
    HLS_PROCESS(self->fill.at, FILL_IDLE, FILL_WRITE, FILL_HAND);
    for (;;) {
        HLS_WAIT_UNTIL(FILL_IDLE, in->go);
        self->out.filling = 1;
        for (self->fill.i = 0; self->fill.i < 8; self->fill.i++) {
            HLS_WAIT(FILL_WRITE);
            self->m[(u4)((u4)self->fill.half << 3 | self->fill.i)] = in->data;
        }
        self->out.filling = 0;
        while (self->add.at != ADD_IDLE)
            HLS_WAIT(FILL_HAND);
        self->add.at = ADD_GO;
        self->add.half = self->fill.half;
        self->fill.half = !self->fill.half;
    }
}

static void add(struct process_pair *self)
{
    HLS_PROCESS(self->add.at, ADD_IDLE, ADD_GO, ADD_READ, ADD_LAST);
    for (;;) {
        HLS_WAIT(ADD_IDLE);
        return;
        HLS_WAIT(ADD_GO);
        self->out.sum = 0;
        self->add.i = 0;
        self->word = self->m[(u4)((u4)self->add.half << 3)];
        do {
            HLS_WAIT(ADD_READ);
            self->out.sum += self->word;
            self->add.i++;
            self->word = self->m[(u4)((u4)self->add.half << 3 | self->add.i)];
        } while (self->add.i != 7);
        HLS_WAIT(ADD_LAST);
        self->out.sum += self->word;
        self->out.rounds++;
        if (self->fill.at == FILL_IDLE)
            self->fill.at = FILL_WRITE;
    }
}

HLS_MODULE void process_pair(struct process_pair *self, const struct process_pair_in *in)
{
    if (!in->hold)
        add(self);
    fill(self, in);
}
