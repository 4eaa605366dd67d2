// SPDX-License-Identifier: Apache-2.0
/*
 * plan.h - how a module is written down.
 *
 * The steps that main.c lists fill a struct plan for a module: which nodes become nets, which rows of equal nodes
 * become one vector written by a loop, and how registers are assigned. The files of emit print it.
 */
#ifndef PLAN_H
#define PLAN_H

#include "design/module.h"

/* Parts of the text: what only checks or covers need stands under the ifdef with them. */
enum section { IN_MODULE, IN_CHECKS, IN_COVERS, SECTIONS };

/*
 * A row of nodes of one shape, `lane[i]` for i in 0..n-1, that a loop writes into one net with a
 * slot of `width` bits for each. In a chain lane i uses lane i-1, lane 0 uses `init`, and only the last lane is used
 * by anything else: the net is a variable of one slot, first `init`, in the end the last lane.
 */
struct vector {
    struct node **lane;
    unsigned n, width, slots, number;
    bool
        gathered; /* lanes of any shape, side by side: no loop, and the lanes are nodes like others */
    bool chain;
    bool down;      /* chain: the loop counts down, lane 0 is its highest number */
    unsigned links; /* chain: places in one lane that use the lane before */
    struct node *init;
    const char *net;
    const char *base;  /* name wanted */
    const char *block; /* chain: that of the statements */
    struct loc loc;
    bool needed;
    enum section section;
    bool *read;       /* by slot */
    unsigned visited; /* cycle.c */
};

/* A row that is all slots of a vector; of a chain: its first value and all lanes but the last. */
struct view {
    struct node **lane;
    unsigned n;
    struct vector *vector;
    unsigned older; /* 1 + number of the view made before that begins with the same node; 0: none */
};

/* In which order the operands of a row's lanes stood when it was matched: they are printed like that. */
struct arrangement {
    struct node **lane;
    unsigned n;
    struct node ***args; /* by operand, by lane */
    unsigned older;      /* as of a view */
};

struct info {
    const char *net;       /* what it is called; NULL: written inside its user */
    unsigned uses;         /* places in the text that need the node */
    unsigned whole;        /* of these, in its section, those that are not a slice of it */
    struct vector *vec;    /* it is in this slot of this vector */
    struct choice *choice; /* it is assigned there */
    unsigned slot;
    unsigned length;   /* estimated columns when written inline */
    unsigned element;  /* table: bits of one element */
    unsigned view;     /* 1 + number of the newest view that begins with it; 0: none */
    unsigned arranged; /* the same of arrangements */
    const struct enumeration *labels; /* label.c: the enum that it is of */
    const char *feeds;                /* name of what it goes into */
    const char *inverse;              /* name of its inverse in the C, or NULL */
    const char *cell;                 /* CALL: name of the instance */
    const char *block;                /* SET: name of the statements */
    unsigned visited;                 /* cycle.c */
    unsigned round;                   /* reroll.c */
    enum section section;             /* where its declaration stands */
    bool is_net;                      /* has a declaration of its own */
    bool in_row;                      /* assigned to a register in a loop, or port of an array */
    bool opened;                      /* a choice that is written as an if or case */
    bool labels_known;
    bool made_up; /* its name says only the kind of operation and what it feeds */
};

/* What gets a value: a net, or bits of a register at the clock; in a loop lane i is at low + i * width. */
struct target {
    struct node *net; /* NULL: a register */
    struct node *
        hold; /* of a net: what it is where nothing is assigned to it; NULL: there is no such place */
    unsigned leaf, low, width;
    const struct node *choice; /* of which the value is an arm, or NULL */
    struct node **value;
    bool sets; /* the value is the register itself with elements set */
};

struct seq;

/* Values of a selector for which the same is done; n = 0: all others. */
struct arm {
    struct node **test; /* the comparisons with them */
    unsigned n;
    struct seq *body;
};

/* A statement: if (cond) yes, else no if that is not NULL; case (selector) arms; or, with neither, an assignment. */
struct seq {
    struct seq *next;
    struct node **cond;
    struct loc loc; /* where the C decides */
    struct seq *yes, *no;
    struct node *selector;
    struct arm *arm; /* the last one is for all other values */
    unsigned n_arms;
    struct target assign;
};

/* Nets that are assigned by statements, in one block. */
struct choice {
    struct node **net;
    struct node **hold; /* see struct target */
    unsigned n;
    struct seq *body;
    bool done; /* counted, printed */
};

