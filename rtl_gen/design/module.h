// SPDX-License-Identifier: Apache-2.0
/*
 * module.h - a module as the stages fill it, and the design: all of them.
 *
 * What one stage hands to the next is never freed: the tool runs once and ends.
 */
#ifndef MODULE_H
#define MODULE_H

#include "base/util.h"
#include "design/declared.h"
#include "design/node.h"

#include <string.h>

/* As hls.h numbers them; RESET is kept nowhere. */
enum check_kind { CHECK_ASSERT, CHECK_ASSUME, CHECK_COVER, CHECK_RESET, CHECK_ONE_CLOCK };

struct check {
    enum check_kind kind;
    struct node *cond; /* assert, assume: must be 1 at every clock out of reset; cover: should be */
    const char *text;  /* C text of hls_assert(...), or what is guarded ("index 3:0 below 10") */
    bool implied;      /* not written by the user: index range, shift, division, enum ... */
    struct loc loc;
};

/* The wait of a process behind which a clock begins. */
struct wait {
    const char *name; /* of the state */
    struct loc loc;
};

/* A process: the element of a register that says behind which wait it goes on. */
struct process_info {
    unsigned leaf, element;
    struct loc loc;         /* HLS_PROCESS */
    const struct loc *wait; /* by enumerator: behind which it goes on */
    bool **leads; /* by enumerators: from behind one's wait the text comes to the other's */
};

/* A read of a local variable of which something may not be set. */
struct early_read {
    const struct node *value, *path; /* what is read, and when */
    const char *name;
    const struct dim *dim; /* of an array, and the element, or VARIABLE */
    unsigned n_dims, element;
    const struct wait *outlives; /* a wait that it does not: or NULL */
    struct loc loc;
};
#define VARIABLE UINT32_MAX

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
    struct call *made;      /* where it gets its value: memory.c; NULL: nowhere */
    bool made_of_number;    /* there */
    bool forwarded;         /* an output that is a child's register, no register of its own: next
                              is then that value, made of INST, SLICE and CONCAT alone */
    bool process;           /* it says behind which wait a process goes on */
    bool group;             /* its states are one group */
    int bram_read;          /* index into bram[], or -1 */
    struct mem_write write; /* memories */
};

struct module {
    const char *name;
    const char *verilog; /* the name of the Verilog module and its files: --prefix in front */
    struct loc loc;
    const char *doc;     /* comment before the function */
    const char *package; /* --sv: of the types of its ports; NULL: Verilog-2005 */
    const char *header;  /* file that declares the struct, for the shim's #include */
    const char *source;  /* file with the body */
    const char *licence; /* SPDX identifier of that file, or NULL */
    const char *machine; /* what the design is built for: declare.c; or NULL */
    const char *reset_name;
    struct layout self, in;
    bool resets; /* its function begins with hls_reset_by: input_rst() is its port of that name */
    struct instance *inst;
    unsigned n_inst;
    bool declared_here; /* seen with a body in one of the given files */
    bool
        keep; /* a function: in.leaf are the parameters, result its value; HLS_KEEP: a Verilog module */
    bool function; /* keep: a Verilog function in each module that calls it */
    bool marked;   /* HLS_FUNCTION: one call is enough */

    /* build: */
    struct graph graph;
    struct reg_info *reg;   /* per leaf of self */
    struct node ***inst_in; /* [instance][leaf of child's in]: vectors of all elements side
                                    by side, element 0 low */
    struct bram_read *bram;
    unsigned n_bram;
    struct check *check;
    unsigned n_check;
    struct process_info *process;
    unsigned n_process;
    struct early_read *early;
    unsigned n_early;
    struct node *result; /* keep */
    unsigned result_width;
    struct module **keeps; /* functions called, each once */
    unsigned n_keeps;
    unsigned level;                    /* instances within each other */
    bool sorted;                       /* declare.c: it has its place among the modules */
    bool holds_memory;                 /* itself or a child */
    uint64_t state_bits;               /* of its registers and those of its children */
    const struct constants *constants; /* struct design's */
    const struct names *docs;          /* struct design's */
    unsigned levels;                   /* report.c: from an input to a register, or to the result */
    unsigned area;                     /* report.c: LUT4, with functions and instances */

    struct plan *plan; /* name.c: how the module is written down (emit.h) */
};

/* The input leaf that is the module's port `rst`; -1: it is reset with its parent alone. */
static inline int input_rst(const struct module *m)
{
    for (unsigned i = 0; i < m->in.n && !m->keep; i++)
        if (strcmp(m->in.leaf[i].name, "rst") == 0)
            return (int)i;
    return -1;
}

/* What its comment says of a function, or NULL, and the file with its body. */
struct function_doc {
    const char *doc, *file;
};

struct design {
    struct module **module; /* children before parents once sorted; keeps among them */
    unsigned n;
    const char *package;         /* --sv, or NULL */
    struct port_type *port_type; /* in it */
    unsigned n_port_types;
    struct names
        helper; /* struct module of each helper of numbers alone, which may become a function */
    struct names docs; /* struct function_doc by name: of every function that has a body */
    struct constants constants;
};

#endif
