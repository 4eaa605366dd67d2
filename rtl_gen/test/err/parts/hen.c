// SPDX-License-Identifier: Apache-2.0
/* A hen contains an egg. */
#include "hls.h"

struct egg_in {
    u1 go;
};
struct egg {
    u1 y;
};
void egg_reset(struct egg *self);
HLS_MODULE void egg(struct egg *self, const struct egg_in *in);

struct hen_in {
    u1 go;
};
struct hen {
    struct egg egg;
};

HLS_RESET void hen_reset(struct hen *self)
{
    egg_reset(&self->egg);
}

HLS_MODULE void hen(struct hen *self, const struct hen_in *in)
{
    egg(&self->egg, &(struct egg_in){in->go});
}
