// SPDX-License-Identifier: Apache-2.0
/*
 * board_bus.h - the register bus of a self-test: the console asks, the test itself and two links answer.
 */
#ifndef BOARD_BUS_H
#define BOARD_BUS_H

#include "hls.h"

/* Whose a register is, a bit each of its address; a write may go to several, which answer in the same clock. */
enum board_unit {
    UNIT_BIST = 1 << 13,
    UNIT_LINK0 = 1 << 14, /* link_bist: end a */
    UNIT_LINK1 = 1 << 15,
    UNIT_ALL = UNIT_BIST | UNIT_LINK0 | UNIT_LINK1,
};

/* CONTROL of a link, with all lanes allowed. */
enum link_order { ORDER_RESTART = 0x71, ORDER_KILL = 0x72, ORDER_CLEAR = 0x74 };

/* The console's request as one of them gets it. */
static inline struct reg_request bus_to(struct reg_request bus, enum board_unit unit)
{
    bus.valid &= (bus.addr & unit) != 0;
    bus.addr &= UNIT_BIST - 1;
    return bus;
}

static inline struct reg_reply bus_from(struct reg_reply own, struct reg_reply link0,
                                        struct reg_reply link1)
{
    return (struct reg_reply){
        .ready = own.ready | link0.ready | link1.ready,
        .error = own.ready     ? own.error
                 : link0.ready ? link0.error
                               : link1.error,
        .rdata = own.ready     ? own.rdata
                 : link0.ready ? link0.rdata
                               : link1.rdata,
    };
}

#endif
