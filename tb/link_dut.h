// SPDX-License-Identifier: Apache-2.0
/*
 * link_dut.h - one LCB as a test bench drives it: the native model, or the native model and the
 * generated RTL in lockstep, every register compared on every clock.
 *
 * The bench reads registers from the native struct; in lockstep the RTL is held against it, so what
 * the bench reads is what the RTL has.
 */
#ifndef TB_LINK_DUT_H
#define TB_LINK_DUT_H

#include "cosim.h"
#include "hls/link/lcb.h"

struct link_dut {
    const char *name;
    struct lcb *lcb;
    const struct cosim_module *cosim; /* null: native alone */
    void *rtl;
    uint32_t *in_words, *state, *rtl_state;
    uint64_t clocks, mismatches; /* clocks that differed */
    uint64_t first_clock; /* the first of them, its registers and the first bit that differs */
    uint32_t *first_state, *first_rtl;
    unsigned first_bit;
    bool rtl_failed; /* an assertion of the RTL fired */
    double native_seconds, rtl_seconds;
};

/* Power-up and reset. Exits with one line when there is no memory. */
void link_dut_start(struct link_dut *d, const char *name, const struct cosim_module *cosim);
void link_dut_free(struct link_dut *d);

void link_dut_reset(struct link_dut *d);
void link_dut_step(struct link_dut *d, const struct lcb_in *in);

/* Says where the first difference is; info is the module's JSON by rtlgen, which has the names. */
void link_dut_explain(const struct link_dut *d, const char *info);

#endif
