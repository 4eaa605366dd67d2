// SPDX-License-Identifier: Apache-2.0
/*
 * maint_tap.h - ports and registers of a maintenance tap: packets that come over a link and read and write registers of this chip.
 *
 * It stands beside the wires between an LCB in packet mode and its port of the router. A packet whose first head is in mode SOURCE
 * and names the port that it came in by, which no way needs, is the tap's; its reply leaves by the same link, in front of the router's next packet.
 *
 *  request                                                   reply
 *  phit 0      head: SOURCE, one hop, this port              the heads of the reply
 *       1      {0 4, write 1, tag 8, unit 8, 0 1}            the same
 *       2      {address 16, heads 3, 0 3}                    the same, heads 0
 *       3 ...  heads of the reply, 1 to 4, mode SOURCE
 *              data, 22, 22 and 20 bits, lowest first        data, read or written
 *              end with core CRC                             end with core CRC
 *
 *  unit        0 the router's bus, 1 the supervisor, 64 + p the LCB of port p (maint_bus.h)
 *
 * The last head of the reply is taken off by the router that it names, so that phit 1 arrives as its head, with its VC and mode 000.
 */
#ifndef MAINT_TAP_H
#define MAINT_TAP_H

#include "chip/maint/maint_bus.h"
#include "link/packet/phit.h"
#include "router/tile.h"

#define TAP_HEADS   4 /* of a reply, at most: two hops in each */
#define TAP_REQUEST 7 /* phits of a request, and as many as its reply has heads */
#define TAP_REPLY   6 /* phits of a reply without its heads */

struct maint_tap_in {
    struct port_in from_link;    /* of the LCB */
    struct port_out from_router; /* of the port */
    struct rtr_place here;       /* constant */
    u1 enabled;                  /* requests are served; without it they go into the router */
    struct maint_reply bus;
};

struct maint_tap_out {
    struct maint_request bus;
    u1 comes; /* a packet is coming in, */
    u1 ours;  /* which is the tap's */
    u1 sends; /* flit, head and tail are offered to the LCB; the router's port waits */
    u1 head;
    u1 tail;
    rtr_flit flit;
    struct vc_note start; /* the reply is announced in this clock */
    rtr_vcs shut;         /* VCs on which the router chooses no packet */
    rtr_vcs owes;         /* VCs with flits to give back, */
    rtr_vc owed_vc;       /* one of them */
    u1 served;            /* for one clock: a request was acted upon */
    u1 dropped;           /* for one clock: a request was not, or its reply */
};

typedef uint(3 * RTR_FLIT_BITS) tap_data;

enum tap_state {
    TAP_TAKES, /* a request, phit by phit, if one comes */
    TAP_ASKS,  /* the bus */
    TAP_ROOM,  /* until the peer has room for the reply */
    TAP_TURN,  /* until what the router has announced is sent */
    TAP_SENDS, /* the reply */
};

struct maint_tap {
    struct maint_tap_out out;
    enum tap_state state; /* of what is served */

    /* The packet that comes in. */
    lcb_phits came;   /* phits of it */
    u1 formed;        /* it is as a request must be, so far */
    rtr_vc vc;        /* of its head */
    u8 owed[RTR_VCS]; /* flits taken that are not given back */

    /* What is served. */
    u8 tag;
    u3 heads;
    rtr_vc back;                           /* VC of the reply */
    u2 spill;                              /* of data what stands above the 64 bits of bus.wdata */
    HLS_LUTRAM(1) rtr_flit way[TAP_HEADS]; /* heads of the reply */
    u4 sent;                               /* the phit of the reply that is offered */
    pkt_crc crc;                           /* of the reply up to it */
    u3 ahead;                              /* packets that the router announced and did not end */
    u3 patience;                           /* clocks until its last choice has been announced */
};

HLS_RESET void maint_tap_reset(struct maint_tap *self);
HLS_MODULE void maint_tap(struct maint_tap *self, const struct maint_tap_in *in);

/* ---- wires --------------------------------------------------------------------------------------- */

/* Whether a packet that begins with this flit is the tap's. */
static inline u1 tap_is_ours(rtr_flit flit, struct rtr_place here)
{
    return head_mode(flit) == MODE_SOURCE && head_hop(flit) == (u6)(((u6)here.row << 3) | here.col);
}

/* Whether the flit that comes from the LCB in this clock is the tap's. */
static inline u1 tap_claims(const struct maint_tap_out *tap, const struct maint_tap_in *in)
{
    return in->from_link.valid &&
           (tap->comes ? tap->ours : in->enabled && tap_is_ours(in->from_link.flit, in->here));
}

/* What the router gets of the LCB. */
static inline struct port_in tap_to_router(const struct maint_tap_out *tap,
                                           const struct maint_tap_in *in)
{
    struct port_in to = in->from_link;

    to.valid &= !tap_claims(tap, in);
    to.ready &= !tap->sends;
    to.room &= ~tap->shut;
    to.spare &= ~tap->shut;
    return to;
}

/* What the LCB gets of the router. */
static inline struct port_out tap_to_link(const struct maint_tap_out *tap, struct port_out router)
{
    struct port_out to = router;

    if (!router.freed.valid) {
        to.freed = (struct head_vc_note){.valid = tap->owes != 0, .vc = tap->owed_vc};
    }
    if (tap->start.valid) {
        to.start = tap->start;
    }
    if (tap->sends) {
        to.valid = 1;
        to.flit = tap->flit;
        to.head = tap->head;
        to.tail = tap->tail;
        to.bad = 0;
    }
    return to;
}

#endif
