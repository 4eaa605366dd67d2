// SPDX-License-Identifier: Apache-2.0
/*
 * smt.c - terms as definitions of SMT-LIB, one for each node, and a run of z3.
 */
#include "solve/smt.h"

#include "terms/arena.h"
#include "terms/bits.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

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
    fprintf(f, "((_ extract %u 0) (%s", n->width - 1, op_info[n->op].smt);
    write_extended(f, n->a, wide, n->op == OP_ASHR);
    write_extended(f, n->b, wide, false);
    fputs("))", f);
}

static void write_wiring(FILE *f, const struct node *n)
{
    if (n->op == OP_EXTRACT)
        fprintf(f, "((_ extract %u %u) t%u)", n->aux + n->width - 1, n->aux, n->a);
    else if (n->op == OP_SEXT)
        fprintf(f, "((_ sign_extend %u) t%u)", n->width - width_of(n->a), n->a);
    else
        fprintf(f, "(%s t%u t%u)", op_info[n->op].smt, n->a, n->b);
}

static void write_bitwise(FILE *f, const struct node *n)
{
    if (n->op == OP_NOT)
        fprintf(f, "(bvnot t%u)", n->a);
    else if (n->op == OP_ITE)
        fprintf(f, "(ite (= t%u #b1) t%u t%u)", n->a, n->b, n->c);
    else
        fprintf(f, "(%s t%u t%u)", op_info[n->op].smt, n->a, n->b);
}

static void write_expression(FILE *f, const struct node *n)
{
    switch (op_info[n->op].kind) {
    case KIND_CONST:
        write_constant(f, n);
        break;
    case KIND_SYMBOL: /* a variable is declared, not defined */
        fprintf(f, "(select m%u t%u)", n->aux, n->a);
        break;
    case KIND_BITWISE:
        write_bitwise(f, n);
        break;
    case KIND_SHIFT:
        write_shift(f, n);
        break;
    case KIND_TEST:
        fprintf(f, "(ite (%s t%u t%u) #b1 #b0)", op_info[n->op].smt, n->a, n->b);
        break;
    case KIND_WIRING:
        write_wiring(f, n);
        break;
    case KIND_SUM:
    case KIND_QUOTIENT:
        fprintf(f, "(%s t%u t%u)", op_info[n->op].smt, n->a, n->b);
    }
}

/* Symbols; memories where they are read first. */
static void write_symbols(FILE *f, const bool *used)
{
    bool declared[1024] = {false};
    for (term t = 1; t < term_count(); t++) {
        const struct node *n = node_of(t);
        if (used[t] && n->op == OP_VAR)
            fprintf(f, "(declare-const t%u (_ BitVec %u)) ; %s\n", t, n->width, n->name);
        if (used[t] && n->op == OP_SELECT && !declared[n->aux]) {
            declared[n->aux] = true;
            fprintf(f, "(declare-const m%u (Array (_ BitVec %u) (_ BitVec %u)))\n", n->aux,
                    width_of(n->a), n->width);
        }
    }
}

/* What a model is to tell: both sides, symbols, words of memories and their addresses. */
struct asked {
    term *t;
    unsigned n;
};

static struct asked asked_for(const struct question *q, const bool *used)
{
    struct asked asked = {0};
    PUSH(asked.t, asked.n, q->a);
    PUSH(asked.t, asked.n, q->b);
    for (term t = 1; t < term_count(); t++) {
        const struct node *n = node_of(t);
        if (used[t] && (n->op == OP_VAR || n->op == OP_SELECT))
            PUSH(asked.t, asked.n, t);
        if (used[t] && n->op == OP_SELECT)
            PUSH(asked.t, asked.n, n->a);
    }
    return asked;
}

static bool has_memory(const bool *used)
{
    for (term t = 1; t < term_count(); t++)
        if (used[t] && node_of(t)->op == OP_SELECT)
            return true;
    return false;
}

static void write_condition(FILE *f, const struct question *q, const struct asked *asked)
{
    fprintf(f, "(and (not (= t%u t%u))", q->a, q->b);
    for (unsigned i = 0; i < q->n_assumed; i++)
        fprintf(f, " (= t%u #b1)", q->assumed[i]);
    for (unsigned i = 0; i < asked->n; i++)
        fprintf(f, "\n (= v%u t%u)", i, asked->t[i]);
    fputc(')', f);
}

