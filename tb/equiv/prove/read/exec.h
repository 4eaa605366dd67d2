// SPDX-License-Identifier: Apache-2.0
/*
 * exec.h - clang's unoptimised IR, followed symbolically: a call of a function turns a state into one.
 *
 * Paths are followed together: where they meet, what differs becomes a choice between the two. A
 * loop goes round until its condition is a constant.
 */
#ifndef PROVE_EXEC_H
#define PROVE_EXEC_H

#include "read/store.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

/* The condition under which a path is taken: all of the list. NULL: always. */
struct path {
    const struct path *above;
    term literal;
    unsigned depth;
};

struct state {
    const struct path *path;
    struct content **object;
    uint32_t n_objects;
    const struct written **memory;
    struct value *shared; /* values of the running function that other blocks use */
};

/* An array of the struct that is a memory in the Verilog: one for each scalar member. */
struct memory_leaf {
    struct leaf leaf;
    uint32_t index_bits;
    uint32_t
        apart[MAX_DIMS]; /* by dimension: words from an element to the next one in the Verilog */
};

/* A call that was not followed. */
struct cut_call {
    const char *function;
    const struct value *argument;
    unsigned n;
};

struct exec {
    LLVMModuleRef *module;
    unsigned n_modules;
    LLVMTargetDataRef data;
    struct memory_leaf *memory; /* of object 0 */
    unsigned n_memories;
    /* functions that are not followed, and what to do with each instead; ends with NULL */
    const char *const *cut;
    void (*at_cut)(void *arg, struct state *s, const struct cut_call *call);
    void *arg;
    term *assumed; /* no undefined behaviour: each of these holds */
    unsigned n_assumed;
};

enum { OBJECT_SELF, OBJECT_IN, GLOBAL = 1 << 30 };

/* The function of that name that has a body; NULL: there is none. */
LLVMValueRef exec_function(const struct exec *x, const char *name);
/* Follows a call, as deep as it goes. */
struct value exec_call(struct exec *x, struct state *s, LLVMValueRef function,
                       const struct value *argument);
/* One call instruction: an intrinsic, a check, a cut or a function with a body. */
struct value exec_call_site(struct exec *x, struct state *s, LLVMValueRef site,
                            const struct value *argument, unsigned n);

/* Of the state: new objects, copies, states that meet (all their conditions exclude each other). */
uint32_t state_object(struct state *s);
struct state *state_copy(struct state *s, unsigned n_shared, unsigned n_memories);
struct state *state_meet(struct state **list, unsigned n, unsigned n_shared, unsigned n_memories);
const struct path *path_and(const struct path *path, term literal);
term path_term(const struct path *path);

/* From here on this holds, or the C has no meaning. */
void exec_assume(struct exec *x, const struct state *s, term condition);
struct content exec_load(struct exec *x, struct state *s, struct pointer p, int64_t size);
void exec_store(struct exec *x, struct state *s, struct pointer p, int64_t size,
                const struct content *cells);

/* Constants of the IR, among them addresses of constant tables. */
struct value exec_constant(struct exec *x, LLVMValueRef v);
const struct content *exec_global(uint32_t object);

/* The bytes of a type in memory, and its bits as a word. */
int64_t exec_size(const struct exec *x, LLVMTypeRef type);
uint32_t exec_bits(const struct exec *x, LLVMTypeRef type);
struct pointer exec_element(struct exec *x, LLVMValueRef gep, const struct value *operand);
/* Everything that computes a value out of its operands. */
struct value exec_compute(struct exec *x, struct state *s, LLVMValueRef v,
                          const struct value *operand);

#endif
