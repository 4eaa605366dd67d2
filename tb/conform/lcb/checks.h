// SPDX-License-Identifier: Apache-2.0
/*
 * checks.h - what is checked of a link control block; the sentences are in conform_lcb.c.
 */
#ifndef TB_CONFORM_LCB_CHECKS_H
#define TB_CONFORM_LCB_CHECKS_H

enum lcb_check {
    LCB_BRING_UP,
    LCB_FRAMES,
    LCB_CRC,
    LCB_MICROPACKETS,
    LCB_SEQUENCE,
    LCB_ACKS,
    LCB_DELIVERY,
    LCB_ORDER,
    LCB_BODIES,
    LCB_MARKS,
    LCB_FRAMING,
    LCB_CREDITS,
    LCB_RECOVERY,
    LCB_LANES,
    LCB_REPORTS,
    LCB_EPOCHS,
    LCB_SIDEBAND,
    LCB_REGISTERS,
    LCB_EXACT,
    LCB_CHECKS,
};

#endif
