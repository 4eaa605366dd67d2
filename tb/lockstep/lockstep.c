// SPDX-License-Identifier: Apache-2.0
/*
 * lockstep.c - runs any module natively and as RTL side by side, clock by clock.
 *
 * Knows the module through cosim.h (bound to the name cosim_module by the linker) and its names
 * from M.json. Each clock: random inputs (stimulus.h), one native call, one Verilator clock, all
 * registers compared. Inputs under which the native model would break one of its own assertions or
 * assumptions, or run into undefined behaviour (compiled to traps), are put back and drawn again;
 * the first few of either are also played to the RTL, of which an assertion must fire on that clock.
 * A run in which that left too little to compare fails, too (compared.h).
 *
 * At the first difference: clock, register, both values, the C line of the register, the inputs;
 * then the same run once more with a waveform of the last clocks. Prints TAP, writes JSON.
 */
#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cjson/cJSON.h>

#include "tb/lockstep/compared.h"
#include "tb/cosim.h"
#include "tb/lockstep/memnoise.h"
#include "tb/lockstep/memwatch.h"
#include "hls/hls.h"
#include "sim/whole.h"
#include "tb/lockstep/stimulus.h"

enum {
    RESET_LOG2 = 18,     /* clocks between resets in the middle of a run: at most 2 to this */
    DRAWS = 4,           /* of all inputs, before parts of the last one are taken */
    TRIES = 16,          /* of such parts */
    CHECKS_PLAYED = 8,   /* broken assertions that the RTL has to confirm */
    NATIVE_SLACK = 4096, /* bytes behind the native struct */
};

extern const struct cosim_module cosim_module; /* -Wl,--defsym=cosim_module=M_cosim */

struct options {
    uint64_t cycles, seed, window, traps;
    const char *info, *machine, *inputs, *half, *replay, *words, *noise;
    const char *json, *fst, *record; /* NULL: none */
};

/* One run. Stops at the first difference. */
struct run {
    const struct options *options;
    const cJSON *info;
    struct stimulus *stimulus;
    struct random random;
    uint32_t *inputs; /* recorded ones, or NULL */
    void *in, *self, *saved, *rtl;
    uint32_t *in_words, *last_in, *whole, *parts, *state, *rtl_state;
    FILE *vectors;
    uint64_t clock, next_reset, resets;
    uint64_t half; /* the clock from which on the inputs are recorded ones */
    struct compared compared;
    unsigned played, trapped; /* broken assertions and undefined behaviour that the RTL confirmed */
    const char *wrong;        /* NULL, or what went wrong apart from a register */
};

[[noreturn]] static void fail(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    fputs("lockstep: ", stderr);
    vfprintf(stderr, fmt, args);
    fputc('\n', stderr);
    va_end(args);
    exit(1);
}

static void *allocate(size_t bytes)
{
    void *p = calloc(1, bytes ? bytes : 1);
    if (p == NULL)
        fail("out of memory");
    return p;
}

static unsigned words(unsigned bits)
{
    return bits ? (bits + 31) / 32 : 1;
}

/* ---- native: a call that may break its own rules ---------------------------------------------- */

enum outcome { STEP_FINE, STEP_CHECKED, STEP_TRAPPED };

/* What a clock was made of: of nothing (zeros were refused, too), of zeros alone, of some drawn fields, of all. */
enum drawn { DRAWN_NONE, DRAWN_ZEROS, DRAWN_PARTS, DRAWN };

static struct {
    bool broken;
    const char *text, *file;
    int line;
} checked;

static sigjmp_buf trapped;

void hls_checked(enum hls_check_kind kind, const char *text, const char *file, int line)
{
    if (kind == HLS_CHECK_COVER || checked.broken)
        return;
    checked.broken = true;
    checked.text = text;
    checked.file = file;
    checked.line = line;
}

/* A trap instruction of -fsanitize-trap, raised by the native model itself. */
static void on_trap(int signal_number)
{
    (void)signal_number;
    siglongjmp(trapped, 1);
}

static void catch_traps(void)
{
    struct sigaction action = {.sa_handler = on_trap, .sa_flags = SA_NODEFER};
    sigaction(SIGILL, &action, NULL);
    sigaction(SIGTRAP, &action, NULL);
}

