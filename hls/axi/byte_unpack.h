// SPDX-License-Identifier: Apache-2.0
/*
 * byte_unpack.h - ports and registers of the unpacker: flits become a packet of bytes again.
 *
 * The flits say where a packet ends, the head how many bytes the last flit has. Where the two do not fit together the packet
 * was not made by a packer, or is no longer what it was: all of its flits count, and it is marked bad.
 *
 *  clock  0  a body flit is taken
 *         1  the beat that it completes is offered; behind a packet's last flit a second one, if that holds its end
 */
#ifndef BYTE_UNPACK_H
#define BYTE_UNPACK_H

#include "axi/bytes.h"
#include "lib/stream.h"
#include "link/lcb_axis.h"

HLS_STREAM(byte_out, u64, tdata, u8, tkeep, u1, tlast, byte_tuser,
           tuser); /* m_axis: its rules are checked */

struct byte_unpack_in {
    struct axis_beat_marked flits; /* a flit is taken when tvalid and unpack_takes() */
    struct axis_ready m_axis;
};

struct byte_unpack_out {
    struct byte_beat m_axis;
    u1 ends; /* the end of a packet is still to come: no flit is taken */
};

struct byte_unpack {
    struct byte_unpack_out out;
    u1 inside;       /* the next flit is a body flit */
    u3 end_bytes;    /* in rest, of the packet that ends */
    byte_count left; /* bytes, by the head, of flits to come */
    byte_tuser tuser;
    u2 rest_twos; /* what is kept for the next beat, in units of two bytes */
    u48 rest;
    struct byte_out_check check;
};

/* Whether a flit that is offered is taken in this clock. */
static inline u1 unpack_takes(const struct byte_unpack_out *out, struct axis_ready m_axis)
{
    return !out->ends && (!out->m_axis.tvalid || m_axis.tready);
}

HLS_RESET void byte_unpack_reset(struct byte_unpack *self);
HLS_MODULE void byte_unpack(struct byte_unpack *self, const struct byte_unpack_in *in);

#endif
