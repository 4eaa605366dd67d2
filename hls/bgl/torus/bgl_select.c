// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_select.c - the second phase of arbitration.
 *
 * A request that is picked is seen by its channel a clock later, so one of the clock behind a pick is not looked at.
 */
#include "bgl/torus/bgl_select.h"

#include "bgl/torus/bgl_pick.h"

HLS_RESET void bgl_select_reset(struct bgl_select *self)
{
    *self = (struct bgl_select){.out = {.bus_free = 1, .normal = 1, .high = 1}};
}

/* Busses to senders that no packet has, no offer holds and no answer takes. */
static inline u2 free_busses(const struct bgl_select *self, const struct bgl_select_in *in)
{
    u2 offered = (u2)((u2)self->out.offer.valid << self->out.offer.bus);
    u2 granted = (u2)((u2)(self->out.asked != 0 && in->granted) << self->out.asked_bus);

    return (u2) ~(in->busy | offered | granted);
}

/* VCs that ask, for a sender or for a reception FIFO. */
static inline u4 requests(const struct bgl_select *self, const struct bgl_select_in *in, u1 here)
{
    u4 set = 0;

    for (int k = 0; k < BGL_VCS; k++) {
        const struct bgl_request *r = &in->request[k];

        set |= (u4)((u4)(r->valid && r->here == here) << k);
    }
    return (u4)(set & ~self->out.picked);
}

/* Broadcasts among them: they need the reception FIFO, too. */
static inline u4 broadcasts(const struct bgl_select_in *in)
{
    u4 set = 0;

    for (int k = 0; k < BGL_VCS; k++) {
        set |= (u4)((u4)(in->request[k].valid && in->request[k].dp) << k);
    }
    return set;
}

/* Those of the bypass. */
static inline u4 early(const struct bgl_select_in *in)
{
    u4 set = 0;

    for (int k = 0; k < BGL_VCS; k++) {
        set |= (u4)((u4)in->request[k].early << k);
    }
    return set;
}

static inline u4 choose(u4 set, const struct bgl_select_in *in)
{
    u2 range[BGL_VCS];

    for (int k = 0; k < BGL_VCS; k++) {
        range[k] = pick_range(in->held[k], in->fullness);
    }
    u4 stored = set & (u4)~early(in);
    u4 best = stored != 0 ? stored : set;
    u16 fullest = pick_fullest(best, range, BGL_VCS);
    u4 high = set & 8;
    u4 of = high != 0 ? high : in->slq ? (u4)fullest : best;

    return (u4)pick_random(of, in->random, BGL_VCS);
}

/* The offer of the VC that is chosen. */
static inline struct bgl_offer offer_of(u4 one, u1 bus, const struct bgl_select_in *in)
{
    struct bgl_offer offer = {.bus = bus};

    for (int k = 0; k < BGL_VCS; k++) {
        const struct bgl_request *r = &in->request[k];

        if ((u1)(one >> k)) {
            offer = (struct bgl_offer){
                .valid = 1,
                .port = r->port,
                .vc = r->vc,
                .n = r->n,
                .bus = bus,
                .fullness = pick_range(in->held[k], in->fullness),
                .high = r->high,
                .dp = r->dp,
            };
        }
    }
    return offer;
}

HLS_MODULE void bgl_select(struct bgl_select *self, const struct bgl_select_in *in)
{
    u2 free = free_busses(self, in);
    u4 here = requests(self, in, 1);
    u1 normal = self->out.normal && !in->normal_busy && !(self->out.asked_dp && in->granted);
    u1 high = self->out.high && !in->high_busy;
    u4 may = (u4)((normal ? (u4)7 : (u4)0) | (high ? (u4)8 : (u4)0));
    u4 asks = free != 0 ? requests(self, in, 0) : (u4)0;
    u4 passed = in->waits ? (u4)8 : (u4)0xF;
    u4 one = choose((u4)(asks & passed & (normal ? (u4)0xF : (u4)~broadcasts(in))), in);
    u1 dp = (one & broadcasts(in)) != 0;
    u4 arrived = (u4)pick_random((u4)(here & may & (dp ? (u4)8 : (u4)0xF)), in->random, BGL_VCS);
    u1 bus = !(u1)free;

    self->out.asked = self->offered;
    self->out.asked_bus = self->out.offer.bus;
    self->out.asked_port = self->out.offer.port;
    self->out.asked_dp = self->out.offer.dp;
    self->out.offer = offer_of(one, bus, in);
    self->offered = one;
    self->out.picked = one | arrived;
    self->out.started = arrived;
    self->out.bus_free = free == 3 || (free != 0 && one == 0);
    self->out.normal = (arrived & 7) == 0 && !dp;
    self->out.high = (arrived & 8) == 0;
    hls_cover(one != 0 && arrived != 0);
}
