// SPDX-License-Identifier: Apache-2.0
/*
 * Elements of 12 bits that are read by an index on which a state decides: the registers are spread out for their reader
 * before the choice becomes a case.
 */
#include "hls.h"

enum ee_state { EE_IDLE, EE_FIRST, EE_LAST, EE_BOTH };

struct enum_element_in {
    enum ee_state next;
    u2 at, other;
    u12 value;
};

struct enum_element_out {
    u12 picked;
};

struct enum_element {
    struct enum_element_out out;
    enum ee_state state;
    u12 row[4];
};

HLS_RESET void enum_element_reset(struct enum_element *self)
{
    *self = (struct enum_element){};
}

HLS_MODULE void enum_element(struct enum_element *self, const struct enum_element_in *in)
{
    u2 at = 3;

    if (self->state == EE_LAST) {
        at = in->at ^ in->other;
    }
    if (self->state == EE_FIRST) {
        at = in->other;
    }
    if (self->state == EE_IDLE) {
        at = in->at;
    }
    if (self->state == EE_BOTH || self->state == EE_FIRST) {
        at = at + (u2)1;
    }
    self->out.picked = self->row[at];
    self->row[in->at] = in->value;
    self->state = in->next;
}
