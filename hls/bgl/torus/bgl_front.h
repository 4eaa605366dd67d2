// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_front.h - the packet in front of a FIFO, as channels see it, and what they ask for.
 */
#ifndef BGL_FRONT_H
#define BGL_FRONT_H

#include "bgl/packet/bgl_types.h"

struct bgl_front {
    u1 valid;
    u1 early; /* its header is still coming: the bypass */
    u6 hints;
    u1 dyn;
    u1 dp;
    u1 group;
    u2 vc; /* on which it came, or is injected */
    u3 n;  /* chunks - 1 */
};

static inline struct bgl_front front_of(u64 header, u6 hints, u1 valid)
{
    return (struct bgl_front){
        .valid = valid,
        .hints = hints,
        .dyn = header_dynamic(header),
        .dp = header_deposit(header),
        .group = header_group(header),
        .vc = header_vc(header),
        .n = header_n(header),
    };
}

/* What a channel asks for; `here`: the packet has arrived, its reception FIFO. */
struct bgl_request {
    u1 valid;
    u1 early;
    u1 here;
    u3 port;
    u2 vc;
    u3 n;
    u1 dp;
    u1 high;
};

/* A packet begins to leave its FIFO. */
struct bgl_start {
    u1 go;
    u1 out;  /* to a sender */
    u1 bus;  /* by this one of the two */
    u1 here; /* to the reception FIFO */
    u3 port;
};

#endif
