// SPDX-License-Identifier: Apache-2.0
/* lanes.c - four copiers of words in memory: an array of processes, which share a stream of reads and one of writes. */
#include "lanes.h"

HLS_RESET void lanes_reset(struct lanes *self)
{
    *self = (struct lanes){.out.job_tready = 15};
}

/* One copier. */
static void copy(struct lanes *self, unsigned i)
{
    struct lane *lane = &self->lane[i];
    const u4 me = (u4)(1u << i);

    HLS_PROCESS(lane->at, LANES_IDLE, LANES_WORD, LANES_WRITE);
    for (;;) {
        HLS_WAIT_UNTIL(LANES_IDLE, !(self->out.job_tready & me));
        while (lane->left != 0) {
            self->reads |= me;
            HLS_WAIT_UNTIL(LANES_WORD, self->full & me);
            self->full &= (u4)~me;
            self->writes |= me;
            HLS_WAIT_UNTIL(LANES_WRITE, !(self->writes & me));
            lane->from++;
            lane->to++;
            lane->left--;
        }
        self->out.job_tready |= me;
    }
}

/* Jobs and words, for lanes that are stopped, too. */
static void take(struct lanes *self, const struct lanes_in *in)
{
    const u4 jobs = in->job.tvalid & self->out.job_tready;
    self->out.job_tready &= (u4)~jobs;
    for (unsigned i = 0; i < LANES; i++) {
        struct lane *lane = &self->lane[i];
        if (jobs >> i & 1)
            lane->from = in->job.from, lane->to = in->job.to, lane->left = in->job.words;
        if (in->word.tvalid && in->word.lane == i) {
            lane->word = in->word.data;
            self->full |= (u4)(1u << i);
        }
    }
}

/* The next one behind `last` of those that want something. */
static u2 next(u4 wants, u2 last)
{
    u2 lane = last;
    for (unsigned k = LANES; k > 0; k--)
        if (wants >> (u2)(last + k) & 1)
            lane = (u2)(last + k);
    return lane;
}

/* Both streams go to the next lane as soon as they are free. */
static void give(struct lanes *self)
{
    const u2 r = next(self->reads, self->out.read.lane),
             w = next(self->writes, self->out.write.lane);
    if (!self->out.read.tvalid && self->reads != 0)
        self->out.read = lanes_read_offer((struct lanes_read){r, self->lane[r].from});
    if (!self->out.write.tvalid && self->writes != 0)
        self->out.write =
            lanes_write_offer((struct lanes_write){w, self->lane[w].to, self->lane[w].word});
}

HLS_MODULE void lanes(struct lanes *self, const struct lanes_in *in)
{
    lanes_read_assert(&self->read_check, &self->out.read, &in->read);
    lanes_write_assert(&self->write_check, &self->out.write, &in->write);
    self->reads &= (u4) ~((u4)(self->out.read.tvalid & in->read.tready) << self->out.read.lane);
    self->writes &= (u4) ~((u4)(self->out.write.tvalid & in->write.tready) << self->out.write.lane);
    self->out.read.tvalid &= !in->read.tready;
    self->out.write.tvalid &= !in->write.tready;
    take(self, in);
    for (unsigned i = 0; i < LANES; i++)
        if (!(in->stop >> i & 1))
            copy(self, i);
    give(self);
}
