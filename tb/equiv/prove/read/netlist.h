// SPDX-License-Identifier: Apache-2.0
/*
 * netlist.h - a module of Verilog as Yosys read it (proc, memory_collect, write_json; nothing is optimised),
 * as terms over symbols for its inputs, registers and what its instances give out.
 */
#ifndef PROVE_NETLIST_H
#define PROVE_NETLIST_H

#include "terms/term.h"

struct netlist;
struct net_cell;

struct net_memory {
    const char *name;
    uint32_t depth, width;
};

/* Ends the program when the file is none or holds what is not understood. */
struct netlist *netlist_read(const char *file, const char *top);

/* The types of the instances, each once; ends with NULL. */
const char *const *netlist_modules(const struct netlist *n);
/* The instance of that name, NULL when there is none. */
const struct net_cell *netlist_instance(const struct netlist *n, const char *name);
unsigned netlist_instances(const struct netlist *n);
const char *instance_module(const struct net_cell *instance);

/* 0: there is no net of that name. */
uint32_t netlist_width(const struct netlist *n, const char *name);
/* Input ports but clk and rst, output ports: names one after the other, NULL at the end of them. */
const char *netlist_input(const struct netlist *n, unsigned i);
const char *netlist_output(const struct netlist *n, unsigned i);
bool netlist_has_input(const struct netlist *n, const char *name);
bool is_register(const struct netlist *n, const char *name);
/* Registers that no symbol was given to: the name of one, or NULL. */
const char *netlist_unnamed_register(const struct netlist *n);

/* Everything that is clocked, instances included, is so by the rising edge of clk. */
bool netlist_one_clock(const struct netlist *n);

/* Gives a net a symbol. Only for inputs and registers. */
void netlist_set(struct netlist *n, const char *name, term symbol);
/* Forgets what was computed and gives rst a constant. */
void netlist_restart(struct netlist *n, bool rst);
/* What a net carries in this clock. */
term netlist_value(struct netlist *n, const char *name);
/* What a register has after the clock edge. */
term netlist_next(struct netlist *n, const char *name);

/* Whether the module of an instance has the port, connected here or not. */
bool instance_declares(const struct netlist *n, const struct net_cell *instance, const char *port);
/* Ports of an instance; 0 when none is connected under that name. */
uint32_t instance_width(const struct net_cell *instance, const char *port);
void instance_set(struct netlist *n, const struct net_cell *instance, const char *port,
                  term symbol);
term instance_value(struct netlist *n, const struct net_cell *instance, const char *port);
const char *instance_port(const struct net_cell *instance, unsigned i, bool *output);

/* Memory number i; name NULL when there are no more. The number is that of term_select. */
struct net_memory netlist_memory(const struct netlist *n, unsigned i);
/* What the memory has at an address after the clock edge. */
term netlist_memory_next(struct netlist *n, unsigned i, term address);

#endif
