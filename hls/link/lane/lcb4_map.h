// SPDX-License-Identifier: Apache-2.0
/*
 * lcb4_map.h - addresses and fields of registers, made by `scripts/rdl.py --header hls/link/lane/lcb4.rdl`.
 *
 * LCB_REG_<REGISTER> is an address in words of 64 bits, LCB_REG_<REGISTER>_<FIELD>_AT and _BITS the place of a field,
 * _RESET its value after reset where that is not 0; of a table _STEP is the distance of two entries, _ENTRIES their number,
 * and word 1 of an entry is <TABLE>1.
 */
#ifndef LCB4_MAP_H
#define LCB4_MAP_H

/* clang-format off */

/* State */
#define LCB_REG_STATUS 0x0000
#define LCB_REG_STATUS_STATE_AT 0
#define LCB_REG_STATUS_STATE_BITS 3
#define LCB_REG_STATUS_TX_MAP_AT 3
#define LCB_REG_STATUS_TX_MAP_BITS 4
#define LCB_REG_STATUS_RX_MAP_AT 7
#define LCB_REG_STATUS_RX_MAP_BITS 4
#define LCB_REG_STATUS_LANE_UP_AT 11
#define LCB_REG_STATUS_LANE_UP_BITS 4
#define LCB_REG_STATUS_EPOCH_AT 15
#define LCB_REG_STATUS_EPOCH_BITS 4
#define LCB_REG_STATUS_ROUND_TRIP_AT 19
#define LCB_REG_STATUS_ROUND_TRIP_BITS 12

/* Control */
#define LCB_REG_CONTROL 0x0001
#define LCB_REG_CONTROL_RESTART_AT 0
#define LCB_REG_CONTROL_RESTART_BITS 1
#define LCB_REG_CONTROL_KILL_AT 1
#define LCB_REG_CONTROL_KILL_BITS 1
#define LCB_REG_CONTROL_CLEAR_AT 2
#define LCB_REG_CONTROL_CLEAR_BITS 1
#define LCB_REG_CONTROL_LANES_AT 4
#define LCB_REG_CONTROL_LANES_BITS 4
#define LCB_REG_CONTROL_LANES_RESET 0xf
#define LCB_REG_CONTROL_LOOPBACK_AT 8
#define LCB_REG_CONTROL_LOOPBACK_BITS 1

/* Limits of patience */
#define LCB_REG_LIMITS 0x0002
#define LCB_REG_LIMITS_BAD_AT 0
#define LCB_REG_LIMITS_BAD_BITS 8
#define LCB_REG_LIMITS_RETRY_AT 8
#define LCB_REG_LIMITS_RETRY_BITS 8
#define LCB_REG_LIMITS_TRAIN_AT 16
#define LCB_REG_LIMITS_TRAIN_BITS 16

/* Timeout, and what this end lends */
#define LCB_REG_TIMEOUT 0x0003
#define LCB_REG_TIMEOUT_SLOTS_AT 0
#define LCB_REG_TIMEOUT_SLOTS_BITS 12
#define LCB_REG_TIMEOUT_SHARED_AT 16
#define LCB_REG_TIMEOUT_SHARED_BITS 9

/* First error */
#define LCB_REG_FIRST_ERROR 0x0004
#define LCB_REG_FIRST_ERROR_EVENTS_AT 0
#define LCB_REG_FIRST_ERROR_EVENTS_BITS 16
#define LCB_REG_FIRST_ERROR_SIDEBAND_AT 16
#define LCB_REG_FIRST_ERROR_SIDEBAND_BITS 28
#define LCB_REG_FIRST_ERROR_STUCK_AT 44
#define LCB_REG_FIRST_ERROR_STUCK_BITS 1
#define LCB_REG_FIRST_ERROR_CAPTURED_AT 63
#define LCB_REG_FIRST_ERROR_CAPTURED_BITS 1

/* When that was */
#define LCB_REG_FIRST_TIME 0x0005
#define LCB_REG_FIRST_TIME_NOW_AT 0
#define LCB_REG_FIRST_TIME_NOW_BITS 52

/* Who this is; in lcb_axis it can be written */
#define LCB_REG_IDENTITY 0x0006
#define LCB_REG_IDENTITY_CHIP_AT 0
#define LCB_REG_IDENTITY_CHIP_BITS 16
#define LCB_REG_IDENTITY_PORT_AT 16
#define LCB_REG_IDENTITY_PORT_BITS 6

/* Who sent the frames that came last */
#define LCB_REG_PEER 0x0007
#define LCB_REG_PEER_CHIP_AT 0
#define LCB_REG_PEER_CHIP_BITS 16
#define LCB_REG_PEER_PORT_AT 16
#define LCB_REG_PEER_PORT_BITS 6

/* Epochs that the watchdog began */
#define LCB_REG_STUCK 0x0008
#define LCB_REG_STUCK_TIMES_AT 0
#define LCB_REG_STUCK_TIMES_BITS 16

/* Last snapshot of the peer's time */
#define LCB_REG_PEER_SENT 0x000a
#define LCB_REG_PEER_SENT_SENT_AT 0
#define LCB_REG_PEER_SENT_SENT_BITS 52

/* When its first part came */
#define LCB_REG_PEER_CAME 0x000b
#define LCB_REG_PEER_CAME_CAME_AT 0
#define LCB_REG_PEER_CAME_CAME_BITS 52

#define LCB_REG_COUNTERS 0x0010 /* the first one */

enum lcb_counter {
    COUNT_GOOD, /* Micropackets with a right CRC */
    COUNT_ACCEPTED, /* Micropackets with flits, in sequence */
    COUNT_REPEATED, /* Micropackets with flits that had been accepted before */
    COUNT_CRC, /* Micropackets with a wrong CRC */
    COUNT_LANE0, /* Wrong CRCs to which lane 0 contributed */
    COUNT_LANE1, /* Wrong CRCs to which lane 1 contributed */
    COUNT_LANE2, /* Wrong CRCs to which lane 2 contributed */
    COUNT_REPLAYS, /* Micropackets sent again */
    COUNT_NAKS, /* Naks acted on */
    COUNT_TIMEOUTS, /* Timeouts */
    COUNT_ACK_BAD, /* Acknowledgements outside the window */
    COUNT_CORRECTED, /* Bits of the replay and the receive buffer corrected */
    COUNT_FATAL, /* Words of them with a double-bit error; one that waits its turn to be counted counts once */
    COUNT_REINITS, /* Re-initialisations */
    COUNT_DEATHS, /* Deaths of the link */
    COUNT_LANE3, /* Wrong CRCs to which lane 3 contributed */
    LCB_COUNTERS,
};

#endif
