// SPDX-License-Identifier: Apache-2.0
/*
 * gen.h - fuzzgen: random programs in the dialect of hls.h, free of undefined behaviour.
 *
 * Every expression carries its C type, computed by C's own conversion rules, and how many bits its
 * value can need; what could overflow a signed type is cast or widened before it is written.
 * Memory is never freed: the process writes its programs and ends.
 */
#ifndef FUZZ_GEN_H
#define FUZZ_GEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAX_WIDTH = 512, MAX_FIELDS = 8, MAX_SCOPE = 256, MAX_ARGS = 4 };

/* ---- types ----------------------------------------------------------------------------------- */

struct enumeration {
    const char *name; /* tag */
    unsigned n, width;
    const char *label[8];
    bool dense; /* 0 .. n - 1, and n is a power of two: any value of that width is one */
};

enum type_kind { TYPE_BITINT, TYPE_PLAIN, TYPE_BOOL, TYPE_ENUM };

struct type {
    enum type_kind kind;
    bool is_signed;
    unsigned width;
    const struct enumeration *e;
};

struct record;

struct field {
    const char *name;
    struct type type;
    const struct record *rec; /* instead of a type */
    unsigned n_dims, dim[2];
    const char *forwarded; /* an output wired to this one of a child; no statement uses it */
    const char *init;      /* reset value, the same for all elements */
};

struct record {
    const char *name; /* tag */
    unsigned n;
    struct field field[MAX_FIELDS];
};

/* ---- what statements and expressions may use -------------------------------------------------- */

struct entry {
    const char *text, *suffix; /* text[index]...suffix.field */
    struct type type;
    const struct record *rec;
    unsigned n_dims, dim[2];
    bool writable;
    bool child;     /* outputs of an instance: only before the calls */
    bool loop;      /* a loop variable: not worth storing */
    unsigned limit; /* its value is below, 0: all of its type */
};

struct expr {
    const char *text;
    struct type type;
    bool neg; /* may be negative: -2^(bits-1) .. 2^(bits-1)-1, otherwise 0 .. 2^bits-1 */
    unsigned bits;
};

enum helper_kind {
    HELPER_VALUE,   /* scalars to a scalar */
    HELPER_KEEP,    /* the same, kept as a module */
    HELPER_POINTER, /* changes a scalar through a pointer, returns a scalar */
    HELPER_RECORD,  /* struct to struct */
    HELPER_THROUGH, /* changes a struct through a pointer */
    HELPER_SELF,    /* changes the module's registers */
    N_HELPER_KINDS
};

struct helper {
    const char *name;
    enum helper_kind kind;
    struct type ret, arg[MAX_ARGS];
    unsigned n_args;
    const struct record *rec;
    const char *module; /* HELPER_SELF: only for this one */
};

struct memory {
    const char *name;
    struct type type;
    const struct record *rec;
    unsigned dim[3], n_dims, reads;
    enum { MEM_LUTRAM, MEM_BRAM, MEM_BRAM_READ_FIRST } kind;
    const char *reg; /* BRAM: its read register, a private member */
    bool unreset;    /* which reset leaves alone, and which is read every clock */
};

struct module;

struct instance {
    const char *name;
    const struct module *module;
    unsigned count; /* 0: no array */
};

/* Of a module; memories are its alone. */
struct process {
    unsigned n;         /* states */
    const char *suffix; /* of its names in the module */
    const char *state;  /* the same before the numbers of its states */
    unsigned lanes; /* elements of an array of processes, which have no memories; 0: one process */
    struct type count;   /* of lanes: a register that each has */
    unsigned log2_depth; /* of a block RAM, 0: none */
    struct type word;
    unsigned log2_rom; /* of a constant table, 0: none */
    struct type number;
};

struct module {
    const char *name;
    struct record in, out, priv;
    struct process process[2];
    unsigned n_process;
    struct memory mem[2];
    unsigned n_mem;
    struct instance inst[3];
    unsigned n_inst;
};

struct buffer {
    char *s;
    size_t n, room;
};

/* What a program uses: each is drawn once per program, so that rare things meet often. */
enum feature {
    WITH_WIDE,
    WITH_SIGNED,
    WITH_PLAIN,
    WITH_ENUM,
    WITH_RECORDS,
    WITH_ARRAYS,
    WITH_ARRAYS_2D,
    WITH_TABLES,
    WITH_LOOPS,
    WITH_SWITCH,
    WITH_HELPERS,
    WITH_KEEP,
    WITH_LUTRAM,
    WITH_BRAM,
    WITH_CHILDREN,
    WITH_MULTIPLY,
    WITH_DIVIDE,
    WITH_RETURN,
    WITH_GOTO,
    WITH_BUILTINS,
    WITH_CHECKS,
    WITH_LITERALS,
    WITH_PROCESS,
    N_FEATURES
};

