// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_axis.h - ports and registers of the LCB with two AXI4-Stream channels.
 *
 * One beat is one flit. The first beat of a packet carries the marks of link_types.h: the sender
 * puts VC and length there, tlast goes with the last one.
 */
#ifndef LCB_AXIS_H
#define LCB_AXIS_H

#include "link/lcb.h"

#define AXIS_TX_LOG2 5  /* flits to be sent: two packets of the greatest length */
#define AXIS_RX_LOG2 10 /* flits that came: guaranteed and shared space of all VCs */
#if LCB_VCS * LCB_GUARANTEED + 8 * LCB_SHARED_MOST >= 1 << AXIS_RX_LOG2
#error "config: LCB_GUARANTEED and LCB_SHARED_MOST lend more than the input queue of lcb_axis has"
#endif

struct axis_beat {
    u1 tvalid;
    u48 tdata;
    u1 tlast;
    u1 tuser; /* marked bad: the other end decides what becomes of the packet */
};

struct axis_beat_marked {
    u1 tvalid;
    u48 tdata;
    u1 tlast;
    u3 tid; /* VC */
    u1 tuser; /* marked by its sender; or, with tlast: a dead link cut the packet, its last beats are filler */
};

struct axis_ready {
    u1 tready;
};

struct lcb_axis_in {
    struct axis_beat s_axis;
    struct axis_ready m_axis;
    u3 rx_lane_valid;
    u3 rx_lane_up;
    u16 rx_lane[LANES];
    lcb_time now;
    u1 restart;
    struct reg_request bus;
};

struct lcb_axis_out {
    struct axis_ready s_axis;
    struct axis_beat_marked m_axis;
    u16 tx_lane[LANES];
    enum link_state state;
    u1 misframed; /* for one clock: tlast is not where the length says; the packet is dropped */
    u1 report_valid;
    u1 report_bad;
    u48 report_flit;
    u7 peer_load;
    u1 peer_now_valid;
    lcb_time peer_now;
    lcb_age peer_age;
    struct reg_reply bus;
};

typedef uint(AXIS_TX_LOG2 + 1) axis_tx_count;
typedef uint(AXIS_RX_LOG2) axis_rx_index;
typedef uint(49) axis_tx_word; /* bad, flit */
typedef uint(50) axis_rx_word; /* bad, tail, flit */

struct lcb_axis {
    struct lcb_axis_out out;
    struct lcb lcb;
    struct link_identity identity; /* register LCB_REG_IDENTITY */

    /* Transmit FIFO: a packet waits here until it is whole, so the LCB sees no gaps. */
    axis_tx_count written;
    axis_tx_count whole; /* where the last whole packet ends */
    axis_tx_count read;
    u4 written_left; /* beats of the packet that is being written */
    u1 skips;        /* beats are dropped up to the next tlast */
    u1 offers;
    axis_tx_word offer;
    u4 offer_left; /* flits of its packet, this one included; 0 if it is a head */

    /* Receive FIFO: the input queue whose places the credits are for. */
    axis_rx_index commit;
    axis_rx_index taken;
    u1 fetched; /* word holds one */
    axis_rx_word word;
    u4 word_left;
    u3 vc;
    u1 freed_valid;
    u3 freed_vc;

    HLS_LUTRAM(1) axis_tx_word waiting[1 << AXIS_TX_LOG2];
    HLS_BRAM axis_rx_word queue[1 << AXIS_RX_LOG2];
};

HLS_RESET void lcb_axis_reset(struct lcb_axis *self);
HLS_MODULE void lcb_axis(struct lcb_axis *self, const struct lcb_axis_in *in);

#endif
