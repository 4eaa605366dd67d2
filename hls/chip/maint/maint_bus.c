// SPDX-License-Identifier: Apache-2.0
/*
 * maint_bus.c - one access at a time, whoever asks: looked for in turn, put to its unit, answered.
 */
#include "chip/maint/maint_bus.h"

HLS_RESET void maint_bus_reset(struct maint_bus *self)
{
    self->out = (struct maint_bus_out){};
    self->serves = 0;
    self->turn = 0;
}

static inline u1 unit_exists(u8 unit)
{
    return unit == UNIT_ROUTER || unit == UNIT_SUPERVISOR ||
           (unit >= UNIT_LINKS && unit < UNIT_LINKS + RTR_LINKS);
}

/* The next one in turn is looked at; not one that is just being answered, whose request stands for one clock more. */
static inline void look(struct maint_bus *self, const struct maint_bus_in *in)
{
    u5 next = self->turn == MAINT_MASTERS - 1 ? (u5)0 : (u5)(self->turn + 1);
    struct maint_request request = {};

    for (int i = 0; i < MAINT_MASTERS; i++) {
        if (next == (u5)i) {
            request = in->from[i];
            request.valid &= !self->out.to[i].ready;
        }
    }
    self->turn = next;
    self->serves = request.valid;
    request.valid &= unit_exists(request.unit);
    self->out.bus = request;
}

HLS_MODULE void maint_bus(struct maint_bus *self, const struct maint_bus_in *in)
{
    u1 nobody = self->serves && !self->out.bus.valid;
    u1 answers = nobody || (self->serves && in->reply.ready);
    u1 looks = !self->serves;
    u1 error = nobody || in->reply.error;
    u64 rdata = error ? (u64)0 : in->reply.rdata;

    if (looks) {
        look(self, in);
    }
    if (answers) {
        self->out.bus.valid = 0;
        self->serves = 0;
    }
    for (int i = 0; i < MAINT_MASTERS; i++) {
        self->out.to[i].ready = answers && self->turn == (u5)i;
        self->out.to[i].error = error;
        self->out.to[i].rdata = rdata;
    }
}
