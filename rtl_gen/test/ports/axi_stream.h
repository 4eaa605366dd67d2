// SPDX-License-Identifier: Apache-2.0
/*
 * axi_stream.h - ports of axi_stream: the two directions of each channel meet under one name.
 */
#ifndef AXI_STREAM_H
#define AXI_STREAM_H

#include "hls.h"

struct axi_stream_forward {
    u1 tvalid;
    u32 tdata;
    u4 tkeep;
    u1 tlast;
};
struct axi_stream_back {
    u1 tready;
};

struct axi_stream_in {
    struct axi_stream_forward s_axis; /* from upstream */
    struct axi_stream_back m_axis;    /* from downstream */
};
struct axi_stream_out {
    struct axi_stream_back s_axis;    /* to upstream */
    struct axi_stream_forward m_axis; /* to downstream */
    u8 frames;                        /* ends of frame passed on */
};
struct axi_stream {
    struct axi_stream_out out;
    struct axi_stream_forward spare; /* what arrived while m_axis was blocked */
};

HLS_RESET void axi_stream_reset(struct axi_stream *self);
HLS_MODULE void axi_stream(struct axi_stream *self, const struct axi_stream_in *in);

#endif
