// SPDX-License-Identifier: Apache-2.0
/*
 * loop_search: loops left early by data: first match in a table, its index kept for later, and a
 * nested search that leaves both loops.
 */
#include "hls.h"

struct loop_search_in {
    u4 key[6];
    u4 wanted;
    u1 store;
};
struct loop_search_out {
    u3 at;
    u1 found;
    u3 twin_a, twin_b;
};
struct loop_search {
    struct loop_search_out out;
    u4 stored;
};

HLS_RESET void loop_search_reset(struct loop_search *self)
{
    *self = (struct loop_search){.stored = 9};
}

HLS_MODULE void loop_search(struct loop_search *self, const struct loop_search_in *in)
{
    int i;
    for (i = 0; i < 6; i++) {
        if (in->key[i] == (in->wanted ^ self->stored)) {
            break;
        }
    }
    self->out.at = i;
    self->out.found = i < 6;
    if (in->store && i < 6) {
        self->stored += in->key[i];
    }
    bool twins = false;
    for (u3 a = 0; a < 6 && !twins; a++) {
        for (u3 b = a + 1; b < 6; b++) {
            if (in->key[a] == in->key[b]) {
                self->out.twin_a = a;
                self->out.twin_b = b;
                twins = true;
                break;
            }
        }
    }
}
