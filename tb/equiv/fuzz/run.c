// SPDX-License-Identifier: Apache-2.0
/*
 * run.c - fuzzrun: a batch of programs, natively and as RTL, clock by clock.
 *
 *     fuzzrun [OPTION...] JSON-DIR plain.so checked.so
 *
 * plain.so and checked.so hold the same programs, the second compiled with traps for undefined
 * behaviour. The Verilated top of all of them (top.cpp) is linked in; without it the two native
 * ones are compared. Inputs come from stimulus.h; resets strike in the middle, with inputs still moving.
 * Prints a line "FAIL <kind> <program> clock ..." for the first difference of each program and then
 * leaves that program alone; at the end "DONE <programs> <clocks>".
 *
 * --record writes the first clocks as vectors for the bench of fuzzglue. With --mutants a program
 * may run into undefined behaviour: such inputs are drawn again, and an assertion of the RTL ends
 * the comparison without blame.
 */
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/args.h"
#include "sim/base/program.h"
#include "tb/base/info.h"
#include "tb/base/packed.h"
#include "tb/cosim.h"
#include "tb/equiv/lockstep/native.h"
#include "tb/equiv/lockstep/states.h"
#include "tb/equiv/lockstep/stimulus.h"

enum { TRIES = 8, SLACK = 4096 };

struct program {
    const struct cosim_module *plain, *checked;
    cJSON *info;
    struct stimulus *stimulus;
    void *in, *self, *checked_self, *saved;
    uint32_t *in_words, *state, *checked_state;
    unsigned out_bits;
    void *rtl_in, *rtl_out, *rtl_state;
    struct states *states;
    FILE *vectors;
    bool over;    /* natively: no more inputs */
    bool differs; /* the RTL, already */
};

struct options {
    uint64_t clocks, seed, record;
    const char *record_dir, *cover_dir, *json_dir, *plain, *checked;
    bool mutants;
};

/* top.cpp; NULL if it is not linked in */
[[gnu::weak]] void rtl_new(void (*check)(const char *file), void **in, void **out, void **state);
[[gnu::weak]] void rtl_clock(int rst);

static struct program *programs;
static unsigned n_programs;
static uint64_t clock_now;
static unsigned failures;

[[noreturn]] static void fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("fuzzrun: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(2);
}

static void *allocate(size_t bytes)
{
    void *p = calloc(1, bytes ? bytes : 1);
    if (p == NULL)
        fail("out of memory");
    return p;
}

/* ---- differences ------------------------------------------------------------------------------------ */

static void print_words(const uint32_t *w, unsigned bits)
{
    for (unsigned i = packed_words(bits); i-- > 0;)
        printf("%08" PRIx32, w[i]);
}

static void report(struct program *p, const char *kind)
{
    failures++;
    printf("FAIL %s %s clock %" PRIu64, kind, p->plain->name, clock_now);
}

/* The first element in which two packed vectors differ. */
static void print_field(const struct program *p, const uint32_t *want, const uint32_t *got)
{
    struct difference at;
    if (info_differences(p->info, want, got, &at) == 0)
        return;
    const unsigned n = at.field.width < 64 ? at.field.width : 64;
    printf(": %s element %u: C 0x%" PRIx64 ", other 0x%" PRIx64, info_text(at.field.json, "c"),
           at.element, bits_get(want, at.lsb, n), bits_get(got, at.lsb, n));
}

static void differ(struct program *p, const char *kind, const uint32_t *want, const uint32_t *got)
{
    report(p, kind);
    print_field(p, want, got);
    printf(", inputs 0x");
    print_words(p->in_words, p->plain->in_bits);
    putchar('\n');
}

static bool is_mutants;

/* $finish in the Verilog of a file: <program>.v, or <program>_<child>.v. */
static void rtl_fired(const char *file)
{
    const char *name = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
    for (unsigned i = 0; i < n_programs; i++) {
        struct program *p = &programs[i];
        size_t length = strlen(p->plain->name);
        if (p->over || p->differs || strncmp(name, p->plain->name, length) != 0 ||
            (name[length] != '.' && name[length] != '_'))
            continue;
        p->differs = true;
        if (is_mutants)
            p->over = true;
        else
            report(p, "assertion"), puts(": fired in the RTL alone");
    }
}

/* ---- ports of the Verilated top: 8, 16, 32 or 64 bits, or words ------------------------------------- */

static size_t port_bytes(unsigned bits)
{
    return bits <= 8    ? 1
           : bits <= 16 ? 2
           : bits <= 32 ? 4
           : bits <= 64 ? 8
                        : packed_words(bits) * 4ul;
}

