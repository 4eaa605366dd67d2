// SPDX-License-Identifier: Apache-2.0
/*
 * netlist.c - Yosys' JSON: bits and who drives them.
 */
#include "read/netlist_cell.h"

#include "terms/arena.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

static cJSON *read_json(const char *file)
{
    FILE *f = fopen(file, "r");
    if (!f)
        unsupported("cannot read %s", file);
    fseek(f, 0, SEEK_END);
    long end = ftell(f);
    size_t size = end > 0 ? (size_t)end : 0;
    rewind(f);
    char *bytes = malloc(size + 1);
    if (!bytes || fread(bytes, 1, size, f) != size)
        unsupported("cannot read %s", file);
    bytes[size] = 0;
    fclose(f);
    cJSON *json = cJSON_Parse(bytes);
    free(bytes);
    if (!json)
        unsupported("%s is not JSON", file);
    return json;
}

static struct bits read_bits(const cJSON *array)
{
    struct bits bits = {.n = (uint32_t)cJSON_GetArraySize(array)};
    bits.id = arena((bits.n + 1) * sizeof *bits.id);
    uint32_t i = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, array)
    {
        if (cJSON_IsNumber(item))
            bits.id[i++] = item->valueint;
        else
            bits.id[i++] = item->valuestring[0] == '0'   ? BIT_0
                           : item->valuestring[0] == '1' ? BIT_1
                                                         : BIT_X;
    }
    return bits;
}

static void read_parameters(struct net_cell *cell, const cJSON *json)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(json, "parameters"))
    {
        struct parameter p = {arena_printf("%s", item->string),
                              arena_printf("%s", cJSON_IsString(item) ? item->valuestring : "")};
        PUSH(cell->parameter, cell->n_parameters, p);
    }
}

static struct net_cell *read_cell(const cJSON *json)
{
    struct net_cell *cell = arena(sizeof *cell);
    cell->name = arena_printf("%s", json->string);
    cell->type = arena_printf("%s", cJSON_GetObjectItem(json, "type")->valuestring);
    read_parameters(cell, json);
    const cJSON *directions = cJSON_GetObjectItem(json, "port_directions"), *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(json, "connections"))
    {
        const cJSON *direction = cJSON_GetObjectItemCaseSensitive(directions, item->string);
        struct port p = {.name = arena_printf("%s", item->string),
                         .output = direction && strcmp(direction->valuestring, "output") == 0,
                         .bits = read_bits(item)};
        PUSH(cell->port, cell->n_ports, p);
    }
    return cell;
}

static void make_room(struct netlist *n, const struct bits *bits)
{
    for (uint32_t i = 0; i < bits->n; i++)
        if (bits->id[i] >= (int)n->n_drivers)
            n->n_drivers = (uint32_t)bits->id[i] + 1;
}

static void read_ports(struct netlist *n, const cJSON *module)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(module, "ports"))
    {
        const char *direction = cJSON_GetObjectItem(item, "direction")->valuestring;
        const char *name = arena_printf("%s", item->string);
        if (strcmp(direction, "output") == 0)
            PUSH(n->output, n->n_outputs, name);
        else if (strcmp(name, "clk") != 0 && strcmp(name, "rst") != 0)
            PUSH(n->input, n->n_inputs, name);
    }
}

/* Ports of what is instantiated, as its own module declares them. */
static void read_boxes(struct netlist *n, const cJSON *modules, const char *top)
{
    const cJSON *module, *port;
    cJSON_ArrayForEach(module, modules)
    {
        if (strcmp(module->string, top) == 0)
            continue;
        cJSON_ArrayForEach(port, cJSON_GetObjectItem(module, "ports"))
        {
            struct box_port p = {arena_printf("%s", module->string),
                                 arena_printf("%s", port->string)};
            PUSH(n->box_port, n->n_box_ports, p);
        }
    }
}

