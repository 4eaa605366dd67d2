// SPDX-License-Identifier: Apache-2.0
/*
 * foreign.h - somebody's Verilog behind packed words: module conform_dut (ports.py wrap), as Verilator compiled it.
 *
 * Any number of instances; a clock ends when each of them has made its step. Their waveform is one file.
 */
#ifndef TB_CONFORM_FOREIGN_H
#define TB_CONFORM_FOREIGN_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Flip-flops and memories without a reset begin at random, the same in every run; behind foreign_zeros with 0. */
void *foreign_new(const char *name);
void foreign_zeros(void);

/* One clock: outputs are read behind its edge. */
void foreign_step(void *instance, bool rst, const uint32_t *in, uint32_t *out);

/* A waveform of all instances from the next clock on, which is number `clock` of the run and there at time 2 * clock. */
void foreign_trace(const char *fst, uint64_t clock);
void foreign_trace_end(void);

/* Null, or the design has called $finish or the like: where, if that is known. */
const char *foreign_ended(void);

/* Deletes all instances. */
void foreign_free(void);

#ifdef __cplusplus
}
#endif

#endif