static bool same_bits(const uint32_t *want, const void *port, unsigned bits, uint32_t *copy)
{
    memset(copy, 0, packed_words(bits) * 4);
    memcpy(copy, port,
           port_bytes(bits) < packed_words(bits) * 4 ? port_bytes(bits) : packed_words(bits) * 4);
    for (unsigned i = 0; i < packed_words(bits); i++) {
        uint32_t mask = i == bits / 32 ? (UINT32_C(1) << bits % 32) - 1 : UINT32_MAX;
        if ((want[i] ^ copy[i]) & mask)
            return false;
    }
    return true;
}

/* ---- one clock ------------------------------------------------------------------------------------------ */

static void record(struct program *p)
{
    unsigned state = p->plain->state_bits, in = p->plain->in_bits ? p->plain->in_bits : 1;
    uint32_t *all = allocate(packed_words(state + in) * 4);
    bits_copy(all, p->state, 0, state);
    for (unsigned i = 0; i < p->plain->in_bits; i++)
        bits_put(all, state + i, 1, bits_get(p->in_words, i, 1));
    bits_print(p->vectors, all, 0, state + in);
    fputc('\n', p->vectors);
    free(all);
}

/* One call natively, in both ways of compiling; false if there are no inputs that it can take. */
static bool program_step(struct program *p, bool mutants)
{
    memcpy(p->saved, p->checked_self, p->plain->self_size);
    for (unsigned try = 0; try < TRIES; try++) {
        stimulus_next(p->stimulus, p->state, p->in_words);
        p->plain->unpack_in(p->in_words, p->in);
        if (native_step(p->checked->step, p->checked_self, p->in) == STEP_FINE) {
            p->plain->step(p->self, p->in);
            return true;
        }
        if (!mutants) {
            report(p, "undefined");
            puts(": the C breaks its own rules");
            p->over = true;
            return false;
        }
        memcpy(p->checked_self, p->saved, p->plain->self_size);
        stimulus_shake(p->stimulus);
    }
    p->over = true;
    return false;
}

static void native_clock(struct program *p, bool rst, bool mutants)
{
    if (p->over)
        return;
    if (rst) {
        stimulus_next(p->stimulus, p->state, p->in_words);
        if (native_reset(p->checked->reset, p->checked_self) ==
            STEP_TRAPPED) { /* rtlgen has to refuse this, whatever the program */
            report(p, "undefined");
            puts(": the reset function breaks the rules of C");
            p->over = true;
            return;
        }
        p->plain->reset(p->self);
    } else if (!program_step(p, mutants)) {
        return;
    }
    p->plain->pack_state(p->self, p->state);
    p->checked->pack_state(p->checked_self, p->checked_state);
    (rst ? states_reset : states_clock)(p->states, p->state);
    if (!same_bits(p->state, p->checked_state, p->plain->state_bits, p->saved))
        differ(p, "native", p->state, p->checked_state), p->over = true;
}

static void compare_rtl(struct program *p)
{
    uint32_t *copy = p->saved;
    if (p->over || p->differs)
        return;
    p->differs = true;
    if (!same_bits(p->state, p->rtl_state, p->plain->state_bits, copy))
        differ(p, "verilator", p->state, copy);
    else if (!same_bits(p->state, p->rtl_out, p->out_bits, copy))
        differ(p, "outputs", p->state, copy);
    else
        p->differs = false;
}

/* ---- a run ------------------------------------------------------------------------------------------------ */

static void *symbol(void *library, const char *name)
{
    void *s = dlsym(library, name);
    if (s == NULL)
        fail("%s", dlerror());
    return s;
}

static void *library(const char *name)
{
    void *l = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (l == NULL)
        fail("%s", dlerror());
    return l;
}

static cJSON *read_info(const char *folder, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    cJSON *info = info_read(path);
    if (info == NULL && errno != 0)
        fail("cannot read %s: %s", path, strerror(errno));
    if (info == NULL)
        fail("%s is not JSON", path);
    return info;
}

/* The inputs of a program are the same in a batch and alone. */
static uint64_t seed_of(const char *name, uint64_t seed)
{
    for (; *name; name++)
        seed = seed * 31 + (unsigned char)*name;
    return seed;
}

static void setup(struct program *p, const struct options *o)
{
    size_t state_bytes = packed_words(p->plain->state_bits) * 4, self = p->plain->self_size;
    p->info = read_info(o->json_dir, p->plain->name);
    p->stimulus = stimulus_new(info_list(p->info, "inputs"), p->plain->state_bits,
                               seed_of(p->plain->name, o->seed));
    p->out_bits = info_bits(info_list(p->info, "outputs"));
    p->states = states_new(p->info);
    p->in = allocate(p->plain->in_size);
    p->self = allocate(self + SLACK);
    p->checked_self = allocate(self + SLACK);
    p->saved = allocate((self > state_bytes ? self : state_bytes) + SLACK);
    p->in_words = allocate(packed_words(p->plain->in_bits) * 4);
    p->state = allocate(state_bytes);
    p->checked_state = allocate(state_bytes);
    if (o->record) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s.vec", o->record_dir, p->plain->name);
        if ((p->vectors = fopen(path, "w")) == NULL)
            fail("cannot write %s: %s", path, strerror(errno));
    }
}

