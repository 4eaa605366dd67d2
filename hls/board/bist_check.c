// SPDX-License-Identifier: Apache-2.0
/*
 * bist_check.c - a checker of packets.
 */
#include "board/bist_check.h"

HLS_RESET void bist_check_reset(struct bist_check *self)
{
    *self = (struct bist_check){0};
}

/* The counters, with what the flit before has come to. */
static inline void count(struct bist_check *self, u1 tick, u1 clear)
{
    if (tick) {
        self->out.rate = self->flits;
        self->flits = self->came;
    } else {
        self->flits += self->came;
    }
    if (clear) {
        self->out.lost = self->out.cut = self->out.wrong = 0;
    } else {
        self->out.lost += self->missed;
        self->out.cut += self->ended_cut;
        self->out.wrong += self->ended_wrong;
    }
}

/* A head: what it says of its packet; all of it is believed when the tail has come. */
static inline void begin(struct bist_check *self, u48 flit, u3 vcs)
{
    bist_tag tag = (bist_tag)flit;
    bist_stream stream = (bist_stream)(tag >> BIST_NUMBER_BITS);
    bist_number ahead = (bist_number)(tag - self->expected[stream]);
    u1 old = (u1)(ahead >> (BIST_NUMBER_BITS - 1));

    self->known = !old && flit == bist_head(tag, stream & vcs);
    self->faulty = !self->known || self->left != 0;
    self->tag = tag;
    self->ahead = ahead;
    self->left = (rtr_length)(bist_length(tag) - 1);
    self->body = bist_first(tag);
}

static inline void go_on(struct bist_check *self, u48 flit)
{
    u1 inside = self->left != 0;

    self->faulty |= !inside || flit != self->body;
    self->body = bist_next(self->body);
    self->left -= inside;
}

static inline void end(struct bist_check *self, u1 bad)
{
    self->faulty |= self->left != 0;
    self->left = 0;
    self->ended_cut = bad;
    self->ended_wrong = self->faulty && !bad;
    if (bad ? self->known : !self->faulty) {
        self->missed = self->ahead;
        self->expected[(bist_stream)(self->tag >> BIST_NUMBER_BITS)] = (bist_number)(self->tag + 1);
    }
}

HLS_MODULE void bist_check(struct bist_check *self, const struct bist_check_in *in)
{
    count(self, in->tick, in->clear);
    self->came = in->valid;
    self->ended_cut = 0;
    self->ended_wrong = 0;
    self->missed = 0;
    if (in->valid && in->head) {
        begin(self, in->flit, in->vcs);
    } else if (in->valid) {
        go_on(self, in->flit);
    }
    if (in->valid && in->tail) {
        end(self, in->bad);
    }
}
