// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_regs.h - ports and registers of the register bus: limits, status, counters, first error.
 *
 * Addresses, fields and counters are lcb_map.h's, which lcb.rdl is the source of (with four lanes lcb4_map.h's and lcb4.rdl); REGISTERS.md is the table.
 */
#ifndef LCB_REGS_H
#define LCB_REGS_H

#include "link/lcb_link.h"
#if LANES == 4
#include "link/lane/lcb4_map.h"
#else
#include "link/lcb_map.h"
#endif
#if !LCB_PACKET
#include "link/micropacket/lcb_clock.h"
#include "link/micropacket/sideband.h"
#endif

struct lcb_regs_in {
    struct reg_request bus;
    u16 events; /* bit i counts in counter i */
    u1 stuck;   /* the watchdog began a new epoch */
    enum link_state state;
    lcb_lanes tx_map;
    lcb_lanes rx_map;
    lcb_lanes lane_up;
    u4 epoch;
    u12 round_trip;
    struct link_identity identity; /* ours */
    struct link_identity peer;     /* in the frames that came last */
    lcb_side side;                 /* of the micropacket whose verdict is in events */
    lcb_time now;
#if LCB_PACKET
    u4 packet_events; /* soft, cut, clipped, refused: bit 0 to 3 */
#else
    u1 peer_now_valid; /* a snapshot of the peer's time is complete */
    lcb_time peer_now; /* held until the next one */
    lcb_age peer_age;
#endif
};

struct lcb_regs_out {
    struct reg_reply bus;
    u1 restart; /* for one clock */
    u1 kill;
    u1 loopback;
    lcb_lanes lanes;
    u8 bad_limit;
    u8 retry_limit;
    u16 train_limit;
    u12 timeout;
    u9 shared_space;
#if LCB_PACKET
    lcb_phits clip;
    u8 every;
    u5 owed; /* in eights */
#endif
};

struct lcb_regs {
    struct lcb_regs_out out;
    u1 wipes; /* zeros are being written to the counters, one per clock */
    u4 wiped;
    u16 pending; /* events still to be chosen */
    u1 counts;   /* in this clock `next` is counted */
    u4 next;
    u1 captured;
    u16 first_events;
    lcb_side first_side;
    lcb_time first_time;
    u1 first_stuck;
    u16 times_stuck;
#if LCB_PACKET
    u16 packets[4]; /* how often, by bit of packet_events */
#else
    lcb_time peer_came; /* when the first part of the peer's last snapshot came */
#endif
    HLS_LUTRAM(2) u32 counter[LCB_COUNTERS];
};

HLS_RESET void lcb_regs_reset(struct lcb_regs *self);
HLS_MODULE void lcb_regs(struct lcb_regs *self, const struct lcb_regs_in *in);

#endif