static enum outcome native_step(void *self, const void *in)
{
    checked.broken = false;
    if (sigsetjmp(trapped, 0) != 0)
        return STEP_TRAPPED;
    memwatch_clock();
    cosim_module.step(self, in);
    if (memwatch_collision() != NULL)
        hls_checked(HLS_CHECK_ASSERT, "read and write of one address", memwatch_collision()->c, 0);
    if (!cosim_module.enums_hold(self))
        hls_checked(HLS_CHECK_ASSERT, "an enum holds no enumerator", cosim_module.name, 0);
    return checked.broken ? STEP_CHECKED : STEP_FINE;
}

/* ---- one clock --------------------------------------------------------------------------------- */

static void print_hex(FILE *f, const uint32_t *w, unsigned lsb, unsigned width)
{
    for (unsigned digit = (width + 3) / 4; digit-- > 0;) {
        unsigned n = width - digit * 4 < 4 ? width - digit * 4 : 4;
        fprintf(f, "%" PRIx64, bits_get(w, lsb + digit * 4, n));
    }
}

static void record(struct run *r, unsigned rst)
{
    if (r->vectors == NULL)
        return;
    fprintf(r->vectors, "%u ", rst);
    print_hex(r->vectors, r->in_words, 0, cosim_module.in_bits ? cosim_module.in_bits : 1);
    fputc(' ', r->vectors);
    print_hex(r->vectors, r->state, 0, cosim_module.state_bits);
    fputc('\n', r->vectors);
}

static void reset_both(struct run *r)
{
    cosim_module.reset(r->self);
    cosim_module.pack_state(r->self, r->state);
    cosim_module.rtl_reset(r->rtl);
    record(r, 1);
    r->clock++;
    /* short runs and long ones, as what a reset has to undo may be near or far */
    uint64_t longest = UINT64_C(1) << (2 + random_below(&r->random, RESET_LOG2 - 1));
    r->next_reset =
        r->options->replay != NULL ? UINT64_MAX : r->clock + 1 + random_below(&r->random, longest);
    stimulus_restart(r->stimulus);
}

/* Whether the RTL gets the inputs of this clock. */
static bool is_played(const struct run *r, enum outcome outcome)
{
    switch (outcome) {
    case STEP_FINE:
        return true;
    case STEP_CHECKED:
        return r->played < CHECKS_PLAYED;
    default:
        return r->trapped < r->options->traps;
    }
}

/* The packed inputs natively; the model is put back unless the RTL gets them, too. */
static enum outcome try_inputs(struct run *r)
{
    cosim_module.unpack_in(r->in_words, r->in);
    const enum outcome outcome = native_step(r->self, r->in);
    if (!is_played(r, outcome))
        memcpy(r->self, r->saved, cosim_module.self_size);
    return outcome;
}

static void count_refused(struct run *r, enum outcome outcome)
{
    if (outcome == STEP_TRAPPED)
        compared_refused(&r->compared, "undefined behaviour", NULL, 0);
    else
        compared_refused(&r->compared, checked.text, checked.file, checked.line);
}

/*
 * As much of the last draw as the native model takes: fields of it are put among zeros, a few at a time. What it took
 * is in in_words, and played to it.
 */
static enum drawn draw_parts(struct run *r, enum outcome *outcome)
{
    const size_t in_bytes = words(cosim_module.in_bits) * sizeof *r->in_words;
    unsigned rare = 1;
    bool any = false;
    memcpy(r->whole, r->in_words, in_bytes);
    memset(r->parts, 0, in_bytes);
    for (unsigned try = 0; try < TRIES; try++) {
        memcpy(r->in_words, r->parts, in_bytes);
        stimulus_mix(r->stimulus, r->whole, rare, r->in_words);
        if (memcmp(r->in_words, r->parts, in_bytes) == 0)
            continue;
        const enum outcome part = try_inputs(r);
        memcpy(r->self, r->saved, cosim_module.self_size);
        if (part == STEP_FINE) {
            memcpy(r->parts, r->in_words, in_bytes);
            any = true;
        } else {
            rare++;
        }
    }
    memcpy(r->in_words, r->parts, in_bytes);
    *outcome = try_inputs(r);
    return !is_played(r, *outcome) ? DRAWN_NONE : any ? DRAWN_PARTS : DRAWN_ZEROS;
}