/*
 * What stands in other things, for the count of which in which (gen_mark.c): name, in the report, whether it is a statement,
 * what it holds. Helpers hold what is in their body and their arguments.
 */
/* clang-format off */
#define CONSTRUCTS(X)                               \
    X(C_ELEMENT,  "element",   false, EXPRESSIONS)  \
    X(C_LITERAL,  "literal",   false, NOTHING)      \
    X(C_SUM,      "sum",       false, EXPRESSIONS)  \
    X(C_BITS,     "and-or",    false, EXPRESSIONS)  \
    X(C_PRODUCT,  "product",   false, EXPRESSIONS)  \
    X(C_QUOTIENT, "quotient",  false, EXPRESSIONS)  \
    X(C_SHIFT,    "shift",     false, EXPRESSIONS)  \
    X(C_UNARY,    "unary",     false, EXPRESSIONS)  \
    X(C_COMPARE,  "compare",   false, EXPRESSIONS)  \
    X(C_LOGIC,    "logic",     false, EXPRESSIONS)  \
    X(C_CHOICE,   "choice",    false, EXPRESSIONS)  \
    X(C_CAST,     "cast",      false, EXPRESSIONS)  \
    X(C_BUILTIN,  "builtin",   false, EXPRESSIONS)  \
    X(C_VALUE,    "helper",    false, STATEMENTS)   \
    X(C_KEEP,     "kept",      false, STATEMENTS)   \
    X(C_RECORD,   "helper-of-struct",  false, STATEMENTS) \
    X(C_POINTER,  "helper-by-pointer", true, STATEMENTS)  \
    X(C_THROUGH,  "helper-by-struct",  true, STATEMENTS)  \
    X(C_SELF,     "helper-of-self",    true, STATEMENTS)  \
    X(C_LOCAL,    "local",     true,  EXPRESSIONS)  \
    X(C_ARRAY,    "array",     true,  EXPRESSIONS)  \
    X(C_STRUCT,   "struct",    true,  EXPRESSIONS)  \
    X(C_ASSIGN,   "assign",    true,  EXPRESSIONS)  \
    X(C_UPDATE,   "update",    true,  EXPRESSIONS)  \
    X(C_COPY,     "copy",      true,  EXPRESSIONS)  \
    X(C_IF,       "if",        true,  STATEMENTS)   \
    X(C_WHEN,     "when",      true,  STATEMENTS)   \
    X(C_SWITCH,   "switch",    true,  STATEMENTS)   \
    X(C_FOR,      "for",       true,  STATEMENTS)   \
    X(C_WHILE,    "while",     true,  STATEMENTS)   \
    X(C_DO,       "do",        true,  STATEMENTS)   \
    X(C_SHRINK,   "shrinking", true,  STATEMENTS)   \
    X(C_MATRIX,   "matrix",    true,  EXPRESSIONS)  \
    X(C_LANES,    "lanes",     true,  EXPRESSIONS)  \
    X(C_GOTO,     "goto",      true,  STATEMENTS)   \
    X(C_LEAVE,    "leave",     true,  EXPRESSIONS)  \
    X(C_CHECK,    "check",     true,  EXPRESSIONS)  \
    X(C_MEMORY,   "memory",    true,  EXPRESSIONS)  \
    X(C_CHILD,    "child",     true,  STATEMENTS)  \
    X(C_WAIT,     "wait",      true,  EXPRESSIONS)
/* clang-format on */

enum construct {
#define X(name, ...) name,
    CONSTRUCTS(X)
#undef X
        N_CONSTRUCTS
};

struct gen {
    uint64_t random;
    bool on[N_FEATURES];
    const char *prefix; /* of all names at file scope */
    struct buffer *out;
    unsigned indent, counter;

    struct enumeration enumeration[2];
    unsigned n_enum;
    struct record record[4];
    unsigned n_record;
    struct helper helper[6];
    unsigned n_helper;

    struct entry scope[MAX_SCOPE];
    unsigned n_scope;
    const char *module; /* in whose body we are; NULL in a helper */
    bool in_process;
    const char *
        other; /* process that this one may start: its register, and the beginning of its states' names; or NULL */
    unsigned other_states;
    unsigned budget;  /* statements left */
    unsigned trips;   /* how often the code here runs per call */
    unsigned in_loop; /* loops around */
    enum { RETURN_NO, RETURN_VOID, RETURN_VALUE, RETURN_RECORD } may_return;
    struct type ret;
    unsigned multiplies, divides; /* left */
    unsigned in_index;            /* indices around: an index may be read from an array */
    unsigned nasty_used;          /* local names that were taken */
    unsigned waits, reserved;     /* of the process at hand: so far, and kept for loops around */
};

