// SPDX-License-Identifier: Apache-2.0
/*
 * inst_same_name: instances, alone and in an array, that are called like a port of their module.
 */
#include "hls.h"

struct inst_same_name_count_in {
    u1 step;
};
struct inst_same_name_count_out {
    u4 count;
};
struct inst_same_name_count {
    struct inst_same_name_count_out out;
};

struct inst_same_name_in {
    u3 go;
};
struct inst_same_name_out {
    u5 sum;
};
struct inst_same_name {
    struct inst_same_name_out out;
    struct inst_same_name_count count;
    struct inst_same_name_count step[2];
};

HLS_RESET void inst_same_name_count_reset(struct inst_same_name_count *self)
{
    self->out.count = 0;
}

HLS_MODULE void inst_same_name_count(struct inst_same_name_count *self,
                                     const struct inst_same_name_count_in *in)
{
    self->out.count += in->step;
}

HLS_RESET void inst_same_name_reset(struct inst_same_name *self)
{
    self->out.sum = 0;
    inst_same_name_count_reset(&self->count);
    for (int i = 0; i < 2; i++) {
        inst_same_name_count_reset(&self->step[i]);
    }
}

HLS_MODULE void inst_same_name(struct inst_same_name *self, const struct inst_same_name_in *in)
{
    self->out.sum = (u5)self->count.out.count + self->step[0].out.count + self->step[1].out.count;
    inst_same_name_count(&self->count, &(struct inst_same_name_count_in){.step = (u1)in->go});
    for (int i = 0; i < 2; i++) {
        inst_same_name_count(&self->step[i],
                             &(struct inst_same_name_count_in){.step = (u1)(in->go >> (i + 1))});
    }
}