/* What a function of the C computes, as a section of the text: its nets, its registers, its memories' ports. */
struct subject {
    const char *name, *doc; /* of the function; doc: the first sentence of its comment, or NULL */
    unsigned order;         /* of the first call */
    bool *needs;            /* by subject: nets of it are used here */
    bool done;              /* printed */
};

/* A clocked block: statements for n = 1, and for each n > 1 a loop. */
struct block {
    unsigned subject;
    bool reset;       /* has a reset branch */
    bool loops;       /* there are some in it */
    const char *name; /* if so */
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

/* A number that the text has by its name. */
struct label {
    const char *c, *name;
    uint64_t value;
    unsigned width;
    enum section section; /* not IN_COVERS */
    bool typed;           /* an enumerator of a type of the module (enums.c) */
};

/* SystemVerilog: the enum of registers, with the names that its enumerators have in the module. */
struct enum_type {
    const struct enumeration *of;
    const char *name, **label;
};

/* Constants that differ from pass to pass of a loop. */
struct row_table {
    struct node *const *lane;
    unsigned n;
    bool down;         /* as the loop counts */
    const void *owner; /* vector, block or row of ports: before it the table is declared */
    const char *name;
};

/* A function as it stands in one module. */
struct function {
    struct module *module;
    const char *name; /* in Verilog */
    struct plan *plan;
};

struct plan {
    bool closed;                    /* no name is new any more */
    void (*steps)(struct module *); /* that fill it, and those of functions in the module */
    struct label *label;
    unsigned n_labels;
    struct names label_of; /* by width, value and C name: their name here */
    struct row_table *table;
    unsigned n_tables;
    struct info **info; /* by node id, filled on demand */
    unsigned n_info;
    struct names used;          /* struct net_name */
    struct plan *outer;         /* of the module in which a function stands, or NULL */
    const char *prefix;         /* of a function's names that the module has already */
    const char **in;            /* net of each leaf of in */
    struct function **function; /* those of a module, each after those that it calls */
    unsigned n_functions;
    struct names function_of;     /* by name in C */
    struct names field;           /* leaves of the module's self */
    const char *genvar, *integer; /* loop variables: of generate loops, of statements */
    bool uses_genvar[SECTIONS];
    bool uses_integer;            /* a function */
    const char *zeros;            /* block that clears the memories */
    const char *unused[SECTIONS]; /* wires of bits that nothing reads */
    const char *loop;             /* of the loop being printed */
    struct node ****port_row;     /* [instance][leaf of the child's in]: instance arrays: a node for
                                 each element, NULL when the ports are slices of one net */
    const char **reg;             /* net of each self leaf */
    const char **cell;            /* name of each instance */
    const char ***child;    /* [instance][leaf of the child's self]: wire, NULL if no output */
    const char ***child_in; /* [instance][leaf of the child's in] */
    struct struct_nets {
        const char *in, *out;
    } *child_struct; /* SystemVerilog: by instance, what is connected to its ports */
    struct enum_type *enum_type;
    unsigned n_enum_types;
    const char **reg_type;   /* by leaf of self: an enum; NULL, or all of it NULL: a vector */
    struct subject *subject; /* the first one is the module's function */
    unsigned n_subjects;
    unsigned *leaf_subject; /* by leaf of the module's self; NULL: all are the first one's */
    struct vector **vector;
    unsigned n_vectors;
    struct view *view;
    unsigned n_views;
    struct arrangement *arranged;
    unsigned n_arranged;
    unsigned n_searches; /* cycle.c: so far */
    unsigned n_rounds;   /* reroll.c: searches for equal lanes so far */
    struct reg_row *row;
    unsigned n_rows;
    struct block *block;
    unsigned n_blocks;
    struct choice **choice;
    unsigned n_choices;
};

/* info.c */
/* An empty plan, for these steps to fill. */
void plan_begin(struct module *m, void (*steps)(struct module *m));
/* All modules are planned: from here on a name or a node that is new is a defect (an assertion). */
void plans_close(const struct design *design);
bool name_taken(const struct plan *p, const char *name);
/* A keyword, or in a module a word of C++, in which Verilator has a member for each net. */
bool name_reserved(const struct plan *p, const char *name);
bool claim(struct plan *p, const char *name); /* false: it is taken */
const char *unique_name(struct plan *p, const char *wanted);
/* Of a constant table: one of the module's names, also for a function. */
const char *table_name(struct plan *p, const char *wanted);
const char *identifier(const char *c);
struct info *info_of(const struct module *m, const struct node *n);
struct info *info_found(const struct module *m, const struct node *n); /* NULL: nobody asked yet */
const char *net_of(const struct module *m, const struct node *n);      /* or NULL */
bool is_needed(const struct module *m, const struct node *n);          /* by the text */
unsigned leaf_bits(const struct leaf *leaf);
bool is_memory(const struct leaf *leaf);
/* Calls visit for every node that the module's text starts from. */
enum root { ROOT_NEXT, ROOT_PORT, ROOT_MEMORY, ROOT_RESULT, ROOT_CHECK };
void each_root(struct module *m,
               void (*visit)(void *context, struct node *n, enum root kind, const char *name),
               void *context);

/* name.c */
void name_leaves(struct module *m);   /* ports, registers, instances */
void set_leaf_nets(struct module *m); /* on the nodes that read them */
void choose_nets(struct module *m);   /* which nodes become nets */
void give_names(struct module *m);    /* and what these are called */
/* Of a function in a module or in another of its functions. */
const char *function_name(const struct plan *p, const struct module *f);
void plan_functions(
    struct module *m); /* those in the module, each anew: its names depend on the module */
const char *wanted_name(struct module *m, const struct node *n);

/* need.c: how often the text needs each node */
bool is_leaf(const struct node *n);
bool wants_name(const struct node *n, unsigned k); /* Verilog, for argument k */
bool is_expression(const struct node *n); /* else a statement or an instance gives its value */
/* Where the bits of n are: a net and an offset. False if n is no name, slice or lane. */
struct ref {
    const char *net;
    unsigned low, total;
};
bool node_ref(const struct module *m, const struct node *n, struct ref *r);
bool is_thin(const struct node *n); /* written again wherever it is needed */
bool is_trivial(const struct module *m, const struct node *n);
void count_expressions(struct module *m); /* as if every root were one expression */
void count_text(struct module *m);        /* as it is planned */

/* seq.c: registers into if/else trees */
void plan_blocks(struct module *m);
bool is_assignment(const struct seq *s);
const struct target *first_target(const struct seq *s);
/* What it is called, for the names of what goes into it. */
const char *target_name(struct module *m, const struct target *t);
/* A choice that nothing else uses can become an if. */
bool opens(struct module *m, const struct target *t, unsigned n);
/* The statements that give a net each its value. */
struct seq *plan_nets(struct module *m, struct node **net, struct node **hold, unsigned n);

/* case.c: choices by comparisons of one value */
/* What the outermost choice is by, if it begins a case or can be part of one; or NULL. */
struct node *case_selector(struct module *m, const struct target *t);
bool case_begins(struct module *m, const struct target *t);
/* Results of n targets for values of the selector. */
struct outcome {
    struct node **test; /* the comparisons with them */
    unsigned n;         /* 0, for the last one: all other values */
    struct node **result;
};
/* A process goes on behind the wait that the selector names: its arms are in the order of the enum. */
bool names_states(const struct module *m, const struct node *selector);
/* As few as tell all targets apart; fewer than three are no case, but of a process. */
unsigned case_outcomes(struct module *m, const struct target *t, unsigned n,
                       const struct node *selector, struct outcome **list);

/* label.c */
/* The enum that a node is a value of, or NULL. */
const struct enumeration *enumeration_of(const struct module *m, const struct node *n);
const struct enumeration *target_enumeration(const struct module *m, const struct target *t);
void plan_labels(struct module *m, enum section section); /* which the text has, and their names */
/* A choice between two states that is made of bits, as {1'b0, bit}, for bit = 0 and 1. False if n is none. */
struct state_choice {
    struct node *bit;
    unsigned width;
    uint64_t value[2];
    const char *label[2]; /* in C */
};
bool state_choice(const struct module *m, const struct enumeration *e, struct node *n,
                  struct state_choice *c);
/* What one of them is called in the module. */
const char *state_label(const struct plan *p, const struct state_choice *c, unsigned k);
/* The localparam for a value of an enum, NULL for none. */
const char *label_of(const struct plan *p, const struct enumeration *e, const struct node *value);
/* The same for an operand of a comparison, a choice, a sum, a mask that the line of it calls by a name
   (declare_constants.c); NULL for no user. */
const char *constant_name(const struct module *m, const struct node *user,
                          const struct node *value);
/* Of the reset value of a register. */
const char *reset_name(const struct module *m, unsigned leaf);

/* The name of a constant in the module, made if it has none yet. */
struct label *label_made(struct plan *p, const char *c, unsigned width, uint64_t value);

/* enums.c: registers of enums have the type; for SystemVerilog alone */
void plan_enums(struct module *m);

/* values.c: choices of constants that are values of an enum, by what they go into */
void plan_values(struct module *m);

/* subject.c: which functions of the C are sections of the text */
void plan_subjects(struct module *m);
unsigned subject_at(struct loc loc);
/* Of a register's assignment, a memory's ports. */
unsigned subject_of_leaf(const struct module *m, unsigned leaf);
/* Of the declaration that the node's value has in the text; -1: it is written inside its user. */
int subject_of(const struct module *m, const struct node *n);

/* choice.c: nets that are chosen by cases are assigned by statements */
void plan_choices(struct module *m);

/* rows.c */
struct row_visit {
    void *context;
    void (*node)(void *context, struct node *n);
    void (*view)(void *context, const struct view *view);
    /* or NULL: an operation that is written for all lanes, or for a node that has no name in them */
    void (*operation)(void *context, struct node *const *lane, unsigned n);
    /* or NULL: constants that differ by lane */
    void (*table)(void *context, struct node *const *lane, unsigned n);
    /* or NULL: the statement whose operands come next */
    void (*statement)(void *context, const struct seq *s, unsigned n);
    const struct vector *self;
};
void skip_node(void *context, struct node *n); /* for visits of other things */
void skip_view(void *context, const struct view *view);
bool row_same(struct node *const *lane, unsigned n);
/* Constants that are the number of the pass. */
bool row_counts(struct node *const *lane, unsigned n, bool down);

/* Lane i is at low + i / group * far + i % group * near; in one group all of them is plain spacing. */
struct spacing {
    unsigned low, group;
    int near, far;
};
bool find_spacing(const unsigned *low, unsigned n, struct spacing *s); /* n > 1 */
bool row_spaced(const struct module *m, struct node *const *lane, unsigned n);
/* How a row is written. */
enum row_kind {
    ROW_SAME,     /* the one node that all lanes are */
    ROW_VIEW,     /* slots of the vector of a view */
    ROW_SPACED,   /* bits of one net that has a name */
    ROW_TABLE,    /* constants */
    ROW_OPERATION /* the operation of its lanes, and rows for its operands */
};
enum row_kind row_kind(const struct module *m, struct node *const *lane, unsigned n,
                       const struct view **view); /* NULL but for ROW_VIEW */
const struct view *view_find(const struct module *m, struct node *const *lane, unsigned n);
/* Argument k of every lane, in the order of the one in the middle where the operation is commutative; as arrange_row left it. */
struct node ***lane_args(const struct module *m, struct node *const *lane, unsigned n);
/* The same, for good: likeness changes with the vectors that are made, and a row has to be printed as it was matched. */
struct node ***arrange_row(struct module *m, struct node **lane, unsigned n);
void walk_row(struct module *m, struct node *const *lane, unsigned n, const struct row_visit *v);
bool vector_runs_down(struct module *m, const struct vector *v);
/* A chain that is `if (cond) v = value` in every lane. */
struct update {
    struct node **cond, **value;
    bool negated;
};
bool vector_update(struct module *m, const struct vector *v, struct update *u);
void walk_vector(struct module *m, const struct vector *vec, struct row_visit v);
void walk_seq(struct module *m, const struct seq *s, unsigned n, const struct row_visit *v);
void walk_choice(struct module *m, const struct choice *c, const struct row_visit *v);
void walk_blocks(struct module *m, const struct row_visit *v);

/* reroll.c */
/*
 * Whether the row is worth a loop: then its vectors are kept, and the row itself is one of them if it is `named` or used
 * in several places. `least_ops`: operations that a lane must have; 0: the row stands in a loop anyway.
 */
bool row_try(struct module *m, struct node **lane, unsigned n, unsigned least_ops, bool named);
/* Makes one net of lanes of any shape, if they can have one. */
void row_gather(struct module *m, struct node **lane, unsigned n);

/* cycle.c: no net is made of itself by one of the vectors from `first` on; without them none is. */
bool vectors_acyclic(struct module *m, unsigned first);

/* loops.c: variables of loops, and blocks that have their own; tables of constants */
void plan_loops(struct module *m);
void plan_tables(struct module *m);
/* Of constants in a loop of this owner. */
const struct row_table *table_find(const struct plan *p, const void *owner,
                                   struct node *const *lane, unsigned n);

/* seeds.c: where to look for rows */
void find_vectors(struct module *m);

#endif
