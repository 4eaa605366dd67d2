// SPDX-License-Identifier: Apache-2.0
/*
 * front.h - the stages that read C: compile (LLVM IR) and declare (what its data look like).
 */
#ifndef FRONT_H
#define FRONT_H

#include "base/options.h"
#include "design/module.h"

#include <stdio.h>

/* One per .c file: its LLVM IR. */
struct unit {
    const char *file;
    struct LLVMOpaqueModule *ir; /* an LLVMModuleRef */
};

/* compile.c: clang -O0 on every file; its messages go through unchanged. One unit per file. */
bool compile(const struct options *opt, struct unit *unit);
/* Frees what LLVM holds: nothing after build looks at the IR. */
void compile_end(struct unit *unit, unsigned n_units);
void dump_compiled(FILE *f, const struct unit *unit, unsigned n_units);

/*
 * declare.c: fills design->module with every module of the files (with --top: those under it) and
 * every HLS_KEEP function that has a body; layouts, instances, resets; children before parents,
 * keeps first.
 */
bool declare(const struct options *opt, struct design *design);
void dump_declared(FILE *f, const struct design *design);
/* By the name of the C function, or NULL. */
struct module *design_find(const struct design *design, const char *function_name);
/* declare_names.c: of names that VHDL and some file systems cannot have. */
void names_warn(const struct design *design);
/* declare_words.c: words that C leaves free and Verilog or SystemVerilog does not. */
/* place.c: the address of each element in a memory, into the leaf */
void leaf_place_words(struct leaf *leaf);

bool verilog_keyword(const char *name);
bool verilator_word(const char *name); /* the same, of its C++ */
bool model_word(const char *name);     /* macros and types where that is compiled */
bool vhdl_word(const char *name);

#endif
