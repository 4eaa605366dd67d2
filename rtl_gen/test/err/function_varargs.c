// SPDX-License-Identifier: Apache-2.0
/* A helper with a variable list of arguments. */
#include "hls.h"

#include <stdarg.h>

static u8 sum(int n, ...)
{
    va_list list;
    int total = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++) {
        total += va_arg(list, int);
    }
    va_end(list);
    return total;
}

struct function_varargs_in {
    u1 go;
};
struct function_varargs_out {
    u8 y;
};
struct function_varargs {
    struct function_varargs_out out;
};

HLS_RESET void function_varargs_reset(struct function_varargs *self)
{
    *self = (struct function_varargs){0};
}

HLS_MODULE void function_varargs(struct function_varargs *self,
                                 const struct function_varargs_in *in)
{
    self->out.y = sum(2, (int)in->go, 3);
}
