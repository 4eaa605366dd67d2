// SPDX-License-Identifier: Apache-2.0
/*
 * emit.h - what the files that print a plan share.
 */
#ifndef EMIT_H
#define EMIT_H

#include "base/text.h"
#include "plan/plan.h"

/* emit_expr.c */
/* How tightly an operation binds, loosest first. */
enum level {
    ANY,
    TERNARY,
    OR_OR,
    AND_AND,
    BIT_OR,
    BIT_XOR,
    BIT_AND,
    EQUAL,
    LESS,
    SHIFT,
    SUM,
    PRODUCT,
    UNARY,
    PRIMARY
};

struct scope {
    struct module *m;
    const struct enumeration *labels; /* of the register that takes the value, or NULL */
    const struct node
        *user;         /* the operation whose operand it is, for the names of constants; or NULL */
    unsigned n;        /* lanes */
    bool down;         /* the loop counts down */
    const void *owner; /* of tables of constants that differ by lane */
};
typedef struct node *const *row; /* a node for each lane */

/* Written as this operation inside its user: it has no name. */
bool is_inline(const struct scope *s, row lane, enum op op);
/* emit_bits.c */
char *and_or_bits(const struct scope *s, struct node *n, enum op op);
char *xor_bits(const struct scope *s, const struct node *n, enum level *own);
char *expr(const struct scope *s, struct node *const *lane, int level);
/* Nets, their parts and slots of vectors, the highest first. */
char *named_parts(const struct module *m, struct node *const *parts, unsigned n);
char *row_text(const struct scope *s, struct node *const *lane);
char *scalar(struct module *m, struct node *n); /* expr of one node, lowest level */

/* emit_ref.c */
/* `element` bits to a piece: {8{4'd15}} where all are the same, else {4'd3, 4'd1}. */
char *literal(unsigned width, const uint64_t *k, unsigned element);
char *constant(const struct node *n); /* in one piece */
char *range(unsigned width);          /* "[7:0] " or "" */
char *part(const char *net, unsigned total, unsigned low, unsigned width);

/* sv_enum.c */
/* A value for a register as one of its type: a cast where that is an enum. */
const char *typed_value(const struct module *m, unsigned leaf, const char *text);
/* "reg", or that type. */
const char *register_kind(const struct module *m, unsigned leaf);

/* emit_net.c, emit_seq.c, emit_mem.c, emit_inst.c, emit_check.c, emit_module.c */
void emit_nets(struct text *t, struct module *m, enum section section);
/* The same as statements; `declared` gets the variables, `tables` what stands in front of the function. */
void emit_statements(struct text *t, struct module *m, struct text *declared, struct text *tables);
/* Nets a section at a time: those that something is made of, if they are not printed yet. */
struct order;
struct order *nets_begin(struct module *m);
void nets_of_node(struct order *o, struct text *t, struct node *n);
void nets_of_statements(struct order *o, struct text *t, const struct seq *s, unsigned n);
void nets_of_rest(struct order *o, struct text *t); /* all others */
/* emit_subject.c: nets, clocked blocks and ports of memories, by the function of the C that they are of */
void emit_subjects(struct text *t, struct module *m);
void emit_functions(struct text *t, const struct module *m);
/* The loop and its body that replace an element of a net: if (index == k) net[k] <= value; */
char *element_loop(struct module *m, const struct node *set, const char *net, const char *sign,
                   char **body);
void emit_unused(struct text *t, struct module *m, enum section section, const char *blocks);
void emit_unused_variables(struct text *t, struct module *f, struct text *declared);
void emit_block(struct text *t, struct module *m, const struct block *b);
/* The constants of loops in a vector, a block or a row of ports. */
void emit_tables(struct text *t, const struct plan *p, const void *owner);
/* The statements that assign nets. */
void emit_choice(struct text *t, struct module *m, const struct choice *choice, unsigned indent);
void emit_memories(struct text *t, struct module *m); /* the arrays */
/* Of one leaf: the write of a memory, the read of a block RAM into this register. `follows`: behind another in one row. */
void emit_memory_ports(struct text *t, struct module *m, unsigned leaf, bool *follows);
const char *loop_head(struct plan *p, bool generate, unsigned n); /* for (i = 0; i < n; ...) */
const char *chain_head(struct plan *p, const struct vector *v);
void begin_loops(struct text *t, const struct plan *p, unsigned indent, const char *head,
                 const char *block);
/* Declarations of one width, without a comment, in one line. */
struct declaring {
    struct text *t;
    const char *kind; /* reg, wire */
    unsigned width;
    struct text names;
};
void declare_net(struct declaring *d, unsigned width, const char *net, const char *doc);
void declare_end(struct declaring *d);
void declare_kind(struct declaring *d, const char *kind); /* of the next ones */
void emit_instance_wires(struct text *t, struct module *m);
void emit_instances(struct text *t, struct module *m);
void emit_module(struct text *t, struct module *m);
/* Numbers that this part of the text has by their names, and the variable of generate loops. */
void emit_declarations(struct text *t, struct plan *p, enum section section, bool genvar);

/* layout of packed words: emit_state.c */
struct entry {
    const struct module *m;
    const struct leaf *leaf;
    unsigned index;   /* of the leaf in m->self */
    const char *c;    /* path from the top module's struct */
    const char *name; /* Verilog path, dots between instances */
    unsigned lsb;
};
unsigned state_list(const struct module *m, struct entry **list, unsigned *n); /* the bits */
void memory_list(const struct module *m, struct entry **list, unsigned *n);    /* lsb unused */
unsigned own_state_bits(const struct module *m);
unsigned in_bits(const struct module *m);

/* state_facts.c, report.c */
/* A state of a process: levels of logic of what it does, without the choice by state, and by enumerator where it leads. */
struct state_facts {
    unsigned levels;
    bool *to;
};
struct state_facts *state_facts(const struct module *m, const struct process_info *p); /* of each */
unsigned report_levels(const struct node *n); /* of one operation */

/* emit_json.c, emit_shim.c, emit_raw.c, emit_bench.c */
void emit_json(FILE *f, const struct module *m);
void put_template(struct text *t, const char *template, const char *name); /* @ is the name */
void emit_shim_h(struct text *t, const struct module *m);
void emit_shim_c(struct text *t, const struct module *m);
void emit_raw(struct text *t, const struct module *m);
void emit_bench(struct text *t, const struct module *m);

#endif
