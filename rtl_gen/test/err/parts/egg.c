// SPDX-License-Identifier: Apache-2.0
/* An egg contains a hen. */
#include "hls.h"

struct hen_in {
    u1 go;
};
struct hen {
    u1 y;
};
void hen_reset(struct hen *self);
HLS_MODULE void hen(struct hen *self, const struct hen_in *in);

struct egg_in {
    u1 go;
};
struct egg {
    struct hen hen;
};

HLS_RESET void egg_reset(struct egg *self)
{
    hen_reset(&self->hen);
}

HLS_MODULE void egg(struct egg *self, const struct egg_in *in)
{
    hen(&self->hen, &(struct hen_in){in->go});
}
