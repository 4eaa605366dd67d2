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

static inline ss_vc vc_at(uint(SS_PORTS *SS_VC_LOG2) list, int i)
{
    return (ss_vc)(list >> (SS_VC_LOG2 * i));
}

static inline ss_age age_at(uint(SS_PORTS *SS_AGE_BITS) list, int i)
{
    return (ss_age)(list >> (SS_AGE_BITS * i));
}

static inline ss_age older(ss_age a, ss_age b)
{
    return a > b ? a : b;
}

/* One-hot: the oldest of those that ask; equal ones in turn, behind the one that was served last. */
HLS_FUNCTION static inline u8 serve_oldest(ss_ports asks, uint(SS_PORTS *SS_AGE_BITS) ages,
                                           u8 after)
{
    ss_age age[8] = {}, half[4], top;
    u8 tops = 0;

    for (int i = 0; i < SS_PORTS; i++) {
        age[i] = (u1)(asks >> i) ? age_at(ages, i) : (ss_age)0;
    }
    for (int k = 0; k < 4; k++) {
        half[k] = older(age[2 * k], age[2 * k + 1]);
    }
    top = older(older(half[0], half[1]), older(half[2], half[3]));
    for (int i = 0; i < SS_PORTS; i++) {
        tops |= (u8)((u8)((u1)(asks >> i) && age[i] == top) << i);
    }
    return mask_serve(tops, after);
}

/* Inputs whose offer to this output has room. */
static inline ss_ports with_room(const struct ss_asking *to, ss_vcs room)
{
    ss_ports set = 0;

    for (int i = 0; i < SS_PORTS; i++) {
        set |= (ss_ports)((ss_ports)(u1)(room >> vc_at(to->next, i)) << i);
    }
    return set;
}

HLS_MODULE void ss_choice(struct ss_choice *self, const struct ss_choice_in *in)
{
    ss_ports granted =
        0; /* inputs that have got one in the clock before; what they offer is of before */
    ss_ways taken = (ss_ways)in->taken;
    u8 picks[SS_PORTS + 1], got[SS_PORTS]; /* inputs, of each output */
    struct ss_grant grant[SS_PORTS];

    for (int i = 0; i < SS_PORTS; i++) {
        granted |= (ss_ports)((ss_ports)self->out.grant[i].valid << i);
        taken |= self->out.grant[i].valid ? self->out.grant[i].to : (ss_ways)0;
    }
    for (int o = 0; o < SS_PORTS; o++) {
        u1 by_age = (u1)(in->age_rr >> self->turn[o]);
        ss_ports asks = in->to[o].asks & ~granted & with_room(&in->to[o], in->room[o]);

        picks[o] =
            serve_oldest((u1)(taken >> o) ? (ss_ports)0 : asks,
                         by_age ? in->to[o].age : (uint(SS_PORTS * SS_AGE_BITS))0, self->after[o]);
        got[o] = 0;
    }
    picks[SS_PORTS] = (u8)(in->to[SS_PORTS].asks & ~granted);
    for (int i = 0; i < SS_PORTS; i++) {
        u8 by = 0;
        ss_vc vc = 0, next = 0;
        ss_age age = 0;

        for (int o = 0; o <= SS_PORTS; o++) {
            by |= (u8)((u8)(u1)(picks[o] >> i) << o);
        }
        u8 one = mask_serve(by, self->after_output[i]);

        for (int o = 0; o <= SS_PORTS; o++) {
            u1 hit = (u1)(one >> o);

            vc |= hit ? vc_at(in->to[o].vc, i) : (ss_vc)0;
            next |= hit ? vc_at(in->to[o].next, i) : (ss_vc)0;
            age |= hit ? age_at(in->to[o].age, i) : (ss_age)0;
        }
        for (int o = 0; o < SS_PORTS; o++) {
            got[o] |= (u8)((u8)(u1)(one >> o) << i);
        }
        self->after_output[i] = one != 0 ? mask_above(one) : self->after_output[i];
        grant[i] = (struct ss_grant){
            .valid = one != 0, .vc = vc, .next = next, .age = age, .to = (ss_ways)one};
    }
    for (int o = 0; o < SS_PORTS; o++) {
        ss_vc next = 0;

        for (int i = 0; i < SS_PORTS; i++) {
            next |= (u1)(got[o] >> i) ? vc_at(in->to[o].next, i) : (ss_vc)0;
        }
        self->out.start[o] = (struct ss_vc_note){.valid = got[o] != 0, .vc = (u3)next};
        self->after[o] = got[o] != 0 ? mask_above(got[o]) : self->after[o];
        self->turn[o] += got[o] != 0;
    }
    for (int i = 0; i < SS_PORTS; i++) {
        self->out.grant[i] = grant[i];
    }
}