/* Draws inputs until the native model takes them, or at least some of them. */
static enum drawn native_clock(struct run *r, enum outcome *outcome)
{
    const size_t in_bytes = words(cosim_module.in_bits) * sizeof *r->in_words;
    memcpy(r->saved, r->self, cosim_module.self_size);
    memcpy(r->last_in, r->in_words, in_bytes);
    for (unsigned try = 0; try < DRAWS; try++) {
        memcpy(r->in_words, r->last_in, in_bytes);
        stimulus_next(r->stimulus, r->state, r->in_words);
        *outcome = try_inputs(r);
        if (is_played(r, *outcome))
            return DRAWN;
        count_refused(r, *outcome);
        if (try > 0)
            stimulus_shake(r->stimulus);
    }
    return draw_parts(r, outcome);
}

/* True while both lives agree. */
static bool one_clock(struct run *r)
{
    enum outcome outcome;
    enum drawn drawn = DRAWN_NONE;
    bool reset = r->clock >= r->next_reset || stimulus_wants_reset(r->stimulus);
    if (!reset) {
        drawn = native_clock(r, &outcome);
        r->compared.given_up += drawn == DRAWN_NONE || drawn == DRAWN_ZEROS;
    }
    if (drawn == DRAWN_NONE) {
        r->resets++;
        reset_both(r);
        return true;
    }
    memnoise_spoil(r->self);
    cosim_module.pack_state(r->self, r->state);
    int fired = cosim_module.rtl_step(r->rtl, r->in_words, r->rtl_state);
    if (outcome != STEP_TRAPPED) /* which leaves no state to speak of */
        record(r, 0);
    r->clock++;
    if (fired != (outcome != STEP_FINE)) {
        r->wrong = fired ? "an assertion fired in the RTL alone"
                   : outcome == STEP_TRAPPED
                       ? "undefined behaviour in C, and no assertion in the RTL"
                       : "an assertion fired in C alone";
        return false;
    }
    if (outcome != STEP_TRAPPED &&
        memcmp(r->state, r->rtl_state, words(cosim_module.state_bits) * 4) != 0)
        return false;
    if (drawn != DRAWN_ZEROS && outcome == STEP_FINE)
        compared_clock(&r->compared, r->state, drawn == DRAWN_PARTS);
    if (outcome != STEP_FINE) {
        *(outcome == STEP_TRAPPED ? &r->trapped : &r->played) += 1;
        r->resets++;
        reset_both(r);
    }
    return true;
}

/* ---- a run ------------------------------------------------------------------------------------- */

/* Recorded inputs, as stimulus.h wants them. */
static void read_inputs(struct run *r, const char *name, bool replay)
{
    FILE *f = fopen(name, "rb");
    long size = f != NULL && fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
    if (size <= 0 || fseek(f, 0, SEEK_SET) != 0)
        fail("cannot read %s", name);
    r->inputs = allocate((size_t)size);
    if (fread(r->inputs, 1, (size_t)size, f) != (size_t)size)
        fail("cannot read %s", name);
    fclose(f);
    (replay ? stimulus_replay : stimulus_record)(
        r->stimulus, r->inputs, (size_t)size / sizeof *r->inputs, cosim_module.in_bits);
}

