// SPDX-License-Identifier: Apache-2.0
/* Verilator writes ports as C++ members. */
#include "hls.h"

struct name_cpp_in {
    u1 go, template;
};
struct name_cpp_out {
    u8 y;
};
struct name_cpp {
    struct name_cpp_out out;
};

HLS_RESET void name_cpp_reset(struct name_cpp *self)
{
    *self = (struct name_cpp){0};
}

HLS_MODULE void name_cpp(struct name_cpp *self, const struct name_cpp_in *in)
{
    self->out.y += in->go;
}
