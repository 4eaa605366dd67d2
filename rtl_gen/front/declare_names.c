// SPDX-License-Identifier: Apache-2.0
/*
 * declare_names.c - C names become Verilog names as they are, so they must be possible there:
 * no keyword, nothing that the tool itself writes, no two things of one name in a module.
 */
#include "front/declare.h"
#include "front/front.h"

#include <ctype.h>
#include <string.h>

/* clang-format off */
/* What the shim, in which the module's functions are called, has of its own or from the C library. */
static const char *const shim[] = {
    "abort", "abs", "atexit", "atoi", "calloc", "div", "enums_hold", "exit", "free", "get", "in",
    "index", "labs", "ldiv", "malloc", "memset", "put", "rand", "random", "select", "self", "system",
};
/* clang-format on */

static bool among(const char *const *words, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(words[i], name) == 0)
            return true;
    return false;
}

static const char *lower_case(const char *name)
{
    char *s = format("%s", name);
    for (char *c = s; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return s;
}

static bool ends(const char *name, const char *tail)
{
    size_t n = strlen(name), t = strlen(tail);
    return n >= t && strcmp(name + n - t, tail) == 0;
}

static bool plain(const char *name)
{
    for (const char *s = name; *s; s++)
        if (!isalnum((unsigned char)*s) && *s != '_')
            return false;
    return !strstr(name, "__");
}

enum kind { FUNCTION, MODULE, PORT, PRIVATE };

/* Why a name cannot be, or NULL. */
static const char *trouble(const char *name, enum kind kind)
{
    if (kind <= MODULE && among(shim, sizeof shim / sizeof *shim, name))
        return "is a word of the shim, the C beside the Verilog";
    if (kind == FUNCTION)
        return NULL;
    if (verilog_keyword(name))
        return "is a keyword of Verilog";
    if (kind == PORT && verilator_word(name))
        return "is a word of C++, in which Verilator writes the ports";
    if (kind == PORT && model_word(name))
        return "is a macro or type where the C++ is compiled that Verilator writes";
    if (strncmp(name, "hls_", 4) == 0)
        return "begins with `hls_`, which is the tool's own";
    if (kind != MODULE && (strcmp(name, "clk") == 0 || strcmp(name, "rst") == 0))
        return "is a port that every module has";
    if (kind == MODULE && ends(name, "_tb"))
        return "ends in `_tb`, as the generated test benches do";
    if (!plain(name))
        return "is no plain Verilog name: letters, digits and single underscores only";
    return NULL;
}

static bool check_name(struct loc loc, const char *what, const char *name, enum kind kind)
{
    const char *why = trouble(name, kind);
    if (why)
        diag_error(loc, "choose another name", "the name of %s '%s' %s", what, name, why);
    return !why;
}

/* ---- two of one name ----------------------------------------------------------------------------- */

struct named {
    const char *name, *what, *c;
    struct loc loc;
};

struct checked {
    struct names names; /* struct named */
    bool bad;
};

static void keep_name(struct checked *all, struct named one)
{
    struct named *kept = arena(sizeof *kept);
    *kept = one;
    names_set(&all->names, one.name, kept);
}

static void add(struct checked *all, struct named one, enum kind kind)
{
    const struct named *other = names_find(&all->names, one.name);
    if (!check_name(one.loc, one.what, one.name, kind)) {
        all->bad = true;
    } else if (other) {
        diag_error(one.loc, "rename one: both have this name in Verilog",
                   "%s '%s' has the name of %s '%s'", one.what, one.c, other->what, other->c);
        diag_note(other->loc, "the other is here");
        all->bad = true;
    } else {
        keep_name(all, one);
    }
}

/* The port `rst` itself, as hls_reset_by wants it: the first input, as Verilog has it. */
static bool is_own_rst(const struct module *m, unsigned leaf)
{
    const struct leaf *l = &m->in.leaf[leaf];
    return leaf == 0 && input_rst(m) == 0 && l->width == 1 && l->count == 1 &&
           strcmp(l->c, "rst") == 0;
}

/* ---- VHDL ------------------------------------------------------------------------------------------ */

/*
 * A design in VHDL can have the module, or connect the port, only if the name is none of its words and differs from others
 * in more than case. The same of files where case does not count.
 */
static void warn_vhdl(struct names *seen, struct named one)
{
    const struct named *other = names_find(seen, lower_case(one.name));
    if (vhdl_word(one.name) || one.name[strlen(one.name) - 1] == '_')
        diag_warning(one.loc, "choose another name if VHDL is to instantiate it",
                     "the name of %s '%s' is none that VHDL can have", one.what, one.name);
    if (other && strcmp(other->name, one.name) != 0) {
        diag_warning(one.loc, "choose names that differ in more than case",
                     "%s '%s' differs from %s '%s' in case alone: to VHDL, and to some file "
                     "systems, it is the same",
                     one.what, one.name, other->what, other->name);
        diag_note(other->loc, "the other is here");
    }
    struct named *kept = arena(sizeof *kept);
    *kept = one;
    names_set(seen, lower_case(one.name), kept);
}

static void warn_ports(const struct module *m)
{
    struct names seen = {0};
    for (unsigned i = 0; i < m->in.n; i++)
        warn_vhdl(&seen,
                  (struct named){m->in.leaf[i].name, "input port", NULL, m->in.leaf[i].member});
    for (unsigned i = 0; i < m->self.n; i++)
        if (m->self.leaf[i].out)
            warn_vhdl(&seen, (struct named){m->self.leaf[i].name, "output port", NULL,
                                            m->self.leaf[i].member});
}

void names_warn(const struct design *design)
{
    struct names seen = {0};
    for (unsigned i = 0; i < design->n; i++) {
        const struct module *m = design->module[i];
        if (m->keep)
            continue;
        warn_vhdl(&seen, (struct named){m->verilog, "module", NULL, m->loc});
        warn_ports(m);
    }
}

bool names_check(const struct module *m)
{
    struct checked all = {.bad = false};
    const char *own = m->keep ? "HLS_KEEP function" : "module";
    all.bad = !check_name(m->loc, own, m->verilog, MODULE);
    if (m->reset_name)
        all.bad |= !check_name(m->loc, "the reset function", m->reset_name, FUNCTION);
    if (!all.bad) /* Verilator takes no port that is called like its module */
        keep_name(&all, (struct named){m->verilog, own, m->verilog, m->loc});
    if (m->keep)
        keep_name(&all, (struct named){"result", "the output", "result", m->loc});
    if (m->package && !m->keep) {
        keep_name(&all, (struct named){"in", "the struct of the inputs", "in", m->loc});
        keep_name(&all, (struct named){"out", "the struct of the outputs", "out", m->loc});
    }
    for (unsigned i = 0; i < m->in.n; i++) {
        const struct leaf *l = &m->in.leaf[i];
        const char *c = m->keep ? l->c : format("in->%s", l->c);
        if (is_own_rst(m, i))
            continue;
        add(&all, (struct named){l->name, m->keep ? "parameter" : "input port", c, l->member},
            PORT);
    }
    for (unsigned i = 0; i < m->self.n; i++) {
        const struct leaf *l = &m->self.leaf[i];
        const char *what = l->out ? "output port" : l->storage ? "memory" : "register";
        bool reg = !l->out && !l->storage; /* its net is name_q: no port is in its way */
        const char *net = reg ? format("%s_q", l->name) : l->name;
        add(&all, (struct named){net, what, format("self->%s", l->c), l->member},
            l->out ? PORT : PRIVATE);
    }
    for (unsigned i = 0; i < m->n_inst; i++) {
        const struct instance *inst = &m->inst[i];
        add(&all, (struct named){inst->name, "instance", format("self->%s", inst->c), inst->loc},
            PRIVATE);
    }
    return !all.bad;
}
