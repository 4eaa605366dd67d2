// SPDX-License-Identifier: Apache-2.0
/*
 * reg_port.h - ports and registers of the register port: packets that read and write the router's registers.
 *
 * It stands at a port of the router in place of a processor. In YARC source-routed packets do this (Scott et al. 2006,
 * section 4.1); here any mode leads to it that a sender likes, SOURCE without any table.
 *
 *  request                                         reply
 *  flit 0      head (packet.h)
 *       1 ...  key, lowest bits first
 *              head of the reply                   flit 0      that head, its length set
 *              command                                  1      command
 *              data, lowest bits first                  2 ...  data, read or written
 *
 *  command:     23 22     16 15          0
 *              +--+---------+-------------+
 *              |w |   tag   |   address   |   w: write; tag: for the sender; address: rtr_regs.h
 *              +--+---------+-------------+
 *
 * In flits of 22 bits w is bit 21, and the tag has 5. The key has 48 bits, in one flit of 48 or three of 22; data has 64 bits, in two flits or
 * three. Requests without data do not exist: a read's is ignored. There is no core CRC: a packet of 22-bit flits comes from a router and goes
 * into one, not over a link in packet mode.
 */
#ifndef REG_PORT_H
#define REG_PORT_H

#include "router/flit/packet.h"
#include "router/reg_port_map.h"
#include "router/tile.h"

#define REG_WRITE_AT (RTR_FLIT_BITS < 24 ? 21 : 23)             /* in a command */
#define REG_DATA     ((64 + RTR_FLIT_BITS - 1) / RTR_FLIT_BITS) /* flits */
#define REG_KEY      ((48 + RTR_FLIT_BITS - 1) / RTR_FLIT_BITS)
#define REG_REPLY    (2 + REG_DATA)
#define REG_REQUEST  (1 + REG_KEY + REG_REPLY)

typedef uint(REG_REPLY *RTR_FLIT_BITS) reg_flits;

enum reg_state {
    REG_TAKES, /* a request, flit by flit, if one comes */
    REG_ASKS,  /* the router's register bus */
    REG_WAITS, /* until the reply before has left the input queue */
    REG_SENDS, /* the reply */
};

struct reg_port_in {
    struct port_out from_router;
    struct reg_reply bus;
    struct reg_request
        local; /* of management, held until the reply comes: the registers of this port */
};

struct reg_port_out {
    struct port_in to_router;
    struct reg_request bus; /* held until the reply comes */
    struct reg_reply local;
    u1 refused; /* a packet was refused: reg_port.rdl has the reasons */
};

struct reg_port {
    struct reg_port_out out;

    /* The packet that comes in. */
    u4 came;     /* its flits so far, REG_REQUEST at most */
    u1 responds; /* it is on a VC of responses */
    u1 differs;  /* a flit of its key does */

    /* The request that is served: there is one at a time. */
    u1 expected; /* it has been announced, and has neither been refused nor answered */
    enum reg_state state;
    u3 sent; /* flits of the reply that have gone */
    u3 held; /* flits of replies in the input queue */
    reg_flits
        flits; /* the last REG_REPLY that came, the latest on top; then those of the reply still to go */

    u64 access; /* REG_PORT_ACCESS */
    u16 unasked;
    u16 malformed;
    u16 denied;
};

HLS_RESET void reg_port_reset(struct reg_port *self);
HLS_MODULE void reg_port(struct reg_port *self, const struct reg_port_in *in);

#endif