/* The first driver of a net counts; Yosys has no nets with two. */
static void note_drivers(struct netlist *n)
{
    n->driver = arena(n->n_drivers * sizeof *n->driver);
    for (unsigned c = 0; c < n->n_cells; c++)
        for (unsigned p = 0; p < n->cell[c]->n_ports; p++) {
            const struct port *port = &n->cell[c]->port[p];
            for (uint32_t i = 0; port->output && i < port->bits.n; i++)
                if (port->bits.id[i] >= 0)
                    n->driver[port->bits.id[i]] =
                        (struct driver){.cell = n->cell[c], .port = p, .index = i};
        }
}

static void note_kinds(struct netlist *n)
{
    for (unsigned c = 0; c < n->n_cells; c++) {
        struct net_cell *cell = n->cell[c];
        if (strcmp(cell->type, "$mem_v2") == 0 && cell_is_rom(cell))
            continue;
        if (strcmp(cell->type, "$mem_v2") == 0) {
            cell->memory = n->n_memories;
            PUSH(n->memory, n->n_memories, cell);
        } else if (cell->type[0] != '$') {
            PUSH(n->instance, n->n_instances, cell);
            bool known = false;
            for (unsigned m = 0; m < n->n_modules; m++)
                known |= strcmp(n->module[m], cell->type) == 0;
            if (!known)
                PUSH(n->module, n->n_modules, cell->type);
        }
    }
    PUSH(n->module, n->n_modules, NULL);
}

struct netlist *netlist_read(const char *file, const char *top)
{
    struct netlist *n = arena(sizeof *n);
    cJSON *json = read_json(file);
    const cJSON *modules = cJSON_GetObjectItem(json, "modules"), *item;
    const cJSON *module = cJSON_GetObjectItem(modules, top);
    if (!module)
        unsupported("%s has no module %s", file, top);
    read_ports(n, module);
    read_boxes(n, modules, top);
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(module, "cells"))
    {
        PUSH(n->cell, n->n_cells, read_cell(item));
        for (unsigned p = 0; p < n->cell[n->n_cells - 1]->n_ports; p++)
            make_room(n, &n->cell[n->n_cells - 1]->port[p].bits);
    }
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(module, "netnames"))
    {
        struct net net = {arena_printf("%s", item->string),
                          read_bits(cJSON_GetObjectItem(item, "bits"))};
        PUSH(n->net, n->n_nets, net);
        make_room(n, &net.bits);
    }
    cJSON_Delete(json);
    note_drivers(n);
    note_kinds(n);
    return n;
}

static const struct bits *net_bits(const struct netlist *n, const char *name)
{
    for (unsigned i = 0; i < n->n_nets; i++)
        if (strcmp(n->net[i].name, name) == 0)
            return &n->net[i].bits;
    return NULL;
}

const char *const *netlist_modules(const struct netlist *n)
{
    return n->module;
}

unsigned netlist_instances(const struct netlist *n)
{
    return n->n_instances;
}

const struct net_cell *netlist_instance(const struct netlist *n, const char *name)
{
    for (unsigned i = 0; i < n->n_instances; i++)
        if (strcmp(n->instance[i]->name, name) == 0)
            return n->instance[i];
    return NULL;
}

const char *instance_module(const struct net_cell *instance)
{
    return instance->type;
}

uint32_t netlist_width(const struct netlist *n, const char *name)
{
    const struct bits *bits = net_bits(n, name);
    return bits ? bits->n : 0;
}

const char *netlist_input(const struct netlist *n, unsigned i)
{
    return i < n->n_inputs ? n->input[i] : NULL;
}

const char *netlist_output(const struct netlist *n, unsigned i)
{
    return i < n->n_outputs ? n->output[i] : NULL;
}

bool netlist_has_input(const struct netlist *n, const char *name)
{
    for (unsigned i = 0; i < n->n_inputs; i++)
        if (strcmp(n->input[i], name) == 0)
            return true;
    return false;
}

static const struct net_cell *register_of(const struct netlist *n, int bit)
{
    const struct net_cell *cell = bit >= 0 ? n->driver[bit].cell : NULL;
    return cell && strcmp(cell->type, "$dff") == 0 ? cell : NULL;
}

bool is_register(const struct netlist *n, const char *name)
{
    const struct bits *bits = net_bits(n, name);
    for (uint32_t i = 0; bits && i < bits->n; i++)
        if (!register_of(n, bits->id[i]))
            return false;
    return bits != NULL;
}

