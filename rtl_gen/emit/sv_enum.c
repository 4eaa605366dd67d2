// SPDX-License-Identifier: Apache-2.0
/*
 * sv_enum.c - registers whose type is an enum, and the types that a module has of its own.
 */
#include "emit/dialect.h"

#include <string.h>

static const char *type_of(const struct module *m, unsigned leaf)
{
    return m->plan->reg_type ? m->plan->reg_type[leaf] : NULL;
}

const char *register_kind(const struct module *m, unsigned leaf)
{
    return type_of(m, leaf) ? type_of(m, leaf) : "reg";
}

/* An enumerator of a type that the module declares. */
static bool is_enumerator(const struct plan *p, const char *type, const char *text)
{
    for (unsigned i = 0; i < p->n_enum_types; i++) {
        const struct enum_type *e = &p->enum_type[i];
        for (unsigned k = 0; strcmp(e->name, type) == 0 && k < e->of->n; k++)
            if (strcmp(e->label[k], text) == 0)
                return true;
    }
    return false;
}

static bool is_register(const struct module *m, const char *type, const char *text)
{
    for (unsigned i = 0; i < m->self.n; i++)
        if (type_of(m, i) && strcmp(type_of(m, i), type) == 0 && strcmp(m->plan->reg[i], text) == 0)
            return true;
    return false;
}

const char *sv_cast(const struct module *m, const char *type, const char *text)
{
    bool has_it = is_enumerator(m->plan, type, text) || is_register(m, type, text);
    return has_it ? text : format("%s'(" ALIGN "%s)", type, text);
}

const char *typed_value(const struct module *m, unsigned leaf, const char *text)
{
    return type_of(m, leaf) ? sv_cast(m, type_of(m, leaf), text) : text;
}

void sv_enums(struct text *t, const struct module *m)
{
    for (unsigned i = 0; i < m->plan->n_enum_types; i++) {
        const struct enum_type *e = &m->plan->enum_type[i];
        struct text line = {0};
        for (unsigned k = 0; k < e->of->n; k++)
            put(&line, "%s%s = %s", line.n ? COMMA : "", e->label[k],
                literal(e->of->width, &e->of->value[k], e->of->width));
        put_line(
            t, 4,
            format("typedef enum logic %s{" ALIGN "%s} %s;", range(e->of->width), line.s, e->name),
            NULL);
    }
}
