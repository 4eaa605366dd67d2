// SPDX-License-Identifier: Apache-2.0
/*
 * declare_dump.c - `-d declare`: what was read of the modules, one line per leaf and instance.
 */
#include "front/front.h"

#include <inttypes.h>

static void dump_dims(FILE *f, unsigned n, const struct dim *dims)
{
    for (unsigned i = 0; i < n; i++)
        fprintf(f, "[%u:%u]", dims[i].count, dims[i].stride);
}

static void dump_leaf(FILE *f, const struct leaf *l)
{
    static const char *const storage[] = {"", " lutram", " bram", " bram_read_first", " rom"};
    fprintf(f, "    %s", l->name);
    dump_dims(f, l->n_dims, l->dims);
    fprintf(f, " %c%u x %u", l->is_signed ? 's' : 'u', l->width, l->count);
    fprintf(f, " at %u of %u bytes%s%s", l->offset, l->bytes, l->out ? " out" : "",
            storage[l->storage]);
    if (l->storage == STORE_LUTRAM)
        fprintf(f, ":%u", l->reads);
    for (unsigned i = 0; l->enumeration && i < l->enumeration->n; i++)
        fprintf(f, "%s%s=%" PRIu64, i ? " " : " {", l->enumeration->label[i],
                l->enumeration->value[i]);
    fprintf(f, "%s (%s, %s:%u:%u)", l->enumeration ? "}" : "", l->c, l->loc.file, l->loc.line,
            l->loc.col);
    fprintf(f, "%s%s\n", l->doc ? " // " : "", l->doc ? l->doc : "");
}

static void dump_layout(FILE *f, const char *what, const struct layout *layout)
{
    fprintf(f, "  %s struct %s, %u bytes\n", what, layout->tag, layout->bytes);
    for (unsigned i = 0; i < layout->n; i++)
        dump_leaf(f, &layout->leaf[i]);
}

void dump_declared(FILE *f, const struct design *design)
{
    for (unsigned i = 0; i < design->n; i++) {
        const struct module *m = design->module[i];
        fprintf(f, "%s %s (%s:%u:%u, source %s, header %s, reset %s)%s%s\n",
                m->keep ? "keep" : "module", m->name, m->loc.file, m->loc.line, m->loc.col,
                m->source, m->header ? m->header : "-", m->reset_name ? m->reset_name : "-",
                m->doc ? " // " : "", m->doc ? m->doc : "");
        dump_layout(f, "in", &m->in);
        if (m->keep)
            fprintf(f, "  result %u\n", m->result_width);
        else
            dump_layout(f, "self", &m->self);
        for (unsigned k = 0; k < m->n_inst; k++) {
            const struct instance *inst = &m->inst[k];
            fprintf(f, "  instance %s", inst->name);
            dump_dims(f, inst->n_dims, inst->dims);
            fprintf(f, " of %s x %u at %u (%s, %s:%u:%u)\n", inst->module_name, inst->count,
                    inst->offset, inst->c, inst->loc.file, inst->loc.line, inst->loc.col);
        }
    }
}