/* ---- gen_util.c ------------------------------------------------------------------------------- */

static inline unsigned min(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static inline unsigned max(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

uint64_t draw(struct gen *g, uint64_t n); /* 0 .. n - 1 */
bool chance(struct gen *g, unsigned percent);
unsigned pick(struct gen *g, unsigned n, const unsigned *weight);
char *fmt(const char *format, ...) __attribute__((format(printf, 1, 2)));
void add(struct buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void line(struct gen *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
void open_block(struct gen *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
void close_block(struct gen *g);
const char *fresh(struct gen *g, const char *stem);

struct type bitint(bool is_signed, unsigned width);
struct type plain(bool is_signed, unsigned width);
struct type random_type(struct gen *g);
struct type random_unsigned(struct gen *g);
const char *type_name(struct type t);
bool same_type(struct type a, struct type b);
struct type promoted(struct type t);
struct type common_type(struct type a, struct type b);

void scope_add(struct gen *g, struct entry e);
void scope_scalar(struct gen *g, const char *name, struct type type, bool writable);
void scope_fields(struct gen *g, const char *path, const struct record *rec, bool writable);

/* ---- gen_mark.c --------------------------------------------------------------------------------- */

const char *marked(enum construct c, const char *text); /* an expression, as a whole */
void begin(struct gen *g, enum construct c);            /* of statements, or of a helper's body */
void end(struct gen *g);
void take_marks(char *text); /* of a whole program: counts and removes them */
void print_pairs(void);      /* "PAIR inner outer count", also those that were never drawn */

/* ---- gen_leaf.c --------------------------------------------------------------------------------- */

unsigned bits_of(uint64_t value); /* that it takes, at least one */
struct expr cast(struct expr e, struct type t);
struct expr entry_value(const struct entry *e, const char *text, struct type t);
struct expr literal(struct gen *g, unsigned width);
struct expr leaf(struct gen *g, unsigned width);        /* a literal or a variable */
const char *constant_for(struct gen *g, struct type t); /* for initialisers */
bool scalar_access(struct gen *g, bool writable, struct entry *found, const char **text);
const char *record_access(struct gen *g, const struct record *rec, bool writable);
const char *index_below(struct gen *g, unsigned n);
const char *index_bits(struct gen *g, unsigned bits);
const char *index_word(struct gen *g, unsigned n);

/* ---- gen_expr.c --------------------------------------------------------------------------------- */

struct expr expr(struct gen *g, unsigned depth);
struct expr expr_near(struct gen *g, unsigned depth, unsigned width);
struct expr condition(struct gen *g, unsigned depth);
const char *value_for(struct gen *g, struct type t, unsigned depth); /* fits an assignment to t */
bool compound(struct gen *g, const char *op, struct expr x, struct expr e, const char **right);
const char *call_text(struct gen *g, const struct helper *h, const char *first, unsigned depth);

/* ---- gen_stmt.c --------------------------------------------------------------------------------- */

void statements(struct gen *g, unsigned n, unsigned depth);
void declare_local(struct gen *g);
const char *declare_struct(struct gen *g, const struct record *rec); /* its name */
const char *record_literal(struct gen *g, const struct record *rec, bool constant);

/* ---- gen_lanes.c ---------------------------------------------------------------------------------- */

void lanes(struct gen *g);

/* ---- gen_process.c -------------------------------------------------------------------------------- */

void choose_processes(struct gen *g, struct module *m);
void declare_states(struct gen *g, const struct module *m);
void declare_processes(struct gen *g, const struct module *m); /* their members */
void reset_processes(struct gen *g, const struct module *m);
void generate_processes(struct gen *g, const struct module *m);
void call_processes(struct gen *g, const struct module *m);

/* ---- gen_func.c, gen_module.c ------------------------------------------------------------------- */

enum construct helper_construct(enum helper_kind kind);
void generate_helper(struct gen *g, enum helper_kind kind, const struct module *m);
void helper_statement(struct gen *g);
void random_field(struct gen *g, struct field *f, const char *name, bool simple);
void declare_record(struct gen *g, const struct record *rec);
const struct module *generate_module(struct gen *g, const char *name, unsigned depth);

/* ---- gen_body.c --------------------------------------------------------------------------------- */

void module_body(struct gen *g, const struct module *m);

#endif