static bool all_are(const struct port *port, int id)
{
    for (uint32_t i = 0; port && i < port->bits.n; i++)
        if (port->bits.id[i] != id)
            return false;
    return true;
}

bool netlist_one_clock(const struct netlist *n)
{
    const struct bits *clk = net_bits(n, "clk");
    bool good = true;
    for (unsigned c = 0; c < n->n_cells; c++) {
        const struct net_cell *cell = n->cell[c];
        if (strcmp(cell->type, "$mem_v2") == 0 && cell_is_rom(cell))
            continue;
        if (strcmp(cell->type, "$dff") == 0 || strcmp(cell->type, "$mem_v2") == 0) {
            const char *polarity = cell->type[1] == 'd' ? "CLK_POLARITY" : "WR_CLK_POLARITY";
            good = good && clk && all_are(cell_port(cell, "CLK"), clk->id[0]) &&
                   all_are(cell_port(cell, "WR_CLK"), clk->id[0]) &&
                   !strchr(cell_parameter(cell, polarity), '0');
        } else if (cell->type[0] != '$') {
            const struct port *port = cell_port(cell, "clk");
            good = good && clk && port && all_are(port, clk->id[0]);
        } else if (strstr(cell->type, "dff") || strstr(cell->type, "latch") ||
                   cell_port(cell, "CLK")) {
            return false;
        }
    }
    return good;
}

static void set_bits(struct netlist *n, const struct bits *bits, term symbol)
{
    for (uint32_t i = 0; i < bits->n; i++)
        if (bits->id[i] >= 0) {
            n->driver[bits->id[i]].symbol = symbol;
            n->driver[bits->id[i]].at = i;
        }
}

const char *netlist_unnamed_register(const struct netlist *n)
{
    for (unsigned c = 0; c < n->n_cells; c++) {
        const struct port *q = cell_port(n->cell[c], "Q");
        if (strcmp(n->cell[c]->type, "$dff") != 0 || !q)
            continue;
        for (uint32_t i = 0; i < q->bits.n; i++)
            if (q->bits.id[i] >= 0 && !n->driver[q->bits.id[i]].symbol)
                return n->cell[c]->name;
    }
    return NULL;
}

void netlist_set(struct netlist *n, const char *name, term symbol)
{
    set_bits(n, net_bits(n, name), symbol);
}

void netlist_restart(struct netlist *n, bool rst)
{
    for (unsigned c = 0; c < n->n_cells; c++)
        n->cell[c]->value = NO_TERM;
    netlist_set(n, "rst", term_const(1, rst));
}

term netlist_value(struct netlist *n, const char *name)
{
    return word(n, net_bits(n, name));
}

term netlist_next(struct netlist *n, const char *name)
{
    const struct bits *q = net_bits(n, name);
    struct bits d = {.n = q->n, .id = arena(q->n * sizeof *d.id)};
    for (uint32_t i = 0; i < q->n; i++) {
        const struct net_cell *dff = register_of(n, q->id[i]);
        d.id[i] = cell_port(dff, "D")->bits.id[n->driver[q->id[i]].index];
    }
    return word(n, &d);
}

uint32_t instance_width(const struct net_cell *instance, const char *port)
{
    const struct port *p = cell_port(instance, port);
    return p ? p->bits.n : 0;
}

bool instance_declares(const struct netlist *n, const struct net_cell *instance, const char *port)
{
    for (unsigned i = 0; i < n->n_box_ports; i++)
        if (strcmp(n->box_port[i].module, instance->type) == 0 &&
            strcmp(n->box_port[i].name, port) == 0)
            return true;
    return false;
}

void instance_set(struct netlist *n, const struct net_cell *instance, const char *port, term symbol)
{
    set_bits(n, &cell_port(instance, port)->bits, symbol);
}

term instance_value(struct netlist *n, const struct net_cell *instance, const char *port)
{
    return word(n, &cell_port(instance, port)->bits);
}

const char *instance_port(const struct net_cell *instance, unsigned i, bool *output)
{
    if (i >= instance->n_ports)
        return NULL;
    *output = instance->port[i].output;
    return instance->port[i].name;
}
