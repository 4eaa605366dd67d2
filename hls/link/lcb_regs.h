// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_regs.h - ports and registers of the register bus: limits, status, counters, first error.
 *
 * README.md has the register map; enum lcb_reg and enum lcb_counter are its source.
 */
#ifndef LCB_REGS_H
#define LCB_REGS_H

#include "link/lcb_clock.h"
#include "link/lcb_link.h"
#include "link/sideband.h"

enum lcb_reg {
    LCB_REG_STATUS = 0x00,
    LCB_REG_CONTROL = 0x01,
    LCB_REG_LIMITS = 0x02,
    LCB_REG_TIMEOUT = 0x03,
    LCB_REG_FIRST_ERROR = 0x04,
    LCB_REG_FIRST_TIME = 0x05,
    LCB_REG_IDENTITY = 0x06,
    LCB_REG_PEER = 0x07,
    LCB_REG_STUCK = 0x08,
    LCB_REG_COUNTERS = 0x10, /* one address per enum lcb_counter from here */
};

enum lcb_counter {
    COUNT_GOOD,     /* micropackets with a right CRC */
    COUNT_ACCEPTED, /* with flits, in sequence */
    COUNT_REPEATED, /* with flits that had been accepted before */
    COUNT_CRC,      /* with a wrong CRC */
    COUNT_LANE0,    /* wrong CRCs to which lane 0 contributed */
    COUNT_LANE1,
    COUNT_LANE2,
    COUNT_REPLAYS, /* micropackets sent again */
    COUNT_NAKS,    /* naks acted on */
    COUNT_TIMEOUTS,
    COUNT_ACK_BAD,   /* acknowledgements outside the window */
    COUNT_CORRECTED, /* bits of the replay and the receive buffer corrected */
    COUNT_FATAL,     /* words of them with two wrong bits */
    COUNT_REINITS,
    COUNT_DEATHS,
    COUNT_OVERFLOWS, /* skew beyond the deskew buffer */
    COUNTERS,
};

struct lcb_regs_in {
    struct reg_request bus;
    u16 events; /* bit i counts in counter i */
    u1 stuck;   /* the watchdog began a new epoch */
    enum link_state state;
    u3 tx_map;
    u3 rx_map;
    u3 lane_up;
    u4 epoch;
    u12 round_trip;
    struct link_identity identity; /* ours */
    struct link_identity peer;     /* in the frames that came last */
    lcb_side side;                 /* of the micropacket whose verdict is in events */
    lcb_time now;
};

struct lcb_regs_out {
    struct reg_reply bus;
    u1 restart; /* for one clock */
    u1 kill;
    u1 loopback;
    u3 lanes;
    u8 bad_limit;
    u8 retry_limit;
    u16 train_limit;
    u12 timeout;
    u9 shared;
};

struct lcb_regs {
    struct lcb_regs_out out;
    u1 wipes; /* zeros are being written to the counters, one per clock */
    u4 wiped;
    u16 pending; /* events still to be counted */
    u1 captured;
    u16 first_events;
    lcb_side first_side;
    lcb_time first_time;
    u1 first_stuck;
    u16 times_stuck;
    HLS_LUTRAM(2) u32 counter[COUNTERS];
};

HLS_RESET void lcb_regs_reset(struct lcb_regs *self);
HLS_MODULE void lcb_regs(struct lcb_regs *self, const struct lcb_regs_in *in);

#endif
