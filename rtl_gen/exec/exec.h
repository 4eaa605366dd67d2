// SPDX-License-Identifier: Apache-2.0
/*
 * exec.h - symbolic execution of one module function: what its files share.
 *
 * clang's -O0 IR is run once, block by block, on symbolic values. A branch splits the state, a join
 * merges it with multiplexers; helpers are executed where they are called; a loop is executed until
 * the condition of going on is constantly false. What is left in the module's struct at the end is
 * the next state as a function of the present one and the inputs.
 *
 *   exec.c       blocks, loops, helper calls
 *   exec_join.c  states, edges, joins
 *   process.c    HLS_PROCESS: the function from behind each of its waits
 *   group.c      the same with all states in one
 *   ends.c       which of both takes less
 *   exec_spent.c where the budget goes
 *   exec_settled.c conditions that the rounds of a loop decide
 *   exec_code.c  order, loops and numbers of a function's blocks and values
 *   exec_inst.c  one LLVM instruction
 *   exec_ub.c    what C leaves undefined
 *   exec_call.c  instances, checks, intrinsics
 *   keep.c       calls and bodies of functions: one node for the call
 *   function.c   which helpers become functions
 *   field.c      which bits of which struct field a pointer means
 *   memory.c     loads, stores, copies of struct fields
 *   word.c       words of LUTRAM, BRAM and ROM, whose accesses become ports
 *   build.c      a whole module: step function, reset function, the results collected
 */
#ifndef EXEC_H
#define EXEC_H

#include "front/front.h"
#include "graph/path.h"

#include <llvm-c/Core.h>

/* ---- values ------------------------------------------------------------------------------------- */

struct object;

/* One variable index on the way to an address: index * stride bytes. */
struct term {
    struct node *index; /* 64 bits, signed */
    uint64_t stride;
};

struct pointer {
    struct object *obj;
    int64_t offset; /* constant part, bytes */
    int64_t low;    /* where the array that it points into begins, before its terms are added */
    unsigned n_terms;
    struct term *term;
};

enum value_kind { VALUE_NODE, VALUE_POINTER, VALUE_LIST, VALUE_BAD };

struct value {
    enum value_kind kind;
    unsigned n_list;
    union {
        struct node *node;
        struct pointer ptr;
        struct value **list; /* members of an aggregate in registers */
        const char *why; /* BAD: what the C did that cannot be hardware; reported when it is used */
    };
};

/* ---- objects: what pointers point into ------------------------------------------------------------ */

enum object_kind { OBJECT_SELF, OBJECT_IN, OBJECT_LOCAL, OBJECT_TABLE };

struct object {
    enum object_kind kind;
    const char *name;
    struct loc loc;
    struct layout layout;
    unsigned align;       /* of its address, bytes */
    unsigned slot;        /* SELF, LOCAL: state slot of leaf 0 */
    struct node **vector; /* IN, TABLE: value of each leaf */
    unsigned rom;    /* TABLE marked HLS_ROM: leaf of the module; 0: none, as out comes first */
    unsigned *reach; /* field.c: where the furthest of leaves 0 .. i ends, bytes */
    bool parameter;  /* or a helper's result: names only what needs a name anyway */
    bool declared;   /* a variable of the C, not a temporary of clang's */
    const struct wait *declared_behind; /* of the arm of a process; NULL: outside of processes */
    const char *scope;                  /* LOCAL: of the helper call that it belongs to, or NULL */
};

/* Where a pointer points: an element of a vector, or bytes within one. */
struct field {
    struct leaf *leaf;
    unsigned leaf_index;
    int inst;           /* instance of self, or -1 */
    unsigned n;         /* elements in the vector */
    unsigned elem;      /* constant part of the element's number */
    struct node *index; /* the whole number when it varies, else NULL */
    struct node *
        group; /* then that of `group_n` elements side by side, by the dimensions up to the last one that varies */
    unsigned group_n, in_group;
    struct node *at[MAX_DIMS]; /* by dimension, of an element of the module itself */
    struct node *valid;        /* NULL: always in range */
    unsigned byte;             /* within the element */
};

