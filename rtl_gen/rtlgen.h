// SPDX-License-Identifier: Apache-2.0
/*
 * rtlgen.h - the data of the lowering tool, in the order in which the stages fill it.
 *
 *   declare   declare.c   libclang: modules, struct layouts, declared widths, comments
 *   compile   compile.c   clang -O0 to LLVM IR, no LLVM pass at all
 *   build     exec*.c     symbolic execution of the IR into a word-level graph, one per module
 *   check     check.c     the dialect's rules on the result; every refusal is a diagnostic
 *   narrow    narrow.c    demanded bits: no node wider than what is used
 *   name      name.c      which nodes become nets, and what they are called
 *   emit      emit_*.c    Verilog, JSON, C shim, recorded-vector bench, file list
 *
 * What one stage hands to the next is never freed: the tool runs once and ends.
 */
#ifndef RTLGEN_H
#define RTLGEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- util.c: arena, strings, growing arrays, tables by name ----------------------------------- */

void *arena(size_t bytes);   /* zeroed, lives until exit */
void *scratch(size_t bytes); /* zeroed, lives until scratch_end() */
void scratch_end(void);
void *resized(void *old, size_t bytes); /* realloc() that never fails; the caller frees */
char *format(const char *fmt, ...) __attribute__((format(printf, 1, 2))); /* in the arena */

void *freed(void *old); /* what resized() gave; NULL */

/* budget.c: more bytes than before, and fewer; steps so far of a module. An error and exit beyond the budget. */
void budget_bytes(size_t more, size_t less);
void budget_steps(uint64_t n);

/* Append one element to a growing array, PUSH(list, n_list, value), or to one in scratch memory. */
void *grow(void *(*from)(size_t), void *list, unsigned n, size_t element);
#define PUSH(list, n, ...)                                                                         \
    ((list) = grow(arena, (list), (n), sizeof *(list)), (list)[(n)++] = (__VA_ARGS__))
#define PUSH_SCRATCH(list, n, ...)                                                                 \
    ((list) = grow(scratch, (list), (n), sizeof *(list)), (list)[(n)++] = (__VA_ARGS__))

/*
 * Append to a list of work that is taken from its end again, PUSH_WORK(list, n, room, value): nothing here
 * calls itself as deep as a design is. The caller frees it, or keeps it for the next time.
 */
#define PUSH_WORK(list, n, room, ...)                                                              \
    ((list) = (n) < (room)                                                                         \
                  ? (list)                                                                         \
                  : resized((list), ((room) = (room) ? 2 * (room) : 16) * sizeof *(list)),         \
     (list)[(n)++] = (__VA_ARGS__))

/* What is kept under a name. */
struct names {
    struct name_entry *entry; /* open addressing; at most half full */
    unsigned n, size;
};

void *names_find(const struct names *t, const char *name); /* NULL: nothing */
/* The name lives as long as the table; value is not NULL. */
void names_set(struct names *t, const char *name, void *value);

/* ---- diag.c: errors a user can act on --------------------------------------------------------- */

struct loc {
    const char *file; /* as given to clang, or NULL when unknown */
    unsigned line, col;
};

/*
 * file:line:col: error: what is wrong
 *     source line
 *         ^
 * advice (a "help:" line; NULL for none). Returns to the caller, who goes on or gives up;
 * diag_errors() counts. A note names a second place.
 */
