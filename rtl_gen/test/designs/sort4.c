// SPDX-License-Identifier: Apache-2.0
/*
 * sort4: a sorting network of five comparators over four keyed values.
 */
#include "hls.h"

struct sort4_item {
    u6 key;
    u5 value;
};
struct sort4_in {
    struct sort4_item item[4];
    u1 descending;
};
struct sort4_out {
    struct sort4_item sorted[4];
    u1 tie;
};
struct sort4 {
    struct sort4_out out;
};

static void compare_swap(struct sort4_item *a, struct sort4_item *b, u1 descending)
{
    if (descending ? a->key < b->key : b->key < a->key) {
        struct sort4_item t = *a;
        *a = *b;
        *b = t;
    }
}

HLS_RESET void sort4_reset(struct sort4 *self)
{
    *self = (struct sort4){0};
}

HLS_MODULE void sort4(struct sort4 *self, const struct sort4_in *in)
{
    static const u2 pair[5][2] = {{0, 1}, {2, 3}, {0, 2}, {1, 3}, {1, 2}};
    struct sort4_item item[4];
    for (int i = 0; i < 4; i++) {
        item[i] = in->item[i];
    }
    for (int i = 0; i < 5; i++) {
        compare_swap(&item[pair[i][0]], &item[pair[i][1]], in->descending);
    }
    self->out.tie = 0;
    for (int i = 0; i < 4; i++) {
        self->out.sorted[i] = item[i];
        self->out.tie |= i > 0 && item[i].key == item[i - 1].key;
    }
}