/* ---- state ------------------------------------------------------------------------------------------ */

struct state {
    unsigned refs;
    unsigned n, room;
    struct value **slot; /* NULL: not set yet */
};

struct edge {
    struct path path;
    struct state *state;
    unsigned from;      /* block */
    bool otherwise;     /* of a switch: none of its cases */
    struct value **phi; /* values of the target's phis on this edge */
    struct edge *next;
};

/* A function's blocks in clang's order but for tests of ranges of cases: so loops are contiguous. */
struct code {
    LLVMValueRef fn;
    unsigned n_blocks, n_values;
    struct value_number *number; /* open addressing; at most half full */
    unsigned numbers_size;
    LLVMBasicBlockRef *block;
    unsigned *last;   /* of a loop header: the last block that leads back to it, else 0 */
    int *loop;        /* header of the innermost loop around each block, or -1 */
    uint64_t calls;   /* so far, of the function */
    uint64_t *rounds; /* so far, by header of a loop */
    struct code *next;
};

struct frame {
    struct code *code;
    struct frame *up;
    struct loc call_loc;
    unsigned depth;       /* calls around this one */
    struct call *in;      /* the function */
    const char *scope;    /* where the result goes, or the helper; NULL in the module's function */
    struct value **value; /* by value number */
    struct edge **edges;  /* pending, by block: the last of a ring, whose next is the first */
    unsigned at;          /* the block that runs */
    unsigned first;       /* no block before this one has any */
    unsigned *rounds;     /* times in a row that a loop came back to each block */
    unsigned *guesses;    /* as rounds, since an exit of the loop was last decided for certain */
    bool in_loop;
    struct edge *returned;
    LLVMValueRef process; /* HLS_PROCESS: its variable, from the mark to the switch behind */
    bool in_process;      /* behind that switch */
    unsigned *rank;       /* group.c: by block, those of lower rank run first; else NULL */
};

/* ---- processes ------------------------------------------------------------------------------------- */

/* A process that ran in this clock: by which element of which register, and when. */
struct process {
    unsigned leaf, element;
    struct path path;
    struct loc loc;
    bool **
        leads; /* by enumerators: from behind the wait of one the text comes to that of the other */
};

/* ---- ports of memories and calls of children, as met ------------------------------------------------ */

struct mem_access {
    unsigned leaf;
    struct path path;
    struct node *addr, *data; /* data NULL: a read */
    struct node *read;
    struct loc loc;
};

struct call_record {
    bool done;
    struct loc loc;
    struct node **input; /* per leaf of the child's in: this element's vector */
};

struct exec {
    struct design *design;
    const struct unit *unit;
    unsigned n_units;
    const struct build_options *options;
    struct module *module;
    struct graph *g;
    struct bdds *bdds;
    struct code *codes;
    struct names names; /* of variables: themselves */
    struct frame *frame;
    struct state *state;
    struct path path;
    struct loc loc;
    bool in_reset;
    struct object *self;
    struct object **owner; /* the local variable behind each state slot, NULL for registers */
    unsigned n_owner;
    struct object *merging; /* the variable that a join merges, or NULL */
    struct mem_access *access;
    unsigned n_access;
    struct call_record **call; /* [instance][element] */
    struct object **table;     /* constant globals met */
    LLVMValueRef *table_value;
    unsigned n_tables;
    uint64_t steps; /* instructions run so far */
    bool *checked;  /* by node id: a check of it is on the list */
    unsigned n_checked;
    bool failed;
    unsigned n_calls;        /* struct call's order */
    const char *scope;       /* of the helper that is called next */
    const struct wait *wait; /* process.c: of the arm that runs, or NULL */
    struct process *process;
    unsigned n_processes;
    bool *grouped;     /* by register: the states of its process are one group; NULL: of none */
    bool quiet;        /* errors are not reported */
    bool said;         /* the error of this module */
    bool in_one_clock; /* within hls_in_one_clock() */
    struct function_use *use; /* function.c: helpers called in this module */
    unsigned n_uses;
};

