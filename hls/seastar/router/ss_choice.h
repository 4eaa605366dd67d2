// SPDX-License-Identifier: Apache-2.0
/*
 * ss_choice.h - ports and registers of the choice: which packet of which input goes to each output.
 */
#ifndef SS_CHOICE_H
#define SS_CHOICE_H

#include "seastar/router/ss_input.h"

/* Offers to one output: bit i, or the i-th field, is that of input i. */
struct ss_asking {
    ss_ports asks;
    uint(SS_PORTS *SS_VC_LOG2) vc;   /* where the packet waits */
    uint(SS_PORTS *SS_VC_LOG2) next; /* the VC that it takes */
    uint(SS_PORTS *SS_AGE_BITS) age;
};

struct ss_choice_in {
    struct ss_asking to[SS_PORTS + 1]; /* outputs; the last: to be dropped */
    ss_ports taken; /* outputs that a packet is on its way to, or will be, behind this clock */
    ss_vcs room[SS_PORTS];
    u64 age_rr; /* choice n, modulo 64, of an output: 1 by age, 0 round robin */
};

struct ss_choice_out {
    struct ss_grant grant[SS_PORTS];   /* to each input */
    struct ss_vc_note start[SS_PORTS]; /* of each output */
};

struct ss_choice {
    struct ss_choice_out out;

    u8 after[SS_PORTS];        /* of each output: inputs behind the one that it took last */
    u8 after_output[SS_PORTS]; /* of each input: outputs behind the one that took it last */
    u6 turn[SS_PORTS];         /* of each output: its choices */
};

HLS_RESET void ss_choice_reset(struct ss_choice *self);
HLS_MODULE void ss_choice(struct ss_choice *self, const struct ss_choice_in *in);

#endif
