// SPDX-License-Identifier: Apache-2.0
/*
 * ports.c - the reads and writes of memories that the execution met become ports.
 *
 * Writes on exclusive paths share the one write port. Reads of a LUTRAM at different addresses take
 * a port each as far as declared; beyond that, reads on exclusive paths share one. A BRAM is read
 * into one register: that register's next value must be the read, or itself.
 */
#include "exec/exec.h"
#include "graph/walk.h"

#include <string.h>

static void write_port(struct exec *x, unsigned leaf)
{
    struct mem_write *w = &x->module->reg[leaf].write;
    struct path any = NEVER;
    struct call *made = NULL; /* the first one */
    for (unsigned i = x->n_access; i-- > 0;) {
        struct mem_access *a = &x->access[i];
        if (a->leaf != leaf || !a->data)
            continue;
        made = a->loc.in;
        any = path_or(x->bdds, any, a->path);
        struct node *sel = path_select(x->bdds, a->path, any);
        w->addr = w->addr ? mk_mux(x->g, sel, a->addr, w->addr) : a->addr;
        w->data = w->data ? mk_mux(x->g, sel, a->data, w->data) : a->data;
    }
    if (w->data)
        x->module->reg[leaf].made = made;
    if (w->data)
        w->enable = path_node(x->bdds, any);
}

/* ---- LUTRAM ------------------------------------------------------------------------------------------------- */

struct read_port {
    struct path path;
    struct node *addr;
    struct loc loc;
};

/* Reads beyond the declared ports share one with reads on exclusive paths. */
static void share_reads(struct exec *x, unsigned leaf, struct mem_access *read, unsigned n,
                        struct map map)
{
    struct leaf *mem = &x->module->self.leaf[leaf];
    struct read_port *port = scratch(mem->reads * sizeof *port);
    unsigned *of = scratch(n * sizeof *of), n_ports = 0;
    for (unsigned i = 0; i < n; i++) {
        unsigned p = 0;
        while (p < n_ports && path_meet(x->bdds, port[p].path, read[i].path))
            p++;
        if (p == mem->reads) {
            x->loc = read[i].loc;
            exec_error(x, format("declare HLS_LUTRAM(%u), or read in exclusive branches", n),
                       "'%s' is read at more than %u addresses in one clock", mem->c, mem->reads);
            exec_note(x, port[0].loc, "a read before it");
            return;
        }
        struct node *addr = read[i].addr;
        if (p < n_ports)
            addr = mk_mux(x->g, path_node(x->bdds, read[i].path), addr, port[p].addr);
        else
            port[n_ports++].path = NEVER;
        port[p] =
            (struct read_port){path_or(x->bdds, port[p].path, read[i].path), addr, read[i].loc};
        of[i] = p;
    }
    for (unsigned i = 0; i < n; i++)
        map.to[read[i].read->id] = mk_memread(x->g, leaf, port[of[i]].addr, mem->width);
}

static bool read_ports(struct exec *x, unsigned leaf, struct map map)
{
    struct mem_access *read = NULL;
    unsigned n = 0;
    for (unsigned i = 0; i < x->n_access; i++) {
        struct mem_access *a = &x->access[i];
        if (a->leaf != leaf || a->data)
            continue;
        unsigned k = 0;
        while (k < n && read[k].addr != a->addr)
            k++;
        if (k < n)
            read[k].path = path_or(x->bdds, read[k].path, a->path);
        else
            PUSH_SCRATCH(read, n, *a);
    }
    if (n <= x->module->self.leaf[leaf].reads)
        return false;
    share_reads(x, leaf, read, n, map);
    return true;
}

/* ---- BRAM ------------------------------------------------------------------------------------------------------ */

struct sync_read {
    int mem; /* -1: no read found */
    struct node *enable, *addr;
};

static bool is_block_read(const struct module *m, const struct node *n)
{
    return n->op == OP_MEMREAD && m->self.leaf[n->index].storage >= STORE_BRAM;
}

/* What stands below zeros: a ROM's word, or the choice of several, as a register with more bits than the ROM holds has it; else NULL. */
static struct node *below_zeros(struct node *n)
{
    return n->op == OP_CONCAT && n->n_args == 2 && is_zero(n->args[0]) ? n->args[1] : NULL;
}

struct choice {
    struct node *cond, *yes, *no;
};

/*
 * A multiplexer; also the AND or OR that is left of one when a register of one bit is its own
 * enable: q & x is "q ? x : q", and q | x is "q ? q : x".
 */
static bool choice_of(const struct node *q, struct node *n, struct choice *c)
{
    if (n->op == OP_MUX) {
        *c = (struct choice){n->args[0], n->args[1], n->args[2]};
        return true;
    }
    if (q->width > 1 || (n->op != OP_AND && n->op != OP_OR))
        return false;
    unsigned k = n->args[0] == q ? 0 : 1;
    struct node *own = n->args[k], *other = n->args[1 - k];
    *c = n->op == OP_AND ? (struct choice){own, other, own} : (struct choice){own, own, other};
    return own == q;
}

/* Two reads as a choice of them; false if they are of two memories. */
static bool joined_reads(struct graph *g, const struct choice *c, const struct sync_read *a,
                         const struct sync_read *b, struct sync_read *r)
{
    if (a->mem >= 0 && b->mem >= 0 && a->mem != b->mem)
        return false;
    r->mem = a->mem >= 0 ? a->mem : b->mem;
    r->enable = mk_mux(g, c->cond, a->enable, b->enable);
    r->addr = !a->addr ? b->addr : !b->addr ? a->addr : mk_mux(g, c->cond, a->addr, b->addr);
    return true;
}

