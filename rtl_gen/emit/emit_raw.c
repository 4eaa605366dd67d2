// SPDX-License-Identifier: Apache-2.0
/*
 * emit_raw.c - M_raw.cpp: the C++ half of the shim, which alone sees the Verilated model. Moves
 * words to the ports and the registers back; knows no header of the design, as g++ has no _BitInt.
 */
#include "emit/dialect.h"
#include "graph/graph.h"

/* A model made without --trace-fst is compiled with -DVM_TRACE=0, as Verilator's own makefiles do. */
static const char head[] = "#include \"V@.h\"\n"
                           "#include \"verilated.h\"\n"
                           "#if !defined(VM_TRACE) || VM_TRACE\n"
                           "#include \"verilated_fst_c.h\"\n"
                           "#else\n"
                           "struct VerilatedFstC { // never made\n"
                           "    void dump(uint64_t) {}\n"
                           "    void close() {}\n"
                           "};\n"
                           "#endif\n"
                           "\n"
                           "#include <cstdint>\n"
                           "#include <cstdio>\n"
                           "#include <cstring>\n"
                           "\n"
                           "namespace\n"
                           "{\n"
                           "\n";

static const char get_part[] =
    "// width is 1 to 64\n"
    "inline uint64_t get(const uint32_t *w, unsigned lsb, unsigned width)\n"
    "{\n"
    "    unsigned shift = lsb % 32;\n"
    "    w += lsb / 32;\n"
    "    uint64_t value = w[0] >> shift;\n"
    "    if (shift + width > 32)\n"
    "        value |= (uint64_t)w[1] << (32 - shift);\n"
    "    if (shift + width > 64)\n"
    "        value |= (uint64_t)w[2] << (64 - shift);\n"
    "    return width < 64 ? value & (((uint64_t)1 << width) - 1) : value;\n"
    "}\n"
    "\n";

static const char raw_part[] = "struct model {\n"
                               "    VerilatedContext context;\n"
                               "    V@ *top;\n"
                               "    VerilatedFstC *fst;\n"
                               "    uint64_t clock;\n"
                               "};\n"
                               "\n";

static const char clock_part[] =
    "void clock(model *r)\n"
    "{\n"
    "    Verilated::threadContextp(&r->context);\n"
    "    r->top->clk = 1;\n"
    "    r->top->eval();\n"
    "    if (r->fst)\n"
    "        r->fst->dump(r->clock * 2);\n"
    "    r->top->clk = 0;\n"
    "    r->top->eval();\n"
    "    if (r->fst)\n"
    "        r->fst->dump(r->clock * 2 + 1);\n"
    "    r->clock++;\n"
    "}\n"
    "\n"
    "} // namespace\n"
    "\n"
    "// Verilator's own exits the program when two assertions fire in one clock; weak, as every "
    "model of\n"
    "// a program brings it. The runtime is compiled with VL_USER_FINISH.\n"
    "__attribute__((weak)) void vl_finish(const char *, int, const char *)\n"
    "{\n"
    "    Verilated::threadContextp()->gotFinish(true);\n"
    "}\n"
    "\n"
    "extern \"C\" void @_raw_trace(void *raw, const char *fst)\n"
    "{\n"
    "#if !defined(VM_TRACE) || VM_TRACE\n"
    "    model *r = static_cast<model *>(raw);\n"
    "    r->fst = new VerilatedFstC;\n"
    "    r->top->trace(r->fst, 99);\n"
    "    r->fst->open(fst);\n"
    "#else\n"
    "    (void)raw;\n"
    "    fprintf(stderr, \"@: no waveform %s: this model is made without --trace-fst\\n\", fst);\n"
    "#endif\n"
    "}\n"
    "\n"
    "extern \"C\" void *@_raw_new(const char *fst)\n"
    "{\n"
    "    model *r = new model{};\n"
    "    r->context.traceEverOn(true);\n"
    "    r->context.randReset(2); // what neither reset nor initial sets starts with noise,\n"
    "    r->context.randSeed(1);  // the same in every run\n"
    "    r->top = new V@{&r->context, \"@\"};\n"
    "    r->top->clk = 0;\n"
    "    r->top->eval(); // the first edge is the one that reset makes\n"
    "    if (fst)\n"
    "        @_raw_trace(r, fst);\n"
    "    return r;\n"
    "}\n"
    "\n"
    "extern \"C\" void @_raw_reset(void *raw)\n"
    "{\n"
    "    model *r = static_cast<model *>(raw);\n"
    "    r->top->rst = 1;\n"
    "    clock(r);\n"
    "    r->top->rst = 0;\n"
    "}\n"
    "\n"
    "// 1: an assertion of the Verilog fired. Registers are read after the edge.\n"
    "extern \"C\" int @_raw_step(void *raw, const uint32_t *in, uint32_t *state)\n"
    "{\n"
    "    model *r = static_cast<model *>(raw);\n"
    "    set_inputs(r, in);\n"
    "    clock(r);\n";

