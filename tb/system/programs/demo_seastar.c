// SPDX-License-Identifier: Apache-2.0
/*
 * demo_seastar.c - two SeaStar chips at work: programs on both put with acks and get through the Portals library, in generic and in accelerated mode, over links with
 * bit errors; both chips in lockstep with their RTL. Every byte of both memories and the number of events of each operation are checked.
 *
 * The last put, of 100 bytes in accelerated mode, is the waveform. Ends with a table, build/reports/demo-seastar.json and
 * build/demo/ss_chip.fst; exit status 1 if anything was wrong.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/host/portals/portals.h"
#include "tb/system/programs/options.h"
#include "tb/system/seastar/ss_nodes.h"

extern const struct cosim_module ss_chip_cosim;

enum {
    CHIPS = 2,
    PORTAL = 4,
    PID = 20,
    OPERATIONS = 4, /* of a node in a round */
    PART = 1 << 13, /* bytes of memory of each, in each region */
    REGION = 1 << 20,
    HERE = 0,          /* what is put, */
    THERE = REGION,    /* where it goes, and where gets read, */
    BACK = 2 * REGION, /* and write */
    EVENTS = 256,
    LIMIT = 200000,  /* clocks of a round */
    INTERRUPT = 400, /* clocks from an interrupt to its handler */
    LEAST_CYCLES = 2000,
};
#define BER 1e-5

static const char json_path[] = "build/reports/demo-seastar.json";
static const char fst_path[] = "build/demo/ss_chip.fst";

struct operation {
    bool gets;
    unsigned bytes;
};

/* What came of one mode. */
struct outcome {
    uint64_t puts, gets, bytes, events, interrupts, wrong_bytes, missing, failed;
    uint64_t flipped, repeated, clocks, mismatches;
    double native, rtl;
};

static struct ss_nodes nodes;
static struct rng r;
static struct progress progress;
static ptl_handle_ni_t ni[CHIPS];
static ptl_handle_eq_t queue[CHIPS];
static ptl_handle_md_t source[CHIPS], sink[CHIPS];
static uint8_t wanted[CHIPS][3 * REGION];

static bool good_code(int code)
{
    return code == PTL_OK;
}

/* A process on a node: an entry that takes all, for puts and gets; two descriptors of its own. */
static bool begin_process(unsigned i, bool accelerated)
{
    const ptl_process_id_t any = {PTL_NID_ANY, PTL_PID_ANY};
    uint8_t *memory = nodes.node[i].memory;
    ptl_handle_me_t me;
    ptl_handle_md_t target;
    ptl_choose(&nodes.node[i].port, accelerated);
    if (!good_code(PtlNIInit(0, PID + i, &ni[i])) ||
        !good_code(PtlEQAlloc(ni[i], EVENTS, &queue[i])))
        return false;
    const ptl_md_t own = {.length = REGION, .threshold = PTL_MD_THRESH_INF, .eq_handle = queue[i]};
    ptl_md_t here = own, there = own, back = own;
    here.start = memory + HERE;
    there.start = memory + THERE;
    there.options = PTL_MD_OP_PUT | PTL_MD_OP_GET | PTL_MD_MANAGE_REMOTE;
    back.start = memory + BACK;
    for (unsigned at = 0; at < 3 * REGION; at++)
        wanted[i][at] = memory[at] = (uint8_t)rng_next(&r);
    return good_code(PtlMEAttach(ni[i], PORTAL, any, 0, 0, PTL_RETAIN, PTL_INS_AFTER, &me)) &&
           good_code(PtlMDAttach(me, there, PTL_RETAIN, &target)) &&
           good_code(PtlMDBind(ni[i], here, PTL_RETAIN, &source[i])) &&
           good_code(PtlMDBind(ni[i], back, PTL_RETAIN, &sink[i]));
}

static bool start(bool accelerated)
{
    int interfaces;
    bool good = good_code(PtlInit(&interfaces));
    nodes = (struct ss_nodes){.interrupt = accelerated ? 0 : INTERRUPT,
                              .random = rng_next(&r),
                              .ber = BER,
                              .cosim = &ss_chip_cosim};
    good = nodes_start(&nodes, CHIPS) && good;
    for (unsigned i = 0; i < CHIPS; i++)
        good = good && begin_process(i, accelerated);
    return good;
}

