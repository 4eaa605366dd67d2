// SPDX-License-Identifier: Apache-2.0
/*
 * ss_choice.c - matches inputs and outputs, once in each clock.
 *
 * Each output that is free, or will be behind a tail that leaves in this clock, picks an input; of several outputs that pick the
 * same input one gets it, in turn, the others pick again in the next clock. So no input ever has two grants at once.
 */
#include "seastar/router/ss_choice.h"

#include "common/arbiter.h"

HLS_RESET void ss_choice_reset(struct ss_choice *self)
{
    *self = (struct ss_choice){};
}

/* Outputs that a packet is on its way to, or will be. */
static inline ss_ways busy(const struct ss_choice *self, const struct ss_choice_in *in)
{
    ss_ways set = 0;

    for (int i = 0; i < SS_PORTS; i++) {
        u1 last = (u1)(in->from[i].tails >> in->from[i].leaves_vc);
        ss_ways stays =
            last ? (ss_ways)(in->from[i].leaves & ~(ss_ways)in->go) : in->from[i].leaves;

        set |= stays | in->from[i].follows;
        set |= self->out.grant[i].valid ? self->out.grant[i].to : (ss_ways)0;
    }
    return set;
}

static inline ss_age older(ss_age a, ss_age b)
{
    return a > b ? a : b;
}

/* The greatest of the ages, as a tree. */
static inline ss_age oldest(const ss_age age[8])
{
    return older(older(older(age[0], age[1]), older(age[2], age[3])),
                 older(older(age[4], age[5]), older(age[6], age[7])));
}

/* One-hot: the input that an output picks, the oldest if ages count; equal ones in turn. */
static inline u8 pick(const struct ss_choice *self, const struct ss_choice_in *in, int o)
{
    u1 by_age = (u1)(in->age_rr >> self->turn[o]);
    ss_age age[8] = {};
    u8 asks = 0, tops = 0;

    for (int i = 0; i < SS_PORTS; i++) {
        struct ss_offer offer = in->from[i].offer[o];
        u1 may = offer.valid && !self->out.grant[i].valid && (u1)(in->room[o] >> offer.next);

        asks |= (u8)((u8)may << i);
        age[i] = may && by_age ? offer.age : (ss_age)0;
    }
    ss_age top = oldest(age);

    for (int i = 0; i < SS_PORTS; i++) {
        tops |= (u8)((u8)(age[i] == top) << i);
    }
    return mask_serve((u8)(asks & tops), self->after[o]);
}

HLS_MODULE void ss_choice(struct ss_choice *self, const struct ss_choice_in *in)
{
    ss_ways taken = busy(self, in);
    u8 picks[SS_PORTS], got[SS_PORTS]; /* inputs, of each output */
    struct ss_grant grant[SS_PORTS];

    for (int o = 0; o < SS_PORTS; o++) {
        picks[o] = (u1)(taken >> o) ? (u8)0 : pick(self, in, o);
        got[o] = 0;
    }
    for (int i = 0; i < SS_PORTS; i++) {
        u8 by =
            (u8)((u8)(in->from[i].offer[SS_PORTS].valid && !self->out.grant[i].valid) << SS_PORTS);

        for (int o = 0; o < SS_PORTS; o++) {
            by |= (u8)((u8)(u1)(picks[o] >> i) << o);
        }
        u8 one = mask_serve(by, self->after_output[i]);
        struct ss_offer taken_offer = {};

        for (int o = 0; o <= SS_PORTS; o++) {
            struct ss_offer offer = in->from[i].offer[o];

            taken_offer.vc |= (u1)(one >> o) ? offer.vc : (ss_vc)0;
            taken_offer.next |= (u1)(one >> o) ? offer.next : (ss_vc)0;
            taken_offer.age |= (u1)(one >> o) ? offer.age : (ss_age)0;
        }
        for (int o = 0; o < SS_PORTS; o++) {
            got[o] |= (u8)((u8)(u1)(one >> o) << i);
        }
        self->after_output[i] = one != 0 ? mask_above(one) : self->after_output[i];
        grant[i] = (struct ss_grant){.valid = one != 0,
                                     .vc = taken_offer.vc,
                                     .next = taken_offer.next,
                                     .age = taken_offer.age,
                                     .to = (ss_ways)one};
    }
    for (int o = 0; o < SS_PORTS; o++) {
        ss_vc next = 0;

        for (int i = 0; i < SS_PORTS; i++) {
            next |= (u1)(got[o] >> i) ? grant[i].next : (ss_vc)0;
        }
        self->out.start[o] = (struct ss_vc_note){.valid = got[o] != 0, .vc = (u3)next};
        self->after[o] = got[o] != 0 ? mask_above(got[o]) : self->after[o];
        self->turn[o] += got[o] != 0;
    }
    for (int i = 0; i < SS_PORTS; i++) {
        self->out.grant[i] = grant[i];
    }
}
