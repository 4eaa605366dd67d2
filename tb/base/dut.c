// SPDX-License-Identifier: Apache-2.0
/*
 * dut.c - steps a module natively and, if asked to, its RTL beside it.
 */
#include "tb/base/dut.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "tb/base/harness.h"

static void *need(size_t count, size_t size)
{
    void *p = calloc(count, size);
    if (!p) {
        fputs("test bench: out of memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    return p;
}

static size_t words(unsigned bits)
{
    return (bits + 31) / 32 + 1;
}

void dut_start(struct dut *d, const char *name, const struct dut_model *model,
               const struct cosim_module *cosim, void *self)
{
    *d = (struct dut){.name = name, .model = model, .cosim = cosim, .self = self, .own = !self};
    if (d->own)
        d->self = need(1, model->size);
    else
        memset(self, 0, model->size);
    if (cosim) {
        d->in_words = need(words(cosim->in_bits), sizeof *d->in_words);
        d->state = need(words(cosim->state_bits), sizeof *d->state);
        d->rtl_state = need(words(cosim->state_bits), sizeof *d->rtl_state);
        d->first_state = need(words(cosim->state_bits), sizeof *d->first_state);
        d->first_rtl = need(words(cosim->state_bits), sizeof *d->first_rtl);
        d->rtl = cosim->rtl_new(NULL);
    }
    dut_reset(d);
}

void dut_free(struct dut *d)
{
    if (d->rtl)
        d->cosim->rtl_free(d->rtl);
    if (d->own)
        free(d->self);
    free(d->in_words);
    free(d->state);
    free(d->rtl_state);
    free(d->first_state);
    free(d->first_rtl);
    *d = (struct dut){0};
}

void dut_reset(struct dut *d)
{
    d->model->reset(d->self);
    if (d->rtl)
        d->cosim->rtl_reset(d->rtl);
}

static void note_difference(struct dut *d)
{
    if (d->mismatches++ > 0)
        return;
    d->first_clock = d->clocks;
    memcpy(d->first_state, d->state, words(d->cosim->state_bits) * sizeof *d->state);
    memcpy(d->first_rtl, d->rtl_state, words(d->cosim->state_bits) * sizeof *d->state);
    for (unsigned b = 0; b < d->cosim->state_bits; b++) {
        if ((d->state[b / 32] ^ d->rtl_state[b / 32]) >> b % 32 & 1) {
            d->first_bit = b;
            return;
        }
    }
}

static void step_both(struct dut *d, const void *in)
{
    d->cosim->pack_in(in, d->in_words);
    const double start = seconds_now();
    d->model->step(d->self, in);
    const double between = seconds_now();
    d->rtl_failed |= d->cosim->rtl_step(d->rtl, d->in_words, d->rtl_state) != 0;
    d->rtl_seconds += seconds_now() - between;
    d->native_seconds += between - start;
    d->cosim->pack_state(d->self, d->state);
    if (memcmp(d->state, d->rtl_state, (words(d->cosim->state_bits) - 1) * sizeof *d->state) != 0)
        note_difference(d);
}

void dut_step(struct dut *d, const void *in)
{
    if (d->rtl)
        step_both(d, in);
    else
        d->model->step(d->self, in);
    d->clocks++;
}

/* ---- naming a difference --------------------------------------------------------------------- */

static cJSON *read_json(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    const long size = fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
    char *text = size > 0 ? need((size_t)size + 1, 1) : NULL;
    cJSON *json = NULL;
    if (text && fseek(f, 0, SEEK_SET) == 0 && fread(text, 1, (size_t)size, f) == (size_t)size)
        json = cJSON_Parse(text);
    free(text);
    fclose(f);
    return json;
}

static unsigned number(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItem(object, key);
    return cJSON_IsNumber(item) ? (unsigned)item->valueint : 0;
}

static const char *string(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItem(object, key);
    return cJSON_IsString(item) ? item->valuestring : "?";
}

static uint64_t field(const uint32_t *state, unsigned lsb, unsigned width)
{
    uint64_t value = 0;
    for (unsigned b = 0; b < width && b < 64; b++)
        value |= (uint64_t)(state[(lsb + b) / 32] >> (lsb + b) % 32 & 1) << b;
    return value;
}

void dut_explain(const struct dut *d, const char *info)
{
    if (d->rtl_failed)
        tap_note("%s: an assertion of the RTL fired", d->name);
    if (!d->mismatches)
        return;
    cJSON *json = read_json(info);
    const cJSON *reg;
    cJSON_ArrayForEach(reg, cJSON_GetObjectItem(json, "state"))
    {
        const unsigned lsb = number(reg, "lsb"), width = number(reg, "width");
        const unsigned count = number(reg, "count") ? number(reg, "count") : 1;
        if (d->first_bit < lsb || d->first_bit >= lsb + width * count)
            continue;
        const unsigned element = (d->first_bit - lsb) / width, at = lsb + element * width;
        tap_note("%s: first difference at clock %" PRIu64 ": %s, element %u, is %" PRIx64
                 " in C and %" PRIx64 " in the RTL (%s:%u)",
                 d->name, d->first_clock, string(reg, "c"), element,
                 field(d->first_state, at, width), field(d->first_rtl, at, width),
                 string(reg, "file"), number(reg, "line"));
    }
    if (!json)
        tap_note("%s: first difference at clock %" PRIu64 ", bit %u of the state", d->name,
                 d->first_clock, d->first_bit);
    cJSON_Delete(json);
}
