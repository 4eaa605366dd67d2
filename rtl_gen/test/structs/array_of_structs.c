// SPDX-License-Identifier: Apache-2.0
/*
 * array_of_structs: a table of entries read and written by dynamic index, whole and by field;
 * a look-up over all of them.
 */
#include "hls.h"

struct array_of_structs_entry {
    u1 valid;
    u10 key;
    u21 value;
};
struct array_of_structs_in {
    u1 insert, remove;
    u3 at; /* 0 .. 5; 6 and 7 fall on entry 0 */
    u10 key;
    u21 fresh;
};
struct array_of_structs_out {
    u1 hit;
    u21 value;
    struct array_of_structs_entry old;
};
struct array_of_structs {
    struct array_of_structs_out out;
    struct array_of_structs_entry entry[6];
};

HLS_RESET void array_of_structs_reset(struct array_of_structs *self)
{
    *self = (struct array_of_structs){.entry[2] = {1, 3, 0x12345}};
}

HLS_MODULE void array_of_structs(struct array_of_structs *self,
                                 const struct array_of_structs_in *in)
{
    u3 at = in->at < 6 ? in->at : (u3)0;
    self->out.hit = 0;
    for (int i = 0; i < 6; i++) {
        if (self->entry[i].valid && (self->entry[i].key & 7) == (in->key & 7)) {
            self->out.hit = 1;
            self->out.value = self->entry[i].value ^ in->key;
        }
    }
    self->out.old = self->entry[at];
    if (in->insert) {
        self->entry[at] = (struct array_of_structs_entry){1, in->key, in->fresh};
    } else if (in->remove) {
        self->entry[at].valid = 0;
    } else {
        self->entry[at].value += 3;
    }
}
