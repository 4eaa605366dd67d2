// SPDX-License-Identifier: Apache-2.0
/* ss_output.c - one output of the router. */
#include "seastar/router/ss_output.h"

HLS_RESET void ss_output_reset(struct ss_output *self)
{
    *self = (struct ss_output){};
}

/* The flit that crosses to this output; a head gets its VC and age there. */
static inline struct ss_shown crossing(const struct ss_output_in *in, u1 *comes)
{
    struct ss_shown sum = {};
    ss_vc vc = 0;
    ss_age age = 0;
    u1 some = 0;

    for (int i = 0; i < SS_PORTS; i++) {
        struct ss_crossing c = in->from[i];
        u1 hit = (u1)(in->mine >> i);

        hls_assume(!hit || !some);
        some = some || hit;
        sum.flit |= hit ? c.flit : (ss_flit)0;
        sum.head |= hit && c.head;
        sum.tail |= hit && c.tail;
        sum.bad |= hit && c.bad;
        vc |= hit ? c.vc : (ss_vc)0;
        age |= hit ? c.age : (ss_age)0;
    }
    sum.flit = sum.head ? ss_head_with(sum.flit, vc, age) : sum.flit;
    *comes = some;
    return sum;
}

HLS_MODULE void ss_output(struct ss_output *self, const struct ss_output_in *in)
{
    u1 comes, shows = self->out.valid && !in->ready;
    struct ss_shown next = crossing(in, &comes);
    u1 empty = self->waits == 0;
    u2 rest; /* that still wait, without what comes */

    if (!shows) {
        struct ss_shown show = empty ? next : self->waiting[0];

        self->out.flit = show.flit;
        self->out.head = show.head;
        self->out.tail = show.tail;
        self->out.bad = show.bad;
        for (int k = 0; k + 1 < SS_WAITING; k++) {
            self->waiting[k] = self->waiting[k + 1];
        }
    }
    self->out.valid = shows || !empty || comes;
    rest = (u2)(self->waits - (!shows && !empty));
    hls_assume(!comes || (!shows && empty) || rest != SS_WAITING);
    if (comes && (shows || !empty)) {
        self->waiting[rest] = next;
        rest++;
    }
    self->waits = rest;
    self->out.go = (u3)((u3)rest + self->out.valid) <= 2;
}
