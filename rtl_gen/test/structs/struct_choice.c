// SPDX-License-Identifier: Apache-2.0
/*
 * struct_choice: structs chosen by a condition, returned from branches, compared by field, and
 * locals of which only some fields are ever set.
 */
#include "hls.h"

struct struct_choice_offer {
    u1 valid;
    u6 price;
    u20 item;
};
struct struct_choice_in {
    struct struct_choice_offer a, b;
    u1 prefer_b;
};
struct struct_choice_out {
    struct struct_choice_offer best;
    u6 spread;
};
struct struct_choice {
    struct struct_choice_out out;
};

static struct struct_choice_offer better(struct struct_choice_offer x, struct struct_choice_offer y)
{
    if (!x.valid) {
        return y;
    }
    if (!y.valid) {
        return x;
    }
    return x.price <= y.price ? x : y;
}

HLS_RESET void struct_choice_reset(struct struct_choice *self)
{
    *self = (struct struct_choice){.out.best.price = 63};
}

HLS_MODULE void struct_choice(struct struct_choice *self, const struct struct_choice_in *in)
{
    struct struct_choice_offer first = in->prefer_b ? in->b : in->a;
    struct struct_choice_offer second;
    second.valid = !first.valid || in->a.valid;
    second.price = in->prefer_b ? in->a.price : in->b.price;
    second.item = in->a.item ^ in->b.item;
    if (in->a.valid && in->b.valid) {
        self->out.spread = in->a.price - in->b.price;
    }
    struct struct_choice_offer aged = self->out.best;
    aged.valid = aged.price < 60;
    aged.price += aged.valid ? 3 : 0;
    self->out.best = better(better(first, second), aged);
}
