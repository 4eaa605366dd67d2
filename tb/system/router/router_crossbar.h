// SPDX-License-Identifier: Apache-2.0
/*
 * router_crossbar.h - a router without any insides, to test the bench: every output has one queue that takes
 * from all inputs at once. It can do one thing wrong on request, which the golden router or the accounts of
 * the bench must then name.
 */
#ifndef TB_ROUTER_CROSSBAR_H
#define TB_ROUTER_CROSSBAR_H

#include "tb/base/dut.h"
#include "tb/golden/router/router.h"

enum crossbar_fault {
    CROSSBAR_GOOD,
    CROSSBAR_LOSES,         /* a packet never leaves */
    CROSSBAR_DOUBLES,       /* one leaves twice */
    CROSSBAR_FLIPS_HEAD,    /* one bit of a head changes */
    CROSSBAR_FLIPS_BODY,    /* one bit of a body flit changes */
    CROSSBAR_CUTS,          /* the last flit of a packet is missing */
    CROSSBAR_MIXES,         /* two packets exchange a body flit */
    CROSSBAR_MISROUTES,     /* a packet leaves at the port beside */
    CROSSBAR_OVERTAKES,     /* a packet leaves before an older one of its flow */
    CROSSBAR_CHANGES_ROUTE, /* every other packet in mode IN_ORDER takes its other route */
    CROSSBAR_CHANGES_VC,    /* a packet leaves on another VC than the plan says */
    CROSSBAR_PASSES,        /* what should be dropped leaves */
    CROSSBAR_MARKS_HEAD,    /* a body flit is marked as head */
    CROSSBAR_MARKS_NOT,     /* a tail is not marked */
    CROSSBAR_MARKS,         /* a good packet is marked bad */
    CROSSBAR_CLEANS,        /* a corrupted one is not */
    CROSSBAR_KEEPS_CREDIT,  /* a credit never comes back */
    CROSSBAR_GIVES_CREDIT,  /* one comes back that was not taken */
    CROSSBAR_NO_ROOM,       /* packets are chosen without room for them */
    CROSSBAR_NO_START,      /* a packet is not announced */
    CROSSBAR_FAULTS,
};

/* What the next one is started with. The fault happens to the first packet it can happen to after `from`. */
struct crossbar_setup {
    const struct golden_plan *plan;
    enum crossbar_fault fault;
    uint64_t from; /* packets */
};
extern struct crossbar_setup crossbar_setup;

extern const struct dut_model crossbar_model;

#endif
