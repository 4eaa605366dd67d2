// SPDX-License-Identifier: Apache-2.0
/*
 * report.c - what a run has to say: the first difference by the names of the C, and the numbers as JSON.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/whole.h"
#include "tb/base/packed.h"
#include "tb/equiv/lockstep/native.h"
#include "tb/equiv/lockstep/run.h"

static void print_value(const uint32_t *words, unsigned lsb, unsigned width)
{
    fputs("0x", stdout);
    bits_print(stdout, words, lsb, width);
}

static void print_register(const struct run *r)
{
    struct difference at;
    const unsigned found = info_differences(r->info, r->state, r->rtl_state, &at);
    if (found == 0)
        return;
    printf("# clock %" PRIu64 ": ", r->clock - 1);
    info_print_path(&at.field, at.element);
    fputs(": C ", stdout);
    print_value(r->state, at.lsb, at.field.width);
    fputs(", RTL ", stdout);
    print_value(r->rtl_state, at.lsb, at.field.width);
    printf("\n# %s:%u: the register is declared here\n", info_text(at.field.json, "file"),
           info_number(at.field.json, "line"));
    if (found > 1)
        printf("# and %u more registers differ on that clock\n", found - 1);
}

static void print_inputs(const struct run *r)
{
    const cJSON *item;
    fputs("# inputs:", stdout);
    cJSON_ArrayForEach(item, info_list(r->info, "inputs"))
    {
        const struct info_field field = info_field(item);
        for (unsigned i = 0; i < field.count; i++) {
            putchar(' ');
            info_print_path(&field, i);
            putchar('=');
            print_value(r->in_words, field.lsb + i * field.width, field.width);
        }
    }
    putchar('\n');
}

void report_difference(const struct run *r)
{
    if (r->wrong != NULL) {
        printf("# clock %" PRIu64 ": %s\n", r->clock - 1, r->wrong);
        if (native_check.broken)
            printf("# %s:%d: %s\n", native_check.file, native_check.line, native_check.text);
    }
    print_register(r);
    print_inputs(r);
}

void report_json(const struct run *r, enum verdict verdict, double seconds)
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
    states_add_to(r->states, report);
    cJSON_AddNumberToObject(report, "assertions_confirmed", r->played);
    cJSON_AddNumberToObject(report, "traps_confirmed", r->trapped);
    cJSON_AddNumberToObject(report, "clocks_per_second", (double)r->clock / seconds);
    char *text = cJSON_Print(report);
    if (text == NULL || !whole_write(o->json, text))
        fail("cannot write %s: %s", o->json, strerror(errno));
    free(text);
    cJSON_Delete(report);
}
