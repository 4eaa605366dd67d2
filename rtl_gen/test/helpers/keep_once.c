// SPDX-License-Identifier: Apache-2.0
/*
 * keep_once: a pure function marked HLS_KEEP, called once: it stays a Verilog module of its own,
 * with ports of odd width.
 */
#include "hls.h"

struct keep_once_in {
    u11 data;
    u3 turn;
};
struct keep_once_out {
    u5 code;
    u11 raw;
};
struct keep_once {
    struct keep_once_out out;
};

/* Five check bits over eleven data bits, rotated by turn. */
HLS_KEEP static u5 keep_once_code(u11 data, u3 turn)
{
    u5 code = 0;
    for (int i = 0; i < 11; i++) {
        if (data >> i & 1) {
            code ^= i + 7;
        }
    }
    u3 by = turn % 5;
    return by ? (u5)(code << by | code >> (5 - by)) : code;
}

HLS_RESET void keep_once_reset(struct keep_once *self)
{
    *self = (struct keep_once){0};
}

HLS_MODULE void keep_once(struct keep_once *self, const struct keep_once_in *in)
{
    self->out.raw += in->data;
    self->out.code = keep_once_code(self->out.raw, in->turn);
}