/* exec.c */
struct value *exec_function(struct exec *x, LLVMValueRef fn, struct value **arg);
/* Runs blocks of the running function as long as edges wait for some. */
void exec_pending(struct exec *x);
struct value *exec_value(struct exec *x, LLVMValueRef v); /* operand: constant, argument, result */
unsigned exec_slots(struct exec *x, unsigned n);          /* first of n new slots, not set yet */
/* The name in memory that lives longer than LLVM's, once for all variables of that name. */
const char *exec_name(struct exec *x, const char *name, size_t length);
struct loc exec_loc(LLVMValueRef inst, struct loc otherwise);
struct node *exec_path(struct exec *x);
void exec_error(struct exec *x, const char *advice, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* A second place, behind an error, if that was printed. */
void exec_note(const struct exec *x, struct loc loc, const char *text);
/* A property the C relies on: checked when not provable here. */
void exec_imply(struct exec *x, struct node *ok, const char *text);
void exec_check(struct exec *x, enum check_kind kind, struct node *ok, const char *text,
                bool implied);

/* exec_join.c */
struct state *state_copy(const struct state *old);
void state_drop(struct state *s);
/* From block to block on that path, with the running state; NULL if it is never taken. */
struct edge *exec_edge(struct exec *x, unsigned from, LLVMBasicBlockRef to, struct path path);
/* Select of edge i among edges i.. (the ones before are already ruled out), and the path of all together. */
struct node **edge_selects(struct exec *x, struct edge **edge, unsigned n, struct path *all);
struct value *merged_value(struct exec *x, struct value **v, unsigned n, struct node **select);
/* The state at n edges, merged, is the running one. */
void go_on_with(struct exec *x, struct edge **edge, unsigned n, struct node **select);
/* After an error: edges that nothing will join let go of their states. */
void edges_drop(struct frame *f);
/* Make the pending edges of block b the running state and path. */
void exec_join(struct exec *x, unsigned b);

/* exec_spent.c: notes that say which loops and calls are under way and how often they ran; data is x */
void exec_spent(void *data);

/* exec_inst.c: false after a branch or return */
struct value *exec_instruction(struct exec *x, LLVMValueRef inst);
struct node *exec_node(struct exec *x, LLVMValueRef v); /* operand that must be a number */
struct node *const_node(struct exec *x, LLVMValueRef v);
unsigned bit_width(LLVMTypeRef type);

/* exec_settled.c: the condition at the end of block b, as a constant if it is known */
struct node *exec_settled(struct exec *x, unsigned b, struct node *on);
/* exec_ub.c: assertions that the C is defined here */
/* Whether the block only traps, which clang jumps to when ok is 0. */
bool ub_trap(struct exec *x, LLVMBasicBlockRef block, struct node *ok);
void ub_overflow(struct exec *x, LLVMValueRef inst, binary_fn op, struct node *a, struct node *b,
                 const char *what);
void ub_divide(struct exec *x, struct node *a, struct node *b, bool is_signed);
void ub_absolute(struct exec *x, struct node *n);
struct node *ub_shift(struct exec *x, LLVMValueRef inst, unsigned width); /* the amount */
void ub_aligned(struct exec *x, const struct pointer *p, unsigned align);
void ub_index(struct exec *x, LLVMValueRef address, struct node *index, uint64_t count);

/* exec_code.c */
LLVMValueRef exec_find(struct exec *x, const char *name); /* a function with a body */
/* Files may have static functions of one name: is it this one, as it was declared? And its body, or NULL. */
bool exec_is_helper(LLVMValueRef fn, const struct module *helper);
LLVMValueRef exec_find_helper(struct exec *x, const struct module *helper);
struct code *exec_code(struct exec *x, LLVMValueRef fn);     /* made once for each function */
unsigned exec_number(const struct code *c, const void *key); /* of a block or value in it */

/* exec_call.c */
struct value *exec_call(struct exec *x, LLVMValueRef inst);

/* keep.c */
LLVMTypeRef passed_in_memory(LLVMValueRef fn, unsigned i, const char *how);
struct value *keep_call(struct exec *x, struct module *keep, LLVMValueRef fn, LLVMValueRef inst);
struct node *keep_body(struct exec *x, LLVMValueRef fn);

/* function.c */
/* The call as one node, if its function has been chosen; else false, and the call is counted. */
bool function_call(struct exec *x, LLVMValueRef fn, LLVMValueRef inst, const char *name,
                   struct value **result);
/* After a module's first execution: true if it is to be executed again, with calls of functions. */
bool choose_functions(struct exec *x);

/* process.c */
bool process_mark(struct exec *x, LLVMValueRef inst); /* an annotation that begins a process */
void process_run(struct exec *x, unsigned b, LLVMValueRef inst); /* its switch, in block b */
bool process_ends(const struct exec *x, LLVMValueRef inst); /* a jump: from the closing brace */
void process_states(struct exec *x); /* after the clock: each state of each process is entered */

void process_listed(struct exec *x, struct node *on, const struct field *field, struct path rest);
/* What n edges come to, as one. */
struct edge *process_edge(struct exec *x, struct edge **edge, unsigned n, struct path path);

/* group.c */
void group_run(struct exec *x, unsigned b, LLVMValueRef inst, const struct field *field);
unsigned group_next(const struct frame *f); /* next_block in a group */

/* ends.c: after a module's first execution, those by which its processes take less; true if they are not those of it */
bool choose_ends(struct exec *x);

/* build.c */
bool execute_module(struct exec *x, struct module *m);
bool build_module(struct exec *x, struct module *m);

/* field.c */
struct object *object_local(struct exec *x, LLVMTypeRef type, const char *name);
struct object *object_table(struct exec *x, LLVMValueRef global);
/* The instance around a byte of the module's struct, and which element of it; or NULL. */
struct instance *field_instance(struct module *m, int64_t offset, unsigned *element);
int64_t field_element(const struct instance *inst, unsigned element); /* where it begins */
bool field_find(struct exec *x, const struct pointer *p, struct field *field);
struct pointer pointer_plus(struct pointer p, int64_t bytes);

/* rom.c: a constant array marked HLS_ROM becomes a memory of the module; false: it is none, or no array of numbers */
bool rom_marked(LLVMValueRef global);
void rom_declare(struct exec *x, struct object *table);

/* memory.c */
struct value *mem_load(struct exec *x, const struct pointer *p, LLVMTypeRef type);
struct node *mem_load_bits(struct exec *x, const struct pointer *p, unsigned bytes);
void mem_store(struct exec *x, const struct pointer *p, struct value *v);
void mem_store_bits(struct exec *x, const struct pointer *p, struct node *n);
void mem_copy(struct exec *x, const struct pointer *to, const struct pointer *from, uint64_t n);
void mem_fill(struct exec *x, const struct pointer *to, struct node *byte, uint64_t n);

/* word.c */
struct node *mem_read(struct exec *x, const struct field *p);
void mem_write(struct exec *x, const struct field *p, struct node *data);

/* ports.c: collected accesses of memories become ports */
void memory_ports(struct exec *x);

/* values */
/* What nets for n, or for the parts of it that are computed, are called if the C has not named them. */
void value_hint(struct node *n, const struct object *o, unsigned leaf);
struct value *value_node(struct node *n);
struct value *value_pointer(struct pointer p);
struct value *value_bad(const char *why);

#endif
