// SPDX-License-Identifier: Apache-2.0
/*
 * emit.h - what the name and emit stages share.
 *
 * name_nets() makes a struct plan for a module: which nodes become nets, which rows of equal nodes
 * become one vector written by a loop, and how registers are assigned. The emit_*.c files print
 * the plan and decide nothing of their own.
 */
#ifndef EMIT_H
#define EMIT_H

#include "graph.h"

/* ---- text.c: lines of Verilog and C, never wider than 100 columns ---------------------------- */

struct text {
    char *s;
    size_t n, size;
};

/*
 * In a line, \v is a space where the line may be broken, \t one where it rather should be (after a
 * comma), \f one where an overlong line is broken first, and \001 marks the column where
 * continuation lines start.
 */
#define SOFT  "\v"
#define COMMA ",\t"
#define CHAIN "\f"
#define ALIGN "\001"

void put(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* One line, broken if need be; the comment follows where it fits. */
void put_line(struct text *t, unsigned indent, const char *line, const char *comment);
/* Words as // comment lines. */
void put_comment(struct text *t, unsigned indent, const char *words);
/* The line on one row, without marks. */
char *flat(const char *line);
unsigned flat_length(const char *line);
/* "file.c:12", or NULL when unknown. */
const char *place(struct loc loc);
const char *base_name(const char *path);
/* For the inside of a Verilog, C or JSON string. */
char *escaped(const char *s);

/* ---- the plan -------------------------------------------------------------------------------- */

/* Parts of the text: what only checks or covers need stands under the ifdef with them. */
enum section { IN_MODULE, IN_CHECKS, IN_COVERS, SECTIONS };

/*
 * A row of nodes of one shape, `lane[i]` for i in 0..n-1, that a loop writes into one net with a
 * slot of `width` bits for each. In a chain lane i uses lane i-1, lane 0 uses `init`: slot 0 is
 * init and lane i is slot i+1; or, where only the last lane is used, there is one slot in all.
 */
struct vector {
    struct node **lane;
    unsigned n, width, slots, number;
    bool chain, sum; /* sum: one slot */
    bool down;       /* sum: the loop counts down, lane 0 is its highest number */
    unsigned links;  /* places in one lane that use the lane before */
    bool read_whole; /* the first value and all lanes are operands of another row: no sum */
    struct node *init;
    const char *net;
    const char *base; /* name wanted */
    struct loc loc;
    bool needed;
    enum section section;
    bool *read;      /* by slot */
    unsigned looked; /* reroll.c */
};

/* A row that is n neighbouring slots of a vector. */
struct view {
    struct node **lane;
    unsigned n, slot;
    struct vector *vector;
    unsigned older; /* 1 + number of the view made before that begins with the same node; 0: none */
};

struct info {
    unsigned uses;      /* places in the text that need the node */
    unsigned whole;     /* of these, in its section, those that are not a slice of it */
    struct vector *vec; /* it is in this slot of this vector */
    unsigned slot;
    unsigned length;  /* estimated columns when written inline */
    unsigned element; /* table: bits of one element */
    unsigned view;    /* 1 + number of the newest view that begins with it; 0: none */
    const struct enumeration *labels; /* emit_expr.c: the enum that it is of */
    const char *feeds;                /* name of what it goes into */
    const char *inverse;              /* name of its inverse in the C, or NULL */
    unsigned looked, round;           /* reroll.c */
    enum section section;             /* where its declaration stands */
    bool is_net;                      /* has a declaration of its own */
    bool in_row;                      /* assigned to a register in a loop */
    bool labels_known;
    bool made_up; /* its name says only the kind of operation and what it feeds */
};

/* Bits of a register that get a value at the clock; in a loop lane i is at low + i * width. */
struct target {
    unsigned leaf, low, width;
    struct node **value;
    bool sets;              /* the value is the register itself with elements set */
    struct vector *updates; /* or the register after a loop of conditional assignments */
};

/* A statement of a clocked block. */
struct seq {
    struct seq *next;
    struct node **cond; /* if (cond) yes else no; NULL: assign */
    struct seq *yes, *no;
    struct target assign;
};

/* A clocked block: statements for n = 1, and for each n > 1 a loop. */
struct block {
    bool reset; /* has a reset branch */
    struct loop {
        unsigned n;
        struct seq *body;
    } *loop;
    unsigned n_loops;
};

/* Part of a register whose next value is a row: lane i goes to bit low + i * width. */
struct reg_row {
    unsigned leaf, low, width, n;
    struct node **lane;
};

struct net_name {
    unsigned numbered; /* name_2 .. name_<numbered> are taken, too */
};

/* An enumerator that the text uses. */
struct label {
    const char *c, *name;
    uint64_t value;
    unsigned width;
};

struct plan {
    struct label *label;
    unsigned n_labels;
    struct names label_of; /* by width, value and C name: their name here */
    struct info **info;    /* by node id, filled on demand */
    unsigned n_info;
    struct names used;            /* struct net_name */
    struct plan *outer;           /* of the module in which a function stands, or NULL */
    const char *prefix;           /* of a function's names that the module has already */
    const char **in;              /* net of each leaf of in */
    struct names function;        /* what the functions of the module are called in Verilog */
    struct names field;           /* leaves of the module's self */
    const char *genvar, *integer; /* loop variables: of generate loops, of statements */
    const char *unused[SECTIONS]; /* wires of bits that nothing reads */
    bool uses_genvar, uses_integer;
    const char *loop;         /* of the loop being printed */
    struct node ****port_row; /* [instance][leaf of the child's in]: instance arrays: a node for
                                 each element, NULL when the ports are slices of one net */
    const char **reg;         /* net of each self leaf */
    const char ***child;      /* [instance][leaf of the child's self]: wire, NULL if no output */
    const char ***child_in;   /* [instance][leaf of the child's in] */
    struct vector **vector;
    unsigned n_vectors;
    struct view *view;
    unsigned n_views;
    unsigned n_looks;  /* reroll.c: searches for loops so far, */
    unsigned n_rounds; /* for equal lanes */
    struct reg_row *row;
    unsigned n_rows;
    struct block *block;
    unsigned n_blocks;
};

/* name.c */
bool name_taken(const struct plan *p, const char *name);
/* Of a function in a module or in another of its functions. */
const char *function_name(const struct plan *p, const struct module *f);
/* Plans a function anew, to stand in `user`. */
void name_function(struct module *f, const struct module *user);
const char *unique_name(struct plan *p, const char *wanted);
/* Of a constant table: one of the module's names, also for a function. */
const char *table_name(struct plan *p, const char *wanted);
struct info *info_of(const struct module *m, const struct node *n);
struct info *info_found(const struct module *m, const struct node *n); /* NULL: nobody asked yet */
bool is_needed(const struct module *m, const struct node *n);          /* by the text */
const char *identifier(const char *c);
const char *wanted_name(struct module *m, const struct node *n);
/* Calls visit for every node that the module's text starts from. */
enum root { ROOT_NEXT, ROOT_PORT, ROOT_MEMORY, ROOT_RESULT, ROOT_CHECK };
void each_root(struct module *m,
               void (*visit)(void *context, struct node *n, enum root kind, const char *name),
               void *context);
unsigned leaf_bits(const struct leaf *leaf);
bool is_memory(const struct leaf *leaf);

/* need.c: how often the text needs each node */
bool is_leaf(const struct node *n);
bool is_thin(const struct node *n); /* written again wherever it is needed */
bool is_trivial(const struct module *m, const struct node *n);
void count_expressions(struct module *m); /* as if every root were one expression */
void count_text(struct module *m);        /* as it is planned */

/* seq.c: registers into if/else trees */
void plan_blocks(struct module *m);
/*
 * An if and its elses that compare one value with constants are a case. Returns the number of arms,
 * the last one for all other values; 0 if it is none.
 */
struct arm {
    struct node **value;
    unsigned n;
    const struct seq *body;
};
unsigned case_arms(const struct seq *s, unsigned n, struct node **selector, struct arm **arm);

/* rows.c */
struct row_visit {
    void *context;
    void (*node)(void *context, struct node *n);
    void (*view)(void *context, const struct view *view);
    void (*operation)(void *context, struct node *first); /* what lane 0 does; or NULL */
    const struct vector *self;
};
bool row_same(struct node *const *lane, unsigned n);

/* Lane i is at low + i / group * far + i % group * near; in one group all of them is plain spacing. */
struct spacing {
    unsigned low, group;
    int near, far;
};
bool find_spacing(const unsigned *low, unsigned n, struct spacing *s); /* n > 1 */
bool row_spaced(const struct module *m, struct node *const *lane, unsigned n);
const struct view *view_find(const struct module *m, struct node *const *lane, unsigned n);
/* Argument k of every lane, in the order of lane 0 where the operation is commutative. */
struct node ***lane_args(const struct module *m, struct node *const *lane, unsigned n);
void walk_row(struct module *m, struct node *const *lane, unsigned n, const struct row_visit *v);
bool vector_runs_down(struct module *m, const struct vector *v);
/* A sum that is `if (cond) v = value` in every lane. */
struct update {
    struct node **cond, **value;
    bool negated;
};
bool vector_update(struct module *m, const struct vector *v, struct update *u);
void walk_vector(struct module *m, const struct vector *vec, struct row_visit v);

/* reroll.c */
bool row_try(struct module *m, struct node **lane, unsigned n, unsigned least_ops, bool named);

/* seeds.c: where to look for rows */
void find_vectors(struct module *m);

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
    unsigned n;                       /* lanes */
    bool down;                        /* the loop counts down */
    struct text *tables;              /* constants that differ by lane are declared here */
    const char *target;               /* and named after this */
    unsigned indent;
};
typedef struct node *const *row; /* a node for each lane */