/* Operation k of a node, which has its own part of each region; and what memories hold behind it. */
static void issue(unsigned i, unsigned k, struct operation o, struct outcome *out)
{
    const ptl_process_id_t target = {1 - i, PID + 1 - i};
    const ptl_size_t at = (ptl_size_t)k * PART + rng_below(&r, 64);
    const int code =
        o.gets ? PtlGetRegion(sink[i], at, o.bytes, target, PORTAL, 0, 0, at)
               : PtlPutRegion(source[i], at, o.bytes, PTL_ACK_REQ, target, PORTAL, 0, 0, at, 0);
    out->failed += !good_code(code);
    if (o.gets)
        memcpy(wanted[i] + BACK + at, wanted[1 - i] + THERE + at, o.bytes);
    else
        memcpy(wanted[1 - i] + THERE + at, wanted[i] + HERE + at, o.bytes);
    out->puts += !o.gets;
    out->gets += o.gets;
    out->bytes += o.bytes;
}

/* Takes events of both nodes until so many have come, or too long. */
static void await_events(uint64_t count, struct outcome *out)
{
    uint64_t came = 0;
    for (const uint64_t end = nodes.clock + LIMIT; came < count && nodes.clock < end;) {
        bool some = false;
        for (unsigned i = 0; i < CHIPS; i++) {
            ptl_event_t event;
            const int code = PtlEQGet(queue[i], &event);
            if (code == PTL_EQ_EMPTY)
                continue;
            some = true;
            came++;
            out->failed += !good_code(code) || event.ni_fail_type != 0;
        }
        if (!some)
            nodes_step(&nodes);
    }
    out->events += came;
    out->missing += count - came;
}

static unsigned draw_bytes(void)
{
    return rng_below(&r, 3) == 0 ? rng_below(&r, 13)
           : rng_below(&r, 3)    ? rng_below(&r, 600)
                                 : rng_below(&r, 4000);
}

static void check_memory(struct outcome *out)
{
    for (unsigned i = 0; i < CHIPS; i++)
        for (unsigned at = 0; at < 3 * REGION; at += PART) {
            if (memcmp(nodes.node[i].memory + at, wanted[i] + at, PART) == 0)
                continue;
            for (unsigned b = at; b < at + PART; b++)
                out->wrong_bytes += nodes.node[i].memory[b] != wanted[i][b];
        }
}

/* Operations of both nodes at once. A put makes two events and an ack at its initiator and two at its target, a get two and two. */
static void play_round(struct outcome *out)
{
    uint64_t events = 0;
    for (unsigned k = 0; k < OPERATIONS; k++)
        for (unsigned i = 0; i < CHIPS; i++) {
            const struct operation o = {.gets = rng_below(&r, 3) == 0, .bytes = draw_bytes()};
            issue(i, k, o, out);
            events += o.gets ? 4 : 5;
        }
    await_events(events, out);
    check_memory(out);
}

/* The waveform: one put of 100 bytes. */
static void show_put(struct outcome *out)
{
    whole_make_folder("build/demo");
    ss_chip_cosim.rtl_trace(nodes.node[0].dut.rtl, fst_path);
    issue(0, 0, (struct operation){.bytes = 100}, out);
    await_events(5, out);
    check_memory(out);
}

static bool play(bool accelerated, uint64_t cycles, const char *info, struct outcome *out)
{
    *out = (struct outcome){0};
    const bool good = start(accelerated);
    while (good && nodes.clock < cycles && out->missing + out->wrong_bytes == 0) {
        play_round(out);
        const uint64_t done = nodes.clock + (accelerated ? cycles : 0);
        if (done < progress.total)
            progress_show(&progress, done);
    }
    if (good && accelerated)
        show_put(out);
    out->clocks = nodes.clock;
    out->flipped = nodes.flipped;
    out->repeated = nodes.repeated;
    for (unsigned i = 0; i < CHIPS; i++) {
        const struct dut *d = &nodes.node[i].dut;
        out->mismatches += d->mismatches + d->rtl_failed;
        out->interrupts += nodes.node[i].interrupts;
        out->native += d->native_seconds;
        out->rtl += d->rtl_seconds;
        dut_explain(d, info);
    }
    PtlFini();
    nodes_free(&nodes);
    return good && out->puts &&
           out->missing + out->failed + out->wrong_bytes + out->mismatches == 0;
}