static void load(const struct options *o)
{
    void *plain = library(o->plain), *checked = library(o->checked);
    const struct cosim_module *const *a = symbol(plain, "fuzz_native");
    const struct cosim_module *const *b = symbol(checked, "fuzz_native");
    n_programs = *(const unsigned *)symbol(plain, "fuzz_count");
    programs = allocate(n_programs * sizeof *programs);
    for (unsigned i = 0; i < n_programs; i++) {
        programs[i] = (struct program){.plain = a[i], .checked = b[i]};
        setup(&programs[i], o);
    }
    if (rtl_new == NULL)
        return;
    void **port = allocate(3 * n_programs * sizeof *port);
    rtl_new(rtl_fired, port, port + n_programs, port + 2 * n_programs);
    for (unsigned i = 0; i < n_programs; i++) {
        programs[i].rtl_in = port[i];
        programs[i].rtl_out = port[n_programs + i];
        programs[i].rtl_state = port[2 * n_programs + i];
    }
    free(port);
}

static void cover(const struct program *p, const char *dir)
{
    char path[1024];
    cJSON *report = cJSON_CreateObject();
    cJSON_AddStringToObject(report, "module", p->plain->name);
    states_add_to(p->states, report);
    char *text = cJSON_Print(report);
    snprintf(path, sizeof path, "%s/%s.json", dir, p->plain->name);
    FILE *f = fopen(path, "w");
    if (text == NULL || f == NULL || fputs(text, f) < 0 || fclose(f) != 0)
        fail("cannot write %s: %s", path, strerror(errno));
    free(text);
    cJSON_Delete(report);
}

static void run(const struct options *o)
{
    struct random random = {.state = o->seed};
    load(o);
    FILE *resets = NULL;
    if (o->record) {
        char path[1024];
        snprintf(path, sizeof path, "%s/rst.vec", o->record_dir);
        if ((resets = fopen(path, "w")) == NULL)
            fail("cannot write %s: %s", path, strerror(errno));
    }
    for (clock_now = 0; clock_now < o->clocks; clock_now++) {
        const unsigned between =
            clock_now < o->clocks / 2 ? 150 : 4000; /* later for what takes long */
        bool rst = clock_now == 0 || random_below(&random, between) == 0;
        bool recorded = clock_now < o->record;
        for (unsigned i = 0; i < n_programs; i++) {
            struct program *p = &programs[i];
            native_clock(p, rst, o->mutants);
            if (recorded)
                record(p);
            if (rtl_clock != NULL && p->plain->in_bits)
                memcpy(p->rtl_in, p->in_words, port_bytes(p->plain->in_bits));
        }
        if (recorded)
            fprintf(resets, "%d\n", rst);
        if (rtl_clock == NULL)
            continue;
        rtl_clock(rst);
        for (unsigned i = 0; i < n_programs; i++)
            compare_rtl(&programs[i]);
    }
    for (unsigned i = 0; i < n_programs; i++)
        if (programs[i].vectors && fclose(programs[i].vectors) != 0)
            fail("cannot write the vectors: %s", strerror(errno));
    if (resets && fclose(resets) != 0)
        fail("cannot write the vectors: %s", strerror(errno));
    for (unsigned i = 0; o->cover_dir && i < n_programs; i++)
        cover(&programs[i], o->cover_dir);
    printf("DONE %u %" PRIu64 "\n", n_programs, o->clocks);
}

int main(int argc, char **argv)
{
    struct options o = {.clocks = 1000};
    const char *words[3];
    const struct args_option rows[] = {
        args_number("--clocks", &o.clocks, 1, UINT64_MAX, "clocks"),
        args_number("--record", &o.record, 0, UINT64_MAX,
                    "clocks of which inputs and registers are written down"),
        args_text("--folder", "DIR", &o.record_dir, "where they go"),
        args_text("--cover", "DIR", &o.cover_dir,
                  "where states and transitions of processes that were taken go"),
        args_flag("--mutants", &is_mutants,
                  "programs that rtlgen took although they may be undefined"),
        args_end()};
    const struct args args = {.about = "Runs random programs as C and as Verilog side by side.",
                              .option = rows,
                              .seed = &o.seed,
                              .word = "JSON-DIR plain.so checked.so",
                              .words = words,
                              .least = 3,
                              .most = 3};
    program_invocation_short_name = (char *)"fuzzrun";
    sim_fail_status = 2; /* 1: something differs */
    (void)args_read(&args, argc, argv);
    o.mutants = is_mutants;
    o.json_dir = words[0];
    o.plain = words[1];
    o.checked = words[2];
    native_catch_traps();
    run(&o);
    return failures != 0;
}
