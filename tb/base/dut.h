// SPDX-License-Identifier: Apache-2.0
/*
 * dut.h - one module as a test bench that knows its structs drives it: the native model, or the
 * native model and the generated RTL in lockstep, every register compared on every clock.
 *
 * The bench reads registers from the native struct; in lockstep the RTL is held against it, so what
 * the bench reads is what the RTL has.
 */
#ifndef TB_DUT_H
#define TB_DUT_H

#include "tb/cosim.h"

/* The native life of a module M: {sizeof(struct M), M_reset, M}, behind functions that take void *. */
struct dut_model {
    size_t size;
    void (*reset)(void *self);
    void (*step)(void *self, const void *in);
};

struct dut {
    const char *name;
    const struct dut_model *model;
    void *self;                       /* struct M */
    bool own;                         /* to be freed here */
    const struct cosim_module *cosim; /* null: native alone */
    void *rtl;
    uint32_t *in_words, *state, *rtl_state;
    uint64_t clocks, mismatches; /* clocks that differed */
    uint64_t first_clock;        /* the first of them, and its registers */
    uint32_t *first_state, *first_rtl;
    bool rtl_failed; /* an assertion of the RTL fired */
    double native_seconds, rtl_seconds;
};

/*
 * Power-up and reset. self: the struct to drive, zeroed here, or null for one of its own. Exits with one
 * line when there is no memory.
 */
void dut_start(struct dut *d, const char *name, const struct dut_model *model,
               const struct cosim_module *cosim, void *self);
void dut_free(struct dut *d);

void dut_reset(struct dut *d);
void dut_step(struct dut *d, const void *in);

/* Says where the first difference is; info is the module's JSON by rtlgen, which has the names. */
void dut_explain(const struct dut *d, const char *info);

#endif
