// SPDX-License-Identifier: Apache-2.0
/*
 * glue.c - fuzzglue: what ties a batch of lowered programs together.
 *
 * Reads DIR/rtl/<name>.json and <name>_shim.c of every program, in order, and writes into DIR
 *   w<i>.v       module fuzz_<i>: program i with its ports as the vectors in, out and state
 *   top.v        all of them side by side, for Verilator
 *   top.cpp      the Verilated top as a table of ports by address
 *   native<k>.c  the programs and their shims, --chunk to a file; native.c the table of them
 *   bench.v      plays --clocks recorded clocks to every fuzz_<i> in Icarus
 *   net_bench.v  plays --net-clocks recorded clocks to net_<i>, the netlist of fuzz_<i>, for the
 *                numbers in --netlists
 * The shims of many programs in one file would clash in their static names, so these are changed on
 * the way.
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/args.h"
#include "tb/base/info.h"

struct program {
    const char *name;
    cJSON *info;
    unsigned in_bits, out_bits, state_bits;
    bool netlist;
};

static const char *dir;

static _Noreturn void fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("fuzzglue: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(1);
}

/* The C that rtlgen wrote for a program. */
static char *read_shim(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/rtl/%s_shim.c", dir, name);
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        fail("cannot read %s: %s", path, strerror(errno));
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    rewind(f);
    char *text = size < 0 ? NULL : calloc(1, (size_t)size + 1);
    if (text == NULL || fread(text, 1, (size_t)size, f) != (size_t)size)
        fail("cannot read %s", path);
    fclose(f);
    return text;
}

static FILE *create(const char *format, unsigned i)
{
    char name[64], path[1024];
    snprintf(name, sizeof name, format, i);
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "w");
    if (f == NULL)
        fail("cannot write %s: %s", path, strerror(errno));
    return f;
}

static void done(FILE *f)
{
    if (fclose(f) != 0)
        fail("cannot write into %s: %s", dir, strerror(errno));
}

static struct program load(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/rtl/%s.json", dir, name);
    struct program p = {.name = name, .info = info_read(path)};
    if (p.info == NULL && errno != 0)
        fail("cannot read %s: %s", path, strerror(errno));
    if (p.info == NULL)
        fail("%s.json is not JSON", name);
    p.in_bits = info_bits(info_list(p.info, "inputs"));
    p.out_bits = info_bits(info_list(p.info, "outputs"));
    p.state_bits = info_bits(info_list(p.info, "state"));
    return p;
}

/* ---- Verilog ------------------------------------------------------------------------------------ */

static unsigned top_bit(unsigned n)
{
    return n ? n - 1 : 0;
}

static void put_ports(FILE *f, const struct program *p, const char *list, const char *vector)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, info_list(p->info, list))
    {
        const struct info_field field = info_field(item);
        if (cJSON_IsTrue(cJSON_GetObjectItem(item, "unread")))
            continue;
        fprintf(f, ",\n        .%s(%s[%u:%u])", info_text(item, "name"), vector,
                field.lsb + field.width * field.count - 1, field.lsb);
    }
}

static void put_wrapper(const struct program *p, unsigned i)
{
    FILE *f = create("w%u.v", i);
    fprintf(f,
            "module fuzz_%u (input wire clk, input wire rst, input wire [%u:0] in,\n"
            "    output wire [%u:0] out, output wire [%u:0] state);\n"
            "    %s dut (.clk(clk), .rst(rst)",
            i, top_bit(p->in_bits), top_bit(p->out_bits), top_bit(p->state_bits), p->name);
    put_ports(f, p, "inputs", "in");
    put_ports(f, p, "outputs", "out");
    fputs(",\n        .hls_state(state));\nendmodule\n", f);
    done(f);
}

static void put_top(const struct program *p, unsigned n)
{
    FILE *f = create("top.v", 0);
    fputs("module fuzz_top (input wire clk, input wire rst", f);
    for (unsigned i = 0; i < n; i++)
        fprintf(f,
                ",\n    input wire [%u:0] in_%u, output wire [%u:0] out_%u,"
                " output wire [%u:0] state_%u",
                top_bit(p[i].in_bits), i, top_bit(p[i].out_bits), i, top_bit(p[i].state_bits), i);
    fputs(");\n    reg rst_q;\n    always @(negedge clk) rst_q <= rst;\n", f);
    for (unsigned i = 0; i < n; i++)
        fprintf(f,
                "    reg [%u:0] in_q_%u;\n    always @(negedge clk) in_q_%u <= in_%u;\n"
                "    fuzz_%u p%u (.clk(clk), .rst(rst_q), .in(in_q_%u), .out(out_%u),"
                " .state(state_%u));\n",
                top_bit(p[i].in_bits), i, i, i, i, i, i, i, i);
    fputs("endmodule\n", f);
    done(f);
}

