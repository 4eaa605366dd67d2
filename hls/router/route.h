// SPDX-License-Identifier: Apache-2.0
/*
 * route.h - ports and registers of route: which way a packet goes.
 */
#ifndef ROUTE_H
#define ROUTE_H

#include "router/packet.h"

/* What software writes: kind says which memory or register. */
enum route_kind {
    ROUTE_MINIMAL,    /* table entry index */
    ROUTE_NONMINIMAL, /* table entry index */
    ROUTE_VC_MAP,     /* entry index */
    ROUTE_BIAS,       /* data: 4 x 7 bits, ADAPTIVE0 in the lowest */
    ROUTE_HERE,       /* data: {global, local} of this router, local in the low bits */
};

struct route_write {
    u1 valid;
    u3 kind;
    u12 index;
    u48 data;
};

#endif