/* Take the next value of register q apart: hold, read, or a choice of these. False if it is not. */
static bool sync_read(struct exec *x, const struct node *q, struct node *next, struct sync_read *r)
{
    struct graph *g = x->g;
    struct sync_read **known = scratch((next->id + 1) * sizeof *known);
    static struct node **open; /* the one to take apart next is the last */
    static unsigned room;
    unsigned n_open = 0;
    struct node *never = mk_const(g, 1, 0);
    PUSH_WORK(open, n_open, room, next);
    while (n_open > 0) {
        struct node *n = open[n_open - 1];
        struct sync_read found = {.mem = -1, .enable = never};
        struct choice c;
        struct node *word = below_zeros(n);
        if (is_block_read(x->module, n)) {
            found = (struct sync_read){(int)n->index, mk_const(g, 1, 1), n->args[0]};
        } else if (word) {
            if (!known[word->id]) {
                PUSH_WORK(open, n_open, room, word);
                continue;
            }
            found = *known[word->id];
            if (found.mem < 0 || x->module->self.leaf[found.mem].storage != STORE_ROM)
                return false;
        } else if (n != q) {
            if (!choice_of(q, n, &c))
                return false;
            if (!known[c.yes->id] || !known[c.no->id]) {
                PUSH_WORK(open, n_open, room, known[c.yes->id] ? c.no : c.yes);
                continue;
            }
            if (!joined_reads(g, &c, known[c.yes->id], known[c.no->id], &found))
                return false;
        }
        known[n->id] = scratch(sizeof **known);
        *known[n->id] = found;
        n_open--;
    }
    *r = *known[next->id];
    return true;
}

/* Reading and writing one address in one clock is a bug of the description. */
static void check_collision(struct exec *x, const struct sync_read *r)
{
    struct leaf *mem = &x->module->self.leaf[r->mem];
    struct mem_write *w = &x->module->reg[r->mem].write;
    if (mem->storage != STORE_BRAM || !w->enable)
        return;
    struct node *same = mk_eq(x->g, r->addr, w->addr);
    struct node *hit = mk_and(x->g, mk_and(x->g, r->enable, w->enable), same);
    x->path = ALWAYS;
    x->loc = mem->loc;
    exec_imply(x, mk_not(x->g, hit), format("%s: read and write of one address", mem->c));
}

/* The state that the clock behind a read at this line is in; or words for it. */
static const char *state_behind(const struct module *m, struct loc read)
{
    for (unsigned i = 0; i < m->n_process; i++) {
        const struct process_info *p = &m->process[i];
        const struct enumeration *e = m->self.leaf[p->leaf].enumeration;
        unsigned in = e->n; /* the last wait above the read */
        for (unsigned s = 0; s < e->n; s++)
            if (p->wait[s].file == read.file && p->wait[s].line <= read.line &&
                (in == e->n || p->wait[s].line > p->wait[in].line))
                in = s;
        for (unsigned s = 0; in < e->n && p->leads[in] && s < e->n; s++)
            if (s != in && p->leads[in][s])
                return e->label[s];
    }
    return "the state";
}

/* Where the memory is read last in the text. */
static struct loc last_read(const struct exec *x, unsigned mem)
{
    struct loc last = {0};
    for (unsigned i = 0; i < x->n_access; i++)
        if (x->access[i].leaf == mem && !x->access[i].data && x->access[i].loc.line > last.line)
            last = x->access[i].loc;
    return last;
}

static void bram_ports(struct exec *x)
{
    struct module *m = x->module;
    for (unsigned i = 0; i < m->self.n; i++) {
        struct node *next = m->reg[i].next;
        struct sync_read r;
        if (!next || m->self.leaf[i].count != 1 ||
            !sync_read(x, mk_reg(x->g, i, next->width), next, &r) || r.mem < 0)
            continue;
        for (unsigned k = 0; k < m->n_bram; k++)
            if (m->bram[k].mem == (unsigned)r.mem) {
                x->loc = m->self.leaf[i].loc;
                const char *first = m->self.leaf[m->bram[k].reg].c;
                exec_error(x,
                           m->n_process == 0
                               ? "read the memory once and keep the value in one register"
                               : format("read it into '%s' in each state; %s, behind the next "
                                        "wait, copies that into '%s'",
                                        first, state_behind(m, last_read(x, (unsigned)r.mem)),
                                        m->self.leaf[i].c),
                           "'%s' is read into a second register", m->self.leaf[r.mem].c);
                exec_note(x, m->self.leaf[m->bram[k].reg].loc, "the first");
                return;
            }
        m->reg[i].bram_read = (int)m->n_bram;
        m->reg[i].next = NULL;
        PUSH(m->bram, m->n_bram, (struct bram_read){i, (unsigned)r.mem, r.enable, r.addr});
        check_collision(x, &r);
    }
}

void memory_ports(struct exec *x)
{
    struct module *m = x->module;
    bool shared = false;
    struct map map = pass_map(m);
    for (unsigned i = 0; i < m->self.n && !x->failed; i++)
        if (m->self.leaf[i].storage == STORE_LUTRAM)
            shared |= read_ports(x, i, map);
    if (shared && !x->failed)
        pass_replace(m, map);
    for (unsigned i = 0; i < m->self.n && !x->failed; i++)
        if (m->self.leaf[i].storage != STORE_REG)
            write_port(x, i);
    if (!x->failed)
        bram_ports(x);
}
