// SPDX-License-Identifier: Apache-2.0
/*
 * declare_names.c - C names become Verilog names as they are, so they must be possible there:
 * no keyword, nothing that the tool itself writes, no two things of one name in a module.
 */
#include "front/declare.h"

#include <ctype.h>
#include <string.h>

/* clang-format off */
/*
 * Keywords of Verilog (IEEE 1364-2005) and SystemVerilog (IEEE 1800-2017) that C leaves free, and
 * the classes of SystemVerilog's std package.
 */
static const char *const verilog[] = {
    "accept_on", "alias", "always", "always_comb", "always_ff", "always_latch", "and", "assert",
    "assign", "assume", "automatic", "before", "begin", "bind", "bins", "binsof", "bit", "buf",
    "bufif0", "bufif1", "byte", "casex", "casez", "cell", "chandle", "checker", "class", "clocking",
    "cmos", "config", "constraint", "context", "cover", "covergroup", "coverpoint", "cross",
    "deassign", "defparam", "design", "disable", "dist", "edge", "end", "endcase", "endchecker",
    "endclass", "endclocking", "endconfig", "endfunction", "endgenerate", "endgroup",
    "endinterface", "endmodule", "endpackage", "endprimitive", "endprogram", "endproperty",
    "endsequence", "endspecify", "endtable", "endtask", "event", "eventually", "expect", "export",
    "extends", "final", "first_match", "force", "foreach", "forever", "fork", "forkjoin",
    "function", "generate", "genvar", "global", "highz0", "highz1", "iff", "ifnone", "ignore_bins",
    "illegal_bins", "implements", "implies", "import", "incdir", "include", "initial", "inout",
    "input", "inside", "instance", "integer", "interconnect", "interface", "intersect", "join",
    "join_any", "join_none", "large", "let", "liblist", "library", "local", "localparam", "logic",
    "longint", "macromodule", "mailbox", "matches", "medium", "modport", "module", "nand",
    "negedge", "nettype", "new", "nexttime", "nmos", "nor", "noshowcancelled", "not", "notif0",
    "notif1", "null", "or", "output", "package", "packed", "parameter", "pmos", "posedge",
    "primitive", "priority", "process", "program", "property", "protected", "pull0", "pull1",
    "pulldown", "pullup", "pulsestyle_ondetect", "pulsestyle_onevent", "pure", "rand", "randc",
    "randcase", "randsequence", "rcmos", "real", "realtime", "ref", "reg", "reject_on", "release",
    "repeat", "rnmos", "rpmos", "rtran", "rtranif0", "rtranif1", "s_always", "s_eventually",
    "s_nexttime", "s_until", "s_until_with", "scalared", "semaphore", "sequence", "shortint",
    "shortreal", "showcancelled", "small", "soft", "solve", "specify", "specparam", "std", "string",
    "strong", "strong0", "strong1", "super", "supply0", "supply1", "sync_accept_on",
    "sync_reject_on", "table", "tagged", "task", "this", "throughout", "time", "timeprecision",
    "timeunit", "tran", "tranif0", "tranif1", "tri", "tri0", "tri1", "triand", "trior", "trireg",
    "type", "unique", "unique0", "until", "until_with", "untyped", "use", "uwire", "var",
    "vectored", "virtual", "wait", "wait_order", "wand", "weak", "weak0", "weak1", "wildcard",
    "wire", "with", "within", "wor", "xnor", "xor",
};

/*
 * What Verilator 5.006 does not take as a port or as a net that it makes public (warning SYMRSVDWORD), and the methods
 * of its models: they are members of a C++ class.
 */
static const char *const verilator[] = {
    "abort", "and_eq", "asm", "atClone", "atomic_cancel", "atomic_commit", "atomic_noexcept",
    "bit_vector", "bitand", "bitor", "catch", "cdecl", "char16_t", "char32_t", "char8_t",
    "co_await", "co_return", "co_yield", "compl", "complex", "concept", "const_cast",
    "const_iterator", "consteval", "constinit", "contextp", "decltype", "delete", "deque",
    "dynamic_cast", "eval", "eval_end_step", "eval_step", "eventsPending", "explicit", "far",
    "final", "friend", "hierName", "huge", "interrupt", "iterator", "list", "map", "modelName",
    "multimap", "multiset", "mutable", "name", "namespace", "near", "nextTimeSlot", "noexcept",
    "not_eq", "operator", "or_eq", "override", "pair", "pascal", "prepareClone", "private",
    "public", "queue", "reference", "requires", "rootp", "sc_clock", "sc_in", "sc_inout", "sc_out",
    "sc_signal", "sensitive", "sensitive_neg", "sensitive_pos", "set", "stack", "static_cast",
    "synchronized", "template", "threads", "throw", "trace", "traceCapable", "try", "type_info",
    "typeid", "typename", "uint16_t", "uint32_t", "uint8_t", "using", "vector", "vlSymsp",
    "wchar_t", "xor_eq",
};

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

bool verilog_keyword(const char *name)
{
    return among(verilog, sizeof verilog / sizeof *verilog, name);
}

bool verilator_word(const char *name)
{
    return among(verilator, sizeof verilator / sizeof *verilator, name);
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
