// SPDX-License-Identifier: Apache-2.0
/*
 * lcb.h - ports and registers of the whole link control block.
 *
 * Router side: flits in and out, freed input queue space, room at the peer, load and time. Cable
 * side: three lanes each way. Management side: register bus, restart.
 */
#ifndef LCB_H
#define LCB_H

#include "link/lane/lane_rx.h"
#include "link/lane/lane_tx.h"
#include "link/lcb_link.h"
#include "link/lcb_regs.h"
#include "link/lcb_watch.h"
#if LCB_PACKET
#include "link/packet/pkt_credit.h"
#include "link/packet/pkt_fault.h"
#include "link/packet/pkt_rx.h"
#include "link/packet/pkt_tx.h"
#else
#include "link/lcb_fault.h"
#include "link/micropacket/lcb_clock.h"
#include "link/micropacket/lcb_credit.h"
#include "link/micropacket/lcb_rx.h"
#include "link/micropacket/lcb_tx.h"
#endif

struct lcb_in {
    u1 flit_valid; /* flit to send; taken if flit_ready was 1 before this clock */
    u1 flit_bad;   /* it is marked bad, and comes out so at the other end */
#if LCB_PACKET
    u1 flit_head;
    u1 flit_tail;
#endif
    lcb_flit flit;
    u1 start_valid; /* a packet of start_vc follows, its head in this clock at the earliest: the longest until that is taken */
    u3 start_vc;
    u1 freed_valid; /* the input queue behind this block has passed on a flit of freed_vc */
    u3 freed_vc;
#if LCB_PACKET
    u1 refused; /* the input queue had no place for a good packet: a new epoch */
#endif
    u7 load; /* sent to the peer in the sideband */
    lcb_time now;
    u1 restart; /* for one clock: begin a new epoch */

    lcb_lanes rx_lane_valid; /* SerDes: lane l has a word in this clock */
    lcb_lanes rx_lane_up;    /* lane l has recovered its clock */
    u16 rx_lane[LANES];

    struct link_identity identity; /* ours; held */

    struct reg_request bus;
};

struct lcb_out {
    u1 flit_ready;
    lcb_vcs room;  /* VC v: the peer can take a packet of any length */
    lcb_vcs spare; /* VC v: and one more packet, of any VC */

    u1 rx_valid; /* a flit that came */
    u1 rx_head;
    u1 rx_tail;
#if LCB_PACKET
    u2 rx_ok; /* with rx_tail: enum pkt_ok */
#else
    u1 rx_bad; /* this flit is marked bad; or, with rx_tail: a dead link cut the packet */
#if LCB_WHOLE
    u1 rx_whole; /* with rx_head: the rest of the packet follows without a gap */
#endif
#endif
    lcb_flit rx_flit;

    u1 report_valid; /* a flit that a dead link did not deliver for certain */
    u1 report_bad;
#if LCB_PACKET
    u1 report_head;
    u1 report_tail;
#endif
    lcb_flit report_flit;

    u7 peer_load;   /* what waits at the other end, in fours: as it says, */
    u6 far_request; /* and by what was sent and not given back, less what a cable of this round trip holds: of requests, */
    u6 far_response; /* of responses */
#if !LCB_PACKET
    u1 peer_now_valid;
    lcb_time peer_now; /* held until the next one */
    lcb_age peer_age;  /* with peer_now_valid: clocks that `now` advanced since its part 0 came */
#endif

    enum link_state state;
    lcb_lanes tx_map;
    lcb_lanes rx_map;
    u4 epoch;
#if DEV_MAINT
    u1 waits; /* something sent waits for its acknowledgement */
#endif

#if LANE_PACE > 1
    u1 tx_lane_valid; /* SerDes: the lanes have a new word */
#endif
    u16 tx_lane[LANES]; /* SerDes: a word per clock, bit 15 first */

    struct reg_reply bus;
};

struct lcb {
    struct lcb_out out;
#if LCB_PACKET
    struct pkt_tx tx;
    struct pkt_rx rx;
    struct pkt_credit credit;
    struct pkt_fault fault;
    struct lane_tx lanes_out;
    struct lane_rx lanes_in;
    struct lcb_link link;
#else
    struct lcb_tx tx;
    struct lcb_rx rx;
    struct lane_tx lanes_out;
    struct lane_rx lanes_in;
    struct lcb_link link;
    struct lcb_credit credit;
    struct lcb_clock clock;
    struct lcb_fault fault;
#endif
    struct lcb_watch watch;
    struct lcb_regs regs;
};

HLS_RESET void lcb_reset(struct lcb *self);
HLS_MODULE void lcb(struct lcb *self, const struct lcb_in *in);

#endif