/* Written as this operation inside its user: it has no name. */
bool is_inline(const struct scope *s, row lane, enum op op);
/* emit_bits.c */
char *and_or_bits(const struct scope *s, struct node *n, enum op op);
char *xor_bits(const struct scope *s, const struct node *n, enum level *own);
char *expr(const struct scope *s, struct node *const *lane, int level);
const struct enumeration *enumeration_of(const struct module *m, const struct node *n);
/* The name for a value of an enum, declared as a localparam; NULL for none. */
const char *label_of(struct plan *p, const struct enumeration *e, const struct node *value);
char *row_text(const struct scope *s, struct node *const *lane);
char *scalar(struct module *m, struct node *n); /* expr of one node, lowest level */

/* emit_ref.c */
/* `element` bits to a piece: {8{4'd15}} where all are the same, else {4'd3, 4'd1}. */
char *constant(unsigned width, const struct node *n, unsigned element);
char *range(unsigned width); /* "[7:0] " or "" */
char *part(const char *net, unsigned total, unsigned low, unsigned width);
/* Where the bits of n are: a net and an offset. False if n is no name, slice or lane. */
struct ref {
    const char *net;
    unsigned low, total;
};
bool node_ref(const struct module *m, const struct node *n, struct ref *r);

/* emit_net.c, emit_seq.c, emit_mem.c, emit_inst.c, emit_check.c, emit_module.c */
void emit_nets(struct text *t, struct module *m, enum section section);
/* The same as statements; `declared` gets the variables, `tables` the constants, which stand in front of the function. */
void emit_statements(struct text *t, struct module *m, struct text *declared, struct text *tables);
void emit_functions(struct text *t, struct module *m);
/* The loop and its body that replace an element of a net: if (index == k) net[k] <= value; */
char *element_loop(struct module *m, const struct node *set, const char *net, const char *sign,
                   char **body);
