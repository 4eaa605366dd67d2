// SPDX-License-Identifier: Apache-2.0
#include "emit.h"
void merge_bitwise(struct module *m) { (void)m; }
void find_vectors(struct module *m) { (void)m; }
bool row_fits(struct module *m, struct node *const *lane, unsigned n) { (void)m; (void)n; (void)lane; return false; }
struct vector *vector_find(const struct module *m, struct node *const *lane, unsigned n) { (void)m; (void)lane; (void)n; return NULL; }
struct node ***lane_args(const struct module *m, struct node *const *lane, unsigned n)
{
    (void)m;
    struct node ***a = arena((lane[0]->n_args + 1) * sizeof *a);
    for (unsigned k = 0; k < lane[0]->n_args; k++) {
        a[k] = arena(n * sizeof **a);
        for (unsigned i = 0; i < n; i++)
            a[k][i] = lane[i]->args[k];
    }
    return a;
}
