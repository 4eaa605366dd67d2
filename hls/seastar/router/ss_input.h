// SPDX-License-Identifier: Apache-2.0
/*
 * ss_input.h - ports and registers of one input of the router.
 *
 * Packets come from a link, wait by VC, and leave whole, one at a time, to the output that chose them.
 */
#ifndef SS_INPUT_H
#define SS_INPUT_H

#include "seastar/router/ss_packets.h"
#include "seastar/router/ss_route.h"
#include "seastar/router/ss_store.h"

/* A packet that asks for an output. */
struct ss_offer {
    u1 valid;
    ss_vc vc;   /* where it waits */
    ss_vc next; /* the VC that it takes */
    ss_age age;
};

/* An output takes a packet of this input. */
struct ss_grant {
    u1 valid;
    ss_vc vc;
    ss_vc next;
    ss_age age;
    ss_ways to; /* one-hot */
};

/* A flit on its way through the crossbar. */
struct ss_crossing {
    u1 valid;
    u1 head;
    u1 tail;
    u1 bad;
    ss_flit flit;
    ss_vc vc; /* of a head: the VC that it takes ... */
    ss_age age;
    ss_ways to;
};

struct ss_input_in {
    u1 valid; /* a flit from the link */
    ss_flit flit;
    u1 bad;
    u1 whole;
    ss_entry entry;        /* of ss_route, for the head of two clocks before */
    ss_port own;           /* this input's port; constant */
    ss_ports dead;         /* outputs for which packets are dropped */
    ss_tick tick;          /* time in ticks */
    ss_age bias[2];        /* added to the age of requests, responses */
    ss_vcs room[SS_PORTS]; /* of each output */
    ss_ports go;           /* outputs that take a flit */
    struct ss_grant grant;
};

/* What is counted; a clock each. */
struct ss_input_events {
    struct ss_vc_note came; /* a flit */
    u1 illegal;             /* a packet of a length, or on a VC, that does not exist is dropped */
    u1 no_route;            /* a packet without a way, or with one back, is dropped */
    u1 dead;                /* a packet for a dead output is dropped */
    u1 corrected;           /* a word of a memory had one wrong bit, */
    u1 fatal;               /* or two */
};

struct ss_input_out {
    struct ss_offer offer[SS_PORTS + 1]; /* to each output; the last: to be dropped */
    ss_ways leaves;                      /* where the packet goes that is leaving, */
    ss_vc leaves_vc;                     /* whence, */
    ss_ways follows;                     /* and where the one behind it */
    ss_vcs tails;                        /* VC v: the flit in front is a tail */
    struct ss_crossing cross;
    struct ss_vc_note freed;
    struct ss_input_events events;
};

/* A packet that has an output. */
struct ss_leaving {
    u1 valid;
    u1 begun; /* its head has left */
    u4 left;  /* flits */
    ss_vc vc;
    ss_vc next;
    ss_age age;
    ss_ways to;
};

struct ss_input {
    struct ss_input_out out;
    struct ss_store store;
    struct ss_packets packets;

    /* From the link: framed, then its way looked up. */
    u4 left; /* flits of the packet that are still to come */
    struct ss_arrival {
        u1 valid, head, tail, whole;
        struct ss_marked flit;
    } came, looked;

    ss_vc vc;     /* of the packet that is being stored, */
    u1 refused;   /* which is on a VC that does not exist */
    u1 announced; /* and may already ask */
    struct ss_packet packet;
    u7 refused_flits[SS_VCS]; /* to be given back, of VCs 4 and up */

    struct ss_leaving leaving, then;
    u8 after; /* VCs behind the one that left last: they are offered first */
};

HLS_RESET void ss_input_reset(struct ss_input *self);
HLS_MODULE void ss_input(struct ss_input *self, const struct ss_input_in *in);

#endif