void emit_unused(struct text *t, struct module *m, enum section section, const char *blocks);
void emit_unused_variables(struct text *t, struct module *f, struct text *declared);
void emit_blocks(struct text *t, struct module *m);
void emit_memories(struct text *t, struct module *m); /* the arrays */
void emit_memory_ports(struct text *t, struct module *m);
const char *loop_head(struct plan *p, bool generate, unsigned n); /* for (i = 0; i < n; ...) */
const char *chain_head(struct plan *p, const struct vector *v);
void emit_instance_wires(struct text *t, struct module *m);
void emit_instances(struct text *t, struct module *m);
void emit_checks(struct text *t, struct module *m);
void emit_module(struct text *t, struct module *m);
/* Enumerators and loop variables that the text made so far uses, apart from those before. */
struct declared {
    unsigned labels;
    bool genvar, integer;
};
void emit_declarations(struct text *t, struct plan *p, struct declared before);

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

/* emit_json.c, emit_shim.c, emit_raw.c, emit_bench.c */
void emit_json(FILE *f, const struct module *m);
void put_template(struct text *t, const char *template, const char *name); /* @ is the name */
void emit_shim_h(struct text *t, const struct module *m);
void emit_shim_c(struct text *t, const struct module *m);
void emit_raw(struct text *t, const struct module *m);
void emit_bench(struct text *t, const struct module *m);

#endif
