// SPDX-License-Identifier: Apache-2.0
/* walker.c - translates page numbers by a table of four levels in memory: a process of four states. */
#include "walker.h"

HLS_RESET void walker_reset(struct walker *self)
{
    *self = (struct walker){.at = WALKER_IDLE, .out.request_tready = 1};
}

/* From the first table on. */
static void begin(struct walker *self, const struct walker_in *in)
{
    self->stale = 0;
    self->out.answer.level = 3;
    self->out.answer.writable = 1;
    self->out.read.table = in->root;
}

static void ask(struct walker *self)
{
    self->out.read.tvalid = 1;
    self->out.read.tag = self->tag;
    self->out.read.index = self->page.index[self->out.answer.level];
    self->left = WALKER_LIMIT - 1;
}

/* What an entry says; whether it leads to another table. */
static bool leads_on(struct walker *self, const struct walker_word *word)
{
    const u1 present = (u1)word->entry, last = (u1)(word->entry >> 7);
    self->out.read.table = self->out.answer.frame = (u36)(word->entry >> 12);
    self->out.answer.writable &= (u1)(word->entry >> 1);
    self->out.answer.status = word->error ? WALKER_ERROR : present ? WALKER_FOUND : WALKER_ABSENT;
    if (word->error || !present || last || self->out.answer.level == 0)
        return false;
    self->out.answer.level--;
    return true;
}

HLS_MODULE void walker(struct walker *self, const struct walker_in *in)
{
    self->out.read.tvalid &= !in->read_tready;
    const bool came = in->word.tvalid && in->word.tag == self->tag && !self->out.read.tvalid;
    self->stale |= in->invalidate;

    HLS_PROCESS(self->at, WALKER_IDLE, WALKER_FREE, WALKER_WORD, WALKER_GIVE);
    for (;;) {
        HLS_WAIT_UNTIL(WALKER_IDLE, in->request.tvalid);
        self->out.request_tready = 0;
        self->page = in->request.page;
        while (self->out.read.tvalid) /* of a walk that ended by a timeout */
            HLS_WAIT(WALKER_FREE);
        do {
            begin(self, in);
            do {
                ask(self);
                do {
                    HLS_WAIT(WALKER_WORD);
                } while (!came && self->left-- != 0);
            } while (came && !self->stale && leads_on(self, &in->word));
        } while (came && self->stale);
        if (!came) {
            self->out.answer.status = WALKER_TIMEOUT;
            self->tag++;
        }
        self->out.answer.tvalid = 1;
        HLS_WAIT_UNTIL(WALKER_GIVE, in->answer_tready);
        self->out.answer.tvalid = 0;
        self->out.request_tready = 1;
    }
}
