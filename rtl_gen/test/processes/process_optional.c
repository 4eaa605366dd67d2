// SPDX-License-Identifier: Apache-2.0
/*
 * Rounds of up to nine steps, of which each takes a clock if it is wanted. All states are one group: a step is reached from the one
 * before it, so that the Verilog grows in proportion to the steps.
 */
#include "hls.h"

enum optional_at {
    OPTIONAL_1,
    OPTIONAL_2,
    OPTIONAL_3,
    OPTIONAL_4,
    OPTIONAL_5,
    OPTIONAL_6,
    OPTIONAL_7,
    OPTIONAL_8,
    OPTIONAL_9,
    OPTIONAL_END
};

struct process_optional_in {
    uint(9) wants; /* by step */
};

struct process_optional_out {
    u16 rounds;
};

struct process_optional {
    struct process_optional_out out;
    enum optional_at at;
};

HLS_RESET void process_optional_reset(struct process_optional *self)
{
    *self = (struct process_optional){.at = OPTIONAL_END};
}

HLS_MODULE void process_optional(struct process_optional *self,
                                 const struct process_optional_in *in)
{
    HLS_PROCESS(self->at, OPTIONAL_1, OPTIONAL_2, OPTIONAL_3, OPTIONAL_4, OPTIONAL_5, OPTIONAL_6,
                OPTIONAL_7, OPTIONAL_8, OPTIONAL_9, OPTIONAL_END);
    for (;;) {
        if (in->wants & 1)
            HLS_WAIT(OPTIONAL_1);
        if (in->wants >> 1 & 1)
            HLS_WAIT(OPTIONAL_2);
        if (in->wants >> 2 & 1)
            HLS_WAIT(OPTIONAL_3);
        if (in->wants >> 3 & 1)
            HLS_WAIT(OPTIONAL_4);
        if (in->wants >> 4 & 1)
            HLS_WAIT(OPTIONAL_5);
        if (in->wants >> 5 & 1)
            HLS_WAIT(OPTIONAL_6);
        if (in->wants >> 6 & 1)
            HLS_WAIT(OPTIONAL_7);
        if (in->wants >> 7 & 1)
            HLS_WAIT(OPTIONAL_8);
        if (in->wants >> 8 & 1)
            HLS_WAIT(OPTIONAL_9);
        self->out.rounds++;
        HLS_WAIT(OPTIONAL_END);
    }
}
