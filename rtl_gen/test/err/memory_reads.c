// SPDX-License-Identifier: Apache-2.0
/* A number of reads that is none. */
#include "hls.h"

struct memory_reads_in {
    u1 go;
};
struct memory_reads_out {
    u8 y;
};
struct memory_reads {
    struct memory_reads_out out;
    u48 buffer[64] HLS_LUTRAM(READS);
};

HLS_RESET void memory_reads_reset(struct memory_reads *self)
{
    self->out = (struct memory_reads_out){0};
}

HLS_MODULE void memory_reads(struct memory_reads *self, const struct memory_reads_in *in)
{
    self->out.y += in->go;
}