static struct run *run_new(const struct options *o, const cJSON *info)
{
    struct run *r = allocate(sizeof *r);
    r->options = o;
    r->info = info;
    r->stimulus = stimulus_new(cJSON_GetObjectItemCaseSensitive(info, "inputs"),
                               cosim_module.state_bits, o->seed);
    r->random.state = ~o->seed;
    r->in = allocate(cosim_module.in_size);
    r->self = allocate(cosim_module.self_size + NATIVE_SLACK);
    r->saved = allocate(cosim_module.self_size);
    r->in_words = allocate(words(cosim_module.in_bits) * 4);
    r->last_in = allocate(words(cosim_module.in_bits) * 4);
    r->whole = allocate(words(cosim_module.in_bits) * 4);
    r->parts = allocate(words(cosim_module.in_bits) * 4);
    r->state = allocate(words(cosim_module.state_bits) * 4);
    r->rtl_state = allocate(words(cosim_module.state_bits) * 4);
    if (o->inputs != NULL)
        read_inputs(r, o->inputs, false);
    r->half = o->half == NULL ? UINT64_MAX : o->cycles / 2;
    if (o->replay != NULL)
        read_inputs(r, o->replay, true);
    if (o->noise != NULL || o->words != NULL)
        memnoise_open(&cosim_module, o->noise ? o->noise : o->words, o->info, o->noise != NULL,
                      r->self);
    memwatch_open(&cosim_module, r->self);
    compared_open(&r->compared, words(cosim_module.state_bits));
    r->rtl = cosim_module.rtl_new(NULL);
    return r;
}