/* ---- what is printed ---------------------------------------------------------------------------- */

static const struct row {
    const char *text, *key;
    size_t at;
} table[] = {
#define ROW(text, field) {text, #field, offsetof(struct outcome, field)}
    ROW("puts with acks", puts),
    ROW("gets", gets),
    ROW("bytes", bytes),
    ROW("events", events),
    ROW("events missing", missing),
    ROW("calls and events that failed", failed),
    ROW("bytes that are wrong", wrong_bytes),
    ROW("interrupts", interrupts),
    ROW("bit errors on the links", flipped),
    ROW("micropackets sent again", repeated),
    ROW("lockstep clocks, two chips", clocks),
    ROW("lockstep mismatches", mismatches),
};

static uint64_t value(const struct outcome *o, const struct row *row)
{
    return *(const uint64_t *)((const char *)o + row->at);
}

static void print_table(const struct outcome *generic, const struct outcome *accelerated)
{
    printf("\n  %-32s %14s %14s\n", "", "generic", "accelerated");
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++)
        printf("  %-32s %14" PRIu64 " %14" PRIu64 "\n", table[i].text, value(generic, &table[i]),
               value(accelerated, &table[i]));
}

static cJSON *mode_report(const struct outcome *o)
{
    cJSON *json = cJSON_CreateObject();
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++)
        cJSON_AddNumberToObject(json, table[i].key, (double)value(o, &table[i]));
    return json;
}

static bool write_report(const struct outcome *generic, const struct outcome *accelerated,
                         double native, double rtl, uint64_t seed)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddItemToObject(json, "generic", mode_report(generic));
    cJSON_AddItemToObject(json, "accelerated", mode_report(accelerated));
    cJSON_AddNumberToObject(json, "mismatches",
                            (double)(generic->mismatches + accelerated->mismatches));
    cJSON_AddNumberToObject(json, "failed_checks", (double)harness_failures());
    cJSON_AddNumberToObject(json, "native_clocks_per_second", native);
    cJSON_AddNumberToObject(json, "verilator_clocks_per_second", rtl);
    cJSON_AddNumberToObject(json, "seed", (double)seed);
    return report_write(json_path, json);
}

int main(int argc, char **argv)
{
    uint64_t seed, cycles = 24000;
    const char *info = "build/rtl/seastar2/ss_chip.json";
    const struct args_option rows[] = {options_demo(&cycles, LEAST_CYCLES, &info), args_end()};
    const struct args args = {.about = "Two SeaStar chips and their programs, in generic and in "
                                       "accelerated mode, C and Verilog in lockstep.",
                              .option = rows,
                              .seed = &seed};
    struct outcome generic, accelerated;

    (void)args_read(&args, argc, argv);
    printf("SeaStar: two chips, a program on each, puts with acks and gets over links with a bit "
           "error rate of %g, %" PRIu64 " clocks, --seed %" PRIu64 "\n",
           BER, cycles, seed);
    fflush(stdout);
    rng_seed(&r, seed);
    harness_clock = &nodes.clock;
    progress_start(&progress, "demo, clocks", cycles, seed);
    bool good = play(false, cycles / 2, info, &generic);
    good = play(true, cycles / 2, info, &accelerated) && good;
    progress_end(&progress, cycles);

    const double clocks = CHIPS * (double)(generic.clocks + accelerated.clocks);
    const double native = clocks / (generic.native + accelerated.native);
    const double rtl = clocks / (generic.rtl + accelerated.rtl);
    print_table(&generic, &accelerated);
    printf("  %-32s %14.0f clocks of a chip per second\n  %-32s %14.0f\n", "native C", native,
           "Verilator", rtl);
    good = good && harness_failures() == 0;
    const bool written = write_report(&generic, &accelerated, native, rtl, seed);
    printf("\nreport: %s   waveform: %s\n%s\n", json_path, fst_path,
           good ? "everything agreed" : "SOMETHING IS WRONG");
    return whole_status(good && written);
}