static void put_bench_program(FILE *f, const struct program *p, unsigned i, unsigned recorded,
                              const char *kind)
{
    fprintf(f,
            "    reg [%u:0] vec_%u [0:%u];\n    wire [%u:0] out_%u;\n    wire [%u:0] state_%u;\n"
            "    reg bad_%u;\n    %s_%u p%u (.clk(clk), .rst(rst), .in(vec_%u[k][%u:%u]),"
            " .out(out_%u), .state(state_%u));\n",
            p->state_bits + top_bit(p->in_bits), i, recorded - 1, top_bit(p->out_bits), i,
            top_bit(p->state_bits), i, i, kind, i, i, i, p->state_bits + top_bit(p->in_bits),
            p->state_bits, i, i);
}

static void put_bench_check(FILE *f, const struct program *p, unsigned i, const char *what)
{
    fprintf(f,
            "        if (!bad_%u && (state_%u !== vec_%u[k][%u:0] || out_%u !== vec_%u[k][%u:0]))"
            " begin\n            bad_%u = 1;\n"
            "            $display(\"FAIL %s %s clock %%0d: registers %%h, expected %%h,"
            " outputs %%h\", k,\n                     state_%u, vec_%u[k][%u:0], out_%u);\n"
            "        end\n",
            i, i, i, top_bit(p->state_bits), i, i, top_bit(p->out_bits), i, what, p->name, i, i,
            top_bit(p->state_bits), i);
}

/* A bench for all programs, or for the netlists of some. */
static void put_bench(const struct program *p, unsigned n, bool netlists, unsigned clocks,
                      unsigned recorded)
{
    FILE *f = create(netlists ? "net_bench.v" : "bench.v", 0);
    fprintf(f,
            "module fuzz_bench;\n    integer k;\n    reg clk;\n    reg rst;\n"
            "    reg rsts [0:%u];\n",
            recorded - 1);
    for (unsigned i = 0; i < n; i++)
        if (p[i].netlist || !netlists)
            put_bench_program(f, &p[i], i, recorded, netlists ? "net" : "fuzz");
    fputs("    initial begin\n        $readmemb(\"rst.vec\", rsts);\n", f);
    for (unsigned i = 0; i < n; i++)
        if (p[i].netlist || !netlists)
            fprintf(f, "        $readmemh(\"%s.vec\", vec_%u);\n        bad_%u = 0;\n", p[i].name,
                    i, i);
    fprintf(f,
            "        clk = 0;\n        k = 0;\n        repeat (%u) begin\n"
            "        rst = rsts[k];\n        #1 clk = 1;\n        #1;\n",
            clocks);
    for (unsigned i = 0; i < n; i++)
        if (p[i].netlist || !netlists)
            put_bench_check(f, &p[i], i, netlists ? "netlist" : "icarus");
    fputs("        clk = 0;\n        #1 k = k + 1;\n        end\n"
          "        $display(\"DONE\");\n        $finish;\n    end\nendmodule\n",
          f);
    done(f);
}

/* ---- C++ ------------------------------------------------------------------------------------------ */

static void put_glue(unsigned n)
{
    FILE *f = create("top.cpp", 0);
    fputs("#include \"Vfuzz_top.h\"\n#include \"verilated.h\"\n#include <string.h>\n"
          "namespace {\nVerilatedContext *context;\nVfuzz_top *top;\nbool fired;\n"
          "void (*on_check)(const char *);\n}\n"
          "void vl_finish(const char *file, int, const char *)\n"
          "{\n    fired = true;\n    if (on_check)\n        on_check(file);\n}\n"
          "extern \"C\" void rtl_new(void (*check)(const char *), void **in, void **out,"
          " void **state)\n{\n"
          "    context = new VerilatedContext;\n    context->randReset(2);\n"
          "    context->randSeed(1);\n    on_check = check;\n"
          "    top = new Vfuzz_top{context, \"top\"};\n    top->clk = 1;\n    top->eval();\n",
          f);
    for (unsigned i = 0; i < n; i++)
        fprintf(f,
                "    in[%u] = &top->in_%u, out[%u] = &top->out_%u, state[%u] = &top->state_%u;\n",
                i, i, i, i, i, i);
    fputs("}\nextern \"C\" void rtl_clock(int rst)\n{\n"
          "    Verilated::threadContextp(context);\n    top->rst = rst;\n    top->clk = 0;\n"
          "    top->eval();\n    top->clk = 1;\n    top->eval();\n}\n",
          f);
    done(f);
}

/* ---- C ---------------------------------------------------------------------------------------------- */

struct names {
    unsigned n;
    const char *at[64];
    size_t length[64];
};

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The word that ends before `end`. */
static void add_word(struct names *list, const char *begin, const char *end)
{
    const char *word = end;
    while (word > begin && in_word(word[-1]))
        word--;
    if (word == end || list->n == sizeof list->at / sizeof *list->at)
        return;
    list->at[list->n] = word;
    list->length[list->n++] = (size_t)(end - word);
}