static void run_free(struct run *r)
{
    cosim_module.rtl_free(r->rtl);
    stimulus_free(r->stimulus);
    compared_close(&r->compared);
    void *parts[] = {r->in,    r->self,  r->saved,     r->in_words, r->last_in, r->whole,
                     r->parts, r->state, r->rtl_state, r->inputs,   r};
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
        free(parts[i]);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Runs to `cycles`, the end of a record that is replayed, or the first difference; the waveform begins at clock trace_from. */
static bool run_to(struct run *r, uint64_t cycles, uint64_t trace_from, const char *fst)
{
    double reported = now();
    reset_both(r);
    while (r->clock < cycles && !stimulus_over(r->stimulus)) {
        if (r->clock >= r->half) {
            r->half = UINT64_MAX;
            read_inputs(r, r->options->half, false);
            reset_both(r);
        }
        if (fst != NULL && r->clock >= trace_from) {
            cosim_module.rtl_trace(r->rtl, fst);
            fst = NULL;
        }
        if (!one_clock(r))
            return false;
        if (r->clock % 4096 == 0 && now() - reported > 5) {
            reported = now();
            printf("# %s: %" PRIu64 " of %" PRIu64 " clocks\n", cosim_module.name, r->clock,
                   cycles);
            fflush(stdout);
        }
    }
    return true;
}

/* ---- the report -------------------------------------------------------------------------------- */

static unsigned number(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNumber(item) ? (unsigned)item->valuedouble : 0;
}

static const char *string(const cJSON *object, const char *key)
{
    const char *s = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    return s ? s : "?";
}

/* "e[].tag" and element 2: "e[2].tag"; more brackets by "dims", outermost first. */
static void print_path(const cJSON *field, unsigned element)
{
    const cJSON *dims = cJSON_GetObjectItemCaseSensitive(field, "dims");
    unsigned inner = number(field, "count"), dim = 0;
    for (const char *c = string(field, "c"); *c != 0; c++) {
        putchar(*c);
        if (c[0] == '[' && c[1] == ']') {
            const cJSON *size = cJSON_GetArrayItem(dims, (int)dim++);
            unsigned n = cJSON_IsNumber(size) ? (unsigned)size->valueint : inner;
            inner = n > 0 && n < inner ? inner / n : 1;
            printf("%u", element / inner);
            element %= inner;
        }
    }
}

static void print_value(const uint32_t *w, unsigned lsb, unsigned width)
{
    fputs("0x", stdout);
    print_hex(stdout, w, lsb, width);
}

static bool same(const uint32_t *a, const uint32_t *b, unsigned lsb, unsigned width)
{
    for (unsigned i = 0; i < width; i += 64) {
        unsigned n = width - i < 64 ? width - i : 64;
        if (bits_get(a, lsb + i, n) != bits_get(b, lsb + i, n))
            return false;
    }
    return true;
}

static void print_difference(const struct run *r)
{
    unsigned found = 0;
    const cJSON *field;
    cJSON_ArrayForEach(field, cJSON_GetObjectItemCaseSensitive(r->info, "state"))
    {
        unsigned width = number(field, "width"), count = number(field, "count");
        for (unsigned i = 0; i < count; i++) {
            unsigned lsb = number(field, "lsb") + i * width;
            if (same(r->state, r->rtl_state, lsb, width) || found++ > 0)
                continue;
            printf("# clock %" PRIu64 ": ", r->clock - 1);
            print_path(field, i);
            fputs(": C ", stdout);
            print_value(r->state, lsb, width);
            fputs(", RTL ", stdout);
            print_value(r->rtl_state, lsb, width);
            printf("\n# %s:%u: the register is declared here\n", string(field, "file"),
                   number(field, "line"));
        }
    }
    if (found > 1)
        printf("# and %u more registers differ on that clock\n", found - 1);
}

static void print_inputs(const struct run *r)
{
    const cJSON *field;
    fputs("# inputs:", stdout);
    cJSON_ArrayForEach(field, cJSON_GetObjectItemCaseSensitive(r->info, "inputs"))
    {
        unsigned width = number(field, "width"), count = number(field, "count");
        for (unsigned i = 0; i < count; i++) {
            putchar(' ');
            print_path(field, i);
            putchar('=');
            print_value(r->in_words, number(field, "lsb") + i * width, width);
        }
    }
    putchar('\n');
}

static void print_failure(const struct run *r)
{
    if (r->wrong != NULL) {
        printf("# clock %" PRIu64 ": %s\n", r->clock - 1, r->wrong);
        if (checked.broken)
            printf("# %s:%d: %s\n", checked.file, checked.line, checked.text);
    }
    print_difference(r);
    print_inputs(r);
}

/* The same run again, with a waveform of its last clocks. */
static void leave_waveform(const struct options *o, const cJSON *info, uint64_t failed)
{
    struct options again = *o;
    again.record = NULL;
    uint64_t from = failed > o->window ? failed - o->window : 0;
    struct run *r = run_new(&again, info);
    run_to(r, failed + 1, from, o->fst);
    run_free(r);
    printf("# waveform of clocks %" PRIu64 " to %" PRIu64 ": %s\n", from, failed, o->fst);
}

/* How the run ended. */
enum verdict { AGREED, DIFFERENT, TOO_LITTLE };

static void write_json(const struct run *r, enum verdict verdict, double seconds)
{
    const struct options *o = r->options;
    cJSON *report = cJSON_CreateObject();
    cJSON_AddStringToObject(report, "machine", o->machine);
    cJSON_AddStringToObject(report, "module", cosim_module.name);
    cJSON_AddNumberToObject(report, "cycles", (double)r->clock);
    cJSON_AddNumberToObject(report, "seed", (double)o->seed);
    cJSON_AddNumberToObject(report, "mismatches", verdict == DIFFERENT);
    cJSON_AddNumberToObject(report, "resets", (double)r->resets);
    compared_add_to(&r->compared, r->info, report);
    cJSON_AddNumberToObject(report, "assertions_confirmed", r->played);
    cJSON_AddNumberToObject(report, "traps_confirmed", r->trapped);
    cJSON_AddNumberToObject(report, "clocks_per_second", (double)r->clock / seconds);
    char *text = cJSON_Print(report);
    if (text == NULL || !whole_write(o->json, text))
        fail("cannot write %s: %s", o->json, strerror(errno));
    free(text);
    cJSON_Delete(report);
}

/* ---- start ------------------------------------------------------------------------------------- */

[[noreturn]] static void usage(const char *why)
{
    fail("%s\nusage: lockstep --info M.json [--cycles N] [--seed N] [--window N] [--machine name]\n"
         "                [--traps N: so many of the inputs with undefined behaviour go to the "
         "RTL]\n"
         "                [--words \" M.memory ... \": random words in these memories to begin "
         "with |\n"
         "                 --noise \" M.memory ... \": and errors in what is written there]\n"
         "                [--inputs record: these and variations | --half record: from half of the "
         "clocks on |\n"
         "                 --replay record: these, once]\n"
         "                [--json file] [--fst file] [--record file]",
         why);
}

static uint64_t read_number(const char *text)
{
    char *end;
    errno = 0;
    uint64_t n = strtoull(text, &end, 0);
    if (errno != 0 || end == text || *end != 0 || *text == '-')
        fail("\"%s\" is not a number", text);
    return n;
}

static struct options read_options(int argc, char **argv)
{
    struct options o = {
        .cycles = 1000000, .seed = 1, .window = 200, .traps = 64, .machine = "aries"};
    struct {
        const char *name;
        const char **text;
        uint64_t *number;
    } table[] = {
        {"--cycles", NULL, &o.cycles}, {"--seed", NULL, &o.seed},
        {"--window", NULL, &o.window}, {"--machine", &o.machine, NULL},
        {"--words", &o.words, NULL},   {"--noise", &o.noise, NULL},
        {"--inputs", &o.inputs, NULL}, {"--info", &o.info, NULL},
        {"--half", &o.half, NULL},     {"--traps", NULL, &o.traps},
        {"--json", &o.json, NULL},     {"--fst", &o.fst, NULL},
        {"--record", &o.record, NULL}, {"--replay", &o.replay, NULL},
    };
    for (int i = 1; i < argc; i += 2) {
        unsigned k = 0;
        while (k < sizeof table / sizeof *table && strcmp(argv[i], table[k].name) != 0)
            k++;
        if (k == sizeof table / sizeof *table || i + 1 == argc)
            usage(argv[i]);
        if (table[k].text != NULL)
            *table[k].text = argv[i + 1];
        else
            *table[k].number = read_number(argv[i + 1]);
    }
    if (o.info == NULL)
        usage("--info is missing");
    if ((o.inputs != NULL) + (o.replay != NULL) + (o.half != NULL) > 1)
        usage("--inputs, --half and --replay are several runs");
    if (o.cycles == 0)
        usage("--cycles 0 would compare nothing");
    return o;
}

static cJSON *read_json(const char *name)
{
    FILE *f = fopen(name, "rb");
    if (f == NULL)
        fail("cannot read %s: %s", name, strerror(errno));
    long size = fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
    if (size < 0 || fseek(f, 0, SEEK_SET) != 0)
        fail("cannot read %s: %s", name, strerror(errno));
    char *text = allocate((size_t)size + 1);
    if (fread(text, 1, (size_t)size, f) != (size_t)size)
        fail("cannot read %s", name);
    fclose(f);
    cJSON *json = cJSON_Parse(text);
    if (json == NULL)
        fail("%s is not JSON; run rtlgen again", name);
    free(text);
    return json;
}

int main(int argc, char **argv)
{
    struct options o = read_options(argc, argv);
    cJSON *info = read_json(o.info);
    catch_traps();

    printf("# %s: lockstep, %" PRIu64 " clocks, seed %" PRIu64 "\n", cosim_module.name, o.cycles,
           o.seed);
    fflush(stdout);
    struct run *r = run_new(&o, info);
    if (o.record != NULL && (r->vectors = fopen(o.record, "w")) == NULL)
        fail("cannot write %s: %s", o.record, strerror(errno));
    double start = now();
    enum verdict verdict = !run_to(r, o.cycles, 0, NULL)    ? DIFFERENT
                           : !compared_enough(&r->compared) ? TOO_LITTLE
                                                            : AGREED;
    double seconds = now() - start;
    if (r->vectors != NULL && fclose(r->vectors) != 0)
        fail("cannot write %s: %s", o.record, strerror(errno));

    if (verdict == DIFFERENT) {
        print_failure(r);
        if (o.fst != NULL)
            leave_waveform(&o, info, r->clock - 1);
    }
    printf("# %" PRIu64 " resets, %" PRIu64
           " inputs refused by the C, %u assertions and %u traps confirmed\n",
           r->resets, r->compared.refused, r->played, r->trapped);
    compared_print(&r->compared, info);
    static const char *const why[] = {
        [AGREED] = "",
        [DIFFERENT] = " # C and RTL differ",
        [TOO_LITTLE] = " # too few of them compared: it takes a record of inputs",
    };
    printf("%sok 1 - lockstep %s: %" PRIu64 " clocks%s\n1..1\n", verdict == AGREED ? "" : "not ",
           cosim_module.name, r->clock, why[verdict]);
    if (o.json != NULL)
        write_json(r, verdict, seconds);
    run_free(r);
    cJSON_Delete(info);
    return (int)verdict;
}