/* One assertion, with a `let` for each term: of define-fun z3 makes trees, in which nothing is shared. */
static void write_question(FILE *f, const struct question *q, const bool *used,
                           const struct asked *asked)
{
    unsigned depth = 0;
    fprintf(f, "(set-option :produce-models true)\n(set-logic %s)\n",
            has_memory(used) ? "QF_ABV" : "QF_BV");
    write_symbols(f, used);
    for (unsigned i = 0; i < asked->n; i++)
        fprintf(f, "(declare-const v%u (_ BitVec %u))\n", i, width_of(asked->t[i]));
    fputs("(assert\n", f);
    for (term t = 1; t < term_count(); t++) {
        if (!used[t] || node_of(t)->op == OP_VAR)
            continue;
        fprintf(f, "(let ((t%u ", t);
        write_expression(f, node_of(t));
        fputs("))\n", f);
        depth++;
    }
    write_condition(f, q, asked);
    for (; depth > 0; depth--)
        fputc(')', f);
    fputs(")\n(check-sat)\n", f);
    for (unsigned i = 0; i < asked->n; i++)
        fprintf(f, "(get-value (v%u))\n", i);
}

/* "x0f" or "b101", low digits last */
static const uint64_t *parse_bits(const char *text, uint32_t width)
{
    uint64_t *bits = arena(words(width) * sizeof *bits);
    uint32_t per = *text == 'x' ? 4 : 1, at = 0;
    size_t n = strspn(text + 1, "0123456789abcdefABCDEF");
    for (size_t i = n; i > 0 && at < width; i--, at += per) {
        char digit[2] = {text[i], 0};
        bits[at / 64] |= strtoull(digit, NULL, 16) << (at % 64);
    }
    return bits;
}

/* Lines "((v12 #x0f))" */
static void read_model(FILE *f, const struct asked *asked, struct model *model)
{
    char line[1 << 14];
    *model = (struct model){0};
    while (fgets(line, sizeof line, f)) {
        const char *value = strchr(line, '#');
        if (strncmp(line, "((v", 3) != 0 || !value)
            continue;
        unsigned long i = strtoul(line + 3, NULL, 10);
        if (i >= asked->n)
            continue;
        term t = asked->t[i];
        PUSH(model->value, model->n, ((struct value_of){t, parse_bits(value + 1, width_of(t))}));
    }
}

const char *smt_describe(const struct question *q, const struct model *model)
{
    const char *text = "";
    for (unsigned i = 0, shown = 0; i < model->n && shown < 16; i++) {
        const struct value_of *v = &model->value[i];
        const char *name = i == 0 ? "C" : i == 1 ? "Verilog" : node_of(v->t)->name;
        if (!name || (i > 1 && (v->t == q->a || v->t == q->b)))
            continue;
        text = arena_printf("%s%s%s 0x", text, *text ? ", " : "", name);
        for (uint32_t k = words(width_of(v->t)), high = k; k-- > 0;)
            text = arena_printf(k + 1 == high ? "%s%llx" : "%s%016llx", text,
                                (unsigned long long)v->bits[k]);
        shown++;
    }
    return text;
}

static enum answer read_answer(const char *file, const struct asked *asked, struct model *model)
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
        read_model(f, asked, model);
    if (f)
        fclose(f);
    return answer;
}

/* z3 on the file, until its processor time is used up. */
static enum answer run(const char *file, unsigned seconds, const struct asked *asked,
                       struct model *model)
{
    const char *output = arena_printf("%s.out", file);
    int status = system(arena_printf("ulimit -t %u; exec z3 %s >%s 2>&1", seconds, file, output));
    if (status == -1)
        unsupported("cannot run z3");
    if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
        return ANSWER_TIMEOUT;
    return read_answer(output, asked, model);
}

enum answer smt_ask(const char *file, const struct question *q, unsigned seconds,
                    struct model *model)
{
    bool *used = calloc(term_count(), sizeof *used);
    FILE *f = fopen(file, "w");
    if (!used || !f)
        unsupported("cannot write %s", file);
    for (unsigned i = 0; i < q->n_assumed; i++)
        used[q->assumed[i]] = true;
    used[q->a] = used[q->b] = true;
    eval_mark(used);
    struct asked asked = asked_for(q, used);
    write_question(f, q, used, &asked);
    fclose(f);
    free(used);
    return run(file, seconds, &asked, model);
}

unsigned seconds_used(void)
{
    struct rusage self, children;
    if (getrusage(RUSAGE_SELF, &self) != 0 || getrusage(RUSAGE_CHILDREN, &children) != 0)
        return 0;
    return (unsigned)(self.ru_utime.tv_sec + self.ru_stime.tv_sec + children.ru_utime.tv_sec +
                      children.ru_stime.tv_sec);
}
