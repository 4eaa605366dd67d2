// SPDX-License-Identifier: Apache-2.0
/*
 * two_ends.h - two LCBs between which a bench carries words: clocks, states and registers, whatever the framing.
 */
#ifndef TB_TWO_ENDS_H
#define TB_TWO_ENDS_H

#include "hls/link/lcb.h"
#include "tb/base/dut.h"

#include <stdbool.h>
#include <stdint.h>

/* An LCB for dut_start. */
extern const struct dut_model ends_model;

struct two_ends {
    void *bench;
    void (*step)(void *bench); /* a clock of both ends and their cables */
    const struct lcb *lcb[2];
    struct lcb_in *in[2];
};

void ends_run(const struct two_ends *t, uint64_t clocks);

/* Until both are in this state; false after `limit` clocks. */
bool ends_await(const struct two_ends *t, enum link_state state, uint64_t limit);

/* Until the bench is not busy any more; false after `limit` clocks. */
bool ends_drain(const struct two_ends *t, bool (*busy)(const void *bench), uint64_t limit);

/* A request on the register bus of an end; it stays until ready answers it. */
struct reg_reply ends_bus(const struct two_ends *t, unsigned end, struct reg_request request);

/* A counter by its register, of one end or (2) of both. */
uint64_t ends_count(const struct two_ends *t, unsigned end, enum lcb_counter counter);

#endif
