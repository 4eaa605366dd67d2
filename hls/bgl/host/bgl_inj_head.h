// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_inj_head.h - headers as software writes them: hints by hardware, and which packets are refused.
 */
#ifndef BGL_INJ_HEAD_H
#define BGL_INJ_HEAD_H

#include "bgl/packet/bgl_types.h"

enum bgl_refusal {
    REFUSED_NOT,
    REFUSED_RANGE,   /* a destination that the machine does not have */
    REFUSED_HINT,    /* both directions, or it would arrive elsewhere */
    REFUSED_VC,      /* one that does not go with `dyn`, the FIFO or a broadcast */
    REFUSED_DEPOSIT, /* a broadcast that is not down one line */
    REFUSED_SELF,    /* to this node without a hint */
};

struct bgl_injected {
    u6 hints;
    enum bgl_refusal refused;
};

/* Hint bits of one dimension, plus in bit 0: the shorter way, as two registers say. */
static inline u2 hint_of(u8 to, u8 here, u8 plus, u8 minus)
{
    u1 up = to > here ? to <= plus : to < minus;

    return to == here ? (u2)0 : up ? (u2)1 : (u2)2;
}

static inline u6 hardware_hints(u64 h, const struct bgl_where *at)
{
    u2 x = hint_of(header_x(h), at->node.x, at->hint_plus.x, at->hint_minus.x);
    u2 y = hint_of(header_y(h), at->node.y, at->hint_plus.y, at->hint_minus.y);
    u2 z = hint_of(header_z(h), at->node.z, at->hint_plus.z, at->hint_minus.z);

    return (u6)(x | (u6)((u6)y << 2) | (u6)((u6)z << 4));
}

/* Dimensions of which one of the two hints is set, x in bit 0. */
static inline u3 hinted_dimensions(u6 hints)
{
    return (u3)((u3)((hints & 3) != 0) | (u3)((u3)((hints & 12) != 0) << 1) |
                (u3)((u3)((hints & 48) != 0) << 2));
}

/* VCs 0, 1 with `dyn`, 2 and 3 without; VC 3 from high-priority FIFOs and from them alone, and not for a broadcast. */
static inline u1 is_wrong_vc(u64 h, u1 high)
{
    u2 vc = header_vc(h);

    return (vc < 2) != header_dynamic(h) || (vc == 3) != high || (vc == 3 && header_deposit(h));
}

static inline struct bgl_injected look_at_header(u64 h, u1 high, const struct bgl_where *at)
{
    u3 differ = (u3)((u3)(header_x(h) != at->node.x) | (u3)((u3)(header_y(h) != at->node.y) << 1) |
                     (u3)((u3)(header_z(h) != at->node.z) << 2));
    u6 given = header_hints(h);
    u6 hints = given != 0 ? given : hardware_hints(h, at);
    u3 hinted = hinted_dimensions(hints);
    u1 beyond = header_x(h) > at->nodes.x || header_y(h) > at->nodes.y || header_z(h) > at->nodes.z;
    u1 both = (given & (given >> 1) & 0x15) != 0;
    u1 several = (hints & (u6)(hints - 1)) != 0;
    u1 beside = header_deposit(h) && (several || hints == 0 || (differ & ~hinted) != 0);
    enum bgl_refusal refused = REFUSED_NOT;

    if (beyond) {
        refused = REFUSED_RANGE;
    } else if (both) {
        refused = REFUSED_HINT;
    } else if (is_wrong_vc(h, high)) {
        refused = REFUSED_VC;
    } else if (beside) {
        refused = REFUSED_DEPOSIT;
    } else if ((differ & ~hinted) != 0) {
        refused = REFUSED_HINT;
    } else if (hints == 0) {
        refused = REFUSED_SELF;
    }
    return (struct bgl_injected){.hints = hints, .refused = refused};
}

#endif