/* Names that are the file's own: static functions and objects, and constants of an enum. */
static struct names own_names(const char *text)
{
    struct names list = {0};
    for (const char *at = text; at; at = strchr(at, '\n'), at += at != NULL) {
        const char *end = at + strcspn(at, "\n");
        if (strncmp(at, "static ", 7) == 0) {
            end = at + strcspn(at, "([=\n");
            while (end > at && end[-1] == ' ')
                end--;
            add_word(&list, at, end);
        } else if (strncmp(at, "enum {", 6) == 0) {
            for (const char *c = at; c < end; c++)
                if (strncmp(c, " =", 2) == 0)
                    add_word(&list, at, c);
        }
    }
    return list;
}

/* The shim with its own names, and those of the model that is not there, made different. */
static void put_shim(FILE *f, const struct program *p)
{
    char *text = read_shim(p->name), raw[256];
    struct names own = own_names(text);
    size_t raw_length = (size_t)snprintf(raw, sizeof raw, "%s_raw_", p->name);
    for (const char *at = text; *at;) {
        size_t length = 0;
        while (in_word(at[length]))
            length++;
        bool member = at > text && (at[-1] == '.' || at[-1] == '>');
        if (length > raw_length && strncmp(at, raw, raw_length) == 0) {
            fprintf(f, "fuzz_raw_%.*s", (int)(length - raw_length), at + raw_length);
        } else {
            for (unsigned i = 0; i < own.n && !member; i++)
                if (own.length[i] == length && strncmp(own.at[i], at, length) == 0)
                    fprintf(f, "%s_shim_", p->name);
            length += length == 0;
            fwrite(at, 1, length, f);
        }
        at += length;
    }
    free(text);
}

static void put_native(const struct program *p, unsigned n, unsigned chunk)
{
    for (unsigned first = 0; first < n; first += chunk) {
        FILE *f = create("native%u.c", first / chunk);
        for (unsigned i = first; i < n && i < first + chunk; i++)
            put_shim(f, &p[i]);
        done(f);
    }
    FILE *f = create("native.c", 0);
    fputs("#include <stddef.h>\n#include \"tb/cosim.h\"\n"
          "void *fuzz_raw_new(const char *fst) { (void)fst; return NULL; }\n"
          "void fuzz_raw_trace(void *r, const char *fst) { (void)r, (void)fst; }\n"
          "void fuzz_raw_reset(void *r) { (void)r; }\n"
          "int fuzz_raw_step(void *r, const uint32_t *in, uint32_t *state)\n"
          "{ (void)r, (void)in, (void)state; return 0; }\n"
          "void fuzz_raw_free(void *r) { (void)r; }\n",
          f);
    for (unsigned i = 0; i < n; i++)
        fprintf(f, "extern const struct cosim_module %s_cosim;\n", p[i].name);
    fprintf(f, "const unsigned fuzz_count = %u;\n", n);
    fprintf(f, "const struct cosim_module *const fuzz_native[%u] = {\n", n);
    for (unsigned i = 0; i < n; i++)
        fprintf(f, "    &%s_cosim,\n", p[i].name);
    fputs("};\n", f);
    done(f);
}

int main(int argc, char **argv)
{
    unsigned chunk = 1, clocks = 1, net_clocks = 1;
    const char *netlists = "", **names = calloc((size_t)argc, sizeof *names);
    const struct args_option rows[] = {
        args_text("--folder", "DIR", &dir,
                  "of the programs as rtlgen wrote them, and of what is written here"),
        args_unsigned("--chunk", &chunk, 1, UINT_MAX, "programs in one file of C"),
        args_unsigned("--clocks", &clocks, 0, UINT_MAX, "clocks on Icarus"),
        args_unsigned("--net-clocks", &net_clocks, 0, UINT_MAX, "clocks of netlists"),
        args_text("--netlists", "I,J", &netlists,
                  "programs that are netlists, too; the first is 0"),
        args_end()};
    const struct args args = {.about = "Joins programs: a top, a bench, the glue to their C.",
                              .option = rows,
                              .word = "NAME",
                              .words = names,
                              .least = 1,
                              .most = (unsigned)argc};
    if (names == NULL)
        fail("out of memory");
    unsigned n = args_read(&args, argc, argv);
    if (dir == NULL)
        fail("no --folder; see --help");
    unsigned recorded = clocks > net_clocks ? clocks : net_clocks;
    struct program *p = calloc(n, sizeof *p);
    if (p == NULL)
        fail("out of memory");
    for (unsigned i = 0; i < n; i++)
        p[i] = load(names[i]);
    for (const char *s = netlists; *s; s += *s == ',') {
        char *end;
        unsigned long i = strtoul(s, &end, 10);
        if (end == s || i >= n)
            fail("there is no program number %s", s);
        p[i].netlist = true;
        s = end;
    }
    for (unsigned i = 0; i < n; i++)
        put_wrapper(&p[i], i);
    put_top(p, n);
    put_glue(n);
    put_native(p, n, chunk);
    put_bench(p, n, false, clocks, recorded);
    put_bench(p, n, true, net_clocks, recorded);
    for (unsigned i = 0; i < n; i++)
        cJSON_Delete(p[i].info);
    free(p);
    free(names);
    return 0;
}
