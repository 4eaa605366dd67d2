// SPDX-License-Identifier: Apache-2.0
/*
 * netlist_cell.h - the inside of a netlist, for netlist.c and cell.c.
 */
#ifndef PROVE_NETLIST_CELL_H
#define PROVE_NETLIST_CELL_H

#include "read/netlist.h"

enum { BIT_0 = -1, BIT_1 = -2, BIT_X = -3 };

/* Numbers of nets, low bit first, or one of the above. */
struct bits {
    uint32_t n;
    int *id;
};

struct port {
    const char *name;
    bool output;
    struct bits bits;
};

struct parameter {
    const char *name;
    const char *value; /* binary digits */
};

struct net_cell {
    const char *name, *type;
    struct port *port;
    unsigned n_ports;
    struct parameter *parameter;
    unsigned n_parameters;
    unsigned memory; /* number of a $mem_v2 */
    term value;      /* of its output, once computed */
    bool busy;       /* being computed: asked again it is a loop */
};

/* Of one net: a symbol, or a bit of a port of a cell. */
struct driver {
    struct net_cell *cell;
    unsigned port;
    uint32_t index;
    term symbol;
    uint32_t at; /* bit of the symbol */
};

struct net {
    const char *name;
    struct bits bits;
};

/* A port of a module that is instantiated. */
struct box_port {
    const char *module, *name;
};

struct netlist {
    struct net_cell **cell;
    unsigned n_cells;
    struct net_cell **memory;
    unsigned n_memories;
    struct net_cell **instance;
    unsigned n_instances;
    const char **module;
    unsigned n_modules;
    struct net *net;
    unsigned n_nets;
    const char **input, **output;
    unsigned n_inputs, n_outputs;
    struct box_port *box_port;
    unsigned n_box_ports;
    struct driver *driver;
    uint32_t n_drivers;
};

const struct port *cell_port(const struct net_cell *cell, const char *name);
/* Its binary digits. */
/* A memory that nothing writes and that does not begin with zeros: a constant table. */
bool cell_is_rom(const struct net_cell *cell);
const char *cell_parameter(const struct net_cell *cell, const char *name);
/* The word that these bits make. */
term word(struct netlist *n, const struct bits *bits);
/* What the cell drives onto its output. */
term cell_value(struct netlist *n, struct net_cell *cell);

#endif
