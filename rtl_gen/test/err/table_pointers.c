// SPDX-License-Identifier: Apache-2.0
/* A table of pointers. */
#include "hls.h"

struct table_pointers_in {
    u2 word;
    u2 at;
};
struct table_pointers_out {
    char letter;
};
struct table_pointers {
    struct table_pointers_out out;
};

HLS_RESET void table_pointers_reset(struct table_pointers *self)
{
    self->out = (struct table_pointers_out){0};
}

HLS_MODULE void table_pointers(struct table_pointers *self, const struct table_pointers_in *in)
{
    static const char *const words[4] = {"one", "two", "six", "ten"};
    self->out.letter = words[in->word][in->at];
}
