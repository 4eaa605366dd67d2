// SPDX-License-Identifier: Apache-2.0
/*
 * machine_head.c - a machine of 3 lamps: what stands in the head of the Verilog, and over a group of ports.
 */
#include "hls.h"

struct hls_machine; /* the comment above is the machine's */

struct lamp {
    u1 on;
    u2 colour; /* which of three */
};

struct machine_head_in {
    u1 enable;
    struct lamp wanted; /* by the switch */
    struct lamp next;
};

struct machine_head_out {
    struct lamp lamp; /* as it burns */
};

struct machine_head {
    struct machine_head_out out;
};

HLS_RESET void machine_head_reset(struct machine_head *self)
{
    *self = (struct machine_head){0};
}

/* One lamp of the machine. */
HLS_MODULE void machine_head(struct machine_head *self, const struct machine_head_in *in)
{
    self->out.lamp = in->enable ? in->wanted : in->next;
}
