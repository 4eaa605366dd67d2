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
#include <stdio.h>
#include <string.h>

#include "tb/equiv/lockstep/native.h"
#include "tb/equiv/lockstep/run.h"

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

static cJSON *read_info(const char *name)
{
    cJSON *info = info_read(name);
    if (info == NULL && errno != 0)
        fail("cannot read %s: %s", name, strerror(errno));
    if (info == NULL)
        fail("%s is not JSON; run rtlgen again", name);
    return info;
}

int main(int argc, char **argv)
{
    struct options o = read_options(argc, argv);
    cJSON *info = read_info(o.info);
    native_catch_traps();

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
        report_difference(r);
        if (o.fst != NULL)
            leave_waveform(&o, info, r->clock - 1);
    }
    printf("# %" PRIu64 " resets, %" PRIu64
           " inputs refused by the C, %u assertions and %u traps confirmed\n",
           r->resets, r->compared.refused, r->played, r->trapped);
    compared_print(&r->compared, info);
    states_print(r->states);
    static const char *const why[] = {
        [AGREED] = "",
        [DIFFERENT] = " # C and RTL differ",
        [TOO_LITTLE] = " # too few of them compared: it takes a record of inputs",
    };
    printf("%sok 1 - lockstep %s: %" PRIu64 " clocks%s\n1..1\n", verdict == AGREED ? "" : "not ",
           cosim_module.name, r->clock, why[verdict]);
    if (o.json != NULL)
        report_json(r, verdict, seconds);
    run_free(r);
    cJSON_Delete(info);
    return (int)verdict;
}
