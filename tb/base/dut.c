// SPDX-License-Identifier: Apache-2.0
/*
 * dut.c - steps a module natively and, if asked to, its RTL beside it.
 */
#include "tb/base/dut.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/base/harness.h"
#include "tb/base/info.h"
#include "tb/base/packed.h"

static void *need(size_t count, size_t size)
{
    void *p = calloc(count, size);
    if (!p) {
        fputs("test bench: out of memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    return p;
}

static size_t state_bytes(const struct dut *d)
{
    return packed_words(d->cosim->state_bits) * sizeof *d->state;
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
        d->in_words = need(packed_words(cosim->in_bits), sizeof *d->in_words);
        d->state = need(1, state_bytes(d));
        d->rtl_state = need(1, state_bytes(d));
        d->first_state = need(1, state_bytes(d));
        d->first_rtl = need(1, state_bytes(d));
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
    memcpy(d->first_state, d->state, state_bytes(d));
    memcpy(d->first_rtl, d->rtl_state, state_bytes(d));
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
    if (memcmp(d->state, d->rtl_state, state_bytes(d)) != 0)
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

/* The lowest bit of the state that differed first. */
static unsigned first_bit(const struct dut *d)
{
    unsigned bit = 0;
    while (bit < d->cosim->state_bits && bits_same(d->first_state, d->first_rtl, bit, 1))
        bit++;
    return bit;
}

void dut_explain(const struct dut *d, const char *info)
{
    if (d->rtl_failed)
        tap_note("%s: an assertion of the RTL fired", d->name);
    if (!d->mismatches)
        return;
    cJSON *json = info_read(info);
    struct difference at;
    if (info_differences(json, d->first_state, d->first_rtl, &at)) {
        const cJSON *reg = at.field.json;
        const unsigned shown = at.field.width < 64 ? at.field.width : 64;
        tap_note("%s: first difference at clock %" PRIu64 ": %s, element %u, is %" PRIx64
                 " in C and %" PRIx64 " in the RTL (%s:%u)",
                 d->name, d->first_clock, info_text(reg, "c"), at.element,
                 bits_get(d->first_state, at.lsb, shown), bits_get(d->first_rtl, at.lsb, shown),
                 info_text(reg, "file"), info_number(reg, "line"));
    }
    if (!json)
        tap_note("%s: first difference at clock %" PRIu64 ", bit %u of the state", d->name,
                 d->first_clock, first_bit(d));
    cJSON_Delete(json);
}
