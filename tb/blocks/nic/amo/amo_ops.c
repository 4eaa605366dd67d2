// SPDX-License-Identifier: Apache-2.0
/*
 * amo_ops.c - see amo_ops.h.
 */
#include "tb/blocks/nic/amo/amo_ops.h"

#include "tb/golden/nic/nic_amo.h"

#include <stdio.h>
#include <string.h>

/* begin, gap, words, fetches, replies, dones, answers, flush, others, reading, writing, order, even */
const struct amo_load amo_loads[AMO_LOADS] = {
    {1, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, true},
    {1, 0, 1, 1, 1, 1, 1, 0.002, 0.2, 20, 20, 0.5, false},
    {0.3, 0.3, 0.5, 0.3, 0.5, 0.5, 0.3, 0.001, 0.5, 5, 3, 0.1, false},
    {1, 0.1, 0.1, 1, 1, 0.3, 1, 0.01, 0.1, 30, 5, 0.06, false},
    {1, 0.1, 0.7, 1, 0.1, 1, 0.2, 0, 0.1, 1, 40, 0.3, false},
};

enum { TABLE = 2 * AMO_VARS };

static unsigned table[TABLE];  /* numbers of variables, more by one; 0: none */
static struct amo_var nowhere; /* that of no operation, and of addresses that are wrong */

void amo_ops_begin(void)
{
    memset(table, 0, sizeof(table));
}

const char *amo_op_text(const struct amo_test_op *op)
{
    static const char *const stages[] = {"not sent",      "sent",    "read for",
                                         "to be written", "written", "ended"};
    static char text[120];

    snprintf(text, sizeof(text), "operation %u (opcode %02x%s of %#llx, %s)",
             (unsigned)(op - am.ops), op->opcode, op->fetch ? " fetching" : "",
             (unsigned long long)op->addr,
             (unsigned)op->stage < sizeof(stages) / sizeof(*stages) ? stages[op->stage] : "?");
    return text;
}

/* ---- variables ----------------------------------------------------------------------------------- */

/* The place in table of the variable with this address, or where it would be. */
static unsigned place_of(uint64_t addr)
{
    uint64_t at = (addr / 8 * UINT64_C(0x9E3779B97F4A7C15)) >> 40;

    while (table[at % TABLE] != 0 && am.vars[table[at % TABLE] - 1].addr != addr / 8 * 8) {
        at++;
    }
    return (unsigned)(at % TABLE);
}

struct amo_var *amo_var_at(uint64_t addr)
{
    unsigned number = table[place_of(addr)];

    return number != 0 ? &am.vars[number - 1] : &nowhere;
}

unsigned amo_half_of(uint64_t addr)
{
    return addr / 4 % 2;
}

uint64_t amo_joined(uint32_t low, uint32_t high, uint64_t addr, bool wide)
{
    return wide ? (uint64_t)high << 32 | low : amo_half_of(addr) ? high : low;
}

unsigned amo_bench_var(uint64_t addr)
{
    struct amo_var *var = &am.vars[am.var_count];

    *var = (struct amo_var){.addr = addr};
    for (unsigned h = 0; h < 2; h++) {
        var->half[h].memory = var->half[h].golden = (uint32_t)rng_next(&am.rng);
        var->half[h].issued_value = var->half[h].memory;
    }
    table[place_of(addr)] = ++am.var_count;
    return am.var_count - 1;
}

void amo_bench_check_memory(void)
{
    for (unsigned v = 0; v < am.var_count; v++) {
        for (unsigned h = 0; h < 2; h++) {
            must_equal(&am.wrong, am.vars[v].half[h].memory, am.vars[v].half[h].golden,
                       "memory at %#llx", (unsigned long long)am.vars[v].addr + 4 * h);
        }
    }
}

/* ---- operations ---------------------------------------------------------------------------------- */

static uint64_t random_word(uint64_t now)
{
    /* clang-format off */
    static const uint64_t special[] = {
        0, 1, UINT64_MAX, 0x8000000080000000, 0x7FFFFFFF7FFFFFFF, 0x7FF0000000000000, 0xFFF0000000000000,
        0x7FF8000000000000, 0x7FF0000000000001, 0x3FF000003F800000, 0xBFF00000BF800000, 0x7FEFFFFF7F7FFFFF,
        0x000000007F800000, 0x00000000FF800000, 0x000000007FC00000, 0x8000000000000000,
    };
    /* clang-format on */
    uint64_t random = rng_next(&am.rng);

    switch (rng_below(&am.rng, 5)) {
    case 0:
        return special[rng_below(&am.rng, sizeof(special) / sizeof(*special))];
    case 1:
        return now;
    case 2: /* a number near the one that is there, and its negative */
        return now ^ (random & UINT64_C(0x800FFFFF807FFFFF));
    default:
        return random;
    }
}

