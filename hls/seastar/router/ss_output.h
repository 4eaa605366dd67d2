// SPDX-License-Identifier: Apache-2.0
/*
 * ss_output.h - ports and registers of one output of the router: what crosses to it, and a few flits that the link has not taken.
 */
#ifndef SS_OUTPUT_H
#define SS_OUTPUT_H

#include "seastar/router/ss_input.h"

#define SS_WAITING                                                                                 \
    3 /* flits behind the one that is shown: one is on its way when go falls, two keep the link busy */

struct ss_output_in {
    struct ss_crossing from[SS_PORTS];
    ss_ports mine; /* inputs whose flit is for this output: one at most */
    u1 ready;      /* the flit shown is taken */
};

struct ss_output_out {
    u1 valid;
    ss_flit flit;
    u1 head;
    u1 tail;
    u1 bad;
    u1 go; /* a flit may leave an input in the next clock */
};

struct ss_output {
    struct ss_output_out out;

    u2 waits; /* flits behind the one shown: waiting[0] is the next */
    struct ss_shown {
        ss_flit flit;
        u1 head, tail, bad;
    } waiting[SS_WAITING];
};

HLS_RESET void ss_output_reset(struct ss_output *self);
HLS_MODULE void ss_output(struct ss_output *self, const struct ss_output_in *in);

#endif
