// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_vc_fifo.c - the four VC FIFOs of a receiver: their memory, whose words are checked here, and the busses that their packets leave on.
 */
#include "bgl/torus/bgl_vc_fifo.h"

HLS_RESET void bgl_vc_fifo_reset(struct bgl_vc_fifo *self)
{
    self->out = (struct bgl_vc_fifo_out){.drained = 1};
    self->read = 0;
    self->reads = 0;
    self->slot = 0;
    for (int k = 0; k < BGL_VCS; k++) {
        bgl_vc_queue_reset(&self->queue[k]);
    }
}

static inline struct bgl_vc_queue_in queue_inputs(const struct bgl_vc_fifo *self,
                                                  const struct bgl_vc_fifo_in *in, u1 low, int k)
{
    u1 own = in->vc == k;
    struct bgl_vc_queue_in queue = {
        .vc = (u2)k,
        .write = in->write && own,
        .first = in->first,
        .word = in->word,
        .size = in->size,
        .done = in->done && own,
        .good = in->good,
        .valid = in->valid,
        .reads = self->slot == k && self->queue[k].out.wants,
        .early = in->early,
        .start = in->start[k],
        .where = in->at,
    };

    queue.early.valid = in->early.valid && in->early.vc == k && low;
    return queue;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* In each fourth clock a FIFO reads, if a word is there and a place for it. */
static inline void use_memory(struct bgl_vc_fifo *self, const struct bgl_vc_fifo_in *in)
{
    u2 k = self->slot;
    u1 wants = 0;
    u7 read_at = 0;
    u7 write_at = 0;

    for (int i = 0; i < BGL_VCS; i++) {
        wants |= k == i && self->queue[i].out.wants;
        read_at |= k == i ? self->queue[i].out.read_at : (u7)0;
        write_at |= in->vc == i ? self->queue[i].out.write_at : (u7)0;
    }
    self->reads = wants;
    if (wants) {
        self->read = self->memory[(u9)((u9)((u9)k << 7) | read_at)];
    }
    if (in->write) {
        self->memory[(u9)((u9)((u9)in->vc << 7) | write_at)] = bgl_ecc_word(in->word);
    }
    self->slot++;
}

/* ---- busses ---------------------------------------------------------------------------------- */

/* What one of the FIFOs sends at most: all others' bytes are 0. */
static inline struct bgl_byte merge(struct bgl_byte a, struct bgl_byte b, u1 takes)
{
    return takes ? (struct bgl_byte){.data = a.data | b.data,
                                     .parity = a.parity | b.parity,
                                     .ctl = a.ctl | b.ctl}
                 : a;
}

static inline void send(struct bgl_vc_fifo *self)
{
    self->out.bus[0] = bus_byte(0, BUS_NONE);
    self->out.bus[1] = bus_byte(0, BUS_NONE);
    self->out.normal = bus_byte(0, BUS_NONE);
    for (int k = 0; k < BGL_VCS; k++) {
        const struct bgl_vc_queue_out *queue = &self->queue[k].out;

        self->out.bus[0] = merge(self->out.bus[0], queue->on, !queue->by);
        self->out.bus[1] = merge(self->out.bus[1], queue->on, queue->by);
        if (k != 3) {
            self->out.normal = merge(self->out.normal, queue->here, 1);
            if (queue->here.ctl != BUS_NONE) {
                self->out.normal_group = queue->to_group;
            }
        }
    }
    self->out.high = self->queue[3].out.here;
    self->out.high_group = self->queue[3].out.to_group;
}

/* ---- what others see ------------------------------------------------------------------------- */

static inline void gather_events(struct bgl_vc_fifo *self, u1 corrected, u1 fatal)
{
    self->out.corrected = corrected;
    self->out.fatal = fatal;
    self->out.drained = 1;
    self->out.lost = 0;
    self->out.bypassed = 0;
    self->out.refused = 0;
    for (int k = 0; k < BGL_VCS; k++) {
        const struct bgl_vc_queue_out *queue = &self->queue[k].out;

        self->out.drained &= queue->drained;
        self->out.lost |= queue->lost;
        self->out.corrected |= queue->corrected;
        self->out.bypassed |= queue->bypassed;
        self->out.refused |= queue->refused;
    }
}

static inline void forward_outputs(struct bgl_vc_fifo *self)
{
    for (int k = 0; k < BGL_VCS; k++) {
        self->out.front[k] = self->queue[k].out.front;
        self->out.leaves[k] = self->queue[k].out.leaves;
        self->out.by[k] = self->queue[k].out.by;
        self->out.arrives[k] = self->queue[k].out.arrives;
        self->out.freed[k] = self->queue[k].out.freed;
        self->out.held[k] = self->queue[k].out.held;
    }
}

HLS_MODULE void bgl_vc_fifo(struct bgl_vc_fifo *self, const struct bgl_vc_fifo_in *in)
{
    struct word_ecc_result read = word_decode(self->read);
    struct bgl_vc_queue_in queue[BGL_VCS];
    u1 low = 1;

    for (int k = 0; k < BGL_VCS; k++) {
        low &= self->queue[k].out.held < in->bypass[k];
    }
    for (int k = 0; k < BGL_VCS; k++) {
        queue[k] = queue_inputs(self, in, low, k);
        queue[k].read = read.data;
        queue[k].read_fatal = read.fatal;
    }
    send(self);
    gather_events(self, self->reads && read.corrected, self->reads && read.fatal);
    use_memory(self, in);
    for (int k = 0; k < BGL_VCS; k++) {
        bgl_vc_queue(&self->queue[k], &queue[k]);
    }
    forward_outputs(self);
}
