// SPDX-License-Identifier: Apache-2.0
/* copy_element.c - an element of as many bytes as the array has elements is copied: the others stay. */
#include "hls.h"

struct packet {
    u3 port;
    u1 late;
    u12 born;
};

struct copy_element_in {
    u1 take;
    struct packet packet;
};

struct copy_element_out {
    struct packet first[4];
};

struct copy_element {
    struct copy_element_out out;
    struct packet next[4];
};

HLS_RESET void copy_element_reset(struct copy_element *self)
{
    *self = (struct copy_element){};
}

HLS_MODULE void copy_element(struct copy_element *self, const struct copy_element_in *in)
{
    if (in->take) {
        self->out.first[0] = self->next[0];
        self->next[3] = self->next[0];
    }
    self->next[0] = in->packet;
}
