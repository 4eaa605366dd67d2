// SPDX-License-Identifier: Apache-2.0
/* Memory from a heap. */
#include "hls.h"

void *malloc(unsigned long size);

struct heap_in {
    u1 go;
};
struct heap_out {
    u8 y;
};
struct heap {
    struct heap_out out;
};

HLS_RESET void heap_reset(struct heap *self)
{
    *self = (struct heap){0};
}

HLS_MODULE void heap(struct heap *self, const struct heap_in *in)
{
    u8 *p = malloc(1);
    *p = in->go;
    self->out.y = *p;
}
