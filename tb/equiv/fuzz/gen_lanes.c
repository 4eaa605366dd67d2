// SPDX-License-Identifier: Apache-2.0
/*
 * gen_lanes.c - lanes that rtlgen gathers into one net.
 */
#include "gen.h"

/* The value of element i of `from`, and some operations on it that are alike in every lane. */
static const char *lane_value(struct gen *g, struct type t, const char *from, const char *i)
{
    static const char *const op[] = {"+", "-", "^", "&", "|"};
    const char *type = type_name(t), *element = fmt("%s[%s]", from, i), *x = element;
    for (unsigned k = 4 + (unsigned)draw(g, 5); k > 0; k--) {
        const char *y = cast(leaf(g, t.width), t).text;
        if (chance(g, 25))
            x = fmt("(%s < %s ? %s : %s)", element, y, x, cast(leaf(g, t.width), t).text);
        else
            x = fmt("(%s)(%s %s %s)", type, x, op[draw(g, 5)], chance(g, 20) ? element : y);
    }
    return x;
}

/*
 * Things that have nothing in common, side by side, and a loop that treats them alike: rtlgen gathers them into one net. Each
 * is used several times, and so is a net of its own. Half of them are calls where there is something to call.
 */
void lanes(struct gen *g)
{
    struct type t = bitint(false, 2 + (unsigned)draw(g, 12));
    unsigned n = 3 + (unsigned)draw(g, 5);
    const char *from = fresh(g, "a"), *to = fresh(g, "a"), *i = fresh(g, "i");
    begin(g, C_LANES);
    line(g, "%s %s[%u], %s[%u];", type_name(t), from, n, to, n);
    for (unsigned k = 0; k < n; k++) {
        const struct helper *h = g->n_helper ? &g->helper[draw(g, g->n_helper)] : NULL;
        bool calls = h && (h->kind == HELPER_VALUE || h->kind == HELPER_KEEP) && chance(g, 60);
        line(g, "%s[%u] = (%s)%s;", from, k, type_name(t),
             calls ? call_text(g, h, NULL, 1) : value_for(g, t, 2));
    }
    line(g, "for (int %s = 0; %s < %u; %s++)", i, i, n, i);
    line(g, "    %s[%s] = %s;", to, i, lane_value(g, t, from, i));
    end(g);
    struct entry e = {.text = from, .type = t, .n_dims = 1, .dim = {n}, .writable = true};
    scope_add(g, e);
    e.text = to;
    scope_add(g, e);
}
