// SPDX-License-Identifier: Apache-2.0
/*
 * cell.c - what each kind of Yosys' word-level cells computes (Yosys manual, "Internal cell library").
 *
 * x is any value: a fresh symbol each time, so a proof never rests on what a tool makes of it.
 */
#include "read/netlist_cell.h"

#include "terms/arena.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const struct port *cell_port(const struct net_cell *cell, const char *name)
{
    for (unsigned i = 0; i < cell->n_ports; i++)
        if (strcmp(cell->port[i].name, name) == 0)
            return &cell->port[i];
    return NULL;
}

const char *cell_parameter(const struct net_cell *cell, const char *name)
{
    for (unsigned i = 0; i < cell->n_parameters; i++)
        if (strcmp(cell->parameter[i].name, name) == 0)
            return cell->parameter[i].value;
    unsupported("cell %s (%s) has no parameter %s", cell->name, cell->type, name);
}

static uint32_t parameter(const struct net_cell *cell, const char *name)
{
    return (uint32_t)strtoul(cell_parameter(cell, name), NULL, 2);
}

/* The term that drives one net, and which bit of it. */
static term source(struct netlist *n, int id, uint32_t *at)
{
    *at = 0;
    if (id < 0)
        return id == BIT_X ? term_var("x", 1) : term_const(1, id == BIT_1);
    const struct driver *d = &n->driver[id];
    *at = d->symbol ? d->at : d->index;
    if (d->symbol)
        return d->symbol;
    if (!d->cell) /* driven by nothing */
        return term_var("undriven", 1);
    return cell_value(n, d->cell);
}

term word(struct netlist *n, const struct bits *bits)
{
    term result = NO_TERM;
    for (uint32_t i = 0; i < bits->n;) {
        uint32_t at, next, run = 1;
        term from = source(n, bits->id[i], &at);
        while (i + run < bits->n && at + run < width_of(from) && bits->id[i + run] >= 0 &&
               source(n, bits->id[i + run], &next) == from && next == at + run)
            run++;
        term piece = term_extract(from, at, run);
        result = result ? term_concat(piece, result) : piece;
        i += run;
    }
    return result;
}

static term input(struct netlist *n, const struct net_cell *cell, const char *name)
{
    const struct port *port = cell_port(cell, name);
    if (!port)
        unsupported("cell %s (%s) has no port %s", cell->name, cell->type, name);
    return word(n, &port->bits);
}

static term extend(term t, uint32_t width, bool is_signed)
{
    if (width < width_of(t))
        return term_extract(t, 0, width);
    return is_signed ? term_sext(t, width) : term_zext(t, width);
}

