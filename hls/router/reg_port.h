// SPDX-License-Identifier: Apache-2.0
/*
 * reg_port.h - ports and registers of the register port: packets that read and write the router's registers.
 *
 * It stands at a port of the router in place of a processor. In YARC source-routed packets do this (Scott et al. 2006,
 * section 4.1); here any mode leads to it that a sender likes, SOURCE without any table.
 *
 *  request                                         reply
 *  flit 0      head (packet.h)
 *       1      head of the reply                   flit 0      that head, its length set
 *       2      command                                  1      command
 *       3 ...  data, lowest bits first                  2 ...  data, read or written
 *
 *  command:     23 22     16 15          0
 *              +--+---------+-------------+
 *              |w |   tag   |   address   |   w: write; tag: for the sender; address: rtr_regs.h
 *              +--+---------+-------------+
 *
 * Data is 64 bits in two flits of 48 or three of 24. Requests without data do not exist: a read's is ignored.
 */
#ifndef REG_PORT_H
#define REG_PORT_H

#include "router/packet.h"
#include "router/tile.h"

#define REG_DATA    ((64 + RTR_FLIT_BITS - 1) / RTR_FLIT_BITS) /* flits */
#define REG_REPLY   (2 + REG_DATA)
#define REG_REQUEST (3 + REG_DATA)

typedef uint(REG_REPLY *RTR_FLIT_BITS) reg_flits;

enum reg_state {
    REG_TAKES, /* a request, flit by flit */
    REG_ASKS,  /* the router's register bus */
    REG_WAITS, /* until the reply before has left the input queue */
    REG_SENDS, /* the reply */
};

struct reg_port_in {
    struct port_out from_router;
    struct reg_reply bus;
};

struct reg_port_out {
    struct port_in to_router;
    struct reg_request bus; /* held until the reply comes */
    u1 refused; /* a packet that is marked bad, is not REG_REQUEST flits long or has no response VC for its reply */
};

struct reg_port {
    struct reg_port_out out;
    enum reg_state state;
    u4 count; /* flits of this request or reply that have passed */
    u3 held;  /* flits of the reply in the input queue */
    reg_flits
        flits; /* the last REG_REPLY that came, the latest on top; then those of the reply still to go */
};

HLS_RESET void reg_port_reset(struct reg_port *self);
HLS_MODULE void reg_port(struct reg_port *self, const struct reg_port_in *in);

#endif
