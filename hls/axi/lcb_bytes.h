// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_bytes.h - ports and registers of the LCB with doors that anybody's tools know: packets of bytes on two AXI4-Stream
 * channels, registers by AXI4-Lite.
 */
#ifndef LCB_BYTES_H
#define LCB_BYTES_H

#include "axi/axil_regs.h"
#include "axi/byte_pack.h"
#include "axi/byte_unpack.h"

struct lcb_bytes_in {
    struct byte_beat s_axis;
    struct axis_ready m_axis;
    struct axil_to_sub s_axil; /* registers of link/lcb.rdl */
    u3 rx_lane_valid;
    u3 rx_lane_up;
    u16 rx_lane[LANES];
    lcb_time now;
    u1 restart;
};

struct lcb_bytes_out {
    struct axis_ready s_axis;
    struct byte_beat m_axis;
    struct axil_from_sub s_axil;
    u16 tx_lane[LANES];
    enum link_state state;
    u1 refused; /* for one clock: a packet too long, or with a hole, was dropped */
    u1 report_valid; /* a flit that a dead link did not deliver for certain: a packet per head (axi/bytes.h) */
    u1 report_bad;
    u48 report_flit;
    u1 peer_now_valid;
    lcb_time peer_now;
    lcb_age peer_age;
};

struct lcb_bytes {
    struct lcb_bytes_out out;
    struct axil_regs regs;
    struct byte_pack pack;
    struct byte_unpack unpack;
    struct lcb_axis axis;
};

HLS_RESET void lcb_bytes_reset(struct lcb_bytes *self);
HLS_MODULE void lcb_bytes(struct lcb_bytes *self, const struct lcb_bytes_in *in);

#endif
