// SPDX-License-Identifier: Apache-2.0
/* A struct that has only a typedef name. */
#include "hls.h"

struct module_no_tag_in {
    u1 go;
};
typedef struct {
    struct {
        u8 y;
    } out;
} module_no_tag_t;

HLS_RESET void module_no_tag_reset(module_no_tag_t *self)
{
    *self = (module_no_tag_t){0};
}

HLS_MODULE void module_no_tag(module_no_tag_t *self, const struct module_no_tag_in *in)
{
    self->out.y += in->go;
}
