// SPDX-License-Identifier: Apache-2.0
/*
 * rtr_regs.h - addresses of the router's registers.
 *
 *   15   13 12   10  9  8            0
 *  +-------+-------+---+--------------+
 *  |  row  |column |all|   register   |
 *  +-------+-------+---+--------------+
 *
 * all: the write goes to every tile, whatever row and column say. A request that no tile answers
 * is answered by the router with 0 after 64 clocks.
 *
 *  ROUTE, write only: one word of a routing memory (route.h: enum route_kind)
 *
 *   63  61 60 59          48 47                                             0
 *  +------+--+--------------+------------------------------------------------+
 *  | kind |0 |    index     |  data                                          |
 *  +------+--+--------------+------------------------------------------------+
 *
 *  FIRST_ERROR: the first clock with an error since reset or the last clear
 *
 *   63       62            48 47                      16 15                 0
 *  +--------+----------------+--------------------------+--------------------+
 *  |captured|       0        |  clock                   | events of that clock|
 *  +--------+----------------+--------------------------+--------------------+
 *
 * Events and counters have the same order. The names of the counters are those of the Aries performance
 * counters where there is one (AR_RTR_<row>_<column>_...).
 */
#ifndef RTR_REGS_H
#define RTR_REGS_H

#define RTR_REG_CONTROL     0x000 /* write: bit 0 clears counters and first error; read: here */
#define RTR_REG_FIRST_ERROR 0x001
#define RTR_REG_ROUTE       0x010
#define RTR_REG_COUNTERS    0x020 /* 16 of 48 bits */
#define RTR_REG_ALL         0x200

enum rtr_counter {
    RTR_INCOMING_FLIT_VC0,     /* INQ_PRF_INCOMING_FLIT_VC0, and so on to VC7 */
    RTR_ROWBUS_STALL = 8,      /* INQ_PRF_ROWBUS_STALL_CNT */
    RTR_COLBUF_STALL_REQUEST,  /* COLBUF_PERF_STALL_RQ: clocks */
    RTR_COLBUF_STALL_RESPONSE, /* COLBUF_PERF_STALL_RS: clocks */
    RTR_NONMINIMAL,            /* packets that took a non-minimal route */
    RTR_ILLEGAL,               /* packets with illegal VC or length, refused */
    RTR_NO_ROUTE,              /* packets without any candidate, dropped */
    RTR_CORRECTED,             /* clocks in which a memory had one wrong bit */
    RTR_FATAL,                 /* clocks in which a memory had two */
};
#define RTR_COUNTERS 16

#endif