uint64_t amo_bench_address(void)
{
    return (rng_next(&am.rng) & UINT64_C(0x1FFFFFFFFFFFFF)) / 8 * 8;
}

unsigned amo_bench_pair(unsigned opcode, bool fetch)
{
    for (unsigned pair = 0; pair < PAIRS; pair++) {
        if (amo_pairs[pair] == opcode + 0x80 * fetch) {
            return pair;
        }
    }
    return 0;
}

struct amo_test_op amo_bench_random(unsigned var, unsigned half, unsigned pair)
{
    unsigned opcode = amo_pairs[pair] % 0x80;
    bool fetch = amo_pairs[pair] / 0x80, wide = gn_amo_of(opcode, fetch).wide;
    const struct amo_half *now = am.vars[var].half;
    uint64_t addr = am.vars[var].addr + (wide ? 0 : 4 * half);
    uint64_t value = amo_joined(now[0].golden, now[1].golden, addr, wide);

    return (struct amo_test_op){
        .addr = addr,
        .a = random_word(value),
        .b = random_word(value),
        .opcode = opcode,
        .fetch = fetch,
        .order = rng_below(&am.rng, 2),
    };
}

uint64_t amo_changed(const struct amo_test_op *op, uint64_t old)
{
    return gn_amo_apply(op->opcode, (enum gn_rounding)am.rounding, old, op->a, op->b);
}

uint32_t amo_part(const struct amo_test_op *op, unsigned half, uint64_t value)
{
    return (uint32_t)(op->wide ? value >> (32 * half) : value);
}

unsigned amo_status_of(unsigned memory)
{
    return memory == MEM_UNTRANSLATED ? STATUS_TRANSLATION
           : memory == MEM_BUS_ERROR  ? STATUS_BUS
           : memory == MEM_WRONG_BITS ? STATUS_DATA
                                      : STATUS_OK;
}

/* Takes its place behind those before it, in its halves. */
static void queue(struct amo_half *half, unsigned h, unsigned index)
{
    if (half->first == 0) {
        half->first = index;
    } else {
        am.ops[half->last].next[h] = index;
    }
    half->last = index;
}

struct amo_test_op *amo_bench_add(struct amo_test_op added)
{
    unsigned index = ++am.count;
    struct amo_test_op *op = &am.ops[index];
    struct amo_half *half = amo_var_at(added.addr)->half;

    *op = added;
    op->wide = gn_amo_of(op->opcode, op->fetch).wide;
    op->from = op->wide ? 0 : amo_half_of(op->addr);
    op->to = op->wide ? 1 : amo_half_of(op->addr);
    op->whom = (rng_next(&am.rng) & 0x1FFFF) << 16 | index;
    op->counted = rng_below(&am.rng, 2);
    op->of = rng_below(&am.rng, 1 << 12);
    op->stage = SENT;
    op->next[0] = op->next[1] = 0;
    if (op->lost || op->bad) {
        op->stage = ENDED;
        op->status = STATUS_DATA;
        return op;
    }
    op->want = amo_joined(half[0].golden, half[1].golden, op->addr, op->wide);
    uint64_t next = amo_changed(op, op->want);

    for (unsigned h = op->from; h <= op->to; h++) {
        half[h].golden = op->after[h] = amo_part(op, h, next);
        queue(&half[h], h, index);
    }
    return op;
}

unsigned amo_turn(uint64_t addr, bool wide)
{
    struct amo_var *var = amo_var_at(addr);
    unsigned index = var->half[amo_half_of(addr)].first;
    bool same = !wide || index == var->half[1].first;

    return same && index != 0 && index <= am.sent && am.ops[index].addr == addr &&
                   am.ops[index].wide == wide
               ? index
               : 0;
}

void amo_end_turn(unsigned index)
{
    struct amo_test_op *op = &am.ops[index];
    struct amo_half *half = amo_var_at(op->addr)->half;

    for (unsigned h = op->from; h <= op->to; h++) {
        half[h].first = op->next[h];
    }
}
