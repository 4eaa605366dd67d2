// SPDX-License-Identifier: Apache-2.0
/* compared.c - see compared.h. */
#include "tb/equiv/lockstep/compared.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tb/base/info.h"
#include "tb/base/packed.h"

enum {
    ENOUGH = 90,        /* percent */
    OFTEN = 1,          /* percent of the drawn inputs refused: a message says so */
    NAMES_PRINTED = 12, /* of outputs that have bits that never changed */
};

void compared_open(struct compared *c, unsigned state_words)
{
    *c = (struct compared){.state_words = state_words};
    c->was_0 = calloc(state_words, sizeof *c->was_0);
    c->was_1 = calloc(state_words, sizeof *c->was_1);
    if (c->was_0 == NULL || c->was_1 == NULL) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
}

void compared_close(struct compared *c)
{
    free(c->was_0);
    free(c->was_1);
}

void compared_refused(struct compared *c, const char *text, const char *file, int line)
{
    c->refused++;
    for (unsigned i = 0; i < COMPARED_REASONS; i++) {
        if (c->reason[i].count == 0) {
            c->reason[i].text = text;
            c->reason[i].file = file;
            c->reason[i].line = line;
        }
        if (c->reason[i].text == text && c->reason[i].line == line) {
            c->reason[i].count++;
            return;
        }
    }
}

void compared_clock(struct compared *c, const uint32_t *state, bool partly)
{
    c->clocks++;
    c->partly += partly;
    for (unsigned i = 0; i < c->state_words; i++) {
        c->was_0[i] |= ~state[i];
        c->was_1[i] |= state[i];
    }
}

static double percent(uint64_t part, uint64_t rest)
{
    return part == 0 ? 0 : 100 * (double)part / ((double)part + (double)rest);
}

bool compared_enough(const struct compared *c)
{
    return percent(c->clocks, c->given_up) >= ENOUGH;
}

static void print_refused(const struct compared *c)
{
    const double share = percent(c->refused, c->clocks + c->given_up);
    unsigned most = 0;
    if (share <= OFTEN)
        return;
    for (unsigned i = 1; i < COMPARED_REASONS; i++)
        most = c->reason[i].count > c->reason[most].count ? i : most;
    printf("# %.1f %% of the inputs were drawn again, as the C refused them, %.0f %% of these: %s",
           share, percent(c->reason[most].count, c->refused - c->reason[most].count),
           c->reason[most].text);
    if (c->reason[most].file != NULL)
        printf(" (%s:%d)", c->reason[most].file, c->reason[most].line);
    putchar('\n');
}

/* ---- outputs that never changed ------------------------------------------------------------------ */

static unsigned ones(uint64_t bits)
{
    return (unsigned)__builtin_popcountll(bits);
}

/* Bits of an output, all its elements, that had one value only. */
static unsigned still_bits(const struct compared *c, const struct info_field *output)
{
    const unsigned bits = output->width * output->count;
    unsigned still = bits;
    for (unsigned at = 0; at < bits; at += 64) {
        const unsigned n = bits - at < 64 ? bits - at : 64, lsb = output->lsb + at;
        still -= ones(bits_get(c->was_0, lsb, n) & bits_get(c->was_1, lsb, n));
    }
    return still;
}

static unsigned all_still_bits(const struct compared *c, const cJSON *outputs)
{
    unsigned still = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, outputs)
    {
        const struct info_field output = info_field(item);
        still += still_bits(c, &output);
    }
    return still;
}

static void print_still(const struct compared *c, const cJSON *outputs)
{
    const unsigned still = all_still_bits(c, outputs);
    unsigned printed = 0;
    const cJSON *item;
    if (still == 0)
        return;
    printf("# %u of %u output bits never changed, so nothing says that they are not constants:",
           still, info_bits(outputs));
    cJSON_ArrayForEach(item, outputs)
    {
        const struct info_field output = info_field(item);
        const unsigned n = still_bits(c, &output);
        if (n > 0 && printed++ < NAMES_PRINTED)
            printf(" %s (%u of %u)", info_text(item, "c"), n, output.width * output.count);
    }
    puts(printed > NAMES_PRINTED ? " ..." : "");
}

void compared_print(const struct compared *c, const cJSON *info)
{
    printf("# %" PRIu64 " clocks compared, %.2f %% of those to compare, %" PRIu64
           " of them with some fields of what was drawn; %" PRIu64 " given up\n",
           c->clocks, percent(c->clocks, c->given_up), c->partly, c->given_up);
    print_refused(c);
    print_still(c, info_list(info, "outputs"));
}

void compared_add_to(const struct compared *c, const cJSON *info, cJSON *report)
{
    const cJSON *outputs = info_list(info, "outputs");
    cJSON_AddNumberToObject(report, "clocks_compared", (double)c->clocks);
    cJSON_AddNumberToObject(report, "clocks_compared_partly", (double)c->partly);
    cJSON_AddNumberToObject(report, "clocks_given_up", (double)c->given_up);
    cJSON_AddNumberToObject(report, "inputs_refused", (double)c->refused);
    cJSON_AddNumberToObject(report, "output_bits", info_bits(outputs));
    cJSON_AddNumberToObject(report, "output_bits_never_changed", all_still_bits(c, outputs));
}