static uint32_t largest(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static bool is(const struct net_cell *cell, const char *type)
{
    return strcmp(cell->type, type) == 0;
}

static term reduce_xor(term a)
{
    term result = term_extract(a, 0, 1);
    for (uint32_t i = 1; i < width_of(a); i++)
        result = term_xor(result, term_extract(a, i, 1));
    return result;
}

/* One operand, Y_WIDTH bits. NO_TERM: not one of these. */
static term unary(const struct net_cell *cell, term a, bool is_signed, uint32_t width)
{
    if (is(cell, "$not"))
        return term_not(extend(a, width, is_signed));
    if (is(cell, "$pos"))
        return extend(a, width, is_signed);
    if (is(cell, "$neg"))
        return term_sub(term_const(width, 0), extend(a, width, is_signed));
    if (is(cell, "$logic_not"))
        return term_zext(term_not(term_is_nonzero(a)), width);
    if (is(cell, "$reduce_or") || is(cell, "$reduce_bool"))
        return term_zext(term_is_nonzero(a), width);
    if (is(cell, "$reduce_and"))
        return term_zext(term_eq(a, term_ones(width_of(a))), width);
    if (is(cell, "$reduce_xor"))
        return term_zext(reduce_xor(a), width);
    if (is(cell, "$reduce_xnor"))
        return term_zext(term_not(reduce_xor(a)), width);
    return NO_TERM;
}

/* Two operands extended to the widest of A, B and Y. */
static term arithmetic(const struct net_cell *cell, term a, term b, bool is_signed)
{
    if (is(cell, "$and"))
        return term_and(a, b);
    if (is(cell, "$or"))
        return term_or(a, b);
    if (is(cell, "$xor"))
        return term_xor(a, b);
    if (is(cell, "$xnor"))
        return term_not(term_xor(a, b));
    if (is(cell, "$add"))
        return term_add(a, b);
    if (is(cell, "$sub"))
        return term_sub(a, b);
    if (is(cell, "$mul"))
        return term_mul(a, b);
    if (is(cell, "$div"))
        return term_divide(is_signed ? OP_SDIV : OP_UDIV, a, b);
    if (is(cell, "$mod"))
        return term_divide(is_signed ? OP_SREM : OP_UREM, a, b);
    return NO_TERM;
}

static term less(term a, term b, bool is_signed)
{
    return is_signed ? term_slt(a, b) : term_ult(a, b);
}

/* One bit out of two operands extended to the wider one. */
static term compare(const struct net_cell *cell, term a, term b, bool is_signed)
{
    if (is(cell, "$eq") || is(cell, "$eqx"))
        return term_eq(a, b);
    if (is(cell, "$ne") || is(cell, "$nex"))
        return term_not(term_eq(a, b));
    if (is(cell, "$lt"))
        return less(a, b, is_signed);
    if (is(cell, "$gt"))
        return less(b, a, is_signed);
    if (is(cell, "$le"))
        return term_not(less(b, a, is_signed));
    if (is(cell, "$ge"))
        return term_not(less(a, b, is_signed));
    return NO_TERM;
}

static term logic(const struct net_cell *cell, term a, term b)
{
    if (is(cell, "$logic_and"))
        return term_and(term_is_nonzero(a), term_is_nonzero(b));
    if (is(cell, "$logic_or"))
        return term_or(term_is_nonzero(a), term_is_nonzero(b));
    return NO_TERM;
}

static term shift(const struct net_cell *cell, term a, term b, bool is_signed, uint32_t width)
{
    term wide = extend(a, largest(width, width_of(a)), is_signed);
    if (is(cell, "$shl") || is(cell, "$sshl"))
        return extend(term_shift(OP_SHL, wide, b), width, false);
    if (is(cell, "$shr"))
        return extend(term_shift(OP_LSHR, wide, b), width, false);
    if (is(cell, "$sshr"))
        return extend(term_shift(is_signed ? OP_ASHR : OP_LSHR, wide, b), width, false);
    return NO_TERM;
}

/* b = *by * scale + *first, no bit lost; anything is itself * 1 + 0. */
static void factors(term b, term *by, uint64_t *scale, uint64_t *first)
{
    const struct node n = *node_of(b);
    uint64_t k;
    if (n.op == OP_CONCAT && is_zero(n.a)) {
        factors(n.b, by, scale, first);
    } else if (n.op == OP_CONCAT && const_value(n.b, &k) && width_of(n.b) < 32) {
        factors(n.a, by, scale, first);
        *scale <<= width_of(n.b);
        *first = (*first << width_of(n.b)) + k;
    } else if (n.op == OP_MUL && const_value(n.b, &k) && width_of(n.a) < 32 && k < 65536 &&
               is_zero(term_extract(n.a, n.width - 1, 1))) {
        factors(n.a, by, scale, first);
        *scale *= k;
        *first *= k;
    } else {
        *by = b;
        *scale = 1;
        *first = 0;
    }
}

/* Y bits of A from bit B on; where B leads out of A it is any value. */
static term select_bits(const struct net_cell *cell, term a, term b, uint32_t width)
{
    uint32_t wide = largest(width, width_of(a)), last = wide - width;
    bool is_signed = parameter(cell, "B_SIGNED");
    uint64_t scale, first;
    term by, right, no = term_false();
    if (is_signed) { /* below bit 0 it is any value, too */
        no = term_extract(b, width_of(b) - 1, 1);
        b = term_concat(term_false(), term_extract(b, 0, width_of(b) - 1));
    }
    factors(b, &by, &scale, &first);
    if (scale == width && first == 0 && width_of(a) % width == 0) { /* an element of an array */
        uint32_t n = width_of(a) / width;
        term *value = arena(n * sizeof *value);
        for (uint32_t i = 0; i < n; i++)
            value[i] = term_extract(a, i * width, width);
        right = term_mux(value, n, by);
    } else {
        right = term_extract(term_shift(OP_LSHR, term_zext(a, wide), b), 0, width);
    }
    term inside = term_ult(term_resize(b, largest(32, width_of(b))),
                           term_const(largest(32, width_of(b)), last + 1));
    if (is(cell, "$shift"))
        unsupported("cell %s of type $shift", cell->name);
    if (width_of(by) < 32 && ((UINT64_C(1) << width_of(by)) - 1) * scale + first <= last)
        inside = term_true();
    return term_ite(term_and(inside, term_not(no)), right, term_var("x", width));
}

static term parallel_mux(struct netlist *n, const struct net_cell *cell)
{
    term result = input(n, cell, "A"), b = input(n, cell, "B"), s = input(n, cell, "S");
    uint32_t width = width_of(result);
    for (uint32_t i = 0; i < width_of(s); i++)
        result = term_ite(term_extract(s, i, 1), term_extract(b, i * width, width), result);
    return result;
}

bool cell_is_rom(const struct net_cell *cell)
{
    return parameter(cell, "WR_PORTS") == 0 && strchr(cell_parameter(cell, "INIT"), '1');
}

/* What a memory that nothing writes holds at an address. Words that are not set in the Verilog are zero. */
static term rom_word(const struct net_cell *cell, term at, uint32_t depth, uint32_t width)
{
    const char *bits = cell_parameter(cell, "INIT"), *last = bits + strlen(bits) - 1;
    term *word = arena(depth * sizeof *word);
    for (uint32_t i = 0; i < depth; i++) {
        term t = NO_TERM;
        for (uint32_t b = 0; b < width; b++) {
            const bool one = last[-(ptrdiff_t)(i * width + b)] == '1';
            t = t ? term_concat(term_const(1, one), t) : term_const(1, one);
        }
        word[i] = t;
    }
    return term_mux(word, depth, at);
}

/* All read ports side by side. */
static term memory_read(struct netlist *n, const struct net_cell *cell)
{
    uint32_t bits = parameter(cell, "ABITS"), width = parameter(cell, "WIDTH");
    uint32_t index = 0, depth = parameter(cell, "SIZE");
    while (UINT64_C(1) << index < depth)
        index++;
    if (strchr(cell_parameter(cell, "RD_CLK_ENABLE"), '1') || UINT64_C(1) << index != depth ||
        parameter(cell, "OFFSET"))
        unsupported("memory %s: clocked reads, or a depth that is no power of two", cell->name);
    term address = input(n, cell, "RD_ADDR"), result = NO_TERM;
    for (uint32_t i = 0; i < parameter(cell, "RD_PORTS"); i++) {
        term at = term_extract(address, i * bits, bits);
        term data = cell_is_rom(cell) ? rom_word(cell, term_resize(at, index), depth, width)
                                      : term_select(cell->memory, term_resize(at, index), width);
        if (bits > index) {
            term inside =
                term_eq(term_extract(at, index, bits - index), term_const(bits - index, 0));
            data = term_ite(inside, data, term_var("x", width));
        }
        result = result ? term_concat(data, result) : data;
    }
    return result;
}

static term compute(struct netlist *n, const struct net_cell *cell)
{
    if (is(cell, "$mem_v2"))
        return memory_read(n, cell);
    if (is(cell, "$pmux"))
        return parallel_mux(n, cell);
    term a = input(n, cell, "A");
    if (is(cell, "$mux")) {
        term b = input(n, cell, "B");
        return term_ite(input(n, cell, "S"), b, a);
    }
    bool is_signed = parameter(cell, "A_SIGNED");
    uint32_t width = parameter(cell, "Y_WIDTH");
    term result = unary(cell, a, is_signed, width);
    if (result)
        return result;
    term b = input(n, cell, "B");
    if (is(cell, "$shift") || is(cell, "$shiftx"))
        return select_bits(cell, a, b, width);
    result = shift(cell, a, b, is_signed, width);
    if (result)
        return result;
    result = logic(cell, a, b);
    is_signed = is_signed && parameter(cell, "B_SIGNED");
    uint32_t both = largest(width_of(a), width_of(b));
    if (!result)
        result = compare(cell, extend(a, both, is_signed), extend(b, both, is_signed), is_signed);
    if (result)
        return term_zext(result, width);
    both = largest(both, width);
    result = arithmetic(cell, extend(a, both, is_signed), extend(b, both, is_signed), is_signed);
    if (!result)
        unsupported("cell %s of type %s", cell->name, cell->type);
    return term_extract(result, 0, width);
}

term cell_value(struct netlist *n, struct net_cell *cell)
{
    if (cell->value)
        return cell->value;
    if (cell->busy)
        unsupported("a combinational loop through cell %s (%s)", cell->name, cell->type);
    cell->busy = true;
    cell->value = compute(n, cell);
    cell->busy = false;
    return cell->value;
}

struct net_memory netlist_memory(const struct netlist *n, unsigned i)
{
    if (i >= n->n_memories)
        return (struct net_memory){0};
    const struct net_cell *cell = n->memory[i];
    const char *name = cell_parameter(cell, "MEMID");
    return (struct net_memory){*name == '\\' ? name + 1 : name, parameter(cell, "SIZE"),
                               parameter(cell, "WIDTH")};
}

term netlist_memory_next(struct netlist *n, unsigned i, term address)
{
    const struct net_cell *cell = n->memory[i];
    uint32_t bits = parameter(cell, "ABITS"), width = parameter(cell, "WIDTH");
    term result = term_select(i, address, width);
    if (parameter(cell, "WR_PORTS") == 0)
        return result;
    if (strchr(cell_parameter(cell, "WR_CLK_ENABLE"), '0'))
        unsupported("memory %s: a write without a clock", cell->name);
    term at = input(n, cell, "WR_ADDR"), data = input(n, cell, "WR_DATA");
    term enable = input(n, cell, "WR_EN");
    uint32_t wide = largest(bits, width_of(address));
    for (uint32_t p = 0; p < parameter(cell, "WR_PORTS"); p++) {
        term here = term_eq(term_resize(term_extract(at, p * bits, bits), wide),
                            term_resize(address, wide));
        term on = term_extract(enable, p * width, width);
        term new = term_extract(data, p * width, width);
        term merged = term_or(term_and(new, on), term_and(result, term_not(on)));
        if (on == term_sext(term_extract(on, 0, 1), width)) { /* one enable for all bits */
            here = term_and(here, term_extract(on, 0, 1));
            merged = new;
        }
        result = term_ite(here, merged, result);
    }
    return result;
}
