// SPDX-License-Identifier: Apache-2.0
/*
 * smt.c - terms as definitions of SMT-LIB, one for each node, and a run of z3.
 */
#include "smt.h"

#include "arena.h"
#include "bits.h"
#include "eval.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const op_name[] = {
    [OP_NOT] = "bvnot",     [OP_AND] = "bvand",   [OP_XOR] = "bvxor",   [OP_ADD] = "bvadd",
    [OP_SUB] = "bvsub",     [OP_MUL] = "bvmul",   [OP_UDIV] = "bvudiv", [OP_UREM] = "bvurem",
    [OP_SDIV] = "bvsdiv",   [OP_SREM] = "bvsrem", [OP_SHL] = "bvshl",   [OP_LSHR] = "bvlshr",
    [OP_ASHR] = "bvashr",   [OP_EQ] = "=",        [OP_ULT] = "bvult",   [OP_SLT] = "bvslt",
    [OP_CONCAT] = "concat",
};

static void write_constant(FILE *f, const struct node *n)
{
    fputs("#b", f);
    for (uint32_t i = n->width; i-- > 0;)
        fputc('0' + bit_of(n->bits, i), f);
}

/* An operand of a shift, as wide as both need. */
static void write_extended(FILE *f, term t, uint32_t width, bool is_signed)
{
    if (width == width_of(t))
        fprintf(f, " t%u", t);
    else
        fprintf(f, " ((_ %s_extend %u) t%u)", is_signed ? "sign" : "zero", width - width_of(t), t);
}

static void write_shift(FILE *f, const struct node *n)
{
    uint32_t wide = n->width > width_of(n->b) ? n->width : width_of(n->b);
    fprintf(f, "((_ extract %u 0) (%s", n->width - 1, op_name[n->op]);
    write_extended(f, n->a, wide, n->op == OP_ASHR);
    write_extended(f, n->b, wide, false);
    fputs("))", f);
}

static void write_expression(FILE *f, const struct node *n)
{
    switch (n->op) {
    case OP_CONST:
        write_constant(f, n);
        break;
    case OP_SELECT:
        fprintf(f, "(select m%u t%u)", n->aux, n->a);
        break;
    case OP_NOT:
        fprintf(f, "(bvnot t%u)", n->a);
        break;
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR:
        write_shift(f, n);
        break;
    case OP_EQ:
    case OP_ULT:
    case OP_SLT:
        fprintf(f, "(ite (%s t%u t%u) #b1 #b0)", op_name[n->op], n->a, n->b);
        break;
    case OP_ITE:
        fprintf(f, "(ite (= t%u #b1) t%u t%u)", n->a, n->b, n->c);
        break;
    case OP_EXTRACT:
        fprintf(f, "((_ extract %u %u) t%u)", n->aux + n->width - 1, n->aux, n->a);
        break;
    case OP_SEXT:
        fprintf(f, "((_ sign_extend %u) t%u)", n->width - width_of(n->a), n->a);
        break;
    default:
        fprintf(f, "(%s t%u t%u)", op_name[n->op], n->a, n->b);
    }
}

/* Memories are declared where they are read first. */
static void write_memory(FILE *f, const struct node *n, bool *declared)
{
    if (n->op == OP_SELECT && !declared[n->aux]) {
        declared[n->aux] = true;
        fprintf(f, "(declare-const m%u (Array (_ BitVec %u) (_ BitVec %u)))\n", n->aux,
                width_of(n->a), n->width);
    }
}

static void write_terms(FILE *f, const bool *used)
{
    bool declared[1024] = {false};
    for (term t = 1; t < term_count(); t++) {
        const struct node *n = node_of(t);
        if (!used[t])
            continue;
        if (n->op == OP_VAR) {
            fprintf(f, "(declare-const t%u (_ BitVec %u)) ; %s\n", t, n->width, n->name);
            continue;
        }
        write_memory(f, n, declared);
        fprintf(f, "(define-fun t%u () (_ BitVec %u) ", t, n->width);
        write_expression(f, n);
        fputs(")\n", f);
    }
}

static bool has_memory(const bool *used)
{
    for (term t = 1; t < term_count(); t++)
        if (used[t] && node_of(t)->op == OP_SELECT)
            return true;
    return false;
}

static void write_question(FILE *f, const struct question *q, const bool *used)
{
    fprintf(f, "(set-option :produce-models true)\n(set-logic %s)\n",
            has_memory(used) ? "QF_ABV" : "QF_BV");
    write_terms(f, used);
    for (unsigned i = 0; i < q->n_assumed; i++)
        fprintf(f, "(assert (= t%u #b1))\n", q->assumed[i]);
    fprintf(f, "(assert (not (= t%u t%u)))\n(check-sat)\n", q->a, q->b);
    fprintf(f, "(get-value (t%u))\n(get-value (t%u))\n", q->a, q->b);
    for (term t = 1; t < term_count(); t++)
        if (used[t] && node_of(t)->op == OP_VAR)
            fprintf(f, "(get-value (t%u))\n", t);
}

/* "((t12 #x0f))" as "0x0f", the name of a symbol before it */
static const char *read_example(FILE *f, const struct question *q)
{
    char line[1 << 14];
    const char *text = "";
    unsigned shown = 0;
    while (fgets(line, sizeof line, f) && shown < 16) {
        term t = (term)strtoul(line + 3, NULL, 10);
        char *value = strchr(line, '#');
        if (strncmp(line, "((t", 3) != 0 || !value)
            continue;
        value[strcspn(value, ")\n")] = 0;
        const char *name = t == q->a ? "C" : t == q->b ? "Verilog" : node_of(t)->name;
        text =
            arena_printf("%s%s%s 0%s", text, *text ? ", " : "", name ? name : "value", value + 1);
        shown++;
    }
    return text;
}

static enum answer read_answer(const char *file, const struct question *q, const char **example)
{
    FILE *f = fopen(file, "r");
    char line[256] = "";
    enum answer answer = ANSWER_ERROR;
    if (!f || !fgets(line, sizeof line, f))
        answer = ANSWER_ERROR;
    else if (strcmp(line, "unsat\n") == 0)
        answer = ANSWER_EQUAL;
    else if (strcmp(line, "sat\n") == 0)
        answer = ANSWER_DIFFER;
    else if (strcmp(line, "unknown\n") == 0 || strcmp(line, "timeout\n") == 0)
        answer = ANSWER_TIMEOUT;
    if (answer == ANSWER_DIFFER)
        *example = read_example(f, q);
    if (f)
        fclose(f);
    return answer;
}

enum answer smt_ask(const char *file, const struct question *q, unsigned seconds,
                    const char **example)
{
    bool *used = calloc(term_count(), sizeof *used);
    FILE *f = fopen(file, "w");
    if (!used || !f)
        unsupported("cannot write %s", file);
    for (unsigned i = 0; i < q->n_assumed; i++)
        used[q->assumed[i]] = true;
    used[q->a] = used[q->b] = true;
    eval_mark(used);
    write_question(f, q, used);
    fclose(f);
    free(used);
    const char *command = arena_printf("z3 -T:%u %s >%s.out 2>&1", seconds, file, file);
    if (system(command) < 0)
        unsupported("cannot run z3");
    return read_answer(arena_printf("%s.out", file), q, example);
}
