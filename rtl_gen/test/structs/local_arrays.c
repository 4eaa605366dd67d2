// SPDX-License-Identifier: Apache-2.0
/*
 * local_arrays: arrays on the stack with constant and dynamic index, of scalars and of structs,
 * and a struct holding an array passed around by value.
 */
#include "hls.h"

struct local_arrays_set {
    u7 x[5];
};
struct local_arrays_in {
    u7 x[5];
    u3 from, to;
};
struct local_arrays_out {
    struct local_arrays_set set;
    u3 ranks[5];
};
struct local_arrays {
    struct local_arrays_out out;
};

static struct local_arrays_set rotate(struct local_arrays_set s, u3 by)
{
    struct local_arrays_set r;
    for (int i = 0; i < 5; i++) {
        r.x[i] = s.x[(i + by) % 5];
    }
    return r;
}

HLS_RESET void local_arrays_reset(struct local_arrays *self)
{
    *self = (struct local_arrays){.out.set = {{1, 2, 3, 4, 5}}};
}

HLS_MODULE void local_arrays(struct local_arrays *self, const struct local_arrays_in *in)
{
    u7 copy[8] = {0};
    for (int i = 0; i < 5; i++) {
        copy[i] = in->x[i];
    }
    copy[in->to] = copy[in->from] + 1;

    u3 ranks[5] = {0, 0, 0, 0, 0};
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 5; j++) {
            ranks[i] += copy[j] < copy[i] || (copy[j] == copy[i] && j < i);
        }
    }
    u7 sorted[5] = {0};
    for (int i = 0; i < 5; i++) {
        sorted[ranks[i]] = copy[i];
        self->out.ranks[i] = ranks[i];
    }
    self->out.set = rotate(self->out.set, in->from);
    self->out.set.x[2] ^= sorted[2];
    self->out.set.x[4] += sorted[4] - sorted[0];
}
