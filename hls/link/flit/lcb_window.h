// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_window.h - what lcb_window.inc remembers of an acknowledgement for a clock.
 */
#ifndef LCB_WINDOW_H
#define LCB_WINDOW_H

#include "link/flit/link_types.h"

/* What the peer said a clock ago. */
struct tx_heard {
    u1 came;
    u1 nak;
    lcb_seq ack;
    lcb_seq step; /* ack - base */
    lcb_seq span; /* next - base, as next was when it came */
};

#endif
