// SPDX-License-Identifier: Apache-2.0
/*
 * bytes.h - packets of bytes on AXI4-Stream, and how they stand in flits.
 *
 *  head flit
 *
 *   47  45 44     41 40                                      7 6           0
 *  +------+---------+-----------------------------------------+-------------+
 *  |  vc  | length  |              the sender's               |    bytes    |
 *  +------+---------+-----------------------------------------+-------------+
 *
 * bytes: of the packet, 0 to 90. Body flits hold six each, the first byte lowest; what is behind the last one is zero.
 * So there are ceil(bytes / 6) of them. Bits 40 to 7 are carried as they are: where a router stands behind the link,
 * mode, phase, destination and hash belong there (router/flit/packet.h).
 *
 *  tuser
 *
 *   37                                4 3   1  0
 *  +-----------------------------------+-----+---+
 *  |            the sender's           | vc  |bad|
 *  +-----------------------------------+-----+---+
 *
 * The sender's bits and VC are read with a packet's first beat, and stand beside all beats that come out. bad with any
 * beat marks the packet: on the way in the sender gives it up, on the way out it is not to be used.
 */
#ifndef BYTES_H
#define BYTES_H

#include "link/flit/link_types.h"

#define BYTES_MOST       90 /* of a packet: 15 body flits */
#define BYTES_BITS       7
#define BYTES_USER_BITS  34 /* the sender's */
#define BYTES_TUSER_BITS (BYTES_USER_BITS + 4)

typedef uint(BYTES_BITS) byte_count;
typedef uint(BYTES_USER_BITS) byte_user;
typedef uint(BYTES_TUSER_BITS) byte_tuser;

struct byte_beat {
    u1 tvalid;
    u64 tdata;
    u8 tkeep; /* bytes from 0 on without a hole; all, but in a packet's last beat, which may also have none */
    u1 tlast;
    byte_tuser tuser;
};

static inline u1 tuser_bad(byte_tuser tuser)
{
    return (u1)tuser;
}

static inline u3 tuser_vc(byte_tuser tuser)
{
    return (u3)(tuser >> 1);
}

static inline byte_user tuser_user(byte_tuser tuser)
{
    return (byte_user)(tuser >> 4);
}

static inline byte_tuser tuser_pack(byte_user user, u3 vc, u1 bad)
{
    return (byte_tuser)(((byte_tuser)user << 4) | ((byte_tuser)vc << 1) | bad);
}

/* Bytes 0 to n - 1 of a beat; n: 0 to 8. */
static inline u8 keep_of(u4 n)
{
    return (u8)(((u9)1 << n) - 1);
}

#endif