static const char end_part[] =
    "    bool fired = r->context.gotFinish();\n"
    "    r->context.gotFinish(false);\n"
    "    return fired;\n"
    "}\n"
    "\n"
    "extern \"C\" void @_raw_free(void *raw)\n"
    "{\n"
    "    model *r = static_cast<model *>(raw);\n"
    "    if (r->fst)\n"
    "        r->fst->close();\n"
    "    Verilated::threadContextp(&r->context); // its scopes leave the table of this context\n"
    "    r->top->final();\n"
    "    delete r->fst;\n"
    "    delete r->top;\n"
    "    delete r;\n"
    "}\n";

/* Words of Verilator's wide ports are set one by one, the last one short. */
static void set_port(struct text *t, const char *name, unsigned lsb, unsigned width)
{
    if (width <= 64) {
        put(t, "    r->top->%s = get(w, %u, %u);\n", name, lsb, width);
        return;
    }
    unsigned last = (width - 1) / 32;
    put(t, "    for (int i = 0; i < %u; i++)\n", last);
    put(t, "        r->top->%s[i] = get(w, %u + 32 * i, 32);\n", name, lsb);
    put(t, "    r->top->%s[%u] = get(w, %u, %u);\n", name, last, lsb + 32 * last,
        width - 32 * last);
}

/* Inputs that are ports. */
static unsigned ports_of(const struct module *m)
{
    unsigned n = 0;
    for (unsigned i = 0; i < m->in.n; i++)
        n += !m->in.leaf[i].unread;
    return n;
}

void set_ports(struct text *t, const struct module *m)
{
    unsigned lsb = 0;
    for (unsigned i = 0; i < m->in.n; i++) {
        if (!m->in.leaf[i].unread)
            set_port(t, m->in.leaf[i].name, lsb, leaf_bits(&m->in.leaf[i]));
        lsb += leaf_bits(&m->in.leaf[i]);
    }
    if (ports_of(m) == 0)
        put(t, "    (void)r, (void)w;\n");
}

static void put_state(struct text *t, unsigned bits)
{
    if (bits == 0)
        put(t, "    state[0] = 0;\n");
    else if (bits <= 32)
        put(t, "    state[0] = r->top->hls_state;\n");
    else if (bits <= 64)
        put(t, "    state[0] = (uint32_t)r->top->hls_state;\n"
               "    state[1] = (uint32_t)(r->top->hls_state >> 32);\n");
    else
        put(t, "    memcpy(state, r->top->hls_state.data(), %u * sizeof *state);\n",
            (bits + 31) / 32);
}

void emit_raw(struct text *t, const struct module *m)
{
    put(t, "// SPDX-License-Identifier: Apache-2.0\n");
    put(t, "// Generated by rtlgen from %s: moves words to and from the Verilated model.\n",
        m->source);
    put_template(t, head, m->verilog);
    if (ports_of(m))
        put(t, "%s", get_part);
    put_template(t, raw_part, m->verilog);
    put(t, "void set_inputs(model *r, const uint32_t *w)\n{\n");
    dialect_of(m)->set_inputs(t, m);
    put(t, "}\n\n");
    put_template(t, clock_part, m->verilog);
    put_state(t, own_state_bits(m));
    put_template(t, end_part, m->verilog);
}