void diag_error(struct loc loc, const char *advice, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void diag_warning(struct loc loc, const char *advice, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void diag_note(struct loc loc, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
unsigned diag_errors(void);

/* ---- declare.c: what the C says about its data ------------------------------------------------ */

enum storage { STORE_REG, STORE_LUTRAM, STORE_BRAM, STORE_BRAM_READ_FIRST };

#define MAX_DIMS   4
#define MOST_STATE (1u << 26) /* bits of registers in a module: all of them are listed */
#define MAX_VECTOR 65536      /* bits: Verilog (IEEE 1364) lets a tool limit a vector to them */

/* One array dimension around a scalar, outermost first. */
struct dim {
    unsigned count;
    unsigned stride; /* bytes */
};

struct enumeration {
    const char *name;
    unsigned n;
    uint64_t *value;
    const char **label;
};

/*
 * A leaf is one scalar field of a struct, or the same scalar field of all elements of the arrays
 * around it: `struct { u1 valid; u8 tag; } e[4]` has the leaves e_valid (4 x 1) and e_tag (4 x 8).
 * In Verilog it is one vector of count * width bits, element 0 at the low end.
 */
struct leaf {
    const char *name; /* flattened with _, without the leading "out_" of output ports */
    const char *c;    /* C path: "out.s_axis.tready", "e[].tag" */
    const char *doc;  /* comment beside the declaration, one line, or NULL */
    struct loc loc;
    struct loc member; /* of the port or register around it: as loc, unless nested in a struct */
    unsigned offset;   /* of element 0, bytes */
    unsigned bytes;    /* of one element in memory */
    unsigned width;    /* declared bits of one element */
    unsigned count;    /* product of the dimensions, 1 for a plain field */
    unsigned n_dims;
    struct dim dims[MAX_DIMS];
    bool out; /* lies under `out`: an output port */
    bool is_signed;
    const struct enumeration *enumeration; /* or NULL */
    enum storage storage;
    unsigned reads; /* LUTRAM: declared read ports */
};

struct layout {
    const char *tag; /* struct tag */
    unsigned bytes, align;
    unsigned n;
    struct leaf *leaf; /* in declaration order */
};

struct module;

/* A member of a module's struct whose type is another module's struct. */
struct instance {
    const char *name; /* flattened */
    const char *c;    /* C path */
    struct loc loc;
    const char *module_name;
    struct module *module; /* resolved after all files are read */
    unsigned offset;       /* of element 0 */
    unsigned count, n_dims;
    struct dim dims[MAX_DIMS];
    struct loc call; /* exec: where the (last) element's clock is */
};

/* ---- graph.c, simplify.c: the word-level dataflow graph ---------------------------------------- */

/*
 * One row per operation: name, number of arguments (-1 any).
 * All values are unsigned bit vectors; arguments and result have the same width unless said.
 */
#define OPS(X)                                                                                     \
    X(CONST, 0) /* bits[] */                                                                       \
    X(INPUT, 0) /* index: leaf of module->in; packed vector */                                     \
    X(REG, 0)   /* index: leaf of module->self; value before the clock edge; packed vector */      \
    X(INST, 0) /* index: instance, sub: leaf of the child's self (an output port); the vectors   \
                    of all elements of an instance array side by side, element 0 low */ \
    X(MEMREAD, 1) /* index: leaf (memory); args: address; width = one element */                   \
    X(CALL, -1)   /* keep: HLS_KEEP function; one argument per parameter */                        \
    X(UNDEF, 0)   /* uninitialised; an error if an output or register depends on it */             \
    X(FWD, 0)     /* index, sub as INST: a child's output read after its call */                   \
    X(NOT, 1)                                                                                      \
    X(AND, 2)                                                                                      \
    X(OR, 2)                                                                                       \
    X(XOR, -1) /* two arguments; with width 1 any number, sorted, no repeats */                    \
    X(ADD, 2)                                                                                      \
    X(SUB, 2)                                                                                      \
    X(MUL, 2)                                                                                      \
    X(UDIV, 2)    /* by zero: zero */                                                              \
    X(UREM, 2)    /* by zero: zero */                                                              \
    X(SHL, 2)     /* args: value, amount (any width); amount >= width: zero */                     \
    X(LSHR, 2)    /* as SHL */                                                                     \
    X(ASHR, 2)    /* as SHL, the sign is shifted in (amount >= width: all sign) */                 \
    X(EQ, 2)      /* width 1 */                                                                    \
    X(ULT, 2)     /* width 1 */                                                                    \
    X(SLT, 2)     /* width 1, two's complement */                                                  \
    X(MUX, 3)     /* condition (width 1), value if 1, value if 0 */                                \
    X(SLICE, 1)   /* index: lowest bit; width bits from there */                                   \
    X(CONCAT, -1) /* args[0] is the HIGH end */                                                    \
    X(SEXT, 1)    /* argument narrower than the result */                                          \
    X(GET, 2) /* vector, index (any width): element of `width` bits; out of range: zero;         \
                     index: bits from element to element if that is not the width */ \
    X(SET, 3) /* vector, index, element: vector with it replaced; out of range: unchanged */

enum op {
#define X(name, n) OP_##name,
    OPS(X)
#undef X
        N_OPS
};

struct node {
    enum op op;
    unsigned id; /* creation order: arguments have smaller ids than their users */
    unsigned width;
    unsigned n_args;
    struct node **args;
    unsigned index, sub; /* see OPS */
    union {
        struct module *keep; /* CALL: whose `keep` is set */
        uint64_t *bits;      /* CONST: (width + 63) / 64 words, unused top bits zero */
    };
    unsigned zeros;       /* that many top bits are known to be zero */
    unsigned signs;       /* that many top bits are known to be equal (>= 1) */
    struct loc loc;       /* where the C computes it */
    const char *name;     /* C variable it was stored to first, or NULL */
    const char *hint;     /* as name, but from inside a loop or a parameter: for nets that are
                             needed anyway, no reason to make one */
    const char *scope;    /* of name or hint: the variable of a helper's result, or the helper */
    struct node *chain;   /* hash table */
    struct node *inverse; /* mk_not of it, once somebody asked */
    /* for passes: */
    unsigned uses; /* name.c: number of users that are live */
    bool live;
    const char *net; /* name.c: Verilog net, or NULL when written inside its user */
    void *mark;      /* scratch of the running pass */
};

struct graph {
    struct node **node; /* all nodes by id */
    unsigned n;
    struct node **table;
    unsigned table_size;
    struct loc here; /* given to new nodes */
    unsigned depth;  /* constructors that look through an operation, within each other */
};

/* ---- the result of build, per module ------------------------------------------------------------ */

enum check_kind { CHECK_ASSERT, CHECK_ASSUME, CHECK_COVER };

struct check {
    enum check_kind kind;
    struct node *cond; /* assert, assume: must be 1 at every clock out of reset; cover: should be */
    const char *text;  /* C text of hls_assert(...), or what is guarded ("index 3:0 below 10") */
    bool implied;      /* not written by the user: index range, shift, division, enum ... */
    struct loc loc;
};

/* The one write port of a memory. */
struct mem_write {
    struct node *enable, *addr, *data; /* enable NULL: never written */
};

/* self leaf `reg` is the read register of BRAM leaf `mem`: if (enable) reg <= mem[addr]. */
struct bram_read {
    unsigned reg, mem;
    struct node *enable, *addr;
};

struct reg_info {
    struct node *next;      /* packed vector; NULL: memory or BRAM read register */
    struct node *reset;     /* CONST; NULL: reset leaves it alone */
    bool forwarded;         /* an output that is a child's register, no register of its own: next
                              is then that value, made of INST, SLICE and CONCAT alone */
    int bram_read;          /* index into bram[], or -1 */
    struct mem_write write; /* memories */
};

struct module {
    const char *name;
    struct loc loc;
    const char *doc;    /* comment before the function */
    const char *header; /* file that declares the struct, for the shim's #include */
    const char *source; /* file with the body */
    const char *reset_name;
    struct layout self, in;
    struct instance *inst;
    unsigned n_inst;
    bool declared_here; /* seen with a body in one of the given files */
    bool
        keep; /* a function: in.leaf are the parameters, result its value; HLS_KEEP: a Verilog module */
    bool function; /* keep: a Verilog function in each module that calls it */

    /* build: */
    struct graph graph;
    struct reg_info *reg;   /* per leaf of self */
    struct node ***inst_in; /* [instance][leaf of child's in]: vectors of all elements side
                                    by side, element 0 low */
    struct bram_read *bram;
    unsigned n_bram;
    struct check *check;
    unsigned n_check;
    struct node *result; /* keep */
    unsigned result_width;
    struct module **keeps; /* functions called, each once */
    unsigned n_keeps;
    unsigned level;      /* instances within each other */
    bool sorted;         /* declare.c: it has its place among the modules */
    bool holds_memory;   /* itself or a child */
    uint64_t state_bits; /* of its registers and those of its children */
    unsigned levels;     /* report.c: from an input to a register, or to the result */

    struct plan *plan; /* name.c: how the module is written down (emit.h) */
};

/*
 * All places of m that hold a node which the hardware needs, for passes that walk or replace:
 * next values, memory ports, instance inputs, checks, the result of a HLS_KEEP function.
 */
struct node ***module_roots(struct module *m, unsigned *n);

struct design {
    struct module **module; /* children before parents once sorted; keeps among them */
    unsigned n;
    struct names
        helper; /* struct module of each helper of numbers alone, which may become a function */
};

#endif
