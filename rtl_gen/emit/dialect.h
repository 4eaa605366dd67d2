// SPDX-License-Identifier: Apache-2.0
/*
 * dialect.h - where Verilog-2005 and SystemVerilog differ: at the edge of a module, in its checks, and in what drives
 * the Verilated model. What is between the edges is the same text in both.
 */
#ifndef DIALECT_H
#define DIALECT_H

#include "emit/emit.h"

/* A port of an instance and what it is connected to. */
struct connection {
    const char *name, *to;
};

struct dialect {
    const char *ending; /* of the file's name */
    /* In the head of the module. */
    void (*ports)(struct text *t, struct module *m);
    /* The nets that stand for the ports in the module. */
    void (*edge)(struct text *t, struct module *m);
    /* What instance k is connected to, `clk` first; tables of constants go to t, what has to stand `before` and `behind` it there. */
    unsigned (*connect)(struct text *t, struct text *before, struct text *behind, struct module *m,
                        unsigned k, struct connection **list);
    void (*checks)(struct text *t, struct module *m);
    /* M_raw.cpp: words to the ports, the body of a C++ function. */
    void (*set_inputs)(struct text *t, const struct module *m);
};

const struct dialect *dialect_of(const struct module *m);

/* emit_module.c */
void emit_ports(struct text *t, struct module *m);
/* emit_inst.c */
unsigned connect_ports(struct text *t, struct text *before, struct text *behind, struct module *m,
                       unsigned k, struct connection **list);
/* `clk` and `rst`, which all instances have. */
unsigned connect_clock(struct text *t, struct module *m, unsigned k, struct connection **list);
const char *instance_input(struct text *t, struct module *m, unsigned k, unsigned i);
/* emit_check.c */
void emit_checks(struct text *t, struct module *m);
const char *check_message(const struct check *c);
/* Of the line and condition of one before it: a loop checks the same several times. */
bool check_repeated(const struct module *m, unsigned i);
/* emit_raw.c */
void set_ports(struct text *t, const struct module *m);

/* sv_edge.c */
extern const struct dialect system_verilog;
/* sv_enum.c */
/* The value as one of this enum, without a cast where it is one. */
const char *sv_cast(const struct module *m, const char *type, const char *text);
void sv_enums(struct text *t, const struct module *m);
/* sv_check.c */
void sv_checks(struct text *t, struct module *m);
/* sv_raw.c */
void sv_set_inputs(struct text *t, const struct module *m);
/* sv_package.c */
void sv_package(struct text *t, const struct design *design);
unsigned record_bits(const struct record *r);

#endif
