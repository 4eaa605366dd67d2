// SPDX-License-Identifier: Apache-2.0
/*
 * chips_rtl.c - a chip as its Verilog, compiled by Verilator: machine proto. Its registers are read back into the structs of the C after
 * each clock, which chips.c knows; memories are in the Verilog alone.
 */
#include "sim/host/machined/chips_inside.h"

#include <stdio.h>
#include <stdlib.h>

#include "tb/cosim.h"

/* Made by rtlgen: build/rtl/proto/chip_shim.c. */
extern const struct cosim_module chip_cosim;

/* 32 transactions and 120 requests of a NIC: one descriptor, and two rings. */
const struct chips_sizes chips_sizes = {.window_log2 = NIC_WINDOW_LOG2,
                                        .transactions = 16,
                                        .requests = 120,
                                        .ring_transactions = 8,
                                        .rtl = true};

enum { WORD_BITS = 32 };

static uint32_t *words(unsigned bits)
{
    return calloc((bits + WORD_BITS - 1) / WORD_BITS, sizeof(uint32_t));
}

bool chips_power_up(struct chips_end *e)
{
    chip_reset(&e->chip);
    e->in_words = words(chip_cosim.in_bits);
    e->state_words = words(chip_cosim.state_bits);
    if (e->in_words == NULL || e->state_words == NULL)
        return false;
    e->rtl = chip_cosim.rtl_new(NULL);
    chip_cosim.rtl_reset(e->rtl);
    return true;
}

void chips_power_down(struct chips_end *e)
{
    if (e->rtl != NULL)
        chip_cosim.rtl_free(e->rtl);
    free(e->in_words);
    free(e->state_words);
}

void chips_step(struct chips_end *e)
{
    chip_cosim.pack_in(&e->in, e->in_words);
    if (chip_cosim.rtl_step(e->rtl, e->in_words, e->state_words) != 0) {
        fprintf(stderr, "machined: an assertion of the Verilog fired\n");
        exit(1);
    }
    chip_cosim.unpack_state(e->state_words, &e->chip);
}
